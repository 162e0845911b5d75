"""Paired tests are sacrebleu's for the same resamples and swaps, and true to their definitions."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from corpora import corpus_of_words, one_sided
from inner_doors import draw_in_chunks, holm
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

from bleu_metric import (
    DIALECTS,
    BleuConfig,
    BleuStatistics,
    GroupComparisons,
    bootstrap,
    corpus_statistics,
    paired_approximate_randomization,
    paired_bootstrap,
    score,
    sentence_bleu,
    system_statistics,
)
from bleu_metric.comparison.result import P_VALUES


def _other(predictions: list[str], references: list[list[str]], seed: int) -> list[str]:
    """Another system: better in some segments, worse in some."""
    kinds = np.random.default_rng(seed).choice(3, len(predictions), p=[0.8, 0.1, 0.1]).tolist()
    rows = zip(kinds, predictions, references, strict=True)
    return [(text, refs[0], text[: len(text) // 2])[kind] for kind, text, refs in rows]


PREDICTIONS, REFERENCES = corpus_of_words(70, 1)


SYSTEMS = {name: _other(PREDICTIONS, REFERENCES, seed) for seed, name in enumerate("ABC")}


def _count(predictions: list[str], dialect: str = "sacrebleu", **options: Any) -> BleuStatistics:
    return corpus_statistics(predictions, REFERENCES[: len(predictions)], dialect, **options)


BASELINE = _count(PREDICTIONS)


COUNTED = {name: _count(texts) for name, texts in SYSTEMS.items()}


@pytest.mark.parametrize(("test", "function"), [("bs", paired_bootstrap), ("ar", paired_approximate_randomization)])
def test_p_values_are_sacrebleus(test: str, function: Any) -> None:
    named = [("base", PREDICTIONS), *SYSTEMS.items()]
    _, scores = PairedTest(named, {"BLEU": BLEU()}, [[refs[0] for refs in REFERENCES]], test, n_samples=500)()
    ours = function(BASELINE, COUNTED, 500, p_values="sacrebleu")
    assert [row["p_value"] for row in ours.rows()] == [one.p_value for one in scores["BLEU"]]
    assert [100 * row["score"] for row in ours.rows()] == pytest.approx(
        [one.score for one in scores["BLEU"]], rel=1e-12
    )
    assert len({row["p_value"] for row in ours.rows()}) == 4


def check_randomization(base: BleuStatistics, system: BleuStatistics, trials: int, seed: int) -> None:
    """Compare the p-value with that of trials whose systems are scored as corpora of their own, slowly."""
    # NumPy tosses these coins, and so does sacrebleu: 1 leaves a segment to its system
    coins = np.random.default_rng(seed).integers(2, size=(trials, len(base)), dtype=bool)
    both, numbers = base + system, np.arange(len(base))
    found = paired_approximate_randomization(base, system, trials, seed=seed, n_resamples=40).systems[0]
    observed = score(system).bleu - score(base).bleu
    assert found.delta == pytest.approx(observed, abs=1e-14)
    as_large = 1  # the systems themselves
    for coin in coins:
        ours, theirs = both[numbers + len(base) * coin], both[numbers + len(base) * ~coin]
        as_large += abs(score(ours).bleu - score(theirs).bleu) >= abs(observed) - 1e-14
    assert found.p_value == pytest.approx(as_large / (trials + 1), rel=1e-12)


OPTIONS = [
    ("sacrebleu", {}),
    ("nltk", {"smoothing": "method7"}),
    ("ignite", {"weights": [0.1, 0.2, 0.7]}),
    ("nltk", {"smoothing": "method6", "average": "sentence"}),
    ("papineni", {"reference_length": "average"}),
]


@pytest.mark.parametrize(("dialect", "options"), OPTIONS)
def test_swaps_are_corpora_of_the_segments_taken(dialect: str, options: dict[str, Any]) -> None:
    base = _count(PREDICTIONS, dialect, **options)
    for name, seed in (("A", 5), ("B", 6)):
        system = _count(SYSTEMS[name], dialect, **options)
        check_randomization(base, system, 99, seed)
        check_randomization(base[5:45], system[5:45], 99, seed)  # few differ: ties decide


@pytest.mark.parametrize("options", [{"dialect": "ignite"}, {"smoothing": "method0"}])
def test_swaps_where_one_system_alone_is_perfect_somewhere(options: dict[str, Any]) -> None:
    """The two have one scale: the best sentence of one is 1, of the other far below."""
    references = [" ".join(f"{letter}{place}" for place in range(12)) for letter in "abcdefghijkl"]
    words = [text.split() for text in references]
    flawed = [" ".join([*own[: 4 + row % 5], "x"]) for row, own in enumerate(words)]
    mixed = [*references[:1], *(" ".join([*own[: 8 - row % 5], "x", "x"]) for row, own in enumerate(words[1:]))]
    options = {"dialect": "nltk", "average": "sentence", **options}
    base, system = (corpus_statistics(texts, references, **options) for texts in (flawed, mixed))
    best, perfect = (max(sentence_bleu(texts, references, **options)) for texts in (flawed, mixed))
    assert best < 0.99 < perfect == 1
    check_randomization(base, system, 199, 12345)
    check_randomization(system, base, 199, 12345)


def _everything() -> list[Any]:
    return [
        bootstrap(BASELINE, 100),
        paired_bootstrap(BASELINE, COUNTED, 100),
        paired_approximate_randomization(BASELINE, COUNTED, 100),
    ]


def _everything_of_means() -> list[float]:
    base, system = (_count(texts, average="sentence") for texts in (PREDICTIONS, SYSTEMS["A"]))
    interval = bootstrap(base, 100)
    functions: Any = (paired_bootstrap, paired_approximate_randomization)
    compared = [function(base, system, 100, p_values=p).systems[0] for function in functions for p in P_VALUES]
    numbers = [(each.delta, each.delta_low, each.delta_high, each.p_value) for each in compared]
    return [interval.low, interval.high, interval.mean, *np.ravel(numbers)]


def test_chunks_and_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, expected_of_means = _everything(), _everything_of_means()
    for threads, cells in ((1, 1), (2, 1), (2, 40), (7, 5000), (2, 1 << 30)):
        monkeypatch.setenv("BLEU_METRIC_THREADS", str(threads))
        draw_in_chunks(monkeypatch, cells)
        assert _everything() == expected
        assert _everything_of_means() == pytest.approx(expected_of_means, rel=1e-12)


@pytest.mark.parametrize(("segments", "is_significant"), [(5, None), (29, None), (30, True)])
@pytest.mark.parametrize("average", ["corpus", "sentence"])
def test_a_constant_difference_is_strong_evidence(average: str, segments: int, is_significant: bool | None) -> None:
    """No resample reaches 0, so the p-value is the smallest. With few segments there is no p-value."""
    pair = [
        corpus_statistics([text] * segments, ["a b c d"] * segments, max_order=1, average=average)
        for text in ("a b x x", "a b c x")
    ]
    compared = paired_bootstrap(*pair, 999)
    (found,) = compared.systems
    p_value = 1 / 1000 if segments >= 30 else None
    assert (found.delta, found.delta_low, found.delta_high, found.p_value) == (0.25, 0.25, 0.25, p_value)
    assert compared.is_significant(found) is is_significant


@pytest.mark.parametrize(
    ("p_adjusted", "is_significant", "shown"),
    [
        (0.05, False, "0.050"),
        (0.05 - 1e-17, False, "0.050"),  # as products of p-values and numbers of tests are
        (50 / 1001, True, "0.04995 *"),
        (0.0501, False, "0.050"),
        (1.5 / 1001, True, "≤ 0.002 *"),  # of the smallest p-value, rounded up
    ],
)
def test_p_values_near_the_level(p_adjusted: float, is_significant: bool, shown: str) -> None:
    """Only a p-value below the level is significant, and it is never printed as the level."""
    compared = paired_bootstrap([0.0] * 40, [0.5, 1.0] * 20, n_resamples=1000)
    p_value = 1 / 1001 if p_adjusted < 0.01 else p_adjusted
    pair = dataclasses.replace(compared.pairs[0], p_value=p_value, p_adjusted=p_adjusted)
    changed = dataclasses.replace(compared, pairs=[pair])
    assert changed.is_significant(pair) is is_significant
    cells = [line.strip().split("  ")[-1].strip() for line in str(changed).splitlines()]
    assert shown in cells
    assert ("the p-value disagree for system:" in str(changed)) is not is_significant
    groups = GroupComparisons({"news": changed, 2: compared})
    assert ("the p-value disagree for system in news:" in str(groups)) is not is_significant


@pytest.mark.parametrize(("segments", "seed"), [(30, 1), (30, 2), (100, 1)])
def test_p_value_that_rounding_does_not_decide(segments: int, seed: int) -> None:
    """With a mean of sentence scores, drawing the one that differs twice gives twice the observed difference."""
    references = [f"w{number} a b c d e" for number in range(segments)]
    base = [f"w{number} a b c" + " d" * (number % 7) for number in range(segments)]
    system = [*base[:-1], "x y a b c d"]
    counted = [corpus_statistics(texts, references, average="sentence") for texts in (base, system)]
    found = paired_bootstrap(*counted, seed=seed, n_resamples=4000).systems[0].p_value
    times = np.random.default_rng(0).binomial(segments, 1 / segments, 100_000)  # how often it is drawn
    assert found == pytest.approx((np.abs(times - 1) >= 1).mean(), abs=0.04)
    scores = np.arange(segments) / 7 % 1
    better = [score + 0.1 * (row < 6) for row, score in enumerate(scores)]
    swapped = paired_approximate_randomization(scores, better, n_trials=4000, seed=seed, n_resamples=40).systems[0]
    assert swapped.p_value == pytest.approx(2 / 2**6, abs=0.01), "all of the six swap, or none"


def test_slices_are_of_the_same_segments() -> None:
    """A slice keeps the numbers of references of the whole."""
    predictions, references = ["a b c"] * 6, [["a b c"]] * 3 + [["a b", "a b c"]] * 3
    part = corpus_statistics(predictions, references)[:3]
    assert paired_bootstrap(part, corpus_statistics(predictions[:3], references[:3])).systems[0].delta == 0
    one = corpus_statistics(predictions, references)[:3]
    other = corpus_statistics(predictions[:3], ["a b c d e"] * 3)
    for pair in ((one, other), (other, one)):
        with pytest.raises(ValueError, match=r"'baseline' and 'system' have references of . and . tokens in segment 0"):
            paired_bootstrap(*pair)


def test_the_length_of_several_references_may_depend_on_the_output() -> None:
    references = [["a b", "a b c d"]] * 2
    pair = [corpus_statistics([text] * 2, references) for text in ("a b", "a b c d")]
    assert paired_bootstrap(*pair).baseline.interval.score != paired_bootstrap(*pair).systems[0].interval.score
    whole, other = (
        corpus_statistics(["a b"] * 2, refs, reference_length="longest") for refs in (references, [["a"] * 2] * 2)
    )
    with pytest.raises(ValueError, match="'baseline' and 'system' have references of 4 and 1 tokens in segment 0"):
        paired_bootstrap(whole, other)


def test_holm_textbook() -> None:
    # R 4.3: p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize("function", [paired_bootstrap, paired_approximate_randomization])
def test_interval_of_the_difference(function: Any) -> None:
    """It is the percentile interval of the differences of the same resamples, whatever the test."""
    system = COUNTED["A"]
    drawn = np.random.default_rng(3).choice(len(BASELINE), size=(101, len(BASELINE)), replace=True)
    in_order = sorted(score(system[rows]).bleu - score(BASELINE[rows]).bleu for rows in drawn)
    (found,) = function(BASELINE, system, n_resamples=101, seed=3, confidence=0.9).systems
    assert (found.delta_low, found.delta_high) == pytest.approx((in_order[5], in_order[95]), rel=1e-12)
    changed = [own != other for own, other in zip(PREDICTIONS, SYSTEMS["A"], strict=True)]
    assert 0 < found.segments_that_differ <= sum(changed)


def test_signature_and_dict() -> None:
    interval = bootstrap(BASELINE, 20, seed=9, confidence=0.9)
    compared = paired_approximate_randomization(BASELINE, COUNTED, 30, seed=9, n_resamples=50)
    assert interval.signature.startswith("nrefs:1|bs:20|seed:9|conf:0.9|tok:13a|")
    assert compared.signature.startswith("nrefs:1|ar:30|bs:50|seed:9|conf:0.95|p:two-sided|tok:13a|")
    for signature in (interval.signature, compared.signature):
        assert BleuConfig.from_signature(signature) == DIALECTS["sacrebleu"]
    assert interval.to_dict() == {name: value for name, value in vars(interval).items() if name != "metric"}
    fields = {field.name for field in dataclasses.fields(compared)} - {"baseline", "pairs"}
    assert set(compared.to_dict()) == fields | {"rows", "has_too_few_segments", "verdict"}


def counted_one_sided(segments: int) -> tuple[BleuStatistics, BleuStatistics]:
    """Count two systems: the second is perfect, the first has an error or two in every segment."""
    base, new = system_statistics(*one_sided(segments)).values()
    return base, new


def test_randomization_is_exact_on_few_segments() -> None:
    """All ways to swap 5 segments give p-values of at least 2 / 2^5 = 0.06, so no test of 5 segments can decide."""
    for segments, is_significant in ((3, None), (5, None), (6, True), (10, True)):
        compared = paired_approximate_randomization(*counted_one_sided(segments))
        assert compared.is_significant(compared.systems[0]) is is_significant
        assert ("too few segments" in str(compared)) == (is_significant is None)
    assert compared.is_significant(compared.baseline) is None


@pytest.mark.parametrize("function", [paired_bootstrap, paired_approximate_randomization])
@pytest.mark.parametrize("p_values", ["two-sided", "sacrebleu"])
def test_a_copy_of_the_baseline_has_no_star(function: Any, p_values: str) -> None:
    compared = function(BASELINE, BASELINE, 999, p_values=p_values)
    (copy,) = compared.systems
    assert (copy.delta, copy.segments_that_differ) == (0, 0)
    is_tested = function is paired_bootstrap and p_values == "two-sided"
    assert (copy.p_value, compared.is_significant(copy)) == ((1, False) if is_tested else (None, None))
    assert " better" not in compared.verdict()


@pytest.mark.parametrize(("differing", "is_significant"), [(2, None), (5, None), (6, True)])
@pytest.mark.parametrize("segments", [0, 60])
@pytest.mark.parametrize("function", [paired_bootstrap, paired_approximate_randomization])
def test_p_values_of_sacrebleu_where_few_segments_differ(
    function: Any, segments: int, differing: int, is_significant: bool | None
) -> None:
    """All ways to swap 5 segments give p-values of at least 2 / 2^5 = 0.06; sacrebleu's, which leave out ties, do not."""
    base, new = counted_one_sided(differing + segments)
    system = new[:differing] + base[differing:]
    compared = function(base, system, 999, p_values="sacrebleu")
    (found,) = compared.systems
    assert found.segments_that_differ == differing
    if found.p_value is not None and found.p_value >= 0.05:
        is_significant = False
    if function is paired_bootstrap and not segments:
        is_significant = None
    assert (compared.is_significant(found), found.p_value is None) == (is_significant, is_significant is None)
    assert ("too few segments" in str(compared)) == (is_significant is None)


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    bootstrap(BASELINE, 40, progress=lambda *numbers: seen.append(numbers))
    paired_approximate_randomization(BASELINE, COUNTED, 40, progress=lambda *numbers: seen.append(numbers))
    assert (40, 40) in seen
    assert seen[-1] == (1040, 1040)
    assert sorted(set(seen), key=sum) == seen


TWICE = corpus_statistics(PREDICTIONS, [refs * 2 for refs in REFERENCES])
TWO_OR_THREE = corpus_statistics(PREDICTIONS, [refs * (2 + row % 2) for row, refs in enumerate(REFERENCES)])
REVERSED = corpus_statistics(PREDICTIONS, REFERENCES[::-1])
BAD: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
    ("a", BASELINE, {}, TypeError, r"baseline must be BleuStatistics, got str"),
    (BASELINE, {"A": 1}, {}, TypeError, r"systems\['A'\] must be BleuStatistics, got int"),
    (BASELINE, [BASELINE, 1], {}, TypeError, r"systems\['system 2'\] must be BleuStatistics, got int"),
    (BASELINE, {}, {}, ValueError, r"there is no system to compare with the baseline"),
    (BASELINE, COUNTED, {"p_values": "exact"}, ValueError, r"unknown kind of p_values 'exact'"),
    (BASELINE, COUNTED, {"baseline_name": "A"}, ValueError, r"are both called 'A'; pass another"),
    (BASELINE, COUNTED, {"baseline_name": 5}, TypeError, r"baseline_name must be a string, got 5"),
    (BASELINE, COUNTED["A"][:9], {}, ValueError, r"'baseline' and 'system' have 70 and 9 segments; pass"),
    (BASELINE.sum(), BASELINE.sum(), {}, ValueError, r"cannot compare systems: these statistics are a sum"),
    (BASELINE[:1], BASELINE[:1], {}, ValueError, r"a paired test needs several segments, got 1;"),
    (BASELINE, _count(PREDICTIONS, lowercase=True), {}, ValueError, "in different ways: lowercase: False != True"),
    (BASELINE, TWICE, {}, ValueError, r"'system' have 1 and 2 references per segment; count"),
    (BASELINE, TWO_OR_THREE, {}, ValueError, r"'system' have 1 and 2 to 3 references per segment"),
    (BASELINE, REVERSED, {}, ValueError, r"'baseline' and 'system' have references of \d+ and \d+ tokens in segment 0"),
]


@pytest.mark.parametrize(("baseline", "systems", "options", "error", "text"), BAD)
def test_errors(baseline: Any, systems: Any, options: dict[str, Any], error: type[Exception], text: str) -> None:
    for test in (paired_bootstrap, paired_approximate_randomization):
        with pytest.raises(error, match=text):
            test(baseline, systems, **options)


def test_wrong_numbers_of_trials() -> None:
    with pytest.raises(ValueError, match=r"n_trials must be at least 1, got 0"):
        paired_approximate_randomization(BASELINE, COUNTED, 0)


def test_a_baseline_that_is_one_of_the_systems_keeps_its_name() -> None:
    compared = paired_bootstrap(COUNTED["B"], COUNTED, n_resamples=50)
    assert [row["system"] for row in compared.rows()] == ["B", "A", "C"]
