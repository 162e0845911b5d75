"""Bootstrap confidence intervals of a corpus or of its groups, computed from counts without the texts.

A matrix product of floats sums the counts of each resample. These sums are exact, because they are integers below
2**53.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ._corpus import rows_by_group
from ._display import BLEU, Metric, level_text
from ._lazy import np
from ._result import Column, Result, Row
from ._score import BleuScore, Citation, Scores
from ._statistics import BleuStatistics, MetricStatistics, check_statistics, require_segments, score
from ._validation import Array, Floats, Ints, Progress, check_count, check_probability, check_seed, short_repr

# With fewer segments, the bootstrap finds too many false positives, and intervals of groups are far too narrow.
# `scripts/significance.py FOLDER few` measures the rate of false positives
MIN_SEGMENTS = 30
_ENOUGH_SEGMENTS = 100  # then about 95 % of the 95 % intervals contain the true score; with 10 segments, only 88 % do
_ROUNDING = 1e-6  # 2 / (1 - 0.9) is 20.000000000000004, which must not be rounded up to 21


@dataclass(frozen=True, kw_only=True, repr=False)
class Interval(Result):
    """A score and its bootstrap confidence interval, on a scale of 0 to 1.

    >>> from bleu_metric import corpus_statistics
    >>> interval = bootstrap(corpus_statistics(["a b", "a c"], ["a b", "a b"], max_order=1), n_resamples=100)
    >>> interval
    <Interval BLEU 75.0 [50.0, 100.0]>
    >>> interval.score, interval.low, interval.high, interval.n_resamples
    (0.75, 0.5, 1.0, 100)
    """

    score: float
    """BLEU of the original segments."""
    low: float
    """Lower end of the percentile interval: the interpolated quantile (1 - confidence) / 2 of the resamples' scores."""
    high: float
    """Upper end of the percentile interval: the interpolated quantile (1 + confidence) / 2 of the resamples' scores."""
    confidence: float
    mean: float
    """Mean of the resamples' scores: the number that sacrebleu prints before ``±``."""
    half_width: float
    """Half the width of sacrebleu's 95 % interval: the number that sacrebleu prints after ``±``. sacrebleu's interval
    leaves out the ``n_resamples // 40`` lowest and the ``n_resamples // 40`` highest scores of the resamples."""
    n_resamples: int
    seed: int
    signature: str
    """All settings of the score and of the resampling."""
    metric: Metric = BLEU

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name except `metric`, as plain Python values.

        >>> from bleu_metric import corpus_statistics
        >>> bootstrap(corpus_statistics(["a b"] * 2, ["a b"] * 2, max_order=1), n_resamples=100).to_dict()["half_width"]
        0.0
        """
        fields = dict(vars(self))
        del fields["metric"]
        return fields

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return a list with one row: the fields."""
        scale = self.metric.scale if in_percent else 1
        scores = {name: scale * getattr(self, name) for name in ("score", "low", "high", "mean", "half_width")}
        return [{**self.to_dict(), **scores}]

    def title(self, digits: int = 1) -> str:
        """Return the score and its interval, such as "BLEU 59.7 [53.9, 66.9]"."""
        shown = self.metric.text(self.score, digits)
        return f"{self.metric.name} {shown} {self.metric.brackets(self.low, self.high, digits)}"

    def notes(self) -> list[str]:
        """Return the settings of the resampling, and the signature."""
        resamples = f"{self.n_resamples:,} resamples, seed {self.seed}"
        metric = "" if self.metric is BLEU else f"{self.metric.name}: "
        return [f"{level_text(self.confidence)} interval of {resamples}", metric + self.signature]


def narrow_notes(numbers_of_segments: Iterable[int]) -> list[str]:
    """Return a list with a note if an interval is computed from too few segments. The numbers are those of intervals.

    >>> narrow_notes([500, 99]), narrow_notes([100])
    (['with fewer than 100 segments, intervals are too narrow'], [])
    """
    is_narrow = min(numbers_of_segments, default=_ENOUGH_SEGMENTS) < _ENOUGH_SEGMENTS
    return [f"with fewer than {_ENOUGH_SEGMENTS} segments, intervals are too narrow"] * is_narrow


def interval_columns(intervals: Sequence[Interval | None], digits: int) -> list[Column]:
    """Return the column of some intervals in a table, such as "[53.9, 66.9]", or no column if there is no interval.

    A group with too few segments for an interval has None.
    """
    levels = [level_text(interval.confidence) for interval in intervals if interval]
    if not levels:
        return []
    ends = [one.metric.brackets(one.low, one.high, digits) if one else "too few" for one in intervals]
    return [Column(f"{levels[0]} interval", ends, spare=2)]


def bootstrap(
    statistics: MetricStatistics,
    n_resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> Interval:
    """Compute a bootstrap confidence interval of the corpus score.

    The test set is regarded as a random sample of all segments of its kind. The score of all these segments is the true
    score. If many test sets were sampled, about 95 % of their 95 % intervals would contain the true score.

    Each resample draws as many segments as the corpus has, with replacement, and is scored as a corpus (Efron 1979; for
    BLEU, Koehn 2004, https://aclanthology.org/W04-3250). The interval is the percentile interval (Efron 1981). The same
    seed draws the same resamples as in sacrebleu. NLTK's smoothing methods 5 to 7 depend on the last segment of the
    corpus; for a resample, this is the segment that was drawn last.

    Args:
        statistics: one row per segment, from `corpus_statistics`.
        n_resamples: number of resamples: at least 40 for 95 %, 200 for 99 %, and 2 / (1 - confidence) in general.
        seed: integer >= 0; the same seed gives the same result on any number of threads.
        confidence: probability between 0 and 1, such as 0.95 for a 95 % interval.
        progress: function that is called as ``progress(done, n_resamples)`` after each chunk of resamples. ``done`` is
            the number of resamples so far.

    Returns:
        The score, its interval, and the settings of the resampling.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the statistics are already summed over segments or have fewer than two segments, or an argument is
            out of range.

    >>> from bleu_metric import corpus_statistics
    >>> statistics = corpus_statistics(["a b", "a c", "b c"], ["a b", "a b", "c c"], max_order=1)
    >>> interval = bootstrap(statistics)
    >>> round(interval.score, 3), interval.low, interval.high
    (0.667, 0.5, 1.0)
    >>> interval.signature.split("|")[:4]
    ['nrefs:1', 'bs:1000', 'seed:12345', 'conf:0.95']
    """
    check_statistics("statistics", statistics, MetricStatistics)
    require_segments(statistics, "draw segments")
    if not len(statistics):
        raise ValueError("these statistics have no segments to resample")
    n_resamples, seed, confidence = check_resampling(n_resamples, seed, confidence)
    if len(statistics) == 1:
        raise ValueError("there is only one segment; an interval needs at least two")

    chunks = draw_segments(len(statistics), n_resamples, seed)
    report = progress_reporter(progress, n_resamples)
    (scores,) = score_resamples([statistics], chunks, report)
    return interval_from_scores(statistics, scores, n_resamples, seed, confidence)


def check_resampling(n_resamples: Any, seed: Any, confidence: Any) -> tuple[int, int, float]:
    """Check the settings of an interval and return them as Python numbers.

    Raise ``TypeError`` or ``ValueError`` if a setting is invalid. At least one resample must lie on each side of the
    interval, so a 95 % interval needs 40 resamples.

    >>> check_resampling(40, 12345, 0.95)
    (40, 12345, 0.95)
    """
    n_resamples = check_count("n_resamples", n_resamples, least=1)
    seed = check_seed(seed)
    confidence = check_probability(confidence)

    n_needed = math.ceil(2 / (1 - confidence) - _ROUNDING)
    if n_resamples < n_needed:
        level = level_text(confidence)
        raise ValueError(f"an interval of {level} needs at least {n_needed:,} resamples, got {n_resamples}")
    return n_resamples, seed, confidence


def interval_from_scores(
    statistics: MetricStatistics, scores: Floats, n_resamples: int, seed: int, confidence: float
) -> Interval:
    """Compute the interval from the scores of the resamples.

    Without resamples, `scores` has the score alone. The interval of width 0 lets charts draw all scores alike.
    """
    low, high = np.quantile(scores, interval_ends(confidence)).tolist()
    settings = {"bs": n_resamples, "seed": seed, "conf": confidence} if n_resamples else {}
    return Interval(
        score=float(statistics.score()),
        low=low,
        high=high,
        confidence=confidence,
        mean=math.fsum(scores.tolist()) / len(scores),
        half_width=_half_width(scores),
        n_resamples=n_resamples,
        seed=seed,
        signature=signature_with(statistics, **settings),
        metric=statistics.metric,
    )


def _half_width(scores: Floats) -> float:
    """Return the number that sacrebleu prints after "±": half the width of sacrebleu's 95 % interval.

    For 80 scores, the interval is from the third lowest to the third highest score.
    """
    sorted_scores = np.sort(scores)
    n_left_out = len(scores) // 40  # 2.5 %
    lowest = sorted_scores[n_left_out]
    highest = sorted_scores[-1 - n_left_out]
    return float(highest - lowest) / 2


def interval_ends(confidence: float) -> tuple[float, float]:
    """Return the quantiles at the ends of a percentile interval: 0.95 -> (0.025, 0.975)."""
    return (1 - confidence) / 2, (1 + confidence) / 2


def signature_with(statistics: MetricStatistics, **settings: object) -> str:
    """Return the signature with `settings` after ``nrefs``, as in sacrebleu: ``nrefs:1|bs:1000|seed:12345|…``."""
    nrefs, score_settings = statistics.signature().split("|", maxsplit=1)
    resampling_settings = [f"{key}:{value}" for key, value in settings.items()]
    return "|".join([nrefs, *resampling_settings, score_settings])


def progress_reporter(progress: Progress | None, total: int) -> Callable[[int], object]:
    """Return a function ``report`` that adds up its arguments and calls `progress` with the sum.

    For example, ``report(40)`` calls ``progress(40, total)``; ``report(20)`` then calls ``progress(60, total)``.
    """
    if progress is None:
        return lambda _: None
    if not callable(progress):
        raise TypeError(f"progress must be a function of (done, total), got {short_repr(progress)}")

    n_done = 0

    def report(n_resamples: int) -> None:
        nonlocal n_done
        n_done += n_resamples
        progress(n_done, total)

    return report


MOST_CELLS_PER_CHUNK = 1 << 16  # segments * trials (such as resamples); more would exceed the processor's cache
_LEAST_RESAMPLES_PER_CHUNK = 8
# trials * segments * columns. OpenBLAS splits larger products over threads, which mostly wait for each other
_MOST_MULTIPLICATIONS = 1 << 18
_LEAST_SEGMENTS = 64  # in a block of a product: thinner blocks are mostly copied
_EXACT_FLOAT32 = 2**24  # float32 represents all integers below this limit exactly


def draw_segments(n_segments: int, n_resamples: int, seed: int) -> Iterator[Ints]:
    """Yield the indices of resampled segments, in chunks of shape (resamples, segments).

    sacrebleu 2.6 draws the same indices for the same seed.

    >>> [indices.tolist() for indices in draw_segments(3, 2, seed=12345)]
    [[[2, 0, 2], [0, 0, 2]]]
    """
    rng = np.random.default_rng(seed)
    chunk_size = max(_LEAST_RESAMPLES_PER_CHUNK, MOST_CELLS_PER_CHUNK // n_segments)
    for first in range(0, n_resamples, chunk_size):
        n_in_chunk = min(chunk_size, n_resamples - first)
        yield rng.integers(n_segments, size=(n_in_chunk, n_segments))


def score_resamples(
    statistics: Sequence[MetricStatistics],
    chunks: Iterable[Ints],
    report: Callable[[int], object] = lambda _: None,
) -> list[Floats]:
    """Score the same resamples of several systems. Return one array of shape (resamples,) per system.

    `chunks`: segment indices from `draw_segments`. `report`: called with the number of resamples of each chunk.
    """
    systems = [of_system.summable() for of_system in statistics]
    table = side_by_side([system.table for system in systems])

    sums_of_chunks, last_of_chunks = [], []
    for indices in chunks:
        times = _times_resampled(indices, table.dtype)
        sums_of_chunks.append(sum_rows(times, table))
        # A view would keep all indices in memory
        last_of_chunks.append(indices[:, -1].copy())
        report(len(indices))

    # For each resample, the index of the segment that was drawn last
    last_segments = np.concatenate(last_of_chunks)
    sums_of_systems = split_columns(sums_of_chunks, systems)
    scores = []
    for system, sums in zip(systems, sums_of_systems, strict=True):
        if system.n_last_columns:
            copied = slice(-system.n_last_columns, None)
            sums[:, copied] = system.table[last_segments, copied]
        scores.append(system.score_sums(sums))
    return scores


def side_by_side(tables: Sequence[Array]) -> Array:
    """Join the columns of several tables: [[1], [2]] and [[5], [6]] -> [[1, 5], [2, 6]].

    Return float32 if float32 represents all sums of rows exactly. Otherwise return float64.
    """
    table = np.concatenate(tables, axis=1)
    is_exact = table.dtype == np.int64 and int(np.abs(table).max()) * len(table) < _EXACT_FLOAT32
    return table.astype(np.float32 if is_exact else np.float64)


def split_columns(sums_of_chunks: Sequence[Floats], parts: Sequence[MetricStatistics]) -> list[Floats]:
    """Split sums of rows from `side_by_side` into one array of shape (trials, columns) per table."""
    widths = [part.table.shape[1] for part in parts]
    # The first column of the second table, of the third table, …
    bounds = np.cumsum(widths[:-1])
    sums = np.concatenate(sums_of_chunks)
    return np.split(sums, bounds, axis=1)


def _times_resampled(indices: Ints, dtype: Any) -> Array:
    """Count how often each segment occurs in each resample: [[2, 0, 2], [0, 0, 1]] -> [[1, 0, 2], [2, 1, 0]]."""
    n_resamples, n_segments = indices.shape
    if n_segments < n_resamples:  # one call instead of many short ones
        first_cells = np.arange(0, indices.size, n_segments)[:, np.newaxis]
        counts = np.bincount((first_cells + indices).ravel(), minlength=indices.size)
        return counts.reshape(indices.shape).astype(dtype)
    times: Array = np.empty(indices.shape, dtype)
    for row, drawn in zip(times, indices, strict=True):
        row[:] = np.bincount(drawn, minlength=len(drawn))
    return times


def sum_rows(left: Array, right: Array) -> Floats:
    """Compute ``left @ right``, of the shapes (trials, segments) and (segments, columns)."""
    n_trials = len(left)
    n_segments, n_columns = right.shape
    in_two_blocks = _MOST_MULTIPLICATIONS // n_columns  # trials * segments
    n_together = min(n_trials, max(_LEAST_RESAMPLES_PER_CHUNK, in_two_blocks // min(n_segments, _LEAST_SEGMENTS)))
    block_size = max(1, in_two_blocks // max(n_together, _LEAST_RESAMPLES_PER_CHUNK))

    sums = np.zeros((n_trials, n_columns))
    for first_trial in range(0, n_trials, n_together):
        trials = slice(first_trial, first_trial + n_together)
        for first in range(0, n_segments, block_size):
            block = slice(first, first + block_size)
            sums[trials] += left[trials, block].astype(right.dtype, copy=False) @ right[block]
    return sums


# These alternatives are slower for 1,000 resamples of 2,037 segments:
# - Draw the next chunk in another thread: the whole bootstrap takes 13 ms instead of 10 ms.
# - Add up the rows of the drawn segments without a matrix product: the sums take 38 ms instead of 5 ms.


# --- Groups of segments ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, repr=False)
class GroupScore(BleuScore):
    """The score of a group of segments: a `BleuScore` with the group's number of segments.

    >>> from bleu_metric import corpus_statistics
    >>> score_groups(corpus_statistics(["a b", "c"], ["a b", "c"], max_order=1), ["news", "news"])["news"].segments
    2
    """

    segments: int
    """Number of segments in the group."""
    interval: Interval | None = None
    """The bootstrap interval; None if `score_groups` got no confidence, or if the group has fewer than 30 segments."""

    def to_dict(self) -> dict[str, Any]:
        """Return all fields by name, as plain Python values. If there is no interval, the field ``interval`` is absent.

        >>> from bleu_metric import corpus_statistics
        >>> score_groups(corpus_statistics(["a b", "c"], ["a b", "c"]), ["news", "news"])["news"].to_dict()["segments"]
        2
        """
        fields = super().to_dict()
        if self.interval is None:
            del fields["interval"]
        else:
            fields["interval"] = self.interval.to_dict()
        return fields

    def citation(self, interval: Interval | None = None, digits: int = 1) -> Citation:
        """Return the score as text for a paper, like `BleuScore.citation`. Default: with the group's own interval."""
        return super().citation(interval or self.interval, digits)

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return a list with one row: the fields, with those of the interval in place of the interval."""
        [row] = super().rows(in_percent)
        if self.interval is not None:
            [interval] = self.interval.rows(in_percent)
            del row["interval"], interval["score"]  # the score is `bleu`
            interval["signature" if in_percent else "interval_signature"] = interval.pop("signature")
            row |= {**interval, "citation": self.citation().sentence}
        return [row]

    def title(self, digits: int = 1) -> str:
        """Return the score in percent, with its interval if there is one."""
        return self.interval.title(digits) if self.interval else super().title(digits)

    def notes(self) -> list[str]:
        """Return the settings of the resampling if there is an interval, and the signature that `citation` shows."""
        return [*narrow_notes([self.segments]), *self.interval.notes()] if self.interval else super().notes()


class GroupScores(Scores[GroupScore]):
    """The scores of groups: a dict of label -> score. ``print`` shows them as a table, in percent.

    >>> from bleu_metric import corpus_statistics
    >>> statistics = corpus_statistics(["a b", "c", "d"], ["a b", "c", "e"], max_order=1)
    >>> scores = score_groups(statistics, ["news", "news", "chat"])
    >>> scores
    <GroupScores news 100.0, chat 0.0>
    >>> print(scores)  # doctest: +ELLIPSIS
    BLEU of 2 groups
    group  segments   BLEU  precisions  penalty  ratio
    news          2  100.0  100.0         1.000  1.000
    chat          1    0.0  0.0           1.000  1.000
      nrefs:1|tok:13a|case:mixed|order:1|...
    """

    head = "group"

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per group. Only groups with enough segments can have an interval."""
        name, bleu, *others = super().columns(digits)
        sizes = Column("segments", [f"{score.segments:,}" for score in self.values()], in_papers=False)
        intervals = interval_columns([score.interval for score in self.values()], digits)
        return [name, sizes, bleu, *intervals, *others]

    def notes(self) -> list[str]:
        """Return a note if an interval is computed from too few segments, and the signatures, each once.

        If there are intervals, the signatures are theirs.
        """
        with_interval = [score for score in self.values() if score.interval]
        signatures = dict.fromkeys(score.notes()[-1] for score in with_interval or self.values())
        return [*narrow_notes(score.segments for score in with_interval), *signatures]


def score_groups(
    statistics: BleuStatistics,
    groups: Any,
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 12345,
) -> GroupScores:
    """Score each group of segments as a corpus of its own.

    Args:
        statistics: one row per segment, from `corpus_statistics`.
        groups: a list, array or column with one label per segment. A label is a string or an integer.
        confidence: 0.95 for a 95 % interval of each group with at least 30 segments; None for no intervals.
        n_resamples: as for `bootstrap`.
        seed: as for `bootstrap`.

    Returns:
        A dict of label -> score, in the order in which the labels first occur. In each signature, ``nrefs``
        (references per segment) describes the whole corpus.

    Raises:
        TypeError: a label is missing or has a wrong type.
        ValueError: the number of labels is wrong, a label does not fit into 64 bits, the statistics are a sum instead
            of one row per segment, or `bootstrap` would reject the settings of the resampling.

    >>> from bleu_metric import corpus_statistics
    >>> statistics = corpus_statistics(["a b", "a c", "b c"], ["a b", "a b", "b c"], max_order=1)
    >>> scores = score_groups(statistics, ["news", "chat", "news"])
    >>> {label: (score.bleu, score.segments) for label, score in scores.items()}
    {'news': (1.0, 2), 'chat': (0.5, 1)}
    """
    check_statistics("statistics", statistics)
    require_segments(statistics, "group segments")
    if confidence is not None:
        check_resampling(n_resamples, seed, confidence)

    scores = GroupScores()
    for label, rows in rows_by_group(groups, len(statistics)).items():
        group = statistics[rows]
        n_segments = len(group)
        interval = None
        if confidence is not None and n_segments >= MIN_SEGMENTS:
            interval = bootstrap(group, n_resamples, seed, confidence)
        fields = vars(score(group))
        scores[label] = GroupScore(**fields, segments=n_segments, interval=interval)
    return scores
