/*
 * The compiled kernel: texts or tokens of a batch -> tokens per text, and clipped n-gram matches per segment and order.
 *
 * It computes the same integers as `_tokenizers.split`, `_ngrams.token_ids` and `_ngrams.clipped_matches`, whose
 * comments explain the rules. The segments pass through four steps, one after another:
 *
 *     classify       bytes -> the class of each character, from a table of all code points
 *     find_tokens    classes -> where tokens start and end: 64 bytes at a time, as the bits of one number
 *     ..._tokens     tokens -> numbers; equal tokens of a segment have equal numbers
 *     ..._pairs      pairs of numbers -> numbers of n-grams, for one order after another
 *
 * An n-gram is the pair of its two (n-1)-grams, and is looked at only where both are on both sides. Equality is always
 * verified; a hash only says where to look. Time and memory grow in proportion to the bytes of a segment, time also to
 * its n-grams that match: hash tables have chains, and their multipliers are drawn for each process, so nobody can
 * choose texts that collide. Memory is used again for each segment, so that usual segments stay in the processor's
 * first cache. Nothing is global, and the interpreter's lock is not held.
 *
 * Tried and lost, for a pair of 37 tokens that takes 1.1 to 1.2 microseconds: n-grams as a list of numbers and
 * positions, in place of one bit a position, 1.9; 2, 8 or 16 slots an entry, no less. SSE2 in `gather` saves 4 to 7 %,
 * for a second version of it.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Must change with the arguments, or the meaning, of a function. `_kernel.py` has the same number. */
#define INTERFACE 1

/* Classes of characters, as in `_tokenizers.py`. One bit each answers what is asked of every character. */
enum { SEPARATE_BIT = 1, SPACE_BIT = 2, LOOK_BIT = 3, CONTINUED_BIT = 6 };
enum { UNKNOWN = 0, OTHER = 1, ALONE = 2, SPACE = 6, DASH = 8, DIGIT = 16, MARK = 42 };
enum { CONTINUED = 1 << CONTINUED_BIT }; /* added to the class of every byte of a character but the first */

#define CODE_POINTS 0x110000
#define WORD 8         /* bytes that are read at once */
#define BLOCK 64       /* bytes, or positions, whose flags are the bits of one number */
#define WORDS_A_BLOCK (BLOCK / WORD)
#define EACH_BYTE 0x0101010101010101u
#define SLOTS_AN_ENTRY 4               /* with fewer, chains are longer, which the processor cannot foresee */
#define MOST_TOKENS ((int64_t)1 << 30) /* of a segment, as positions have 32 bits */

/* How a count ended. `_kernel.py` does what is missing and calls again. */
typedef enum { DONE, NO_MEMORY, UNKNOWN_CHARACTER, TO_BE_REWRITTEN, TOO_MANY_TOKENS } Outcome;

/*
 * What is counted: the texts of all references, segment by segment, then the predictions of one system after another.
 * They are UTF-8 or tokens. The data goes on for 8 bytes behind the last text or token.
 */
typedef struct {
    const uint8_t *data;
    int64_t segments, systems, max_order;
    const int64_t *first_references; /* of each segment, and the end */
    const int64_t *offsets;          /* UTF-8: where each text starts, and the end; NULL for tokens */
    const uint8_t *class_of;         /* UTF-8: the class of each code point */
    int padded;                      /* UTF-8: to a mark, the edges of a text are spaces */
    int entities;                    /* UTF-8: some texts may have to be rewritten first */
    const int64_t *starts, *lengths; /* tokens: where each one is */
    const int64_t *first_tokens;     /* tokens: the first one of each text, and the end */
} Batch;

typedef struct {
    const uint8_t *start;
    int64_t length;
    uint64_t key; /* its bytes, if they are 8 or fewer; else a hash of them */
} Token;

/* An n-gram that a reference has. */
typedef struct {
    uint64_t key;   /* of a token: its key; of a longer n-gram: the numbers of its halves */
    uint32_t next;  /* in the chain of its slot; 0 ends the chain */
    uint32_t token; /* of a token: where it stands in the segment */
    uint32_t text;  /* the reference that had it last */
    uint32_t times; /* in that reference */
    uint32_t most;  /* in one reference */
    uint32_t used;  /* in the prediction, up to `most` */
} Entry;

/* The number of an n-gram is that of its entry. Entry 0 stands for all n-grams that no reference has. */
typedef struct {
    Entry *entries;
    uint32_t *heads; /* for each slot, the first entry of its chain */
    uint32_t count;
    int shift; /* the bits of a hash that do not choose the slot */
    uint64_t multiplier;
} Table;

/* The n-grams of one side, by the position of their first token. Behind each text is a position without n-gram. */
typedef struct {
    uint32_t *numbers;
    uint64_t *alive; /* a bit for each position: whether its n-gram is on both sides */
    uint32_t size;
} Grams;

/* Memory that grows when a segment needs more. */
typedef struct {
    void *memory;
    size_t size;
} Space;

/* What a space is for; tables and n-grams take the one behind, too. */
enum {
    CLASSES,
    TOKENS,
    TEXT_OF,
    TABLE_OF_TOKENS,
    TABLE_OF_PAIRS = TABLE_OF_TOKENS + 2,
    REFERENCES = TABLE_OF_PAIRS + 2,
    PAIRS = REFERENCES + 2,
    PREDICTION = PAIRS + 2,
    SPACES = PREDICTION + 2,
};

typedef struct {
    Space spaces[SPACES];
    uint64_t multiplier; /* odd; this and the next two are drawn for each process */
    uint32_t low, high;
    Table of_tokens, of_pairs;
    Grams references;  /* tokens of the references */
    Grams pairs;       /* longer n-grams of the references, of one order after another */
    Grams prediction;  /* n-grams of the prediction, of one order after another */
    uint32_t *text_of; /* which reference each position of the references is in */
} Counter;

/* Give a space room for so many items and one more, and keep what is there. Returns NULL if there is no memory. */
static inline void *reserve(Counter *counter, int which, int64_t items, size_t item_size)
{
    Space *space = counter->spaces + which;
    if ((uint64_t)items >= SIZE_MAX / 2 / item_size)
        return NULL;
    size_t needed = ((size_t)items + 1) * item_size;
    if (needed <= space->size)
        return space->memory;
    needed += needed / 2;
    void *larger = realloc(space->memory, needed);
    if (larger) {
        space->memory = larger;
        space->size = needed;
    }
    return larger;
}

/* ---- Text -> tokens ---------------------------------------------------------------------------------------------- */

/* Compilers make one instruction of it where the machine is little-endian. */
static inline uint64_t read_word(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24 |
           (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 | (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static inline int lowest_bit(uint64_t bits)
{
#ifdef __GNUC__
    return __builtin_ctzll(bits);
#else
    int place = 0;
    while (!(bits >> place & 1))
        place++;
    return place;
#endif
}

/* Read the first character of a text that is not empty; return its size. Bytes that are not UTF-8 do no harm. */
static int64_t read_character(const uint8_t *text, int64_t left, uint32_t *code)
{
    int64_t size = text[0] < 0xC0 ? 1 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    if (size > left)
        size = left;
    *code = size == 1 ? text[0] : text[0] & (0x7Fu >> size);
    for (int64_t place = 1; place < size; place++)
        *code = *code << 6 | (text[place] & 0x3F);
    return size;
}

/* Write the class of every byte's character, of up to 7 bytes behind the text, too. The table knows all of ASCII. */
static Outcome classify(const uint8_t *text, int64_t size, const uint8_t *class_of, uint8_t *classes)
{
    for (int64_t at = 0; at < size;) {
        if (!(read_word(text + at) & 0x80 * EACH_BYTE)) {
            for (int place = 0; place < WORD; place++)
                classes[at + place] = class_of[text[at + place]];
            at += WORD;
            continue;
        }
        uint32_t code;
        int64_t end = at + read_character(text + at, size - at, &code);
        uint8_t class = code < CODE_POINTS ? class_of[code] : OTHER;
        if (class == UNKNOWN)
            return UNKNOWN_CHARACTER;
        classes[at++] = class;
        while (at < end)
            classes[at++] = class | CONTINUED;
    }
    return DONE;
}

/* Whether an SGML entity, a `<skipped>` tag or a hyphenated line end may be here: see `_rows_to_rewrite`. */
static int may_be_rewritten(const uint8_t *text, int64_t at, int64_t size)
{
    uint8_t before = at > 0 ? text[at - 1] : 0, after = at + 1 < size ? text[at + 1] : 0;
    switch (text[at]) {
    case '&':
        return after == 'q' || after == 'a' || after == 'l' || after == 'g';
    case '<':
        return after == 's';
    default:
        return text[at] == '\n' && before == '-';
    }
}

/* The last MARK of a text that was looked at. */
typedef struct {
    int64_t end;
    int is_passed_over; /* by the first pattern */
} Mark;

/* Make a DASH or MARK that is split off ALONE, and one that stays OTHER: see the table at `_glue_marks`. */
static void settle_mark(uint8_t *classes, int64_t at, int64_t size, int padded, Mark *last)
{
    int after_digit = at > 0 && (classes[at - 1] & ~CONTINUED) == DIGIT;
    int stays = !after_digit; /* as a DASH */
    int64_t end = at + 1;
    while (classes[end] & CONTINUED)
        end++;
    if (classes[at] == MARK) {
        int second_cannot_match = end < size ? classes[end] == DIGIT : !padded;
        int is_first = last->end != at;
        last->is_passed_over = !is_first ? !last->is_passed_over : at > 0 ? after_digit : !padded;
        last->end = end;
        stays = last->is_passed_over && second_cannot_match;
    }
    classes[at] = stays ? OTHER : ALONE;
    for (int64_t place = at + 1; place < end; place++)
        classes[place] = classes[at] | CONTINUED;
}

/* Settle the classes of a block that depend on their neighbours. */
static Outcome settle_block(const Batch *batch, const uint8_t *text, int64_t size, uint8_t *classes, int64_t block,
                            uint64_t look, Mark *last)
{
    for (; look; look &= look - 1) {
        int64_t at = block + lowest_bit(look);
        if (batch->entities && may_be_rewritten(text, at, size))
            return TO_BE_REWRITTEN;
        if (classes[at] == MARK || classes[at] == DASH)
            settle_mark(classes, at, size, batch->padded, last);
    }
    return DONE;
}

static inline void read_block(const uint8_t *bytes, uint64_t *words)
{
    for (int word = 0; word < WORDS_A_BLOCK; word++)
        words[word] = read_word(bytes + word * WORD);
}

/* Take one bit of each byte of a block. */
static inline uint64_t gather(const uint64_t *words, int bit)
{
    uint64_t bits = 0;
    for (int word = 0; word < WORDS_A_BLOCK; word++)
        bits |= (words[word] >> bit & EACH_BYTE) * 0x0102040810204080u >> 56 << WORD * word;
    return bits;
}

/*
 * Find the tokens of a text and put them behind the first `count`. Its classes go on as SPACE for a block, and SPACE
 * stands before them, for a text's edges end tokens.
 */
static Outcome find_tokens(Counter *counter, const Batch *batch, const uint8_t *text, int64_t size, int64_t *count)
{
    uint8_t *classes = counter->spaces[CLASSES].memory;
    int64_t started = *count, ended = *count;
    uint64_t separate_before = 1, space_before = 1;
    Mark last = {-1, 0};
    for (int64_t block = 0; block <= size; block += BLOCK) {
        uint64_t words[WORDS_A_BLOCK];
        Token *tokens = reserve(counter, TOKENS, started + BLOCK, sizeof(Token));
        if (!tokens)
            return NO_MEMORY;
        read_block(classes + block, words);
        uint64_t look = gather(words, LOOK_BIT);
        if (look) {
            if (settle_block(batch, text, size, classes, block, look, &last) != DONE)
                return TO_BE_REWRITTEN;
            read_block(classes + block, words);
        }
        uint64_t space = gather(words, SPACE_BIT), separate = gather(words, SEPARATE_BIT);
        uint64_t cuts = (separate | separate << 1 | separate_before) & ~gather(words, CONTINUED_BIT);
        uint64_t starts = cuts & ~space, ends = cuts & ~(space << 1 | space_before);
        separate_before = separate >> (BLOCK - 1);
        space_before = space >> (BLOCK - 1);
        for (; starts; starts &= starts - 1)
            tokens[started++].start = text + block + lowest_bit(starts);
        for (; ends; ends &= ends - 1, ended++)
            tokens[ended].length = text + block + lowest_bit(ends) - tokens[ended].start;
    }
    *count = ended;
    return DONE;
}

/* ---- Keys of tokens ---------------------------------------------------------------------------------------------- */

/* Read up to 8 bytes of a token. */
static inline uint64_t read_part(const uint8_t *start, int64_t length)
{
    static const uint64_t masks[WORD + 1] = {
        0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF,
    };
    return read_word(start) & masks[length < WORD ? length : WORD];
}

/* Hash a long token: of each word, added to the hash of those before it, the NH hash of Black and others, 1999. */
static uint64_t hash_token(const Counter *counter, const Token *token)
{
    uint64_t hash = (uint64_t)token->length;
    for (int64_t done = 0; done < token->length; done += WORD) {
        uint64_t sum = hash + read_part(token->start + done, token->length - done);
        uint32_t low = counter->low + (uint32_t)sum, high = counter->high + (uint32_t)(sum >> 32);
        hash = (uint64_t)low * high;
    }
    return hash;
}

/* For all tokens of a text at once, so that no look into a table holds the processor up. */
static void find_keys(const Counter *counter, Token *tokens, int64_t count)
{
    for (Token *token = tokens; token < tokens + count; token++) {
        token->key = read_part(token->start, token->length);
        if (token->length > WORD)
            token->key = hash_token(counter, token);
    }
}

/* Whether two tokens of one key are equal. */
static inline int is_same(const Token *left, const Token *right)
{
    if (left->length != right->length)
        return 0;
    return left->length <= WORD || !memcmp(left->start, right->start, (size_t)left->length);
}

/* ---- Tables of n-grams ------------------------------------------------------------------------------------------- */

/* Make an empty table for up to so many entries. */
static int make_table(Counter *counter, Table *table, int space, int64_t most)
{
    int bits = 4;
    while ((int64_t)1 << bits < SLOTS_AN_ENTRY * most)
        bits++;
    table->entries = reserve(counter, space, most, sizeof(Entry));
    table->heads = reserve(counter, space + 1, (int64_t)1 << bits, sizeof(uint32_t));
    if (!table->entries || !table->heads)
        return 0;
    memset(table->heads, 0, sizeof(uint32_t) << bits);
    memset(table->entries, 0, sizeof(Entry));
    table->count = 0;
    table->shift = 64 - bits;
    table->multiplier = counter->multiplier;
    return 1;
}

/* Multiply-shift hashing of Dietzfelbinger and others, 1997: two keys share a slot by chance alone. */
static inline uint32_t *slot_of(const Table *table, uint64_t key)
{
    return table->heads + (key * table->multiplier >> table->shift);
}

/* Find the n-gram of a key. Entry 0 gets the key first, and so ends the search if no reference has the n-gram. */
static inline Entry *find_pair(const Table *table, const uint32_t *slot, uint64_t key)
{
    Entry *entry = table->entries + *slot;
    table->entries->key = key;
    while (entry->key != key)
        entry = table->entries + entry->next;
    return entry;
}

/* The same for a token of the segment. */
static inline Entry *find_token(const Table *table, const uint32_t *slot, const Token *tokens, uint32_t token)
{
    Entry *entry = table->entries + *slot;
    const Token *own = tokens + token;
    table->entries->key = own->key;
    table->entries->token = token;
    while (entry->key != own->key || !is_same(tokens + entry->token, own))
        entry = table->entries + entry->next;
    return entry;
}

/* Count an n-gram of a reference, whose entry was found; entry 0 stands for a new one. Returns its number. */
static inline uint32_t count_in_reference(Table *table, Entry *entry, uint32_t *slot, uint32_t text)
{
    if (entry == table->entries) {
        uint32_t number = ++table->count;
        Entry added = {entry->key, *slot, entry->token, text, 1, 1, 0};
        table->entries[number] = added;
        *slot = number;
        return number;
    }
    entry->times = entry->text == text ? entry->times + 1 : 1;
    entry->text = text;
    if (entry->times > entry->most)
        entry->most = entry->times;
    return (uint32_t)(entry - table->entries);
}

/* Returns 1 if the n-gram matches. It has no branch, which the processor could not foresee. */
static inline uint32_t count_in_prediction(Entry *entry)
{
    uint32_t matches = entry->used < entry->most;
    entry->used += matches;
    return matches;
}

/* ---- N-grams by position ----------------------------------------------------------------------------------------- */

static int make_grams(Counter *counter, Grams *grams, int space, int64_t size)
{
    int64_t blocks = size / BLOCK + 2; /* one for the bit behind the last one */
    grams->size = (uint32_t)size;
    grams->numbers = reserve(counter, space, size, sizeof(uint32_t));
    grams->alive = reserve(counter, space + 1, blocks, sizeof(uint64_t));
    if (!grams->numbers || !grams->alive)
        return 0;
    memset(grams->alive, 0, (size_t)blocks * sizeof(uint64_t));
    return 1;
}

/* Mark the n-grams of the references that the prediction has, too. Returns how many. */
static uint32_t mark_used(const Grams *from, const Entry *entries, uint64_t *marks)
{
    uint32_t count = 0;
    for (uint32_t block = 0; block <= from->size / BLOCK; block++) {
        uint64_t alive = 0;
        for (uint64_t left = from->alive[block]; left; left &= left - 1) {
            int bit = lowest_bit(left);
            uint32_t is_used = entries[from->numbers[block * BLOCK + (uint32_t)bit]].used > 0;
            alive |= (uint64_t)is_used << bit;
            count += is_used;
        }
        marks[block] = alive;
    }
    return count;
}

/* Tell where in a block an n-gram and the next one are alive. */
static inline uint64_t pairs_of_block(const uint64_t *alive, uint32_t block)
{
    return alive[block] & (alive[block] >> 1 | alive[block + 1] << (BLOCK - 1));
}

static inline uint64_t pair_key(const uint32_t *numbers)
{
    return (uint64_t)numbers[0] << 32 | numbers[1];
}

/* Count the n-grams of the references that are longer by one than those at hand. */
static void count_reference_pairs(Counter *counter, const uint32_t *numbers)
{
    Table table = counter->of_pairs; /* a copy, which stays in registers */
    Grams *grams = &counter->pairs;
    for (uint32_t block = 0; block <= grams->size / BLOCK; block++) {
        uint64_t left = grams->alive[block] = pairs_of_block(grams->alive, block);
        for (; left; left &= left - 1) {
            uint32_t position = block * BLOCK + (uint32_t)lowest_bit(left);
            uint64_t key = pair_key(numbers + position);
            uint32_t *slot = slot_of(&table, key);
            Entry *entry = find_pair(&table, slot, key);
            grams->numbers[position] = count_in_reference(&table, entry, slot, counter->text_of[position]);
        }
    }
    counter->of_pairs.count = table.count;
}

/* The same for the prediction. Returns the matches. */
static int64_t count_prediction_pairs(Counter *counter)
{
    Table table = counter->of_pairs;
    Grams *grams = &counter->prediction;
    int64_t matches = 0;
    for (uint32_t block = 0; block <= grams->size / BLOCK; block++) {
        uint64_t alive = 0;
        for (uint64_t left = pairs_of_block(grams->alive, block); left; left &= left - 1) {
            int bit = lowest_bit(left);
            uint32_t *numbers = grams->numbers + block * BLOCK + bit;
            uint64_t key = pair_key(numbers);
            Entry *entry = find_pair(&table, slot_of(&table, key), key);
            matches += count_in_prediction(entry);
            *numbers = (uint32_t)(entry - table.entries);
            alive |= (uint64_t)(entry != table.entries) << bit;
        }
        grams->alive[block] = alive;
    }
    return matches;
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

/* Put the tokens of a text behind the first `count` of the segment. */
static Outcome read_text(Counter *counter, const Batch *batch, int64_t text, int64_t *count)
{
    int64_t before = *count;
    if (batch->offsets) {
        const uint8_t *start = batch->data + batch->offsets[text];
        int64_t size = batch->offsets[text + 1] - batch->offsets[text];
        uint8_t *classes = reserve(counter, CLASSES, size + BLOCK + WORD, 1);
        if (!classes)
            return NO_MEMORY;
        Outcome outcome = classify(start, size, batch->class_of, classes);
        if (outcome != DONE)
            return outcome;
        memset(classes + size, SPACE, BLOCK);
        outcome = find_tokens(counter, batch, start, size, count);
        if (outcome != DONE)
            return outcome;
    } else {
        int64_t first = batch->first_tokens[text], last = batch->first_tokens[text + 1];
        Token *tokens = reserve(counter, TOKENS, before + last - first, sizeof(Token));
        if (!tokens)
            return NO_MEMORY;
        for (int64_t token = first; token < last; token++, ++*count) {
            tokens[*count].start = batch->data + batch->starts[token];
            tokens[*count].length = batch->lengths[token];
        }
    }
    find_keys(counter, (Token *)counter->spaces[TOKENS].memory + before, *count - before);
    return *count < MOST_TOKENS ? DONE : TOO_MANY_TOKENS;
}

/* Read the references of a segment, and count their tokens. */
static Outcome count_references(Counter *counter, const Batch *batch, int64_t segment, int64_t *per_text,
                                int64_t *count)
{
    int64_t first = batch->first_references[segment], texts = batch->first_references[segment + 1] - first;
    per_text += first;
    *count = 0;
    for (int64_t text = 0; text < texts; text++) {
        int64_t before = *count;
        Outcome outcome = read_text(counter, batch, first + text, count);
        if (outcome != DONE)
            return outcome;
        per_text[text] = *count - before;
    }
    if (texts > MOST_TOKENS - *count)
        return TOO_MANY_TOKENS;
    int64_t size = *count + texts;
    counter->text_of = reserve(counter, TEXT_OF, size, sizeof(uint32_t));
    if (!counter->text_of || !make_table(counter, &counter->of_tokens, TABLE_OF_TOKENS, *count) ||
        !make_grams(counter, &counter->references, REFERENCES, size) ||
        !make_grams(counter, &counter->pairs, PAIRS, size))
        return NO_MEMORY;
    Table table = counter->of_tokens;
    Grams *grams = &counter->references;
    const Token *tokens = counter->spaces[TOKENS].memory;
    uint32_t token = 0;
    for (uint32_t text = 0; text < (uint32_t)texts; text++)
        for (int64_t left = per_text[text]; left; left--, token++) {
            uint32_t position = token + text;
            uint32_t *slot = slot_of(&table, tokens[token].key);
            Entry *entry = find_token(&table, slot, tokens, token);
            grams->numbers[position] = count_in_reference(&table, entry, slot, text);
            grams->alive[position / BLOCK] |= (uint64_t)1 << position % BLOCK;
            counter->text_of[position] = text;
        }
    counter->of_tokens.count = table.count;
    return DONE;
}

/* Count the tokens of a prediction, which stand behind those of the references. Returns the matches. */
static int64_t count_prediction_tokens(Counter *counter, uint32_t of_references)
{
    Table table = counter->of_tokens;
    Grams *grams = &counter->prediction;
    const Token *tokens = counter->spaces[TOKENS].memory;
    int64_t matches = 0;
    for (uint32_t number = 1; number <= table.count; number++)
        table.entries[number].used = 0; /* by the system before */
    for (uint32_t position = 0; position < grams->size; position++) {
        uint32_t token = of_references + position;
        Entry *entry = find_token(&table, slot_of(&table, tokens[token].key), tokens, token);
        matches += count_in_prediction(entry);
        grams->numbers[position] = (uint32_t)(entry - table.entries);
        grams->alive[position / BLOCK] |= (uint64_t)(entry != table.entries) << position % BLOCK;
    }
    return matches;
}

/* Read a prediction behind the references of its segment, and count its matches: one number per order. */
static Outcome count_prediction(Counter *counter, const Batch *batch, int64_t text, int64_t of_references,
                                int64_t *length, int64_t *matches)
{
    int64_t count = of_references;
    Outcome outcome = read_text(counter, batch, text, &count);
    if (outcome != DONE)
        return outcome;
    *length = count - of_references;
    if (!make_grams(counter, &counter->prediction, PREDICTION, *length))
        return NO_MEMORY;
    matches[0] = count_prediction_tokens(counter, (uint32_t)of_references);
    const Grams *shorter = &counter->references;
    const Table *table = &counter->of_tokens;
    for (int64_t order = 1; order < batch->max_order && matches[order - 1]; order++) {
        uint32_t used = mark_used(shorter, table->entries, counter->pairs.alive);
        if (!make_table(counter, &counter->of_pairs, TABLE_OF_PAIRS, used))
            return NO_MEMORY;
        count_reference_pairs(counter, shorter->numbers);
        matches[order] = count_prediction_pairs(counter);
        shorter = &counter->pairs;
        table = &counter->of_pairs;
    }
    return DONE;
}

/* Count all segments: tokens per text, and matches of shape (systems, segments, orders), all 0 before. */
static Outcome count_batch(Counter *counter, const Batch *batch, int64_t *per_text, int64_t *matches)
{
    int64_t references = batch->first_references[batch->segments];
    for (int64_t segment = 0; segment < batch->segments; segment++) {
        int64_t of_references;
        Outcome outcome = count_references(counter, batch, segment, per_text, &of_references);
        for (int64_t row = segment; outcome == DONE && row < batch->systems * batch->segments; row += batch->segments)
            outcome = count_prediction(counter, batch, references + row, of_references, per_text + references + row,
                                       matches + row * batch->max_order);
        if (outcome != DONE)
            return outcome;
    }
    return DONE;
}

/* ---- The module -------------------------------------------------------------------------------------------------- */

/* The buffers that a function takes; those that it does not take stay empty. */
enum { DATA, FIRST_REFERENCES, SEED, PER_TEXT, MATCHES, OFFSETS, CLASS_OF, STARTS, LENGTHS, FIRST_TOKENS, BUFFERS };

static int64_t count_of(const Py_buffer *numbers)
{
    return numbers->len / (int64_t)sizeof(int64_t);
}

/* Whether a buffer holds so many numbers. */
static int holds(const Py_buffer *buffer, int64_t count)
{
    int is_aligned = (uintptr_t)buffer->buf % sizeof(int64_t) == 0 && buffer->len % (int64_t)sizeof(int64_t) == 0;
    if (!buffer->len)
        return !count; /* an empty array may be anywhere */
    return is_aligned && count_of(buffer) == count;
}

/* Whether a buffer holds one number or more, from 0 or more to at most `most`, and none is less than the one before. */
static int rises(const Py_buffer *buffer, int64_t most)
{
    int64_t count = count_of(buffer);
    const int64_t *numbers = buffer->buf;
    if (count < 1 || !holds(buffer, count) || numbers[0] < 0 || numbers[count - 1] > most)
        return 0;
    for (int64_t place = 1; place < count; place++)
        if (numbers[place] < numbers[place - 1])
            return 0;
    return 1;
}

/*
 * The functions below enter what they check, or name the mistake, so that wrong sizes and positions are errors. What is
 * written must not overlap what is read.
 */

static const char *enter_batch(const Py_buffer *buffers, int64_t texts, Batch *batch)
{
    const int64_t *first_references = buffers[FIRST_REFERENCES].buf;
    int64_t segments = count_of(buffers + FIRST_REFERENCES) - 1, of_matches = count_of(buffers + MATCHES);
    if (!rises(buffers + FIRST_REFERENCES, texts) || first_references[0])
        return "first_references must rise from 0";
    int64_t predictions = texts - first_references[segments];
    int is_even = segments ? predictions / segments == batch->systems && predictions % segments == 0 : !predictions;
    if (batch->systems < 1 || !is_even)
        return "each system must have a prediction for each segment";
    if (!holds(buffers + PER_TEXT, texts))
        return "per_text must have a number for each text";
    if (batch->max_order < 1 || !holds(buffers + MATCHES, of_matches) || of_matches % batch->max_order ||
        of_matches / batch->max_order != predictions)
        return "matches must have a number for each prediction and order";
    if (buffers[SEED].len != 16)
        return "seed must have 16 bytes";
    batch->data = buffers[DATA].buf;
    batch->segments = segments;
    batch->first_references = first_references;
    return NULL;
}

static const char *enter_texts(const Py_buffer *buffers, Batch *batch)
{
    if (!rises(buffers + OFFSETS, buffers[DATA].len - WORD))
        return "offsets must rise, and 8 bytes must follow the last text";
    if (buffers[CLASS_OF].len != CODE_POINTS)
        return "class_of must have a byte for each code point";
    batch->offsets = buffers[OFFSETS].buf;
    batch->class_of = buffers[CLASS_OF].buf;
    return enter_batch(buffers, count_of(buffers + OFFSETS) - 1, batch);
}

static const char *enter_tokens(const Py_buffer *buffers, Batch *batch)
{
    int64_t tokens = count_of(buffers + STARTS), texts = count_of(buffers + FIRST_TOKENS) - 1;
    int64_t most = buffers[DATA].len - WORD;
    batch->starts = buffers[STARTS].buf;
    batch->lengths = buffers[LENGTHS].buf;
    batch->first_tokens = buffers[FIRST_TOKENS].buf;
    if (!holds(buffers + STARTS, tokens) || !holds(buffers + LENGTHS, tokens))
        return "starts and lengths must have a number for each token";
    for (int64_t token = 0; token < tokens; token++) {
        int64_t start = batch->starts[token], length = batch->lengths[token];
        if (start < 0 || start > most || length < 0 || length > most - start)
            return "8 bytes must follow each token";
    }
    if (!rises(buffers + FIRST_TOKENS, tokens) || batch->first_tokens[0] || batch->first_tokens[texts] != tokens)
        return "first_tokens must rise from 0 to the number of tokens";
    return enter_batch(buffers, texts, batch);
}

static Outcome run(const Py_buffer *buffers, const Batch *batch)
{
    Counter counter;
    const uint8_t *seed = buffers[SEED].buf;
    memset(&counter, 0, sizeof counter);
    counter.multiplier = read_word(seed) | 1;
    counter.low = (uint32_t)read_word(seed + WORD);
    counter.high = (uint32_t)(read_word(seed + WORD) >> 32);
    memset(buffers[MATCHES].buf, 0, (size_t)buffers[MATCHES].len);
    Outcome outcome = count_batch(&counter, batch, buffers[PER_TEXT].buf, buffers[MATCHES].buf);
    for (int space = 0; space < SPACES; space++)
        free(counter.spaces[space].memory);
    return outcome;
}

/* Returns the outcome as a number, or NULL with an error set. */
static PyObject *count(PyObject *arguments, int is_text)
{
    Py_buffer own[BUFFERS];
    Batch batch;
    long long systems, max_order;
    memset(own, 0, sizeof own); /* an empty buffer may be released */
    memset(&batch, 0, sizeof batch);
    if (is_text ? !PyArg_ParseTuple(arguments, "y*y*y*ppy*LLy*w*w*", own + DATA, own + OFFSETS, own + CLASS_OF,
                                    &batch.padded, &batch.entities, own + FIRST_REFERENCES, &systems, &max_order,
                                    own + SEED, own + PER_TEXT, own + MATCHES)
                : !PyArg_ParseTuple(arguments, "y*y*y*y*y*LLy*w*w*", own + DATA, own + STARTS, own + LENGTHS,
                                    own + FIRST_TOKENS, own + FIRST_REFERENCES, &systems, &max_order, own + SEED,
                                    own + PER_TEXT, own + MATCHES))
        return NULL;
    batch.systems = systems;
    batch.max_order = max_order;
    const char *mistake = is_text ? enter_texts(own, &batch) : enter_tokens(own, &batch);
    Outcome outcome = DONE;
    if (!mistake) {
        Py_BEGIN_ALLOW_THREADS
        outcome = run(own, &batch);
        Py_END_ALLOW_THREADS
    }
    for (int buffer = 0; buffer < BUFFERS; buffer++)
        PyBuffer_Release(own + buffer);
    if (mistake)
        PyErr_SetString(PyExc_ValueError, mistake);
    else if (outcome == NO_MEMORY)
        PyErr_NoMemory();
    return PyErr_Occurred() ? NULL : PyLong_FromLong(outcome);
}

static PyObject *count_texts(PyObject *module, PyObject *arguments)
{
    (void)module;
    return count(arguments, 1);
}

static PyObject *count_tokens(PyObject *module, PyObject *arguments)
{
    (void)module;
    return count(arguments, 0);
}

static PyMethodDef functions[] = {
    {"count_texts", count_texts, METH_VARARGS, "Count texts; `_kernel.count_texts` calls it."},
    {"count_tokens", count_tokens, METH_VARARGS, "Count tokens; `_kernel.count_tokens` calls it."},
    {NULL, NULL, 0, NULL},
};

static int add_numbers(PyObject *module)
{
    int failed = PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0;
    failed |= PyModule_AddIntConstant(module, "DONE", DONE) < 0;
    failed |= PyModule_AddIntConstant(module, "UNKNOWN_CHARACTER", UNKNOWN_CHARACTER) < 0;
    failed |= PyModule_AddIntConstant(module, "TO_BE_REWRITTEN", TO_BE_REWRITTEN) < 0;
    return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)add_numbers},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED}, /* nothing is global, and each call has its own memory */
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_bleu_metric_kernel",
    .m_doc = "The compiled kernel of bleu_metric.",
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__bleu_metric_kernel(void)
{
    return PyModuleDef_Init(&definition);
}
