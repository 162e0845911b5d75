"""Compute the sentence BLEU of every hypothesis with every reference, in tiles of bounded memory.

The scores of a segment are a matrix with one row per hypothesis and one column per reference. A tile is a block of this
matrix. The matches of a tile are counted with features (see the module `ngrams`). Each n-gram order has a feature
matrix, with one row per feature and one column per reference: 1 if the reference has the feature, else 0. The sum of
the rows of a hypothesis's features is its number of matches with each reference.

Counting takes 6 ns per pair and n-gram order for 1,024 texts of 25 tokens. Slower alternatives are a dense matrix
product in float32 (68 ns) and `np.add.reduceat` over all hypotheses at once (154 ns).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from .._config import BleuConfig, BleuOptions, columns_of, fit_to_kind, has_many_weights
from .._counting import SegmentCounts, apply_config
from .._dialects import DEFAULT, Dialect, config_of
from .._lists import EXPECTED
from .._reading import offsets_of
from .._statistics import score_sentences
from .._validation import Floats, Ints, Progress
from .ngrams import CanMatch, Grams, grams_by_order, in_two_texts, on_both_sides
from .texts import Segments, Sides, as_segments, check_same_number, read_chunks

_MOST_BYTES_PER_MATRIX = 1 << 25  # size of a feature matrix; each n-gram order has its own
_MOST_PAIRS_PER_TILE = 1 << 14  # so that a tile fits into the processor's cache
_FEWEST_PAIRS_PER_CALL = 1 << 13  # so that small segments are scored together

Counts = NDArray[np.unsignedinteger]


def pairwise_bleu(
    hypotheses: Any,
    references: Any = None,
    dialect: Dialect = DEFAULT,
    *,
    progress: Progress | None = None,
    **options: Unpack[BleuOptions],
) -> Floats | list[Floats]:
    """Compute the sentence BLEU of every hypothesis with every reference of its segment.

    Args:
        hypotheses: N texts of one segment, or a batch: a list with one such list per segment. Segments can have
            different numbers of texts. A text is a string, a list of tokens or a list of token ids. Lists of tokens
            must be in a batch, because ``[["a", "b"]]`` is read as a batch with two strings.
        references: M texts of one segment, or a batch with one such list per segment. By default, the hypotheses of the
            same segment.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        progress: a function that is called at intervals as ``progress(done, total)``, with numbers of pairs.
        **options: override the dialect's settings: any field of `BleuConfig`.

    Returns:
        Scores on a scale of 0 to 1, float64 of shape (N, M). Cell (i, j) is the `sentence_bleu` of hypothesis i with
        reference j as the only reference. For a batch, return a list with one such array per segment. If
        `weights` is a list of lists, the shape is (N, M, number of lists of weights).

    Raises:
        TypeError: a text or an option has the wrong type; the message says which.
        ValueError: a segment has no text, the batches have different numbers of segments, or a dialect or option value
            is unknown.

    >>> pairwise_bleu(["the cat sat", "a cat sat", "a dog"], max_order=2).round(2)
    array([[1.  , 0.58, 0.  ],
           [0.58, 1.  , 0.29],
           [0.  , 0.3 , 1.  ]])
    """
    pairs = read_pairs(hypotheses, references, config_of(dialect, options))
    matrices = _empty_matrices(pairs)
    for tile, scores in scored_tiles(pairs.chunks(), pairs.config, progress, pairs.number):
        matrices[tile.segment][tile.rows, tile.columns] = scores
    return matrices if pairs.hypotheses.is_batch else matrices[0]


class Pairs(NamedTuple):
    """The hypotheses and references of the same segments, not tokenized yet, and the configuration that scores them."""

    hypotheses: Segments
    references: Segments  # the same object as `hypotheses` if the caller passed no references
    config: BleuConfig

    @property
    def number(self) -> int:
        """Return the total number of (hypothesis, reference) pairs in all segments."""
        return int(self.hypotheses.sizes @ self.references.sizes)

    def chunks(self, progress: Progress | None = None) -> Iterator[Sides]:
        """Check and tokenize the texts chunk by chunk, as `read_chunks` does."""
        return read_chunks(self.hypotheses, self.references, self.config, progress)


def _empty_matrices(pairs: Pairs) -> list[Floats]:
    """Return one uninitialized array per segment, in the shape that `pairwise_bleu` documents."""
    lists = [len(pairs.config.weight_lists)] if has_many_weights(pairs.config) else []
    matrices = []
    for rows, columns in zip(pairs.hypotheses.sizes, pairs.references.sizes, strict=True):
        matrices.append(np.empty((rows, columns, *lists)))
    return matrices


def read_pairs(hypotheses: Any, references: Any, config: BleuConfig, name: str = "hypotheses") -> Pairs:
    """Return the arguments as `Pairs`. Raise an error unless they are lists. `name`: how errors call `hypotheses`."""
    rows = as_segments(hypotheses, name)
    config = fit_to_kind(config, rows.kind)
    if references is None:
        return Pairs(rows, rows, config)
    columns = as_segments(references, "references")
    form, other_form = _form(rows), _form(columns)
    if form != other_form:
        raise TypeError(f"{name} are {form}, but references are {other_form}; give both in the same form")
    check_same_number(name, rows.sizes, columns.name, columns.sizes)
    return Pairs(rows, columns, config)


def _form(segments: Segments) -> str:
    """Return the form of segments, such as "a list of strings"."""
    lists = "a batch of lists" if segments.is_batch else "a list"
    return f"{lists} of {EXPECTED[segments.kind]}"


class Tile(NamedTuple):
    """A block of the matrix of one segment's pairs: the matches of some hypotheses with some references."""

    segment: int  # index of the segment in the caller's list
    rows: slice  # indices of the hypotheses in the segment
    columns: slice  # indices of the references in the segment
    matches: Counts  # (orders, rows, columns): clipped matches of each pair
    lengths: Ints  # (pairs,): number of tokens of each pair's hypothesis, row by row
    reference_lengths: Ints  # (pairs,): number of tokens of each pair's reference, row by row

    def indices(self) -> tuple[Ints, Ints]:
        """Return the indices of the hypotheses as a column and those of the references as a row.

        A comparison of the two arrays compares the indices of every pair. The result has the shape (rows, columns).
        """
        rows = np.arange(self.rows.start, self.rows.stop)
        columns = np.arange(self.columns.start, self.columns.stop)
        return rows[:, np.newaxis], columns


class Features(NamedTuple):
    """The features of one n-gram order, one text after another. Features that no other text can share are omitted."""

    numbers: Ints  # (features,): equal features have equal numbers, which start from 0 in each segment
    bounds: Ints  # (texts + 1,): text i has the features from position bounds[i] to bounds[i + 1] - 1
    per_segment: Ints  # (segments,): number of different features in the segment

    def matrix(self, segment: int, texts: slice, dtype: np.dtype[Any]) -> Counts:
        """Return a matrix with one row per feature and one column per text: 1 if the text has the feature, else 0."""
        bounds = self.bounds[texts.start : texts.stop + 1]
        sizes = np.diff(bounds)
        row = self.numbers[bounds[0] : bounds[-1]]
        column = np.repeat(np.arange(len(sizes)), sizes)
        matrix = np.zeros((self.per_segment[segment], len(sizes)), dtype)
        matrix[row, column] = 1
        return matrix

    def count_matches(self, texts: slice, matrix: Counts) -> Counts:
        """Return an array with one row per text: the sum of the matrix rows of the text's features."""
        bounds = self.bounds[texts.start : texts.stop + 1].tolist()
        matches = np.zeros((len(bounds) - 1, matrix.shape[1]), matrix.dtype)
        for of_text, start, end in zip(matches, bounds[:-1], bounds[1:], strict=True):
            if start < end:
                features = self.numbers[start:end]
                rows = matrix.take(features, axis=0)
                np.add.reduce(rows, axis=0, dtype=matrix.dtype, out=of_text)
        return matches


def tiles(sides: Sides, max_order: int) -> Iterator[Tile]:
    """Yield the tiles of each segment. Together they contain every pair of a hypothesis and a reference."""
    can_match = in_two_texts if sides.is_square else on_both_sides(sides.first_reference)
    every_order = grams_by_order(sides.tokens, max_order, can_match)
    orders = [_shared_features(grams, sides, can_match) for grams in every_order]
    hypotheses = _slices(sides.hypotheses.bounds)
    references = _slices(sides.first_reference + sides.references.bounds)
    for segment, (rows, columns) in enumerate(zip(hypotheses, references, strict=True)):
        for tile in _segment_tiles(sides, orders, segment, rows, columns):
            if sides.is_square:
                _match_each_with_itself(tile)
            yield tile


def _slices(bounds: Ints) -> Iterator[slice]:
    """Yield one slice per segment: ``[0, 2, 5]`` -> ``slice(0, 2), slice(2, 5)``."""
    return map(slice, bounds[:-1].tolist(), bounds[1:].tolist())


def _shared_features(grams: Grams, sides: Sides, can_match: CanMatch) -> Features:
    """Return the features that can match. Number those of each segment from 0, to keep feature matrices small."""
    features = grams.features()
    no_repetitions = np.zeros_like(features)  # no text has a feature twice
    is_shared = can_match(grams._replace(ids=features, occurrence=no_repetitions))
    text = grams.text[is_shared]
    segment = sides.segment_of_text.take(text)
    bounds = np.searchsorted(text, np.arange(len(sides.tokens.lengths) + 1))

    # Equal features have equal entries in `features`: the position of the last n-gram with the feature. If a feature is
    # shared, this n-gram is in a reference. Shared features are numbered in the order of these positions
    is_last = features == np.arange(len(features))
    shared_before = offsets_of(is_shared & is_last)
    first_references = sides.first_reference + sides.references.bounds
    first_grams = np.searchsorted(grams.text, first_references)
    before_segment = shared_before.take(first_grams)
    numbers = shared_before.take(features[is_shared]) - before_segment.take(segment)
    return Features(numbers, bounds, np.diff(before_segment))


def _segment_tiles(
    sides: Sides, orders: Sequence[Features], segment: int, hypotheses: slice, references: slice
) -> Iterator[Tile]:
    """Yield the tiles of a segment, block by block. A block has as many references as fit into one matrix.

                       block of references   next block
    some hypotheses          tile 0             tile 2
    more hypotheses          tile 1             tile 3
    """
    lengths = sides.tokens.lengths
    longest = int(lengths[hypotheses].max())
    dtype = np.min_scalar_type(longest)  # a match count is at most `longest`; the smallest type is the fastest
    most_features = max(order.per_segment[segment] for order in orders)
    bytes_per_column = most_features * dtype.itemsize
    width = _MOST_BYTES_PER_MATRIX // max(1, bytes_per_column)
    for columns in _blocks(references, width):
        matrices = [order.matrix(segment, columns, dtype) for order in orders]
        height = _MOST_PAIRS_PER_TILE // (columns.stop - columns.start)
        for rows in _blocks(hypotheses, height):
            matches = [order.count_matches(rows, matrix) for order, matrix in zip(orders, matrices, strict=True)]
            row_lengths = lengths[rows]
            column_lengths = lengths[columns]
            yield Tile(
                segment=sides.hypotheses.first + segment,
                rows=_shifted(rows, hypotheses.start),
                columns=_shifted(columns, references.start),
                matches=np.stack(matches),
                lengths=np.repeat(row_lengths, len(column_lengths)),
                reference_lengths=np.tile(column_lengths, len(row_lengths)),
            )


def _blocks(texts: slice, size: int) -> Iterator[slice]:
    """Split a slice into slices of `size` texts; the last one can be shorter. A `size` of 0 or less counts as 1."""
    size = max(1, size)
    for start in range(texts.start, texts.stop, size):
        yield slice(start, min(start + size, texts.stop))


def _shifted(texts: slice, first: int) -> slice:
    """Subtract `first` from both ends of the slice, so that indices count from text `first`."""
    return slice(texts.start - first, texts.stop - first)


def _match_each_with_itself(tile: Tile) -> None:
    """Set the number of matches of each text with itself to its number of n-grams.

    The counted number is too small, because `_shared_features` omits features that only one text has.
    """
    hypothesis, reference = tile.indices()
    is_same = hypothesis == reference
    tokens = tile.lengths[is_same.ravel()]
    for order, matches in enumerate(tile.matches, 1):
        matches[is_same] = np.maximum(tokens - order + 1, 0)


def scored_tiles(
    chunks: Iterable[Sides], config: BleuConfig, progress: Progress | None = None, pairs: int = 0
) -> Iterator[tuple[Tile, Floats]]:
    """Yield each tile with the scores of its pairs, segment by segment.

    The scores have the shape (rows, columns), or (rows, columns, lists) for several lists of weights. `pairs`: total
    number of pairs in all chunks, which is passed to `progress`.
    """
    done = 0
    for sides in chunks:
        every_tile = tiles(sides, columns_of(config).highest_order)
        for group in _grouped(every_tile):
            yield from _score_tiles(group, config)
            done += sum(len(tile.lengths) for tile in group)
            if progress:
                progress(done, pairs)


def _grouped(every_tile: Iterator[Tile]) -> Iterator[list[Tile]]:
    """Yield lists of tiles. Each list except the last has at least `_FEWEST_PAIRS_PER_CALL` pairs in total."""
    group: list[Tile] = []
    pairs = 0
    for tile in every_tile:
        group.append(tile)
        pairs += len(tile.lengths)
        if pairs >= _FEWEST_PAIRS_PER_CALL:
            yield group
            group = []
            pairs = 0
    if group:
        yield group


def _score_tiles(group: list[Tile], config: BleuConfig) -> Iterator[tuple[Tile, Floats]]:
    """Score the pairs of several tiles in one call. Yield each tile with its scores."""
    matches = np.hstack([tile.matches.reshape(-1, len(tile.lengths)) for tile in group])  # (orders, pairs)
    lengths = np.hstack([tile.lengths for tile in group])
    reference_lengths = np.hstack([tile.reference_lengths for tile in group])
    bounds = np.arange(len(reference_lengths) + 1)  # each pair has one reference
    counts = SegmentCounts(matches.T.astype(np.int64), lengths, reference_lengths, reference_bounds=bounds)
    scores = score_sentences(apply_config(counts, config))
    _, *lists = scores.shape  # [number of lists of weights], or [] if there is only one list
    start = 0
    for tile in group:
        end = start + len(tile.lengths)
        _, rows, columns = tile.matches.shape
        yield tile, scores[start:end].reshape(rows, columns, *lists)
        start = end
