"""What users write, for type checkers: mypy --strict and pyright read it beside the built package (`.ci/run`).

Each function runs, too (`test_typing.py`), so that what the types promise is what comes. A line that must be an error
carries ``type: ignore``; both checkers complain of one that is not needed.
"""
# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_type

import numpy as np
from numpy.typing import NDArray

import bleu_metric
from bleu_metric import (
    DIALECTS,
    Accumulator,
    BleuConfig,
    BleuScore,
    BleuStatistics,
    Comparison,
    Explanation,
    GroupComparisons,
    GroupScore,
    GroupScores,
    Interval,
    bootstrap,
    compare_groups,
    compute_metrics,
    corpus_bleu,
    corpus_statistics,
    evaluate_dataset,
    explain_difference,
    length_groups,
    load_groups,
    paired_approximate_randomization,
    paired_bootstrap,
    plot,
    preprocess_logits_for_metrics,
    ray_statistics,
    remove_padding,
    report,
    reward,
    save_groups,
    score,
    score_dialects,
    score_groups,
    score_systems,
    sentence_bleu,
    spark_statistics,
    system_statistics,
)

HYPOTHESES = ["the cat sat on the mat", "a dog was here", "hello there , general"]
REFERENCES = [["the cat sat on a mat", "a cat was on the mat"], ["the dog was here"], ["hello there , general"]]


def one_score() -> None:
    result = corpus_bleu(HYPOTHESES, REFERENCES, "sacrebleu", smoothing="floor", smoothing_value=0.1)
    assert_type(result, BleuScore)
    assert f"{100 * result.bleu:.1f}" == result.citation().cell
    assert round(result.bleu, 4) <= 1
    assert_type(result.bleu, float | Any)
    assert_type(result.precisions, list[float])
    assert_type(result.counts, list[int])
    assert_type(result.brevity_penalty, float)
    assert_type(result.translation_length, int)
    assert_type(result.reference_length, int | float)
    assert_type(result.signature, str)
    assert_type(result.to_dict(), dict[str, Any])
    assert_type(float(result), float)
    assert_type(result["bleu"], Any)
    assert_type(dict(result), dict[str, Any])
    assert f"{result:.1%}".endswith("%")
    version: str = bleu_metric.__version__
    assert version in result.signature


def several_lists_of_weights() -> None:
    result = corpus_bleu(HYPOTHESES, REFERENCES, weights=[[0.5, 0.5], [1.0, 0.0]])
    assert not isinstance(result.bleu, int | float)
    scores: list[float] = result.bleu
    assert len(scores) == 2
    config = BleuConfig(weights=[0.5, 0.5])
    assert_type(config.weight_lists, tuple[tuple[float, ...], ...])


def every_kind_of_input() -> None:
    tokens = [text.split() for text in HYPOTHESES]
    assert corpus_bleu(tokens, tokens, weights=(0.5, 0.5)).bleu == 1
    assert corpus_bleu(np.array([[1, 2, 3, 4]]), [[1, 2, 3, 4]]).bleu == 1
    assert corpus_bleu(HYPOTHESES, REFERENCES, tokenizer=str.split, lowercase="ascii").bleu < 1


def many_scores() -> None:
    assert_type(sentence_bleu(HYPOTHESES, REFERENCES, max_order=2), NDArray[np.float64])
    assert_type(sentence_bleu("a b", ["a b", "a"]), float | Any)
    assert_type(score_dialects(HYPOTHESES, REFERENCES, ["nltk", "evaluate"]), dict[str, BleuScore])
    assert_type(score_systems({"A": HYPOTHESES}, REFERENCES), dict[str, BleuScore])
    assert_type(score_systems({"A": HYPOTHESES}, REFERENCES)["A"].bleu, float | Any)
    by_label = corpus_bleu(HYPOTHESES, REFERENCES, groups=["news", "chat", "news"])
    assert_type(by_label, GroupScores)
    assert_type(by_label["news"].segments, int)


def perhaps_in_groups(labels: list[str] | None = None) -> None:
    assert_type(corpus_bleu(HYPOTHESES, REFERENCES, groups=labels), BleuScore | GroupScores)


def statistics(folder: Path) -> None:
    counted = corpus_statistics(HYPOTHESES, REFERENCES)
    assert_type(counted.score(), BleuScore)
    assert_type(counted, BleuStatistics)
    assert_type(counted.table, NDArray[np.int64])
    assert_type(counted[1:], BleuStatistics)
    assert len(counted[np.array([True, False, True])]) == len(counted[np.flatnonzero([1, 0, 1])]) == 2
    assert_type(counted[:1] + counted[1:], BleuStatistics)
    assert score(sum([counted[:1], counted[1:]], start=counted[:0])) == score(counted)
    assert_type(score(counted.sum()), BleuScore)
    assert_type(score_groups(counted, length_groups(counted)), GroupScores)
    counted.save(folder / "counts.parquet")
    assert_type(BleuStatistics.load(folder / "counts.parquet"), BleuStatistics)
    totals = counted.group_by(["news", "chat", "news"])
    assert_type(totals, dict[str | int, BleuStatistics])
    save_groups(totals, folder / "totals.parquet")
    loaded = load_groups(folder / "totals.parquet")
    assert_type(loaded, dict[str | int | bool | None, BleuStatistics])
    assert_type(score(loaded["news"]), BleuScore)


def tests_of_significance() -> None:
    counted = system_statistics({"A": HYPOTHESES, "B": HYPOTHESES[::-1]}, REFERENCES, max_order=1)
    assert_type(counted, dict[str, BleuStatistics])
    interval = bootstrap(counted["A"], n_resamples=100)
    assert_type(interval, Interval)
    assert interval.high - interval.low >= 0
    for compared in (
        paired_bootstrap(counted["A"], counted["B"], n_resamples=100),
        paired_approximate_randomization(
            counted["A"], [counted["B"]], n_trials=10, progress=lambda _done, _total: None
        ),
    ):
        assert_type(compared, Comparison)
        p_value = compared.systems[0].p_value
        assert_type(p_value, float | None)
        assert p_value is not None
        assert p_value <= 1
        assert_type(compared.rows(), list[dict[str, Any]])


def groups_of_segments() -> None:
    counted = system_statistics({"A": HYPOTHESES[:2], "B": HYPOTHESES[:2]}, REFERENCES[:2], max_order=1)
    scores = score_groups(counted["A"], ["news", "news"], confidence=0.95)
    assert_type(scores["news"], GroupScore)
    assert_type(scores["news"].interval, Interval | None)
    assert_type(scores.to_markdown(), str)
    compared = compare_groups(
        counted["A"], counted["B"], ["news", "news"], paired_approximate_randomization, n_trials=10
    )
    assert_type(compared, GroupComparisons)
    assert_type(compared["news"], Comparison)
    assert_type(compared.rows(), list[dict[str, Any]])
    assert_type(compared["news"].to_latex(digits=2), str)


def dialects() -> None:
    for name, config in DIALECTS.items():
        assert_type(name, str)
        assert BleuConfig.from_signature(config.signature()) == config
    explained = explain_difference(HYPOTHESES, REFERENCES, "nltk", "evaluate", lowercase=True)
    assert_type(explained, Explanation)
    assert_type([step.change for step in explained.steps], list[float])


def hooks() -> None:
    class Tokenizer:
        pad_token_id = 0

        def batch_decode(self, ids: list[list[int]], skip_special_tokens: bool) -> list[str]:
            return [" ".join(map(str, filter(None, row))) for row in ids]

    class Prediction:
        predictions = np.array([[1, 2, 3, 4]])
        label_ids = np.array([[1, 2, 3, 4]])

    hook = compute_metrics(Tokenizer(), samples=1)
    assert_type(hook(Prediction()), dict[str, float])
    assert preprocess_logits_for_metrics(np.eye(3), None).tolist() == [0, 1, 2]
    assert corpus_bleu(remove_padding(np.array([[1, 2, 0]]), pad_id=0), [[1, 2]], max_order=2).bleu == 1
    accumulator = Accumulator("sacrebleu", max_order=2)
    accumulator.update(["a b"], ["a b"])
    assert_type(accumulator.score(), BleuScore)
    assert_type(accumulator.all_reduce(), BleuStatistics)
    rewarded = reward("answer", max_order=2)
    assert_type(rewarded, Callable[..., list[float]])
    assert_type(rewarded(completions=["a b"], answer=["a b"]), list[float])


def pictures(folder: Path) -> None:
    counted = corpus_statistics(HYPOTHESES, REFERENCES)
    plot({"A": counted, "B": counted}, folder / "plot.png").clear()
    report(folder / "report.html", {"A": HYPOTHESES}, REFERENCES, title="A", smoothing="exp")


if TYPE_CHECKING:  # errors; and engines, which are tested elsewhere

    def wrong_code() -> None:
        corpus_bleu(HYPOTHESES)  # type: ignore[call-overload]
        corpus_bleu(HYPOTHESES, REFERENCES, smothing="exp")  # type: ignore[call-overload]
        corpus_bleu(HYPOTHESES, REFERENCES, max_order="4")  # type: ignore[call-overload]
        sentence_bleu(HYPOTHESES, REFERENCES, tokenizer=str.upper)  # type: ignore[arg-type]
        _ = corpus_bleu(HYPOTHESES, REFERENCES).blue  # type: ignore[attr-defined]
        _ = bleu_metric.corpus_blue  # type: ignore[attr-defined]
        BleuConfig().max_order = 3  # type: ignore[misc]
        BleuConfig(max_ordr=3)  # type: ignore[call-arg]
        DIALECTS["mine"] = BleuConfig()  # type: ignore[index]
        bootstrap(HYPOTHESES)  # type: ignore[arg-type]
        paired_bootstrap(BleuStatistics, {})  # type: ignore[arg-type]

    def frames(frame: Any, dataset: Any, column: str) -> None:  # the results depend on `groups` and on the dataset
        assert_type(evaluate_dataset(dataset, "hypothesis", ["first", "second"]), Any)
        assert_type(spark_statistics(frame, groups=column), Any)
        assert_type(ray_statistics(frame, "p", "r", column), Any)


def many_against_many() -> None:
    texts = ["the cat sat", "a cat sat", "the dog"]
    bleu_metric.pairwise_bleu(texts)
    bleu_metric.mbr(texts)
    assert_type(bleu_metric.PATH, str)
    bleu_metric.load("nltk", num_process=2, process_id=0)
    bleu_metric.self_bleu(texts)
    assert len(bleu_metric.SELF_BLEU_DEFINITIONS) > 1
