/*
 * The compiled kernel counts the tokens of each text, and the clipped matches of each prediction and n-gram order.
 *
 * It computes the same integers as `_tokens.split` and `_ngrams.clipped_matches`, which are the definition. The rows of
 * Python lists are copied into flat arrays, and then each segment passes through four steps:
 *
 *     classify       bytes -> the class of each character, from a table of all code points
 *     find_tokens    classes -> where tokens start and end, 64 bytes at a time
 *     find_token     token -> its number; equal tokens of a segment have equal numbers
 *     find_pair      numbers of two adjacent n-grams, "a b" and "b c" -> number of the longer n-gram "a b c"
 *
 * An n-gram is a pair of (n-1)-grams: "a b c" is the pair of "a b" and "b c". An n-gram is looked up only if both
 * (n-1)-grams occur in the prediction and in a reference.
 *
 * Time and memory. A hash decides only where a search starts; equality is always verified. The hash functions use
 * secret random numbers that differ between processes, so nobody can write texts that cause many collisions. The
 * expected time is linear in the bytes and the matching n-grams of a segment, and the memory is linear in the bytes.
 * All segments use the same memory, which usually fits into the processor's level-1 cache.
 *
 * Threads. There are no global variables. The kernel copies the rows while it holds the interpreter's lock, and counts
 * without it. The only memory that another thread can change meanwhile is `class_of`, which has an entry for every code
 * point; `find_tokens` checks each class from it.
 *
 * Rejected alternatives. One segment with a prediction and a reference of 37 tokens takes 1.1 to 1.2 microseconds. A
 * list of the n-grams' numbers and positions, in place of the bits `alive`, takes 1.9 microseconds. 2, 8 or 16 slots
 * per entry are not faster. SSE2 code in `gather` saves 4 to 7 %, but needs a second version for other processors.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif
#ifdef __GNUC__
#define OUT_OF_LINE __attribute__((noinline)) /* if GCC inlines these functions, the loops become 5 % slower */
#else
#define OUT_OF_LINE
#endif

/* Increase this number, and the one in `_counting.py`, when the arguments or the meaning of a function change. */
#define INTERFACE 5

/* Classes of characters, as in `_tokens.py`. CONTINUED marks all bytes of a character except the first. */
enum { SEPARATE_BIT = 1, SPACE_BIT = 2, LOOK_BIT = 3, CONTINUED_BIT = 6 };
enum { SEPARATE = 1 << SEPARATE_BIT, LOOK = 1 << LOOK_BIT, CONTINUED = 1 << CONTINUED_BIT };
enum { UNKNOWN = 0, OTHER = 1, DIGIT = 16, DASH = LOOK };
enum { ALONE = SEPARATE, SPACE = SEPARATE | 1 << SPACE_BIT, MARK = SEPARATE | LOOK | 32 };

#define CODE_POINTS 0x110000
#define WORD 8                         /* number of bytes that are read at once */
#define BLOCK 64                       /* number of bytes or positions whose flags fit into one 64-bit number */
#define WORDS_PER_BLOCK (BLOCK / WORD)
#define EACH_BYTE 0x0101010101010101u
#define PART 7                         /* number of bytes hashed at once; 7 bytes are a number below the prime */
#define PRIME (((uint64_t)1 << 61) - 1)
#define SLOTS_PER_ENTRY 4              /* with fewer slots, chains are longer and their ends hard to predict */
#define MOST_TOKENS ((int64_t)1 << 30) /* limit for one segment, because positions have 32 bits */

/*
 * The outcome of a call. After UNKNOWN_CHARACTER, `_counting.py` completes `class_of` and calls again. After
 * TO_BE_REWRITTEN, `_counting.py` rewrites the texts and calls again. A MISTAKE is raised as ValueError.
 */
typedef enum {
    DONE,
    NO_MEMORY,
    UNKNOWN_CHARACTER,
    TO_BE_REWRITTEN,
    TOO_MANY_TOKENS,
    TOO_MUCH_TEXT, /* the rows have more bytes than the caller allows */
    DECLINED,      /* the rows are not as expected; Python code reads the rows instead */
    RAISED,        /* a Python error was raised */
    MISTAKE
} Outcome;

/*
 * The arguments of a call. The texts are the references, segment by segment, then the predictions, system by system.
 * In one call, either all texts are UTF-8, or all texts are already split into tokens.
 */
typedef struct {
    const uint8_t *data; /* 8 bytes of padding follow, so that 8 bytes can be read at any index */
    int64_t segments, systems, max_order;
    int64_t references, predictions; /* number of references in all segments, and of predictions in all systems */
    const int64_t *first_references; /* index of each segment's first reference, then the number of references */
    const int64_t *starts, *lengths; /* start and length of each string in the data; a string is a text or a token */
    int is_text;                 /* whether each string is a text, not a token */
    const uint8_t *class_of;     /* texts only: class of each code point */
    int padded;                  /* texts only: whether the start and the end of a text count as spaces */
    int entities;                /* texts only: whether to stop with TO_BE_REWRITTEN at a possible entity */
    const int64_t *first_tokens; /* tokens only: index of each text's first token, then the number of tokens */
    int64_t *per_text, *matches; /* results: number of tokens of each text; matches[systems, segments, orders] */
} Batch;

/* Memory that `reserve` enlarges when a segment needs more. */
typedef struct {
    void *memory;
    size_t size;
} Buffer;

typedef struct {
    const uint8_t *start;
    int64_t length;
    uint64_t key; /* the token's bytes, or a hash of more than 8 bytes */
} Token;

/* An n-gram that occurs in a reference. */
typedef struct {
    uint64_t key;   /* unigram: the token's key; longer n-gram: the numbers of its two (n-1)-grams */
    uint32_t next;  /* index of the next entry in the slot's chain; 0 ends the chain */
    uint32_t token; /* unigram: the token's index in the segment */
    uint32_t text;  /* last reference in which the n-gram occurs */
    uint32_t times; /* number of occurrences in that reference */
    uint32_t most;  /* largest number of occurrences in a single reference */
    uint32_t used;  /* number of occurrences in the prediction, up to `most` */
} Entry;

/*
 * A hash table of n-grams. The number of an n-gram is the index of its entry. All n-grams that occur in no reference
 * have entry 0.
 */
typedef struct {
    Buffer buffer; /* holds the entries, then the heads */
    Entry *entries;
    uint32_t *heads; /* index of the first entry in each slot's chain */
    uint32_t count;
    int shift; /* the index of a key's slot is its 64-bit hash >> shift */
    uint64_t multiplier;
} Table;

/*
 * The n-grams of the references or of a prediction, by the position of their first token. In the references, an empty
 * position follows each text, so that no n-gram spans two texts.
 */
typedef struct {
    Buffer buffer;   /* holds `alive`, then `numbers` */
    uint64_t *alive; /* one bit for each position: whether its n-gram may be part of a longer match */
    uint32_t *numbers;
    uint32_t size;
} Grams;

typedef struct {
    Buffer classes, tokens, text_ends, text_of;
    uint64_t hash_point; /* random number below 2^31, which differs between processes, as does `multiplier` */
    Table of_tokens, of_pairs;
    Grams references;    /* tokens of the references */
    Grams pairs;         /* n-grams of the references, of one order at a time */
    Grams prediction;    /* n-grams of the prediction, of one order at a time */
    const char *mistake; /* the error message about the arguments */
} Counter;

static Outcome refuse(Counter *counter, const char *mistake)
{
    counter->mistake = mistake;
    return MISTAKE;
}

/* Enlarge a buffer to more than `size` bytes, and keep the content. Return the memory, or NULL if no memory is left. */
static inline void *reserve(Buffer *buffer, int64_t size)
{
    if ((uint64_t)size < buffer->size)
        return buffer->memory;
    if ((uint64_t)size > SIZE_MAX / 4)
        return NULL;
    size_t larger = (size_t)size + (size_t)size / 2 + 1;
    void *memory = realloc(buffer->memory, larger);
    if (memory)
        *buffer = (Buffer){.memory = memory, .size = larger};
    return memory;
}

static void free_memory(Counter *counter)
{
    const Buffer buffers[] = {
        counter->classes, counter->tokens, counter->text_ends, counter->text_of, counter->of_tokens.buffer,
        counter->of_pairs.buffer, counter->references.buffer, counter->pairs.buffer, counter->prediction.buffer,
    };
    for (size_t index = 0; index < sizeof buffers / sizeof *buffers; index++)
        free(buffers[index].memory);
}

/* ---- Text -> tokens ---------------------------------------------------------------------------------------------- */

/* Read 8 bytes as a little-endian number. On little-endian machines, compilers turn this into one instruction. */
static inline uint64_t read_word(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24 |
           (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 | (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

/* Return the index of the lowest bit that is set. The number must not be 0. */
static inline int lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long index;
    _BitScanForward64(&index, bits);
    return (int)index;
#else
    int index = 0;
    while (!(bits >> index & 1))
        index++;
    return index;
#endif
}

/* Read the first character of `left` > 0 bytes, which may be invalid UTF-8. Return the character's size in bytes. */
static int64_t read_character(const uint8_t *text, int64_t left, uint32_t *code)
{
    int64_t size = text[0] < 0xC0 ? 1 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    if (size > left)
        size = left;
    *code = size == 1 ? text[0] : text[0] & (0x7Fu >> size);
    for (int64_t index = 1; index < size; index++)
        *code = *code << 6 | (text[index] & 0x3F);
    return size;
}

/*
 * Write the class of each byte's character. `classes` must have room for 7 more bytes. ASCII characters need no
 * check for UNKNOWN, because `class_of` always has their classes.
 */
static Outcome classify(const uint8_t *text, int64_t size, const uint8_t *class_of, uint8_t *classes)
{
    for (int64_t at = 0; at < size;) {
        if (!(read_word(text + at) & 0x80 * EACH_BYTE)) {
            for (int index = 0; index < WORD; index++)
                classes[at + index] = class_of[text[at + index]];
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

/* Return whether this byte may belong to an entity, `<skipped>` or a hyphenated line end: see `_REPLACEMENTS`. */
static int may_be_rewritten(const uint8_t *text, int64_t at, int64_t size)
{
    uint8_t here = text[at], before = at > 0 ? text[at - 1] : 0, after = at + 1 < size ? text[at + 1] : 0;
    return (here == '&' && (after == 'q' || after == 'a' || after == 'l' || after == 'g')) ||
           (here == '<' && after == 's') || (here == '\n' && before == '-');
}

/* The last MARK before the current one. */
typedef struct {
    int64_t end;
    int is_split; /* whether the pattern of `first_pattern_splits` splits it off */
} Mark;

static int is_after_digit(const uint8_t *classes, int64_t at)
{
    return at > 0 && (classes[at - 1] & ~CONTINUED) == DIGIT;
}

/*
 * Return whether the pattern "not a digit, mark" splits off a MARK. The matches do not overlap, so the pattern never
 * splits off two adjacent MARKs. See the table at `split` in `_tokens.py`.
 */
static int first_pattern_splits(const uint8_t *classes, int64_t at, int padded, const Mark *last)
{
    if (last->end == at)
        return !last->is_split;
    return at > 0 ? !is_after_digit(classes, at) : padded;
}

/* Return whether the pattern "mark, not a digit" splits off the MARK before `end`. */
static int second_pattern_splits(const uint8_t *classes, int64_t end, int64_t size, int padded)
{
    return end < size ? classes[end] != DIGIT : padded;
}

/* Change the class of a DASH or MARK to ALONE if the character is split off, else to OTHER. */
static void settle_mark(uint8_t *classes, int64_t at, int64_t size, int padded, Mark *last)
{
    int is_split;
    int64_t end = at + 1;
    while (classes[end] & CONTINUED)
        end++;
    if (classes[at] == MARK) {
        *last = (Mark){.end = end, .is_split = first_pattern_splits(classes, at, padded, last)};
        is_split = last->is_split || second_pattern_splits(classes, end, size, padded);
    } else {
        is_split = is_after_digit(classes, at);
    }
    classes[at] = is_split ? ALONE : OTHER;
    for (int64_t index = at + 1; index < end; index++)
        classes[index] = classes[at] | CONTINUED;
}

/* Replace each DASH and MARK in a block with ALONE or OTHER, depending on the neighbours. */
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
    for (int word = 0; word < WORDS_PER_BLOCK; word++)
        words[word] = read_word(bytes + word * WORD);
}

/* Read one bit of each byte in a block, and return these 64 bits as one number. */
static inline uint64_t gather(const uint64_t *words, int bit)
{
    uint64_t bits = 0;
    for (int word = 0; word < WORDS_PER_BLOCK; word++)
        bits |= (words[word] >> bit & EACH_BYTE) * 0x0102040810204080u >> 56 << WORD * word;
    return bits;
}

/*
 * Append the tokens of a text to the segment's tokens, and add their number to `count`. The caller must write a block
 * of SPACE after the text's classes, so that the last token ends. The text is split as if SPACE came first.
 */
static Outcome find_tokens(Counter *counter, const Batch *batch, const uint8_t *text, int64_t size, int64_t *count)
{
    uint8_t *classes = counter->classes.memory;
    int64_t started = *count, ended = *count;
    uint64_t separate_before = 1, space_before = 1;
    Mark last = {.end = -1};
    for (int64_t block = 0; block <= size; block += BLOCK) {
        uint64_t words[WORDS_PER_BLOCK];
        Token *tokens = reserve(&counter->tokens, (started + BLOCK) * (int64_t)sizeof(Token));
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
        uint64_t follows_space = space << 1 | space_before;
        uint64_t cuts = (separate | separate << 1 | separate_before) & ~gather(words, CONTINUED_BIT);
        uint64_t starts = cuts & ~space, ends = cuts & ~follows_space;
        if ((space ^ follows_space) & ~cuts) /* without a cut here, a token would have no start or no end */
            return refuse(counter, "class_of must separate white space from tokens, and leave bit 6 clear");
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

/* Read the first `length` bytes, at most 8, as a little-endian number. */
static inline uint64_t read_part(const uint8_t *start, int64_t length)
{
    static const uint64_t masks[WORD + 1] = {
        0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF,
    };
    return read_word(start) & masks[length];
}

/*
 * Hash a token of more than 8 bytes (Carter and Wegman, 1979). The token's length and its parts of 7 bytes are the
 * coefficients of a polynomial modulo 2^61 - 1. The hash is the polynomial's value at a secret random point below 2^31.
 * Two different tokens with up to n parts have equal values at no more than n of the 2^31 points, so the probability of
 * equal hashes is at most n / 2^31.
 */
static uint64_t hash_token(uint64_t point, const Token *token)
{
    uint64_t hash = (uint64_t)token->length;
    for (int64_t left = token->length; left > 0; left -= PART) {
        uint64_t part = read_part(token->start + token->length - left, left < PART ? left : PART);
        uint64_t high = (hash >> 32) * point, low = (hash & 0xFFFFFFFF) * point; /* hash * point = high * 2^32 + low */
        hash = (high >> 29) + (high << 32 & PRIME) + low + part; /* 2^61 = 1 modulo the prime; the sum is below 2^64 */
    }
    return hash;
}

/* Compute the keys of a text's tokens. A separate loop is faster than computing each key before its table look-up. */
static void find_keys(uint64_t hash_point, Token *tokens, int64_t count)
{
    for (Token *token = tokens; token < tokens + count; token++)
        token->key = token->length > WORD ? hash_token(hash_point, token) : read_part(token->start, token->length);
}

/*
 * Return whether two tokens with the same key are equal. With `left == right`, a token equals itself even if another
 * thread changes the bytes during the comparison.
 */
static inline int is_same(const Token *left, const Token *right)
{
    if (left->length != right->length)
        return 0;
    return left->length <= WORD || left == right || !memcmp(left->start, right->start, (size_t)left->length);
}

/* ---- Tables of n-grams ------------------------------------------------------------------------------------------- */

/* Build an empty table for up to `most` entries. Return 0 if no memory is left. */
OUT_OF_LINE static int make_table(Table *table, int64_t most)
{
    int bits = 4;
    while ((int64_t)1 << bits < SLOTS_PER_ENTRY * most)
        bits++;
    int64_t size = (most + 1) * (int64_t)sizeof(Entry), heads_size = (int64_t)sizeof(uint32_t) << bits;
    table->entries = reserve(&table->buffer, size + heads_size);
    if (!table->entries)
        return 0;
    table->heads = (uint32_t *)(table->entries + most + 1);
    memset(table->heads, 0, (size_t)heads_size);
    memset(table->entries, 0, sizeof(Entry));
    table->count = 0;
    table->shift = 64 - bits;
    return 1;
}

/* Multiply-shift hashing (Dietzfelbinger et al., 1997): two keys have the same slot of n with a probability <= 2/n. */
static inline uint32_t *slot_of(const Table *table, uint64_t key)
{
    return table->heads + (key * table->multiplier >> table->shift);
}

/* Return the entry with a key, or entry 0 for a new n-gram. Entry 0 ends every chain, so entry 0 gets the key. */
static inline Entry *find_pair(Table *table, const uint32_t *slot, uint64_t key)
{
    Entry *entry = table->entries + *slot;
    table->entries->key = key;
    while (entry->key != key)
        entry = table->entries + entry->next;
    return entry;
}

/* Return the entry of the token with this index in the segment, or entry 0 for a new token, as in `find_pair`. */
static inline Entry *find_token(Table *table, const uint32_t *slot, const Token *tokens, uint32_t index)
{
    Entry *entry = table->entries + *slot;
    const Token *token = tokens + index;
    table->entries->key = token->key;
    table->entries->token = index;
    while (entry->key != token->key || !is_same(tokens + entry->token, token))
        entry = table->entries + entry->next;
    return entry;
}

/* Count one n-gram of a reference and return its number. `entry`: the entry of the n-gram, or entry 0 for a new one. */
static inline uint32_t count_in_reference(Table *table, Entry *entry, uint32_t *slot, uint32_t text)
{
    if (entry == table->entries) {
        uint32_t number = ++table->count;
        table->entries[number] = (Entry){
            .key = entry->key, .next = *slot, .token = entry->token, .text = text, .times = 1, .most = 1};
        *slot = number;
        return number;
    }
    entry->times = entry->text == text ? entry->times + 1 : 1;
    entry->text = text;
    if (entry->times > entry->most)
        entry->most = entry->times;
    return (uint32_t)(entry - table->entries);
}

/* Count one n-gram of the prediction. Return 1 if it matches, else 0. An `if` would be mispredicted too often. */
static inline uint32_t count_in_prediction(Entry *entry)
{
    uint32_t matches = entry->used < entry->most;
    entry->used += matches;
    return matches;
}

/* ---- N-grams by position ----------------------------------------------------------------------------------------- */

/* Allocate memory for the n-grams at `size` positions. Return 0 if no memory is left. */
OUT_OF_LINE static int make_grams(Grams *grams, int64_t size)
{
    int64_t blocks = size / BLOCK + 2; /* `pairs_of_block` also reads the block after the last one */
    grams->alive = reserve(&grams->buffer, blocks * (int64_t)sizeof(uint64_t) + size * (int64_t)sizeof(uint32_t));
    if (!grams->alive)
        return 0;
    grams->numbers = (uint32_t *)(grams->alive + blocks);
    grams->size = (uint32_t)size;
    memset(grams->alive, 0, (size_t)blocks * sizeof(uint64_t));
    return 1;
}

/* Set a bit in `marks` for each reference n-gram that occurs in the prediction. Return the number of these bits. */
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

/* Return a bit for each position in a block: whether the n-grams at this and the next position are alive. */
static inline uint64_t pairs_of_block(const uint64_t *alive, uint32_t block)
{
    return alive[block] & (alive[block] >> 1 | alive[block + 1] << (BLOCK - 1));
}

static inline uint64_t pair_key(const uint32_t *numbers)
{
    return (uint64_t)numbers[0] << 32 | numbers[1];
}

/* Count the references' n-grams of the next order. `numbers`: numbers of the n-grams of the current order. */
static void count_reference_pairs(Counter *counter, const uint32_t *numbers)
{
    Table table = counter->of_pairs; /* a copy, which the compiler can keep in registers */
    Grams *grams = &counter->pairs;
    const uint32_t *text_of = counter->text_of.memory;
    for (uint32_t block = 0; block <= grams->size / BLOCK; block++) {
        uint64_t left = grams->alive[block] = pairs_of_block(grams->alive, block);
        for (; left; left &= left - 1) {
            uint32_t position = block * BLOCK + (uint32_t)lowest_bit(left);
            uint64_t key = pair_key(numbers + position);
            uint32_t *slot = slot_of(&table, key);
            Entry *entry = find_pair(&table, slot, key);
            grams->numbers[position] = count_in_reference(&table, entry, slot, text_of[position]);
        }
    }
    counter->of_pairs.count = table.count;
}

/* Count the prediction's n-grams of the next order, and return the number of matches. */
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

static Outcome read_string(Counter *counter, const Batch *batch, int64_t text, int64_t *count)
{
    const uint8_t *start = batch->data + batch->starts[text];
    int64_t length = batch->lengths[text];
    uint8_t *classes = reserve(&counter->classes, length + BLOCK + WORD);
    if (!classes)
        return NO_MEMORY;
    Outcome outcome = classify(start, length, batch->class_of, classes);
    if (outcome != DONE)
        return outcome;
    memset(classes + length, SPACE, BLOCK);
    return find_tokens(counter, batch, start, length, count);
}

static Outcome read_tokens(Counter *counter, const Batch *batch, int64_t text, int64_t *count)
{
    int64_t first = batch->first_tokens[text], last = batch->first_tokens[text + 1];
    Token *tokens = reserve(&counter->tokens, (*count + last - first) * (int64_t)sizeof(Token));
    if (!tokens)
        return NO_MEMORY;
    tokens += *count;
    for (int64_t index = first; index < last; index++, tokens++) {
        tokens->start = batch->data + batch->starts[index];
        tokens->length = batch->lengths[index];
    }
    *count += last - first;
    return DONE;
}

/* Append the tokens and keys of a text to the segment's tokens, and add the number of tokens to `count`. */
static Outcome read_text(Counter *counter, const Batch *batch, int64_t text, int64_t *count)
{
    int64_t before = *count;
    Outcome outcome = (batch->is_text ? read_string : read_tokens)(counter, batch, text, count);
    if (outcome != DONE)
        return outcome;
    Token *tokens = counter->tokens.memory;
    find_keys(counter->hash_point, tokens + before, *count - before);
    batch->per_text[text] = *count - before;
    return *count < MOST_TOKENS ? DONE : TOO_MANY_TOKENS;
}

/* Read the references of a segment, and count each token in the table. Set `count` to the number of all tokens. */
OUT_OF_LINE static Outcome count_references(Counter *counter, const Batch *batch, int64_t first, int64_t texts,
                                            int64_t *count)
{
    *count = 0;
    uint32_t *text_ends = reserve(&counter->text_ends, texts * (int64_t)sizeof(uint32_t));
    if (!text_ends)
        return NO_MEMORY;
    for (int64_t text = 0; text < texts; text++) {
        Outcome outcome = read_text(counter, batch, first + text, count);
        if (outcome != DONE)
            return outcome;
        text_ends[text] = (uint32_t)*count;
    }
    if (texts > MOST_TOKENS - *count)
        return TOO_MANY_TOKENS;
    int64_t size = *count + texts;
    uint32_t *text_of = reserve(&counter->text_of, size * (int64_t)sizeof(uint32_t));
    if (!text_of || !make_table(&counter->of_tokens, *count) || !make_grams(&counter->references, size) ||
        !make_grams(&counter->pairs, size))
        return NO_MEMORY;
    Table table = counter->of_tokens;
    Grams *grams = &counter->references;
    const Token *tokens = counter->tokens.memory;
    uint32_t token = 0;
    for (uint32_t text = 0; text < (uint32_t)texts; text++)
        for (; token < text_ends[text]; token++) {
            uint32_t position = token + text;
            uint32_t *slot = slot_of(&table, tokens[token].key);
            Entry *entry = find_token(&table, slot, tokens, token);
            grams->numbers[position] = count_in_reference(&table, entry, slot, text);
            grams->alive[position / BLOCK] |= (uint64_t)1 << position % BLOCK;
            text_of[position] = text;
        }
    counter->of_tokens.count = table.count;
    return DONE;
}

/* Count the tokens of a prediction, which follow the reference tokens. Return the number of matches. */
static int64_t count_prediction_tokens(Counter *counter, uint32_t reference_tokens)
{
    Table table = counter->of_tokens;
    Grams *grams = &counter->prediction;
    const Token *tokens = counter->tokens.memory;
    int64_t matches = 0;
    for (uint32_t number = 1; number <= table.count; number++)
        table.entries[number].used = 0; /* forget the counts of the previous system */
    for (uint32_t position = 0; position < grams->size; position++) {
        uint32_t token = reference_tokens + position;
        Entry *entry = find_token(&table, slot_of(&table, tokens[token].key), tokens, token);
        matches += count_in_prediction(entry);
        grams->numbers[position] = (uint32_t)(entry - table.entries);
        grams->alive[position / BLOCK] |= (uint64_t)(entry != table.entries) << position % BLOCK;
    }
    return matches;
}

/* Read a prediction, and count its matches of each order. The references of its segment must be counted already. */
OUT_OF_LINE static Outcome count_prediction(Counter *counter, const Batch *batch, int64_t row, int64_t reference_tokens)
{
    int64_t count = reference_tokens, *matches = batch->matches + row * batch->max_order;
    Outcome outcome = read_text(counter, batch, batch->references + row, &count);
    if (outcome != DONE)
        return outcome;
    if (!make_grams(&counter->prediction, count - reference_tokens))
        return NO_MEMORY;
    const Grams *shorter = &counter->references;
    const Table *table = &counter->of_tokens;
    int64_t matched = matches[0] = count_prediction_tokens(counter, (uint32_t)reference_tokens);
    for (int64_t order = 1; order < batch->max_order && matched; order++) {
        uint32_t used = mark_used(shorter, table->entries, counter->pairs.alive);
        if (!make_table(&counter->of_pairs, used))
            return NO_MEMORY;
        count_reference_pairs(counter, shorter->numbers);
        matched = matches[order] = count_prediction_pairs(counter);
        shorter = &counter->pairs;
        table = &counter->of_pairs;
    }
    return DONE;
}

static Outcome count_batch(Counter *counter, const Batch *batch)
{
    int64_t first = 0;
    memset(batch->matches, 0, (size_t)(batch->predictions * batch->max_order) * sizeof(int64_t));
    for (int64_t segment = 0; segment < batch->segments; segment++) {
        int64_t reference_tokens, last = batch->first_references[segment + 1];
        Outcome outcome = count_references(counter, batch, first, last - first, &reference_tokens);
        for (int64_t row = segment; outcome == DONE && row < batch->predictions; row += batch->segments)
            outcome = count_prediction(counter, batch, row, reference_tokens);
        if (outcome != DONE)
            return outcome;
        first = last;
    }
    return DONE;
}

/* ---- Python lists -> a batch ------------------------------------------------------------------------------------- */

/* The kind of a text: a string, a list of tokens, or a list of token ids. */
typedef enum { TEXT, TOKENS, IDS, NO_KIND } Kind;

/* A growing array of numbers. */
typedef struct {
    Buffer buffer;
    int64_t count;
} Numbers;

/* The stripped ends of a string. With NOT_ASCII, `prepare` is also called for ASCII strings. */
typedef enum { NONE, RIGHT, BOTH, NOT_ASCII } Strip;

/*
 * A copy of the texts of some rows, in the form of `Batch`. The texts are copied while the interpreter's lock is held,
 * because another thread can change the lists when the lock is released.
 */
typedef struct {
    Kind kind;
    PyObject *prepare; /* function that changes each string before it is copied, or None */
    int lowers;        /* whether ASCII strings, for which `prepare` is not called, are lower-cased */
    Strip strip;       /* ends at which ASCII strings are stripped */
    const char *stripped; /* characters that are stripped */
    int64_t most_bytes;
    Buffer data;
    int64_t size;           /* number of bytes in `data` */
    Numbers starts, lengths; /* start and length of each text, token or id in the data */
    Numbers first_tokens;    /* tokens and ids only: index of each text's first token */
    Numbers references;      /* index of each segment's first reference */
    int64_t texts;
} Copy;

typedef Outcome Reader(Copy *copy, PyObject *item);

static void free_copy(Copy *copy)
{
    free(copy->data.memory);
    free(copy->first_tokens.buffer.memory);
    free(copy->starts.buffer.memory);
    free(copy->lengths.buffer.memory);
    free(copy->references.buffer.memory);
}

static inline Outcome append_number(Numbers *numbers, int64_t number)
{
    int64_t *memory = reserve(&numbers->buffer, (numbers->count + 1) * WORD);
    if (!memory)
        return NO_MEMORY;
    memory[numbers->count++] = number;
    return DONE;
}

/* Append bytes to the data. 8 bytes of padding follow them. */
static inline Outcome append_bytes(Copy *copy, const void *bytes, int64_t size)
{
    if (size > copy->most_bytes - copy->size)
        return TOO_MUCH_TEXT;
    uint8_t *data = reserve(&copy->data, copy->size + size + WORD);
    if (!data)
        return NO_MEMORY;
    memcpy(data + copy->size, bytes, (size_t)size);
    copy->size += size;
    memset(data + copy->size, 0, WORD);
    return DONE;
}

/* Return whether a byte is in a string of characters, which has no zero byte. */
static inline int is_one_of(const char *characters, uint8_t byte)
{
    return byte && strchr(characters, byte);
}

/* Strip and lower-case the ASCII string that was appended at `start`. */
static void prepare_ascii(Copy *copy, int64_t start)
{
    uint8_t *data = copy->data.memory;
    int64_t first = start;
    while (copy->strip != NONE && copy->size > start && is_one_of(copy->stripped, data[copy->size - 1]))
        copy->size--;
    while (copy->strip == BOTH && first < copy->size && is_one_of(copy->stripped, data[first]))
        first++;
    copy->size -= first - start;
    memmove(data + start, data + first, (size_t)(copy->size - start));
    memset(data + copy->size, 0, WORD);
    for (int64_t at = start; copy->lowers && at < copy->size; at++)
        data[at] |= (uint8_t)((data[at] >= 'A' && data[at] <= 'Z') << 5);
}

static int is_ascii(const char *bytes, Py_ssize_t size)
{
    for (; size >= WORD; bytes += WORD, size -= WORD)
        if (read_word((const uint8_t *)bytes) & 0x80 * EACH_BYTE)
            return 0;
    uint8_t bits = 0;
    while (size > 0)
        bits |= (uint8_t)bytes[--size];
    return bits < 0x80;
}

/*
 * Append the UTF-8 of a string without lone surrogates. CPython keeps the result of `PyUnicode_AsUTF8AndSize` for a
 * string that is not ASCII, so texts would take twice the memory. Tokens are often ASCII, and too short for copies.
 */
static Outcome append_utf8(Copy *copy, PyObject *string, int is_prepared)
{
    Py_ssize_t size;
    char *bytes;
    PyObject *encoded = NULL;
    if (copy->kind == TEXT) {
        encoded = PyUnicode_AsUTF8String(string);
        if (!encoded || PyBytes_AsStringAndSize(encoded, &bytes, &size))
            bytes = NULL;
    } else {
        bytes = (char *)(uintptr_t)PyUnicode_AsUTF8AndSize(string, &size);
    }
    Outcome outcome = DECLINED;
    int64_t start = copy->size;
    int must_prepare = !is_prepared && copy->prepare != Py_None;
    if (bytes && must_prepare && (copy->strip == NOT_ASCII || !is_ascii(bytes, size)))
        outcome = TO_BE_REWRITTEN;
    else if (bytes)
        outcome = append_bytes(copy, bytes, size);
    if (outcome == DONE && must_prepare)
        prepare_ascii(copy, start);
    Py_XDECREF(encoded);
    PyErr_Clear();
    return outcome;
}

/* Append an object that must be exactly a `str`. */
static Outcome append_string(Copy *copy, PyObject *string)
{
    if (!PyUnicode_CheckExact(string))
        return DECLINED;
    Outcome outcome = append_utf8(copy, string, 0);
    if (outcome != TO_BE_REWRITTEN)
        return outcome;
    PyObject *prepared = PyObject_CallFunctionObjArgs(copy->prepare, string, NULL);
    if (!prepared)
        return RAISED;
    outcome = PyUnicode_CheckExact(prepared) ? append_utf8(copy, prepared, 1) : DECLINED;
    Py_DECREF(prepared);
    return outcome;
}

/* Append the 8 bytes of an object that must be exactly an `int` from 0 to 2^63 - 1. */
static Outcome append_id(Copy *copy, PyObject *object)
{
    if (!PyLong_CheckExact(object))
        return DECLINED;
    int64_t id = PyLong_AsLongLong(object);
    if (id >= 0)
        return append_bytes(copy, &id, WORD);
    PyErr_Clear();
    return DECLINED;
}

/* Append a text, a token or an id. */
static Outcome append_item(Copy *copy, PyObject *item)
{
    int64_t start = copy->size;
    Outcome outcome = (copy->kind == IDS ? append_id : append_string)(copy, item);
    if (outcome == DONE)
        outcome = append_number(&copy->starts, start);
    return outcome == DONE ? append_number(&copy->lengths, copy->size - start) : outcome;
}

static inline int is_list(PyObject *object)
{
    return PyList_CheckExact(object) || PyTuple_CheckExact(object);
}

/*
 * Read the first `count` items of a list. Hold a reference to each item, because another thread may remove the item
 * from the list.
 */
static Outcome read_items(Copy *copy, PyObject *list, Py_ssize_t count, Reader *read)
{
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *item = PySequence_GetItem(list, index);
        if (!item) { /* another thread made the list shorter */
            PyErr_Clear();
            return DECLINED;
        }
        Outcome outcome = read(copy, item);
        Py_DECREF(item);
        if (outcome != DONE)
            return outcome;
    }
    return DONE;
}

static Outcome read_list(Copy *copy, PyObject *list, Reader *read)
{
    return is_list(list) ? read_items(copy, list, PySequence_Size(list), read) : DECLINED;
}

static Outcome append_text(Copy *copy, PyObject *text)
{
    copy->texts++;
    if (copy->kind == TEXT)
        return append_item(copy, text);
    Outcome outcome = append_number(&copy->first_tokens, copy->starts.count);
    return outcome == DONE ? read_list(copy, text, append_item) : outcome;
}

/* Append a reference. None stands for a missing reference. */
static Outcome append_present_text(Copy *copy, PyObject *text)
{
    return text == Py_None ? DONE : append_text(copy, text);
}

static Outcome append_one_reference(Copy *copy, PyObject *text)
{
    Outcome outcome = append_number(&copy->references, copy->texts);
    return outcome == DONE ? append_text(copy, text) : outcome;
}

static Outcome append_references(Copy *copy, PyObject *row)
{
    int64_t before = copy->texts;
    Outcome outcome = append_number(&copy->references, before);
    if (outcome == DONE)
        outcome = read_list(copy, row, append_present_text);
    return outcome == DONE && copy->texts == before ? DECLINED : outcome; /* a segment needs a reference */
}

/* Copy all rows: first the references, then the predictions, system by system. */
static Outcome copy_rows(Copy *copy, PyObject *systems, PyObject *references, int is_nested)
{
    if (!is_list(references))
        return DECLINED;
    Py_ssize_t rows = PySequence_Size(references);
    Outcome outcome = read_items(copy, references, rows, is_nested ? append_references : append_one_reference);
    if (outcome == DONE)
        outcome = append_number(&copy->references, copy->texts);
    for (Py_ssize_t system = 0; outcome == DONE && system < PyTuple_Size(systems); system++) {
        PyObject *predictions = PyTuple_GetItem(systems, system);
        outcome = is_list(predictions) ? read_items(copy, predictions, rows, append_text) : DECLINED;
    }
    return outcome == DONE ? append_number(&copy->first_tokens, copy->starts.count) : outcome;
}

/* ---- Counts -> tables of counts ---------------------------------------------------------------------------------- */

/* The columns of a table, as in `_statistics.py`, and whether the table has one row per segment or only the sum. */
typedef struct {
    int64_t orders, least_total, last_order; /* last_order: 0 if the table has no columns about the last segment */
    int keep_rows;
} Layout;

enum { LAST_COLUMNS = 3, MOST_ORDERS = 1 << 20 };

static inline int64_t total_of(int64_t length, int64_t order, int64_t least)
{
    return length - order + 1 > least ? length - order + 1 : least;
}

static int64_t columns_of(const Layout *layout)
{
    return 2 * layout->orders + 2 + (layout->last_order ? LAST_COLUMNS : 0);
}

/* Add the counts of one segment to a row. Overwrite the columns about the last segment. */
static void add_segment(const Layout *layout, const int64_t *matches, int64_t length, int64_t reference_length,
                        int64_t *row)
{
    for (int64_t order = 1; order <= layout->orders; order++) {
        row[order - 1] += matches[order - 1];
        row[layout->orders + order - 1] += total_of(length, order, layout->least_total);
    }
    row += 2 * layout->orders;
    row[0] += length;
    row[1] += reference_length;
    if (layout->last_order) {
        row[2] = matches[layout->last_order - 1];
        row[3] = total_of(length, layout->last_order, layout->least_total);
        row[4] = length;
    }
}

/* Return the reference length closest to the prediction's length, or the shorter of two that are equally close. */
static int64_t closest_length(const Batch *batch, int64_t segment, int64_t length)
{
    const int64_t *reference = batch->per_text + batch->first_references[segment];
    const int64_t *end = batch->per_text + batch->first_references[segment + 1];
    int64_t closest = *reference;
    while (++reference < end) {
        int64_t old = llabs(closest - length), difference = llabs(*reference - length);
        if (difference < old || (difference == old && *reference < closest))
            closest = *reference;
    }
    return closest;
}

/* Build the table of one system. The reference length of a segment is the closest one. */
static PyObject *build_table(const Batch *batch, const Layout *layout, int64_t system)
{
    int64_t columns = columns_of(layout), rows = layout->keep_rows ? batch->segments : 1;
    PyObject *table = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(rows * columns * WORD));
    if (!table)
        return NULL;
    int64_t *row = (int64_t *)(void *)PyByteArray_AsString(table);
    memset(row, 0, (size_t)(rows * columns * WORD));
    for (int64_t segment = 0; segment < batch->segments; segment++) {
        int64_t prediction = system * batch->segments + segment;
        int64_t length = batch->per_text[batch->references + prediction];
        add_segment(layout, batch->matches + prediction * batch->max_order, length,
                    closest_length(batch, segment, length), row);
        if (layout->keep_rows)
            row += columns;
    }
    return table;
}

/* Return one table per layout and system. The tables of all systems for the first layout come first. */
static PyObject *build_tables(const Batch *batch, const Layout *layouts, Py_ssize_t count)
{
    PyObject *tables = PyList_New(count * (Py_ssize_t)batch->systems);
    for (Py_ssize_t index = 0; tables && index < PyList_Size(tables); index++) {
        PyObject *table = build_table(batch, layouts + index / batch->systems, index % batch->systems);
        if (!table)
            Py_CLEAR(tables);
        else
            PyList_SetItem(tables, index, table);
    }
    return tables;
}

/*
 * Return the fields of `Counts` in `_counting.py`: fewest references of a segment, most references of a segment, index
 * of each segment's first reference, tokens of each text, tables.
 */
static PyObject *build_answer(const Batch *batch, const Layout *layouts, Py_ssize_t count)
{
    PyObject *tables = build_tables(batch, layouts, count);
    if (!tables)
        return NULL;
    int64_t fewest = batch->references, most = 0;
    for (int64_t segment = 0; segment < batch->segments; segment++) {
        int64_t size = batch->first_references[segment + 1] - batch->first_references[segment];
        fewest = size < fewest ? size : fewest;
        most = size > most ? size : most;
    }
    Py_ssize_t texts = (Py_ssize_t)(batch->references + batch->predictions);
    return Py_BuildValue("(LLy#y#N)", (long long)fewest, (long long)most, (const char *)batch->first_references,
                         (Py_ssize_t)(batch->segments + 1) * WORD, (const char *)batch->per_text, texts * WORD, tables);
}

/* ---- The module -------------------------------------------------------------------------------------------------- */

/* Read layouts from a tuple of ((orders, least_total, last_order), keep_rows). Return NULL after a Python error. */
static Layout *read_layouts(PyObject *tuples, int64_t *max_order)
{
    Py_ssize_t count = PyTuple_Size(tuples);
    Layout *layouts = calloc((size_t)count + 1, sizeof(Layout));
    if (!layouts)
        return (Layout *)(void *)PyErr_NoMemory();
    for (Py_ssize_t index = 0; index < count; index++) {
        long long orders, least_total, last_order;
        int keep_rows;
        if (!PyArg_ParseTuple(PyTuple_GetItem(tuples, index), "(LLL)p", &orders, &least_total, &last_order, &keep_rows))
            break;
        if (orders < 1 || orders > MOST_ORDERS || last_order < 0 || last_order > MOST_ORDERS) {
            PyErr_SetString(PyExc_ValueError, "a layout must have from 1 to 2**20 orders");
            break;
        }
        layouts[index] = (Layout){orders, least_total, last_order, keep_rows};
        int64_t most = orders > last_order ? orders : last_order;
        *max_order = most > *max_order ? most : *max_order;
    }
    if (!PyErr_Occurred())
        return layouts;
    free(layouts);
    return NULL;
}

/* Reserve memory for the results. */
static Outcome reserve_results(Batch *batch, Buffer *results)
{
    int64_t texts = batch->references + batch->predictions;
    batch->per_text = reserve(results, (texts + batch->predictions * batch->max_order) * WORD);
    if (!batch->per_text)
        return NO_MEMORY;
    batch->matches = batch->per_text + texts;
    return DONE;
}

/*
 * Count a batch if `outcome`, the outcome of the caller's steps, is DONE. Return the counts, or NULL after a Python
 * error, or the outcome as a number. `tuples`: the layouts of the tables.
 */
static PyObject *count(Batch *batch, PyObject *tuples, const uint8_t *seed, Counter *counter, Outcome outcome)
{
    Buffer results = {0};
    PyObject *answer = NULL;
    Layout *layouts = NULL;
    if (outcome == DONE && !(layouts = read_layouts(tuples, &batch->max_order)))
        outcome = RAISED;
    if (outcome == DONE)
        outcome = reserve_results(batch, &results);
    if (outcome == DONE) {
        counter->of_tokens.multiplier = counter->of_pairs.multiplier = read_word(seed) | 1;
        counter->hash_point = read_word(seed + WORD) >> 33;
        Py_BEGIN_ALLOW_THREADS
        outcome = count_batch(counter, batch);
        free_memory(counter);
        Py_END_ALLOW_THREADS
    }
    if (outcome == MISTAKE)
        PyErr_SetString(PyExc_ValueError, counter->mistake);
    else if (outcome == NO_MEMORY)
        PyErr_NoMemory();
    else if (outcome == DONE)
        answer = build_answer(batch, layouts, PyTuple_Size(tuples));
    else if (outcome != RAISED)
        answer = PyLong_FromLong(outcome);
    free(layouts);
    free(results.memory);
    return answer;
}

static Kind kind_of(const char *name)
{
    return !strcmp(name, "text") ? TEXT : !strcmp(name, "tokens") ? TOKENS : !strcmp(name, "ids") ? IDS : NO_KIND;
}

/* Set the fields of a batch to a copy of rows. */
static Outcome enter_copy(Copy *copy, Batch *batch)
{
    batch->is_text = copy->kind == TEXT;
    batch->segments = copy->references.count - 1;
    batch->first_references = copy->references.buffer.memory;
    batch->references = batch->first_references[batch->segments];
    batch->predictions = batch->systems * batch->segments;
    batch->first_tokens = copy->first_tokens.buffer.memory;
    batch->starts = copy->starts.buffer.memory;
    batch->lengths = copy->lengths.buffer.memory;
    batch->data = reserve(&copy->data, WORD); /* if all texts are empty, nothing was reserved yet */
    return batch->data ? DONE : NO_MEMORY;
}

/* Count the rows of Python lists. */
static PyObject *count_lists(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *systems, *references, *tuples;
    Py_buffer class_of = {0}, seed = {0};
    Copy copy = {0};
    Batch batch = {0};
    Counter counter = {0};
    long long most_bytes;
    const char *kind;
    int is_nested, strip;
    if (!PyArg_ParseTuple(arguments, "O!OspOpisz*ppO!Ly*", &PyTuple_Type, &systems, &references, &kind, &is_nested,
                          &copy.prepare, &copy.lowers, &strip, &copy.stripped, &class_of, &batch.padded,
                          &batch.entities, &PyTuple_Type, &tuples, &most_bytes, &seed))
        return NULL;
    copy.kind = kind_of(kind);
    copy.strip = (Strip)strip;
    copy.most_bytes = most_bytes;
    batch.systems = PyTuple_Size(systems);
    batch.class_of = class_of.buf;
    Outcome outcome = DONE;
    if (copy.kind == NO_KIND || seed.len != 2 * WORD || (copy.kind == TEXT && class_of.len != CODE_POINTS))
        outcome = refuse(&counter, "kind, class_of or seed are wrong");
    if (outcome == DONE)
        outcome = copy_rows(&copy, systems, references, is_nested);
    if (outcome == DONE)
        outcome = enter_copy(&copy, &batch);
    PyObject *answer = count(&batch, tuples, seed.buf, &counter, outcome);
    free_copy(&copy);
    PyBuffer_Release(&class_of);
    PyBuffer_Release(&seed);
    return answer;
}

static PyMethodDef functions[] = {
    {"count_lists", count_lists, METH_VARARGS, "Count rows of Python lists."},
    {NULL, NULL, 0, NULL},
};

static int add_constants(PyObject *module)
{
    int failed = PyModule_AddIntMacro(module, INTERFACE) || PyModule_AddIntMacro(module, DONE) ||
                 PyModule_AddIntMacro(module, UNKNOWN_CHARACTER) || PyModule_AddIntMacro(module, TO_BE_REWRITTEN) ||
                 PyModule_AddIntMacro(module, TOO_MUCH_TEXT) || PyModule_AddIntMacro(module, SEPARATE) || PyModule_AddIntMacro(module, LOOK) ||
                 PyModule_AddIntMacro(module, OTHER) || PyModule_AddIntMacro(module, DIGIT) ||
                 PyModule_AddIntMacro(module, DASH) || PyModule_AddIntMacro(module, ALONE) ||
                 PyModule_AddIntMacro(module, SPACE) || PyModule_AddIntMacro(module, MARK);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)add_constants},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
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
