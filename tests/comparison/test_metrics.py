"""chrF and TER are sacrebleu's, and all metrics are resampled and tested like BLEU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import corpus_of_words
from sacrebleu.metrics import CHRF, TER
from sacrebleu.significance import PairedTest

from bleu_metric import (
    bootstrap,
    compare_metrics,
    paired_approximate_randomization,
    paired_bootstrap,
    system_statistics,
)

LONG, REFERENCES_OF_LONG = corpus_of_words(60, 4)
# sacrebleu's TER of long texts takes long
PREDICTIONS, REFERENCES = [text[:30] for text in LONG], [[text[:30]] for (text,) in REFERENCES_OF_LONG]
HALF = [refs[0] if row % 3 else own for row, (own, refs) in enumerate(zip(PREDICTIONS, REFERENCES, strict=True))]
SYSTEMS = {"base": PREDICTIONS, "half": HALF, "shuffled": [" ".join(sorted(text.split())) for text in HALF]}


def _columns(references: list[list[str]]) -> list[list[str | None]]:
    """Return one list per reference, as sacrebleu expects them."""
    most = max(map(len, references))
    return [[refs[number] if number < len(refs) else None for refs in references] for number in range(most)]


@pytest.mark.parametrize(
    ("metric", "theirs", "options"),
    [
        ("chrf", CHRF, {}),
        ("chrf", CHRF, {"word_order": 2, "lowercase": True}),
        ("chrf", CHRF, {"char_order": 4, "beta": 3, "whitespace": True, "eps_smoothing": True}),
        ("ter", TER, {}),
        ("ter", TER, {"normalized": True, "case_sensitive": True}),
        ("ter", TER, {"no_punct": True, "asian_support": True}),
    ],
)
def test_scores_are_sacrebleus(metric: str, theirs: Any, options: dict[str, Any]) -> None:
    references = [[*refs, "one more"] if row % 7 == 0 else refs for row, refs in enumerate(REFERENCES)]
    ((name, counted),) = system_statistics(SYSTEMS, references, metrics={metric: options}).items()
    scorer = theirs(**options)
    for system, texts in SYSTEMS.items():
        expected = scorer.corpus_score(texts, _columns(references))
        assert 100 * counted[system].score() == pytest.approx(expected.score, rel=1e-12)
        assert name == expected.name
    assert counted["base"].signature() == str(scorer.get_signature().format())


@pytest.mark.parametrize(
    ("text", "options"),
    [("我们今天去学校，他很好。", {}), ("今日は学校へ行きました。", {}), ("the cat", {"target_language": "en-zh"})],
)
def test_ter_counts_chinese_and_japanese_characters(text: str, options: dict[str, Any]) -> None:
    counted = system_statistics({"A": [text]}, [text], metrics=["ter"], **options)
    assert "|norm:yes|punct:yes|asian:yes|" in counted["TER"]["A"].signature()


@pytest.mark.parametrize(("test", "function"), [("bs", paired_bootstrap), ("ar", paired_approximate_randomization)])
def test_p_values_are_sacrebleus(test: str, function: Any) -> None:
    """The same resamples for all metrics: p-values counted as sacrebleu does are sacrebleu's."""
    metrics = {"chrF2": CHRF(), "TER": TER()}
    _, scores = PairedTest(list(SYSTEMS.items()), metrics, _columns(REFERENCES), test, n_samples=200)()
    counted = system_statistics(SYSTEMS, REFERENCES, metrics=["chrf", "ter"])
    compared = compare_metrics(
        counted, "base", function, p_values="sacrebleu", **{"bs": {"n_resamples": 200}, "ar": {"n_trials": 200}}[test]
    )
    for name, comparison in compared.items():
        assert [row["p_value"] for row in comparison.rows()] == [one.p_value for one in scores[name]]


def test_interval_of_chrf() -> None:
    chrf = system_statistics({"base": PREDICTIONS}, REFERENCES, metrics=["chrf"])["chrF2"]["base"]
    interval = bootstrap(chrf, 100)
    rows = np.random.default_rng(12345).integers(60, size=(100, 60))
    resampled = [
        CHRF().corpus_score([PREDICTIONS[i] for i in drawn], _columns([REFERENCES[i] for i in drawn]))
        for drawn in rows[:20]
    ]
    assert interval.low <= interval.score <= interval.high
    assert interval.mean == pytest.approx(np.mean([chrf[drawn].score() for drawn in rows]), rel=1e-12)
    assert [chrf[drawn].score() for drawn in rows[:20]] == pytest.approx(
        [one.score / 100 for one in resampled], rel=1e-12
    )
    assert str(interval).startswith("chrF2 ")
    assert repr(chrf).startswith("<MetricStatistics chrF2 ")


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ([SYSTEMS, REFERENCES, {"metrics": ["crhf"]}], ValueError, "unknown metric 'crhf' .did you mean 'chrf'"),
        ([SYSTEMS, REFERENCES, {"metrics": {"chrf": {"order": 3}}}], ValueError, "unknown option of chrf 'order'"),
        ([{"A": [["a"]]}, [[["a"]]], {"metrics": ["ter"]}], TypeError, "ter is computed from texts"),
        ([SYSTEMS, ["ข้อความภาษาไทย"] * 60, {"metrics": ["ter"]}], ValueError, "no spaces between words: leave out ter"),
        (
            [SYSTEMS, ["今天天气很好"] * 60, {"metrics": {"ter": {"normalized": False}}}],
            ValueError,
            "no spaces between words: pass asian_support=True and normalized=True",
        ),
        ([SYSTEMS, REFERENCES, {"metrics": ["ter"], "jobs": 0}], ValueError, "jobs must be at least 1, got 0"),
    ],
)
def test_errors_of_counting(arguments: list[Any], error: type[Exception], text: str) -> None:
    systems, references, options = arguments
    with pytest.raises(error, match=text):
        system_statistics(systems, references, **options)


@pytest.mark.parametrize(
    ("statistics", "baseline", "error", "text"),
    [
        ({}, None, ValueError, "no metric"),
        ([], None, TypeError, "statistics must be a dict"),
        ({"x": {"A": [1.0, 2.0], "B": [1.0, 2.0]}, "y": {"A": [1.0, 2.0]}}, None, ValueError, "has the system 'B'"),
        ({"x": {"A": [1.0, 2.0], "B": [1.0, 2.0]}}, "C", ValueError, "unknown baseline 'C'"),
        ({"x": {"A": [1.0], "B": [1.0]}, "y": {"A": [1.0, 2.0], "B": [1.0, 2.0]}}, None, ValueError, "got x 1, y 2"),
        ({"x": {"A": [1.0, None], "B": [1.0, 2.0]}}, "A", ValueError, r"x scores\[1\] of 'A' is missing"),
    ],
)
def test_errors_of_comparing(statistics: Any, baseline: str | None, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        compare_metrics(statistics, baseline)
