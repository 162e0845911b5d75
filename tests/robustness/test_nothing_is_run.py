"""Nothing that data say is run: not from signatures, nor from files."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from corpora import LETTERS as PREDICTIONS
from corpora import LETTERS_REFERENCES as REFERENCES
from inner_doors import reseal

import bleu_metric
from bleu_metric import (
    Accumulator,
    BleuConfig,
    BleuStatistics,
    corpus_bleu,
    corpus_statistics,
    explain_difference,
    load_groups,
    pairwise_bleu,
    reward,
    save_groups,
    score_dialects,
    sentence_bleu,
)
from bleu_metric.cli.main import run

FOLDER = Path(bleu_metric.__file__).parent


ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def payload(tmp_path: Path) -> Iterator[str]:
    """A program that would leave a file behind; it must not run."""
    trace = tmp_path / "trace"
    yield f"__import__('pathlib').Path({str(trace)!r}).touch()"
    assert not trace.exists()


class Payload:
    def __init__(self, code: str) -> None:
        self.code = code

    def __reduce__(self) -> Any:
        return eval, (self.code,)


def test_signatures_run_nothing(payload: str) -> None:
    good = BleuConfig().signature()
    for signature in (payload, f"tok:{payload}|{good}", good.replace("13a", payload), good.replace("uniform", payload)):
        with pytest.raises(ValueError, match=r"signature|unknown|weights"):
            BleuConfig.from_signature(signature)


def pickled(code: str) -> bytes:

    return pickle.dumps(Payload(code))


def test_files_run_nothing(payload: str, tmp_path: Path) -> None:
    """Parquet with a pickled extension type (CVE-2023-47248), pickles, NumPy archives and JSON."""
    statistics = corpus_statistics(PREDICTIONS, REFERENCES)
    table = statistics.to_table()
    hidden = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": pickled(payload)}
    fields = [field.with_metadata(hidden) for field in table.schema]
    marked = table.cast(pa.schema(fields, {**table.schema.metadata, b"pandas": pickled(payload)}))
    texts = pa.table({"text": ["a b"]})
    texts = texts.cast(pa.schema([texts.schema.field(0).with_metadata(hidden)], {b"pandas": pickled(payload)}))
    files = {"marked.parquet": marked, "texts.parquet": texts}
    for name, content in files.items():
        parquet.write_table(content, tmp_path / name)
    (tmp_path / "object.pkl").write_bytes(pickled(payload))
    np.savez(tmp_path / "object.npz", np.array([Payload(payload)], dtype=object))
    (tmp_path / "object.jsonl").write_text(json.dumps({"text": payload, "__reduce__": payload, "py/object": payload}))
    for path in tmp_path.glob("*.*"):
        for load in (BleuStatistics.load, load_groups):
            try:
                load(path)
            except ValueError as error:
                assert str(path) in str(error)  # noqa: PT017
    names = ["texts.parquet", "object.pkl", "object.npz", "object.jsonl:text"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name in names:
        file, colon, column = name.partition(":")
        shutil.copy(tmp_path / file, tmp_path / f"copy-{file}")
        command = [sys.executable, "-m", "bleu_metric", "score", name, f"copy-{file}{colon}{column}"]
        ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == (1 if name in ("object.pkl", "object.npz") else 0), (name, ran.stderr)


WITH_TOKENIZER = "tok:{}|case:mixed|order:4|weights:uniform|smooth:none|ref:closest|eff:no|avg:corpus|version:0.1.0"
SACREBLEU_2 = "nrefs:1|case:mixed|eff:no|tok:{}|smooth:exp|version:2.6.0"
SACREBLEU_1 = "BLEU+case.mixed+smooth.exp+tok.{}"
TEXTS = ["a b"], ["a b"]


def run_command(signature: str) -> None:
    if run(["score", "--dialect", signature, "hyp.txt", "ref.txt"]):
        raise ValueError("the command line rejected the signature")


READERS: dict[str, Any] = {
    "from_signature": BleuConfig.from_signature,
    "corpus_bleu": lambda signature: corpus_bleu(*TEXTS, signature),
    "sentence_bleu": lambda signature: sentence_bleu(*TEXTS, signature),
    "corpus_statistics": lambda signature: corpus_statistics(*TEXTS, signature),
    "score_dialects": lambda signature: score_dialects(*TEXTS, [signature]),
    "explain_difference": lambda signature: explain_difference(*TEXTS, "nltk", signature),
    "Accumulator": Accumulator,
    "pairwise_bleu": lambda signature: pairwise_bleu(["a"], ["b"], signature),
    "reward": lambda signature: reward(dialect=signature),
    "load": bleu_metric.load,
    "command line": run_command,
    "BleuStatistics.load": lambda signature: BleuStatistics.load(file_of(signature)),
    "BleuStatistics.from_table": lambda signature: BleuStatistics.from_table(parquet.read_table(file_of(signature))),
    "load_groups": lambda signature: load_groups(file_of(signature, groups=True)),
}


def file_of(signature: str, groups: bool = False) -> str:
    """A sealed file of statistics with this signature, as an attacker can write it."""
    statistics = corpus_statistics(*TEXTS)
    if groups:
        save_groups(statistics.group_by(["a"]), "counts.parquet")
    else:
        statistics.save("counts.parquet")
    table = parquet.read_table("counts.parquet")
    metadata = {**table.schema.metadata, b"bleu_metric.signature": signature.encode()}
    parquet.write_table(reseal(table.replace_schema_metadata(metadata)), "counts.parquet")
    return "counts.parquet"


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of all files that are opened, and of all hosts that are looked up."""
    monkeypatch.chdir(tmp_path)
    for name in ("secret.txt", "hyp.txt", "ref.txt"):
        Path(name).write_text("a b\n")
    events: list[str] = []
    listening = True

    def listen(event: str, arguments: tuple[Any, ...]) -> None:
        if listening and event in ("open", "socket.getaddrinfo", "socket.connect"):
            events.append(str(arguments[0]))

    sys.addaudithook(listen)  # a hook cannot be removed
    yield events
    listening = False


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("tokenizer", ["spm:secret.txt", "spm:../secret.txt", "flores200", "spBLEU-1K", "spm"])
def test_a_signature_opens_no_file_and_starts_no_download(reader: str, tokenizer: str, opened: list[str]) -> None:
    for form in (WITH_TOKENIZER, SACREBLEU_2, SACREBLEU_1):
        with pytest.raises(ValueError, match=r".") as raised:
            READERS[reader](form.format(tokenizer))
        if reader != "command line" and form == WITH_TOKENIZER:
            assert "a signature never" in str(raised.value)
            assert tokenizer.partition(":")[0] in str(raised.value)
    assert not any(name.endswith("secret.txt") or ".sacrebleu" in name for name in opened)


def test_the_signature_of_a_broken_file_is_not_read(opened: list[str]) -> None:
    for read, groups in ((BleuStatistics.load, False), (load_groups, True)):
        table = parquet.read_table(file_of(WITH_TOKENIZER.format("13a"), groups))
        signature = WITH_TOKENIZER.format("spm:secret.txt").encode()
        metadata = {**table.schema.metadata, b"bleu_metric.signature": signature}
        parquet.write_table(table.replace_schema_metadata(metadata), "counts.parquet")
        with pytest.raises(ValueError, match="the rows of this table are not those"):
            read("counts.parquet")
    assert not any(name.endswith("secret.txt") for name in opened)
