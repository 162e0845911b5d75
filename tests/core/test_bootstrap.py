"""Intervals are sacrebleu's for the same resamples, and true to their definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import corpus_of_words
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from bleu_metric import BleuConfig, BleuStatistics, bootstrap, corpus_statistics, paired_bootstrap, score, sentence_bleu

PREDICTIONS, REFERENCES = corpus_of_words(70, 1)


def _count(predictions: list[str], dialect: str = "sacrebleu", **options: Any) -> BleuStatistics:
    return corpus_statistics(predictions, REFERENCES[: len(predictions)], dialect, **options)


BASELINE = _count(PREDICTIONS)


def _sacrebleu_scores(indices: np.ndarray) -> list[float]:
    """Scores of resamples by sacrebleu's own formula, 0-100, from integers: its resampling sums in float32."""
    metric = BLEU()
    table = np.array(metric._extract_corpus_statistics(PREDICTIONS, [[refs[0] for refs in REFERENCES]]))
    return [metric._compute_score_from_stats(table[row].sum(axis=0).tolist()).score for row in indices]


def _numpys_draws(segments: int, n_resamples: int, seed: int) -> Any:
    """Indices of the segments that NumPy draws, and so sacrebleu: shape (n_resamples, segments)."""
    return np.random.default_rng(seed).choice(segments, size=(n_resamples, segments), replace=True)


def test_mean_and_half_width_are_sacrebleus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    metric = BLEU()
    theirs = metric.corpus_score(PREDICTIONS, [[refs[0] for refs in REFERENCES]], n_bootstrap=333)
    ours = bootstrap(BASELINE, 333, seed=7)
    assert 100 * ours.score == pytest.approx(theirs.score, rel=1e-12)
    assert (100 * ours.mean, 100 * ours.half_width) == pytest.approx((theirs._mean, theirs._ci), rel=1e-6)  # float32
    theirs.estimate_ci(
        [type("Score", (), {"score": score}) for score in _sacrebleu_scores(_numpys_draws(len(PREDICTIONS), 333, 7))]
    )
    assert (100 * ours.mean, 100 * ours.half_width) == pytest.approx((theirs._mean, theirs._ci), rel=1e-12)


OPTIONS = [
    ("sacrebleu", {}),
    *(("nltk", {"smoothing": f"method{number}"}) for number in (5, 6, 7)),
    ("papineni", {"weights": [0.5, 0.5]}),
    ("ignite", {"weights": [0.1, 0.2, 0.7]}),
    ("nltk", {"smoothing": "method6", "average": "sentence"}),
    ("papineni", {"reference_length": "average"}),
]


@pytest.mark.parametrize(("dialect", "options"), OPTIONS)
def test_resamples_are_corpora_of_the_segments_drawn(dialect: str, options: dict[str, Any]) -> None:
    statistics = _count(PREDICTIONS, dialect, **options)
    drawn = _numpys_draws(len(PREDICTIONS), 21, 5)
    expected = sorted(score(statistics[rows]).bleu for rows in drawn)
    for place in range(1, 10):  # how many resamples are below the interval, and above it
        found = bootstrap(statistics, 21, 5, confidence=1 - place / 10)
        parts = [np.mean(expected), expected[place], expected[-place - 1]]
        assert [found.mean, found.low, found.high] == pytest.approx(parts, rel=1e-13, abs=0)


def test_a_resample_is_scored_as_a_corpus() -> None:
    """In sentences, sacrebleu leaves out the orders that have no n-grams. In a corpus, it does not."""
    texts = ["a b c"] * 30
    statistics = corpus_statistics(texts, texts, "sacrebleu")
    assert (sentence_bleu(texts, texts, "sacrebleu") == 1).all()
    interval = bootstrap(statistics, 40)
    assert (interval.score, interval.low, interval.high) == (0, 0, 0)


def test_an_interval_of_tiny_means() -> None:
    """The sentence scores are about 1e-78 and 1e-155."""
    texts = ["a b c x", "a c b y"], ["a b c d", "a b c d"]
    interval = bootstrap(corpus_statistics(*texts, "nltk", average="sentence"), n_resamples=50)
    assert interval.high == pytest.approx(sentence_bleu(*texts, "nltk").max(), rel=1e-12, abs=0)
    assert 0 < interval.mean < interval.high


def _unequal_segments(segments: int) -> BleuStatistics:
    """One word of each matches, and no two segments have equally many words: a score tells which were drawn."""
    words = np.arange(1, segments + 1)
    table = np.stack([np.ones_like(words), words, words, words], axis=1)
    return BleuStatistics(table, BleuConfig(max_order=1))


@given(st.integers(1, 5000), st.integers(3, 9), st.integers(0, 2**70))
def test_draws_are_numpys(segments: int, n_resamples: int, seed: int) -> None:
    statistics = _unequal_segments(segments + 1)
    drawn = _numpys_draws(segments + 1, n_resamples, seed)
    expected = [score(statistics[rows]).bleu for rows in drawn]
    found = bootstrap(statistics, n_resamples, seed, confidence=0.1)
    assert found.mean == pytest.approx(np.mean(expected), rel=1e-13, abs=0)
    assert min(expected) * (1 - 1e-13) <= found.low <= found.high <= max(expected) * (1 + 1e-13)


@pytest.mark.heavy
def test_draws_with_words_that_are_too_small() -> None:
    segments = 3_000_001  # of 2^32 words, 1 in 1800 is drawn again
    statistics = _unequal_segments(segments)
    expected = [score(statistics[rows]).bleu for rows in _numpys_draws(segments, 3, 8)]
    assert bootstrap(statistics, 3, 8, confidence=0.1).mean == pytest.approx(np.mean(expected), rel=1e-13, abs=0)


@pytest.mark.parametrize("bits", [3, 19, 44])
def test_sums_are_exact(bits: int) -> None:
    """Sums in single precision would be wrong from 2**24 on, by some 1e-8 of themselves."""
    rng = np.random.default_rng(bits)
    words = rng.integers(max(4, 2**bits - 9), 2**bits, 60)
    matches = words - rng.integers(0, 4, 60)
    statistics = BleuStatistics(np.stack([matches, words, words, words], axis=1), BleuConfig(max_order=1))
    for seed in range(50):
        drawn = _numpys_draws(60, 3, seed)
        exact = [int(matches[rows].sum()) / int(words[rows].sum()) for rows in drawn]
        assert bootstrap(statistics, 3, seed, 0.1).mean == pytest.approx(np.mean(exact), rel=1e-14, abs=0)


BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda: bootstrap([1, 2]), TypeError, r"statistics must be BleuStatistics, got list; count the texts first"),
    (lambda: bootstrap(BASELINE.sum()), ValueError, r"these statistics are a sum"),
    (lambda: bootstrap(BASELINE[:0]), ValueError, r"these statistics have no segments to resample"),
    (lambda: bootstrap(BASELINE[:1]), ValueError, r"there is only one segment; an interval needs at least two"),
    (lambda: bootstrap(BASELINE, 0), ValueError, r"n_resamples must be at least 1, got 0"),
    (lambda: bootstrap(BASELINE, True), TypeError, r"n_resamples must be an integer, got True"),
    (lambda: bootstrap(BASELINE, seed=-1), ValueError, r"seed must be at least 0, got -1"),
    (lambda: bootstrap(BASELINE, seed=None), TypeError, r"seed must be an integer, got None"),
    (lambda: bootstrap(BASELINE, confidence=1), ValueError, r"confidence must be above 0 and below 1, got 1; for 95 %"),
    (lambda: bootstrap(BASELINE, confidence=0), ValueError, r"confidence must be above 0 and below 1, got 0; for 95 %"),
    (lambda: bootstrap(BASELINE, confidence="0.95"), TypeError, r"confidence accepts only numbers, got .0.95"),
    (lambda: bootstrap(BASELINE, progress=1), TypeError, r"progress must be a function of \(done, total\), got 1"),
]


@pytest.mark.parametrize(("confidence", "needed"), [(0.9, 20), (0.95, 40), (0.99, 200), (0.999, 2000)])
def test_an_interval_needs_resamples_outside_of_it(confidence: float, needed: int) -> None:
    """At least one resample lies on either side: (1 - confidence) / 2 of them."""
    message = f"an interval of {100 * confidence:g} % needs at least {needed:,} resamples, got {needed - 1}"
    for call in (bootstrap, lambda *a, **k: paired_bootstrap(BASELINE, *a, **k)):
        assert call(BASELINE, needed, confidence=confidence)
        with pytest.raises(ValueError, match=message):
            call(BASELINE, needed - 1, confidence=confidence)


@pytest.mark.parametrize(("call", "error", "text"), BAD)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
