"""Conversion of the caller's input to segments of texts, then to token ids. Each text is tokenized once.

A segment is a set of texts that are compared with one another: the candidates of one source sentence, with their
references. Segments are read in chunks, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._arrow import ArrowRows
from .._config import BleuConfig
from .._corpus import as_rows as as_checked_rows
from .._counting import ids_in_segments, tokenize_batch
from .._labels import Label, factorize_labels
from .._lists import read_lists
from .._reading import Origin
from .._validation import Ints, first_leaf, is_list, is_missing, short_repr

_TEXTS_PER_CHUNK = 4000
_DEEPEST = 3  # levels of lists: a batch of segments, each a list of texts, each a list of tokens


class Segments(NamedTuple):
    """The texts of hypotheses or of references, one segment after another."""

    name: str
    kind: str  # "text", "tokens" or "ids"
    texts: list[Any]
    sizes: Ints  # (segments,): number of texts in each segment
    is_batch: bool  # True for a list of segments, False for one segment without a list around it
    first: int = 0  # index of the first segment in the caller's list
    order: Ints | None = None  # (texts,): index of each text in the caller's list; None: the same order

    def name_of(self, text: int) -> str:
        """Return the name of a text for errors, with the caller's indices, e.g. ``references[2][0]``."""
        if self.order is not None:
            return f"{self.name}[{self.order[text]}]"
        if not self.is_batch:
            return f"{self.name}[{self.first + text}]"
        ends = np.cumsum(self.sizes)
        segment = int(np.searchsorted(ends, text, side="right"))
        start = ends[segment] - self.sizes[segment]
        return f"{self.name}[{self.first + segment}][{text - start}]"

    def segment_of_text(self) -> Ints:
        """Return the index of each text's segment."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def by_group(self, order: Ints, sizes: Ints) -> Segments:
        """Build one segment per group. `order`: indices of texts, group by group; `sizes`: texts in each group."""
        texts = [self.texts[index] for index in order.tolist()]
        return self._replace(texts=texts, sizes=sizes, order=order)

    def part(self, segments: slice, texts: slice) -> Segments:
        """Return consecutive segments. `texts`: the indices of the texts that belong to them."""
        order = None if self.order is None else self.order[texts]
        return self._replace(texts=self.texts[texts], sizes=self.sizes[segments], first=segments.start, order=order)


def starts_of(sizes: Ints) -> Ints:
    """Return the index of the first item of each group, for groups of these sizes that are listed one after another.

    >>> starts_of(np.array([2, 1, 3]))
    array([0, 2, 3])
    """
    starts: Ints = np.cumsum(sizes) - sizes
    return starts


class TokenIds(NamedTuple):
    """The tokens of all texts as ids. Equal tokens of a segment have equal ids; all other tokens have different ids."""

    ids: Ints  # (tokens,): a token's id is the index in this array of the segment's last equal token
    lengths: Ints  # (texts,): number of tokens in each text


def as_rows(values: Any, name: str) -> Sequence[Any]:
    """Read a list, tuple, array, tensor or column as a sequence; raise ``TypeError`` for other values."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values.to_pylist()  # type: ignore[no-any-return]
    rows = as_checked_rows(values, name)
    if isinstance(rows, ArrowRows):
        return rows.column.to_pylist()  # type: ignore[no-any-return]
    return rows.tolist() if isinstance(rows, np.ndarray) else rows


def as_segments(values: Any, name: str) -> Segments:
    """Read one segment or a batch of segments. The depth of the lists shows which of the two it is.

    Strings: a list is one segment, a list of lists is a batch of segments, and a list of lists of lists is a batch of
    segments of token lists. Token ids: a list of lists is one segment, a list of lists of lists is a batch.
    """
    rows = as_rows(values, name)
    kind, depth = _find_kind(rows, name, _DEEPEST, "strings or of lists of token ids, or a list of such lists")
    if depth == (2 if kind == "ids" else 1):
        return _list_texts(name, kind, [rows], is_batch=False)
    for index, row in enumerate(rows):
        if not is_list(row):
            raise TypeError(
                f"{name}[{index}] is {short_repr(row)}, but the other segments are lists: give each segment as a list"
            )
    return _list_texts(name, kind, rows, is_batch=True)


def as_batch(values: Any, name: str, what: str) -> Segments:
    """Read a list of texts per segment. Raise ``TypeError`` for a flat list; `what`: its word for the texts."""
    segments = as_segments(values, name)
    if not segments.is_batch:
        raise TypeError(f"{name} must hold a list of {what} per segment; for one segment try {name}=[{name}]")
    return segments


def flat_texts(values: Any, name: str) -> Segments:
    """Read the texts of one segment: a list of strings, of lists of tokens, or of lists of token ids."""
    rows = as_rows(values, name)
    kind, _ = _find_kind(rows, name, 2, "strings, of lists of tokens or of lists of token ids")
    return _list_texts(name, kind, [rows], is_batch=False)


def as_references(values: Any, candidates: Segments) -> Segments:
    """Read one or more references per segment of candidates; leave out references that are None."""
    rows = as_rows(values, "references")
    _, depth = first_leaf(rows, _DEEPEST + 1)
    is_nested = depth > (1 if candidates.kind == "text" else 2)
    segments = []
    for row in rows:
        texts = row if is_nested and is_list(row) else [row]
        segments.append([text for text in texts if not is_missing(text)])
    references = _list_texts("references", candidates.kind, segments, is_nested)
    check_same_number(candidates, references)
    return references


def check_same_number(left: Segments, right: Segments) -> None:
    """Raise ``ValueError`` if the numbers of segments differ."""
    ours, theirs = len(left.sizes), len(right.sizes)
    if ours != theirs:
        raise ValueError(f"{ours} segments of {left.name} but {theirs} of {right.name}; the numbers must be equal")


def number_groups(groups: Any, texts: int) -> tuple[list[Label], Ints]:
    """Return the different labels, and each text's group number. If `groups` is None, all texts are in group 0."""
    if groups is None:
        return [0], np.zeros(texts, np.int64)
    return factorize_labels(groups, texts)


def _list_texts(name: str, kind: str, segments: Sequence[Sequence[Any]], is_batch: bool) -> Segments:
    """Return the texts of all segments as `Segments`; raise ``ValueError`` for a segment without texts."""
    for index, texts in enumerate(segments):
        if not len(texts):
            where = f"{name}[{index}]" if is_batch else name
            raise ValueError(f"{where} is empty; give at least one text")
    all_texts = list(chain.from_iterable(segments))
    sizes = np.array([len(texts) for texts in segments], np.int64)
    return Segments(name, kind, all_texts, sizes, is_batch)


def _find_kind(rows: Sequence[Any], name: str, deepest: int, accepted: str) -> tuple[str, int]:
    """Return the kind of the texts and the number of list levels. Strings at level `deepest` are tokens, not texts."""
    leaf, depth = first_leaf(rows, _DEEPEST + 1)
    is_ids = leaf is not None and not isinstance(leaf, str)
    if depth > deepest or (is_ids and depth < 2):
        raise TypeError(f"{name} must be a list of {accepted}, got {short_repr(rows)}")
    of_strings = "tokens" if depth == deepest else "text"
    return "ids" if is_ids else of_strings, depth


def in_chunks(*sides: Segments) -> Iterator[tuple[Segments, ...]]:
    """Yield chunks of consecutive segments, as one `Segments` per argument.

    A chunk has up to 4,000 texts. A segment with more texts is a chunk of its own.
    """
    bounds = [np.append(0, np.cumsum(side.sizes)) for side in sides]  # where each segment's texts start
    texts_before = np.sum(bounds, axis=0)
    segments = len(sides[0].sizes)
    first = 0
    while first < segments:
        limit = texts_before[first] + _TEXTS_PER_CHUNK
        fitting = int(np.searchsorted(texts_before, limit, side="right")) - 1
        last = max(first + 1, fitting)
        chunk = []
        for side, starts in zip(sides, bounds, strict=True):
            texts = slice(starts[first], starts[last])
            chunk.append(side.part(slice(first, last), texts))
        yield tuple(chunk)
        first = last


def tokenize_segments(sides: Sequence[Segments], config: BleuConfig) -> TokenIds:
    """Read and tokenize the texts of all `sides`, in this order. Segments with different indices share no token ids."""
    kind = sides[0].kind
    read = []
    for side in sides:
        origin = Origin(side.name, 0, name_row=side.name_of)
        read.append(read_lists(side.texts, kind, False, origin, skip_missing=False))
    values = pa.concat_arrays([side.values for side in read])
    lengths = np.concatenate([side.lengths for side in read])
    tokens = tokenize_batch(kind, values, lengths, config._tokenization)
    segment_of_text = np.concatenate([side.segment_of_text() for side in sides])
    segments = np.repeat(segment_of_text, tokens.per_text)
    return TokenIds(ids_in_segments(kind, values, tokens, segments), tokens.per_text)
