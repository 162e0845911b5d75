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

import bleu_metric as bm

HYPOTHESES = ["the cat sat on the mat", "a dog was here", "hello there , general"]
REFERENCES = [["the cat sat on a mat", "a cat was on the mat"], ["the dog was here"], ["hello there , general"]]


def one_score() -> None:
    result = bm.corpus_bleu(HYPOTHESES, REFERENCES, "sacrebleu", smoothing="floor", smoothing_value=0.1)
    assert_type(result, bm.BleuScore)
    assert f"{100 * result.bleu:.1f}" == result.citation().cell
    assert_type(result.bleu, float)
    assert_type(float(result), float)
    assert_type(result["bleu"], Any)
    version: str = bm.__version__
    assert version in result.signature
    assert bm.corpus_bleu(HYPOTHESES, REFERENCES, result.signature) == result


def several_lists_of_weights() -> None:
    counted = bm.corpus_statistics(HYPOTHESES, REFERENCES)
    scores = [bm.score(counted, weights=weights).bleu for weights in ([1.0], [0.5, 0.5])]
    assert_type(scores, list[float])
    assert_type(counted.score(max_order=2).bleu, float)


def every_kind_of_input() -> None:
    tokens = [text.split() for text in HYPOTHESES]
    assert bm.corpus_bleu(tokens, tokens, weights=(0.5, 0.5)).bleu == 1
    assert bm.corpus_bleu(np.array([[1, 2, 3, 4]]), [[1, 2, 3, 4]]).bleu == 1
    assert bm.corpus_bleu(HYPOTHESES, REFERENCES, tokenizer=str.split, lowercase="ascii").bleu < 1


def many_scores() -> None:
    assert_type(bm.sentence_bleu(HYPOTHESES, REFERENCES, max_order=2), NDArray[np.float64])
    assert_type(bm.sentence_bleu("a b", ["a b", "a"]), float)
    assert_type(bm.score_dialects(HYPOTHESES, REFERENCES, ["nltk", "evaluate"]), dict[str, bm.BleuScore])
    of_systems: dict[str, bm.BleuScore] = bm.score_systems({"A": HYPOTHESES}, REFERENCES)
    assert_type(of_systems["A"], bm.BleuScore)
    assert "A" in bm.score_systems({"A": HYPOTHESES}, REFERENCES).to_latex()
    assert_type(bm.score_systems({"A": HYPOTHESES}, REFERENCES)["A"].bleu, float)


def statistics(folder: Path) -> None:
    counted = bm.corpus_statistics(HYPOTHESES, REFERENCES)
    assert_type(counted.score(), bm.BleuScore)
    assert_type(counted, bm.BleuStatistics)
    assert_type(counted.table, NDArray[np.int64])
    assert len(counted[np.array([True, False, True])]) == len(counted[np.flatnonzero([1, 0, 1])]) == 2
    assert_type(counted[:1] + counted[1:], bm.BleuStatistics)
    assert bm.score(sum([counted[:1], counted[1:]], start=counted[:0])) == bm.score(counted)
    assert_type(bm.score_groups(counted, counted.reference_lengths // 10 * 10), bm.GroupScores)
    counted.save(folder / "counts.parquet")
    assert_type(bm.BleuStatistics.load(folder / "counts.parquet"), bm.BleuStatistics)
    totals = counted.group_by(["news", "chat", "news"])
    assert_type(totals, dict[str | int, bm.BleuStatistics])


def tests_of_significance() -> None:
    counted = bm.system_statistics({"A": HYPOTHESES, "B": HYPOTHESES[::-1]}, REFERENCES, max_order=1)
    assert_type(counted, dict[str, bm.BleuStatistics])
    interval = bm.bootstrap(counted["A"], n_resamples=100)
    assert_type(interval, bm.Interval)
    for compared in (
        bm.paired_bootstrap(counted["A"], counted["B"], n_resamples=100),
        bm.paired_approximate_randomization(
            counted["A"], [counted["B"]], n_trials=10, progress=lambda _done, _total: None
        ),
    ):
        assert_type(compared, bm.Comparison)
        p_value = compared.systems[0].p_value
        assert_type(p_value, float | None)
        assert p_value is None  # too few segments


def all_pairs_and_other_metrics() -> None:
    systems = {"A": HYPOTHESES, "B": HYPOTHESES[::-1]}
    ranked = bm.paired_approximate_randomization(bm.system_statistics(systems, REFERENCES, max_order=1), n_trials=20)
    assert_type(ranked.ranks(), dict[str, tuple[int, int]])
    assert_type(ranked.winner("A", "B"), str | None)
    assert_type(ranked.verdict(), str)

    counted = bm.system_statistics(systems, REFERENCES, metrics=["bleu", "chrf"])
    comet = {"A": [0.5, 0.25, 0.75], "B": [1.0, 0.0, 0.5]}
    compared = bm.compare_metrics({**counted, "comet": comet}, "A", n_resamples=40)
    assert_type(compared["comet"], bm.Comparison)
    assert_type(bm.paired_bootstrap(comet["A"], {"B": comet["B"]}, n_resamples=40), bm.Comparison)


def the_settings_of_a_number() -> None:
    found = bm.find_settings(HYPOTHESES[:1], HYPOTHESES[:1], "100.0")
    assert_type(found, bm.FoundSettings)
    assert_type(found.settings[0].options, dict[str, Any])


def groups_of_segments() -> None:
    counted = bm.system_statistics({"A": HYPOTHESES[:2], "B": HYPOTHESES[:2]}, REFERENCES[:2], max_order=1)
    scores = bm.score_groups(counted["A"], ["news", "news"], confidence=0.95)
    assert_type(scores["news"].interval, bm.Interval | None)
    compared = bm.compare_groups(
        counted["A"], counted["B"], ["news", "news"], bm.paired_approximate_randomization, n_trials=10
    )
    assert_type(compared, bm.GroupComparisons)


def dialects() -> None:
    for name, config in bm.DIALECTS.items():
        assert bm.BleuConfig.from_signature(config.signature()) == config
        assert bm.corpus_bleu(HYPOTHESES, REFERENCES, name).bleu > 0
    explained = bm.explain_difference(HYPOTHESES, REFERENCES, "nltk", "evaluate", lowercase=True)
    assert_type(explained, bm.Explanation)


def hooks() -> None:
    class Tokenizer:
        pad_token_id = 0

        def batch_decode(self, ids: list[list[int]], skip_special_tokens: bool) -> list[str]:
            return [" ".join(map(str, filter(None, row))) for row in ids]

    class Prediction:
        predictions = np.array([[1, 2, 3, 4]])
        label_ids = np.array([[1, 2, 3, 4]])

    hook = bm.compute_metrics(Tokenizer(), samples=1)
    assert_type(hook(Prediction()), dict[str, float])
    assert bm.preprocess_logits_for_metrics(np.eye(3), None).tolist() == [0, 1, 2]
    assert bm.corpus_bleu(bm.remove_padding(np.array([[1, 2, 0]]), pad_id=0), [[1, 2]], max_order=2).bleu == 1
    accumulator = bm.Accumulator("sacrebleu", max_order=2)
    accumulator.update(["a b"], ["a b"])
    assert_type(accumulator.all_reduce(), bm.BleuStatistics)
    rewarded = bm.reward("answer", max_order=2)
    assert_type(rewarded, Callable[..., list[float | None]])
    assert_type(rewarded(completions=["a b"], answer=["a b"]), list[float | None])


def pictures(folder: Path) -> None:
    counted = bm.corpus_statistics(HYPOTHESES, REFERENCES)
    bm.plot({"A": counted, "B": counted}, folder / "plot.png").clear()
    bm.report(folder / "report.html", {"A": HYPOTHESES}, REFERENCES, title="A", smoothing="exp")


if TYPE_CHECKING:  # errors; and engines, which are tested elsewhere

    def wrong_code() -> None:
        bm.corpus_bleu(HYPOTHESES)  # type: ignore[call-arg]
        bm.corpus_bleu(HYPOTHESES, REFERENCES, smothing="exp")  # type: ignore[call-arg]
        bm.corpus_bleu(HYPOTHESES, REFERENCES, max_order="4")  # type: ignore[arg-type]
        bm.corpus_bleu(HYPOTHESES, REFERENCES, "nlkt")  # type: ignore[arg-type]
        bm.corpus_bleu(HYPOTHESES, REFERENCES, smoothing="xp")  # type: ignore[arg-type]
        bm.sentence_bleu(HYPOTHESES, REFERENCES, tokenizer="13b")  # type: ignore[call-overload]
        bm.score_dialects(HYPOTHESES, REFERENCES, ["nltk", "evalute"])  # type: ignore[list-item]
        bm.BleuConfig(reference_length="shortes")  # type: ignore[arg-type]
        bm.Accumulator("sacreblue")  # type: ignore[arg-type]
        bm.load("torchmetric")  # type: ignore[arg-type]
        bm.sentence_bleu(HYPOTHESES, REFERENCES, tokenizer=str.upper)  # type: ignore[arg-type]
        _ = bm.corpus_bleu(HYPOTHESES, REFERENCES).blue  # type: ignore[attr-defined]
        _ = bm.corpus_blue  # type: ignore[attr-defined]
        bm.BleuConfig().max_order = 3  # type: ignore[misc]
        bm.BleuConfig(max_ordr=3)  # type: ignore[call-arg]
        bm.DIALECTS["mine"] = bm.BleuConfig()  # type: ignore[index]
        bm.bootstrap(HYPOTHESES)  # type: ignore[arg-type]
        bm.paired_bootstrap(bm.BleuStatistics, {})  # type: ignore[arg-type]
        bm.paired_bootstrap([1.0], {"A": [2.0]}, p_values="twosided")  # type: ignore[arg-type]
        bm.self_bleu(HYPOTHESES, "texigen")  # type: ignore[arg-type]

    def frames(frame: Any, dataset: Any, column: str) -> None:  # the results depend on `groups` and on the dataset
        assert_type(bm.evaluate_dataset(dataset, "hypothesis", ["first", "second"]), Any)
        assert_type(bm.spark_statistics(frame, groups=column), Any)
        assert_type(bm.ray_statistics(frame, "p", "r", column), Any)


def many_against_many() -> None:
    texts = ["the cat sat", "a cat sat", "the dog"]
    for function in (bm.pairwise_bleu, bm.mbr, bm.self_bleu):
        function(texts)
    metric = bm.load("nltk", num_process=1, process_id=0)
    assert_type(metric.compute(predictions=texts, references=texts), dict[str, Any] | None)
