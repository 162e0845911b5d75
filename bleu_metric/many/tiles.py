"""Clipped matches of every text with every other text, in tiles of bounded memory.

The module `ngrams` explains what a feature is. A matrix of 0 and 1, with one row per feature and one column per
reference, shows which references have which features. A hypothesis's matches are the sum of its features' rows.

Time per pair and n-gram order, for 1,024 texts of 25 tokens: 6 ns. Slower alternatives: a dense product in float32
(68 ns) and `np.add.reduceat` over all hypotheses at once (154 ns).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._validation import Bools, Ints
from .ngrams import Grams, common, flags, grams_by_order, in_two_texts, on_both_sides
from .texts import Segments, TokenIds

_MATRIX_BYTES = 1 << 23  # maximum size of a feature matrix
_TILE_PAIRS = 1 << 14  # pairs in a tile, so that their counts stay in the processor's cache

Counts = NDArray[np.unsignedinteger]


class Tile(NamedTuple):
    """Some hypotheses and references of one segment, and the matches of all their pairs."""

    segment: int
    rows: slice  # which hypotheses of the segment
    columns: slice  # which references of the segment
    matches: Counts  # shape (orders, rows, columns)
    lengths: Ints  # (rows,): number of tokens of each hypothesis
    reference_lengths: Ints  # (columns,)

    @property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of rows and columns."""
        return len(self.lengths), len(self.reference_lengths)

    @property
    def pairs(self) -> int:
        """Return the number of pairs in the tile."""
        rows, columns = self.shape
        return rows * columns


class Sides(NamedTuple):
    """The texts of a chunk of segments. `tokens`: first of the hypotheses, then of the references if they differ."""

    hypotheses: Segments
    references: Segments
    tokens: TokenIds

    @property
    def is_square(self) -> bool:
        """Return whether the hypotheses are also the references."""
        return self.references is self.hypotheses

    @property
    def first_reference(self) -> int:
        """Return the index of the first reference among the texts of `tokens`."""
        return 0 if self.is_square else len(self.hypotheses.texts)


class FeatureLists(NamedTuple):
    """The features of some texts, text by text."""

    features: Ints
    bounds: Ints  # (texts + 1,): the first feature of each text, and the end

    def of_texts(self, texts: slice) -> FeatureLists:
        """Return the features of some of the texts."""
        bounds = self.bounds[texts.start : texts.stop + 1]
        first, end = bounds[0], bounds[-1]
        return FeatureLists(self.features[first:end], bounds - first)

    def kept(self, is_kept: Bools) -> FeatureLists:
        """Return the lists without some features. `is_kept`: one flag for each number of a feature."""
        keep = is_kept.take(self.features)
        kept_before = np.append(0, np.cumsum(keep))
        return FeatureLists(self.features[keep], kept_before.take(self.bounds))

    def from_number(self, first: int) -> FeatureLists:
        """Return the lists with `first` as the number 0."""
        return FeatureLists(self.features - first, self.bounds)

    def renumbered(self, numbers: Ints) -> FeatureLists:
        """Return the lists with other numbers of the features. `numbers`: old number -> new number."""
        return FeatureLists(numbers.take(self.features), self.bounds)


class Features(NamedTuple):
    """The features of one order (see `ngrams`) that can match. Those of each segment are numbered consecutively."""

    hypotheses: FeatureLists
    references: FeatureLists  # the same object as `hypotheses` if they are the same texts

    def of_segment(self, rows: slice, columns: slice) -> Features:
        """Return the features of the texts of one segment, numbered from 0."""
        hypotheses = self.hypotheses.of_texts(rows)
        references = self.references.of_texts(columns)
        first = references.features.min(initial=len(self.references.features))
        return Features(hypotheses.from_number(first), references.from_number(first))

    def of_references(self, columns: slice) -> Features:
        """Return the features that some of the references have, numbered from 0."""
        references = self.references.of_texts(columns)
        largest = max(of_side.features.max(initial=-1) for of_side in self)
        is_present = flags(references.features, largest + 1)
        numbers = np.cumsum(is_present) - 1
        hypotheses = self.hypotheses.kept(is_present)
        return Features(hypotheses.renumbered(numbers), references.renumbered(numbers))


def tiles(sides: Sides, max_order: int) -> Iterator[Tile]:
    """Yield tiles with the matches of every hypothesis with every reference of its segment."""
    can_match = in_two_texts if sides.is_square else on_both_sides(sides.first_reference)
    orders = [shared_features(grams, sides) for grams in grams_by_order(sides.tokens, max_order, can_match)]
    lengths = sides.tokens.lengths
    reference_lengths = lengths[sides.first_reference :]
    segments = zip(_ranges(sides.hypotheses), _ranges(sides.references), strict=True)
    for segment, (rows, columns) in enumerate(segments, sides.hypotheses.first):
        of_segment = [order.of_segment(rows, columns) for order in orders]
        for tile in _segment_tiles(segment, of_segment, lengths[rows], reference_lengths[columns]):
            if sides.is_square:
                _match_each_with_itself(tile)
            yield tile


def _ranges(side: Segments) -> list[slice]:
    """Return one slice per segment: the indices of its texts."""
    bounds = [0, *accumulate(side.sizes.tolist())]
    return [slice(start, end) for start, end in pairwise(bounds)]


def shared_features(grams: Grams, sides: Sides) -> Features:
    """Return the features that two texts have in common; if `sides` differ, a hypothesis and a reference."""
    features = grams.features()
    if sides.is_square:
        is_shared = np.bincount(features, minlength=len(features)) > 1
    else:
        is_shared = common(features, grams.start_of(sides.first_reference))
    numbers = np.cumsum(is_shared) - 1  # features are positions in references, segment by segment
    keep = is_shared.take(features)
    shared = numbers.take(features[keep])
    texts = np.arange(len(sides.tokens.lengths) + 1)
    of_all = FeatureLists(shared, np.searchsorted(grams.text[keep], texts))
    if sides.is_square:
        return Features(of_all, of_all)
    hypotheses = slice(0, sides.first_reference)
    references = slice(sides.first_reference, texts[-1])
    return Features(of_all.of_texts(hypotheses), of_all.of_texts(references))


def _segment_tiles(segment: int, orders: Sequence[Features], lengths: Ints, reference_lengths: Ints) -> Iterator[Tile]:
    """Yield the tiles of a segment: blocks of references that fit into memory, each cut into rows of hypotheses.

                       block of references   next block
    some hypotheses          tile 0             tile 2
    more hypotheses          tile 1             tile 3
    """
    counter = np.min_scalar_type(int(lengths.max()))  # the smallest type that can hold the matches is the fastest
    references = len(reference_lengths)
    width = _block_width(orders, references, counter.itemsize)
    for columns in _cut_range(references, width):
        is_whole = width == references
        blocks = orders if is_whole else [order.of_references(columns) for order in orders]
        block_lengths = reference_lengths[columns]
        matrices = [_matrix(block.references, counter) for block in blocks]
        height = max(1, _TILE_PAIRS // len(block_lengths))
        for rows in _cut_range(len(lengths), height):
            matches = np.zeros((len(orders), rows.stop - rows.start, len(block_lengths)), counter)
            for order, (block, matrix) in enumerate(zip(blocks, matrices, strict=True)):
                _add_rows(matrix, block.hypotheses, rows, matches[order])
            yield Tile(segment, rows, columns, matches, lengths[rows], block_lengths)


def _cut_range(number: int, size: int) -> Iterator[slice]:
    """Yield slices of at most `size` indices, from 0 to `number`."""
    for start in range(0, number, size):
        yield slice(start, min(start + size, number))


def _block_width(orders: Sequence[Features], columns: int, itemsize: int) -> int:
    """Return the number of references per block. k references have about k times as many features as one reference."""
    most_features = max(len(order.references.features) for order in orders)
    per_reference = max(most_features / columns, 1.0)
    cells = _MATRIX_BYTES / itemsize
    width = int((cells / per_reference) ** 0.5)
    return min(columns, max(width, 1))


def _matrix(references: FeatureLists, counter: np.dtype[Any]) -> Counts:
    """Return a matrix with one row per feature and one column per reference: 1 if the reference has the feature."""
    features = references.features.max(initial=-1) + 1
    sizes = np.diff(references.bounds)
    matrix = np.zeros((features, len(sizes)), counter)
    column = np.repeat(np.arange(len(sizes)), sizes)
    matrix[references.features, column] = 1
    return matrix


def _add_rows(matrix: Counts, hypotheses: FeatureLists, rows: slice, matches: Counts) -> None:
    """Set the matches of some hypotheses to the sums of their features' rows. `matches`: shape (rows, references)."""
    bounds = hypotheses.bounds[rows.start : rows.stop + 1].tolist()
    for of_hypothesis, (start, end) in zip(matches, pairwise(bounds), strict=True):
        if start < end:
            features = matrix.take(hypotheses.features[start:end], axis=0)
            np.add.reduce(features, axis=0, dtype=matrix.dtype, out=of_hypothesis)


def _match_each_with_itself(tile: Tile) -> None:
    """Set each text's matches with itself to the number of its n-grams, because `shared_features` leaves out some."""
    first_row, first_column = tile.rows.start, tile.columns.start
    texts = np.arange(max(first_row, first_column), min(tile.rows.stop, tile.columns.stop))
    rows = texts - first_row
    columns = texts - first_column
    lengths = tile.lengths.take(rows)
    for order, matches in enumerate(tile.matches):
        matches[rows, columns] = np.maximum(lengths - order, 0)
