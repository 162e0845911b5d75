"""Conversion of the caller's input to segments of texts, then to token ids. Each text is tokenized once.

A segment is a set of texts that are compared with one another: the candidates of one source sentence, with their
references. Segments are read in chunks, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._arrow import ArrowRows
from .._config import BleuConfig
from .._corpus import as_rows as as_checked_rows
from .._counting import ids_in_segments, tokenize_batch
from .._labels import Label, factorize_labels
from .._lists import read_lists
from .._reading import Origin, Side
from .._validation import Ints, first_leaf, is_list, short_repr

_TEXTS_PER_CHUNK = 4000

# Kind of the first value in nested lists, and its depth -> kind of the texts, and whether each segment has a list
_FORMS = {
    ("string", 1): ("text", False),
    ("string", 2): ("text", True),
    ("string", 3): ("tokens", True),
    ("id", 2): ("ids", False),
    ("id", 3): ("ids", True),
}
# The same for the texts of one segment
_FLAT_FORMS = {
    ("string", 1): ("text", False),
    ("string", 2): ("tokens", False),
    ("id", 2): ("ids", False),
}


class Segments(NamedTuple):
    """The texts of hypotheses or of references, one segment after another."""

    name: str
    kind: str  # "text", "tokens" or "ids"
    texts: list[Any]
    bounds: Ints  # (segments + 1,): where the texts of each segment start, and the end
    is_batch: bool  # True for a list of segments, False for one segment without a list around it
    first: int = 0  # index of the first segment in the caller's list
    order: Ints | None = None  # (texts,): index of each text in the caller's list; None: the same order

    @property
    def sizes(self) -> Ints:
        """Return the number of texts in each segment."""
        return np.diff(self.bounds)

    def name_of(self, text: int) -> str:
        """Return the name of a text for errors, with the caller's indices, e.g. ``references[2][0]``."""
        if self.order is not None:
            return f"{self.name}[{self.order[text]}]"
        if not self.is_batch:
            return f"{self.name}[{text}]"
        segment = int(np.searchsorted(self.bounds, text, side="right")) - 1
        index = text - self.bounds[segment]
        return f"{self.name}[{self.first + segment}][{index}]"

    def segment_of_text(self) -> Ints:
        """Return the index of each text's segment."""
        sizes = self.sizes
        return np.repeat(np.arange(len(sizes)), sizes)

    def lists(self) -> list[list[Any]]:
        """Return a list of texts per segment."""
        texts = iter(self.texts)
        return [list(islice(texts, size)) for size in self.sizes.tolist()]

    def by_group(self, order: Ints, group: Ints) -> Segments:
        """Build one segment per group. `order`: indices of texts, group by group; `group`: each text's group."""
        texts = [self.texts[index] for index in order.tolist()]
        sizes = np.bincount(group.take(order))
        return self._replace(texts=texts, bounds=_bounds(sizes[sizes > 0]), order=order)

    def part(self, first: int, last: int) -> Segments:
        """Return the segments from `first` to `last - 1`."""
        bounds = self.bounds[first : last + 1]
        texts = slice(bounds[0], bounds[-1])
        return self._replace(
            texts=self.texts[texts],
            bounds=bounds - bounds[0],
            first=first,
            order=None if self.order is None else self.order[texts],
        )

    def read(self) -> Side:
        """Read and check the texts. An error names the text with the caller's indices."""
        origin = Origin(self.name, 0, name_row=self.name_of)
        return read_lists(self.texts, self.kind, False, origin, skip_missing=False)


class TokenIds(NamedTuple):
    """The tokens of all texts as ids. Equal tokens of a segment have equal ids; all other tokens have different ids."""

    ids: Ints  # (tokens,): a token's id is the index in this array of the segment's last equal token
    lengths: Ints  # (texts,): number of tokens in each text


class Sides(NamedTuple):
    """Segments of hypotheses and references, with their tokens."""

    hypotheses: Segments
    references: Segments  # the same object as `hypotheses` if these are compared with one another
    tokens: TokenIds  # first those of the hypotheses, then those of the references if they differ

    @property
    def is_square(self) -> bool:
        """Return whether the hypotheses are also the references."""
        return self.references is self.hypotheses

    @property
    def first_reference(self) -> int:
        """Return the index of the first reference among the texts of `tokens`."""
        return 0 if self.is_square else len(self.hypotheses.texts)

    @property
    def segment_of_text(self) -> Ints:
        """Return the index of each text's segment, for the texts of `tokens`."""
        of_hypotheses = self.hypotheses.segment_of_text()
        if self.is_square:
            return of_hypotheses
        return np.concatenate([of_hypotheses, self.references.segment_of_text()])


def as_rows(values: Any, name: str) -> Sequence[Any]:
    """Read a list, tuple, array, tensor or column as a sequence; raise ``TypeError`` for other values."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values.to_pylist()  # type: ignore[no-any-return]
    rows = as_checked_rows(values, name)
    if isinstance(rows, ArrowRows):
        return rows.column.to_pylist()  # type: ignore[no-any-return]
    return rows.tolist() if isinstance(rows, np.ndarray) else rows


def as_segments(values: Any, name: str) -> Segments:
    """Read one segment or a batch of segments. `_FORMS` lists the accepted values."""
    rows = as_rows(values, name)
    accepted = "strings or of lists of token ids, or a list of such lists"
    kind, is_batch = _find_form(rows, name, _FORMS, accepted)
    if not is_batch:
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
    accepted = "strings, of lists of tokens or of lists of token ids"
    kind, _ = _find_form(rows, name, _FLAT_FORMS, accepted)
    return _list_texts(name, kind, [rows], is_batch=False)


def _find_form(
    rows: Sequence[Any], name: str, forms: dict[tuple[str, int], tuple[str, bool]], accepted: str
) -> tuple[str, bool]:
    """Return the entry of `forms` for these nested lists, or raise ``TypeError``."""
    leaf, depth = first_leaf(rows, deepest=4)
    is_string = leaf is None or isinstance(leaf, str)
    form = forms.get(("string" if is_string else "id", depth))
    if form is None:
        raise TypeError(f"{name} must be a list of {accepted}, got {short_repr(rows)}")
    return form


def _list_texts(name: str, kind: str, segments: Sequence[Sequence[Any]], is_batch: bool) -> Segments:
    """Return the texts of all segments as `Segments`; raise ``ValueError`` for a segment without texts."""
    for index, texts in enumerate(segments):
        if not len(texts):
            where = f"{name}[{index}]" if is_batch else name
            raise ValueError(f"{where} is empty; give at least one text")
    bounds = _bounds(list(map(len, segments)))
    return Segments(name, kind, list(chain.from_iterable(segments)), bounds, is_batch)


def _bounds(sizes: Ints | list[int]) -> Ints:
    """Return where each of some lists starts if they are joined, and the end.

    >>> _bounds([2, 1, 3])
    array([0, 2, 3, 6])
    """
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


def check_same_number(name: str, segments: Sized, other_name: str, others: Sized) -> None:
    """Raise ``ValueError`` if the numbers of segments differ."""
    ours, theirs = len(segments), len(others)
    if ours != theirs:
        raise ValueError(f"{ours} segments of {name} but {theirs} of {other_name}; the numbers must be equal")


def number_groups(groups: Any, texts: int) -> tuple[list[Label], Ints]:
    """Return the different labels, and each text's group number. If `groups` is None, all texts are in group 0."""
    if groups is None:
        return [0], np.zeros(texts, np.int64)
    return factorize_labels(groups, texts)


def read_chunks(hypotheses: Segments, references: Segments, config: BleuConfig) -> Iterator[Sides]:
    """Yield chunks of consecutive segments with their tokens."""
    sides = [hypotheses] if references is hypotheses else [hypotheses, references]
    texts_before = np.sum([side.bounds for side in sides], axis=0)
    for first, last in _chunk_bounds(texts_before):
        chunk = [side.part(first, last) for side in sides]
        yield Sides(chunk[0], chunk[-1], tokenize_segments(chunk, config))


def _chunk_bounds(texts_before: Ints) -> Iterator[tuple[int, int]]:
    """Yield the first and last + 1 segment of each chunk. A chunk has up to 4,000 texts, or one segment with more.

    `texts_before`: the number of texts before each segment, and of all texts.
    """
    first, segments = 0, len(texts_before) - 1
    while first < segments:
        limit = texts_before[first] + _TEXTS_PER_CHUNK
        fitting = int(np.searchsorted(texts_before, limit, side="right")) - 1
        last = max(first + 1, fitting)
        yield first, last
        first = last


def tokenize_segments(sides: Sequence[Segments], config: BleuConfig) -> TokenIds:
    """Read and tokenize the texts of all `sides`, in this order. Segments with different indices share no token ids."""
    kind = sides[0].kind
    read = [side.read() for side in sides]
    values = pa.concat_arrays([side.values for side in read])
    lengths = np.concatenate([side.lengths for side in read])
    tokens = tokenize_batch(kind, values, lengths, config._tokenization)
    segment_of_text = np.concatenate([side.segment_of_text() for side in sides])
    segments = np.repeat(segment_of_text, tokens.per_text)
    return TokenIds(ids_in_segments(kind, values, tokens, segments), tokens.per_text)
