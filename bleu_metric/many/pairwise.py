"""Sentence BLEU of every hypothesis with every reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Unpack

import numpy as np

from .._config import BleuConfig, BleuOptions, fit_to_kind
from .._counting import SegmentCounts, apply_config
from .._dialects import DEFAULT, Dialect, config_of
from .._statistics import score_sentences
from .._validation import Floats, Ints, Progress
from .texts import Segments, Sides, as_segments, check_same_number, read_chunks
from .tiles import Counts, Tile, tiles

_PAIRS_AT_ONCE = 1 << 13  # minimum number of pairs to score in one call, so small segments are scored together


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
    if pairs.config.has_many_weights:
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
