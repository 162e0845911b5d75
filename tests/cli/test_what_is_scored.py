"""Which files are scored, which are rejected, and that none of them is written over."""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from command_line import printed
from inner_doors import read_corpus

from bleu_metric.cli.options import Typed

ROOT = Path(__file__).resolve().parents[2]


def test_the_output_names_what_was_scored(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "score", "hyp.txt", "ref.txt")
    assert "\n  4 segments of hyp.txt against ref.txt\n" in text
    swapped = printed(capsys, "score", "ref.txt", "hyp.txt")
    assert "\n  4 segments of ref.txt against hyp.txt\n" in swapped


def test_several_files_of_references_show_on_the_first_line(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`score SYSTEM SYSTEM REF` takes the second system for a reference."""
    first, *others = printed(capsys, "score", "hyp.txt", "ref2.txt", "ref.txt").splitlines()
    assert re.fullmatch(r"BLEU \d+\.\d  2 files of references  .+", first)
    assert "  4 segments of hyp.txt against 2 files of references: ref2.txt, ref.txt" in others
    note = "\n\n  4 segments of hyp.txt against 2 files of references: ref2.txt, ref.txt\n"
    assert printed(capsys, "dialects", "hyp.txt", "ref2.txt", "ref.txt").endswith(note.lstrip("\n"))
    assert printed(capsys, "explain", "nltk", "sacrebleu", "hyp.txt", "ref2.txt", "ref.txt").endswith(note)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "hyp.txt", "hyp.txt"],
        ["score", "hyp.txt", "ref.txt", "ref.txt"],
        ["score", "hyp.txt", "./hyp.txt"],
        ["score", "hyp.txt", "soft.txt"],
        ["score", "hyp.txt", "hard.txt"],
        ["score", "hyp.txt", "ref.txt", "-g", "hyp.txt"],
        ["score", "rows.jsonl:a", "rows.jsonl:a"],
        ["dialects", "hyp.txt", "soft.txt"],
        ["explain", "nltk", "sacrebleu", "hyp.txt", "soft.txt"],
        ["report", "hyp.txt", "-r", "hyp.txt", "-o", "x.html"],
        ["compare", "hyp.txt", "hard.txt", "-r", "ref.txt"],
        ["compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "ref.txt"],
        ["self-bleu", "hyp.txt", "-g", "hyp.txt"],
        ["mbr", "hyp.txt", "-r", "soft.txt", "-n", "2"],
    ],
)
def test_a_file_is_given_once(arguments: list[str], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("soft.txt").symlink_to("hyp.txt")
    Path("hard.txt").hardlink_to("hyp.txt")
    Path("rows.jsonl").write_text('{"a": "a b", "b": "a c"}\n')
    assert " is given twice" in printed(capsys, *arguments, status=2)


def test_a_reference_may_be_one_of_several_systems(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "100.0" in printed(capsys, "compare", "hyp.txt", "ref.txt", "-r", "ref.txt", "-t", "none")


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "-"])
@pytest.mark.parametrize("others", [["-"], ["ref.txt", "-g", "-"]])
def test_standard_input_is_read_once_whatever_it_is_called(name: str, others: list[str], files: Path) -> None:
    ran = bleu_metric(["score", name, *others])
    assert ran.returncode == 2
    assert "standard input (-) can be read once" in ran.stderr
    assert bleu_metric(["score", name, "hyp.txt"]).returncode == 0


def bleu_metric(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bleu_metric", *arguments]
    text = Path("ref.txt").read_text()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, input=text, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("output", ["hyp.txt", "./ref.txt", "soft.html", "hard.html", "rows.jsonl", "names.txt"])
def test_a_report_replaces_no_input(output: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("soft.html").symlink_to("ref.txt")
    Path("hard.html").hardlink_to("hyp.txt")
    Path("names.txt").symlink_to("soft.html")
    Path("rows.jsonl").write_text('{"a": "a b"}\n' * 4)
    before = Path(output).read_bytes()
    systems = ["A=hyp.txt", "rows.jsonl:a"]
    error = printed(capsys, "report", *systems, "-r", "ref.txt", "-o", output, status=2)
    assert "; write to another file" in error
    assert Path(output).read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "hyp.txt", "ref.txt"],
        ["score", "ref2.txt", "ref.txt", "-g", "hyp.txt"],
        ["compare", "ref2.txt", "A=hyp.txt", "-r", "ref.txt"],
    ],
)
def test_a_picture_replaces_no_input(arguments: list[str], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("hyp.txt").read_bytes()
    Path("picture.png").symlink_to("hyp.txt")
    error = printed(capsys, *arguments, "--plot", "picture.png", status=2)
    assert "picture.png would replace the input file hyp.txt; write to another file" in error
    assert Path("hyp.txt").read_bytes() == before


def test_no_model_of_a_tokenizer_is_replaced(files: Path) -> None:
    with pytest.raises(click.UsageError, match=r"ref2\.txt would replace the input file ref2\.txt"):
        read_corpus(["hyp.txt"], ["ref.txt"], output="ref2.txt", model="ref2.txt")
    assert Typed(settings={"tokenizer": "spm:some/path"}).model == "some/path"
    assert Typed(settings={"tokenizer": "13a"}).model is None


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("x.xml", "wmt-unwrap"),
        ("x.xml.gz", "wmt-unwrap"),
        ("x.sgm", "one per line"),
        ("x.sgml", "one per line"),
        ("x.html", "one per line"),
        ("x.HTM", "one per line"),
        ("x.tmx", "one per line"),
        ("x.xls", "save the table as CSV"),
        ("x.docx", "plain text"),
        ("x.pdf", "plain text"),
        ("x.csv.zip", "unpack it first"),
        ("x.csv.zip:mt", "unpack it first"),
        ("x.tar.gz", "unpack it first"),
        ("x.npy", "as JSON Lines or Parquet"),
    ],
)
def test_files_that_are_not_text_are_refused(
    name: str, advice: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name.partition(":")[0]).write_text("<seg>a b c</seg>\n" * 4)
    error = printed(capsys, "score", name, "ref.txt", status=1)
    assert "texts are not read from " in error
    assert advice in error


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        (
            gzip.compress(b"a b c\n"),
            "not plain text but .gz; decompress it first, or give the file a name that ends in",
        ),
        (b"PK\x03\x04\xff", "not plain text but .zip; unpack it first"),
        (b"\xef\xbb\xbf<?XML version='1.0'?>\n", "not plain text but .xml; extract the segments first"),
        (b"%PDF-1.4\n", "not plain text but .pdf; save the document as plain text"),
        (b"PAR1\x15", "not plain text but .parquet; give the file a name that ends in .parquet"),
        (b"a b\n\0\xff\n", "line 2: byte 2 (0xff) is not UTF-8, and there are zero bytes"),
    ],
)
def test_content_that_is_not_text_is_refused_under_any_name(
    content: bytes, advice: str, files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("x.txt").write_bytes(content)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    for name in ("x.txt", "-"):
        assert advice in printed(capsys, "score", name, "ref.txt", status=1)


def test_a_file_after_two_hyphens_is_a_file(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("hyp.txt").rename("-r")
    names = printed(capsys, "compare", "-t", "none", "-r", "ref.txt", "--", "-r", "ref2.txt").splitlines()[2:4]
    assert [name.split()[0] for name in names] == ["-r", "ref2.txt"]
