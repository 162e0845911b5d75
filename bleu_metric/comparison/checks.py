"""Checks that systems can be compared: their counts are of the same segments, and were counted in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._config import describe_differences, require_one_score
from .._counts import References
from .._lazy import np
from .._reference_length import units_per_token
from .._statistics import BleuStatistics, check_statistics, require_segments
from .._validation import check_type, short_repr, unknown_message
from .result import P_VALUES

_INDEPENDENT = ("shortest", "longest", "average")  # reference lengths that do not depend on the prediction


def check_systems(systems: Any, action: str) -> None:
    """Raise an error unless `systems` maps names to counts that can be compared segment by segment.

    `action`: what needs the systems, such as "draw".
    """
    check_type("systems", systems, Mapping, "a dict of name -> BleuStatistics")
    if not systems:
        raise ValueError(f"there is no system to {action}; give at least one, e.g. {{'A': statistics}}")
    first_name, first = next(iter(systems.items()))
    for name, statistics in systems.items():
        check_type(f"the name {short_repr(name)}", name, str, "a string")
        check_statistics(f"systems[{name!r}]", statistics)
        require_segments(statistics, f"{action} systems")
        require_one_score(statistics.config, "systems are ordered by")
        _require_same_segments(short_repr(first_name), first, name, statistics)
    if not len(first):
        raise ValueError(f"there are no segments to {action}; the statistics are empty")


def named_systems(baseline: Any, systems: Any, baseline_name: Any, p_values: Any) -> dict[str, BleuStatistics]:
    """Return the baseline and the systems by name, the baseline first. Raise an error if they cannot be compared."""
    if not isinstance(p_values, str) or p_values not in P_VALUES:
        raise ValueError(unknown_message("kind of p_values", p_values, P_VALUES))
    check_type("baseline_name", baseline_name, str, "a string")
    systems = _by_name(systems)
    if baseline_name in systems:
        raise ValueError(f"the baseline and a system are both called {baseline_name!r}; pass another baseline_name")
    check_statistics("baseline", baseline)
    require_one_score(baseline.config, "a paired test compares")
    for name, system in systems.items():
        check_statistics(f"systems[{name!r}]", system)
        _require_same_segments("the baseline", baseline, name, system)
    require_segments(baseline, "compare systems by segments")
    if len(baseline) == 1:
        raise ValueError("a paired test needs several segments, got 1; to score without a test, use score_systems(…)")
    return {baseline_name: baseline, **systems}


def _by_name(systems: Any) -> Mapping[str, Any]:
    if isinstance(systems, BleuStatistics):
        return {"system": systems}
    if isinstance(systems, (list, tuple)):
        systems = {f"system {number}": system for number, system in enumerate(systems, 1)}
    check_type("systems", systems, Mapping, "BleuStatistics, or a dict or list of them, from corpus_statistics")
    if not systems:
        raise ValueError("there is no system to compare with the baseline; give at least one, e.g. {'A': statistics}")
    return systems  # type: ignore[no-any-return]


def _require_same_segments(first: str, baseline: BleuStatistics, name: str, system: BleuStatistics) -> None:
    """Raise ``ValueError`` if the options, segments or references differ. `first`: what errors call the baseline."""
    second = short_repr(name)
    if system.config != baseline.config:
        differences = describe_differences(baseline.config, system.config)
        raise ValueError(f"{first} and {second} were counted in different ways: {differences}; use the same options")
    if len(system) != len(baseline):
        raise ValueError(
            f"{first} has {len(baseline)} segments, {second} has {len(system)}: both need the same segments"
        )
    _require_same_references(first, baseline, second, system)


def _require_same_references(first: str, baseline: BleuStatistics, second: str, system: BleuStatistics) -> None:
    """Raise ``ValueError`` if the numbers or the lengths of the references differ."""
    if not _numbers_of_references_agree(baseline.nrefs, system.nrefs):
        ours, theirs = tuple(baseline.nrefs), tuple(system.nrefs)
        raise ValueError(
            f"{first} has {ours} references per segment (fewest, most), {second} has {theirs}: both need the same "
            "references"
        )
    differing = np.flatnonzero(baseline.reference_lengths != system.reference_lengths)
    if len(differing) and _reference_lengths_must_agree(baseline, system):
        row = int(differing[0])
        units = units_per_token(baseline.config.reference_length)
        length, other_length = (int(counts.reference_lengths[row]) // units for counts in (baseline, system))
        raise ValueError(
            f"the reference of segment {row} has {length} tokens for {first} and {other_length} for {second}: both "
            "need the same segments in the same order"
        )


def _numbers_of_references_agree(nrefs: References, other: References) -> bool:
    """Return whether the ranges of the numbers of references overlap. If a range is not known, return True."""
    are_known = nrefs.is_known and other.is_known
    return not are_known or max(nrefs.fewest, other.fewest) <= min(nrefs.most, other.most)


def _reference_lengths_must_agree(baseline: BleuStatistics, system: BleuStatistics) -> bool:
    """Return whether a segment must have the same effective reference length for all predictions."""
    rule = baseline.config.reference_length
    if rule in _INDEPENDENT:
        return True
    has_one_reference = (1, 1) in (baseline.nrefs, system.nrefs)
    return has_one_reference and rule != "closest-below-9999"
