"""Detect likely mistakes in the input, such as transposed references or padding, and warn or raise an error."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from ._texts import Kind, Rows, is_arrow, is_readable
from ._validation import is_array, is_list, warn

_SAMPLE_SEGMENTS = 20  # only the first segments are checked
_LEAST_PADDING_IDS = 3  # fewer equal ids at the end of a row prove nothing
_LEAST_DIFFERENT_WORDS = 3  # two words may be references of one word: two spellings of it
_SUSPICIOUS_SHARE = 0.25  # warn if texts share more of their words, or gain more when references are transposed
_STREAMS = (
    "references look transposed: they look like sacrebleu's streams, with one list for each set of references. Here, "
    "each list must hold the references of one segment: try list(zip(*references))"
)
_SWAPPED = (
    "predictions[0] is a list of references, and references[0] is a single text, so the arguments are swapped: pass "
    "the predictions first, unlike in NLTK"
)
_SWAPPED_OR_UNSPLIT = (
    "predictions[0] is a list of tokens, but references[0] is a single word. If the references were passed first, as "
    "in NLTK, the arguments are swapped: try sentence_bleu([hypothesis], [references]). If not, split each reference "
    "into tokens, as in reference.split()"
)
_LIST_OF_ONE = (
    "predictions[0] is a list of one string, but references[0] is a string: pass predictions=[row[0] for row in "
    "predictions]; or, if these lists are the references, pass the predictions first"
)
_UNSPLIT = (
    "predictions[0] is a list of tokens, but references[0] is a list of strings with spaces: pass both as strings, or "
    "split each reference into tokens, as in reference.split(). If the strings are tokens, pass "
    "references=[[tokens] for tokens in references]"
)


def look_for_mistakes(predictions: Rows, references: Rows, kind: Kind, nested: bool) -> None:
    """Check the first segments of a corpus for likely mistakes. Raise ``TypeError`` or warn if one is found.

    `nested`: whether each row of `references` is a list of references.
    """
    if kind == "text":
        _warn_of_words_and_streams(predictions, references)
    else:
        refuse_swapped_arguments(predictions, references)
    if kind == "tokens" and not nested:
        _refuse_unsplit_references(predictions, references)
    if kind == "ids":
        _warn_of_padding(predictions, "predictions")
        if not nested:
            _warn_of_padding(references, "references")


# --- Swapped arguments, and references that are not tokenized -------------------------------------------------------


def refuse_swapped_arguments(predictions: Rows, references: Rows) -> None:
    """Raise ``TypeError`` if the references seem to be passed first, as NLTK expects them. Both have at least a row."""
    prediction, reference = predictions[0], references[0]
    if not _is_filled(prediction):
        return

    # The arguments are swapped if the first prediction is a list of references: ["a cat", "the cat"] beside "a cat",
    # or [["a", "cat"], ["the", "cat"]] beside ["a", "cat"]
    are_references = isinstance(reference, str) and any(map(_has_space, prediction))
    are_tokenized_references = _is_list_of_strings(reference) and _is_list_of_strings(prediction[0])
    if are_references or are_tokenized_references:
        is_list_of_one = are_references and len(prediction) == 1
        raise TypeError(_LIST_OF_ONE if is_list_of_one else _SWAPPED)
    if _is_list_of_strings(prediction) and isinstance(reference, str) and not _has_space(reference):
        raise TypeError(_SWAPPED_OR_UNSPLIT)


def _refuse_unsplit_references(predictions: Rows, references: Rows) -> None:
    """Raise ``TypeError`` if every string of `references[0]` has a space, but no token of `predictions[0]` has one."""
    tokens = _first_strings(predictions)
    reference = _first_strings(references)
    if not tokens or not reference:
        return
    if all(map(_has_space, reference)) and not any(map(_has_space, tokens)):
        raise TypeError(_UNSPLIT)


def _first_strings(rows: Rows) -> list[Any]:
    """Return the items of the first row. Return [] if it is not a list, or has Arrow strings that are not UTF-8."""
    row = rows[0]
    if is_arrow(rows):
        row = row.as_py() if is_readable(row) else None  # a later check raises the error
    return list(row) if is_list(row) else []


def _is_filled(row: Any) -> bool:
    """Return whether a row is a list, a tuple or an array with at least one item."""
    return is_list(row) and len(row) > 0


def _is_list_of_strings(row: Any) -> bool:
    """Return whether a row is a list, a tuple or an array with at least one item, and all its items are strings."""
    return _is_filled(row) and all(isinstance(item, str) for item in row)


def _has_space(item: Any) -> bool:
    """Return whether the item is a string with a space."""
    return isinstance(item, str) and " " in item


# --- Lists of strings that are not the references of one segment ----------------------------------------------------


def _warn_of_words_and_streams(predictions: Rows, references: Rows) -> None:
    """Warn if the lists in `references` look like the words of one reference each, or like sacrebleu's streams."""
    texts: Sequence[Any] = predictions[:_SAMPLE_SEGMENTS]
    rows: Sequence[Any] = references[:_SAMPLE_SEGMENTS]
    if not _is_list_of_strings(texts) or not all(map(_is_list_of_strings, rows)):
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
    """Return whether each row looks like the words of a reference for its text.

    Then the user probably passed one tokenized reference per segment instead of a list of references. For example, the
    row ["a", "b", "d"] looks like the words of a reference for the text "a b c".

    Return True only if all rows consist of words, most texts have several words, and texts have enough words in common
    with their rows, on average.
    """
    if not all(map(_is_list_of_words, rows)):
        return False

    shares = []
    for text, row in zip(texts, rows, strict=True):
        if " " in text:
            reference = " ".join(row)
            shares.append(_shared_words(text, reference))

    most_have_several_words = len(shares) > len(texts) / 2
    if not most_have_several_words:
        return False
    mean_share = sum(shares) / len(shares)
    return mean_share > _SUSPICIOUS_SHARE


def _is_list_of_words(row: Sequence[str]) -> bool:
    """Return whether each string of a row is a single word, and at least three of the words are different."""
    different_words = {text.lower() for text in row}
    has_enough = len(different_words) >= _LEAST_DIFFERENT_WORDS
    return has_enough and all(len(text.split()) == 1 for text in row)


def _are_transposed(texts: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the texts share far more words with the transposed references than with the given ones.

    ``rows[i][j]`` should be a reference of ``texts[i]``. In transposed lists, it is a reference of ``texts[j]``.
    """
    gains = []
    # All pairs except i == j, where transposing changes nothing
    for i, j in permutations(range(len(texts)), 2):
        share_as_given = _shared_words(texts[i], rows[i][j])
        share_if_transposed = _shared_words(texts[i], rows[j][i])
        gains.append(share_if_transposed - share_as_given)
    return sum(gains) > _SUSPICIOUS_SHARE * len(gains)


def _shared_words(text: str, other: str) -> float:
    """Return the share (0 to 1) of the words of two texts that occur in both. Without spaces, compare characters.

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
    """Warn if rows of token ids look padded: all rows have the same length, and one id occurs only at their ends."""
    sample: Sequence[Any] = rows[:_SAMPLE_SEGMENTS]
    lists = [row.tolist() if is_array(row) else row for row in sample if is_list(row)]
    lengths = {len(row) for row in lists}
    types = {type(item) for row in lists for item in row}
    if len(lengths) != 1 or types != {int}:
        return

    pad = _padding_of(lists)
    if pad is not None:
        warn(
            f"{name} look like padded rows: the id {pad} occurs only at their ends, but is scored as a token; "
            f"remove it with bleu_metric.remove_padding({name}, pad_id={pad})"
        )


def _padding_of(rows: Sequence[Sequence[int]]) -> int | None:
    """Return the token id that pads the rows, or None if the rows do not look padded. The rows have the same length.

    A padding id fills the last three positions of a row. It occurs only at the ends of rows. It does not occur equally
    often in all rows. For example, the id 0 pads the rows [[1, 2, 3, 4], [1, 0, 0, 0]].
    """
    ends = [row[-_LEAST_PADDING_IDS:] for row in rows]
    candidates = [end[0] for end in ends if end.count(end[0]) == _LEAST_PADDING_IDS]
    if not candidates:
        return None
    pad = candidates[0]

    # The rows without the padding, if it occurs only at their ends
    beginnings = [row[: len(row) - row.count(pad)] for row in rows]
    if any(pad in beginning for beginning in beginnings):
        return None
    lengths = {len(beginning) for beginning in beginnings}
    return pad if len(lengths) > 1 else None
