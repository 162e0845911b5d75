"""Intervals and paired tests are sacrebleu's for the same resamples, and true to their definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from corpora import random_corpus
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest, _bootstrap_resample

import bleu_metric
from bleu_metric import (
    DIALECTS,
    BleuStatistics,
    bootstrap,
    corpus_bleu,
    corpus_statistics,
    paired_bootstrap,
    paired_randomization,
    system_statistics,
)
from bleu_metric import _bootstrap as resampling
from bleu_metric.comparison import paired
from bleu_metric.comparison.result import holm


def _corpus(segments: int, seed: int) -> tuple[list[str], list[list[str]]]:
    """Texts that match their reference in part."""
    rng = np.random.default_rng(seed)
    predictions: list[str] = []
    references: list[list[str]] = []
    while len(predictions) < segments:
        texts, refs = random_corpus(rng, "tokens")
        predictions += [" ".join(text) for text in texts]
        references += [[" ".join(ref[0])] for ref in refs]
    return predictions[:segments], references[:segments]


def _other(predictions: list[str], references: list[list[str]], seed: int) -> list[str]:
    """Another system: better in some segments, worse in some."""
    kinds = np.random.default_rng(seed).choice(3, len(predictions), p=[0.8, 0.1, 0.1]).tolist()
    rows = zip(kinds, predictions, references, strict=True)
    return [(text, refs[0], text[: len(text) // 2])[kind] for kind, text, refs in rows]


PREDICTIONS, REFERENCES = _corpus(70, 1)
SYSTEMS = {name: _other(PREDICTIONS, REFERENCES, seed) for seed, name in enumerate("ABC")}


def _count(predictions: list[str], dialect: str = "sacrebleu", **options: Any) -> BleuStatistics:
    return corpus_statistics(predictions, REFERENCES[: len(predictions)], dialect, **options)


BASELINE = _count(PREDICTIONS)
COUNTED = {name: _count(texts) for name, texts in SYSTEMS.items()}


def _sacrebleu_scores(indices: np.ndarray) -> list[float]:
    """Scores of resamples by sacrebleu's own formula, 0-100, from whole numbers: its resampling sums in float32."""
    metric = BLEU()
    table = np.array(metric._extract_corpus_statistics(PREDICTIONS, [[refs[0] for refs in REFERENCES]]))
    return [metric._compute_score_from_stats(table[row].sum(axis=0).tolist()).score for row in indices]


def test_distribution_is_sacrebleus_on_its_resamples() -> None:
    indices = np.random.default_rng(12345).choice(len(PREDICTIONS), size=(200, len(PREDICTIONS)), replace=True)
    (ours,) = resampling.score_resamples([BASELINE], [indices[:50], indices[50:]])
    assert 100 * ours[:, 0] == pytest.approx(_sacrebleu_scores(indices), rel=1e-12, abs=0)
    drawn = np.concatenate(list(resampling.draw_segments(len(PREDICTIONS), 200, 12345)))
    assert (drawn == indices).all()


def test_mean_and_half_width_are_sacrebleus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    metric = BLEU()
    theirs = metric.corpus_score(PREDICTIONS, [[refs[0] for refs in REFERENCES]], n_bootstrap=333)
    ours = bootstrap(BASELINE, 333, seed=7)
    assert 100 * ours.score == pytest.approx(theirs.score, rel=1e-12)
    assert (100 * ours.mean, 100 * ours.half_width) == pytest.approx((theirs._mean, theirs._ci), rel=1e-6)  # float32
    theirs.estimate_ci([type("Score", (), {"score": score}) for score in _sacrebleu_scores(_drawn(333, 7))])
    assert (100 * ours.mean, 100 * ours.half_width) == pytest.approx((theirs._mean, theirs._ci), rel=1e-12)


def _drawn(n_resamples: int, seed: int) -> np.ndarray:
    return np.concatenate(list(resampling.draw_segments(len(PREDICTIONS), n_resamples, seed)))


@pytest.mark.parametrize(("test", "function"), [("bs", paired_bootstrap), ("ar", paired_randomization)])
def test_p_values_are_sacrebleus(test: str, function: Any) -> None:
    named = [("base", PREDICTIONS), *SYSTEMS.items()]
    _, scores = PairedTest(named, {"BLEU": BLEU()}, [[refs[0] for refs in REFERENCES]], test, n_samples=500)()
    ours = function(BASELINE, COUNTED, 500, p_values="sacrebleu")
    assert [row["p_value"] for row in ours.rows()] == [one.p_value for one in scores["BLEU"]]
    assert [100 * row["score"] for row in ours.rows()] == pytest.approx(
        [one.score for one in scores["BLEU"]], rel=1e-12
    )
    assert len({row["p_value"] for row in ours.rows()}) == 4


def test_percentiles() -> None:
    (scores,) = resampling.score_resamples([BASELINE], [_drawn(101, 3)])
    in_order = sorted(scores[:, 0].tolist())
    interval = bootstrap(BASELINE, 101, seed=3, confidence=0.9)
    assert (interval.low, interval.high) == pytest.approx((in_order[5], in_order[95]), rel=1e-14)
    wide = bootstrap(BASELINE, 101, seed=3, confidence=0.99)
    assert wide.low < interval.low < interval.high < wide.high
    assert interval.score == corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu").bleu


def test_signature_and_dict() -> None:
    interval = bootstrap(BASELINE, 20, seed=9, confidence=0.9)
    assert interval.signature.startswith("nrefs:1|bs:20|seed:9|conf:0.9|tok:13a|")
    assert bleu_metric.BleuConfig.from_signature(interval.signature) == DIALECTS["sacrebleu"]
    assert interval.to_dict() == vars(interval)
    compared = paired_randomization(BASELINE, COUNTED, 30, seed=9, n_resamples=20)
    assert compared.signature.startswith("nrefs:1|ar:30|bs:20|seed:9|conf:0.95|p:two-sided|tok:13a|")
    assert bleu_metric.BleuConfig.from_signature(compared.signature) == DIALECTS["sacrebleu"]
    assert compared.to_dict()["rows"] == compared.rows()
    assert [row["name"] for row in compared.rows()] == ["baseline", "A", "B", "C"]
    assert set(compared.to_dict()) == {
        *("test", "p_values", "rows", "n_trials", "n_resamples", "seed", "confidence", "signature")
    }


def _slowly(statistics: BleuStatistics, rows: Any) -> Any:
    """Score some rows as a corpus of their own."""
    return bleu_metric._score.score(statistics[rows]).bleu


OPTIONS = [
    *((dialect, {}) for dialect in DIALECTS),
    *(("nltk", {"smoothing": f"method{number}"}) for number in (5, 6, 7)),
    ("default", {"weights": [[0.5, 0.5], [0.1, 0.2, 0.7]]}),
    ("ignite", {"weights": [[0.5, 0.5], [0.1, 0.2, 0.7]]}),
    ("nltk", {"smoothing": "method6", "average": "sentence"}),
    ("default", {"reference_length": "average"}),
]


@pytest.mark.parametrize(("dialect", "options"), OPTIONS)
def test_resamples_are_corpora_of_the_segments_drawn(dialect: str, options: dict[str, Any]) -> None:
    statistics = _count(PREDICTIONS, dialect, **options)
    indices = _drawn(20, 5)
    (scores,) = resampling.score_resamples([statistics], [indices])
    expected = [np.atleast_1d(_slowly(statistics, row)) for row in indices]
    assert scores == pytest.approx(np.array(expected), rel=1e-13, abs=0)


@pytest.mark.parametrize(("dialect", "options"), OPTIONS)
def test_exchanges_are_corpora_of_the_segments_taken(dialect: str, options: dict[str, Any]) -> None:
    base, system = _count(PREDICTIONS, dialect, **options), _count(SYSTEMS["B"], dialect, **options)
    both = base + system
    bits = np.concatenate(list(paired.draw_exchanges(len(base), 20, 5)))
    (differences,) = paired.score_exchanges(base, [system], [bits])
    assert differences[0] == pytest.approx(np.subtract(_slowly(system, slice(None)), _slowly(base, slice(None))))
    numbers = np.arange(len(base))
    for row, difference in zip(bits, differences[1:], strict=True):
        ours, theirs = numbers + len(base) * row, numbers + len(base) * (1 - row)
        expected = np.subtract(_slowly(both, ours), _slowly(both, theirs))
        assert difference == pytest.approx(np.atleast_1d(expected), abs=1e-14)


@pytest.mark.parametrize(("dialect", "method"), [("ignite", None), ("fast-bleu", None), ("nltk", "method0")])
@pytest.mark.parametrize("exchanged", [False, True])
def test_exchanges_where_one_system_alone_is_perfect_somewhere(
    dialect: str, method: str | None, exchanged: bool
) -> None:
    """The two have one scale: the best sentence of one is 1, of the other far below."""
    options = {"average": "sentence", **({"smoothing": method} if method else {})}
    references = [" ".join(f"{letter}{place}" for place in range(12)) for letter in "abcdefghijkl"]
    words = [text.split() for text in references]
    flawed = [" ".join([*own[: 4 + row % 5], "x"]) for row, own in enumerate(words)]
    mixed = [*references[:1], *(" ".join([*own[: 8 - row % 5], "x", "x"]) for row, own in enumerate(words[1:]))]
    base, system = (corpus_statistics(texts, references, dialect, **options) for texts in (flawed, mixed))
    if exchanged:
        base, system = system, base
    sentences = [bleu_metric._score.score_sentences(one) for one in (base, system)]
    assert sentences[exchanged].max() < 0.99 < sentences[1 - exchanged].max() == 1
    bits = np.concatenate(list(paired.draw_exchanges(len(references), 999, 12345)))
    gain = sentences[1] - sentences[0]
    naive = [np.mean([gain[row] if bit else -gain[row] for row, bit in enumerate(trial)]) for trial in bits.tolist()]
    (differences,) = paired.score_exchanges(base, [system], [bits])
    assert differences[:, 0] == pytest.approx(np.array([gain.mean(), *naive]), abs=1e-14)
    count = sum(abs(one) >= abs(gain.mean()) - 1e-14 for one in naive)
    assert 1 < count < 999
    assert paired_randomization(base, system, 999).systems[0].p_value == pytest.approx((count + 1) / 1000)


def _everything() -> list[Any]:
    means = {"average": "sentence"}
    return [
        bootstrap(BASELINE, 100),
        bootstrap(_count(PREDICTIONS, **means), 100),
        paired_bootstrap(BASELINE, COUNTED, 100),
        paired_randomization(BASELINE, COUNTED, 100),
        paired_randomization(_count(PREDICTIONS, **means), _count(SYSTEMS["A"], **means), 100),
    ]


def test_chunks_and_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = _everything()
    for threads, cells in ((1, 1), (2, 1), (2, 40), (7, 5000), (2, 1 << 30)):
        monkeypatch.setenv("BLEU_METRIC_THREADS", str(threads))
        monkeypatch.setattr(resampling, "CELLS", cells)
        assert _everything() == expected


def test_seeds() -> None:
    assert bootstrap(BASELINE, 50) == bootstrap(BASELINE, 50, seed=12345)
    assert bootstrap(BASELINE, 50).low != bootstrap(BASELINE, 50, seed=1).low
    p = [paired_randomization(BASELINE, COUNTED["B"], 999, seed=seed).systems[0].p_value for seed in (1, 2, 3)]
    assert len(set(p)) > 1


def test_a_system_is_not_better_than_itself() -> None:
    for function in (paired_bootstrap, paired_randomization):
        assert function(BASELINE, BASELINE, 99).systems[0].p_value == 1.0
        # Noted in the documentation: sacrebleu's count finds a system different from itself
        assert function(BASELINE, BASELINE, 99, p_values="sacrebleu").systems[0].p_value == 0.01


def test_a_system_that_is_better_everywhere_is_better() -> None:
    """Its resampled differences lie around the observed one: shifted to 0, none of them is as large."""
    references = [f"a b c d e f {' '.join('xyz'[: row % 4])}" for row in range(60)]
    worse = [ref.replace("c", "k") if row % 3 else ref.replace("e", "k") for row, ref in enumerate(references)]
    counted = system_statistics({"baseline": worse, "system": references}, references)
    (system,) = paired_bootstrap(counted["baseline"], counted["system"], n_resamples=200).systems
    assert system.p_value == 1 / 201


def test_one_different_segment_is_no_evidence() -> None:
    texts = [REFERENCES[0][0], *PREDICTIONS[1:]]
    assert texts != PREDICTIONS
    assert paired_randomization(BASELINE, _count(texts), 99).systems[0].p_value == 1.0


def test_differences_without_spread_are_no_evidence() -> None:
    base = corpus_statistics(["a b x x"] * 5, ["a b c d"] * 5, max_order=1)
    system = corpus_statistics(["a b c x"] * 5, ["a b c d"] * 5, max_order=1)
    for average in ("corpus", "sentence"):
        pair = [replace(one, config=replace(one.config, average=average)) for one in (base, system)]
        found = paired_bootstrap(*pair, 999).systems[0]
        assert (found.delta, found.p_value) == (0.25, 1.0)
    assert paired_bootstrap(BASELINE, COUNTED["A"], 1).systems[0].p_value == 1.0


def test_sacrebleus_p_values_have_no_such_exception() -> None:
    texts = {"base": ["a b c d x"] * 5, "system": ["a b c d e"] * 5}
    references = ["a b c d e"] * 5
    _, scores = PairedTest([*texts.items()], {"BLEU": BLEU()}, [references], "bs", n_samples=99)()
    base, system = (corpus_statistics(own, references, "sacrebleu") for own in texts.values())
    ours = paired_bootstrap(base, system, 99, p_values="sacrebleu").systems[0].p_value
    assert ours == scores["BLEU"][1].p_value == 0.01


def test_exact_randomization_of_few_segments() -> None:
    """The p-value is near that of all 2^8 exchanges, counted one by one."""
    rows = np.flatnonzero((BASELINE.table != COUNTED["B"].table).any(axis=1))[:8]
    base, system = BASELINE[rows], COUNTED["B"][rows]
    bits = (np.arange(256)[:, np.newaxis] >> np.arange(8) & 1).astype(np.uint8)
    (differences,) = paired.score_exchanges(base, [system], [bits])
    exact = (np.abs(differences[1:]) >= abs(differences[0])).mean()
    p_value = paired_randomization(base, system, 20_000).systems[0].p_value
    assert 0 < exact < 1
    assert p_value == pytest.approx(exact, abs=0.015)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    running = 0.0
    for rank, place in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[place]))
        assert adjusted[place] == running


def test_holm_textbook() -> None:
    # R 4.3: p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_names_of_systems() -> None:
    def names(systems: Any) -> list[str]:
        return [row["name"] for row in paired_bootstrap(BASELINE, systems, 5, baseline_name="base").rows()]

    assert names(COUNTED["A"]) == ["base", "system"]
    assert names([COUNTED["A"], COUNTED["B"]]) == ["base", "system 1", "system 2"]
    assert names(COUNTED) == ["base", "A", "B", "C"]


def test_rows() -> None:
    first, second = paired_bootstrap(BASELINE, COUNTED["A"], 50).rows()
    assert set(first) == {"name", "score", "low", "high", "mean", "half_width", "delta", "p_value", "p_adjusted"}
    assert (first["delta"], first["p_value"], first["p_adjusted"]) == (None, None, None)
    assert second["delta"] == second["score"] - first["score"]
    interval = bootstrap(COUNTED["A"], 50)
    assert (second["low"], second["high"], second["mean"]) == (interval.low, interval.high, interval.mean)


def test_progress() -> None:
    for function, total in ((bootstrap, 40), (lambda *a, **k: paired_randomization(a[0], COUNTED, a[1], **k), 1040)):
        seen: list[tuple[int, int]] = []
        function(BASELINE, 40, progress=lambda done, of, seen=seen: seen.append((done, of)))
        assert seen[-1] == (total, total)
        assert seen == sorted(set(seen))


def test_several_lists_of_weights() -> None:
    lists = [[1.0], [0.5, 0.5]]
    interval = bootstrap(_count(PREDICTIONS, weights=lists), 60)
    for place, weights in enumerate(lists):
        one = bootstrap(_count(PREDICTIONS, weights=weights), 60)
        found = [interval.score[place], interval.low[place], interval.high[place], interval.mean[place]]
        assert found == pytest.approx([one.score, one.low, one.high, one.mean], rel=1e-14)


@settings(max_examples=30)
@given(st.integers(1, 9), st.integers(1, 70), st.integers(0, 2**70))
def test_exchanges_do_not_depend_on_chunks(segments: int, trials: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    expected = rng.integers(2, size=(trials, segments), dtype=bool)
    assert (np.concatenate(list(paired.draw_exchanges(segments, trials, seed))) == expected).all()


@pytest.mark.parametrize("bits", [3, 18, 19, 30, 44])
def test_sums_are_exact(bits: int) -> None:
    rng = np.random.default_rng(bits)
    table = rng.integers(2**bits - 9, 2**bits, (60, 7))
    times = resampling._times_drawn(np.concatenate(list(resampling.draw_segments(60, 50, 1))), 60)
    factor = resampling.side_by_side([table])
    assert factor.dtype == (np.float32 if bits < 19 else np.float64)
    assert (resampling.exact_product(times, factor) == times @ table).all()


@settings(max_examples=50)
@given(st.integers(1, 5000), st.integers(1, 9), st.integers(0, 2**70))
def test_draws_are_numpys(segments: int, n_resamples: int, seed: int) -> None:
    expected = np.random.default_rng(seed).choice(segments, size=(n_resamples, segments), replace=True)
    assert (np.concatenate(list(resampling.draw_segments(segments, n_resamples, seed))) == expected).all()


def test_draws_with_words_that_are_too_small() -> None:
    segments = 3_000_001  # of 2^32 words, 1 in 1800 is drawn again
    expected = np.random.default_rng(8).choice(segments, size=(3, segments), replace=True)
    assert (np.concatenate(list(resampling.draw_segments(segments, 3, 8))) == expected).all()


def test_a_word_at_the_edge_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 3 segments, NumPy draws again where the low half of the product is below 2**32 % 3 = 1, and not where it is 1.

    _bounded_integers in numpy/random/src/distributions/distributions.c: ``while (leftover < threshold)``.
    """
    edge = pow(3, -1, 2**32)
    words = iter([np.array([0, edge, edge, edge], "<u4"), *[np.full(4, 2**30, "<u4")] * 9])

    class Stream:
        def integers(self, *_: Any, **__: Any) -> Any:
            return next(words).view("<u8")

    monkeypatch.setattr(resampling.np.random, "default_rng", lambda _seed: Stream())
    assert np.concatenate(list(resampling.draw_segments(3, 1, 0))).tolist() == [[3 * edge >> 32] * 3]


_HUGE = BleuStatistics(np.full((4, 10), 2**51), DIALECTS["sacrebleu"])
BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda: bootstrap([1, 2]), TypeError, r"statistics must be BleuStatistics, got list; count the texts first"),
    (lambda: bootstrap(BASELINE.total()), ValueError, r"these statistics are a total"),
    (lambda: bootstrap(BASELINE[:0]), ValueError, r"these statistics have no segments to draw from"),
    (lambda: bootstrap(_HUGE), ValueError, r"4 segments with counts up to 2251799813685248 may sum to 2\*\*53"),
    (lambda: bootstrap(BASELINE, 0), ValueError, r"n_resamples must be at least 1, got 0"),
    (lambda: bootstrap(BASELINE, 1.5), TypeError, r"n_resamples must be a whole number, got 1.5"),
    (lambda: bootstrap(BASELINE, confidence=1), ValueError, r"confidence must be above 0 and below 1, got 1; 95 %"),
    (lambda: bootstrap(BASELINE, confidence=0), ValueError, r"confidence must be above 0 and below 1, got 0; 95 %"),
    (lambda: bootstrap(BASELINE, True), TypeError, r"n_resamples must be a whole number, got True"),
    (lambda: bootstrap(BASELINE, seed=-1), ValueError, r"seed must be at least 0, got -1"),
    (lambda: bootstrap(BASELINE, seed=None), TypeError, r"seed must be a whole number, got None"),
    (lambda: bootstrap(BASELINE, confidence=95), ValueError, r"above 0 and below 1, got 95; 95 % is confidence=0.95"),
    (lambda: bootstrap(BASELINE, confidence="0.95"), TypeError, r"confidence must be a number between 0 and 1"),
    (lambda: bootstrap(BASELINE, progress=1), TypeError, r"progress must be a function of \(done, total\), got 1"),
    (lambda: paired_bootstrap("a", BASELINE), TypeError, r"baseline must be BleuStatistics, got str"),
    (lambda: paired_bootstrap(BASELINE, "a"), TypeError, r"systems must be BleuStatistics, or a dict or list of them"),
    (lambda: paired_bootstrap(BASELINE, {"A": 1}), TypeError, r"systems\['A'\] must be BleuStatistics, got int"),
    (
        lambda: paired_bootstrap(BASELINE[:2], BASELINE),
        ValueError,
        r"the baseline has 2 segments, 'system' has \d+: a pai",
    ),
    (lambda: paired_bootstrap(BASELINE, BASELINE[:2]), ValueError, r"has \d+ segments, 'system' has 2: a paired test"),
    (lambda: paired_bootstrap(BASELINE, {}), ValueError, r"there is no system to compare with the baseline"),
    (lambda: paired_bootstrap(BASELINE, COUNTED, p_values="exact"), ValueError, r"unknown kind of p_values 'exact'"),
    (lambda: paired_bootstrap(BASELINE, COUNTED, baseline_name=1), TypeError, r"baseline_name must be a string, got 1"),
    (lambda: paired_bootstrap(BASELINE, COUNTED, baseline_name="A"), ValueError, r"are both called 'A'; pass another"),
    (lambda: paired_bootstrap(BASELINE, COUNTED["A"][:9]), ValueError, r"has 70 segments, 'system' has 9: a paired"),
    (lambda: paired_bootstrap(BASELINE.total(), BASELINE.total()), ValueError, r"these statistics are a total"),
    (lambda: paired_bootstrap(BASELINE[:0], BASELINE[:0]), ValueError, r"these statistics have no segments"),
    (lambda: paired_bootstrap(BASELINE[:1], BASELINE[:1]), ValueError, r"a paired test needs several segments, got 1;"),
    (lambda: paired_randomization(BASELINE[:1], BASELINE[:1]), ValueError, r"needs several segments, got 1; to comp"),
    (lambda: paired_randomization(BASELINE[:0], BASELINE[:0]), ValueError, r"these statistics have no segments"),
    (lambda: paired_randomization(BASELINE, COUNTED, 0), ValueError, r"n_trials must be at least 1, got 0"),
    (
        lambda: paired_bootstrap(BASELINE, _count(PREDICTIONS, lowercase=True)),
        ValueError,
        "and 'system' were counted in different ways: lowercase: False != True",
    ),
    (
        lambda: paired_bootstrap(*[_count(PREDICTIONS, weights=[[1.0], [0.5, 0.5]])] * 2),
        ValueError,
        r"weights is a list of lists: a paired test compares one score",
    ),
    (
        lambda: paired_bootstrap(
            BASELINE, corpus_statistics(PREDICTIONS, [refs * 2 for refs in REFERENCES], "sacrebleu")
        ),
        ValueError,
        r"the baseline has \(1, 1\) references per segment \(fewest, most\), 'system' has \(2, 2\)",
    ),
    (
        lambda: paired_bootstrap(BASELINE, corpus_statistics(PREDICTIONS, REFERENCES[::-1], "sacrebleu")),
        ValueError,
        r"the reference of segment 0 has \d+ tokens for the baseline and \d+ for 'system': .* same order",
    ),
]


@pytest.mark.parametrize(("call", "error", "text"), BAD)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_sacrebleu_resamples_in_float32() -> None:
    """Why its own distribution is ours to 1e-6 only."""
    metric = BLEU()
    table = metric._extract_corpus_statistics(PREDICTIONS, [[refs[0] for refs in REFERENCES]])
    _, theirs = _bootstrap_resample(table, metric, 50)
    (ours,) = resampling.score_resamples([BASELINE], [_drawn(50, 12345)])
    assert 100 * ours[:, 0] == pytest.approx([one.score for one in theirs], rel=1e-6)
