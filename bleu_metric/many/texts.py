"""Convert the caller's input to segments of texts, and the texts to token ids. Each text is tokenized once.

A segment is a set of texts that are compared with one another, such as the candidates and the references of one source
sentence. Segments are tokenized in chunks, to keep the token ids of only one chunk in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._advice import warn_of_set
from .._config import BleuConfig, tokenization_of
from .._corpus import (
    Kind,
    Label,
    Texts,
    factorize_labels,
    first_leaf,
    is_arrow,
    is_list,
    join_texts,
    offsets_of,
    read_texts,
    sizes_of,
)
from .._corpus import as_rows as as_checked_rows
from .._counting import ids_in_segments
from .._tokens import tokenize
from .._validation import Ints, Progress, row_of, short_repr, typed

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
# For functions that accept no batch, [["a", "b"], ["a", "c"]] is two texts, each a list of tokens
_FLAT_FORMS: _Forms = {(str, 1): ("text", False), (str, 2): ("tokens", False), (int, 2): ("ids", False)}


class Segments(NamedTuple):
    """The hypotheses or the references of all segments, in one list.

    For ``references=[["a", "b c"], ["d"]]``, `texts` is ["a", "b c", "d"], and `bounds` is [0, 2, 3].
    """

    name: str  # the parameter, such as "references"
    kind: Kind  # "text" for strings, "tokens" for lists of tokens, "ids" for lists of token ids
    texts: list[Any]  # segment by segment
    bounds: Ints  # (segments + 1,): segment i is texts[bounds[i] : bounds[i + 1]]
    is_batch: bool  # whether the caller passed a list of segments: [["a", "b"]], not ["a", "b"]
    name_text: Callable[[int], str]  # index in `texts` -> text's name in errors: 2 -> "references[1][0]"
    first: int = 0  # index of the first segment in the caller's list

    @property
    def sizes(self) -> Ints:
        """Return the number of texts in each segment."""
        return np.diff(self.bounds)

    @property
    def segment_of_text(self) -> Ints:
        """Return the index of each text's segment: [0, 0, 1] if the sizes are [2, 1]."""
        sizes = self.sizes
        return np.repeat(np.arange(len(sizes)), sizes)

    def by_group(self, order: Ints, sizes: Ints) -> Segments:
        """Return the texts with one segment per group.

        `order`: the indices of the texts to use, sorted by group. `sizes`: the number of texts to use in each group.
        For the groups [0, 1, 0], `order` is [0, 2, 1], and `sizes` is [2, 1].
        """
        return self._replace(
            texts=[self.texts[index] for index in order.tolist()],
            bounds=offsets_of(sizes),
            name_text=lambda index: self.name_text(order[index]),
        )

    def part(self, first: int, end: int) -> Segments:
        """Return the segments with indices from `first` to `end - 1`.

        If `bounds` is [0, 2, 3, 5], ``part(1, 3)`` has the texts 2, 3 and 4, and the bounds [0, 1, 3].
        """
        bounds = self.bounds[first : end + 1]  # with the end of the last segment
        first_text, end_text = bounds[0], bounds[-1]
        return self._replace(
            texts=self.texts[first_text:end_text],
            bounds=bounds - first_text,
            name_text=lambda index: self.name_text(first_text + index),
            first=first,
        )

    def read(self) -> Texts:
        """Check the texts and return them as `Texts`. Errors contain the names from `name_text`."""
        return read_texts(self.texts, self.kind, self.name_text)

    def warn(self, config: BleuConfig) -> None:
        """Warn of likely mistakes in the texts, which were checked before."""
        advice = "pass each text as one string"
        if not self.is_batch:
            advice += f", all in one list, with {typed('groups')} if they belong to several sets"
        warn_of_set(self.texts, self.kind, self.name, config, advice)


class TokenIds(NamedTuple):
    """The tokens of all texts as ids. Only equal tokens of the same segment have the same id.

    A segment with the texts "a b a" and "b a" has the ids [4, 3, 4, 3, 4] and the lengths [3, 2].
    """

    ids: Ints  # (tokens,): the id of a token is the index of the last equal token of its segment
    lengths: Ints  # (texts,): number of tokens in each text


class Chunk(NamedTuple):
    """The hypotheses and the references of consecutive segments, with the token ids of both.

    For the hypotheses [["a", "b"], ["c"]] and the references [["a"], ["d"]], the order of the texts is a, b, c, a, d.
    `segment_of_text` is [0, 0, 1, 0, 1], and `first_reference` is 3.
    """

    hypotheses: Segments
    references: Segments  # the same object as `hypotheses` if the hypotheses are compared with one another
    tokens: TokenIds  # of the hypotheses, then of the references; if `is_square`, only of the hypotheses
    segment_of_text: Ints  # (texts,): index of each text's segment

    @property
    def is_square(self) -> bool:
        """Return whether the hypotheses are also the references."""
        return self.references is self.hypotheses

    @property
    def first_reference(self) -> int:
        """Return the index of the first reference in ``tokens.lengths``."""
        return 0 if self.is_square else len(self.hypotheses.texts)


def as_rows(values: Any, name: str) -> Sequence[Any]:
    """Convert a list, tuple, array, tensor or column to a sequence. Raise ``TypeError`` for other values."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):  # of any type, because weights are numbers
        return values.to_pylist()  # type: ignore[no-any-return]
    rows = as_checked_rows(values, name)
    if is_arrow(rows):
        rows = rows.to_pylist()
    return rows.tolist() if isinstance(rows, np.ndarray) else list(rows)


def as_segments(values: Any, name: str) -> Segments:
    """Read one segment, such as ``["a", "b"]``, or a batch of segments, such as ``[["a", "b"], ["c"]]``."""
    return _as_segments(values, name, _FORMS, "strings or of lists of token ids, or a list of such lists")


def flat_texts(values: Any) -> Segments:
    """Read the texts of one segment: a list of strings, of lists of tokens, or of lists of token ids."""
    return _as_segments(values, "texts", _FLAT_FORMS, "strings, of lists of tokens or of lists of token ids")


def _as_segments(values: Any, name: str, forms: _Forms, accepted: str) -> Segments:
    """Read segments in one of `forms`. The type and depth of the first innermost value decide the form.

    Without a value, the type is string. Raise ``TypeError`` for another form, and ``ValueError`` for a segment without
    texts.
    """
    rows = as_rows(values, name)
    leaf, depth = first_leaf(rows, deepest=4)
    is_string = leaf is None or isinstance(leaf, str)
    form = (str if is_string else int, depth)
    if form not in forms:
        raise TypeError(f"{name} must be a list of {accepted}, got {short_repr(rows)}")
    kind, is_batch = forms[form]

    segments = rows if is_batch else [rows]
    for index, texts in enumerate(segments):
        segment_name = row_of(name, index) if is_batch else name
        if not is_list(texts):
            raise TypeError(
                f"{segment_name} is {short_repr(texts)}, but the other segments are lists: give each segment as a list"
            )
        if not len(texts):
            raise ValueError(f"{segment_name} is empty; give at least one text")
    bounds = offsets_of(sizes_of(segments))
    flat_list = list(chain.from_iterable(segments))

    def name_text(index: int) -> str:
        if not is_batch:
            return row_of(name, index)
        segment = (
            int(np.searchsorted(bounds, index, side="right")) - 1
        )  # the last one that starts at or before the text
        return row_of(name, segment, index - int(bounds[segment]))

    return Segments(name, kind, flat_list, bounds, is_batch, name_text)


def number_groups(groups: Any, n_texts: int) -> tuple[list[Label], Ints]:
    """Return the different labels, and the index of each text's label. If `groups` is None, there is one group.

    >>> number_groups(["news", "chat", "news"], 3)
    (['news', 'chat'], array([0, 1, 0]))
    """
    if groups is None:
        groups = [0] * n_texts
    return factorize_labels(groups, n_texts)


def refuse_missing_references(config: BleuConfig) -> None:
    """Raise ``ValueError`` for ``empty_references="missing"``, which could leave a segment without references."""
    if config.empty_references == "missing":
        option = typed("empty_references", "missing")
        raise ValueError(f"{option} is not accepted here: remove the empty texts before the call")


def read_chunks(
    hypotheses: Segments, references: Segments, config: BleuConfig, progress: Progress | None = None
) -> Iterator[Chunk]:
    """Tokenize the segments chunk by chunk, and yield each chunk.

    A chunk has at most 4,000 texts, or is a single longer segment. `progress` is called with the number of hypotheses
    in finished chunks, and the number of all hypotheses. Warn of likely mistakes in the
    hypotheses of the first chunk.
    """
    sides = [hypotheses] if references is hypotheses else [hypotheses, references]
    refuse_missing_references(config)
    # Number of texts before each segment, then of all texts: [0, 3, 8] for the bounds [0, 2, 3] and [0, 1, 5]
    texts_before: Ints = np.sum([side.bounds for side in sides], axis=0)

    first = 0
    while first < len(hypotheses.sizes):
        most_texts = texts_before[first] + _MOST_TEXTS_PER_CHUNK
        end_that_fits = int(np.searchsorted(texts_before, most_texts, side="right")) - 1
        end = max(end_that_fits, first + 1)  # at least one segment
        parts = [side.part(first, end) for side in sides]
        chunk = _read_chunk(parts, config)
        if first == 0:
            parts[0].warn(config)
        yield chunk

        if progress:
            progress(int(hypotheses.bounds[end]), len(hypotheses.texts))
        first = end


def _read_chunk(sides: Sequence[Segments], config: BleuConfig) -> Chunk:
    """Check and tokenize the texts of each side. If `sides` has one item, the hypotheses are also the references."""
    hypotheses, references = sides[0], sides[-1]
    texts = join_texts([side.read() for side in sides])
    tokens = tokenize(texts, tokenization_of(config))
    segment_of_text = np.concatenate([side.segment_of_text for side in sides])
    ids = ids_in_segments(tokens, segment_of_text)
    return Chunk(hypotheses, references, TokenIds(ids, tokens.per_text), segment_of_text)
