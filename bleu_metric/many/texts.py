"""What a caller passes -> segments of texts -> token ids, each text tokenized once.

A segment is a set of texts that are compared with one another: the candidates of one source sentence, with their
references. Segments are read in chunks, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._arrow import Origin, Side
from .._config import BleuConfig
from .._corpus import is_list, read_lists
from .._counting import tokenize_batch
from .._ngrams import factorize, token_ids
from .._tokenize import Tokenization
from .._validation import Ints, short_repr

_TEXTS_PER_CHUNK = 4000
_DEEPEST = 3  # a batch of segments of lists of tokens


class Segments(NamedTuple):
    """Texts of one side, one segment after another."""

    name: str
    kind: str  # "text", "tokens" or "ids"
    texts: list[Any]
    sizes: list[int]  # texts of each segment
    is_batch: bool  # whether the caller gave several segments, or one without a list around it


class TokenIds(NamedTuple):
    """Tokens of texts one after another: equal tokens of a segment have equal ids, all others have different ones."""

    ids: Ints  # (tokens,): the last position of an equal token
    lengths: Ints  # (texts,): tokens of each text


def as_rows(values: Any, name: str) -> Sequence[Any]:
    """Take a list, tuple, array, tensor or column as a sequence; ``TypeError`` for anything else."""
    if isinstance(values, (list, tuple)):
        return values
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        rows: list[Any] = values.to_pylist()
        return rows
    if type(values).__module__.startswith("datasets."):
        return list(values[:])
    if hasattr(values, "tolist") and getattr(values, "ndim", 0) >= 1:
        return list(values.tolist())
    what = f"a string ({short_repr(values)})" if isinstance(values, str) else type(values).__name__
    raise TypeError(f"{name} must be a list of texts, or a list of such lists, got {what}; try {name}=[…]")


def as_segments(values: Any, name: str) -> Segments:
    """Find out by the depth of the lists whether these are one segment or several.

    Strings: a list is one segment, a list of lists is a batch of segments, and a list of lists of lists is a batch of
    segments of token lists. Token ids: a list of lists is one segment, a list of lists of lists is a batch.
    """
    rows = as_rows(values, name)
    leaf, depth = _first_leaf(rows)
    is_ids = leaf is not None and not isinstance(leaf, str)
    least = 2 if is_ids else 1
    if depth < least or depth > _DEEPEST:
        accepted = "lists of token ids" if is_ids else "texts"
        raise TypeError(f"{name} must be a list of {accepted}, or a list of such lists, got {short_repr(values)}")
    is_batch = depth > least
    kind = "ids" if is_ids else ("tokens" if depth == _DEEPEST else "text")
    segments = [_check_segment(row, f"{name}[{i}]") for i, row in enumerate(rows)] if is_batch else [rows]
    if not rows:
        raise ValueError(f"{name} is empty; give at least one text")
    texts = list(chain.from_iterable(segments)) if is_batch else list(rows)
    return Segments(name, kind, texts, list(map(len, segments)), is_batch)


def flat_texts(values: Any, name: str) -> Segments:
    """Take a list of texts, of lists of tokens, or of lists of token ids, as one segment."""
    rows = as_rows(values, name)
    leaf, depth = _first_leaf(rows)
    is_ids = leaf is not None and not isinstance(leaf, str)
    if depth > 2 or (is_ids and depth < 2):
        raise TypeError(
            f"{name} must be a list of strings, of lists of tokens or of lists of token ids, got {short_repr(values)}"
        )
    if not len(rows):
        raise ValueError(f"{name} is empty; give at least one text")
    kind = "ids" if is_ids else ("tokens" if depth == 2 else "text")
    return Segments(name, kind, list(rows), [len(rows)], False)


def as_references(values: Any, candidates: Segments) -> Segments:
    """Take one or more references per segment of candidates; None among them is left out."""
    rows = as_rows(values, "references")
    depth_of_text = 1 if candidates.kind == "text" else 2
    _, depth = _first_leaf(rows)
    segments = [_present(row) if depth > depth_of_text else [row] for row in rows]
    if len(segments) != len(candidates.sizes):
        raise ValueError(
            f"{len(candidates.sizes)} segments of {candidates.name}, but {len(segments)} of references; "
            "one entry each is needed"
        )
    for row, own in enumerate(segments):
        if not own or own[0] is None:
            raise ValueError(f"references[{row}] has no reference; every segment needs at least one")
    is_nested = depth > depth_of_text
    texts = list(chain.from_iterable(segments))
    return Segments("references", candidates.kind, texts, list(map(len, segments)), is_nested)


def _present(row: Any) -> list[Any]:
    return [text for text in row if text is not None] if is_list(row) else [row]


def _check_segment(row: Any, name: str) -> Sequence[Any]:
    if not is_list(row):
        raise TypeError(f"{name} is {short_repr(row)}, but the other segments are lists: give each segment as a list")
    if not len(row):
        raise ValueError(f"{name} is empty; every segment needs at least one text")
    return row  # type: ignore[no-any-return]


def _first_leaf(rows: Any, depth: int = 1) -> tuple[Any, int]:
    """Find the first value that is not a list, and how deep it lies; (None, deepest) where all lists are empty."""
    deepest = depth
    for row in rows:
        if not is_list(row):
            return row, depth
        if depth > _DEEPEST:
            return None, depth + 1
        leaf, found = _first_leaf(row, depth + 1)
        if leaf is not None:
            return leaf, found
        deepest = max(deepest, found)
    return None, deepest


def chunk_bounds(sizes: Sequence[int], limit: int = _TEXTS_PER_CHUNK) -> Iterator[tuple[int, int]]:
    """Group segments to chunks of about `limit` texts: (first segment, past the last)."""
    first, texts = 0, 0
    for segment, size in enumerate(sizes):
        if texts and texts + size > limit:
            yield first, segment
            first, texts = segment, 0
        texts += size
    if texts:
        yield first, len(sizes)


def read_texts(segments: Segments, first: int, last: int) -> tuple[pa.Array, Ints]:
    """Read the texts of some segments: their values, and the tokens of each text (of tokens and ids)."""
    starts = [0, *accumulate(segments.sizes)]
    try:
        side = _read(segments, starts[first], starts[last])
    except (TypeError, ValueError):
        for segment in range(first, last):  # to name the text as the caller knows it
            where = f"{segments.name}[{segment}]" if segments.is_batch else segments.name
            try:
                _read(segments, starts[segment], starts[segment + 1])
            except (TypeError, ValueError) as error:
                raise type(error)(str(error).replace(_NAME, where, 1)) from None
        raise
    return side.values, side.lengths


_NAME = "texts"  # not "references", where None would be left out


def _read(segments: Segments, start: int, end: int) -> Side:
    return read_lists(segments.texts[start:end], segments.kind, False, Origin(_NAME, 0))


def tokenize_texts(values: pa.Array, lengths: Ints, segment_of_text: Ints, kind: str, config: BleuConfig) -> TokenIds:
    """Tokenize texts and number their tokens; `segment_of_text`: tokens of different segments are never equal."""
    how = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
    data, starts, token_lengths, per_text = tokenize_batch(kind, values, lengths, how)
    segments = np.repeat(segment_of_text, per_text)
    if kind == "ids":
        return TokenIds(factorize(values.to_numpy().view(np.uint64), segments.view(np.uint64)), per_text)
    return TokenIds(token_ids(data, starts, token_lengths, segments), per_text)
