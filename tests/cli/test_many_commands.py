"""``bleu-metric self-bleu`` and ``bleu-metric mbr``: the numbers of the functions, from files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bleu_metric import distinct_n, mbr, self_bleu
from bleu_metric.cli.main import run

TEXTS = ["the cat sat on the mat", "the cat is on the mat", "a dog sat on the log", "the dog is on the log"]


@pytest.fixture
def texts(tmp_path: Path) -> str:
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(TEXTS) + "\n")
    return str(path)


def test_self_bleu_as_json(texts: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    groups = tmp_path / "groups.txt"
    groups.write_text("a\na\nb\nb\n")
    assert (
        run(["self-bleu", texts, "--definition", "helm", "--groups", str(groups), "--max-order", "2", "-f", "json"])
        == 0
    )
    printed = json.loads(capsys.readouterr().out)
    expected = self_bleu(TEXTS, "helm", groups=["a", "a", "b", "b"], max_order=2)
    assert (printed["bleu"], printed["groups"], printed["signature"]) == (
        expected.bleu,
        expected.groups,
        expected.signature,
    )
    assert printed["distinct"] == distinct_n(TEXTS).ratios  # type: ignore[union-attr]


def test_self_bleu_as_text(texts: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["self-bleu", texts, "--definition", "helm"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"Self-BLEU {100 * self_bleu(TEXTS, 'helm').bleu:.1f}\n")
    assert f"4 texts of {texts}, definition helm" in printed


def test_mbr_prints_a_line_per_segment(texts: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mbr", texts, "--samples", "2", "--aggregate"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == mbr([TEXTS[:2], TEXTS[2:]], aggregate=True).texts
    assert "mbr:aggregate|nrefs:2|" in captured.err
    assert f"2 segments of {texts}\n" in captured.err


def test_mbr_reads_lists_and_references(texts: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps({"samples": TEXTS}) + "\n")
    assert run(["mbr", f"{path}:samples", "-r", texts, "--reference-samples", "4", "-f", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["segments"][0]["scores"] == mbr(TEXTS, TEXTS).scores[0].tolist()


@pytest.mark.parametrize("rows", ["0.5\n0.5\n1\n3\n", '{"weights": [0.5, 0.5]}\n{"weights": [1, 3]}\n'])
def test_mbr_reads_weights(rows: str, texts: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / ("weights.jsonl" if "{" in rows else "weights.txt")
    path.write_text(rows)
    assert run(["mbr", texts, "--samples", "2", "--reference-weights", str(path), "-f", "json"]) == 0
    segments = json.loads(capsys.readouterr().out)["segments"]
    expected = mbr([TEXTS[:2], TEXTS[2:]], reference_weights=[[0.5, 0.5], [1, 3]])
    assert [segment["scores"] for segment in segments] == [scores.tolist() for scores in expected.scores]
