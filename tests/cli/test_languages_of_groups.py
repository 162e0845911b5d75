"""Groups with a language each: every group has its tokenizer, and the mean is over the groups."""

from __future__ import annotations

from pathlib import Path

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


def test_compare(bleu: CommandLine) -> None:
    answer = bleu.json(f"compare hyp.txt new.txt -r ref.txt {OPTIONS}")
    assert list(answer["mean_of_groups"]) == ["hyp", "new"]
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
