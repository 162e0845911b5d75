"""References of sacrebleu's test sets, from its cache; nothing is downloaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import REF, CommandLine, write_lines

from bleu_metric.cli.main import run

sacrebleu: Any = pytest.importorskip("sacrebleu", reason="pip install 'bleu_metric[sacrebleu]'")
TEST_SET = "--test-set wmt19 --language-pair en-de"
SOURCES = [f"source {number}" for number in range(len(REF))]
LABELS = {  # field of the test set -> its lines
    "origlang": ["en", "de", "en", "de"],
    "docid": ["bbc.381790", "bbc.381790", "x.1", "x.1"],
}


@pytest.fixture
def cache(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test sets wmt19 and iwslt17, and no connection."""
    for name in ("wmt19", "iwslt17"):
        monkeypatch.setattr(sacrebleu.DATASETS[name], "_outdir", str(files / name))
        monkeypatch.setattr(sacrebleu.DATASETS[name], "_rawdir", str(files / name / "raw"))
        (files / name).mkdir()
    monkeypatch.setattr("urllib.request.urlopen", _fail)
    return files


def _fail(*_args: Any, **_options: Any) -> Any:
    raise OSError("no connection")


@pytest.fixture
def filled_cache(cache: Path) -> Path:
    """A cache of the test set wmt19, en-de, and files with the same lines."""
    fields = {"src": SOURCES, **LABELS}
    for field in sacrebleu.DATASETS["wmt19"].fieldnames("en-de"):
        write_lines(f"wmt19/wmt19.en-de.{field}", fields.get(field, REF))
    for name, lines in fields.items():
        write_lines(f"{name}.txt", lines)
    return cache


def as_files(text: str, cache: Path) -> str:
    """Return an output with the names of our files instead of those of the test set."""
    for field in ("ref", "src"):
        text = text.replace(str(cache / "wmt19" / f"wmt19.en-de.{field}"), f"{field}.txt")
    return text


@pytest.mark.parametrize("field", LABELS)
@pytest.mark.parametrize(
    ("line", "references"),
    [
        ("score hyp.txt", "ref.txt"),
        ("score hyp.txt -f json", "ref.txt"),
        ("compare hyp.txt ref2.txt -f json", "-r ref.txt"),
    ],
)
def test_labels_of_a_test_set(line: str, references: str, field: str, filled_cache: Path, bleu: CommandLine) -> None:
    """`--groups` takes the name of a field."""
    shown = bleu(f"{line} {TEST_SET} --groups {field}")
    assert as_files(shown, filled_cache) == bleu(f"{line} {references} --groups {field}.txt")
    assert LABELS[field][0] in shown


def test_a_report_shows_the_sources_of_a_test_set(filled_cache: Path) -> None:
    assert run(f"report hyp.txt -o one.html {TEST_SET} --groups origlang".split()) == 0
    shown = Path("one.html").read_text()
    assert "source 3" in shown
    assert ">en<" in shown


def test_labels_that_a_test_set_does_not_have(filled_cache: Path, bleu: CommandLine) -> None:
    line = f"compare hyp.txt ref2.txt {TEST_SET} -g orglang"
    error = bleu(line, status=2)
    assert "unknown file or label of the test set 'orglang' (did you mean 'origlang'?)" in error
    write_lines("orglang", ["a", "b", "a", "b"])
    groups = bleu.json(line)["groups"]["groups"]
    assert [group["group"] for group in groups] == ["a", "b"], "a file of this name exists"


LINES = {
    "de": ("Die Katze sass, 3.5 km.", "Die Katze sitzt, 3.5 km."),
    "zh": ("猫坐在垫子上。今天天气很好。", "猫坐在一块垫子上。今天天气不错。"),
    "ja": ("猫がマットの上に座っていた。", "猫はマットの上に座った。"),
    "ko": ("고양이가 매트 위에 앉았다.", "고양이는 매트 위에 앉아 있다."),
}


@pytest.mark.parametrize("language", LINES)
def test_the_score_is_that_of_the_command_line_of_sacrebleu(language: str, cache: Path, bleu: CommandLine) -> None:
    """The language pair chooses the tokenizer."""
    pytest.importorskip("MeCab")
    pytest.importorskip("mecab_ko")
    pair = f"en-{language}"
    prediction, reference = LINES[language]
    write_lines("texts", [prediction] * 2)
    for field in sacrebleu.DATASETS["iwslt17"].fieldnames(pair):
        write_lines(f"iwslt17/iwslt17.{pair}.{field}", [reference] * 2)
    command = [sys.executable, "-m", "sacrebleu", *f"-t iwslt17 -l {pair} -i texts -b -w 14".split()]
    environment = {**os.environ, "SACREBLEU": str(cache)}
    expected = float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert expected > 10
    line = f"score texts --test-set iwslt17 --language-pair {pair}"
    answer = bleu.json(line)
    assert 100 * answer["bleu"] == pytest.approx(expected, abs=1e-12)
    assert bleu.json(f"score texts iwslt17/iwslt17.{pair}.ref --target-language {language}") == answer
    signature = "BLEU+case.mixed+numrefs.1+smooth.exp+tok.char+version.1.5.1"
    assert "|tok:char|" in bleu.json(f"{line} -d {signature}")["signature"]


def test_a_cache_that_is_empty(cache: Path, bleu: CommandLine) -> None:
    out = bleu(f"score hyp.txt {TEST_SET}", status=1)
    assert "wmt19 is not in sacrebleu's cache and cannot be downloaded (no connection): connect to the inter" in out
    assert cache.is_dir()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--test-set wmt19", "type both --test-set and --language-pair, e.g. --test-set"),
        ("--language-pair en-de", "type both --test-set and --language-pair, e.g. --test-set"),
        (f"ref.txt {TEST_SET}", "remove ref.txt"),
        ("--test-set wmt91 --language-pair en-de", "unknown test set 'wmt91'"),
        ("--test-set wmt19 --language-pair de-xx", "unknown language pair of wmt19 'de-xx'"),
    ],
)
def test_wrong_options(options: str, message: str, cache: Path, bleu: CommandLine) -> None:
    assert message in bleu(f"score hyp.txt {options}", status=2)


def test_without_sacrebleu(bleu: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu.dataset", None)
    out = bleu(f"score hyp.txt {TEST_SET}", status=1)
    assert "--test-set needs sacrebleu: pip install sacrebleu" in out
