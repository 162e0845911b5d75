"""What a caller passes -> segments of texts -> token ids, each text tokenized once.

A segment is a set of texts that are compared with one another: the candidates of one source sentence, with their
references. Segments are read in chunks, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .. import _corpus
from .._arrow import ArrowRows, Origin, Side, refuse_rows_without_reference
from .._config import BleuConfig
from .._counting import tokenize_batch
from .._labels import Label, factorize_labels
from .._ngrams import factorize, token_ids
from .._tokenize import Tokenization
from .._validation import Ints, is_missing, short_repr

_TEXTS_PER_CHUNK = 4000
_DEEPEST = 3  # a batch of segments of lists of tokens


class Segments(NamedTuple):
    """Texts of one side, one segment after another."""

    name: str
    kind: str  # "text", "tokens" or "ids"
    texts: list[Any]
    bounds: Ints  # (segments + 1,): where the texts of each segment start; then the end
    is_batch: bool  # whether the caller passed several segments, or one without a list around it
    order: Ints | None = None  # (texts,): index of each text in what the caller passed; None: as listed here

    def name_of(self, text: int) -> str:
        """Name a text as the caller indexes it."""
        if not self.is_batch:
            index = text if self.order is None else self.order[text]
            return f"{self.name}[{index}]"
        segment = int(np.searchsorted(self.bounds, text, side="right")) - 1
        return f"{self.name}[{segment}][{text - self.bounds[segment]}]"

    @property
    def sizes(self) -> Ints:
        """How many texts each segment has."""
        return np.diff(self.bounds)

    def sizes_of(self, first: int, last: int) -> Ints:
        """Count the texts of each segment from `first` up to `last`."""
        return np.diff(self.bounds[first : last + 1])

    def segment_of_text(self, first: int, last: int) -> Ints:
        """Number the segments from `first` up to `last` from 0; return the segment of each of their texts."""
        return np.repeat(np.arange(last - first), self.sizes_of(first, last))

    def by_group(self, order: Ints, sizes: Ints) -> Segments:
        """Make each group of texts a segment; `order`: the texts, group by group; `sizes`: texts of each group."""
        texts = [self.texts[index] for index in order.tolist()]
        return self._replace(texts=texts, bounds=_bounds(sizes), order=order)


class TokenIds(NamedTuple):
    """Tokens of texts one after another: equal tokens of a segment have equal ids, all others have different ones."""

    ids: Ints  # (tokens,): the last position of an equal token
    lengths: Ints  # (texts,): tokens of each text


def as_rows(values: Any, name: str) -> Sequence[Any]:
    """Read a list, tuple, array, tensor or column as a sequence; ``TypeError`` for anything else."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        items: list[Any] = values.to_pylist()
        return items
    rows = _corpus.as_rows(values, name)
    if isinstance(rows, ArrowRows):
        return as_rows(rows.column, name)
    return rows.tolist() if isinstance(rows, np.ndarray) else rows


def as_segments(values: Any, name: str) -> Segments:
    """Read one segment or several; the depth of the lists shows which.

    Strings: a list is one segment, a list of lists is a batch of segments, and a list of lists of lists is a batch of
    segments of token lists. Token ids: a list of lists is one segment, a list of lists of lists is a batch.
    """
    rows = as_rows(values, name)
    kind, depth = _find_kind(rows, name, _DEEPEST, "strings or of lists of token ids, or a list of such lists")
    is_batch = depth > (2 if kind == "ids" else 1)
    if not is_batch:
        return _checked(_one_segment(name, kind, rows))
    for index, row in enumerate(rows):
        if not _corpus.is_list(row):
            raise TypeError(
                f"{name}[{index}] is {short_repr(row)}, but the other segments are lists: give each segment as a list"
            )
    return _checked(Segments(name, kind, list(chain.from_iterable(rows)), _bounds(map(len, rows)), True))


def as_batch(values: Any, name: str, what: str) -> Segments:
    """Read a list of texts for each segment; ``TypeError`` for the texts of one segment. `what`: what they are."""
    segments = as_segments(values, name)
    if not segments.is_batch:
        raise TypeError(f"{name} must hold a list of {what} per segment; for one segment try {name}=[{name}]")
    return segments


def flat_texts(values: Any, name: str) -> Segments:
    """Read a list of texts, of lists of tokens, or of lists of token ids, as one segment."""
    rows = as_rows(values, name)
    kind, _ = _find_kind(rows, name, 2, "strings, of lists of tokens or of lists of token ids")
    return _checked(_one_segment(name, kind, rows))


def as_references(values: Any, candidates: Segments) -> Segments:
    """Read one or more references per segment of candidates, without those that are None."""
    rows = as_rows(values, "references")
    _, depth = _first_leaf(rows)
    is_nested = depth > (1 if candidates.kind == "text" else 2)
    segments = []
    for row in rows:
        texts = row if is_nested and _corpus.is_list(row) else [row]
        segments.append([text for text in texts if not is_missing(text)])
    texts = list(chain.from_iterable(segments))
    references = Segments("references", candidates.kind, texts, _bounds(map(len, segments)), is_nested)
    check_same_number(candidates, references)
    refuse_rows_without_reference(references.sizes, 0)
    return references


def check_same_number(left: Segments, right: Segments) -> None:
    """Raise ``ValueError`` unless both sides have as many segments."""
    ours, theirs = len(left.sizes), len(right.sizes)
    if ours != theirs:
        raise ValueError(f"{ours} segments of {left.name}, but {theirs} of {right.name}; one each is needed")


def number_groups(groups: Any, texts: int) -> tuple[list[Label], Ints]:
    """Number the labels of texts as `factorize_labels` does; without labels, all texts are of group 0."""
    return ([0], np.zeros(texts, np.int64)) if groups is None else factorize_labels(groups, texts)


def _one_segment(name: str, kind: str, texts: Sequence[Any]) -> Segments:
    return Segments(name, kind, list(texts), _bounds([len(texts)]), False)


def _bounds(sizes: Iterable[int]) -> Ints:
    return np.array([0, *accumulate(sizes)], np.int64)


def _checked(segments: Segments) -> Segments:
    """Raise ``ValueError`` for a segment without texts."""
    sizes = segments.sizes
    if not sizes.all():
        index = int(np.argmin(sizes))
        where = f"{segments.name}[{index}]" if segments.is_batch else segments.name
        raise ValueError(f"{where} is empty; give at least one text")
    return segments


def _find_kind(rows: Sequence[Any], name: str, deepest: int, accepted: str) -> tuple[str, int]:
    """Find the kind of the texts, and how many levels of lists there are; strings in the deepest lists are tokens."""
    leaf, depth = _first_leaf(rows)
    is_ids = leaf is not None and not isinstance(leaf, str)
    if depth > deepest or (is_ids and depth < 2):
        raise TypeError(f"{name} must be a list of {accepted}, got {short_repr(rows)}")
    if is_ids:
        return "ids", depth
    return "tokens" if depth == deepest else "text", depth


def _first_leaf(rows: Any, depth: int = 1) -> tuple[Any, int]:
    """Find the first value that is not a list, and how deep it lies; (None, deepest) where all lists are empty."""
    deepest = depth
    for row in rows:
        if not _corpus.is_list(row):
            return row, depth
        if depth > _DEEPEST:
            return None, depth + 1
        leaf, found = _first_leaf(row, depth + 1)
        if leaf is not None:
            return leaf, found
        deepest = max(deepest, found)
    return None, deepest


def chunk_bounds(sizes: Ints, limit: int = _TEXTS_PER_CHUNK) -> Iterator[tuple[int, int]]:
    """Group segments to chunks of about `limit` texts: (first segment, past the last)."""
    first, texts = 0, 0
    for segment, size in enumerate(sizes.tolist()):
        if texts and texts + size > limit:
            yield first, segment
            first, texts = segment, 0
        texts += size
    if texts:
        yield first, len(sizes)


def tokenize_segments(sides: Sequence[Segments], first: int, last: int, config: BleuConfig) -> TokenIds:
    """Read and tokenize the segments from `first` up to `last`: all texts of the first side, then of the next.

    Tokens of different segments are never equal.
    """
    read = [_read(side, first, last) for side in sides]
    kind = sides[0].kind
    values = pa.concat_arrays([side.values for side in read])
    lengths = np.concatenate([side.lengths for side in read])
    how = Tokenization(config.tokenizer, config.lowercase, config.strip, config.whitespace)
    tokens = tokenize_batch(kind, values, lengths, how)
    segment_of_text = np.concatenate([side.segment_of_text(first, last) for side in sides])
    segments = np.repeat(segment_of_text, tokens.per_text)
    if kind == "ids":
        ids = factorize(values.to_numpy().view(np.uint64), segments.view(np.uint64))
    else:
        ids = token_ids(tokens.data, tokens.starts, tokens.lengths, segments)
    return TokenIds(ids, tokens.per_text)


def _read(side: Segments, first: int, last: int) -> Side:
    start, end = int(side.bounds[first]), int(side.bounds[last])
    origin = Origin(side.name, start, name_row=side.name_of)
    return _corpus.read_lists(side.texts[start:end], side.kind, False, origin, skip_missing=False)
