"""Warn of scores of 0, and of texts that probably contain a mistake.

Every public function that counts texts calls `advise` once, at its end. A check is a function from a `Sample` to a
warning, or to "" if it finds nothing; `ALL_CHECKS` lists them. Together they take about 1 % of the time to score 2,000
segments.

Short texts often score 0: `hello there` has no 4-gram, so even a perfect match has a BLEU of 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple
from unicodedata import is_normalized

from ._config import BleuConfig, weights_of
from ._corpus import (
    Corpus,
    Kind,
    Rows,
    is_array,
    is_blank,
    is_list,
    is_list_of,
    is_missing,
)
from ._display import amount
from ._languages import WORD_TOKENIZERS, advice_on_spaces
from ._score import BleuScore
from ._validation import row_of, short_repr, typed, warn

# A score below this counts as 0, because NLTK's method0 returns tiny numbers instead of 0
AS_GOOD_AS_ZERO = 1e-12
_FIRST_SEGMENTS = 20  # checks of the form of rows read only this many segments
_SAMPLE_SEGMENTS = 50
_SAMPLE_CHARACTERS = 2000  # slow checks read only this many characters of the sample


class Sample(NamedTuple):
    """What the checks read of one system. A check that finds something in the sample may count in all rows."""

    predictions: str  # the strings of at most 50 rows, one per line
    references: str
    corpus: Corpus  # all rows
    configs: Sequence[BleuConfig]
    word_tokenizer: str  # the first tokenizer of the configurations that needs spaces between words, or ""
    zero: BleuScore | None  # the system's score if it is 0 and needs an explanation


# --- Scores of 0 ----------------------------------------------------------------------------------------------------


def zero_note(sample: Sample) -> str:
    """Explain a score of 0, unless the form of the texts explains it."""
    if sample.zero is None or spaces_note(sample) or one_string_note(sample):
        return ""
    return why_zero(sample.zero, sample.configs[0])


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
    orders_without_match = [
        order
        for order, (matches, precision, weight) in enumerate(numbers, 1)
        if not matches and (config.zero_score == "any-order" or (weight and precision <= AS_GOOD_AS_ZERO))
    ]
    if not orders_without_match:
        return ""
    order = orders_without_match[0]

    if score.totals[order - 1] and score.translation_length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {amount(order, 'token')}, so no {order}-gram can match"

    remedies = _remedies(score, config)
    choices = " or ".join(", ".join(map(typed, remedy, remedy.values())) for remedy in remedies)
    advice = f". For a score above 0, pass {choices}" if choices else ""
    return f"BLEU is 0.00: {reason}{advice}"


def _lacks_matches(score: BleuScore) -> bool:
    """Return whether the score is 0, although neither the brevity penalty nor empty references make it 0."""
    is_zero = score.bleu <= AS_GOOD_AS_ZERO
    return is_zero and score.brevity_penalty > AS_GOOD_AS_ZERO and bool(score.reference_length)


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
    has_floor = config.total_floor == "corpus"
    have_ngrams = [score.totals[index] > 0 or has_floor for index in without_match]
    # True for NLTK's method0, which replaces 0 with a tiny number
    is_smoothed = any(score.precisions[index] for index in without_match)

    options: dict[str, Any] = {}
    if any(have_ngrams) or is_smoothed:
        options["smoothing"] = "exp"
    if not all(have_ngrams) or config.average == "sentence":
        options |= {"effective_order": True, "auto_reweigh": False}

    changed_options = {name: value for name, value in options.items() if getattr(config, name) != value}
    if changed_options:
        remedies.append(changed_options)
    return remedies


# --- Weights and empty texts ----------------------------------------------------------------------------------------

_MOST_WEIGHTS_SHOWN = 6
_ROUNDING_OF_WEIGHTS = 0.005  # three weights of 0.333 sum to 0.999, which is close enough to 1


def weights_note(configs: Sequence[BleuConfig]) -> str:
    """Return a warning if the weights of a configuration do not sum to 1; otherwise ""."""
    for config in configs:
        weights = config.weights
        if weights is None or abs(sum(weights) - 1) <= _ROUNDING_OF_WEIGHTS:
            continue

        total = sum(weights)
        advice = "weights that sum to 1"
        if total > 0 and len(weights) <= _MOST_WEIGHTS_SHOWN:
            advice = typed("weights", [round(weight / total, 4) for weight in weights])
        return f"the weights sum to {total:.4g} instead of 1, so the score is not a mean of precisions: pass {advice}"
    return ""


def empty_predictions_note(sample: Sample) -> str:
    """Return a warning if predictions are empty; otherwise ""."""
    return _empty_note(sample.corpus, sample.corpus.predictions, "prediction")


def empty_references_note(sample: Sample) -> str:
    """Return a warning if references are empty, and a configuration counts them as texts; otherwise ""."""
    if "empty" not in [config.empty_references for config in sample.configs]:
        return ""
    return _empty_note(sample.corpus, sample.corpus.references, "reference")


def _empty_note(corpus: Corpus, rows: Rows, name: str) -> str:
    """Return a warning such as "2 of 9 predictions are empty", or "" if no text is empty or only whitespace.

    `name`: "prediction" or "reference".
    """
    if corpus.segments == 1 or not corpus.findings:
        return ""
    nested = corpus.nested and name == "reference"
    texts = [
        (index, text) for index, row in enumerate(rows) for text in (row if nested else [row]) if not is_missing(text)
    ]
    empty_rows = [index for index, text in texts if is_blank(text)]
    if not empty_rows:
        return ""

    verb = "is" if len(empty_rows) == 1 else "are"
    all_texts = amount(len(texts), name)
    note = f"{len(empty_rows):,} of {all_texts} {verb} empty; the first is {row_of(f'{name}s', empty_rows[0])}"
    if name == "prediction":
        return note
    remedy = f"pass {typed('empty_references', 'missing')}" if len(texts) > len(rows) else "leave out its segment"
    return f"{note}. An empty reference counts as a text of 0 tokens: if it is missing, {remedy}"


# --- Texts that are not text ----------------------------------------------------------------------------------------


class _Mark(NamedTuple):
    """Characters that a program leaves in texts, such as "@@" after BPE."""

    sign: str  # a character of every match, searched first because `in` takes 0.1 µs
    pattern: str  # begins with plain characters, because `re` finds these faster
    name: str
    advice: str
    least_share: float = 0.0  # more than this share of the rows must match


_NO_SPECIAL_TOKENS = "remove them, or decode with tokenizer.decode(ids, skip_special_tokens=True)"
_MARKS = (
    _Mark("\0", "\0", "NUL characters", "read the file in its encoding, which is probably UTF-16"),
    _Mark("@", r"@@(?=\s)(?<=\w@@)", "BPE marks", "join them with text.replace('@@ ', '')"),
    _Mark("#", r"##(?<=\w\s##)\w+", "WordPiece marks", "join them with text.replace(' ##', '')"),
    _Mark(
        "\u2581",
        r"\u2581\w+",
        "SentencePiece marks",
        "join them with text.replace(' ', '').replace('\u2581', ' ').strip()",
    ),
    # Maltese words also begin with this letter, but rarely three words so close together
    _Mark(
        "\u0120",
        r"(?:\u0120\S*\s+(?:[^\u0120\s]\S*\s+)?){2}\u0120",
        "GPT-2 marks",
        "decode with tokenizer.decode(ids, skip_special_tokens=True)",
    ),
    # HTML also has <s> and </s>, but rarely at the start or end of a text
    _Mark(
        "<",
        r"(?im)<(?:s>(?<=^<s>)|/s>(?=\s*$)|(?:pad|unk|eos|bos|sos|sep|cls|mask|extra_id_\d+|(?:start|end)_of_\w+)>"
        r"|[|\uff5c][^|\uff5c<>\n]+[|\uff5c]>)",
        "special tokens",
        _NO_SPECIAL_TOKENS,
    ),
    _Mark("[", r"\[(?:PAD|UNK|CLS|SEP|MASK|BOS|EOS|/?INST)\]", "special tokens", _NO_SPECIAL_TOKENS),
    _Mark(
        "[",
        r"""(?m)^\[(?:['"].*['"]|\d+(?:,? \d+)+),?\]$""",
        "printed lists",
        "pass the list itself, as in ast.literal_eval(text), and in a table one column for each reference",
        least_share=0.5,
    ),
)


def prediction_marks_note(sample: Sample) -> str:
    """Return a warning if the predictions contain one of `_MARKS`; otherwise ""."""
    return _marks_note(sample.predictions, sample.corpus.predictions, "prediction")


def reference_marks_note(sample: Sample) -> str:
    """Return a warning if the references contain one of `_MARKS`; otherwise ""."""
    return _marks_note(sample.references, sample.corpus.references, "reference")


def _marks_note(sample: str, rows: Rows, name: str) -> str:
    """Return a warning if the rows contain one of `_MARKS`; otherwise "". `name`: "prediction" or "reference".

    `sample`: the text of some rows. All rows are searched only if the sample contains a mark.
    """
    for mark in _MARKS:
        if mark.sign not in sample or not re.search(mark.pattern, sample):
            continue

        lines = ("\n".join(_strings([row])) for row in rows)
        matches = [(index, match[0]) for index, line in enumerate(lines) if (match := re.search(mark.pattern, line))]
        if len(matches) > mark.least_share * len(rows):
            first, example = matches[0]
            verb = "contains" if len(matches) == 1 else "contain"
            return (
                f"{len(matches):,} of {amount(len(rows), name)} {verb} {mark.name} such as {short_repr(example)}; the "
                f"first is {row_of(f'{name}s', first)}: {mark.advice}"
            )
    return ""


def one_string_note(sample: Sample) -> str:
    """Return a warning if the predictions are lists of sentences instead of tokens; otherwise ""."""
    if sample.corpus.kind != "tokens":
        return ""
    advice = "pass one string per segment; add_batch, and not add, adds several segments"
    return _one_string_note(sample.predictions, sample.corpus.segments, "predictions", advice)


def _one_string_note(sample: str, n_texts: int, name: str, advice: str) -> str:
    """Return a warning if most tokens contain spaces, as in [["the cat sat"]]; otherwise "".

    `sample`: the tokens of some of the texts, one per line. `name`: what the user calls the texts. `advice`: what to
    pass instead of lists of several strings.
    """
    n_sampled = min(n_texts, _SAMPLE_SEGMENTS)
    lines = sample.split("\n")[:-1]
    with_spaces = sum(" " in line.strip() for line in lines)
    if 2 * with_spaces <= max(len(lines), n_sampled):
        return ""
    if len(lines) <= n_sampled:
        return (
            f"the {name} are lists of one string with spaces, which counts as one token: pass the strings, as in "
            f"{name}=[row[0] for row in {name}]"
        )
    return f"the {name} are lists of strings with spaces, each of which counts as one token: {advice}"


# --- Texts that do not fit the tokenizer ----------------------------------------------------------------------------

_LEAST_TOKENIZED_SEGMENTS = 100  # as in sacrebleu 2.6.0, which warns if 100 predictions end in " ."
_LEAST_TOKENIZED_SHARE = 0.5  # at least this share of the segments must end in " ."
# The tokenizers in WORD_TOKENIZERS that split punctuation off
_OF_SENTENCES = ("13a", "13a-unpadded", "intl")
_SCRIPTS = {  # language without spaces between words -> the characters of its script
    "ja": "\u3040-\u30ff",  # kana
    "zh": "\u3400-\u4dbf\u4e00-\u9fff",
    "th": "\u0e00-\u0e7f",
    "lo": "\u0e80-\u0eff",
    "bo": "\u0f00-\u0fff",
    "my": "\u1000-\u109f",
    "km": "\u1780-\u17ff",
}
# Not compiled yet, because few texts need this pattern
_CHARACTER_OF_SCRIPTS = f"[{''.join(_SCRIPTS.values())}]"
# A text with fewer bytes per character has few characters of `_SCRIPTS`, which take 3 bytes each
_LEAST_BYTES_PER_CHARACTER = 2
_LEAST_SHARE_OF_SCRIPTS = 0.5  # share of a text's characters that must be in `_SCRIPTS`
_LEAST_SHARE_OF_KANA = 0.05  # distinguishes Japanese from Chinese
# If the mean number of characters per word is larger, the text has no spaces between words
_LONGEST_MEAN_WORD = {"ja": 4, "zh": 4}
_LONGEST_OTHER_MEAN_WORD = 9


def spaces_note(sample: Sample) -> str:
    """Return a warning if the references have no spaces between words, and a tokenizer needs them; otherwise ""."""
    return _spaces_note(sample.references, sample.word_tokenizer, "references", names_language=True)


def _spaces_note(sample: str, tokenizer: str, name: str, names_language: bool) -> str:
    """Return a warning if the texts have no spaces between words, and the tokenizer needs them; otherwise "".

    `tokenizer`: "" if it needs no spaces. `name`, `names_language`: as for `advice_on_spaces`.
    """
    language = _language_without_spaces(sample[:_SAMPLE_CHARACTERS]) if tokenizer else ""
    return advice_on_spaces(language, tokenizer, name, names_language) if language else ""


def _language_without_spaces(text: str) -> str:
    """Return the language of a text without spaces between words, such as "ja". Return "" for any other text."""
    if len(text.encode()) <= _LEAST_BYTES_PER_CHARACTER * len(text):
        return ""  # this quick test is enough for most languages

    characters = "".join(re.findall(_CHARACTER_OF_SCRIPTS, text))
    if len(characters) < _LEAST_SHARE_OF_SCRIPTS * len(text):
        return ""

    language = _language_of(characters)
    mean_word = len(characters) / len(text.split())
    has_spaces = mean_word <= _LONGEST_MEAN_WORD.get(language, _LONGEST_OTHER_MEAN_WORD)
    return "" if has_spaces else language


def language_without_spaces(corpus: Corpus) -> str:
    """Return the language of references without spaces between words, such as "ja". Return "" for all others."""
    return _language_without_spaces(_as_lines(corpus.references, corpus.kind)[:_SAMPLE_CHARACTERS])


def _language_of(characters: str) -> str:
    """Return the language whose script has most of the characters, such as "th"."""
    counts = {language: len(re.findall(f"[{script}]", characters)) for language, script in _SCRIPTS.items()}
    # 5 % kana are enough, because Japanese texts mix kana with Chinese characters
    if counts["ja"] >= _LEAST_SHARE_OF_KANA * len(characters):
        return "ja"
    return max(counts, key=counts.__getitem__)


def tokenized_note(sample: Sample) -> str:
    """Return a warning if most predictions end in " ." and the corpus has at least 100 segments; otherwise ""."""
    if sample.word_tokenizer not in _OF_SENTENCES or sample.corpus.segments < _LEAST_TOKENIZED_SEGMENTS:
        return ""
    if sample.predictions.count(" .\n") < _LEAST_TOKENIZED_SHARE * sample.predictions.count("\n"):
        return ""
    return (
        "most predictions end in ' .', as tokenized text does: detokenize them; or, if the references are tokenized in "
        f"the same way, pass {typed('tokenizer', 'none')}"
    )


# --- Different spellings --------------------------------------------------------------------------------------------

_LEAST_EVIDENCE = 5  # fewer quotes, or fewer lines with accents, prove nothing
_CURLY = {'"': "\u201c\u201d\u201e", "'": "\u2018\u2019\u201a"}  # straight quote -> its curly forms


def unicode_note(sample: Sample) -> str:
    """Return a warning if only the predictions or only the references are in the Unicode form NFD; otherwise "".

    The letter "é" is one character in NFC and two characters in NFD.
    """
    predictions, references = sample.predictions[:_SAMPLE_CHARACTERS], sample.references[:_SAMPLE_CHARACTERS]
    # In the usual case, both sides are in NFC, which is found in 1 µs; the comparison of lines takes 30 µs
    if is_normalized("NFC", predictions) == is_normalized("NFC", references):
        return ""
    if all(config.normalization != "none" for config in sample.configs):
        return ""

    counts = []
    for lines in (predictions.splitlines(), references.splitlines()):
        # A line that is not in NFD has composed characters; a line that is not in NFC has decomposed ones
        composed = sum(not is_normalized("NFD", line) for line in lines)
        decomposed = sum(not is_normalized("NFC", line) for line in lines)
        counts.append({"NFC": composed, "NFD": decomposed})
    side_of = _side_of_styles(*counts)
    if not side_of:
        return ""
    return (
        f"the {side_of['NFC']} are in the Unicode form NFC and the {side_of['NFD']} in NFD, so that equal "
        f"words differ: pass {typed('normalization', 'NFC')}"
    )


def quotes_note(sample: Sample) -> str:
    """Return a warning if the quotes are curly in the predictions and straight in the references, or vice versa."""
    texts = {"predictions": sample.predictions, "references": sample.references}
    if sample.predictions.isascii() and sample.references.isascii():
        return ""
    for straight, curly in _CURLY.items():  # `curly`: a string of several characters
        counts = [{"curly": sum(map(text.count, curly)), "straight": text.count(straight)} for text in texts.values()]
        side_of = _side_of_styles(*counts)
        if side_of:
            lines = texts[side_of["curly"]].splitlines()
            n_curly = sum(not set(curly).isdisjoint(line) for line in lines)
            return (
                f"the {side_of['curly']} have curly quotes ({' '.join(curly)}; in {n_curly} of {len(lines)} "
                f"sampled texts) and the {side_of['straight']} straight ones, which never match: to see how much this "
                "changes, also score copies of all files in which all quotes are straight. Published scores are those "
                "of unchanged texts"
            )
    return ""


def _side_of_styles(predictions: Mapping[str, int], references: Mapping[str, int]) -> dict[str, str]:
    """Return the side of each of two styles if each side has only one, at least 5 times; otherwise {}.

    >>> _side_of_styles({"curly": 0, "straight": 7}, {"curly": 8, "straight": 0})
    {'straight': 'predictions', 'curly': 'references'}
    """
    side_of = {}
    for side, counts in (("predictions", predictions), ("references", references)):
        styles = [style for style, count in counts.items() if count]
        if len(styles) == 1 and counts[styles[0]] >= _LEAST_EVIDENCE:
            side_of[styles[0]] = side
    return side_of if len(side_of) == 2 else {}


# --- Rows of a wrong form -------------------------------------------------------------------------------------------

_LEAST_PADDING_IDS = 3  # fewer equal ids at the end of a row prove nothing
_LEAST_DIFFERENT_WORDS = 3  # two words may be two references: two spellings of a word
_SUSPICIOUS_SHARE = 0.25  # warn above this share of common words, or if transposing the references adds more than this


def form_notes(corpus: Corpus) -> list[str]:
    """Return warnings if the first rows look split into words, transposed or padded. Some of them may be empty."""
    if corpus.kind == "text" and corpus.nested:
        return [_words_note(corpus.predictions, corpus.references)]
    if corpus.kind == "ids":
        references = "" if corpus.nested else _padding_note(corpus.references, "references")
        return [_padding_note(corpus.predictions, "predictions"), references]
    return []


def _words_note(predictions: Rows, references: Rows) -> str:
    """Return a warning if references look like words, as in [["the", "cat"]], or like sacrebleu's streams."""
    # Nothing to check for one reference per segment, or for an Arrow column
    if not is_list(references[0]) or len(references[0]) == 1:
        return ""

    texts: Sequence[Any] = predictions[:_FIRST_SEGMENTS]
    rows: Sequence[Any] = references[:_FIRST_SEGMENTS]
    if not is_list_of(texts, str) or not all(is_list_of(row, str) for row in rows):
        return ""

    if _are_words_of(texts, rows):
        n_words = len(rows[0])
        return (
            f"segment 0 has a list of {n_words} single words, so it has {n_words} references of one word. "
            "Pass each reference as one string, as in ' '.join(words)"
        )

    # Transposed lists have one entry per prediction
    have_fitting_lengths = all(len(row) == len(predictions) for row in rows)
    if not have_fitting_lengths or not _are_transposed(texts, rows):
        return ""
    return (
        "references look transposed: they look like sacrebleu's streams, with one list for each set of references. "
        "Here, each list must hold the references of one segment: try list(zip(*references))"
    )


def _are_words_of(texts: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether each row looks like the words of one reference: ["a", "b", "d"] for the text "a b c"."""
    for row in rows:
        different_words = {word.lower() for word in row}
        if len(different_words) < _LEAST_DIFFERENT_WORDS or any(len(word.split()) != 1 for word in row):
            return False

    shares = []
    for text, row in zip(texts, rows, strict=True):
        if " " in text:
            reference = " ".join(row)
            shares.append(_shared_words(text, reference))

    most_have_several_words = len(shares) > len(texts) / 2
    return most_have_several_words and sum(shares) / len(shares) > _SUSPICIOUS_SHARE


def _are_transposed(texts: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether ``rows[i][j]`` is probably a reference of ``texts[j]`` instead of ``texts[i]``."""
    gains = []
    # All pairs except i == j, where transposing changes nothing
    for i, j in permutations(range(len(texts)), 2):
        share_as_given = _shared_words(texts[i], rows[i][j])
        share_if_transposed = _shared_words(texts[i], rows[j][i])
        gains.append(share_if_transposed - share_as_given)
    return sum(gains) > _SUSPICIOUS_SHARE * len(gains)


def _shared_words(text: str, other: str) -> float:
    """Return the share of the words that occur in both texts. If `text` has no spaces, compare characters.

    >>> _shared_words("a b c", "a b d")
    0.5
    """
    has_words = " " in text
    words = set(text.split() if has_words else text)
    other_words = set(other.split() if has_words else other)
    n_shared = len(words & other_words)
    n_all = len(words | other_words)
    return n_shared / max(n_all, 1)  # two empty texts have no words


def _padding_note(rows: Rows, name: str) -> str:
    """Return a warning if rows of token ids look padded, such as [[1, 2, 3, 4], [1, 0, 0, 0]]; otherwise ""."""
    sample: Sequence[Any] = rows[:_FIRST_SEGMENTS]
    lists = [row.tolist() if is_array(row) else row for row in sample if is_list(row)]
    types = {type(item) for row in lists for item in row}
    pad = _padding_of(lists) if types == {int} else None
    if pad is None:
        return ""
    return (
        f"{name} look like padded rows: the id {pad} occurs only at their ends, but is scored as a token; "
        f"remove it with bleu_metric.remove_padding({name}, pad_id={pad})"
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
    beginnings = [_without_end(row, pad) for row in rows]
    if any(pad in beginning[is_start:] for beginning in beginnings):
        return None
    # Texts of equal lengths need no padding
    lengths = {len(beginning) for beginning in beginnings}
    return pad if len(lengths) > 1 else None


def _without_end(row: Sequence[int], pad: int) -> Sequence[int]:
    """Return a row without the padding at its end: [0, 5, 6, 0, 0] -> [0, 5, 6]."""
    end = len(row)
    while end and row[end - 1] == pad:
        end -= 1
    return row[:end]


# --- Reading a sample -----------------------------------------------------------------------------------------------


def _as_lines(rows: Rows, kind: Kind) -> str:
    r"""Return the strings of at most 50 evenly spaced rows, one per line: [["a", "b"], ["c"]] -> "a\nb\nc\n"."""
    if kind == "ids":
        return ""
    step = math.ceil(len(rows) / _SAMPLE_SEGMENTS)
    # Not rows[::step], because stored rows cannot be sliced with a step
    sample = [rows[index] for index in range(0, len(rows), step)]
    strings = _strings(sample)
    strings.append("")  # so that the last line also ends with "\n"
    return "\n".join(strings)


def _strings(items: Any) -> list[str]:
    """Return the strings in nested lists: ["a", ["b", 5]] -> ["a", "b"]."""
    strings = []
    for item in items:
        if isinstance(item, str):
            strings.append(item)
        elif hasattr(item, "__iter__"):
            strings += _strings(item)
    return strings


# --- The checks of a call -------------------------------------------------------------------------------------------

Corpora = Mapping[str, Corpus]  # name of a system -> its corpus; a single system may have the name ""
Check = Callable[[Sample], str]

# For functions that return numbers of each segment, which show that a text is empty
TEXT_CHECKS: tuple[Check, ...] = (
    spaces_note,
    prediction_marks_note,
    one_string_note,
    tokenized_note,
    unicode_note,
    quotes_note,
    reference_marks_note,
    zero_note,
)
ALL_CHECKS = (*TEXT_CHECKS, empty_predictions_note, empty_references_note)
# Their warnings name no system, because all systems have the same references
_CHECKS_OF_REFERENCES = (spaces_note, reference_marks_note, empty_references_note)


def advise(
    corpora: Corpora,
    configs: Sequence[BleuConfig],
    scores: Mapping[str, BleuScore | None] | None = None,
    checks: Sequence[Check] = ALL_CHECKS,
) -> None:
    """Warn of likely mistakes in the options and the texts, and of scores of 0.

    For a single pair that does not score 0, only the options and the form of the rows are checked, because users score
    pairs in loops, which must be fast.

    Args:
        corpora: the corpus of each system by its name. All corpora have the same references.
        configs: the configurations in which the texts were counted.
        scores: the score of each system by its name; without it, scores of 0 need no warning. None instead of a score
            means that the score is 0 and needs no warning.
        checks: `ALL_CHECKS`, or some of them.
    """
    first, *_ = corpora.values()
    for note in (weights_note(configs), *form_notes(first)):
        _warn(note)

    zeros = {name: score for name, score in (scores or {}).items() if score is None or _lacks_matches(score)}
    if first.segments == 1 and not zeros:
        return

    references = _as_lines(first.references, first.kind)
    tokenizers = [str(config.tokenizer) for config in configs if config.tokenizer in WORD_TOKENIZERS]
    tokenizer = tokenizers[0] if tokenizers and first.kind == "text" else ""
    systems_of_notes: dict[tuple[Check, str], list[str]] = {}
    for name, corpus in corpora.items():
        predictions = _as_lines(corpus.predictions, corpus.kind)
        sample = Sample(predictions, references, corpus, configs, tokenizer, zeros.get(name))
        for check in checks:
            note = check(sample)
            if note:
                systems_of_notes.setdefault((check, note), []).append(name)
    for (check, note), systems in systems_of_notes.items():
        _warn(note, *([] if check in _CHECKS_OF_REFERENCES else systems))


def warn_of_zero(score: BleuScore, config: BleuConfig, name: str) -> None:
    """Warn if a score is 0 because an n-gram order has no match. `name`: the split of a dataset, or ""."""
    _warn(why_zero(score, config), name)


def warn_of_set(texts: Sequence[Any], kind: Kind, name: str, config: BleuConfig, advice: str) -> None:
    """Warn of likely mistakes in texts that are compared with one another.

    `name`, `advice`: as for `_one_string_note`.
    """
    lines = _as_lines(texts, kind)
    note = _padding_note(texts, name) if kind == "ids" else ""
    if kind == "tokens":
        note = _one_string_note(lines, len(texts), name, advice)
    elif kind == "text" and config.tokenizer in WORD_TOKENIZERS:
        note = _spaces_note(lines, str(config.tokenizer), name, names_language=False)
    _warn(note)


def _warn(note: str, system: str = "", *other_systems: str) -> None:
    """Warn, as in "'A' and 2 more: note". If the note is empty, do nothing."""
    if not note:
        return
    if system:
        more = f" and {len(other_systems)} more" if other_systems else ""
        note = f"{short_repr(system)}{more}: {note}"
    warn(note)
