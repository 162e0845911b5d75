"""What is printed cannot steer a terminal, and every format gives names back."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from waiting import HANGS

from bleu_metric.cli import main as cli
from bleu_metric.cli.options import TABLE_FORMATS

ROOT = Path(__file__).resolve().parents[2]


# Sets a title, colours, moves, C1's own escape, delete, turns the direction, hides, breaks lines; marks of formats
HOSTILE = "\x1b]0;x\x07\x1b[31m\x9b2J\x7f\x00\u202e\u2066\u200b\u2028\x85\t\r\n|&%_#$~^{}`<b>*[\U000e0041"


SPACES = "\t\r\n"
NAME = HOSTILE.replace("\x00", "")  # no file has it


def unsafe(text: str) -> list[str]:
    """Characters that a terminal acts on, or that hide or turn what is shown; a line feed is allowed."""
    return [one for one in text if one != "\n" and unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp", "Cs")]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    line = f"a b {NAME.replace(SPACES, '')} c"
    for name in (f"A{NAME}", f"B{NAME}", "ref", f"ref{NAME}"):
        (tmp_path / name).write_bytes("".join(f"{line} w{n}\n" for n in range(20)).encode())
    (tmp_path / "labels").write_bytes("".join(f"doc{n % 2}{line}\n" for n in range(20)).encode())
    (tmp_path / "bad.jsonl").write_text(HOSTILE)
    (tmp_path / "list.jsonl").write_text(json.dumps([HOSTILE], ensure_ascii=False))
    (tmp_path / "key.jsonl").write_text(json.dumps({HOSTILE: HOSTILE, "x": 1}))
    (tmp_path / f"latin{NAME}").write_bytes(b"\xff\n")
    (tmp_path / f"gz{NAME}.gz").write_bytes(b"\x1f\x8b\x1b")
    parquet.write_table(pa.table({HOSTILE: ["a"], "b": ["a"], HOSTILE * 2: [["a", None]]}), tmp_path / "x.parquet")
    return tmp_path


A, B = f"A{NAME}", f"B{NAME}"


GOOD = [
    *(["score", A, "ref", "-f", form, *more] for form in TABLE_FORMATS for more in ([], ["-g", "labels"])),
    *(["score", A, f"ref{NAME}", "-f", form, "--confidence", "0.9"] for form in ("text", "json", "tsv")),
    *(["compare", A, B, "-r", "ref", "-f", form] for form in TABLE_FORMATS),
    ["compare", A, B, "-r", "ref", "-t", "none"],
    ["dialects", A, "ref", "-f", "json"],
    ["explain", "nltk", "sacrebleu", A, "ref"],
    ["report", A, B, "-r", "ref", "--title", HOSTILE.replace("\x00", ""), "-o", f"out{NAME}.html"],
    ["compare", A, B, "-r", "ref", "--plot", f"out{NAME}.svg"],
    ["compare", f"{NAME}=ref", A, "-r", f"ref{NAME}"],
]


WRONG = [
    [NAME],
    ["score", NAME, "ref"],
    ["score", "ref", f"{NAME}/x"],
    ["score", "ref", A, f"--{NAME}"],
    ["score", "ref", A, f"-s{NAME}"],
    *(["score", "ref", A, option, NAME] for option in ("-d", "-f", "-g", "--plot", "--weights", "--tokenizer")),
    *(["score", "ref", A, option, NAME] for option in ("--max-order", "--smoothing-value", "--seed")),
    ["compare", A, "-r", "ref", "-t", NAME],
    ["compare", A, A, "-r", "ref"],
    ["compare", NAME, "-r", "ref"],
    ["report", A, "-r", "ref", "-o", f"no{NAME}/x"],
    ["score", "bad.jsonl", "ref"],
    ["score", "list.jsonl", "ref"],
    ["score", "key.jsonl", "ref"],
    ["score", f"key.jsonl:{NAME}", "ref"],
    ["score", f"ref:{NAME}", "ref"],
    ["score", f"latin{NAME}", "ref"],
    ["score", f"gz{NAME}.gz", "ref"],
    ["score", f"x{NAME}.csv", "ref"],
    ["score", f"x{NAME}.xlsx", "ref"],
    ["compare", f"{NAME}=ref", f"{NAME}=bad.jsonl", "-r", "ref"],
    ["score", "x.parquet", "ref"],
    ["score", f"x.parquet:{NAME}", "ref"],
    ["score", "x.parquet:b", f"x.parquet:{HOSTILE.replace(chr(0), '') * 2}"],
]


def test_no_control_character_is_printed(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(corpus)
    for arguments, statuses in [*((one, (0,)) for one in GOOD), *((one, (1, 2)) for one in WRONG)]:
        status = cli.run(arguments)
        out, error = capsys.readouterr()
        assert status in statuses, (arguments, error)
        assert unsafe(out.replace("\t", "") if "tsv" in arguments else out) == [], arguments
        assert unsafe(error) == [], arguments
        assert 0 in statuses or len(error.splitlines()) == 1, error
    html = next(corpus.glob("out*.html")).read_text()
    assert unsafe(html.replace("\U000e0041", "")) == []
    assert "<b>*" not in html
    assert unsafe(next(corpus.glob("out*.svg")).read_text().replace("\U000e0041", "")) == []


def test_on_a_terminal_all_escapes_are_its_own(corpus: Path) -> None:
    """Colours and bold of the program, and nothing else."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "BLEU_METRIC_THREADS": "1"}
    for arguments in (["compare", A, B, "-r", "ref"], ["score", NAME, "ref"]):
        command = [sys.executable, "-m", "bleu_metric", *arguments]
        ours, theirs = pty.openpty()
        subprocess.run(command, cwd=corpus, env=environment, check=False, timeout=HANGS, stdout=theirs, stderr=theirs)
        os.close(theirs)
        printed = b""
        with contextlib.suppress(OSError):  # Linux ends a terminal so
            while part := os.read(ours, 1 << 16):
                printed += part
        os.close(ours)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", printed.decode()).replace("\r\n", "\n")
        assert unsafe(plain) == [], plain
        assert len(plain) > 50


def test_formats_give_names_back(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """JSON as they were; TSV keeps its columns; Markdown, its notes too, and LaTeX mean what the name says."""

    def printed(form: str) -> str:
        assert cli.run(["compare", A, B, "-r", "ref", "-f", form]) == 0
        return capsys.readouterr().out

    monkeypatch.chdir(corpus)
    assert [one["system"] for one in json.loads(printed("json"))["rows"]] == [A, B]
    lines = printed("tsv").splitlines()
    assert (len(lines), len({line.count("\t") for line in lines})) == (3, 1)
    shown = r"A\x1b]0;x\x07\x1b[31m\x9b2J\x7f\u202e\u2066\u200b\u2028\x85\t\r\n|&%_#$~^{}`<b>*[\U000e0041"
    assert lines[1].split("\t")[0] == shown
    in_markdown = printed("markdown")
    assert r"\\n\|\&%\_#$\~^{}\`\<b\>\*\[\\U000e0041 |" in in_markdown
    assert f" of {shown}, " in in_markdown
    end = r"{}n|\&\%\_\#\$\textasciitilde{}\^{}\{\}`\ensuremath{<}b\ensuremath{>}*[\textbackslash{}U000e0041 &"
    assert end in printed("latex")
