"""``bleu-metric self-bleu`` and ``bleu-metric mbr``: the numbers of the functions, from files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CommandLine, write_lines

from bleu_metric import mbr, self_bleu

TEXTS = ["the cat sat on the mat", "the cat is on the mat", "a dog sat on the log", "the dog is on the log"]


@pytest.fixture(autouse=True)
def texts(files: Path) -> None:
    write_lines("texts.txt", TEXTS)


def test_self_bleu(bleu: CommandLine) -> None:
    labels = ["a", "a", "b", "b"]
    write_lines("labels", labels)
    answer = bleu.json("self-bleu texts.txt --definition helm --groups labels --max-order 2")
    expected = self_bleu(TEXTS, "helm", groups=labels, max_order=2)
    assert (answer["bleu"], answer["signature"], answer["rows"]) == (expected.bleu, expected.signature, expected.rows())
    split = self_bleu(TEXTS, tokenizer="char", lowercase=True)
    assert bleu.json("self-bleu texts.txt --tokenizer char --lowercase yes")["bleu"] == split.bleu


def test_mbr_reads_lists_and_references(bleu: CommandLine) -> None:
    write_lines("samples.jsonl", [json.dumps({"samples": TEXTS})])
    answer = bleu.json("mbr samples.jsonl:samples -r texts.txt --reference-samples 4")
    assert answer["rows"][0]["scores"] == mbr(TEXTS, TEXTS).scores[0].tolist()
