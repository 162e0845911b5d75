"""Warn of scores of 0, and of texts that probably contain a mistake.

Every public function that scores a corpus calls `warn_of_scores` or `warn_of_texts` once, at its end. Both functions
read a sample of 50 segments, which takes about 1 % of the time to score 2,000 segments.

Short texts often score 0: `hello there` has no 4-gram, so even a perfect match has a BLEU of 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple
from unicodedata import is_normalized

from ._config import BleuConfig, weights_of
from ._corpus import (
    Corpus,
    Kind,
    Rows,
    is_array,
    is_arrow,
    is_blank,
    is_list,
    is_list_of,
    is_missing,
    python_rows,
)
from ._display import amount
from ._languages import WORD_TOKENIZERS, advice_on_spaces
from ._score import BleuScore
from ._validation import row_of, short_repr, typed, warn

# A score below this counts as 0, because NLTK's method0 returns tiny numbers instead of 0
AS_GOOD_AS_ZERO = 1e-12
_NO_MATCH = "no token of the predictions is in their references; check that both are in the same order and language"


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
    is_penalized = score.brevity_penalty <= AS_GOOD_AS_ZERO
    if score.bleu > AS_GOOD_AS_ZERO or is_penalized or not score.reference_length:
        return ""
    if not score.counts[0]:
        return f"BLEU is 0.00: {_NO_MATCH}"
    order = _deciding_order(score, config)
    if order is None:
        return ""

    if score.totals[order - 1] and score.translation_length >= order:
        reason = f"no {order}-gram of the predictions is in their references"
    else:
        reason = f"no prediction has {amount(order, 'token')}, so no {order}-gram can match"

    remedies = _remedies(score, config)
    choices = " or ".join(", ".join(map(typed, remedy, remedy.values())) for remedy in remedies)
    advice = f". For a score above 0, pass {choices}" if choices else ""
    return f"BLEU is 0.00: {reason}{advice}"


def _deciding_order(score: BleuScore, config: BleuConfig) -> int | None:
    """Return the n-gram order that makes the score 0, such as 3 if no 3-gram matches, or None if no order does."""
    orders = zip(score.counts, score.precisions, weights_of(config), strict=True)
    for order, (matches, precision, weight) in enumerate(orders, 1):
        makes_mean_zero = weight and precision <= AS_GOOD_AS_ZERO
        if not matches and (config.zero_score == "any-order" or makes_mean_zero):
            return order
    return None


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


def warn_of_zero(score: BleuScore, config: BleuConfig, name: str = "") -> None:
    """Warn if a score is 0 because an n-gram order has no match.

    Args:
        score: the score of a corpus.
        config: the configuration of the score.
        name: the system or split that the warning names, or "".
    """
    _warn(why_zero(score, config), name)


# --- Warnings about texts -------------------------------------------------------------------------------------------

_FIRST_SEGMENTS = 20  # `_warn_of_rows` checks only this many segments
_LEAST_PADDING_IDS = 3  # fewer equal ids at the end of a row prove nothing
_LEAST_DIFFERENT_WORDS = 3  # two words may be two references: two spellings of a word
_SUSPICIOUS_SHARE = 0.25  # warn above this share of common words, or if transposing the references adds more than this
_STREAMS = (
    "references look transposed: they look like sacrebleu's streams, with one list for each set of references. Here, "
    "each list must hold the references of one segment: try list(zip(*references))"
)
_SAMPLE_SEGMENTS = 50
_SAMPLE_CHARACTERS = 2000  # slow checks read only this many characters of the sample
_LEAST_EVIDENCE = 5  # fewer quotes, or fewer lines with accents, prove nothing
_MOST_WEIGHTS_SHOWN = 6  # a message shows at most this many weights
_ROUNDING_OF_WEIGHTS = 0.005  # three weights of 0.333 sum to 0.999, which is close enough to 1
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
_CURLY = {'"': "\u201c\u201d\u201e", "'": "\u2018\u2019\u201a"}  # straight quote -> its curly forms


# Name of a system -> its corpus; a single system may have the name ""
Corpora = Mapping[str, Corpus]


def warn_of_scores(
    corpora: Corpora, configs: Sequence[BleuConfig], scores: Mapping[str, BleuScore], accepts_tokenized: bool = False
) -> None:
    """Warn of likely mistakes in texts, of a score of 0, and of empty predictions.

    Args:
        corpora: the corpus of each system by its name.
        configs: the configurations that were scored.
        scores: the score of each system by its name, or {} if scores of 0 need no warning.
        accepts_tokenized: do not warn of tokenized predictions; sacrebleu calls this option ``force``.
    """
    # Cause of a score of 0 -> names of systems
    systems_of_cause: dict[str, list[str]] = {}
    for name, score in scores.items():
        cause = why_zero(score, configs[0])
        if cause:
            systems_of_cause.setdefault(cause, []).append(name)

    first_corpus, *_ = corpora.values()
    n_segments = len(first_corpus.references)
    if n_segments == 1 and not systems_of_cause and len(configs) == 1 and configs[0].weights is None:
        _warn_of_rows(first_corpus)
        return  # the checks below would find nothing, but take 0.6 µs

    explains_zeros = warn_of_texts(corpora, configs, bool(systems_of_cause), accepts_tokenized)
    if not explains_zeros:
        for cause, names in systems_of_cause.items():
            _warn(cause, *names)

    if n_segments == 1 or not any(corpus.findings for corpus in corpora.values()):
        return
    for name, corpus in corpora.items():
        _warn(_empty_note(corpus.predictions, "prediction"), name)
    if any(config.empty_references == "empty" for config in configs):
        _warn(_empty_note(first_corpus.references, "reference", first_corpus.nested))


def warn_of_texts(
    corpora: Corpora, configs: Sequence[BleuConfig], has_zeros: bool = False, accepts_tokenized: bool = False
) -> bool:
    """Warn of likely mistakes in weights and texts. Return whether a warning explains scores of 0.

    `has_zeros`: whether a score is 0. If there is only one segment, most checks run only if the score is 0, because
    users score single pairs in loops, which must be fast.
    """
    _warn(_weights_note(configs))

    # All corpora are of the same kind, and have the same references
    first_corpus, *_ = corpora.values()
    _warn_of_rows(first_corpus)
    kind = first_corpus.kind
    is_pair = len(first_corpus.predictions) == 1
    if kind == "ids" or (is_pair and not has_zeros):
        return False

    # The first tokenizer that needs spaces between words
    word_tokenizers = [config.tokenizer for config in configs if config.tokenizer in WORD_TOKENIZERS]
    tokenizer = str(word_tokenizers[0]) if word_tokenizers and kind == "text" else ""
    references = _as_lines(first_corpus.references)
    explanation = _spaces_note(references, tokenizer, "references", names_language=True)
    _warn(explanation)

    expects_sentences = tokenizer in _OF_SENTENCES and not accepts_tokenized
    normalizes = all(config.normalization != "none" for config in configs)
    for name, corpus in corpora.items():
        predictions = _as_lines(corpus.predictions)
        _warn(_marks_note(predictions, corpus.predictions, "prediction"), name)
        if kind == "tokens":
            advice = "pass one string per segment; add_batch, and not add, adds several segments"
            one_string_note = _one_string_note(predictions, len(corpus.predictions), "predictions", advice)
            _warn(one_string_note, name)
            explanation = explanation or one_string_note
        if expects_sentences:
            _warn(_tokenized_note(predictions, len(corpus.predictions)), name)

        if predictions.isascii() and references.isascii():
            continue  # no accents and no curly quotes
        if not normalizes:
            _warn(_form_note(predictions[:_SAMPLE_CHARACTERS], references[:_SAMPLE_CHARACTERS]), name)
        _warn(_quotes_note(predictions, references), name)

    _warn(_marks_note(references, first_corpus.references, "reference"))
    return bool(explanation)


def warn_of_set(texts: Sequence[Any], kind: Kind, name: str, config: BleuConfig, advice: str) -> None:
    """Warn of likely mistakes in texts that are compared with one another.

    `name`, `advice`: as for `_one_string_note`.
    """
    sample = _as_lines(texts)
    if kind == "ids":
        _warn_of_padding(texts, name)
    elif kind == "tokens":
        _warn(_one_string_note(sample, len(texts), name, advice))
    elif config.tokenizer in WORD_TOKENIZERS:
        _warn(_spaces_note(sample, str(config.tokenizer), name, names_language=False))


def _warn(note: str, system: str = "", *other_systems: str) -> None:
    """Warn, as in "'A' and 2 more: note". If the note is empty, do nothing."""
    if not note:
        return
    if system:
        more = f" and {len(other_systems)} more" if other_systems else ""
        note = f"{short_repr(system)}{more}: {note}"
    warn(note)


def _weights_note(configs: Sequence[BleuConfig]) -> str:
    """Return a warning if the weights of a configuration do not sum to 1; otherwise ""."""
    for config in configs:
        weights = config.weights
        if weights is None:  # equal weights
            continue
        total = sum(weights)
        if abs(total - 1) <= _ROUNDING_OF_WEIGHTS:
            continue

        advice = "weights that sum to 1"
        if total > 0 and len(weights) <= _MOST_WEIGHTS_SHOWN:
            scaled = [round(weight / total, 4) for weight in weights]
            advice = typed("weights", scaled)
        return f"the weights sum to {total:.4g} instead of 1, so the score is not a mean of precisions: pass {advice}"
    return ""


def _empty_note(rows: Rows, name: str, nested: bool = False) -> str:
    """Return a note such as "2 of 9 predictions are empty", or "" if no text is empty or only whitespace.

    `name`: "prediction" or "reference". `nested`: whether a row is a list of texts.
    """
    texts = [
        (index, text)
        for index, row in enumerate(python_rows(rows))
        for text in (row if nested else [row])
        if not is_missing(text)
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


def _marks_note(sample: str, rows: Rows, name: str) -> str:
    """Return a warning if the rows contain one of `_MARKS`; otherwise "". `name`: "prediction" or "reference".

    `sample`: the text of some rows. All rows are searched only if the sample contains a mark.
    """
    for mark in _MARKS:
        if mark.sign not in sample or not re.search(mark.pattern, sample):
            continue

        lines = ("\n".join(_strings([row])) for row in python_rows(rows))
        matches = [(index, match[0]) for index, line in enumerate(lines) if (match := re.search(mark.pattern, line))]
        if len(matches) > mark.least_share * len(rows):
            first, example = matches[0]
            verb = "contains" if len(matches) == 1 else "contain"
            return (
                f"{len(matches):,} of {amount(len(rows), name)} {verb} {mark.name} such as {short_repr(example)}; the "
                f"first is {row_of(f'{name}s', first)}: {mark.advice}"
            )
    return ""


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


# --- Reading a sample -----------------------------------------------------------------------------------------------


def _as_lines(rows: Rows) -> str:
    r"""Return the strings of at most 50 evenly spaced rows, one per line: [["a", "b"], ["c"]] -> "a\nb\nc\n"."""
    step = math.ceil(len(rows) / _SAMPLE_SEGMENTS)
    # Not rows[::step], because stored rows and Arrow's string views cannot be sliced with a step
    sample = [rows[index] for index in range(0, len(rows), step)]
    strings = _strings([row.as_py() for row in sample] if is_arrow(rows) else sample)
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


# --- Texts that do not fit the tokenizer ----------------------------------------------------------------------------


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


def _language_of(characters: str) -> str:
    """Return the language whose script has most of the characters, such as "th"."""
    counts = {language: len(re.findall(f"[{script}]", characters)) for language, script in _SCRIPTS.items()}
    # 5 % kana are enough, because Japanese texts mix kana with Chinese characters
    if counts["ja"] >= _LEAST_SHARE_OF_KANA * len(characters):
        return "ja"
    return max(counts, key=counts.__getitem__)


def _tokenized_note(predictions: str, n_segments: int) -> str:
    """Return a warning if most predictions end in " ." and the corpus has at least 100 segments; otherwise "".

    `predictions`: a sample of the predictions, one per line. `n_segments`: number of segments of the corpus.
    """
    least_tokenized = _LEAST_TOKENIZED_SHARE * predictions.count("\n")
    if n_segments < _LEAST_TOKENIZED_SEGMENTS or predictions.count(" .\n") < least_tokenized:
        return ""
    return (
        "most predictions end in ' .', as tokenized text does: detokenize them; or, if the references are tokenized in "
        f"the same way, pass {typed('tokenizer', 'none')}"
    )


# --- Different spellings --------------------------------------------------------------------------------------------


def _form_note(predictions: str, references: str) -> str:
    """Return a warning if only the predictions or only the references are in the Unicode form NFD; otherwise "".

    The letter "é" is one character in NFC and two characters in NFD.
    """
    if is_normalized("NFC", predictions) == is_normalized("NFC", references):
        return ""  # the usual case, found in 1 µs; the comparison of lines below takes 30 µs

    side_of = {_form_of(predictions): "predictions", _form_of(references): "references"}
    if side_of.keys() != {"NFC", "NFD"}:
        return ""  # a form is not clear, or both are the same

    return (
        f"the {side_of['NFC']} are in the Unicode form NFC and the {side_of['NFD']} in NFD, so that equal "
        f"words differ: pass {typed('normalization', 'NFC')}"
    )


def _form_of(text: str) -> str:
    """Return the Unicode form of a text: "NFC", "NFD", or "" if the text has few accents or both forms."""
    lines = text.splitlines()
    # A line that is not in NFD has composed characters; a line that is not in NFC has decomposed ones
    composed = sum(not is_normalized("NFD", line) for line in lines)
    decomposed = sum(not is_normalized("NFC", line) for line in lines)
    return _only_style({"NFC": composed, "NFD": decomposed})


def _quotes_note(predictions: str, references: str) -> str:
    """Return a warning if the quotes are curly in the predictions and straight in the references, or vice versa."""
    for straight, curly in _CURLY.items():  # `curly`: a string of several characters
        side_of = {
            _quotes_of(predictions, straight, curly): "predictions",
            _quotes_of(references, straight, curly): "references",
        }
        if side_of.keys() == {"curly", "straight"}:
            all_lines = {"predictions": predictions, "references": references}[side_of["curly"]].splitlines()
            n_curly = sum(not set(curly).isdisjoint(line) for line in all_lines)
            return (
                f"the {side_of['curly']} have curly quotes ({' '.join(curly)}; in {n_curly} of {len(all_lines)} "
                f"sampled texts) and the {side_of['straight']} straight ones, which never match: to see how much this "
                "changes, also score copies of all files in which all quotes are straight. Published scores are those "
                "of unchanged texts"
            )
    return ""


def _quotes_of(text: str, straight: str, curly: str) -> str:
    """Return the style of a text's quotes: "curly", "straight", or "" if the quotes are few or mixed."""
    return _only_style({"curly": sum(map(text.count, curly)), "straight": text.count(straight)})


def _only_style(counts: Mapping[str, int]) -> str:
    """Return the style if it is the only one and occurs at least 5 times; otherwise "".

    >>> _only_style({"curly": 7, "straight": 0}), _only_style({"curly": 7, "straight": 1})
    ('curly', '')
    """
    styles = [style for style, count in counts.items() if count]
    is_clear = len(styles) == 1 and counts[styles[0]] >= _LEAST_EVIDENCE
    return styles[0] if is_clear else ""


# --- Lists of strings that are not the references of one segment ----------------------------------------------------


def _warn_of_rows(corpus: Corpus) -> None:
    """Warn if the first rows look split into words, transposed, or padded."""
    if corpus.kind == "text" and corpus.nested:
        _warn_of_words_and_streams(corpus.predictions, corpus.references)
    if corpus.kind == "ids":
        _warn_of_padding(corpus.predictions, "predictions")
        if not corpus.nested:
            _warn_of_padding(corpus.references, "references")


def _warn_of_words_and_streams(predictions: Rows, references: Rows) -> None:
    """Warn if references look split into words, such as [["the", "cat", "sat"]], or transposed as in sacrebleu."""
    # Nothing to check for one reference per segment, or for an Arrow column
    if not is_list(references[0]) or len(references[0]) == 1:
        return

    texts: Sequence[Any] = predictions[:_FIRST_SEGMENTS]
    rows: Sequence[Any] = references[:_FIRST_SEGMENTS]
    if not is_list_of(texts, str) or not all(is_list_of(row, str) for row in rows):
        return

    if _are_words_of(texts, rows):
        n_words = len(rows[0])
        warn(
            f"segment 0 has a list of {n_words} single words, so it has {n_words} references of one word. "
            "Pass each reference as one string, as in ' '.join(words)"
        )
        return

    # Transposed lists have one entry per prediction
    have_fitting_lengths = all(len(row) == len(predictions) for row in rows)
    if have_fitting_lengths and _are_transposed(texts, rows):
        warn(_STREAMS)


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


# --- Padding --------------------------------------------------------------------------------------------------------


def _warn_of_padding(rows: Rows, name: str) -> None:
    """Warn if rows of token ids look padded, such as [[1, 2, 3, 4], [1, 0, 0, 0]]."""
    sample: Sequence[Any] = rows[:_FIRST_SEGMENTS]
    lists = [row.tolist() if is_array(row) else row for row in sample if is_list(row)]
    types = {type(item) for row in lists for item in row}
    if types != {int}:
        return

    pad = _padding_of(lists)
    if pad is not None:
        warn(
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
