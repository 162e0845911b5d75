"""`bleu-metric compare`: its numbers are those of the functions."""

from __future__ import annotations

from typing import Any

import pytest
from command_line import HYP, OTHER, REF, CommandLine, write_lines

from bleu_metric import (
    compare_groups,
    corpus_bleu,
    corpus_statistics,
    paired_approximate_randomization,
    paired_bootstrap,
)

COMPARE = "compare hyp.txt ref2.txt -r ref.txt"


def test_without_a_test(bleu: CommandLine) -> None:
    scores = {"hyp": corpus_bleu(HYP, REF), "ref2": corpus_bleu(OTHER, REF)}
    rows = bleu.json(f"{COMPARE} -t none")["rows"]
    assert rows == [{"system": name, **score.rows()[0]} for name, score in scores.items()]
    assert [float(row["bleu"]) for row in bleu.rows(f"{COMPARE} -t none")] == [
        100 * score.bleu for score in scores.values()
    ]


TESTS: dict[str, tuple[Any, str]] = {
    "bootstrap": (paired_bootstrap, "resamples"),
    "approximate-randomization": (paired_approximate_randomization, "trials"),
}


@pytest.mark.parametrize("test", TESTS)
def test_paired_tests(test: str, bleu: CommandLine) -> None:
    compare, draws = TESTS[test]
    systems = {"ref": corpus_statistics(REF, REF), "ref2": corpus_statistics(OTHER, REF)}
    number = {f"n_{draws}": 500}
    expected = compare(corpus_statistics(HYP, REF), systems, baseline_name="hyp", seed=7, **number)
    line = f"compare hyp.txt ref.txt ref2.txt -t {test} --seed 7 --{draws} 500 -r ref.txt"
    assert bleu.json(line) == expected.to_dict()
    assert [(row["p_value"], row["signature"]) for row in bleu.rows(line)] == [
        ("" if row["p_value"] is None else str(row["p_value"]), expected.signature) for row in expected.rows()
    ]


def test_groups(bleu: CommandLine) -> None:
    labels = ["news", "chat", "news", "chat"]
    write_lines("labels", labels)
    systems = {"ref2": corpus_statistics(OTHER, REF)}
    options: dict[str, Any] = {"n_resamples": 100, "seed": 12345, "baseline_name": "hyp"}
    expected = compare_groups(corpus_statistics(HYP, REF), systems, labels, **options)
    line = f"{COMPARE} -g labels --resamples 100"
    answer = bleu.json(line)
    assert answer["groups"] == expected.to_dict()
    assert len(answer["rows"]) == 2
    of_all, rows = bleu.rows(line)[:2], bleu.rows(line)[2:]
    assert list(rows[0])[:6] == list(expected.rows()[0])[:6]
    assert [(row["group"], row["system"]) for row in of_all] == [("", "hyp"), ("", "ref2")]
    assert [(row["group"], row["system"], float(row["score"]), row["low"]) for row in rows] == [
        (row["group"], row["system"], 100 * row["score"], "") for row in expected.rows()
    ]
    assert f"\n\n{expected.to_markdown()}" in bleu(f"{line} -f markdown")
