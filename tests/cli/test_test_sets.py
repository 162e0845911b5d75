"""References of sacrebleu's test sets, from its cache; nothing is downloaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import HYP, REF, as_json, printed

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
    out = printed(capsys, "score", "hyp.txt", "--test-set", "wmt19", "--language-pair", "en-de")
    reference = str(cache / "wmt19" / "wmt19.en-de.ref")
    assert out.replace(reference, "ref.txt") == printed(capsys, "score", "hyp.txt", "ref.txt")
    assert f"{100 * corpus_bleu(HYP, REF).bleu:.1f}" in out


LABELS = {  # field of the test set -> its lines
    "origlang": ["en", "de", "en", "de"],
    "docid": ["bbc.381790", "bbc.381790", "x.1", "x.1"],  # sacrebleu lists the domain of the first one
    "domain": ["politics", "politics", "unknown", "unknown"],
}


@pytest.mark.parametrize("field", LABELS)
@pytest.mark.parametrize("command", ["score", "compare", "report"])
def test_labels_of_a_test_set(command: str, field: str, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--groups` takes the name of a field. A report also shows the sources."""
    sources = [f"source {number}" for number in range(len(REF))]
    for name in sacrebleu.DATASETS["wmt19"].fieldnames("en-de"):
        lines = LABELS.get(name, sources if name == "src" else REF)
        (cache / "wmt19" / f"wmt19.en-de.{name}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for name, lines in {"ref.txt": REF, "src.txt": sources, "labels.txt": LABELS[field]}.items():
        (cache / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    options = {
        "score": ["-f", "json"],
        "compare": ["hyp2.txt", "-f", "json"],
        "report": ["-o", "-"],
    }[command]
    (cache / "hyp2.txt").write_text("\n".join(REF[:3] + HYP[3:]), encoding="utf-8")
    test_set = ["--test-set", "wmt19", "--language-pair", "en-de", "--groups", field]
    of_files = ["ref.txt"] if command == "score" else ["-r", "ref.txt"]
    of_files += ["--groups", "labels.txt", *(["--source", "src.txt"] if command == "report" else [])]
    shown = printed(capsys, command, "hyp.txt", *options, *test_set)
    for path, name in (
        (cache / "wmt19" / "wmt19.en-de.ref", "ref.txt"),
        (cache / "wmt19" / "wmt19.en-de.src", "src.txt"),
    ):
        shown = shown.replace(str(path), name)
    if command != "report":
        assert shown == printed(capsys, command, "hyp.txt", *options, *of_files)
        assert f'"{LABELS[field][0]}"' in shown
    else:
        assert "source 3" in shown
        assert f">{LABELS[field][0]}<" in shown


def test_labels_that_a_test_set_does_not_have(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for field in sacrebleu.DATASETS["wmt19"].fieldnames("en-de"):
        (cache / "wmt19" / f"wmt19.en-de.{field}").write_text("\n".join(REF) + "\n", encoding="utf-8")
    command = ["compare", "hyp.txt", "--test-set", "wmt19", "--language-pair", "en-de"]
    (cache / "hyp2.txt").write_text("\n".join(REF), encoding="utf-8")
    out = printed(capsys, *command, "hyp2.txt", "-g", "domian", status=2)
    assert "unknown file or label of the test set 'domian' (did you mean 'domain'?)" in out
    (cache / "domian").write_text("a\nb\na\nb\n", encoding="utf-8")
    shown = printed(capsys, *command, "hyp2.txt", "-g", "domian", "-f", "json")
    assert [group["group"] for group in json.loads(shown)["groups"]] == ["a", "b"], "a file of this name exists"


LINES = {
    "de": (
        ["Die Katze sass, 3.5 km.", "Ein Hund und noch ein Hund."],
        ["Die Katze sitzt, 3.5 km.", "Ein Hund und ein Hund."],
    ),
    "zh": (
        ["\u732b\u5750\u5728\u57ab\u5b50\u4e0a\u3002", "\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002"],
        ["\u732b\u5750\u5728\u4e00\u5757\u57ab\u5b50\u4e0a\u3002", "\u4eca\u5929\u5929\u6c14\u4e0d\u9519\u3002"],
    ),
    "ja": (
        ["\u732b\u304c\u30de\u30c3\u30c8\u306e\u4e0a\u306b\u5ea7\u3063\u3066\u3044\u305f\u3002"] * 2,
        ["\u732b\u306f\u30de\u30c3\u30c8\u306e\u4e0a\u306b\u5ea7\u3063\u305f\u3002"] * 2,
    ),
    "ko": (
        ["\uace0\uc591\uc774\uac00 \ub9e4\ud2b8 \uc704\uc5d0 \uc549\uc558\ub2e4."] * 2,
        ["\uace0\uc591\uc774\ub294 \ub9e4\ud2b8 \uc704\uc5d0 \uc549\uc544 \uc788\ub2e4."] * 2,
    ),
}


@pytest.mark.parametrize("language", LINES)
def test_the_score_is_that_of_the_command_line_of_sacrebleu(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The language pair chooses the tokenizer."""
    pytest.importorskip("MeCab")
    pytest.importorskip("mecab_ko")
    pair, folder, test_set = f"en-{language}", tmp_path / "iwslt17", sacrebleu.DATASETS["iwslt17"]
    monkeypatch.setattr(test_set, "_outdir", str(folder))
    monkeypatch.setattr(test_set, "_rawdir", str(folder / "raw"))
    monkeypatch.setattr("urllib.request.urlopen", _fail)
    folder.mkdir()
    predictions, references = ("".join(f"{line}\n" for line in lines) for lines in LINES[language])
    for field in test_set.fieldnames(pair):
        (folder / f"iwslt17.{pair}.{field}").write_text(references, encoding="utf-8")
    hypotheses = tmp_path / "hyp.txt"
    hypotheses.write_text(predictions, encoding="utf-8")
    options = ["-t", "iwslt17", "-l", pair]
    command = [sys.executable, "-m", "sacrebleu", *options, "-i", str(hypotheses), "-b", "-w", "14"]
    environment = {**os.environ, "SACREBLEU": str(tmp_path)}
    expected = float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    ours = ["score", str(hypotheses), "--test-set", "iwslt17", "--language-pair", pair, "-f", "json"]
    answer = json.loads(printed(capsys, *ours))
    assert expected > 10
    assert 100 * answer["bleu"] == pytest.approx(expected, abs=1e-12)
    by_language = ["score", str(hypotheses), str(folder / f"iwslt17.{pair}.ref")]
    assert as_json(capsys, *by_language, "--target-language", language) == answer
    with_signature = [*ours[:-2], "-d", "BLEU+case.mixed+numrefs.1+smooth.exp+tok.char+version.1.5.1", "-f", "json"]
    assert "|tok:char|" in json.loads(printed(capsys, *with_signature))["signature"]


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
        ([], 2, "the references are missing"),
    ],
)
def test_wrong_options(
    cache: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, words: str
) -> None:
    assert words in printed(capsys, "score", str(cache / "hyp.txt"), *arguments, status=status)


def test_without_sacrebleu(cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu.dataset", None)
    out = printed(capsys, "score", str(cache / "hyp.txt"), "--test-set", "wmt19", "--language-pair", "en-de", status=1)
    assert "--test-set needs sacrebleu; type: pip install 'bleu_metric[sacrebleu]'" in out
