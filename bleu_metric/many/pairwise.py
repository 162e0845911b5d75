"""Compute the sentence BLEU of every hypothesis with every reference, in tiles of bounded memory.

The scores of a segment are a matrix with one row per hypothesis and one column per reference. A tile is a block of this
matrix. Matches are counted with features (see the module `ngrams`). `feature_matrix` marks the features of each
reference. `count_matches` adds up the rows of a hypothesis's features.

Counting takes 6 ns per pair and n-gram order for 1,024 texts of 25 tokens. A dense matrix product in float32 takes
68 ns, and `np.add.reduceat` over all hypotheses takes 154 ns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from .._config import DEFAULT, BleuConfig, BleuOptions, Dialect, columns_of, config_of, fit_to_kind, tokenization_of
from .._corpus import EXPECTED, Corpus, offsets_of, sizes_of
from .._counting import count_corpus
from .._display import amount
from .._formula import effective_lengths
from .._statistics import BleuStatistics, score_sentences, table_of_segments
from .._validation import Floats, Ints, Progress
from .ngrams import CanMatch, Grams, grams_by_order, in_two_texts, on_both_sides
from .texts import Chunk, Segments, as_segments, read_chunks, refuse_missing_references

_MOST_BYTES_PER_MATRIX = 1 << 25  # of the feature matrix of one n-gram order
_MOST_PAIRS_PER_TILE = 1 << 14  # so that a tile fits into the processor's cache
_FEWEST_PAIRS_PER_CALL = 1 << 13  # so that small segments are scored together
_FEW_PAIRS = 1000  # with more pairs of 25 tokens, tiles are faster than `_scores_of_few`

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
        progress: a function, called at intervals as ``progress(done, total)``, with numbers of hypotheses.
        **options: override the dialect's settings: any field of `BleuConfig`.

    Returns:
        Scores on a scale of 0 to 1, float64 of shape (N, M). Cell (i, j) is the `sentence_bleu` of hypothesis i with
        reference j as the only reference. For a batch, return a list with one such array per segment.

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
    shapes = zip(pairs.hypotheses.sizes, pairs.references.sizes, strict=True)
    matrices = [np.empty(shape) for shape in shapes]
    for segment, rows, columns, scores in scored_blocks(pairs, progress):
        matrices[segment][rows, columns] = scores
    return matrices if pairs.hypotheses.is_batch else matrices[0]


class Pairs(NamedTuple):
    """The hypotheses and references of all segments before tokenization, and the configuration."""

    hypotheses: Segments
    references: Segments  # the same object as `hypotheses` if the caller passed no references
    config: BleuConfig

    def chunks(self, progress: Progress | None) -> Iterator[Chunk]:
        """Check and tokenize the texts chunk by chunk, as `read_chunks` does."""
        return read_chunks(self.hypotheses, self.references, self.config, progress)


def read_pairs(hypotheses: Any, references: Any, config: BleuConfig, name: str = "hypotheses") -> Pairs:
    """Check the arguments, and return them as `Pairs`. `name`: what errors call `hypotheses`."""
    hypothesis_lists = as_segments(hypotheses, name)
    config = fit_to_kind(config, hypothesis_lists.kind)
    if references is None:
        return Pairs(hypothesis_lists, hypothesis_lists, config)

    reference_lists = as_segments(references, "references")
    form, reference_form = _form(hypothesis_lists), _form(reference_lists)
    if form != reference_form:
        raise TypeError(f"{name} are {form}, but references are {reference_form}; give both in the same form")
    n_segments, n_references = len(hypothesis_lists.sizes), len(reference_lists.sizes)
    if n_segments != n_references:
        raise ValueError(
            f"{amount(n_segments, 'segment')} of {name} but {n_references} of references; the numbers must be equal"
        )
    return Pairs(hypothesis_lists, reference_lists, config)


def _form(segments: Segments) -> str:
    """Return the form of segments, such as "a list of strings"."""
    lists = "a batch of lists" if segments.is_batch else "a list"
    return f"{lists} of {EXPECTED[segments.kind]}"


class Tile(NamedTuple):
    """The matches of some hypotheses of a segment with some references: a block of the segment's matrix.

    A tile of the hypotheses 2 and 3 with the references 0, 1 and 2 has the rows 2:4 and the columns 0:3. The bigram
    matches are ``matches[1]``, of shape (2, 3).
    """

    segment: int  # index of the segment in the caller's list
    rows: slice  # indices of the hypotheses in the segment
    columns: slice  # indices of the references in the segment
    matches: Counts  # (orders, rows, columns): clipped matches of each pair
    lengths: Ints  # (rows,): number of tokens of each hypothesis
    reference_lengths: Ints  # (columns,): number of tokens of each reference

    @property
    def n_pairs(self) -> int:
        """Return the number of pairs."""
        return len(self.lengths) * len(self.reference_lengths)


class Features(NamedTuple):
    """The features of one n-gram order that can match.

    For the texts "a b", "b a a" and "a" of a segment, `of_texts` is [[1, 0], [0, 1], [1]], and `per_segment` is [2]:
    (b, 1st) is 0, and (a, 1st) is 1. (a, 2nd) cannot match.
    """

    of_texts: list[Ints]  # the numbers of each text's features; each segment counts from 0
    per_segment: list[int]  # number of different features in each segment


def tiles(chunk: Chunk, max_order: int) -> Iterator[Tile]:
    """Yield the tiles of each segment, which contain every pair of a hypothesis and a reference."""
    can_match = in_two_texts if chunk.is_square else on_both_sides(chunk.first_reference)
    every_order = grams_by_order(chunk.tokens, max_order, can_match)
    features_by_order = [_shared_features(grams, chunk, can_match) for grams in every_order]
    for segment in range(len(chunk.hypotheses.sizes)):
        yield from _segment_tiles(chunk, features_by_order, segment)


def _shared_features(grams: Grams, chunk: Chunk, can_match: CanMatch) -> Features:
    """Return the features that can match. Each segment numbers its features from 0, to keep feature matrices small.

    For example, segment 0 has the hypothesis "a b" and the reference "b a a". Segment 1 has "c" on both sides. `grams`
    has the n-grams of all hypotheses, then of all references. The unigrams:

        n-gram               a  b    c    b  a  a    c
        segment              0  0    1    0  0  0    1
        last_position        4  3    6    3  4  5    6    of the same feature
        is_shared            T  T    T    T  T  F    T    (a, 2nd) is only in the reference
        is_last              F  F    F    T  T  T    T
        shared_before        0  0    0    0  1  2    2    number of shared features that end before
        number               1  0    2    0  1       2
        number_in_segment    1  0    0    0  1       0    number - `first_number` of the segment

    `first_number` is [0, 2, 3]: segment 0 has the numbers 0 and 1, and segment 1 has the number 2.
    """
    last_position = grams.features()
    # `can_match` compares ids, so replace the ids with features. No text has a feature twice: each `occurrence` is 0
    no_repetitions = np.zeros_like(last_position)
    is_shared = can_match(grams._replace(ids=last_position, occurrence=no_repetitions))
    is_last = last_position == np.arange(len(last_position))
    shared_before = offsets_of(is_shared & is_last)
    number = shared_before.take(last_position[is_shared])

    # Shared features end in a reference. Before a segment's first reference, only features of earlier segments end
    first_references = chunk.first_reference + chunk.references.bounds  # of each segment; then the end
    first_grams = np.searchsorted(grams.text, first_references)
    first_number = shared_before.take(first_grams)

    text_of_gram = grams.text[is_shared]
    segment_of_gram = chunk.segment_of_text.take(text_of_gram)
    number_in_segment = number - first_number.take(segment_of_gram)

    n_texts = len(chunk.tokens.lengths)
    bounds_of_texts = np.searchsorted(text_of_gram, np.arange(n_texts + 1)).tolist()
    of_texts = [number_in_segment[start:end] for start, end in pairwise(bounds_of_texts)]
    return Features(of_texts, per_segment=np.diff(first_number).tolist())


def _segment_tiles(chunk: Chunk, features_by_order: Sequence[Features], segment: int) -> Iterator[Tile]:
    """Yield the tiles of a segment in the order of this table. A block has as many references as fit into a matrix.

                       block of references   next block
    some hypotheses          tile 0             tile 2
    more hypotheses          tile 1             tile 3
    """
    hypotheses = _texts_of_segment(chunk.hypotheses.bounds, segment)
    references = _texts_of_segment(chunk.references.bounds + chunk.first_reference, segment)
    lengths = chunk.tokens.lengths[hypotheses]
    reference_lengths = chunk.tokens.lengths[references]

    dtype = np.min_scalar_type(lengths.max())  # matches are at most a length; the smallest type is the fastest
    most_features = max(features.per_segment[segment] for features in features_by_order)
    bytes_per_column = max(1, most_features * dtype.itemsize)
    for columns in _blocks(len(reference_lengths), _MOST_BYTES_PER_MATRIX // bytes_per_column):
        matrices = []
        for features in features_by_order:
            of_columns = features.of_texts[references][columns]
            matrices.append(feature_matrix(of_columns, features.per_segment[segment], dtype))

        n_columns = columns.stop - columns.start
        for rows in _blocks(len(lengths), _MOST_PAIRS_PER_TILE // n_columns):
            matches = []
            for features, matrix in zip(features_by_order, matrices, strict=True):
                of_rows = features.of_texts[hypotheses][rows]
                matches.append(count_matches(of_rows, matrix))

            tile = Tile(
                segment=chunk.hypotheses.first + segment,
                rows=rows,
                columns=columns,
                matches=np.stack(matches),
                lengths=lengths[rows],
                reference_lengths=reference_lengths[columns],
            )
            if chunk.is_square:
                _match_each_with_itself(tile)
            yield tile


def _texts_of_segment(bounds: Ints, segment: int) -> slice:
    """Return the slice of a segment's texts.

    >>> _texts_of_segment(np.array([0, 2, 5]), 1)
    slice(2, 5, None)
    """
    start, end = bounds[segment : segment + 2].tolist()
    return slice(start, end)


def feature_matrix(of_texts: list[Ints], n_features: int, dtype: np.dtype[Any]) -> Counts:
    """Return a matrix with one row per feature and one column per text: 1 if the text has the feature, else 0.

    >>> feature_matrix([np.array([0, 2]), np.array([2])], 3, np.dtype(np.uint8))
    array([[1, 0],
           [0, 0],
           [1, 1]], dtype=uint8)
    """
    n_texts = len(of_texts)
    rows = np.concatenate(of_texts)  # [0, 2, 2] in the example
    columns = np.repeat(np.arange(n_texts), sizes_of(of_texts))  # [0, 0, 1]
    matrix = np.zeros((n_features, n_texts), dtype)
    matrix[rows, columns] = 1
    return matrix


def count_matches(of_texts: list[Ints], matrix: Counts) -> Counts:
    """Return one row per text: the sum of the rows of `matrix` for the text's features.

    >>> count_matches([np.array([0, 1]), np.array([1])], np.array([[1, 0], [1, 1]], np.uint8))
    array([[2, 1],
           [1, 1]], dtype=uint8)
    """
    n_columns = matrix.shape[1]
    matches = np.empty((len(of_texts), n_columns), matrix.dtype)
    for features, sums in zip(of_texts, matches, strict=True):
        rows = matrix.take(features, axis=0)
        np.add.reduce(rows, axis=0, dtype=matrix.dtype, out=sums)  # writes into `matches`
    return matches


def _blocks(n_indices: int, size: int) -> Iterator[slice]:
    """Split the indices from 0 to `n_indices` - 1 into slices of `size`; the last can be shorter. Size 0 counts as 1.

    >>> list(_blocks(5, 3))
    [slice(0, 3, None), slice(3, 5, None)]
    """
    size = max(1, size)
    for start in range(0, n_indices, size):
        end = min(start + size, n_indices)
        yield slice(start, end)


def _match_each_with_itself(tile: Tile) -> None:
    """Set the matches of each text with itself to its number of n-grams.

    The counted matches are too few, because `_shared_features` omits features that only one text has. A tile with the
    rows 2:5 and the columns 0:4 compares two texts with themselves: text 2 in cell (0, 2), and text 3 in cell (1, 3).
    """
    first = max(tile.rows.start, tile.columns.start)
    end = min(tile.rows.stop, tile.columns.stop)
    in_rows_and_columns = np.arange(first, end)  # may be empty
    rows = in_rows_and_columns - tile.rows.start
    columns = in_rows_and_columns - tile.columns.start

    n_tokens = tile.lengths[rows]
    for order, matches in enumerate(tile.matches, 1):
        n_grams = np.maximum(n_tokens - order + 1, 0)
        matches[rows, columns] = n_grams


Block = tuple[int, slice, slice, Floats]  # index of the segment, rows, columns, scores of shape (rows, columns)


def scored_blocks(pairs: Pairs, progress: Progress | None) -> Iterator[Block]:
    """Yield the scores of all pairs, block by block. `progress`: as for `read_chunks`."""
    sizes = list(zip(pairs.hypotheses.sizes.tolist(), pairs.references.sizes.tolist(), strict=True))
    n_pairs = sum(n_rows * n_columns for n_rows, n_columns in sizes)
    has_function = pairs.hypotheses.kind == "text" and tokenization_of(pairs.config).rules is None
    if n_pairs > _FEW_PAIRS or has_function:  # tiles call a tokenizer function only once per text
        yield from scored_tiles(pairs.chunks(progress), pairs.config)
        return

    refuse_missing_references(pairs.config)
    all_scores = _scores_of_few(pairs, sizes)
    pairs.hypotheses.warn(pairs.config)
    first = 0
    for segment, (n_rows, n_columns) in enumerate(sizes):
        end = first + n_rows * n_columns
        yield segment, slice(n_rows), slice(n_columns), all_scores[first:end].reshape(n_rows, n_columns)
        first = end
    if progress:
        n_hypotheses = len(pairs.hypotheses.texts)
        progress(n_hypotheses, n_hypotheses)


def _scores_of_few(pairs: Pairs, sizes: Sequence[tuple[int, int]]) -> Floats:
    """Score every pair as a segment of a corpus. `sizes`: numbers of hypotheses and references of each segment.

    For few pairs, this is faster than tiles, which take at least 0.6 ms.
    """
    hypotheses: list[Any] = []
    references: list[Any] = []
    rows, columns = iter(pairs.hypotheses.texts), iter(pairs.references.texts)
    for n_rows, n_columns in sizes:
        of_segment = list(islice(columns, n_columns))
        for hypothesis in islice(rows, n_rows):
            hypotheses += [hypothesis] * n_columns
            references += of_segment
    corpus = Corpus((hypotheses,), references, pairs.hypotheses.kind, nested=False, findings=set())
    try:
        (statistics,) = count_corpus(corpus, [pairs.config])
    except (TypeError, ValueError):
        # Check the texts again, because here the error contains the caller's name for a wrong text
        pairs.hypotheses.read()
        pairs.references.read()
        raise
    return score_sentences(statistics)


def scored_tiles(chunks: Iterable[Chunk], config: BleuConfig) -> Iterator[Block]:
    """Yield the scores of each tile, segment by segment."""
    for chunk in chunks:
        every_tile = tiles(chunk, columns_of(config).highest_order)
        for batch in _tile_batches(every_tile):
            yield from _score_tiles(batch, config)


def _tile_batches(every_tile: Iterator[Tile]) -> Iterator[list[Tile]]:
    """Yield lists of tiles. Each list except the last has at least `_FEWEST_PAIRS_PER_CALL` pairs in total."""
    batch: list[Tile] = []
    n_pairs = 0
    for tile in every_tile:
        batch.append(tile)
        n_pairs += tile.n_pairs
        if n_pairs >= _FEWEST_PAIRS_PER_CALL:
            yield batch
            batch = []
            n_pairs = 0
    if batch:
        yield batch


def _score_tiles(batch: list[Tile], config: BleuConfig) -> Iterator[Block]:
    """Score the pairs of several tiles in one call. Yield the scores of each tile.

    Pairs are listed row by row. The pairs of hypotheses of 3 and 5 tokens with references of 4 and 6 tokens:

        lengths             3  3  5  5
        reference_lengths   4  6  4  6
        unigram matches     2  1  4  3     from [[2, 1], [4, 3]]
    """
    matches, lengths, reference_lengths = [], [], []  # one array per tile
    for tile in batch:
        n_rows, n_columns = len(tile.lengths), len(tile.reference_lengths)
        # The shape (orders, rows, columns) becomes (orders, pairs)
        matches.append(tile.matches.reshape(-1, tile.n_pairs))
        lengths.append(tile.lengths.repeat(n_columns))
        reference_lengths.append(np.tile(tile.reference_lengths, n_rows))

    pairs_per_tile = np.array([tile.n_pairs for tile in batch])
    bounds = offsets_of(pairs_per_tile).tolist()
    n_pairs = bounds[-1]
    all_lengths = np.hstack(lengths)
    # Each pair has one reference
    effective = effective_lengths(
        config.reference_length, all_lengths, np.hstack(reference_lengths), np.arange(n_pairs + 1)
    )
    all_matches = np.hstack(matches).T.astype(np.int64)  # sums could overflow in the smaller type of tiles
    table = table_of_segments(all_matches, all_lengths, effective, columns_of(config))
    scores = score_sentences(BleuStatistics(table, config))

    for tile, (start, end) in zip(batch, pairwise(bounds), strict=True):
        _, n_rows, n_columns = tile.matches.shape
        yield tile.segment, tile.rows, tile.columns, scores[start:end].reshape(n_rows, n_columns)
