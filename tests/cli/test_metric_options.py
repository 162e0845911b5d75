"""chrF, TER and segment scores of other metrics on the command line: the numbers of sacrebleu and of the functions."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
from command_line import HYP, OTHER, REF, CommandLine, write_lines
from sacrebleu.metrics import CHRF, TER

from bleu_metric import compare_metrics, system_statistics

COMPARE = "compare hyp.txt ref2.txt -r ref.txt"
SYSTEMS = {"hyp": HYP, "ref2": OTHER}


def test_score(bleu: CommandLine) -> None:
    line = "score hyp.txt ref.txt -m bleu chrf ter --chrf-word-order 2"
    expected = {
        score.name: pytest.approx(score.score, rel=1e-12)
        for score in (scorer.corpus_score(HYP, [REF]) for scorer in (CHRF(word_order=2), TER()))
    }
    assert {name: 100 * metric["score"] for name, metric in bleu.json(line)["metrics"].items()} == expected
    [row] = bleu.rows(line)
    assert {name: float(row[name]) for name in expected} == expected
    with_interval = bleu.json(f"{line} --confidence 0.9 --resamples 50")["metrics"]["TER"]
    assert with_interval["n_resamples"] == 50


def test_score_of_groups_and_sentences(bleu: CommandLine) -> None:
    write_lines("labels", ["news", "chat", "news", "chat"])
    line = "score hyp.txt ref.txt -m chrf"
    groups = [CHRF().corpus_score(HYP[first::2], [REF[first::2]]).score for first in (0, 1)]
    assert [100 * group["chrF2"] for group in bleu.json(f"{line} -g labels")["groups"]["rows"]] == pytest.approx(groups)
    whole, *rows = bleu.rows(f"{line} -g labels")
    assert (whole["group"], float(whole["chrF2"])) == ("", pytest.approx(CHRF().corpus_score(HYP, [REF]).score))
    assert [float(row["chrF2"]) for row in rows] == pytest.approx(groups, rel=1e-12)
    sentences = [CHRF().sentence_score(hyp, [ref]).score for hyp, ref in zip(HYP, REF, strict=True)]
    assert [float(row["chrF2"]) for row in bleu.rows(f"{line} -s")] == pytest.approx(sentences, rel=1e-12)
    assert [100 * score for score in bleu.json(f"{line} -s")["sentence_chrF2"]] == pytest.approx(sentences, rel=1e-12)


def test_compare(bleu: CommandLine) -> None:
    write_lines("hyp.comet", ["0.5", "-0.25", "1e-1", "0.75"])
    write_lines("ref2.jsonl", [json.dumps({"id": row, "comet": row / 4}) for row in range(4)])
    line = f"{COMPARE} -m chrf ter --segment-scores comet=hyp.comet,ref2.jsonl:comet"
    ratings = {"hyp": [0.5, -0.25, 0.1, 0.75], "ref2": [0.0, 0.25, 0.5, 0.75]}
    counted = system_statistics(SYSTEMS, REF, metrics=["bleu", "chrf", "ter"])
    expected = compare_metrics({**counted, "comet": ratings}, "hyp")
    assert bleu.json(line) == expected.to_dict()
    scales = {"BLEU": 100, "chrF2": 100, "TER": 100, "comet": 1}
    assert [(row["metric"], float(row["score"])) for row in bleu.rows(line)] == [
        (row["metric"], scales[row["metric"]] * row["score"]) for row in expected.rows()
    ]


def test_processes_give_the_same_numbers(bleu: CommandLine) -> None:
    write_lines("many.txt", HYP * 30)
    write_lines("references.txt", [*REF * 29, *OTHER])
    write_lines("documents.txt", [row // 7 for row in range(120)])
    for options in ("-s", "--documents documents.txt"):
        line = f"score many.txt references.txt -m chrf ter {options}"
        assert bleu.json(f"{line} --jobs 2") == bleu.json(line)
    assert "--jobs does nothing without --metrics chrf or ter" in bleu("score hyp.txt ref.txt --jobs 2", 2)


def test_many_outputs_are_counted_in_several_processes(bleu: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Recorded(ProcessPoolExecutor):
        def __init__(self, jobs: int, *others: Any) -> None:
            started.append(jobs)
            super().__init__(jobs, *others)

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", Recorded)
    monkeypatch.setenv("BLEU_METRIC_THREADS", "2")
    for n_lines, options in ((1999, ""), (2000, "--jobs 1"), (2000, "")):
        write_lines("more.txt", ["a"] * n_lines)
        write_lines("same.txt", ["a"] * n_lines)
        assert bleu.json(f"score more.txt same.txt -m chrf {options}")["metrics"]["chrF2"]["score"] == 1
    bleu("score more.txt same.txt")
    assert started == [2]


def test_compare_without_a_test(bleu: CommandLine) -> None:
    assert [system["TER"] for system in bleu.json(f"{COMPARE} -t none -m ter")["rows"]] == pytest.approx(
        [TER().corpus_score(texts, [REF]).score / 100 for texts in SYSTEMS.values()], rel=1e-12
    )


def test_groups_of_each_metric(bleu: CommandLine) -> None:
    write_lines("labels", ["news", "chat", "news", "chat"])
    answer = bleu.json(f"{COMPARE} -m chrf -g labels --resamples 100")
    assert [group["group"] for group in answer["groups_chrF2"]["groups"]] == ["news", "chat"]
