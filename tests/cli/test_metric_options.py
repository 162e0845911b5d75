"""chrF, TER and segment scores of other metrics on the command line."""

from __future__ import annotations

import json
import re
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
    with_interval = bleu.json(f"{line} --confidence 0.9 --resamples 50")["metrics"]["TER"]
    assert with_interval["n_resamples"] == 50


def test_score_of_groups_and_sentences(bleu: CommandLine) -> None:
    write_lines("labels", ["news", "chat", "news", "chat"])
    line = "score hyp.txt ref.txt -m chrf -g labels"
    expected = [CHRF().corpus_score(HYP[first::2], [REF[first::2]]).score for first in (0, 1)]
    assert [100 * group["chrF2"] for group in bleu.json(line)["groups"]["rows"]] == pytest.approx(expected, rel=1e-12)
    assert [float(row["chrF2"]) for row in bleu.rows(line)] == pytest.approx(expected, rel=1e-12)
    assert re.search(r"^group .* chrF2$", bleu(line), re.MULTILINE)
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
        assert answer == expected.to_dict()
        rows = bleu.rows(line)
        assert [row["metric"] for row in rows] == [row["metric"] for row in expected.rows()]
        scales = {"BLEU": 100, "chrF2": 100, "TER": 100, "comet": 1}
        for row, expected_row in zip(rows, expected.rows(), strict=True):
            assert float(row["score"]) == scales[row["metric"]] * expected_row["score"]
    heads = bleu(line).splitlines()[1].split()
    assert [head for head in heads if head in answer["metrics"]] == list(answer["metrics"])


def test_compare_without_a_test(bleu: CommandLine) -> None:
    line = f"{COMPARE} -t none -m ter"
    answer = bleu.json(line)
    assert [system["TER"] for system in answer["rows"]] == pytest.approx(
        [TER().corpus_score(texts, [REF]).score / 100 for texts in SYSTEMS.values()], rel=1e-12
    )
    assert "TER" in bleu(line).splitlines()[1]
    [signature] = answer["signatures"]
    assert signature.startswith("TER: nrefs:1|")


def test_groups_of_each_metric(bleu: CommandLine) -> None:
    write_lines("labels", ["news", "chat", "news", "chat"])
    line = f"{COMPARE} -m chrf -g labels --resamples 100"
    answer = bleu.json(line)
    assert [group["group"] for group in answer["groups_chrF2"]["groups"]] == ["news", "chat"]
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
    "compare -m chrf hyp.txt ref2.txt -r ref.txt": "accepted: 'bleu', 'chrf', 'ter'; give the files before --metrics",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_mistakes(line: str, bleu: CommandLine) -> None:
    assert MISTAKES[line] in bleu(line, status=1 if "none.comet" in line else 2)


@pytest.mark.parametrize(
    ("third", "text"),
    [("", "comet score 3 of 'hyp' is missing"), ("nan", "is nan"), ("bad", "must be a number, got 'bad'")],
)
def test_wrong_numbers(third: str, text: str, bleu: CommandLine) -> None:
    write_lines("hyp.comet", ["0.5", "0.25", third, "0.75"])
    error = bleu(f"{COMPARE} --segment-scores comet=hyp.comet,ref2.jsonl:comet", status=1)
    assert text in error
    assert "hyp.comet" in error


@pytest.mark.parametrize("name", ["BLEU", "bleu", "TER", "chrF2++", "system", "p"])
def test_names_that_are_taken(name: str, bleu: CommandLine) -> None:
    error = bleu(f"{COMPARE} --segment-scores {name}=hyp.comet,ref2.jsonl:comet", status=2)
    assert f"the name {name} is already used" in error


def test_one_metric_is_scored_once(bleu: CommandLine) -> None:
    scores = "comet=hyp.comet,ref2.jsonl:comet"
    assert "already used" in bleu(f"{COMPARE} --segment-scores {scores} {scores}", status=2)
    assert "type METRIC=FILE,FILE" in bleu(f"{COMPARE} --segment-scores c=,hyp.comet", status=2)


@pytest.mark.parametrize("option", ["--chrf-beta 0", "--chrf-char-order 0", "--chrf-word-order -1"])
def test_numbers_that_are_too_small(option: str, bleu: CommandLine) -> None:
    assert "is not in the range" in bleu(f"score hyp.txt ref.txt -m chrf {option}", status=2)


def test_groups_in_tables_to_paste(bleu: CommandLine) -> None:
    """A table for each metric, with the groups' own number of tests."""
    write_lines("new.txt", ["the cat sat on a mat"] * 80)
    write_lines("base.txt", ["the cat sat on the mat", "the cat"] * 40)
    write_lines("labels", ["news"] * 40 + ["chat"] * 40)
    shown = bleu("compare base.txt new.txt -r new.txt -m chrf -g labels -f markdown")
    heads = [line for line in shown.splitlines() if line.startswith("| group")]
    assert [head.split()[5] for head in heads] == ["BLEU", "chrF2"]
    assert "corrected for 2 tests" in shown


def test_all_pairs_in_csv(bleu: CommandLine) -> None:
    rows = bleu.rows("compare hyp.txt ref2.txt ref.txt -r ref.txt --all-pairs")
    alone = [(row["system"], row["rank_1"], row["rank_2"]) for row in rows if not row["baseline"]]
    assert [name for name, *_ in alone] == ["ref", "hyp", "ref2"]
    pairs = {(row["system"], row["baseline"]) for row in rows if row["baseline"]}
    assert pairs == {("ref2", "hyp"), ("ref", "hyp"), ("ref", "ref2")}
