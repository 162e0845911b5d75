"""Detect likely mistakes in the input, such as transposed references or padding, and warn or raise an error."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any

from ._arrow import ArrowRows
from ._validation import is_array, is_list, is_missing, short_repr, warn

Rows = Sequence[Any] | ArrowRows

_LOOKED_AT = 20  # number of segments that are checked
_MARGIN = 0.25  # warn if the share of common words is larger, or grows by more when references are transposed


def advice_on_item(item: Any) -> str:
    """Return advice on what to pass instead of an item whose type is wrong.

    >>> advice_on_item({"text": "a b"})
    "pass one of its fields, as in [row['text'] for row in rows]"
    """
    if is_missing(item):
        return "for a missing text, pass an empty one: '' for a string, [] for a list"
    if isinstance(item, bytes):
        return "decode it, as in text.decode()"
    if isinstance(item, dict):
        field = next((name for name, value in item.items() if isinstance(value, str)), "text")
        return f"pass one of its fields, as in [row[{short_repr(field)}] for row in rows]"
    if isinstance(item, (set, frozenset)) or hasattr(item, "__next__"):
        return "pass a list instead"
    return "all predictions and references must be of one kind: strings, lists of tokens, or lists of token ids"


def look_for_mistakes(predictions: Rows, references: Rows, kind: str, nested: bool) -> None:
    """Check the first segments of a corpus for mistakes. `kind` and `nested` are fields of `Layout`.

    Raise ``TypeError`` if predictions and references are swapped, or if only the predictions are tokenized. Warn if the
    words of a reference seem to be passed as separate references, if the references look like sacrebleu's streams (one
    list per set of references), or if rows of token ids look padded.
    """
    if isinstance(predictions, (list, tuple)) and isinstance(references, (list, tuple)):
        if _is_filled(predictions[0]):
            _refuse_swapped_arguments(predictions[0], references[0])
        else:
            _look_at_texts(predictions, references)
    if kind == "ids":
        _warn_of_padding(predictions, "predictions")
        _warn_of_padding(references, "references")
    if kind == "tokens" and not nested:
        _refuse_texts_for_tokens(predictions, references)


def _look_at_texts(predictions: Sequence[Any], references: Sequence[Any]) -> None:
    """Warn if the references look like lists of words, or like sacrebleu's streams.

    Check nothing if the first segment has only one reference.
    """
    texts, rows = predictions[:_LOOKED_AT], references[:_LOOKED_AT]
    if not _is_list_of_texts(texts) or not all(map(_is_list_of_texts, rows)) or len(rows[0]) < 2:
        return
    if all(map(_is_list_of_words, rows)) and _are_words_of(texts, rows):
        warn(
            f"segment 0 has a list of {len(rows[0])} single words, so it has {len(rows[0])} references of one word. "
            "Pass each reference as one string, as in ' '.join(words)",
        )
    elif all(len(row) == len(predictions) for row in references) and _are_streams(texts, references):
        warn(
            "references look transposed: they look like sacrebleu's streams, with one list for each set of "
            "references. Here, each list must hold the references of one segment: try list(zip(*references))",
        )


def _refuse_texts_for_tokens(predictions: Rows, references: Rows) -> None:
    """Raise ``TypeError`` if every string of `references[0]` has a space, but no token of `predictions[0]` has one."""
    prediction, reference = _first_row(predictions), _first_row(references)
    if not all(_is_filled(row) or (is_array(row) and row.size) for row in (prediction, reference)):
        return
    if all(map(_has_space, reference)) and not any(map(_has_space, prediction)):
        raise TypeError(
            "predictions[0] is a list of tokens, but references[0] is a list of strings with spaces: pass both as "
            "strings, or split each reference into tokens, as in reference.split(). If the strings are tokens, pass "
            "references=[[tokens] for tokens in references]"
        )


def _has_space(text: Any) -> bool:
    """Return whether the value is a string with a space."""
    return isinstance(text, str) and " " in text


def _first_row(rows: Rows) -> Any:
    if not isinstance(rows, ArrowRows):
        return rows[0]
    with suppress(UnicodeDecodeError):  # a later check raises an error that names the row
        return rows[0].as_py()
    return None


def _warn_of_padding(rows: Any, name: str) -> None:
    """Warn if rows of token ids look padded: all rows have the same length, and one id occurs only at their ends."""
    if len(rows) < 2 or not is_list(rows[0]):
        return
    pad = _find_padding(rows[:_LOOKED_AT])
    if pad is not None:
        warn(
            f"{name} look like padded rows: the id {pad} occurs only at their ends, but is scored as a token; "
            f"remove it with bleu_metric.remove_padding({name}, pad_id={pad})",
        )


def _find_padding(rows: Sequence[Any]) -> int | None:
    """Return the id that pads all rows to the same length; None if no id does.

    The padding occurs only at the ends of rows, at least three times in some row, and not equally often in all rows.
    """
    if not all(map(is_list, rows)) or len({*map(len, rows)}) > 1 or len(rows[0]) < 3:
        return None
    rows = [row.tolist() if is_array(row) else list(row) for row in rows]
    if not all(type(item) is int for row in rows for item in row):
        return None  # comparing objects of other types may return something else than a Boolean
    pad = next((row[-1] for row in rows if row[-3:] == 3 * row[-1:]), None)
    if pad is None:
        return None
    anywhere = [row.count(pad) for row in rows]
    at_the_end = [len([*takewhile(lambda item: item == pad, reversed(row))]) for row in rows]
    occurs_elsewhere = anywhere != at_the_end
    occurs_equally_often = len({*at_the_end}) == 1
    return None if occurs_elsewhere or occurs_equally_often else pad


def _is_filled(row: Any) -> bool:
    """Return whether a row is a list or a tuple with at least one item."""
    return isinstance(row, (list, tuple)) and len(row) > 0


def _is_list_of_texts(row: Any) -> bool:
    """Return whether a row is a list or a tuple with at least one item, and all items are strings."""
    return _is_filled(row) and all(isinstance(text, str) for text in row)


def _is_list_of_words(row: Sequence[str]) -> bool:
    """Return whether a row has only single words, and at least three different ones.

    Three are required, because a single word rarely has three spellings.
    """
    return len({text.lower() for text in row}) > 2 and all(len(text.split()) == 1 for text in row)


def _are_words_of(texts: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the words in each row look like the words of its text.

    Most texts must have several words. On average, a text and its row must have enough words in common.
    """
    shares = [_shared_words(text, " ".join(row)) for text, row in zip(texts, rows, strict=True) if " " in text]
    return len(shares) > len(texts) / 2 and sum(shares) > _MARGIN * len(shares)


def _refuse_swapped_arguments(prediction: Sequence[Any], reference: Any) -> None:
    """Raise ``TypeError`` if the references seem to be passed first, as NLTK expects them."""
    several_texts = isinstance(reference, str) and any(map(_has_space, prediction))
    several_tokens = _is_list_of_texts(prediction[0]) and _is_list_of_texts(reference)
    if several_texts or several_tokens:
        raise TypeError(
            "predictions[0] is a list of references, and references[0] is a single text, so the arguments are swapped: "
            "pass the predictions first, unlike in NLTK"
        )


def _are_streams(texts: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Return whether the texts share far more words with the transposed references than with the given ones."""
    pairs = [(row, column) for row in range(len(texts)) for column in range(len(texts)) if row != column]
    if not pairs:
        return False
    as_given = [_shared_words(texts[row], references[row][column]) for row, column in pairs]
    exchanged = [_shared_words(texts[row], references[column][row]) for row, column in pairs]
    return sum(exchanged) > sum(as_given) + _MARGIN * len(pairs)


def _shared_words(text: str, other: str) -> float:
    """Return the share of all words that occur in both texts, 0 to 1. If `text` has no space, compare characters."""
    words, others = (set(each.split() if " " in text else each) for each in (text, other))
    return len(words & others) / max(len(words | others), 1)
