"""Convert the caller's input to segments of texts, and the texts to token ids. Each text is tokenized once.

A segment is a set of texts that are compared with one another, such as the candidates and the references of one source
sentence. Segments are tokenized in chunks, so that the token ids of only one chunk are in memory.
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
from .._corpus import read_texts
from .._counting import ids_in_segments, tokenize_batch
from .._labels import Label, factorize_labels
from .._reading import Origin, Side, offsets_of
from .._validation import Ints, first_leaf, is_list, short_repr

_TEXTS_PER_CHUNK = 4000

# (type of the innermost values, depth of nested lists) -> kind of the texts. In ["a b", "a c"], strings have depth 1
_SEGMENT = {("string", 1): "text", ("id", 2): "ids"}
_BATCH = {("string", 2): "text", ("string", 3): "tokens", ("id", 3): "ids"}
# For functions that accept no batch, [["a", "b"], ["a", "c"]] is two lists of tokens
_SEGMENT_OR_TOKENS = {**_SEGMENT, ("string", 2): "tokens"}


class Segments(NamedTuple):
    """The hypotheses or the references of all segments, in one list."""

    name: str  # the argument's name, for errors
    kind: str  # "text" for strings, "tokens" for lists of tokens, "ids" for lists of token ids
    texts: list[Any]  # the texts of the first segment, then those of the second, and so on
    bounds: Ints  # (segments + 1,): segment i has the texts from index bounds[i] to bounds[i + 1] - 1
    is_batch: bool  # whether the caller passed a list of segments: [["a", "b"]], not ["a", "b"]
    first: int = 0  # index of the first segment in the caller's list
    order: Ints | None = None  # (texts,): index of each text in the caller's list; None: the order is the same

    @property
    def sizes(self) -> Ints:
        """Return the number of texts in each segment."""
        return np.diff(self.bounds)

    def name_of(self, text: int) -> str:
        """Return a name such as ``references[2][0]`` for errors. Its indices are positions in the caller's lists."""
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
        """Return one list of texts per segment."""
        texts = iter(self.texts)
        return [list(islice(texts, size)) for size in self.sizes.tolist()]

    def by_group(self, order: Ints, group: Ints) -> Segments:
        """Rearrange the texts so that each group with texts is a segment.

        `order`: the indices of the texts to use, sorted by group. `group`: the group number of every text.
        """
        texts = [self.texts[index] for index in order.tolist()]
        sizes = np.bincount(group.take(order))
        bounds = offsets_of(sizes[sizes > 0])
        return self._replace(texts=texts, bounds=bounds, order=order)

    def part(self, first: int, last: int) -> Segments:
        """Return the segments with indices from `first` to `last - 1`."""
        bounds = self.bounds[first : last + 1]
        start, end = bounds[0], bounds[-1]
        order = None if self.order is None else self.order[start:end]
        return self._replace(texts=self.texts[start:end], bounds=bounds - start, first=first, order=order)

    def read(self) -> Side:
        """Check and convert the texts. An error names the wrong text as `name_of` does."""
        origin = Origin(self.name, 0, name_row=self.name_of)
        return read_texts(self.texts, self.kind, origin)


class TokenIds(NamedTuple):
    """The tokens of all texts as ids. Two tokens have the same id if they are equal and in the same segment."""

    ids: Ints  # (tokens,): the id of a token is the index in this array of the last equal token of its segment
    lengths: Ints  # (texts,): number of tokens in each text


class Sides(NamedTuple):
    """The hypotheses and the references of the same segments, with the token ids of both."""

    hypotheses: Segments
    references: Segments  # the same object as `hypotheses` if the hypotheses are compared with one another
    tokens: TokenIds  # of the hypotheses and then, unless `is_square`, of the references

    @property
    def is_square(self) -> bool:
        """Return whether the hypotheses are also the references, so that each matrix of pairs is square."""
        return self.references is self.hypotheses

    @property
    def first_reference(self) -> int:
        """Return the index of the first reference in ``tokens.lengths``, which lists the hypotheses first."""
        return 0 if self.is_square else len(self.hypotheses.texts)

    @property
    def segment_of_text(self) -> Ints:
        """Return the index of each text's segment, with the texts in the order of ``tokens.lengths``."""
        of_hypotheses = self.hypotheses.segment_of_text()
        if self.is_square:
            return of_hypotheses
        return np.concatenate([of_hypotheses, self.references.segment_of_text()])


def as_rows(values: Any, name: str) -> Sequence[Any]:
    """Convert a list, tuple, array, tensor or column to a sequence. Raise ``TypeError`` for other values."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):  # of any type, because weights are numbers
        return values.to_pylist()  # type: ignore[no-any-return]
    rows = as_checked_rows(values, name)
    if isinstance(rows, ArrowRows):
        return rows.column.to_pylist()  # type: ignore[no-any-return]
    return rows.tolist() if isinstance(rows, np.ndarray) else rows


def as_segments(values: Any, name: str) -> Segments:
    """Read one segment, such as ``["a", "b"]``, or a batch of segments, such as ``[["a", "b"], ["c"]]``."""
    rows = as_rows(values, name)
    form = _find_form(rows)
    if form in _SEGMENT:
        return _list_texts(name, _SEGMENT[form], [rows], is_batch=False)
    if form not in _BATCH:
        accepted = "strings or of lists of token ids, or a list of such lists"
        raise _wrong_form(rows, name, accepted)
    for index, row in enumerate(rows):
        if not is_list(row):
            raise TypeError(
                f"{name}[{index}] is {short_repr(row)}, but the other segments are lists: give each segment as a list"
            )
    return _list_texts(name, _BATCH[form], rows, is_batch=True)


def as_batch(values: Any, name: str, what: str) -> Segments:
    """Read a batch of segments. Raise ``TypeError`` for one segment. `what` names its texts, such as "candidates"."""
    segments = as_segments(values, name)
    if not segments.is_batch:
        raise TypeError(f"{name} must hold a list of {what} per segment; for one segment try {name}=[{name}]")
    return segments


def flat_texts(values: Any, name: str) -> Segments:
    """Read the texts of one segment: a list of strings, of lists of tokens, or of lists of token ids."""
    rows = as_rows(values, name)
    kind = _SEGMENT_OR_TOKENS.get(_find_form(rows))
    if kind is None:
        raise _wrong_form(rows, name, "strings, of lists of tokens or of lists of token ids")
    return _list_texts(name, kind, [rows], is_batch=False)


def _find_form(rows: Sequence[Any]) -> tuple[str, int]:
    """Return "string" or "id", the type of the first innermost value, and its depth. Empty lists count as strings."""
    leaf, depth = first_leaf(rows, deepest=4)
    is_string = leaf is None or isinstance(leaf, str)
    return ("string" if is_string else "id"), depth


def _wrong_form(rows: Sequence[Any], name: str, accepted: str) -> TypeError:
    """Return the error for a list of wrong values, or of lists that are nested too deeply."""
    return TypeError(f"{name} must be a list of {accepted}, got {short_repr(rows)}")


def _list_texts(name: str, kind: str, segments: Sequence[Sequence[Any]], is_batch: bool) -> Segments:
    """Join the texts of all segments in one list. Raise ``ValueError`` if a segment has no texts."""
    for index, texts in enumerate(segments):
        if not len(texts):
            where = f"{name}[{index}]" if is_batch else name
            raise ValueError(f"{where} is empty; give at least one text")
    sizes = np.array([len(texts) for texts in segments])
    return Segments(name, kind, list(chain.from_iterable(segments)), offsets_of(sizes), is_batch)


def check_same_number(name: str, segments: Sized, other_name: str, others: Sized) -> None:
    """Raise ``ValueError`` if the two arguments have different numbers of segments."""
    ours, theirs = len(segments), len(others)
    if ours != theirs:
        raise ValueError(f"{ours} segments of {name} but {theirs} of {other_name}; the numbers must be equal")


def number_groups(groups: Any, texts: int) -> tuple[list[Label], Ints]:
    """Return the different labels, and for each text the index of its label. `groups`: None for one group."""
    if groups is None:
        groups = [0] * texts
    return factorize_labels(groups, texts)


def read_chunks(hypotheses: Segments, references: Segments, config: BleuConfig) -> Iterator[Sides]:
    """Tokenize the segments chunk by chunk. Yield each chunk: consecutive segments with their token ids."""
    is_square = references is hypotheses
    texts_before = hypotheses.bounds if is_square else hypotheses.bounds + references.bounds
    for first, end in _chunk_bounds(texts_before):
        rows = hypotheses.part(first, end)
        columns = rows if is_square else references.part(first, end)
        sides = [rows] if is_square else [rows, columns]
        yield Sides(rows, columns, tokenize_segments(sides, config))


def _chunk_bounds(texts_before: Ints) -> Iterator[tuple[int, int]]:
    """Yield (index of the first segment, index after the last segment) of each chunk.

    A chunk has at most 4,000 texts, unless it is a single segment with more. `texts_before`: the number of texts before
    each segment, followed by the number of all texts.
    """
    segments = len(texts_before) - 1
    first = 0
    while first < segments:
        most_texts = texts_before[first] + _TEXTS_PER_CHUNK
        end = int(np.searchsorted(texts_before, most_texts, side="right")) - 1
        end = max(end, first + 1)
        yield first, end
        first = end


def tokenize_segments(sides: Sequence[Segments], config: BleuConfig) -> TokenIds:
    """Check and tokenize the texts of one side after another.

    Equal tokens have equal ids if they are in segments with the same index, on the same side or on different sides.
    """
    kind = sides[0].kind
    read = [side.read() for side in sides]
    values = pa.concat_arrays([side.values for side in read])
    lengths = np.concatenate([side.lengths for side in read])
    tokens = tokenize_batch(kind, values, lengths, config._tokenization)
    segment_of_text = np.concatenate([side.segment_of_text() for side in sides])
    segments = np.repeat(segment_of_text, tokens.per_text)
    return TokenIds(ids_in_segments(kind, values, tokens, segments), tokens.per_text)
