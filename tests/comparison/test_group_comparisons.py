"""Comparisons of groups equal those of each group alone, except that p-values are corrected for all of them."""

from __future__ import annotations

from typing import Any

import pytest
from corpora import one_sided
from inner_doors import holm

from bleu_metric import (
    BleuStatistics,
    compare_groups,
    paired_approximate_randomization,
    paired_bootstrap,
    system_statistics,
)

SYSTEMS, REFERENCES = one_sided(70)
SYSTEMS["other"] = [text.replace("a", "the", 1) if number % 3 else text for number, text in enumerate(SYSTEMS["base"])]
LABELS = ["news"] * 40 + ["chat"] * 30


def _counted() -> tuple[BleuStatistics, dict[str, BleuStatistics]]:
    counted = system_statistics(SYSTEMS, REFERENCES)
    return counted.pop("base"), counted


@pytest.mark.parametrize("test", [paired_bootstrap, paired_approximate_randomization])
def test_as_each_group_alone(test: Any) -> None:
    baseline, systems = _counted()
    options = {"n_resamples": 200, "seed": 3, "p_values": "sacrebleu", "baseline_name": "base"}
    compared = compare_groups(baseline, systems, LABELS, test, **options)
    assert list(compared) == ["news", "chat"]
    p_values = []
    for label, rows in (("news", slice(0, 40)), ("chat", slice(40, 70))):
        alone = test(baseline[rows], {name: system[rows] for name, system in systems.items()}, **options)
        found, expected = compared[label].rows(), alone.rows()
        for row in (*found, *expected):
            row.pop("p_adjusted")
        assert found == expected
        p_values += [system.p_value for system in alone.systems]
    adjusted = [system.p_adjusted for comparison in compared.values() for system in comparison.systems]
    assert adjusted == holm(p_values)
    assert adjusted != p_values


def test_enough_resamples_for_the_tests_of_all_groups() -> None:
    """1,000 resamples are enough for 25 tests."""
    scores = [float(number % 7) for number in range(390)]
    others = {"B": scores[::-1], "C": [*scores[1:], 0.0]}
    for n_groups, resamples in ((12, 1000), (13, 2000)):  # 24 and 26 tests
        labels = [number % n_groups for number in range(390)]
        assert {one.n_resamples for one in compare_groups(scores, others, labels).values()} == {resamples}
    for n_groups, resamples in ((8, 1000), (9, 2000)):  # 24 and 27 pairs
        labels = [number % n_groups for number in range(390)]
        compared = compare_groups({"A": scores, **others}, None, labels)
        assert {one.n_resamples for one in compared.values()} == {resamples}


@pytest.mark.parametrize(("test", "size"), [(paired_bootstrap, 29), (paired_approximate_randomization, 5)])
def test_groups_that_no_test_can_decide_are_no_tests(test: Any, size: int) -> None:
    """They have a score, but neither p-values nor intervals, and change nothing in the other groups."""
    baseline, systems = _counted()
    labels = ["big"] * 30 + [f"small {number // size}" for number in range(40)]
    compared = compare_groups(baseline, systems["new"], labels, test, seed=3)
    alone = test(baseline[:30], systems["new"][:30], seed=3)
    assert compared["big"] == alone
    assert [one.rows()[1]["low"] for one in compared.values()] == [alone.rows()[1]["low"]] + [None] * (
        len(compared) - 1
    )
    assert [one.systems[0].p_value is None for one in compared.values()] == [False] + [True] * (len(compared) - 1)
    assert all(one.baseline.interval.score > 0 for one in compared.values())


BAD: list[tuple[Any, type[Exception], str]] = [
    (["a"] * 69, ValueError, r"groups has 69 labels for 70 segments"),
    ([None] * 70, TypeError, r"groups\[0\] is None"),
]


@pytest.mark.parametrize(("labels", "error", "text"), BAD)
def test_wrong_groups(labels: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        compare_groups(*_counted(), labels)
