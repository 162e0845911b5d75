"""Check that systems can be compared: their counts must come from the same segments and the same options."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from .._display import Metric
from .._formula import units_per_token
from .._lazy import np
from .._statistics import (
    ONE_REFERENCE,
    UNKNOWN,
    MetricStatistics,
    check_statistics,
    mean_statistics,
    require_segments,
)
from .._validation import check_type, row_of, short_repr, unknown_message
from .result import P_VALUES

_LARGEST_SCORE: Any = 1e15  # of a segment; sums of larger scores lose too many digits
_INDEPENDENT = ("shortest", "longest", "average")  # rules whose reference length does not depend on the prediction


def check_systems(systems: Any, action: str) -> None:
    """Raise an error unless `systems` maps names to statistics that can be compared segment by segment.

    `action` names the operation in error messages, such as "rank" in "there is no system to rank".
    """
    check_type("systems", systems, Mapping, "a dict of name -> BleuStatistics")
    if not systems:
        raise ValueError(f"there is no system to {action}; give at least one, e.g. {{'A': statistics}}")

    first_name, first = next(iter(systems.items()))
    for name, statistics in systems.items():
        check_type(f"the name {short_repr(name)}", name, str, "a string")
        check_statistics_or_scores(f"systems[{name!r}]", statistics)
        # The first system is also compared with itself, which raises no error
        names = f"{short_repr(first_name)} and {short_repr(name)}"
        require_segments(statistics, f"{action} systems")
        if difference := first.difference_from(statistics):
            raise ValueError(f"{names} were {difference}")
        if len(first) != len(statistics):
            lengths = f"{len(first)} and {len(statistics)} segments"
            raise ValueError(f"{names} have {lengths}; pass the same segments of both")
        _require_same_references(names, first, statistics)

    if not len(first):
        raise ValueError(f"there are no segments to {action}; the statistics are empty")


def named_systems(baseline: Any, systems: Any, baseline_name: Any, p_values: Any) -> dict[str, Any]:
    """Return a dict from names to statistics, with the baseline first. Raise an error if systems cannot be compared.

    The arguments are as for `paired_bootstrap`.
    """
    if not isinstance(p_values, str) or p_values not in P_VALUES:
        raise ValueError(unknown_message("kind of p_values", p_values, P_VALUES))
    check_type("baseline_name", baseline_name, str, "a string")

    if systems is None:
        check_type("without systems, the first argument", baseline, Mapping, "a dict of name -> statistics")
        if len(baseline) < 2:
            raise ValueError(f"a comparison of all pairs needs two or more systems, got {len(baseline)}")
        named = dict(baseline)
    else:
        compared_systems = dict(_by_name(systems))
        names_of_baseline = [name for name, system in compared_systems.items() if system is baseline]
        if names_of_baseline and len(compared_systems) > 1:
            # The baseline is also one of the systems, and keeps its name
            if baseline_name not in names_of_baseline:
                baseline_name = names_of_baseline[0]
            del compared_systems[baseline_name]
        if baseline_name in compared_systems:
            raise ValueError(f"the baseline and a system are both called {baseline_name!r}; pass another baseline_name")
        named = {baseline_name: baseline, **compared_systems}

    named = {name: scores_or_statistics("score", name, given) for name, given in named.items()}
    if systems is not None:
        check_statistics_or_scores("baseline", named[baseline_name])
    check_systems(named, "compare")
    if len(next(iter(named.values()))) == 1:
        raise ValueError("a paired test needs several segments, got 1; to score without a test, use score_systems(…)")
    return named


def check_statistics_or_scores(name: str, given: Any) -> None:
    """Raise ``TypeError`` if a value is no `MetricStatistics`."""
    check_statistics(name, given, MetricStatistics, or_else=", or pass a list with one number per segment")


def _by_name(systems: Any) -> Mapping[str, Any]:
    """Return a dict of systems. A single system is named "system", and a list has "system 1", "system 2", …."""
    if isinstance(systems, MetricStatistics) or _has_numbers(systems):
        return {"system": systems}
    if isinstance(systems, (list, tuple)):
        systems = {f"system {number}": system for number, system in enumerate(systems, 1)}

    check_type("systems", systems, Mapping, "BleuStatistics, or a dict or list of them, from corpus_statistics")
    if not systems:
        raise ValueError("there is no system to compare with the baseline; give at least one, e.g. {'A': statistics}")
    return systems  # type: ignore[no-any-return]


def _has_numbers(value: Any) -> bool:
    """Return whether a value is a sequence of numbers, such as segment scores."""
    if hasattr(value, "dtype"):  # an array of NumPy, or a column of pandas
        return np.ndim(value) == 1 and np.asarray(value).dtype.kind in "iuf"
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], (Real, type(None)))


def scores_or_statistics(metric: str, system: str, given: Any) -> Any:
    """Convert a list of segment scores to statistics. Return any other value unchanged."""
    return segment_statistics(metric, system, given) if _has_numbers(given) else given


def statistics_by_metric(statistics: Any, baseline: Any = None) -> dict[str, dict[str, Any]]:
    """Return the statistics of each metric and system. Lists of segment scores become statistics.

    The arguments are those of `compare_metrics`. Raise an error if the metrics have different systems or numbers of
    segments, or lack a given `baseline`.
    """
    check_type("statistics", statistics, Mapping, "a dict of metric -> dict of name -> statistics")
    if not statistics:
        raise ValueError("there is no metric to compare with; give at least one, e.g. system_statistics(…, metrics=…)")
    first_metric, *_ = statistics
    by_metric: dict[str, dict[str, Any]] = {}
    lengths = set()
    for metric, systems in statistics.items():
        check_type(f"statistics[{metric!r}]", systems, Mapping, "a dict of name -> statistics")
        differing = sorted(set(systems) ^ set(statistics[first_metric]))
        if differing:
            raise ValueError(f"only one of the metrics {first_metric!r} and {metric!r} has the system {differing[0]!r}")
        by_metric[metric] = {name: scores_or_statistics(metric, name, given) for name, given in systems.items()}
        for name, counts in by_metric[metric].items():
            check_statistics_or_scores(f"statistics[{metric!r}][{name!r}]", counts)
            lengths.add((len(counts), metric))
    if len({length for length, _ in lengths}) > 1:
        found = ", ".join(f"{metric} {length}" for length, metric in sorted(lengths))
        raise ValueError(f"all metrics must have the same number of segments, got {found}")
    if baseline is not None and baseline not in statistics[first_metric]:
        raise ValueError(unknown_message("baseline", baseline, statistics[first_metric]))
    return by_metric


def segment_statistics(metric: str, system: str, scores: Any) -> MetricStatistics:
    """Return statistics whose score is the mean of segment scores, such as COMET's.

    Args:
        metric: the name of the metric.
        system: the name of the system, for error messages.
        scores: one number per segment. The highest is the best.

    Raises:
        TypeError: a score is not a number.
        ValueError: a score is missing, not finite or above 1e15. The message names its row.
    """
    for row, score in enumerate(scores):
        # False for NaN
        if isinstance(score, Real) and not isinstance(score, bool) and -_LARGEST_SCORE <= score <= _LARGEST_SCORE:
            continue
        where = f"{row_of(f'{metric} scores', row)} of {short_repr(system)}"
        if score is None:
            raise ValueError(f"{where} is missing: give one number per segment")
        if not isinstance(score, Real) or isinstance(score, bool):
            raise TypeError(f"{where} must be a number, got {short_repr(score)}")
        raise ValueError(f"{where} is {score}: give numbers from -{_LARGEST_SCORE:g} to {_LARGEST_SCORE:g}")

    numbers = np.array(scores, np.float64)
    largest = np.abs(numbers).max(initial=0.0)
    shown_as = Metric(metric, scale=1, more_digits=2 if largest < 10 else 0)
    return mean_statistics(shown_as, numbers, f"metric:{metric}|average:sentence")


def _require_same_references(names: str, first: Any, other: Any) -> None:
    """Raise ``ValueError`` if the numbers or the lengths of references show that two systems have other references."""
    nrefs = (first.nrefs, other.nrefs)  # (1, 2) and (3, 4) do not overlap
    if UNKNOWN not in nrefs and max(first.nrefs[0], other.nrefs[0]) > min(first.nrefs[1], other.nrefs[1]):
        numbers = [" to ".join(map(str, dict.fromkeys(fewest_and_most))) for fewest_and_most in nrefs]
        raise ValueError(
            f"{names} have {' and '.join(numbers)} references per segment; count both with the same references"
        )
    if first.reference_lengths is None:
        return
    # The effective length may depend on the prediction. For larger differences than 9999, the last rule returns 9999.
    # Both systems must have the same references, but `nrefs` of one system may be unknown
    rule = first.config.reference_length
    has_one_reference = ONE_REFERENCE in nrefs and rule != "closest-below-9999"
    is_different = first.reference_lengths != other.reference_lengths
    if not (rule in _INDEPENDENT or has_one_reference) or not is_different.any():
        return
    row = int(is_different.argmax())  # the first segment whose reference lengths differ
    lengths = [system.reference_lengths[row] // units_per_token(rule) for system in (first, other)]
    raise ValueError(
        f"{names} have references of {lengths[0]} and {lengths[1]} tokens in segment {row}; pass the same segments of "
        "both, in the same order"
    )
