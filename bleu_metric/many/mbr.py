"""Minimum Bayes risk decoding: the candidate with the highest expected BLEU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from .._config import BleuConfig, BleuOptions, require_one_score
from .._counts import orders_to_count, table_of
from .._dialects import config_of
from .._formula import score_tables
from .._reference_length import units_per_token
from .._validation import Floats, Ints, Progress, as_float, has_length, short_repr
from .ngrams import Grams, grams_by_order, on_both_sides
from .pairwise import Pairs, read_pairs, read_sides, scored_tiles
from .texts import chunk_bounds
from .tiles import Sides

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class MbrResult:
    """What minimum Bayes risk decoding chose, for each segment in turn.

    >>> mbr(["a cat sat", "the cat sat", "the cat sat down"], max_order=2)  # doctest: +ELLIPSIS
    MbrResult(best=[1], texts=['the cat sat'], expected=[0.7646], signature='mbr:expected|nrefs:3|tok:13a|...')
    """

    best: Ints
    """Index of the best candidate, shape (segments,); of equally good ones, the first."""
    texts: list[Any]
    """The best candidate of each segment."""
    scores: list[Floats] = field(repr=False)
    """Expected scores of all candidates on a scale of 0 to 1, one array of shape (candidates,) per segment."""
    signature: str
    """Every choice that made the scores: ``mbr:expected`` is the mean of BLEU, ``mbr:aggregate`` BLEU of the means."""

    @property
    def expected(self) -> Floats:
        """Expected scores of the best candidates, shape (segments,).

        >>> mbr([["a b", "a b c"], ["d"]], max_order=1).expected.round(2)
        array([0.83, 1.  ])
        """
        return np.array([scores[index] for scores, index in zip(self.scores, self.best.tolist(), strict=True)])

    def __repr__(self) -> str:
        """Show the first segments."""
        shown = f"best={short_repr(self.best.tolist())}, texts={short_repr(self.texts)}"
        expected = short_repr([round(score, 4) for score in self.expected.tolist()])
        return f"MbrResult({shown}, expected={expected}, signature={self.signature!r})"


def mbr(
    candidates: Any,
    references: Any = None,
    reference_weights: Any = None,
    dialect: str = "sacrebleu",
    *,
    aggregate: bool = False,
    progress: Progress | None = None,
    **options: Unpack[BleuOptions],
) -> MbrResult:
    """Choose the candidate with the highest expected sentence BLEU (Kumar and Byrne 2004).

    Args:
        candidates: N texts of one segment, or a batch of such lists; as for `pairwise_bleu`.
        references: M pseudo-references, or a batch of as many segments; the candidates themselves if not given.
        reference_weights: one weight per pseudo-reference, e.g. its probability, for each segment if there are several;
            divided by their sum. Uniform if not given.
        dialect: name in `DIALECTS`.
        aggregate: score each candidate once, against the expected n-gram counts and the expected length of all
            pseudo-references (DeNero et al. 2009). Time grows with N + M and no longer with N * M. The score is another
            one: BLEU of the mean, and not the mean of BLEU.
        progress: called with the work done and all of it, now and then: pairs, or segments with `aggregate`.
        **options: override the dialect's choices: any field of `BleuConfig`.

    Returns:
        For each segment the index of the best candidate, and the expected scores of all.

    Raises:
        TypeError: a text, a weight, or an option, of a wrong type.
        ValueError: as for `pairwise_bleu`; weights of another number, below 0, not finite, or all 0; a list of lists of
            n-gram weights.

    >>> result = mbr(["a cat sat", "the cat sat", "the cat sat down"], max_order=2)
    >>> result.texts, result.scores[0].round(2)
    (['the cat sat'], array([0.66, 0.76, 0.71]))
    """
    pairs = read_pairs(candidates, references, config_of(dialect, options), ("candidates", "references"))
    require_one_score(pairs.config, "candidates are chosen by")
    probabilities = check_reference_weights(reference_weights, pairs)
    score = _aggregated_scores if aggregate else _expected_scores
    scores = score(pairs, probabilities, progress)
    best = np.array([int(np.argmax(own)) for own in scores], np.int64)
    starts = [0, *accumulate(pairs.hypotheses.sizes)]
    texts = [pairs.hypotheses.texts[start + index] for start, index in zip(starts, best.tolist(), strict=False)]
    return MbrResult(best, texts, scores, _signature(pairs, aggregate))


def _signature(pairs: Pairs, aggregate: bool) -> str:
    sizes = set(pairs.references.sizes)
    number = sizes.pop() if len(sizes) == 1 else "var"
    return f"mbr:{'aggregate' if aggregate else 'expected'}|nrefs:{number}|{pairs.config.signature()}"


def check_reference_weights(weights: Any, pairs: Pairs) -> list[Floats]:
    """Make one array of probabilities per segment."""
    sizes = pairs.references.sizes
    if weights is None:
        return [np.full(size, 1 / size) for size in sizes]
    if hasattr(weights, "tolist"):
        weights = weights.tolist()
    if not isinstance(weights, (list, tuple)):
        raise TypeError(f"reference_weights must be a list of numbers, got {short_repr(weights)}")
    if not pairs.references.is_batch:
        return [_probabilities(weights, sizes[0], "reference_weights")]
    if len(weights) != len(sizes):
        raise ValueError(f"reference_weights has {len(weights)} lists, but there are {len(sizes)} segments")
    return [
        _probabilities(own, size, f"reference_weights[{segment}]")
        for segment, (own, size) in enumerate(zip(weights, sizes, strict=True))
    ]


def _probabilities(weights: Any, size: int, name: str) -> Floats:
    if not has_length(weights) or isinstance(weights, (str, bytes)):
        raise TypeError(f"{name} must be a list of numbers, got {short_repr(weights)}")
    if len(weights) != size:
        raise ValueError(f"{name} has {len(weights)} weights for {size} references; give one each")
    numbers = [as_float(weight) for weight in weights]
    if None in numbers:
        raise TypeError(f"{name} must be made of numbers, got {short_repr(weights[numbers.index(None)])}")
    given = np.array(numbers, np.float64)
    wrong = ~(np.isfinite(given) & (given >= 0))
    if wrong.any():
        place = int(np.argmax(wrong))
        hint = "; of log-probabilities, take the exponentials" if given[place] < 0 else ""
        raise ValueError(f"{name}[{place}] is {given[place]}; weights must be finite and at least 0{hint}")
    if not given.any():
        raise ValueError(f"{name} are all 0; at least one must be above 0")
    given /= given.max()  # so that the sum stays finite
    probabilities: Floats = given / given.sum()
    return probabilities


def _expected_scores(pairs: Pairs, probabilities: Sequence[Floats], progress: Progress | None) -> list[Floats]:
    """The mean of the scores with all references, weighted."""
    scores = [np.zeros(size) for size in pairs.hypotheses.sizes]
    for tile, values in scored_tiles(pairs, progress):
        scores[tile.segment][tile.rows] += values @ probabilities[tile.segment][tile.columns]
    return scores


def _aggregated_scores(pairs: Pairs, probabilities: Sequence[Floats], progress: Progress | None) -> list[Floats]:
    """The score against the expected counts and the expected length of the references."""
    scores: list[Floats] = []
    sizes = [rows + columns for rows, columns in zip(pairs.hypotheses.sizes, pairs.references.sizes, strict=True)]
    for first, last in chunk_bounds(sizes):
        sides = read_sides(pairs, first, last)
        table = _aggregated_table(sides, np.concatenate(probabilities[first:last]), pairs.config)
        chunk = score_tables(table, pairs.config, sentences=True).bleu[:, 0]
        ends = np.cumsum(sides.hypotheses)[:-1]
        scores += np.split(chunk, ends)
        if progress:
            progress(last, len(sizes))
    return scores


def _aggregated_table(sides: Sides, probabilities: Floats, config: BleuConfig) -> Any:
    """Counts of each candidate as `BleuStatistics` has them, but with fractions in float64."""
    orders = orders_to_count(config)
    candidates = int(sides.hypotheses.sum())
    lengths = sides.tokens.lengths[:candidates]
    matches: Any = np.zeros((candidates, orders), np.float64)  # fractions, which `table_of` keeps
    for order, (grams, _) in enumerate(grams_by_order(sides.tokens, orders, _may_match(sides))):
        matches[:, order] = _fractional_matches(grams, sides, probabilities)
    segments = np.repeat(np.arange(len(sides.references)), sides.references)
    weighted = sides.tokens.lengths[sides.first_reference :] * probabilities
    expected_lengths = np.repeat(np.bincount(segments, weights=weighted), sides.hypotheses)
    units = units_per_token(config.reference_length)
    return table_of(matches, lengths, expected_lengths * units, config)


def _may_match(sides: Sides) -> Any:
    if sides.is_square:
        return lambda grams: np.ones(len(grams.ids), bool)  # each text is one of its own references
    return on_both_sides(sides.first_reference)


def _fractional_matches(grams: Grams, sides: Sides, probabilities: Floats) -> Floats:
    """Sum min(count in the candidate, expected count in the references) over the n-grams of each candidate.

    The k-th occurrence in the candidate adds what is left of the expected count after k - 1, up to 1.
    """
    candidates = int(sides.hypotheses.sum())
    first = int(np.searchsorted(grams.text, sides.first_reference))
    end = int(np.searchsorted(grams.text, candidates))
    weights = probabilities.take(grams.text[first:] - sides.first_reference)
    expected = np.bincount(grams.ids[first:], weights=weights, minlength=len(grams.ids))
    left = expected.take(grams.ids[:end]) - grams.occurrence[:end]
    used: Floats = np.clip(left, 0.0, 1.0)
    return np.bincount(grams.text[:end], weights=used, minlength=candidates).astype(np.float64)
