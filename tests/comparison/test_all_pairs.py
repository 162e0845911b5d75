"""All pairs of systems: the same p-values as pair by pair, ranks that follow from them, and a verdict that holds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from corpora import corpus_of_words
from inner_doors import holm

from bleu_metric import (
    compare_groups,
    compare_metrics,
    paired_approximate_randomization,
    paired_bootstrap,
    system_statistics,
)

PREDICTIONS, REFERENCES = corpus_of_words(60, 3)
TESTS = [paired_bootstrap, paired_approximate_randomization]


def _with_perfect(share: float, seed: int) -> list[str]:
    """Return the predictions, of which about `share` are replaced by their references."""
    replaced = np.random.default_rng(seed).random(len(PREDICTIONS)) < share
    return [refs[0] if new else own for new, own, refs in zip(replaced, PREDICTIONS, REFERENCES, strict=True)]


SYSTEMS = {
    "worst": PREDICTIONS,
    "rival": _with_perfect(0.8, 1),
    "best": _with_perfect(0.9, 2),
    "mid": _with_perfect(0.5, 3),
}
COUNTED = system_statistics(SYSTEMS, REFERENCES)


@pytest.mark.parametrize("test", TESTS)
def test_pairs_equal_those_of_single_comparisons(test: Any) -> None:
    compared = test(COUNTED, None, 400)
    singles = [test(COUNTED[a], {b: COUNTED[b]}, 400, baseline_name=a).systems[0] for a, b in combinations(COUNTED, 2)]
    assert [(pair.baseline, pair.name) for pair in compared.pairs] == list(combinations(COUNTED, 2))
    for pair, single in zip(compared.pairs, singles, strict=True):
        assert (pair.delta, pair.delta_low, pair.delta_high, pair.p_value) == pytest.approx(
            (single.delta, single.delta_low, single.delta_high, single.p_value), rel=1e-12
        )
    assert [pair.p_adjusted for pair in compared.pairs] == holm([single.p_value for single in singles])
    assert [system.name for system in compared.systems] == ["rival", "best", "mid"]


def _scores(**shares: float) -> dict[str, list[float]]:
    """Return 200 segment scores per system: 1 in the first segments, `share` of them, and 0 in the others."""
    return {name: [float(row < 200 * share) for row in range(200)] for name, share in shares.items()}


@pytest.mark.parametrize(
    ("systems", "verdict"),
    [
        (_scores(A=0.9, B=0.5), "A is better than B."),
        (_scores(A=0.5, B=0.505), "B and A are not significantly different."),
        (_scores(A=0.9, B=0.5, C=0.2), "A is better than B and C."),
        (_scores(A=0.5, B=0.51, C=0.1), "B and A are not significantly different; both are better than C."),
        (
            _scores(A=0.5, B=0.5, C=0.5, D=0.1),
            "A has the best score, but is not significantly different from B and C; all of them are better than D.",
        ),
        # B differs from A in few segments, C from A in more, but C from B in too few
        (_scores(A=0.5, B=0.48, C=0.46), "A and B are not significantly different; A is better than C."),
    ],
)
def test_verdict_on_scores_of_another_metric(systems: dict[str, list[float]], verdict: str) -> None:
    assert paired_bootstrap(systems).verdict() == verdict


def test_verdict_against_a_baseline() -> None:
    systems = _scores(base=0.5, good=0.9, bad=0.1, same=0.5)
    compared = paired_bootstrap(systems.pop("base"), systems, baseline_name="base")
    verdict = "good is better than base; bad is worse than base; same is not significantly different from base."
    assert compared.verdict() == verdict
    with pytest.raises(ValueError, match="all pairs"):
        compared.ranks()


def test_mean_of_segment_scores() -> None:
    """The score is the mean, and the interval that of means of resampled scores."""
    scores = np.random.default_rng(5).normal(0.8, 0.1, size=(2, 50))
    compared = paired_bootstrap(scores[0], {"B": list(scores[1])}, n_resamples=200)
    drawn = np.random.default_rng(12345).integers(50, size=(200, 50))
    for system, own in zip((compared.baseline, compared.systems[0]), scores, strict=True):
        assert system.interval.score == pytest.approx(own.mean(), rel=1e-12)
        ends = np.quantile(own[drawn].mean(axis=1), (0.025, 0.975))
        assert (system.interval.low, system.interval.high) == pytest.approx(ends, rel=1e-12)
    assert compared.signature.startswith("metric:score|bs:200|")
    groups = compare_groups(scores[0], scores[1], ["a"] * 30 + ["b"] * 20)
    assert groups["b"].baseline.interval.score == pytest.approx(scores[0][30:].mean(), rel=1e-12)


@pytest.mark.parametrize("test", TESTS)
def test_enough_trials_for_the_correction(test: Any) -> None:
    """With 50 groups of two systems, a clear difference is found by default; with 1,000 resamples, none can be."""
    base, new = [0.0] * 1500, [1.0] * 1500
    labels = [row // 30 for row in range(1500)]
    compared = compare_groups(base, {"new": new, "same": base}, labels, test)
    assert compared[7].is_significant(compared[7].systems[0])
    few = paired_bootstrap(base[:60], {f"S{number}": new[:60] for number in range(60)}, n_resamples=1000)
    assert not any(map(few.is_significant, few.systems))


def test_too_few_trials_for_one_test() -> None:
    """The smallest p-value is 1/2 with 1 trial, which is not below the level, and 1/3 with 2 trials."""
    for trials, is_said in ((1, True), (2, False)):
        compared = paired_approximate_randomization([1.0] * 9, [0.0] * 9, trials, confidence=0.5)
        assert compared.can_find_differences != is_said
        assert ("too few to find a significant difference in 1 test: use at least 2" in str(compared)) == is_said


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ([{"A": [0.5, 0.6]}], ValueError, "all pairs needs two or more systems, got 1"),
        ([[0.5, 0.6]], TypeError, "without systems, the first argument must be a dict"),
        ([[0.5, None], [0.5, 0.6]], ValueError, r"score scores\[1\] of 'baseline' is missing"),
        ([[0.5, 0.5], {"B": [0.5, float("nan")]}], ValueError, r"score scores\[1\] of 'B' is nan"),
        ([[0.5, 0.5], {"B": [0.5, "x"]}], TypeError, r"score scores\[1\] of 'B' must be a number, got 'x'"),
    ],
)
def test_errors(arguments: list[Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        paired_bootstrap(*arguments)


def test_a_pair_does_not_depend_on_the_scale_of_other_systems() -> None:
    scores = np.random.default_rng(0).normal(size=40)
    systems = {"a": scores, "b": scores + np.random.default_rng(1).normal(0.5, 0.1, size=40)}
    large = {**systems, "c": np.array([1e14, *scores[1:]])}
    pairs = [paired_bootstrap(given).pairs[0] for given in (systems, large)]
    assert [pair.p_value for pair in pairs] == [pairs[0].p_value] * 2


def test_the_named_one_of_equal_systems_is_the_baseline() -> None:
    same, other = [1.0, 2.0, 3.0], [1.0, 1.0, 3.0]
    compared = compare_metrics({"x": {"A": same, "B": same, "C": other}}, "B", paired_approximate_randomization)
    assert compared["x"].baseline.name == "B"


def test_pairs_that_differ_too_little_are_named() -> None:
    systems = {"perfect": [1.0] * 60, "few": [1.0] * 57 + [0.0] * 3, "bad": [1.0] * 30 + [0.0] * 30}
    for test, p_values in ((paired_approximate_randomization, "two-sided"), (paired_bootstrap, "sacrebleu")):
        compared = test(systems, p_values=p_values)
        assert compared.verdict().endswith("Too few segments differ to test few and perfect.")
        assert ([pair.p_value is None for pair in compared.pairs], compared.n_tests) == ([True, False, False], 2)
