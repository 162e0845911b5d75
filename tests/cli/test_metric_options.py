"""chrF, TER and segment scores of other metrics on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import HYP, OTHER, REF, CommandLine, write_lines
from sacrebleu.metrics import CHRF, TER

from bleu_metric import compare_metrics, system_statistics

COMPARE = "compare hyp.txt ref2.txt -r ref.txt"
SYSTEMS = {"hyp": HYP, "ref2": OTHER}


@pytest.fixture(autouse=True)
def segment_scores(files: Path) -> None:
    """Two files of segment scores: of lines, and of JSON objects."""
    write_lines("hyp.comet", ["0.5", "-0.25", "1e-1", "0.75"])
    write_lines("ref2.jsonl", [json.dumps({"id": row, "comet": row / 4}) for row in range(4)])


def test_score(bleu: CommandLine) -> None:
    line = "score hyp.txt ref.txt -m bleu chrf ter --chrf-word-order 2"
    answer = bleu.json(line)
    expected = [scorer.corpus_score(HYP, [REF]) for scorer in (CHRF(word_order=2), TER())]
    assert {name: 100 * metric["score"] for name, metric in answer["metrics"].items()} == pytest.approx(
        {score.name: score.score for score in expected}, rel=1e-12
    )
    shown = bleu(line)
    for score in expected:
        assert f"\n{score.name} {score.score:.1f}\n" in shown
    [row] = bleu.rows(line)
    assert float(row["chrF2++"]) == pytest.approx(expected[0].score, rel=1e-12)
    assert "chrF2++" in bleu(f"{line} -f latex").splitlines()[5]
    with_interval = bleu.json(f"{line} --confidence 0.9 --resamples 50")["metrics"]["TER"]["interval"]
    assert with_interval["n_resamples"] == 50


def test_score_of_groups_and_sentences(bleu: CommandLine) -> None:
    write_lines("labels", ["news", "chat", "news", "chat"])
    line = "score hyp.txt ref.txt -m chrf -g labels"
    expected = [CHRF().corpus_score(HYP[first::2], [REF[first::2]]).score for first in (0, 1)]
    assert [100 * group["chrF2"] for group in bleu.json(line)["groups"]] == pytest.approx(expected, rel=1e-12)
    assert [float(row["chrF2"]) for row in bleu.rows(line)] == pytest.approx(expected, rel=1e-12)
    assert bleu(line).splitlines()[-3].split()[-1] == "chrF2"
    sentences = [CHRF().sentence_score(hyp, [ref]).score for hyp, ref in zip(HYP, REF, strict=True)]
    line = "score hyp.txt ref.txt -m chrf -s"
    assert [float(row["chrF2"]) for row in bleu.rows(line)] == pytest.approx(sentences, rel=1e-12)
    assert [100 * score for score in bleu.json(line)["sentence_chrF2"]] == pytest.approx(sentences, rel=1e-12)
    assert bleu(line).splitlines()[0].split() == ["line", "BLEU", "chrF2"]


@pytest.mark.parametrize("options", ["", "--all-pairs", "-t approximate-randomization"])
def test_compare(options: str, bleu: CommandLine) -> None:
    line = f"{COMPARE} -m chrf ter --segment-scores comet=hyp.comet,ref2.jsonl:comet {options}"
    answer = bleu.json(line)
    assert list(answer["metrics"]) == ["BLEU", "chrF2", "TER", "comet"]
    counted = system_statistics(SYSTEMS, REF, metrics=["bleu", "chrf", "ter"])
    if not options:
        ratings = {"hyp": [0.5, -0.25, 0.1, 0.75], "ref2": [0.0, 0.25, 0.5, 0.75]}
        expected = compare_metrics({**counted, "comet": ratings}, "hyp")
        assert answer["metrics"] == {name: comparison.to_dict() for name, comparison in expected.items()}
        rows = bleu.rows(line)
        assert [row["metric"] for row in rows] == [row["metric"] for row in expected.rows()]
        scales = {"BLEU": 100, "chrF2": 100, "TER": 100, "comet": 1}
        for row, expected_row in zip(rows, expected.rows(), strict=True):
            assert float(row["score"]) == scales[row["metric"]] * expected_row["score"]
    heads = bleu(line).splitlines()[0].split()
    assert [head for head in heads if head in answer["metrics"]] == list(answer["metrics"])


def test_compare_without_a_test(bleu: CommandLine) -> None:
    line = f"{COMPARE} -t none -m ter"
    answer = bleu.json(line)
    assert [system["TER"] for system in answer["systems"]] == pytest.approx(
        [TER().corpus_score(texts, [REF]).score / 100 for texts in SYSTEMS.values()], rel=1e-12
    )
    assert "TER" in bleu(line).splitlines()[0]


def test_groups_of_each_metric(bleu: CommandLine) -> None:
    write_lines("labels", ["news", "chat", "news", "chat"])
    line = f"{COMPARE} -m chrf -g labels --resamples 100"
    answer = bleu.json(line)
    assert [group["group"] for group in answer["groups_chrF2"]] == ["news", "chat"]
    assert [(row["metric"], row["group"]) for row in bleu.rows(line)][::2] == [
        (metric, group) for metric in ("BLEU", "chrF2") for group in ("news", "chat")
    ]


MISTAKES: dict[str, Any] = {
    f"{COMPARE} -m crhf": "unknown metric 'crhf' (did you mean 'chrf'?)",
    f"{COMPARE} --chrf-word-order 2": "--chrf-word-order does nothing without --metrics chrf",
    "score hyp.txt ref.txt --ter-no-punct": "--ter-no-punct does nothing without --metrics ter",
    f"{COMPARE} --segment-scores comet": "type METRIC=FILE,FILE",
    f"{COMPARE} --segment-scores comet=hyp.comet": "comet has 1 file for 2 systems",
    f"{COMPARE} --segment-scores comet=hyp.comet,none.comet": "none.comet: No such file",
    "compare -m chrf hyp.txt ref2.txt -r ref.txt": "unknown metric 'hyp.txt'",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_mistakes(line: str, bleu: CommandLine) -> None:
    assert MISTAKES[line] in bleu(line, status=1 if "none.comet" in line else 2)


@pytest.mark.parametrize(
    ("third", "text"),
    [("", "comet score 3 of 'hyp' is None"), ("nan", "is nan"), ("bad", "must be a number, got 'bad'")],
)
def test_wrong_numbers(third: str, text: str, bleu: CommandLine) -> None:
    write_lines("hyp.comet", ["0.5", "0.25", third, "0.75"])
    error = bleu(f"{COMPARE} --segment-scores comet=hyp.comet,ref2.jsonl:comet", status=1)
    assert text in error
    assert "hyp.comet" in error
