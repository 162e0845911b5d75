"""Warn of scores of 0, and of texts that probably contain a mistake.

Every public function that counts texts calls `advise` once, at its end. A check is a function from `Texts` to a
warning or a `Finding`, or to "" if it finds nothing; `ALL_CHECKS` lists them. They read a sample, so that they take
less than a tenth of the time to score 2,000 segments. A check that finds something in the sample may count in all rows.

Short texts often score 0: `hello there` has no 4-gram, so even a perfect match has a BLEU of 0.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, permutations
from os.path import commonprefix
from typing import Any, NamedTuple
from unicodedata import category, is_normalized

from ._config import BleuConfig, weights_of
from ._corpus import Corpus, Kind, Rows, is_array, is_blank, is_list, is_list_of, is_missing
from ._display import amount, join_words
from ._languages import WORD_TOKENIZERS, advice_on_spaces
from ._score import BleuScore
from ._validation import as_in, row_of, short_repr, typed, warn

# A score below this counts as 0, because NLTK's method0 returns tiny numbers instead of 0
AS_GOOD_AS_ZERO = 1e-12
_FIRST_SEGMENTS = 20  # checks of the form of rows read only this many segments
_SAMPLE_SEGMENTS = 50
_SAMPLE_CHARACTERS = 2000  # slow checks read only this many characters of the sample
_LEAST_EVIDENCE = 5  # fewer quotes, or fewer lines with accents, prove nothing


class Texts(NamedTuple):
    """What the checks read of predictions, of references, or of a set of texts that are compared with one another."""

    name: str  # what the user calls the texts, such as "predictions"
    rows: Rows
    kind: Kind
    nested: bool  # whether each row is a list of texts
    sample: list[str]  # the texts of at most 50 evenly spaced rows, without token ids; tokens are joined with spaces
    lines: str  # the sample, one text per line
    configs: Sequence[BleuConfig]
    references: Texts | None = None  # the references of predictions; None for other texts
    zero: BleuScore | None = None  # the score of predictions if it is 0 and needs an explanation
    bleu: float = 1.0  # the score of predictions, if it is known
    may_be_empty: bool = False  # whether the predictions or the references have an empty text
    advice: str = ""  # for a set of texts: what to pass instead of lists of several strings

    @property
    def word_tokenizer(self) -> str:
        """Return the first tokenizer of the configurations that needs spaces between words, or ""."""
        configs = self.configs if self.kind == "text" else ()
        return next((str(config.tokenizer) for config in configs if config.tokenizer in WORD_TOKENIZERS), "")


class Finding(NamedTuple):
    """What a check finds, and how a copy of the texts can be mended to see what the mistake costs."""

    text: str
    deleted: str = ""  # a regular expression; what it matches is replaced with `inserted` on both sides
    inserted: str = ""
    options: tuple[tuple[str, Any], ...] = ()  # settings in which the mistake makes no difference
    wrong: str = ""  # predictions with one of these quotes are counted, of those that have one of `kind`
    kind: str = ""

    @property
    def is_mendable(self) -> bool:
        """Return whether a program can mend the mistake."""
        return bool(self.deleted or self.options)

    def mend(self, texts: Any) -> Any:
        """Return a copy of strings, or of lists of strings, without the mistake."""
        if isinstance(texts, str):
            return re.sub(self.deleted, self.inserted, texts)
        return [self.mend(text) for text in texts] if isinstance(texts, (list, tuple)) else texts

    def number_in(self, rows: Rows) -> str:
        """Return e.g. "7 of 9", of the predictions with quotes, or "" if fewer than 5 predictions have wrong quotes."""
        of_kind = [text for _, text in _strings(rows, nested=False) if not set(self.kind).isdisjoint(text)]
        n_wrong = sum(not set(self.wrong).isdisjoint(text) for text in of_kind)
        return f"{n_wrong:,} of {len(of_kind):,}" if n_wrong >= _LEAST_EVIDENCE else ""


class Advice(NamedTuple):
    """A likely mistake, and the systems that have it."""

    finding: Finding
    systems: dict[str, str]
    """Name -> what `Finding.number_in` returns, or ""; no name if the mistake is in the references or the options."""

    @property
    def warning(self) -> str:
        """Return the text of the warning, which begins with the names of the systems."""
        systems = self.systems.items()  # a single system has no name
        names = [short_repr(name) + f" ({count})" * bool(count) for name, count in systems if name]
        text = self.finding.text + ". A report shows what this costs" * bool(self.finding.wrong)
        if names:
            return f"{join_words(names)}: {text}"
        count = self.systems.get("", "")
        return f"{count} {text}" if count else text


def _read(name: str, rows: Rows, kind: Kind, nested: bool, configs: Sequence[BleuConfig], **others: Any) -> Texts:
    """Read a sample of the rows."""
    step = math.ceil(len(rows) / _SAMPLE_SEGMENTS)
    sample = []
    if kind != "ids":
        # Not rows[::step], because stored rows cannot be sliced with a step
        sample = [rows[index] for index in range(0, len(rows), step)]
        # Most samples are plain strings, and this test is faster than reading each of them
        if nested or not all(type(text) is str for text in sample):
            sample = [text for _, text in _strings(sample, nested)]
    lines = "\n".join([*sample, ""])  # the last line also ends with "\n"
    return Texts(name, rows, kind, nested, sample, lines, configs, **others)


def _texts_in(rows: Rows, nested: bool) -> Iterator[tuple[int, Any]]:
    """Yield each text and the index of its row: [["a", None], ["b"]] -> (0, "a"), (1, "b")."""
    for index, row in enumerate(rows):
        for text in row if nested else (row,):
            if not is_missing(text):
                yield index, text


def _strings(rows: Rows, nested: bool) -> Iterator[tuple[int, str]]:
    """Yield each text as a string, and the index of its row. The tokens of a text are joined with spaces."""
    return ((index, text if isinstance(text, str) else " ".join(text)) for index, text in _texts_in(rows, nested))


# --- Scores of 0 ----------------------------------------------------------------------------------------------------


def zero_note(texts: Texts) -> str:
    """Explain a score of 0, unless the form of the texts explains it."""
    if texts.zero is None or not texts.references or spaces_note(texts.references) or one_string_note(texts):
        return ""
    return why_zero(texts.zero, texts.configs[0])


def why_zero(score: BleuScore, config: BleuConfig) -> str:
    r"""Explain a score of 0.

    Args:
        score: the score of a corpus.
        config: the configuration of the score.

    Returns:
        The cause, and options for a score above 0. An empty string if the score is above 0, or if no n-gram order makes
        the score 0: for example, if the brevity penalty is 0.

    >>> from bleu_metric import BleuConfig, score_dialects
    >>> (score,) = score_dialects(["hello there"], ["hello there"], ["papineni"]).values()
    >>> print(*why_zero(score, BleuConfig(smoothing="none")).split(". "), sep="\n")
    BLEU is 0.00: no prediction has 3 tokens, so no 3-gram can match
    For a score above 0, pass max_order=2 or effective_order=True
    """
    if not _lacks_matches(score):
        return ""
    if not score.counts[0]:
        return (
            "BLEU is 0.00: no token of the predictions is in their references; check that both are in the same order "
            "and language"
        )
    numbers = zip(score.counts, score.precisions, weights_of(config), strict=True)
    orders_without_match = (
        order
        for order, (matches, precision, weight) in enumerate(numbers, 1)
        if not matches and (config.zero_score == "any-order" or (weight and precision <= AS_GOOD_AS_ZERO))
    )
    order = next(orders_without_match, 0)
    if not order:
        return ""

    if score.totals[order - 1] and score.translation_length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {amount(order, 'token')}, so no {order}-gram can match"

    choices = " or ".join(", ".join(map(typed, remedy, remedy.values())) for remedy in _remedies(score, config))
    advice = f". For a score above 0, pass {choices}" if choices else ""
    return f"BLEU is 0.00: {reason}{advice}"


def _lacks_matches(score: BleuScore) -> bool:
    """Return whether the score is 0, although neither the brevity penalty nor empty references make it 0."""
    return score.bleu <= AS_GOOD_AS_ZERO < score.brevity_penalty and bool(score.reference_length)


def _remedies(score: BleuScore, config: BleuConfig) -> list[dict[str, Any]]:
    """Return alternative options for a score above 0, such as [{"max_order": 2}, {"smoothing": "exp"}]."""
    remedies: list[dict[str, Any]] = []
    if config.weights is None:
        # If no 3-gram matches, the index of its count is 2, and max_order=2 leaves 3-grams out
        remedies.append({"max_order": score.counts.index(0)})
    # Smoothing and effective_order would not change the score
    if config.zero_score == "any-order":
        return remedies

    without_match = [index for index, matches in enumerate(score.counts) if not matches]
    # total_floor="corpus" counts at least one n-gram of each order
    have_ngrams = [score.totals[index] > 0 or config.total_floor == "corpus" for index in without_match]
    # True for NLTK's method0, which replaces 0 with a tiny number
    is_smoothed = any(score.precisions[index] for index in without_match)

    options: dict[str, Any] = {}
    if any(have_ngrams) or is_smoothed:
        options["smoothing"] = "exp"
    if not all(have_ngrams) or config.average == "sentence":
        options |= {"effective_order": True, "auto_reweigh": False}

    changed_options = {name: value for name, value in options.items() if getattr(config, name) != value}
    return [*remedies, changed_options] if changed_options else remedies


# --- Weights and empty texts ----------------------------------------------------------------------------------------

_MOST_WEIGHTS_SHOWN = 6
_ROUNDING_OF_WEIGHTS = 0.005  # three weights of 0.333 sum to 0.999, which is close enough to 1


def weights_note(configs: Sequence[BleuConfig]) -> str:
    """Return a warning if the weights of a configuration do not sum to 1; otherwise ""."""
    for config in configs:
        weights = config.weights or [1]
        total = sum(weights)
        if abs(total - 1) <= _ROUNDING_OF_WEIGHTS:
            continue

        advice = "weights that sum to 1"
        if total > 0 and len(weights) <= _MOST_WEIGHTS_SHOWN:
            advice = typed("weights", [round(weight / total, 4) for weight in weights])
        return f"the weights sum to {total:.4g} instead of 1, so the score is not a mean of precisions: pass {advice}"
    return ""


def empty_note(texts: Texts) -> str:
    """Return a warning such as "2 of 9 predictions are empty"; otherwise "".

    Empty references are no mistake if all configurations leave them out.
    """
    is_reference = texts.references is None
    if not (texts.references or texts).may_be_empty or (
        is_reference and all(each.empty_references != "empty" for each in texts.configs)
    ):
        return ""
    of_rows = list(_texts_in(texts.rows, texts.nested))
    empty_rows = [index for index, text in of_rows if is_blank(text)]
    if not empty_rows:
        return ""

    verb = "is" if len(empty_rows) == 1 else "are"
    all_texts = amount(len(of_rows), texts.name.removesuffix("s"))
    note = f"{len(empty_rows):,} of {all_texts} {verb} empty; the first is {row_of(texts.name, empty_rows[0])}"
    if not is_reference:
        return note
    has_others = len(of_rows) > len(texts.rows)
    remedy = f"pass {typed('empty_references', 'missing')}" if has_others else "leave out its segment"
    return f"{note}. An empty reference counts as a text of 0 tokens: if it is missing, {remedy}"


# --- Texts that are not text ----------------------------------------------------------------------------------------


class _Mark(NamedTuple):
    """Characters that a program leaves in texts, such as "@@" after BPE."""

    sign: str  # a part of every match, searched first because `in` takes 0.1 µs
    pattern: str  # begins with plain characters, because `re` finds these faster
    name: str
    advice: str
    code: str = ""  # Python code for the advice
    least_share: float = 0.0  # more than this share of the rows must match


_DECODE = "tokenizer.decode(ids, skip_special_tokens=True)"
_REMOVE = "remove them, or decode the ids without them", _DECODE
_UNKNOWN = "unknown tokens", "they replace words of the output; score the words themselves"
# HTML also has <s> and </s>, but rarely at the start or end of a text
_SPECIAL = r"(?im)<(?:s>(?<=^<s>)|/s>(?=\s*$)|(?:pad|eos|bos|sos|sep|cls|mask|extra_id_\d+|(?:start|end)_of_\w+)>"
_SPECIAL += r"|[|\uff5c][^|\uff5c<>\n]+[|\uff5c]>)"
# Maltese words also begin with this letter, but rarely three words so close together
_GPT2 = r"(?:\u0120\S*\s+(?:[^\u0120\s]\S*\s+)?){2}\u0120"
_PRINTED_LIST, _PRINTED_BYTES = r"""(?m)^\[(?:['"].*['"]|\d+(?:,? \d+)+),?\]$""", r"""(?m)^b(?:'.*'|".*")$"""
_LATIN1, _DECODE_AGAIN = "\u00c3[\u00a1-\u00ba\u00bc-\u00bf]", "text.encode('latin-1').decode()"
_ENTITY = r"&(?:#\d+|#[xX][\da-fA-F]+|[a-zA-Z]{2,8});"
_MARKS = (
    _Mark("\0", "\0", "NUL characters", "read the file in its encoding, which is probably UTF-16"),
    _Mark("@", r"@@(?=\s)(?<=\w@@)", "BPE marks", "join the words", "text.replace('@@ ', '')"),
    _Mark("#", r"##(?<=\w\s##)\w+", "WordPiece marks", "join the words", "text.replace(' ##', '')"),
    _Mark("\u2581", r"\u2581\w+", "SentencePiece marks", "join the words", "''.join(pieces).replace('\u2581', ' ')"),
    _Mark("\u0120", _GPT2, "GPT-2 marks", "decode the ids", _DECODE),
    _Mark("<", _SPECIAL, "special tokens", *_REMOVE),
    _Mark("[", r"\[(?:PAD|CLS|SEP|MASK|BOS|EOS|/?INST)\]", "special tokens", *_REMOVE),
    _Mark("<", "(?i)<unk>", *_UNKNOWN),
    _Mark("[", r"\[UNK\]", *_UNKNOWN),
    _Mark("\u00c3", _LATIN1, "letters of UTF-8 that was read as Latin-1", "read the file as UTF-8", _DECODE_AGAIN),
    _Mark("&", _ENTITY, "entities", "unless the texts are HTML, replace them on both sides", "html.unescape(text)"),
    _Mark("[", _PRINTED_LIST, "printed lists", "give each text by itself", "ast.literal_eval(text)", least_share=0.5),
    _Mark("\nb", _PRINTED_BYTES, "printed bytes", "decode them", "ast.literal_eval(text).decode()", least_share=0.5),
)
# Marks that begin or end all texts, such as <start>, _go, startseq, START and deu_Latn. In brackets, they may be joined
# to a word
_BRACKETED = r"[<\[{\u27e8\u3008\u3010]+[^\s<>[\]{}][^<>[\]{}]{0,30}[>\]}\u27e9\u3009\u3011]+"
_WITH_SIGNS = r"[_$#@^~*=|\\]+\w\S*|\w\S*[_$#@^~*=|\\]|[<>[\]{}|_$#@^~=\\]{2,}"
_NAMED = r"(?i:(?:start|begin|end|stop|[bes]o[st])\w*(?:seq|tok|sent|text)\w*|(?:tok\w*|seq)(?:start|end)|[bes]os"
_NAMED += r"|eo[ft]|([a-z])\1\1+)|START|BEGIN|END|STOP|GO|PAD|CLS|SEP|[a-z]{2}_[A-Z]{2}|[a-z]{3}_[A-Z][a-z]{3}|>>\w+<<"
_LABEL = r"\w[\w ]{0,30}:(?=\s)"  # such as "Translation:", unless references begin with it, too
_PLAIN = r"(?i:start|begin|go|end|stop)"  # proves something only on both ends
_JOINED = {"BPE marks": "@@ ", "WordPiece marks": " ##"}  # what is deleted to join the pieces of words
_LEAST_CHARACTERS = 2  # of a mark
_LEAST_LINES = 3  # two lines may begin with the same words


def marks_note(texts: Texts) -> str | Finding:
    """Return a finding if the texts contain one of `_MARKS`, or begin or end with a mark; otherwise ""."""
    of_ends = [_Mark(mark, re.escape(mark), "start or end marks", *_REMOVE) for mark in _ends(texts)]
    for mark in (*_MARKS, *of_ends):
        if mark.sign not in texts.lines or not re.search(mark.pattern, texts.lines):
            continue

        rows_of_texts = _strings(texts.rows, texts.nested)
        found = {index: match[0] for index, text in rows_of_texts if (match := re.search(mark.pattern, text))}
        if len(found) > mark.least_share * len(texts.rows):
            first, example = next(iter(found.items()))
            verb = "contains" if len(found) == 1 else "contain"
            all_rows = amount(len(texts.rows), texts.name.removesuffix("s"))
            text = (
                f"{len(found):,} of {all_rows} {verb} {mark.name} such as {short_repr(example)}; the first is "
                f"{row_of(texts.name, first)}: {mark.advice}{as_in(mark.code)}"
            )
            is_extra = mark.advice == _REMOVE[0]
            return Finding(text, deleted=mark.pattern if is_extra else _JOINED.get(mark.name, ""))
    return ""


def _ends(texts: Texts) -> list[str]:
    """Return the marks that begin or end all sampled texts: <start> a <end>, <start> b <end> -> ["<start>", "<end>"].

    Ordinary words and punctuation, such as "The" and ".", are no marks.
    """
    lines = list({text.strip() for text in texts.sample[:_FIRST_SEGMENTS]})
    starts, ends = {line[:_LEAST_CHARACTERS] for line in lines}, {line[-_LEAST_CHARACTERS:] for line in lines}
    if len(starts) > 1 < len(ends):  # a fast test, which is enough for most texts
        return []
    start = commonprefix(lines)  # noqa: RUF071 # not of paths
    end = commonprefix([line[::-1] for line in lines])[::-1]  # noqa: RUF071
    if len(lines) < _LEAST_LINES or max(len(start), len(end)) < _LEAST_CHARACTERS:
        return []
    label = re.match(_LABEL, start)
    if label and texts.references and not any(text.startswith(label[0]) for text in texts.references.sample):
        return [label[0]]
    for words, n_needed in ((f"{_WITH_SIGNS}|{_NAMED}", 1), (_PLAIN, 2)):
        at_start = re.match(rf"{_BRACKETED}|(?:{words})(?=\s)", start)
        at_end = re.search(rf"(?:{_BRACKETED}|(?<=\s)(?:{words}))$", end)
        found = [match[0] for match in (at_start, at_end) if match]
        if len(found) >= n_needed:
            return found
    return []


def one_string_note(texts: Texts) -> str:
    """Return a warning if most tokens contain spaces, as in [["the cat sat"]]; otherwise ""."""
    is_reference = texts.references is None and not texts.advice
    if texts.kind != "tokens" or is_reference:
        return ""
    rows = texts.rows[:_SAMPLE_SEGMENTS]
    tokens = [token for row in rows for token in row]
    if 2 * sum(" " in token.strip() for token in tokens) <= max(len(tokens), len(rows)):
        return ""
    advice = texts.advice or "pass one string per segment; add_batch, and not add, adds several segments"
    if len(tokens) <= len(rows):
        advice = "pass the strings" + as_in(f"{texts.name}=[row[0] for row in {texts.name}]")
    return f"the {texts.name} are lists of strings with spaces, each of which counts as one token: {advice}"


# --- Texts that do not fit the tokenizer ----------------------------------------------------------------------------

_LEAST_TOKENIZED_SEGMENTS = 100  # as in sacrebleu 2.6.0, which warns if 100 predictions end in " ."
# The tokenizers in WORD_TOKENIZERS that split punctuation off
_OF_SENTENCES = ("13a", "13a-unpadded", "intl")
_SPLIT_OFF_ALL_SIGNS = ("intl", "words-and-signs")  # so that words match
# Language without spaces between words -> the characters of its script; Japanese: only kana
_SCRIPTS = {"ja": "\u3040-\u30ff", "zh": "\u3400-\u4dbf\u4e00-\u9fff", "th": "\u0e00-\u0e7f", "lo": "\u0e80-\u0eff"}
_SCRIPTS |= {"bo": "\u0f00-\u0fff", "my": "\u1000-\u109f", "km": "\u1780-\u17ff"}
# Not compiled yet, because few texts need this pattern
_CHARACTER_OF_SCRIPTS = f"[{''.join(_SCRIPTS.values())}]"
# A text with fewer bytes per character has few characters of `_SCRIPTS`, which take 3 bytes each
_LEAST_BYTES_PER_CHARACTER = 2
_LEAST_SHARE_OF_SCRIPTS = 0.5  # share of a text's characters that must be in `_SCRIPTS`
_LEAST_SHARE_OF_KANA = 0.05  # distinguishes Japanese from Chinese
# If the mean number of characters per word is larger, the text has no spaces between words
_LONGEST_MEAN_WORD = {"ja": 4, "zh": 4}
_LONGEST_OTHER_MEAN_WORD = 9


def spaces_note(texts: Texts) -> str:
    """Return a warning if references or a set of texts have no spaces between words, but a tokenizer needs them."""
    text, tokenizer = texts.lines[:_SAMPLE_CHARACTERS], texts.word_tokenizer
    # The second test is enough for most languages
    if not tokenizer or len(text.encode()) <= _LEAST_BYTES_PER_CHARACTER * len(text) or texts.references:
        return ""
    language = _language_of(text)
    if language:
        return advice_on_spaces(language, tokenizer, texts.name, names_language=not texts.advice)
    # Some scripts have a sign between words, such as U+1361 in Ethiopic, U+1039F in Ugaritic or U+1091F in Phoenician
    signs = Counter({sign: number for sign, number in Counter(text).items() if category(sign) == "Po"})
    [(sign, number)] = signs.most_common(1) or [("", 0)]
    n_least = max(len(text.split()) + 1, len(text) / _LONGEST_OTHER_MEAN_WORD)
    if number < n_least or tokenizer in _SPLIT_OFF_ALL_SIGNS:
        return ""
    option, example = typed("tokenizer", tokenizer), as_in(f"text.replace({sign!r}, ' ')")
    return f"the {texts.name} have {sign} between words, but {option} needs spaces: replace it on both sides{example}"


def language_without_spaces(corpus: Corpus) -> str:
    """Return the language of references without spaces between words, such as "ja". Return "" for all others."""
    references = _read("references", corpus.references, corpus.kind, corpus.nested, ())
    return _language_of(references.lines[:_SAMPLE_CHARACTERS])


def _language_of(text: str) -> str:
    """Return the language of a text without spaces between words, such as "th". Return "" for all other texts."""
    characters = "".join(re.findall(_CHARACTER_OF_SCRIPTS, text))
    if not characters or len(characters) < _LEAST_SHARE_OF_SCRIPTS * len(text):
        return ""
    counts = {language: len(re.findall(f"[{script}]", characters)) for language, script in _SCRIPTS.items()}
    # 5 % kana are enough, because Japanese texts mix kana with Chinese characters
    is_japanese = counts["ja"] >= _LEAST_SHARE_OF_KANA * len(characters)
    language = "ja" if is_japanese else max(counts, key=counts.__getitem__)
    longest = _LONGEST_MEAN_WORD.get(language, _LONGEST_OTHER_MEAN_WORD)
    return language if len(characters) > longest * len(text.split()) else ""


def tokenized_note(texts: Texts) -> str:
    """Return a warning if most texts of a side end in " ." and the corpus has at least 100 segments; otherwise ""."""
    references = texts.references
    if not references or len(texts.rows) < _LEAST_TOKENIZED_SEGMENTS or texts.word_tokenizer not in _OF_SENTENCES:
        return ""
    are_tokenized = [2 * side.lines.count(" .\n") >= len(side.sample) for side in (texts, references)]
    if are_tokenized == [False, True]:
        return (
            "most references end in ' .', as tokenized text does, and the predictions do not: use references that are "
            "not tokenized"
        )
    return are_tokenized[0] * (
        "most predictions end in ' .', as tokenized text does: detokenize them; or, if the references are tokenized in "
        f"the same way, pass {typed('tokenizer', 'none')}"
    )


# The characters of each tokenizer for one language: Chinese characters, kana, hangul
_CHARACTERS_OF = {"zh": "[\u3400-\u9fff]", "ja-mecab": "[\u3040-\u30ff]", "ko-mecab": "[\uac00-\ud7af]"}
_MOST_BYTES_OF_LATIN = 1.4  # per character, as in Vietnamese
_NOT_LATIN = "[\u0370-\u1dff\u2c00-\U0010ffff]"


def script_note(texts: Texts) -> str:
    """Return a warning if both sides, or the references and a tokenizer, do not have the same script; otherwise ""."""
    references = texts.references
    if not references or texts.kind == "ids" or len(texts.rows) < _LEAST_EVIDENCE:
        return ""
    for tokenizer in {str(config.tokenizer) for config in texts.configs} & _CHARACTERS_OF.keys():
        if not re.search(_CHARACTERS_OF[tokenizer], references.lines):
            return (
                f"{typed('tokenizer', tokenizer)} is for another language than that of the references: leave it out, "
                "or pass the language of the references"
            )
    sides = [side.lines[:_SAMPLE_CHARACTERS] for side in (texts, references)]
    # Other scripts than Latin take 2 bytes per character or more; this test takes 5 µs
    bytes_per_character = sorted(len(text.encode()) / len(text) for text in sides)
    if not bytes_per_character[0] < _MOST_BYTES_OF_LATIN < bytes_per_character[1]:
        return ""
    few, many = sorted(len(re.findall(_NOT_LATIN, text)) / max(len("".join(text.split())), 1) for text in sides)
    if few > _LEAST_SHARE_OF_KANA or many < _LEAST_SHARE_OF_SCRIPTS:
        return ""
    return "the predictions have another script than the references: check that both have the same language"


def wrapped_note(texts: Texts) -> str | Finding:
    """Return a finding if all predictions are in quotes, and most references are not; otherwise ""."""
    if not texts.references or len(texts.sample) < _LEAST_LINES or not re.match(_QUOTED, texts.sample[0]):
        return ""
    sides = (texts.sample, texts.references.sample)
    shares = [sum(bool(re.match(_QUOTED, text)) for text in side) / len(side) for side in sides]
    if shares[0] < 1 or shares[1] > 0.5:
        return ""
    text = "all sampled predictions are in quotes, and the references are not: remove the quotes"
    return Finding(text, deleted=f"^[{_OPENING}]|[{_CLOSING}]$")


# --- Differences between the predictions and their references -------------------------------------------------------

_CURLY = {'"': "\u201c\u201d\u201e", "'": "\u2018\u2019\u201a"}  # straight quote -> its curly forms


_OPENING, _CLOSING = "\"'\u201c\u201e\u00ab", "\"'\u201d\u201c\u00bb"  # quotes
_QUOTED = f"[{_OPENING}].*[{_CLOSING}]$"


def unicode_note(texts: Texts) -> str | Finding:
    """Return a finding if only the predictions or only the references are in the Unicode form NFD; otherwise "".

    The letter "é" is one character in NFC and two characters in NFD.
    """
    references = texts.references
    if not references or all(config.normalization != "none" for config in texts.configs):
        return ""
    # In the usual case, both sides are in NFC, which is found in 1 µs; the comparison of texts takes 30 µs
    are_nfc = [is_normalized("NFC", side.lines[:_SAMPLE_CHARACTERS]) for side in (texts, references)]
    if are_nfc[0] == are_nfc[1]:
        return ""
    nfc, nfd = (texts, references) if are_nfc[0] else (references, texts)
    # A text that is not in NFD has composed characters; a text that is not in NFC has decomposed ones
    n_composed = sum(not is_normalized("NFD", text) for text in nfc.sample)
    n_decomposed = sum(not is_normalized("NFC", text) for text in nfd.sample)
    is_mixed = not is_normalized("NFC", nfc.lines) or not is_normalized("NFD", nfd.lines)
    if is_mixed or min(n_composed, n_decomposed) < _LEAST_EVIDENCE:
        return ""
    text = (
        f"the {nfc.name} are in the Unicode form NFC and the {nfd.name} in NFD, so that equal words differ: pass "
        f"{typed('normalization', 'NFC')}"
    )
    return Finding(text, options=(("normalization", "NFC"),))


def quotes_note(texts: Texts) -> str | Finding:
    """Return a finding if the quotes are curly in the predictions and straight in the references, or vice versa."""
    if not texts.references or (texts.lines.isascii() and texts.references.lines.isascii()):
        return ""
    for straight, curly in _CURLY.items():  # `curly`: a string of several characters
        sides = (texts, texts.references)
        own_is_straight = straight in texts.lines
        curly_side, straight_side = sides[::-1] if own_is_straight else sides
        if straight in curly_side.lines or any(sign in straight_side.lines for sign in curly):
            continue  # a side has both
        n_signs = straight_side.lines.count(straight), sum(map(curly_side.lines.count, curly))
        if min(n_signs) >= _LEAST_EVIDENCE:
            quotes = ["straight ones", f"curly ones ({' '.join(curly)})"]
            own, other = quotes if own_is_straight else reversed(quotes)
            text = (
                f"{texts.name} with quotes have {own} and {texts.references.name} {other}, which never match; mend "
                f"them to compare systems, but not to compare with published scores"
            )
            wrong = straight if own_is_straight else curly
            return Finding(text, deleted=f"[{curly}]", inserted=straight, wrong=wrong, kind=straight + curly)
    return ""


def case_note(texts: Texts) -> str | Finding:
    """Return a finding if one side is all in lower case or in capitals, and the other side is not; otherwise ""."""
    if not texts.references or all(config.lowercase for config in texts.configs):
        return ""
    for side, other in ((texts, texts.references), (texts.references, texts)):
        is_lower = side.lines.islower()
        if not is_lower and not side.lines.isupper():
            continue
        change = str.lower if is_lower else str.upper
        n_different = sum(change(text) != text for text in other.sample)
        if n_different >= max(_LEAST_LINES, len(other.sample) / 2):
            text = (
                f"the {side.name} are all in {'lower case' if is_lower else 'capitals'} and the {other.name} are not, "
                f"so that many words never match: if case does not matter, pass {typed('lowercase', True)}"
            )
            return Finding(text, options=(("lowercase", True),))
    return ""


# --- Segments in another order --------------------------------------------------------------------------------------

_ROWS_PER_PROBE = 300  # one of so many rows is read first, and three of the last five
_PROBES = 100  # so many are read if one of the first is like another reference, and more and more towards the end
_GROWTH = 1.1  # of their distances from the end
_NEAR = 3  # lines are usually shifted by less
UNLIKE, ALIKE = 0.25, 0.35  # share of common words below which two texts differ, and above which they are alike
_SCORE_OF_NOISE = 0.05  # lines in a wrong order have a lower BLEU, and references are searched for them anywhere
_MOST_SEARCHED, MOST_COMPARED = 20, 5_000  # predictions, and the references that are searched for them


_NO_MATCHES = "BLEU is below 1: check that both sides have the same language and the same segments"


def order_note(texts: Texts) -> str:
    """Return a warning if many predictions are like references of other segments, but unlike their own; otherwise "".

    Many must be shifted by the same number of rows or, if the score is low, like a reference anywhere.
    """
    references, n_rows = texts.references, len(texts.rows)
    if not references or texts.kind == "ids" or n_rows < _LEAST_EVIDENCE:
        return ""
    is_noise = texts.bleu < _SCORE_OF_NOISE
    rows = {*range(_ROWS_PER_PROBE // 2, n_rows, _ROWS_PER_PROBE), *range(n_rows - 5, n_rows, 2)}
    if not is_noise and not _shifted(references, _suspects(texts, references, rows)):
        return ""
    # More towards the end, because a missing line shifts all lines that follow it
    towards_end = (n_rows - int(_GROWTH**step) for step in range(int(math.log(n_rows, _GROWTH)) + 1))
    rows = {*range(0, n_rows, math.ceil(n_rows / _PROBES)), *towards_end}
    suspects = _suspects(texts, references, rows)
    found = _shifted(references, suspects)
    if len(found) < max(_LEAST_EVIDENCE, len(suspects) / 4) and is_noise:
        suspects = suspects[:_MOST_SEARCHED]
        found = _found_anywhere(references, suspects)
    # Each text once, because a weak system repeats answers that are right elsewhere
    if len({text for _, text in found}) < max(_LEAST_EVIDENCE, len(suspects) / 4):
        return _NO_MATCHES if AS_GOOD_AS_ZERO < texts.bleu < 0.01 and n_rows >= _PROBES else ""
    row, text = min(found)
    example = f"{row_of('predictions', row)}, {short_repr(text)}"
    return (
        f"{len(found)} of {len(rows)} sampled predictions are like a reference of another segment, and unlike their "
        f"own, such as {example}: check that both sides have the same order, and that no line is missing"
    )


def _suspects(texts: Texts, references: Texts, rows: Iterable[int]) -> list[tuple[int, str]]:
    """Return the predictions, after their rows, that are unlike their own references, or equal one near them."""
    suspects = []
    for row in sorted(rows):
        [(_, prediction)] = _strings([texts.rows[row]], nested=False)
        own = _references_near(references, row, 0)
        if prediction not in own and (
            most_shared(prediction, own) < UNLIKE or prediction in _references_near(references, row, _NEAR)
        ):
            suspects.append((row, prediction))
    return suspects


def _references_near(references: Texts, row: int, distance: int) -> list[str]:
    """Return the references of a row and of `distance` rows on both sides."""
    rows = references.rows[max(0, row - distance) : row + distance + 1]
    if references.kind == "text" and not references.nested:
        return [*rows]  # saves 2 µs
    return [text for _, text in _strings(rows, references.nested)]


def _shifted(references: Texts, suspects: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the suspects that are like a reference in the most frequent distance from their row."""
    by_distance: dict[int, list[tuple[int, str]]] = {}
    for row, text in suspects:
        for distance in range(-min(_NEAR, row), _NEAR + 1):
            if most_shared(text, _references_near(references, row + distance, 0)) > ALIKE:
                by_distance.setdefault(distance, []).append((row, text))
    return max(by_distance.values(), key=len, default=[])


def _found_anywhere(references: Texts, suspects: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the suspects that are like a reference which occurs once."""
    counts = Counter(text for _, text in _strings(references.rows[:MOST_COMPARED], references.nested))
    compared = [text for text, number in counts.items() if number == 1]
    return [(row, text) for row, text in suspects if most_shared(text, compared) > ALIKE]


def most_shared(text: str, others: Sequence[str]) -> float:
    """Return the largest share of words that a text has in common with one of the others.

    If the text has no spaces, compare characters.

    >>> most_shared("a b c", ["a b d", "x"])
    0.5
    """
    split: Callable[[str], list[str]] = str.split if " " in text else list
    words = set(split(text))
    sizes = [(len(words & other), len(other)) for other in map(set, map(split, others))]
    return max([common / max(len(words) + size - common, 1) for common, size in sizes], default=0.0)


# --- Rows of a wrong form -------------------------------------------------------------------------------------------

_LEAST_PADDING_IDS = 3  # fewer equal ids at the end of a row prove nothing
_LEAST_DIFFERENT_WORDS = 3  # two words may be two references: two spellings of a word
_SUSPICIOUS_SHARE = 0.25  # warn above this share of common words, or if transposing the references adds more than this


def nesting_note(corpus: Corpus) -> str:
    """Return a warning if references look like words, as in [["the", "cat"]], or like sacrebleu's streams."""
    predictions, references = corpus.predictions, corpus.references
    # Nothing to check for one reference per segment, or for an Arrow column
    if corpus.kind != "text" or not corpus.nested or not is_list(references[0]) or len(references[0]) == 1:
        return ""

    texts, rows = predictions[:_FIRST_SEGMENTS], references[:_FIRST_SEGMENTS]
    if not is_list_of(texts, str) or not all(is_list_of(row, str) for row in rows):
        return ""

    if _are_words_of(texts, rows):
        return (
            f"{row_of('references', 0)} is a list of {len(rows[0])} single words, so each word is a reference of its "
            "own: each reference must be one string" + as_in("' '.join(words)")
        )

    # Transposed lists have one entry per prediction
    if any(len(row) != len(predictions) for row in rows):
        return ""
    pairs = list(permutations(range(len(texts)), 2))  # without i == j, where transposing changes nothing
    gains = [most_shared(texts[i], [rows[j][i]]) - most_shared(texts[i], [rows[i][j]]) for i, j in pairs]
    if sum(gains) <= _SUSPICIOUS_SHARE * len(gains):
        return ""
    return (
        "references look transposed: they look like sacrebleu's streams, with one list for each set of references. "
        f"Here, each list must hold the references of one segment{as_in('list(zip(*references))')}"
    )


def _are_words_of(texts: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether each row looks like the words of one reference: ["a", "b", "d"] for the text "a b c"."""
    words = [{word.lower() for word in row} for row in rows]
    if min(map(len, words)) < _LEAST_DIFFERENT_WORDS or any(len(word.split()) != 1 for row in rows for word in row):
        return False

    shares = [most_shared(text, [" ".join(row)]) for text, row in zip(texts, rows, strict=True) if " " in text]
    # Most texts must have several words
    return len(shares) > len(texts) / 2 and sum(shares) > _SUSPICIOUS_SHARE * len(shares)


def padding_note(texts: Texts) -> str:
    """Return a warning if rows of token ids look padded, such as [[1, 2, 3, 4], [1, 0, 0, 0]]; otherwise ""."""
    if texts.kind != "ids" or texts.nested:
        return ""
    lists = [row.tolist() if is_array(row) else row for row in texts.rows[:_FIRST_SEGMENTS] if is_list(row)]
    pad = _padding_of(lists) if {type(item) for row in lists for item in row} == {int} else None
    if pad is None:
        return ""
    return (
        f"{texts.name} look like padded rows: the id {pad} occurs only at their ends, but is scored as a token; "
        f"remove it with bleu_metric.remove_padding({texts.name}, pad_id={pad})"
    )


def _padding_of(rows: Sequence[Sequence[int]]) -> int | None:
    """Return the token id that pads the rows: [[1, 2, 3, 4], [1, 0, 0, 0]] -> 0. Return None if no id does."""
    ends = [row[-_LEAST_PADDING_IDS:] for row in rows if row]
    candidates = [end[0] for end in ends if end.count(end[0]) == _LEAST_PADDING_IDS]
    if not candidates:
        return None
    pad = candidates[0]

    # Rows of different lengths need more evidence, because a text may end in "..."
    have_equal_lengths = len({len(row) for row in rows}) == 1
    n_padded = sum(end[-2:] == [pad, pad] for end in ends)
    if not have_equal_lengths and 2 * n_padded < len(rows):
        return None

    # Some models, such as T5, also begin each text with the padding id
    is_start = all(row[:1] == [pad] for row in rows)
    beginnings = [list(dropwhile(pad.__eq__, row[::-1]))[::-1] for row in rows]
    if any(pad in beginning[is_start:] for beginning in beginnings):
        return None
    # Texts of equal lengths need no padding
    lengths = {len(beginning) for beginning in beginnings}
    return pad if len(lengths) > 1 else None


# --- The checks of a call -------------------------------------------------------------------------------------------

Check = Callable[[Texts], str | Finding]

# For functions that return numbers of each segment, which show that a text is empty
TEXT_CHECKS: tuple[Check, ...] = (padding_note, spaces_note, marks_note, one_string_note, tokenized_note, unicode_note)
TEXT_CHECKS += (script_note, wrapped_note, quotes_note, case_note, order_note, zero_note)
ALL_CHECKS = (*TEXT_CHECKS, empty_note)
_CHECKS_OF_SETS: tuple[Callable[[Texts], str], ...] = (padding_note, one_string_note, spaces_note)


def advise(
    corpora: Mapping[str, Corpus],
    configs: Sequence[BleuConfig],
    scores: Mapping[str, BleuScore | None] | None = None,
    checks: Sequence[Check] = ALL_CHECKS,
) -> list[Advice]:
    """Warn of likely mistakes in the options and the texts, and of scores of 0. Return what the warnings say.

    For a single pair that does not score 0, only the options and the nesting are checked, because users score pairs in
    loops, which must be fast.

    Args:
        corpora: the corpus of each system by its name; a single system may have the name "". All corpora have the same
            references.
        configs: the configurations in which the texts were counted.
        scores: the score of each system by its name; without it, scores of 0 need no warning. None instead of a score
            means that the score is 0 and needs no warning.
        checks: `ALL_CHECKS`, or some of them.
    """
    first, *_ = corpora.values()
    found: dict[str | Finding, dict[str, str]] = {weights_note(configs): {}, nesting_note(first): {}}
    zeros = {name: score for name, score in (scores or {}).items() if score is None or _lacks_matches(score)}
    if first.segments > 1 or zeros:
        may_be_empty = first.segments > 1 and bool(first.findings)
        references = _read("references", first.references, first.kind, first.nested, configs, may_be_empty=may_be_empty)
        # Warnings of references name no system, because all systems have the same references
        found |= {check(references): {} for check in checks}
        for name, corpus in corpora.items():
            own = _read("predictions", corpus.predictions, corpus.kind, False, configs)
            bleu = float((scores or {}).get(name) or 0.0) if scores else 1.0
            predictions = own._replace(references=references, zero=zeros.get(name), bleu=bleu)
            for check in checks:
                found.setdefault(check(predictions), {})[name] = ""
    for note, systems in found.items():
        if isinstance(note, Finding) and note.wrong:
            # The sample of another system may not show the mistake
            counts = {name: note.number_in(corpus.predictions) for name, corpus in corpora.items()}
            systems |= {name: count for name, count in counts.items() if count}
    advice = [
        Advice(note if isinstance(note, Finding) else Finding(note), systems) for note, systems in found.items() if note
    ]
    for one in advice:
        warn(one.warning)
    return advice


def warn_of_zero(score: BleuScore, config: BleuConfig, name: str) -> None:
    """Warn if a score is 0 because an n-gram order has no match. `name`: the split of a dataset, or ""."""
    if note := why_zero(score, config):
        warn(Advice(Finding(note), {name: ""}).warning)


def warn_of_set(texts: Sequence[Any], kind: Kind, name: str, config: BleuConfig, advice: str) -> None:
    """Warn of likely mistakes in texts that are compared with one another. `name`, `advice`: as in `Texts`."""
    to_check = _read(name, texts, kind, False, [config], advice=advice)
    for note in filter(None, [check(to_check) for check in _CHECKS_OF_SETS]):
        warn(note)
