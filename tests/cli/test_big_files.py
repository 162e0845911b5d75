"""Text files of several blocks: read in parts, with the scores and the errors of a file that is read at once."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from command_line import CommandLine, write_lines
from inner_doors import read_column

from bleu_metric import corpus_bleu

# Of 64 bytes with the line feed, so that the blocks of a file end at a multiple of 64
LINES = [
    f"caf\u00e9 {number:05} sat on the mat {'x' * (number % 5):5} in \u6771\u4eac today, said".ljust(59)
    for number in range(12_000)
]
OTHERS = [line.replace("mat", "rug") if number % 3 else line[:40] for number, line in enumerate(LINES)]
THIRDS = [line.replace("today", "again") if number % 2 else "" for number, line in enumerate(LINES)]


def text_of(lines: list[str], line_end: str = "\n") -> bytes:
    return "".join(line + line_end for line in lines).encode()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (text_of(LINES), LINES),
        (text_of(LINES).removesuffix(b"\n"), LINES),
        (text_of(LINES, "\r\n"), LINES),
        (text_of(LINES, "\r\n").removesuffix(b"\n"), [*LINES[:-1], LINES[-1] + "\r"]),
        (text_of([*LINES, ""]), [*LINES, ""]),
        (text_of([""] * 40_000), [""] * 40_000),
        (text_of(["\r \u2028\x0b\x85"] * 9_000), ["\r \u2028\x0b\x85"] * 9_000),
        (text_of(["a" * 99_999, "", "b"]), ["a" * 99_999, "", "b"]),
        # The first line begins with a byte order mark. Some of the others, with the same character, begin a block
        (text_of(["\ufeff" + line for line in LINES]), [LINES[0], *("\ufeff" + line for line in LINES[1:])]),
    ],
)
def test_lines(content: bytes, expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(content)
    lines = read_column(str(path))
    assert len(lines) == len(expected)
    assert list(lines) == expected
    for rows in (slice(None), slice(0, 20), slice(2, 3), slice(500, 4_500), slice(-1, None), slice(3, 3)):
        assert lines[rows] == expected[rows]
    assert [lines[0], lines[-1], lines[len(lines) // 2]] == [expected[0], expected[-1], expected[len(expected) // 2]]
    with pytest.raises(IndexError):
        lines[len(expected)]


def test_scores(bleu: CommandLine, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one and of several references: files, standard input and a compressed file."""
    write_lines("hyp.txt", LINES)
    write_lines("ref.txt", OTHERS)
    Path("ref.gz").write_bytes(gzip.compress(text_of(OTHERS)))
    Path("third.txt.gz").write_bytes(gzip.compress(text_of(THIRDS, "\r\n")))
    both = list(zip(OTHERS, THIRDS, strict=True))
    for names, references in {
        "-": OTHERS,
        "ref.gz": OTHERS,
        "- third.txt.gz": both,
        "ref.gz third.txt.gz": both,
    }.items():
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text_of(OTHERS))))
        answer = bleu.json(f"score hyp.txt {names} --empty-references missing")
        expected = corpus_bleu(LINES, references, empty_references="missing")
        assert (answer["bleu"], answer["counts"], answer["totals"]) == (expected.bleu, expected.counts, expected.totals)
    text = bleu("compare hyp.txt third.txt.gz -r ref.txt ref.gz -t none")
    assert "12,000 segments of hyp.txt, third.txt.gz against 2 files of references: ref.txt, ref.gz" in text


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (b"caf\xe9", "line 5001: byte 4 (0xe9) is not UTF-8; if the file is Latin-1, convert it with: iconv"),
        (b"ab\xe6\x9d", "line 5001: byte 3 (0xe6) is not UTF-8"),
        (b"a\0b", "line 5001: byte 2 (0x00) is zero, so the file is not UTF-8"),
    ],
)
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_errors_behind_the_first_block(damage: bytes, error: str, start: bytes, bleu: CommandLine, files: Path) -> None:
    lines = text_of(LINES, "\r\n").split(b"\n")
    lines[5_000] = damage
    content = start + b"\n".join(lines)
    Path("bad.txt").write_bytes(content)
    Path("bad.txt.gz").write_bytes(gzip.compress(content))
    for name in ("bad.txt", "bad.txt.gz"):
        assert f"{name}: {error}" in bleu(f"score {name} ref.txt", status=1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    "content", [text_of(LINES[:6_000]), text_of(OTHERS), text_of(LINES[::-1]), text_of([*LINES, "more"]), b""]
)
def test_a_file_that_is_changed_while_it_is_read(content: bytes, bleu: CommandLine, files: Path) -> None:
    """The references are a pipe. The pipe is opened, and the file changed, after the lines of the file were found."""
    write_lines("hyp.txt", LINES)
    os.utime("hyp.txt", (0, 0))
    os.mkfifo("pipe.txt")

    def change_and_write() -> None:
        with Path("pipe.txt").open("wb") as pipe:
            Path("hyp.txt").write_bytes(content)
            pipe.write(text_of(OTHERS))

    writer = threading.Thread(target=change_and_write)
    writer.start()
    error = bleu("score hyp.txt pipe.txt", status=1)
    writer.join()
    assert error == "bleu-metric: hyp.txt: the file was changed while it was read; run the command again\n"


PEAK_OF_A_SCORE = """
import re, sys
from pathlib import Path
from bleu_metric.cli.main import run
status = run(["score", *sys.argv[1:]])
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) << 10, file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow_with_the_files(files: Path) -> None:
    line = b"x" * 399 + b"\n"
    for name in ("big.txt", "other.txt", "standard-input.txt"):
        Path(name).write_bytes(line * 200_000)
    Path("third.txt.gz").write_bytes(gzip.compress(line * 200_000, 1))
    size = Path("big.txt").stat().st_size

    def peak_of(*arguments: str) -> int:
        with Path("standard-input.txt").open("rb") as standard_input:
            ran = subprocess.run(
                [sys.executable, "-c", PEAK_OF_A_SCORE, *arguments, "--tokenizer", "none"],
                env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
                stdin=standard_input,
                capture_output=True,
                text=True,
                check=True,
            )
        return int(ran.stderr.split()[-1])

    Path("same.txt").write_bytes(line)
    Path("one.txt").write_bytes(line)
    assert peak_of("-", "big.txt", "other.txt", "third.txt.gz") - peak_of("one.txt", "same.txt") < size
