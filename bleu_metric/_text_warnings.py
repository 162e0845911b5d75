"""Warnings about the content of texts: empty or tokenized predictions, a wrong tokenizer, different spellings.

Every function that scores a corpus calls `warn_of_scores` or `warn_of_texts` once. Both read a sample of 50 segments.
This takes about 1 % of the time to score 2,000 segments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any
from unicodedata import is_normalized

from ._arrow import ArrowRows, arrow_compute, without_encodings
from ._config import BleuConfig
from ._corpus import Corpus
from ._display import amount
from ._languages import advice_on_spaces
from ._mistakes import Rows
from ._score import BleuScore
from ._validation import short_repr, warn
from ._zero_score import why_zero

_SIDES = ("predictions", "references")
_SAMPLE = 50  # segments
_LOOKED_AT = 2000  # slow checks read only this many characters of the sample
_FEW = 5  # fewer quotes, or fewer segments with accents, prove nothing
_NEARLY_ALL = 0.9  # share of the lines with accents that must have the same Unicode form
_MOST_SHOWN = 6  # a message shows at most this many weights
_ROUNDING = 0.005  # weights may be rounded: the sum of 0.333, 0.333 and 0.333 differs from 1 by less than this
_TOKENIZED_END, _TOKENIZED_SEGMENTS = " .\n", 100  # sacrebleu 2.6.0 warns if 100 predictions end in " ."
_TOKENIZED_SHARE = 0.1  # in ordinary text, a smaller share of the segments ends in " ."
_TOKENIZED_NOTE = (
    "100 or more predictions end in ' .', as tokenized text does: detokenize them; or, if the references are tokenized "
    "in the same way, pass tokenizer='none'"
)
_OF_WORDS = ("13a", "13a-unpadded", "intl", "whitespace", "none", "words-and-signs")  # they need spaces between words
_OF_SENTENCES = ("13a", "13a-unpadded", "intl")  # of _OF_WORDS, those that split punctuation off
_SCRIPTS = {  # language that is written without spaces -> the characters of its script
    "ja": "\u3040-\u30ff",  # kana
    "zh": "\u3400-\u4dbf\u4e00-\u9fff",
    "th": "\u0e00-\u0e7f",
    "lo": "\u0e80-\u0eff",
    "bo": "\u0f00-\u0fff",
    "my": "\u1000-\u109f",
    "km": "\u1780-\u17ff",
}
_CHARACTER = f"[{''.join(_SCRIPTS.values())}]"  # compiled only when a text needs it
_LEAST_BYTES = 2  # UTF-8 bytes per character: a text with a lower mean is not in these scripts, whose characters have 3
_LEAST_SHARE = 0.5  # at least this share of a text must be characters of these scripts
_LEAST_KANA = 0.05  # share of kana that distinguishes Japanese from Chinese
_LONGEST_WORD = {"ja": 4, "zh": 4}  # largest mean number of characters per word; more means text without spaces
_LONGEST_OTHER_WORD = 9
_CURLY = {'"': "\u201c\u201d\u201e", "'": "\u2018\u2019"}


def warn_of_scores(
    corpora: Mapping[str, Corpus],
    configs: Sequence[BleuConfig],
    scores: Mapping[str, BleuScore],
    accepts_tokenized: bool = False,
) -> None:
    """Warn of likely mistakes in texts, of a score of 0, and of empty predictions.

    Args:
        corpora: the corpus of each system by its name. A single system may have the name "".
        configs: the configurations that were scored.
        scores: the score of each system by its name; empty if a score of 0 needs no warning, as with several
            configurations.
        accepts_tokenized: do not warn of tokenized predictions. It is sacrebleu's option ``force``.
    """
    systems_of: dict[str, list[str]] = {}
    for name, score in scores.items():
        cause = why_zero(score, configs[0])
        if cause:
            systems_of.setdefault(cause, []).append(name)
    is_pair = len(next(iter(corpora.values())).references) == 1
    if is_pair and not systems_of and len(configs) == 1 and configs[0].weights is None:
        return  # the checks below would find nothing, but take 0.5 µs
    explains_zeros = warn_of_texts(corpora, configs, bool(systems_of), accepts_tokenized)
    for message, names in systems_of.items() if not explains_zeros else ():
        warn(_of_system(message, *names))
    for name, corpus in corpora.items():
        note = empty_note(corpus.predictions)
        if note:
            warn(_of_system(note, name))


def warn_of_texts(
    corpora: Mapping[str, Corpus],
    configs: Sequence[BleuConfig],
    has_zeros: bool = False,
    accepts_tokenized: bool = False,
) -> bool:
    """Warn of likely mistakes in weights and texts. Return whether missing spaces between words explain scores of 0.

    `has_zeros`: whether a score is 0. If there is only one segment, its texts are checked only if a score is 0, because
    users score single pairs in loops, which must be fast. The other arguments are those of `warn_of_scores`.
    """
    weights_note = next(filter(None, map(_weights_note, configs)), "")
    if weights_note:
        warn(weights_note)
    first = next(iter(corpora.values()))
    is_pair = len(first.predictions) == 1
    if first.layout.kind == "ids" or (is_pair and not has_zeros):
        return False
    of_words = [config.tokenizer for config in configs if config.tokenizer in _OF_WORDS]
    tokenizer = str(of_words[0]) if of_words and first.layout.kind == "text" else ""
    references = _side(first, "references", _SAMPLE)
    spaces_note = _spaces_note(references[:_LOOKED_AT], tokenizer)
    if spaces_note:
        warn(spaces_note)
    expects_sentences = tokenizer in _OF_SENTENCES and not accepts_tokenized
    normalizes = all(config.normalization != "none" for config in configs)
    for name, corpus in corpora.items():
        predictions = _side(corpus, "predictions", _SAMPLE)
        if expects_sentences and _is_tokenized(corpus, predictions):
            warn(_of_system(_TOKENIZED_NOTE, name))
        for note in _spelling_notes(predictions, references, normalizes):
            warn(_of_system(note, name))
    return bool(spaces_note)


def _of_system(note: str, name: str, *others: str) -> str:
    """Return a note with the systems in front, as in ``"'A' and 2 more: …"``. If `name` is "", return only the note."""
    if not name:
        return note
    more = f" and {len(others)} more" if others else ""
    return f"{short_repr(name)}{more}: {note}"


def _weights_note(config: BleuConfig) -> str:
    """Return a warning about weights that do not sum to 1, or "" if they do."""
    if config.weights is None:
        return ""
    for weights in config.weight_lists:
        total = sum(weights)
        if abs(total - 1) > _ROUNDING:
            remedy = "pass weights that sum to 1"
            if total > 0 and len(weights) <= _MOST_SHOWN:
                remedy = f"pass weights={[round(weight / total, 4) for weight in weights]}"
            return f"the weights sum to {total:.4g} instead of 1, so the score is not a mean of precisions: {remedy}"
    return ""


def empty_note(predictions: Rows) -> str:
    """Return a note with the number of predictions that are empty or only whitespace.

    Return "" if there are none, or if there is only one prediction.
    """
    if len(predictions) == 1:
        return ""
    empty = _are_empty(predictions)
    number = sum(empty)
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    sizes = f"{number:,} of {amount(len(empty), 'prediction')} {verb} empty"
    return f"{sizes}; the first is predictions[{empty.index(True)}]"


def _are_empty(rows: Rows) -> list[bool]:
    """Return one flag per row: True for an empty list, and for a text that is empty or only whitespace."""
    if not isinstance(rows, ArrowRows):
        listed: Sequence[Any] = rows
        return [not row or row.isspace() if isinstance(row, str) else not len(row) for row in listed]
    functions = arrow_compute()
    flags = []
    for chunk in map(without_encodings, rows.column.chunks):
        # Do not write `lengths == 0`: to convert the Python number 0, Arrow would import pandas
        lengths = functions.list_value_length(chunk) if rows.depth else functions.binary_length(chunk)
        is_empty = functions.invert(lengths.cast("bool"))
        flags.append(is_empty if rows.depth else functions.or_(is_empty, functions.utf8_is_space(chunk)))
    return [flag for chunk in flags for flag in chunk.to_pylist()]


# --- Reading a sample -----------------------------------------------------------------------------------------------


def _side(corpus: Corpus, name: str, size: int) -> str:
    """Return the strings of up to `size` evenly spread rows as one text with a string on each line.

    `name`: "predictions" or "references". The strings are texts, or tokens if the rows are lists of tokens.
    """
    rows: Rows = getattr(corpus, name)
    step = math.ceil(len(rows) / size)
    if not isinstance(rows, ArrowRows):
        chosen: Any = rows[::step]
    elif step == 1:
        chosen = rows.column.to_pylist()
    else:  # Arrow slices columns of string views only without a step
        chosen = [rows.column[place].as_py() for place in range(0, len(rows), step)]
    are_tokens = corpus.layout.kind != "text"
    are_lists = name == "references" and corpus.layout.nested
    try:
        texts = chosen
        for _ in range(are_tokens + are_lists):
            texts = chain.from_iterable(texts)
        return "\n".join(texts) + "\n"
    except TypeError:  # a reference is missing, or a list contains arrays
        return "\n".join(_strings(chosen)) + "\n"


def _strings(items: Any) -> Iterator[str]:
    """Yield the strings in nested lists, and skip everything else."""
    for item in items:
        if isinstance(item, str):
            yield item
        elif hasattr(item, "__iter__"):
            yield from _strings(item)


# --- Texts that do not fit the tokenizer ----------------------------------------------------------------------------


def _spaces_note(text: str, tokenizer: str) -> str:
    """Return a warning if the tokenizer needs spaces between words, but the text has none; otherwise "".

    `tokenizer`: a tokenizer that needs spaces, or "" for all others.
    """
    if not tokenizer or text.isascii() or len(text.encode()) < _LEAST_BYTES * len(text):
        return ""
    found = len(re.findall(_CHARACTER, text))
    if found < _LEAST_SHARE * len(text):
        return ""
    numbers = {language: len(re.findall(f"[{characters}]", text)) for language, characters in _SCRIPTS.items()}
    has_kana = numbers["ja"] >= _LEAST_KANA * found
    language = "ja" if has_kana else max(numbers, key=numbers.__getitem__)
    longest_word = _LONGEST_WORD.get(language, _LONGEST_OTHER_WORD)
    has_spaces = found <= longest_word * len(text.split())
    return "" if has_spaces else advice_on_spaces(language, tokenizer)


def _is_tokenized(corpus: Corpus, sample: str) -> bool:
    """Return whether 100 or more predictions end in " .". Count them only if 10 % of the sample do."""
    segments = len(corpus.predictions)
    if sample.count(_TOKENIZED_END) < _TOKENIZED_SHARE * min(_SAMPLE, segments):
        return False
    all_predictions = _side(corpus, "predictions", segments)
    return all_predictions.count(_TOKENIZED_END) >= _TOKENIZED_SEGMENTS


# --- Different spellings --------------------------------------------------------------------------------------------


def _spelling_notes(predictions: str, references: str, normalizes: bool) -> Iterator[str]:
    """Yield a warning for each difference in spelling.

    `normalizes`: whether the tokenization converts all texts to one Unicode form, so that their forms have no effect.
    """
    if predictions.isascii() and references.isascii():
        return
    form = "" if normalizes else _form_note(predictions[:_LOOKED_AT], references[:_LOOKED_AT])
    yield from filter(None, (form, _quotes_note(predictions, references)))


def _form_note(predictions: str, references: str) -> str:
    """Return a warning if one side is in the Unicode form NFC and the other in NFD; otherwise "".

    In NFC, a letter and its accent are one character. In NFD, they are two.
    """
    if is_normalized("NFC", predictions) == is_normalized("NFC", references):
        return ""  # the usual case, found in 1 µs; the comparison of lines below takes 15 µs
    side_of_form = {_form_of(predictions): "predictions", _form_of(references): "references"}
    if side_of_form.keys() != {"NFC", "NFD"}:
        return ""
    return (
        f"the {side_of_form['NFC']} are in the Unicode form NFC and the {side_of_form['NFD']} in NFD, so that equal "
        "words differ: pass normalization='NFC'"
    )


def _form_of(text: str) -> str:
    """Return the Unicode form, "NFC" or "NFD", that nearly all lines with accents have; "" if they are few or mixed."""
    lines = [line for line in text.splitlines() if not line.isascii()]
    composed = sum(not is_normalized("NFD", line) for line in lines)
    decomposed = sum(not is_normalized("NFC", line) for line in lines)
    least = max(_FEW, _NEARLY_ALL * (composed + decomposed))
    if composed >= least:
        return "NFC"
    return "NFD" if decomposed >= least else ""


def _quotes_note(predictions: str, references: str) -> str:
    """Return a warning if one side has only curly quotes and the other only straight quotes; otherwise ""."""
    texts = {"predictions": predictions, "references": references}
    for curly_side, other in (_SIDES, _SIDES[::-1]):
        signs = []
        for sign, curly in _CURLY.items():
            if _has_only(curly, texts[curly_side], sign) and _has_only(sign, texts[other], curly):
                signs.append(sign)
        if signs:
            shown = " ".join(chain.from_iterable(map(_CURLY.__getitem__, signs)))
            return (
                f"the {curly_side} have curly quotes ({shown}) and the {other} straight ones, which never match; to "
                f"ignore the difference, replace them with {' and '.join(signs)} in the {curly_side}"
            )
    return ""


def _has_only(quotes: str, text: str, others: str) -> bool:
    """Return whether a text has at least 5 of the characters `quotes`, and none of the characters `others`."""
    if any(sign in text for sign in others) or not any(sign in text for sign in quotes):
        return False
    return sum(map(text.count, quotes)) >= _FEW
