"""Sentence BLEU of every hypothesis with every reference, in tiles of bounded memory.

A tile is a block of the matrix of pairs. The module `ngrams` explains what a feature is. A matrix of 0 and 1, with one
row per feature and one column per reference, shows which references have which features. A hypothesis's matches are the
sum of its features' rows.

Time per pair and n-gram order, for 1,024 texts of 25 tokens: 6 ns. Slower alternatives: a dense product in float32
(68 ns) and `np.add.reduceat` over all hypotheses at once (154 ns).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from .._config import BleuConfig, BleuOptions, fit_to_kind
from .._counting import SegmentCounts, apply_config
from .._dialects import DEFAULT, Dialect, config_of
from .._statistics import score_sentences
from .._validation import Floats, Ints, Progress
from .ngrams import Grams, common, grams_by_order, in_two_texts, on_both_sides
from .texts import Segments, Sides, as_segments, check_same_number, read_chunks

_MATRIX_BYTES = 1 << 25  # maximum size of a feature matrix; there is one per n-gram order
_TILE_PAIRS = 1 << 14  # pairs in a tile, so that their counts stay in the processor's cache
_PAIRS_AT_ONCE = 1 << 13  # minimum number of pairs to score in one call, so small segments are scored together

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
        hypotheses: N texts of one segment, or a batch: one list of texts per segment, of any sizes. A text is a string,
            a list of tokens or a list of token ids. Lists of tokens must be in a batch.
        references: M texts, or a batch with the same number of segments. By default, the hypotheses themselves.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        progress: called at intervals as ``progress(done, total)``. Both are numbers of pairs.
        **options: override the dialect's settings: any field of `BleuConfig`.

    Returns:
        Scores on a scale of 0 to 1, float64 of shape (N, M). Cell (i, j) is the `sentence_bleu` of hypothesis i with
        reference j as the only reference. For a batch, a list with one such array per segment. If `weights` is a list
        of lists, the shape is (N, M, number of lists).

    Raises:
        TypeError: a text or an option has the wrong type; the error names it.
        ValueError: a segment has no text, the sizes of the batches differ, or a dialect or option value is unknown.

    >>> pairwise_bleu(["the cat sat", "a cat sat", "a dog"], max_order=2).round(2)
    array([[1.  , 0.58, 0.  ],
           [0.58, 1.  , 0.29],
           [0.  , 0.3 , 1.  ]])
    """
    pairs = read_pairs(hypotheses, references, config_of(dialect, options))
    rows, columns = pairs.hypotheses.sizes, pairs.references.sizes
    shapes = np.column_stack([rows, columns]).tolist()
    if pairs.config._has_many_weights:
        lists = len(pairs.config.weight_lists)
        shapes = [[*shape, lists] for shape in shapes]
    matrices = [np.empty(shape) for shape in shapes]
    chunks = read_chunks(*pairs)
    for tile, scores in scored_tiles(chunks, pairs.config, progress, pairs.number):
        matrices[tile.segment][tile.rows, tile.columns] = scores
    return matrices if pairs.hypotheses.is_batch else matrices[0]


class Pairs(NamedTuple):
    """The hypotheses and references of the same segments, and the configuration that scores them."""

    hypotheses: Segments
    references: Segments  # the same object as `hypotheses` if the caller passed none
    config: BleuConfig

    @property
    def number(self) -> int:
        """Return the number of pairs of all segments."""
        return int(self.hypotheses.sizes @ self.references.sizes)


def read_pairs(hypotheses: Any, references: Any, config: BleuConfig, name: str = "hypotheses") -> Pairs:
    """Check that hypotheses and references have the same form, and return them as `Pairs`. The texts are read later."""
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


_KINDS = {"text": "texts", "tokens": "lists of tokens", "ids": "lists of token ids"}


def _form(segments: Segments) -> str:
    lists = "a batch of lists" if segments.is_batch else "a list"
    return f"{lists} of {_KINDS[segments.kind]}"


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


class Features(NamedTuple):
    """The features of one order that two texts of a segment share, text by text."""

    numbers: Ints  # those of a segment are numbered from 0
    bounds: Ints  # (texts + 1,): the position of each text's first feature, and the end
    per_segment: Ints  # (segments,): how many different features the segment has

    def matrix(self, segment: int, texts: slice, counter: np.dtype[Any]) -> Counts:
        """Return a matrix with one row per feature and one column per text: 1 if the text has the feature."""
        bounds = self.bounds[texts.start : texts.stop + 1]
        sizes = np.diff(bounds)
        column = np.repeat(np.arange(len(sizes)), sizes)
        matrix = np.zeros((self.per_segment[segment], len(sizes)), counter)
        matrix[self.numbers[bounds[0] : bounds[-1]], column] = 1
        return matrix

    def add_rows(self, texts: slice, matrix: Counts, matches: Counts) -> None:
        """Set the matches of each text to the sum of its features' rows. `matches`: shape (texts, columns)."""
        bounds = self.bounds[texts.start : texts.stop + 1].tolist()
        for of_text, (start, end) in zip(matches, pairwise(bounds), strict=True):
            if start < end:
                rows = matrix.take(self.numbers[start:end], axis=0)
                np.add.reduce(rows, axis=0, dtype=matrix.dtype, out=of_text)


def tiles(sides: Sides, max_order: int) -> Iterator[Tile]:
    """Yield tiles with the matches of every hypothesis with every reference of its segment."""
    can_match = in_two_texts if sides.is_square else on_both_sides(sides.first_reference)
    every_order = grams_by_order(sides.tokens, max_order, can_match)
    orders = [_shared_features(grams, sides) for grams in every_order]
    hypotheses = _slices(sides.hypotheses.bounds)
    references = _slices(sides.first_reference + sides.references.bounds)
    for segment, texts in enumerate(zip(hypotheses, references, strict=True)):
        for tile in _segment_tiles(sides, orders, segment, *texts):
            if sides.is_square:
                _match_each_with_itself(tile)
            yield tile


def _slices(bounds: Ints) -> Iterator[slice]:
    """Yield the slices between neighbouring bounds."""
    return map(slice, bounds[:-1].tolist(), bounds[1:].tolist())


def _shared_features(grams: Grams, sides: Sides) -> Features:
    """Return the features that two texts share. If `sides` differ, one must be a hypothesis and one a reference."""
    features = grams.features()
    if sides.is_square:
        is_shared = np.bincount(features, minlength=len(features)) > 1
    else:
        is_shared = common(features, grams.start_of(sides.first_reference))
    keep = is_shared.take(features)
    text = grams.text[keep]
    texts = len(sides.tokens.lengths)
    bounds = np.searchsorted(text, np.arange(texts + 1))

    # A feature is a position in the references. Its number is the number of shared features before it in its segment
    shared_before = np.append(0, np.cumsum(is_shared))
    segment_bounds = np.searchsorted(grams.text, sides.first_reference + sides.references.bounds)
    before_segment = shared_before.take(segment_bounds)
    segment = sides.segment_of_text.take(text)
    numbers = shared_before.take(features[keep]) - before_segment.take(segment)
    return Features(numbers, bounds, np.diff(before_segment))


def _segment_tiles(
    sides: Sides, orders: Sequence[Features], segment: int, hypotheses: slice, references: slice
) -> Iterator[Tile]:
    """Yield the tiles of a segment: blocks of references that fit into memory, each cut into rows of hypotheses.

                       block of references   next block
    some hypotheses          tile 0             tile 2
    more hypotheses          tile 1             tile 3
    """
    lengths = sides.tokens.lengths
    longest = int(lengths[hypotheses].max())
    counter = np.min_scalar_type(longest)  # the smallest type that can hold the matches is the fastest
    most_features = max(order.per_segment[segment] for order in orders)
    width = _MATRIX_BYTES // max(1, most_features * counter.itemsize)
    for columns in _blocks(references, width):
        size = columns.stop - columns.start
        matrices = [order.matrix(segment, columns, counter) for order in orders]
        for rows in _blocks(hypotheses, _TILE_PAIRS // size):
            matches = np.zeros((len(orders), rows.stop - rows.start, size), counter)
            for order, matrix, of_order in zip(orders, matrices, matches, strict=True):
                order.add_rows(rows, matrix, of_order)
            yield Tile(
                segment=sides.hypotheses.first + segment,
                rows=_shifted(rows, hypotheses.start),
                columns=_shifted(columns, references.start),
                matches=matches,
                lengths=lengths[rows],
                reference_lengths=lengths[columns],
            )


def _blocks(texts: slice, size: int) -> Iterator[slice]:
    """Yield slices of at most `size` texts, but at least one."""
    size = max(1, size)
    for start in range(texts.start, texts.stop, size):
        yield slice(start, min(start + size, texts.stop))


def _shifted(texts: slice, first: int) -> slice:
    """Return the same texts, numbered from `first`."""
    return slice(texts.start - first, texts.stop - first)


def _match_each_with_itself(tile: Tile) -> None:
    """Set each text's matches with itself to the number of its n-grams, because `shared_features` leaves out some."""
    first_row, first_column = tile.rows.start, tile.columns.start
    texts = np.arange(max(first_row, first_column), min(tile.rows.stop, tile.columns.stop))
    rows = texts - first_row
    columns = texts - first_column
    lengths = tile.lengths.take(rows)
    for order, matches in enumerate(tile.matches):
        matches[rows, columns] = np.maximum(lengths - order, 0)


def scored_tiles(
    chunks: Iterable[Sides], config: BleuConfig, progress: Progress | None = None, pairs: int = 0
) -> Iterator[tuple[Tile, Floats]]:
    """Yield each tile (a block of the matrix of pairs) with the scores of its pairs, in the order of the segments.

    The scores are of shape (rows, columns), or (rows, columns, lists) for several lists of weights. `pairs`: the number
    of all pairs, for `progress`.
    """
    done = 0
    for sides in chunks:
        every_tile = tiles(sides, config._columns.highest_order)
        for some in _tiles_at_once(every_tile):
            yield from _score_tiles(some, config)
            done += sum(tile.pairs for tile in some)
            if progress:
                progress(done, pairs)


def _tiles_at_once(every_tile: Iterator[Tile]) -> Iterator[list[Tile]]:
    """Yield lists of tiles. Each list, except the last one, has at least `_PAIRS_AT_ONCE` pairs."""
    some: list[Tile] = []
    pairs = 0
    for tile in every_tile:
        some.append(tile)
        pairs += tile.pairs
        if pairs >= _PAIRS_AT_ONCE:
            yield some
            some = []
            pairs = 0
    if some:
        yield some


def _score_tiles(some: list[Tile], config: BleuConfig) -> Iterator[tuple[Tile, Floats]]:
    """Score the pairs of some tiles in one call. Yield each tile with its scores."""
    matches, lengths, reference_lengths = zip(*map(_flatten, some), strict=True)
    joined = np.concatenate(matches, axis=1).T.astype(np.int64)
    pairs = np.arange(joined.shape[0])
    counts = SegmentCounts(joined, np.concatenate(lengths), np.concatenate(reference_lengths), first_references=pairs)
    statistics = apply_config(counts, config)
    scores = score_sentences(statistics)
    lists = scores.shape[1:]
    ends = np.cumsum([tile.pairs for tile in some])
    for tile, of_tile in zip(some, np.split(scores, ends[:-1]), strict=True):
        yield tile, of_tile.reshape(*tile.shape, *lists)


def _flatten(tile: Tile) -> tuple[Counts, Ints, Ints]:
    """Return the matches, the lengths and the reference lengths of a tile's pairs, row by row.

                   reference 0  reference 1  reference 2
    hypothesis 0     pair 0       pair 1       pair 2
    hypothesis 1     pair 3       pair 4       pair 5
    """
    rows, columns = tile.shape
    matches = tile.matches.reshape(-1, tile.pairs)
    lengths = np.repeat(tile.lengths, columns)
    reference_lengths = np.tile(tile.reference_lengths, rows)
    return matches, lengths, reference_lengths
