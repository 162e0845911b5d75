"""Sentence BLEU of every hypothesis with every reference."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from .._config import BleuConfig, BleuOptions, fit_to_kind
from .._counting import SegmentCounts, apply_config
from .._counts import orders_to_count
from .._dialects import config_of
from .._statistics import score_sentences
from .._validation import Floats, Ints, Progress
from .texts import Segments, as_segments, chunk_bounds, read_texts, tokenize_texts
from .tiles import Sides, Tile, tiles

if TYPE_CHECKING:
    from typing_extensions import Unpack

_PAIRS_AT_ONCE = 1 << 13  # scored in one call, of one or of many small segments


def pairwise_bleu(
    hypotheses: Any,
    references: Any = None,
    dialect: str = "sacrebleu",
    *,
    progress: Progress | None = None,
    **options: Unpack[BleuOptions],
) -> Floats | list[Floats]:
    """Score every hypothesis against every reference, each pair by itself.

    Args:
        hypotheses: N texts of one segment, or a batch: a list of such lists, of any sizes. Lists of tokens are given as
            a batch, lists of token ids as one segment or as a batch.
        references: M texts, or a batch of as many segments; the hypotheses themselves if not given.
        dialect: name in `DIALECTS`.
        progress: called with the pairs done and all pairs, now and then.
        **options: override the dialect's choices: any field of `BleuConfig`.

    Returns:
        Scores on a scale of 0 to 1, float64 of shape (N, M): cell (i, j) is what `sentence_bleu` gives for hypothesis i
        and the single reference j. For a batch, a list of such arrays. With a list of lists of `weights`, the shape is
        (N, M, lists).

    Raises:
        TypeError: a text, or an option, of a wrong type; the error names it.
        ValueError: a segment without texts, batches of different sizes, or an unknown dialect or option value.

    >>> pairwise_bleu(["the cat sat", "a cat sat", "a dog"], max_order=2).round(2)
    array([[1.  , 0.58, 0.  ],
           [0.58, 1.  , 0.29],
           [0.  , 0.3 , 1.  ]])
    """
    pairs = read_pairs(hypotheses, references, config_of(dialect, options))
    lists = (len(pairs.config.weight_lists()),) if pairs.config.has_many_weights else ()
    scores = np.empty((sum(pairs.cells), *lists))
    starts = [0, *accumulate(pairs.cells)]
    matrices = [
        scores[start:end].reshape(rows, columns, *lists)
        for (start, end), rows, columns in zip(
            pairwise(starts), pairs.hypotheses.sizes, pairs.references.sizes, strict=True
        )
    ]
    for tile, own in scored_tiles(pairs, progress):
        matrices[tile.segment][tile.rows, tile.columns] = own
    return matrices if pairs.hypotheses.is_batch else matrices[0]


class Pairs(NamedTuple):
    """Hypotheses and references of as many segments, and how to score them."""

    hypotheses: Segments
    references: Segments
    config: BleuConfig

    @property
    def is_square(self) -> bool:
        """Whether the hypotheses are their own references."""
        return self.references is self.hypotheses

    @property
    def cells(self) -> list[int]:
        """Pairs of each segment."""
        return [rows * columns for rows, columns in zip(self.hypotheses.sizes, self.references.sizes, strict=True)]


def read_pairs(
    hypotheses: Any,
    references: Any,
    config: BleuConfig,
    names: tuple[str, str] = ("hypotheses", "references"),
) -> Pairs:
    """Check what was given; the texts themselves are read later."""
    rows = as_segments(hypotheses, names[0])
    if references is None:
        return Pairs(rows, rows, fit_to_kind(config, rows.kind))
    columns = as_segments(references, names[1])
    if (rows.kind, rows.is_batch) != (columns.kind, columns.is_batch):
        raise TypeError(
            f"{names[0]} are {_described(rows)}, but {names[1]} are {_described(columns)}; give both in the same form"
        )
    if len(rows.sizes) != len(columns.sizes):
        raise ValueError(
            f"{len(rows.sizes)} segments of {names[0]}, but {len(columns.sizes)} of {names[1]}; one each is needed"
        )
    return Pairs(rows, columns, fit_to_kind(config, rows.kind))


_KINDS = {"text": "texts", "tokens": "lists of tokens", "ids": "lists of token ids"}


def _described(segments: Segments) -> str:
    return f"a batch of lists of {_KINDS[segments.kind]}" if segments.is_batch else f"a list of {_KINDS[segments.kind]}"


class ScoredTile(NamedTuple):
    """A tile and its scores, shape (rows, columns) or (rows, columns, lists)."""

    tile: Tile
    scores: Floats


def scored_tiles(pairs: Pairs, progress: Progress | None = None) -> Iterator[ScoredTile]:
    """Count and score all pairs, tile by tile, in the order of the segments."""
    done, total = 0, sum(pairs.cells)
    sizes = [rows + columns for rows, columns in zip(pairs.hypotheses.sizes, pairs.references.sizes, strict=True)]
    for first, last in chunk_bounds(sizes):
        sides = read_sides(pairs, first, last)
        waiting: list[Tile] = []
        for tile in tiles(sides, orders_to_count(pairs.config)):
            waiting.append(tile)
            if sum(each.pairs for each in waiting) >= _PAIRS_AT_ONCE:
                yield from _score_tiles(waiting, sides, pairs.config, first)
                done += sum(each.pairs for each in waiting)
                waiting = []
                if progress:
                    progress(done, total)
        if waiting:
            yield from _score_tiles(waiting, sides, pairs.config, first)
            done += sum(each.pairs for each in waiting)
            if progress:
                progress(done, total)


def read_sides(pairs: Pairs, first: int, last: int) -> Sides:
    """Read and tokenize the texts of the segments from `first` up to `last`."""
    rows, columns = (np.array(side.sizes[first:last], np.int64) for side in (pairs.hypotheses, pairs.references))
    numbers = np.arange(last - first)
    segment_of_text = np.repeat(numbers, rows)
    values, lengths = read_texts(pairs.hypotheses, first, last)
    if not pairs.is_square:
        reference_values, reference_lengths = read_texts(pairs.references, first, last)
        values, lengths = pa.concat_arrays([values, reference_values]), np.append(lengths, reference_lengths)
        segment_of_text = np.append(segment_of_text, np.repeat(numbers, columns))
    tokens = tokenize_texts(values, lengths, segment_of_text, pairs.hypotheses.kind, pairs.config)
    return Sides(tokens, rows, columns, pairs.is_square)


def _score_tiles(some: list[Tile], sides: Sides, config: BleuConfig, first_segment: int) -> Iterator[ScoredTile]:
    """Score the pairs of some tiles in one call."""
    row_starts = np.cumsum(sides.hypotheses) - sides.hypotheses
    column_starts = np.cumsum(sides.references) - sides.references + sides.first_reference
    hypothesis_lengths, reference_lengths = [], []
    for tile in some:
        rows = sides.tokens.lengths[row_starts[tile.segment] :][tile.rows]
        columns = sides.tokens.lengths[column_starts[tile.segment] :][tile.columns]
        hypothesis_lengths.append(np.repeat(rows, len(columns)))
        reference_lengths.append(np.tile(columns, len(rows)))
    matches = np.concatenate([tile.matches.reshape(len(tile.matches), -1) for tile in some], axis=1)
    counts = pair_counts(matches, np.concatenate(hypothesis_lengths), np.concatenate(reference_lengths))
    scores = score_sentences(apply_config(counts, config))
    ends = np.cumsum([tile.pairs for tile in some])[:-1]
    for tile, own in zip(some, np.split(scores, ends), strict=True):
        shape = (*tile.matches.shape[1:], *own.shape[1:])
        yield ScoredTile(tile._replace(segment=tile.segment + first_segment), own.reshape(shape))


def pair_counts(matches: Any, hypothesis_lengths: Ints, reference_lengths: Ints) -> SegmentCounts:
    """Name the counts of pairs; `matches`: of shape (orders, pairs)."""
    pairs = np.arange(len(hypothesis_lengths))
    return SegmentCounts(matches.T.astype(np.int64), hypothesis_lengths, reference_lengths, pairs)
