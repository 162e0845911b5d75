"""References of sacrebleu's test sets, from its cache; nothing is downloaded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import HYP, REF, printed

from bleu_metric import corpus_bleu

sacrebleu: Any = pytest.importorskip("sacrebleu", reason="pip install 'bleu_metric[sacrebleu]'")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test set wmt19, predictions, and no connection."""
    monkeypatch.setattr(sacrebleu.DATASETS["wmt19"], "_outdir", str(tmp_path / "wmt19"))
    monkeypatch.setattr(sacrebleu.DATASETS["wmt19"], "_rawdir", str(tmp_path / "wmt19" / "raw"))
    monkeypatch.setattr("urllib.request.urlopen", _fail)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wmt19").mkdir()
    (tmp_path / "hyp.txt").write_text("\n".join(HYP), encoding="utf-8")
    return tmp_path


def _fail(*_args: Any, **_options: Any) -> Any:
    raise OSError("no connection")


def test_a_cache_that_is_filled(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for field in sacrebleu.DATASETS["wmt19"].fieldnames("en-de"):  # src, ref, docid, …
        (cache / "wmt19" / f"wmt19.en-de.{field}").write_text("\n".join(REF) + "\n", encoding="utf-8")
    (cache / "ref.txt").write_text("\n".join(REF), encoding="utf-8")
    out = printed(capsys, "score", "hyp.txt", "--test-set", "wmt19", "--language-pair", "en-de", "-d", "sacrebleu")
    reference = str(cache / "wmt19" / "wmt19.en-de.ref")
    assert out.replace(reference, "ref.txt") == printed(capsys, "score", "hyp.txt", "ref.txt", "-d", "sacrebleu")
    assert f"{100 * corpus_bleu(HYP, REF, 'sacrebleu').bleu:.1f}" in out


def test_a_cache_that_is_empty(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "score", "hyp.txt", "--test-set", "wmt19", "--language-pair", "en-de", status=1)
    assert "wmt19 is not in sacrebleu's cache and cannot be downloaded (no connection): connect to the inter" in out
    assert cache.is_dir()


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--test-set", "wmt19"], 2, "pass both options, e.g. --test-set"),
        (["--language-pair", "en-de"], 2, "pass both options, e.g. --test-set"),
        (["hyp.txt", "--test-set", "wmt19", "--language-pair", "en-de"], 2, "remove hyp.txt"),
        (["--test-set", "wmt91", "--language-pair", "en-de"], 2, "unknown test set 'wmt91'"),
        (["--test-set", "wmt19", "--language-pair", "de-xx"], 2, "unknown language pair of wmt19 'de-xx'"),
        ([], 2, "Missing argument 'REF [REF...]'"),
    ],
)
def test_wrong_options(
    cache: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, words: str
) -> None:
    assert words in printed(capsys, "score", str(cache / "hyp.txt"), *arguments, status=status)


def test_without_sacrebleu(cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu.utils", None)
    out = printed(capsys, "score", str(cache / "hyp.txt"), "--test-set", "wmt19", "--language-pair", "en-de", status=1)
    assert "--test-set needs sacrebleu; type: pip install 'bleu_metric[sacrebleu]'" in out
