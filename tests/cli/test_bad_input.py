"""What cannot be read or scored, where the words are those of other libraries. For all others, see `transcripts`."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import HYP, CommandLine

from bleu_metric import bootstrap, corpus_statistics


@pytest.mark.parametrize(
    ("line", "status", "text"),
    [
        ("", 2, "Usage: bleu-metric [OPTIONS] COMMAND"),
        ("score hyp.txt ref.txt --dialekt x", 2, "--dialect"),
        ("score deep.jsonl:a ref.txt", 1, "bleu-metric: deep.jsonl: line 1: not JSON"),
        ("score rows.parquet:p ref.txt", 1, "rows.parquet: the Parquet file cannot be read: 'utf-8' codec"),
    ],
)
def test_bad_input(line: str, status: int, text: str, bleu: CommandLine) -> None:
    Path("deep.jsonl").write_text("[" * 100_000 + "\n")
    pq.write_table(pa.table({"p": [["a b"]]}), "rows.parquet")
    Path("rows.parquet").write_bytes(Path("rows.parquet").read_bytes().replace(b"list", b"\x80ist"))
    assert text in bleu(line, status=status)


def test_python_names_its_arguments_after_a_command(bleu: CommandLine) -> None:
    bleu("score hyp.txt ref.txt --confidence 95", status=2)
    with pytest.raises(
        ValueError, match=r"^confidence must be above 0 and below 1, got 95; for 95 %, pass confidence=0"
    ):
        bootstrap(corpus_statistics(HYP, HYP), confidence=95)
