"""Convert the caller's input to segments of texts, and the texts to token ids. Each text is tokenized once.

A segment is a set of texts that are compared with one another, such as the candidates and the references of one source
sentence. Segments are tokenized in chunks, so that the token ids of only one chunk are in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._arrow import ArrowRows
from .._config import BleuConfig, tokenization_of
from .._corpus import as_rows as as_checked_rows
from .._corpus import read_texts
from .._counting import ids_in_segments, tokenize_batch
from .._labels import Label, factorize_labels
from .._reading import Kind, Origin, Side, offsets_of, sizes_of
from .._validation import Ints, Progress, first_leaf, is_list, short_repr

_MOST_TEXTS_PER_CHUNK = 4000

# (type of the innermost values, depth of nested lists) -> (kind of the texts, whether the outer list is a batch)
_Forms = Mapping[tuple[type, int], tuple[Kind, bool]]
_FORMS: _Forms = {
    (str, 1): ("text", False),
    (int, 2): ("ids", False),
    (str, 2): ("text", True),
    (str, 3): ("tokens", True),
    (int, 3): ("ids", True),
}
# The forms for functions that accept no batch: there, [["a", "b"], ["a", "c"]] is two texts, each a list of tokens
_FLAT_FORMS: _Forms = {(str, 1): ("text", False), (str, 2): ("tokens", False), (int, 2): ("ids", False)}


class Segments(NamedTuple):
    """The hypotheses or the references of all segments, in one list."""

    name: str  # the argument's name, for errors
    kind: Kind  # "text" for strings, "tokens" for lists of tokens, "ids" for lists of token ids
    texts: list[Any]  # the texts of the first segment, then those of the second, and so on
    bounds: Ints  # (segments + 1,): segment i has the texts from index bounds[i] to bounds[i + 1] - 1
    is_batch: bool  # whether the caller passed a list of segments: [["a", "b"]], not ["a", "b"]
    name_text: Callable[[int], str]  # index in `texts` -> text's name in errors, such as "references[2][0]"
    first: int = 0  # index of the first segment in the caller's list

    @property
    def sizes(self) -> Ints:
        """Return the number of texts in each segment."""
        return np.diff(self.bounds)

    @property
    def segment_of_text(self) -> Ints:
        """Return the index of each text's segment."""
        sizes = self.sizes
        return np.repeat(np.arange(len(sizes)), sizes)

    def by_group(self, order: Ints, sizes: Ints) -> Segments:
        """Return the texts rearranged so that each group is a segment.

        `order`: the indices of the texts to use, sorted by group. `sizes`: the number of these texts in each group.
        """
        return self._replace(
            texts=[self.texts[index] for index in order.tolist()],
            bounds=offsets_of(sizes),
            name_text=lambda text: self.name_text(order[text]),
        )

    def part(self, first: int, last: int) -> Segments:
        """Return the segments with indices from `first` to `last - 1`."""
        bounds = self.bounds[first : last + 1]
        start, end = bounds[0], bounds[-1]
        return self._replace(
            texts=self.texts[start:end],
            bounds=bounds - start,
            name_text=lambda text: self.name_text(start + text),
            first=first,
        )

    def read(self) -> Side:
        """Check the texts and convert them to a `Side`. Errors contain the name that `name_text` returns for a text."""
        origin = Origin(self.name, 0, name_row=self.name_text)
        return read_texts(self.texts, self.kind, origin)


class TokenIds(NamedTuple):
    """The tokens of all texts as ids. Two tokens have the same id exactly if they are equal and in one segment."""

    ids: Ints  # (tokens,): the id of a token is the index in this array of the last equal token of its segment
    lengths: Ints  # (texts,): number of tokens in each text


class Sides(NamedTuple):
    """The hypotheses and the references of the same segments, with the token ids of both."""

    hypotheses: Segments
    references: Segments  # the same object as `hypotheses` if the hypotheses are compared with one another
    tokens: TokenIds  # of the hypotheses and then, unless `is_square`, of the references
    segment_of_text: Ints  # (texts,): index of each text's segment, with the texts in the order of `tokens`

    @property
    def is_square(self) -> bool:
        """Return whether the hypotheses are also the references, so that each matrix of pairs is square."""
        return self.references is self.hypotheses

    @property
    def first_reference(self) -> int:
        """Return the index of the first reference in ``tokens.lengths``, which lists the hypotheses first."""
        return 0 if self.is_square else len(self.hypotheses.texts)


def as_rows(values: Any, name: str) -> Sequence[Any]:
    """Convert a list, tuple, array, tensor or column to a sequence. Raise ``TypeError`` for other values."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):  # of any type, because a column of weights has numbers
        return values.to_pylist()  # type: ignore[no-any-return]
    rows = as_checked_rows(values, name)
    if isinstance(rows, ArrowRows):
        return rows.column.to_pylist()  # type: ignore[no-any-return]
    return rows.tolist() if isinstance(rows, np.ndarray) else rows


def as_segments(values: Any, name: str) -> Segments:
    """Read one segment, such as ``["a", "b"]``, or a batch of segments, such as ``[["a", "b"], ["c"]]``."""
    return _as_segments(values, name, _FORMS, "strings or of lists of token ids, or a list of such lists")


def as_batch(values: Any, name: str, what: str) -> Segments:
    """Read a batch of segments. Raise ``TypeError`` for one segment. `what`: what to call its texts in the error."""
    segments = as_segments(values, name)
    if not segments.is_batch:
        raise TypeError(f"{name} must hold a list of {what} per segment; for one segment try {name}=[{name}]")
    return segments


def flat_texts(values: Any) -> Segments:
    """Read the texts of one segment: a list of strings, of lists of tokens, or of lists of token ids."""
    return _as_segments(values, "texts", _FLAT_FORMS, "strings, of lists of tokens or of lists of token ids")


def _as_segments(values: Any, name: str, forms: _Forms, accepted: str) -> Segments:
    """Read segments in one of the given forms. The type and depth of the first innermost value decide the form.

    If there is no value, its type is assumed to be string. Raise ``TypeError`` for another form, and ``ValueError`` if
    a segment has no texts.
    """
    rows = as_rows(values, name)
    leaf, depth = first_leaf(rows, deepest=4)
    leaf_type = str if leaf is None or isinstance(leaf, str) else int
    if (leaf_type, depth) not in forms:
        raise TypeError(f"{name} must be a list of {accepted}, got {short_repr(rows)}")
    kind, is_batch = forms[leaf_type, depth]
    segments = rows if is_batch else [rows]
    for index, texts in enumerate(segments):
        _check_texts(texts, f"{name}[{index}]" if is_batch else name)
    bounds = offsets_of(sizes_of(segments))

    def name_text(text: int) -> str:
        if not is_batch:
            return f"{name}[{text}]"
        segment = int(np.searchsorted(bounds, text, side="right")) - 1
        return f"{name}[{segment}][{text - bounds[segment]}]"

    return Segments(name, kind, list(chain.from_iterable(segments)), bounds, is_batch, name_text)


def _check_texts(texts: Any, name: str) -> None:
    """Raise ``TypeError`` if a segment is not a list, and ``ValueError`` if it is empty. `name`: its name in errors."""
    if not is_list(texts):
        raise TypeError(f"{name} is {short_repr(texts)}, but the other segments are lists: give each segment as a list")
    if not len(texts):
        raise ValueError(f"{name} is empty; give at least one text")


def check_same_number(name: str, segments: Sized, other_name: str, others: Sized) -> None:
    """Raise ``ValueError`` if the two arguments have different numbers of segments."""
    ours, theirs = len(segments), len(others)
    if ours != theirs:
        raise ValueError(f"{ours} segments of {name} but {theirs} of {other_name}; the numbers must be equal")


def number_groups(groups: Any, texts: int) -> tuple[list[Label], Ints]:
    """Return the different labels, and the index of each text's label. If `groups` is None, there is one group."""
    if groups is None:
        groups = [0] * texts
    return factorize_labels(groups, texts)


def read_chunks(
    hypotheses: Segments, references: Segments, config: BleuConfig, progress: Progress | None = None
) -> Iterator[Sides]:
    """Tokenize the segments chunk by chunk. Yield each chunk: consecutive segments with their token ids.

    A chunk has at most 4,000 texts, unless it is a single segment with more. `progress` is called with two numbers of
    hypotheses: those in the chunks that the caller has finished, and those in all chunks.
    """
    both = [hypotheses] if references is hypotheses else [hypotheses, references]
    texts_before: Ints = np.sum([side.bounds for side in both], axis=0)  # texts before each segment, then all texts
    first = 0
    while first < len(hypotheses.sizes):
        most_texts = texts_before[first] + _MOST_TEXTS_PER_CHUNK
        end_that_fits = int(np.searchsorted(texts_before, most_texts, side="right")) - 1
        end = max(end_that_fits, first + 1)
        yield _tokenize([side.part(first, end) for side in both], config)
        if progress:
            progress(int(hypotheses.bounds[end]), len(hypotheses.texts))
        first = end


def _tokenize(sides: Sequence[Segments], config: BleuConfig) -> Sides:
    """Check and tokenize the hypotheses and, unless they are also the references, the references."""
    hypotheses, references = sides[0], sides[-1]  # the same object if there is only one side
    kind = hypotheses.kind
    columns = [side.read() for side in sides]
    values = pa.concat_arrays([column.values for column in columns])
    lengths = np.concatenate([column.lengths for column in columns])
    tokens = tokenize_batch(kind, values, lengths, tokenization_of(config))
    segment_of_text = np.concatenate([side.segment_of_text for side in sides])
    segment_of_token = np.repeat(segment_of_text, tokens.per_text)
    ids = ids_in_segments(kind, values, tokens, segment_of_token)
    return Sides(hypotheses, references, TokenIds(ids, tokens.per_text), segment_of_text)
