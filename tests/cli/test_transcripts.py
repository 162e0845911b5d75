"""What the command line prints, word for word: `transcripts` holds commands and their outputs.

In a transcript, a command is followed by its standard output, then by its standard error, each line behind `! `, then by
its exit status unless that is 0. `COLUMNS=80` before a command lets it print to a terminal of 80 columns, whose styles
show as `<1m>`, or with `| cat` behind it to a pipe. Other commands are bash's, and write input files beside those of `inputs`.

    UPDATE_GOLDEN=1 pytest tests/cli/test_transcripts.py    # writes what is printed now; read the diff
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import write_lines

from bleu_metric.cli.main import run

TRANSCRIPTS = sorted(Path(__file__).with_name("transcripts").glob("*.txt"))
HYP = ["the cat sat on the mat", "a dog barked at me", "it is 3.5 km away", "it rained all day"]
REF = ["the cat sat on a mat", "the dog barked at me", "it is 3.5 km away", "it was raining all day"]
OTHER = ["a cat sat on the mat", "dogs bark", "3.5 km", "a day of rain"]


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder with the files that bash does not write."""
    monkeypatch.chdir(tmp_path)
    for name, lines in {"hyp.txt": HYP, "ref.txt": REF, "ref2.txt": OTHER}.items():
        write_lines(name, lines)
    columns = {"hyp": HYP, "ref": [1, 2, 3, 4], "both": [{"en": "a"}] * 4, "lists": [["a"], [], ["b"], []]}
    pq.write_table(pa.table(columns), "rows.parquet")


@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = path.read_text(encoding="utf-8")
    shown: list[str] = []
    for line in recorded.splitlines():
        if line.startswith("# "):
            shown += ["", line]
        elif command := re.fullmatch(r"\$ (?:COLUMNS=(\d+) )?bleu-metric(.*?)( > /dev/null| \| cat)?", line):
            with monkeypatch.context() as patch:
                patch.delenv("COLUMNS", raising=False)
                if command[1]:
                    patch.setenv("COLUMNS", command[1])
                if command[1] and not command[3]:
                    patch.setenv("TERM", "xterm-256color")
                    patch.delenv("NO_COLOR", raising=False)
                    patch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
                status = run(shlex.split(command[2]))
            out, err = capsys.readouterr()
            shown.append(line)
            shown += [] if command[3] == " > /dev/null" else out.splitlines()
            shown += [f"! {each}" for each in err.splitlines()]
            shown += [f"exit {status}"] if status else []
        elif line.startswith("$ "):
            shown.append(line)
            subprocess.run(["bash", "-c", line[2:]], check=True)
    replayed = re.sub(r"\x1b\[([\d;]*m)", r"<\1>", "\n".join(shown).lstrip("\n") + "\n")
    replayed = replayed.replace(f"{Path.cwd()}/", "")
    replayed = re.sub(r"version:[\d.]+", "version:...", replayed)
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(replayed, encoding="utf-8")
    else:
        assert replayed == recorded
