"""Groups with a language each: every group has its tokenizer, and the mean is over the groups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine, write_lines

from bleu_metric import corpus_bleu, corpus_statistics, paired_bootstrap

HYP = {"en-de": ["the cat sat on the mat today", "a dog barks"] * 20, "en-zh": ["猫坐在垫子上看电视", "狗对我叫"] * 20}
REF = {"en-de": ["the cat sat on a mat today", "the dog barks"] * 20, "en-zh": ["猫坐在一个垫子上看电视", "狗叫"] * 20}
NEW = {"en-de": HYP["en-de"], "en-zh": REF["en-zh"]}
OPTIONS = "-g labels --target-language @group"


@pytest.fixture(autouse=True)
def mixed(files: Path) -> None:
    """The segments of both languages in turn."""
    for name, texts in (("hyp.txt", HYP), ("ref.txt", REF), ("new.txt", NEW)):
        write_lines(name, [text for both in zip(*texts.values(), strict=True) for text in both])
    write_lines("labels", ["en-de", "en-zh"] * 40)


def test_score(bleu: CommandLine) -> None:
    answer = bleu.json(f"score hyp.txt ref.txt {OPTIONS}")
    expected = {pair: corpus_bleu(HYP[pair], REF[pair], target_language=pair) for pair in HYP}
    assert {group["group"]: group["bleu"] for group in answer["rows"]} == {
        pair: score.bleu for pair, score in expected.items()
    }
    assert answer["mean_of_groups"] == pytest.approx(sum(score.bleu for score in expected.values()) / 2, rel=1e-12)
    shown = bleu(f"score hyp.txt ref.txt {OPTIONS} --confidence 0.9")
    assert shown.startswith(f"mean BLEU of 2 groups: {100 * answer['mean_of_groups']:.1f}\n")
    assert "en-de: nrefs:1|bs:1000|seed:12345|conf:0.9|tok:13a|" in shown
    assert "en-zh: nrefs:1|bs:1000|seed:12345|conf:0.9|tok:zh|" in shown


def test_compare(bleu: CommandLine) -> None:
    answer = bleu.json(f"compare hyp.txt new.txt -r ref.txt {OPTIONS}")
    for group in answer["groups"]:
        pair = group["group"]
        old, new = (corpus_statistics(texts[pair], REF[pair], target_language=pair) for texts in (HYP, NEW))
        expected = paired_bootstrap(old, {"new": new}, baseline_name="hyp")
        rows = [row for row in answer["rows"] if row["group"] == pair]
        assert [row["p_value"] for row in rows] == [row["p_value"] for row in expected.rows()]
        assert group["n_tests"] == 2
    assert {row["metric"] for row in answer["rows"]} == {"BLEU"}
    shown = bleu(f"compare hyp.txt new.txt -r ref.txt {OPTIONS} --all-pairs").splitlines()
    assert [line.split()[:4] for line in shown if line.startswith("mean")] == [["mean", "of", "2", "groups"]]


MISTAKES: dict[str, Any] = {
    "score hyp.txt ref.txt --target-language @group": "@group needs --groups FILE",
    f"score hyp.txt ref.txt {OPTIONS} -s": "--sentences does nothing without one language",
    f"compare hyp.txt new.txt -r ref.txt {OPTIONS} -m chrf": "--metrics does nothing without one language",
    f"compare hyp.txt new.txt -r ref.txt {OPTIONS} -t none": "--groups does nothing without a test",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_mistakes(line: str, bleu: CommandLine) -> None:
    assert MISTAKES[line] in bleu(line, status=2)


def test_labels_that_are_no_languages(bleu: CommandLine) -> None:
    write_lines("labels", ["news domain", "chat"] * 40)
    assert "news domain" in bleu(f"score hyp.txt ref.txt {OPTIONS}", status=2)
