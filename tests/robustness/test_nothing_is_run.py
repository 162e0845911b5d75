"""Nothing that data say is run: not from signatures, nor from files."""

from __future__ import annotations

import contextlib
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from inner_doors import reseal

import bleu_metric
from bleu_metric import (
    Accumulator,
    BleuConfig,
    BleuStatistics,
    corpus_bleu,
    corpus_statistics,
    explain_difference,
    pairwise_bleu,
    reward,
    score_dialects,
)
from bleu_metric.cli.main import run

TEXTS = ["a b"], ["a b"]


class Payload:
    """An object whose pickle writes a file where it is read."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> Any:
        return Path.touch, (self.trace,)


def test_files_run_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parquet with a pickled extension type (CVE-2023-47248), pickles, and NumPy archives."""
    monkeypatch.chdir(tmp_path)
    pickled = pickle.dumps(Payload(tmp_path / "trace"))
    hidden = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": pickled}
    for name, table in {"counts": corpus_statistics(*TEXTS).to_table(), "texts": pa.table({"text": ["a b"]})}.items():
        fields = [field.with_metadata(hidden) for field in table.schema]
        metadata = {**(table.schema.metadata or {}), b"pandas": pickled}
        parquet.write_table(table.cast(pa.schema(fields, metadata)), f"{name}.parquet")
    Path("object.pkl").write_bytes(pickled)
    np.savez("object.npz", np.array([Payload(tmp_path / "trace")], dtype=object))
    for path in ("counts.parquet", "texts.parquet", "object.pkl", "object.npz"):
        with contextlib.suppress(ValueError):
            BleuStatistics.load(path)
        run(["score", path, path])
    assert not Path("trace").exists()


WITH_TOKENIZER = "tok:{}|case:mixed|order:4|weights:uniform|smooth:none|ref:closest|eff:no|avg:corpus|version:0.1.0"
FORMS = (
    WITH_TOKENIZER,
    "nrefs:1|case:mixed|eff:no|tok:{}|smooth:exp|version:2.6.0",
    "BLEU+case.mixed+smooth.exp+tok.{}",
)

# Each of the ways in which a signature comes in
READERS: dict[str, Any] = {
    "from_signature": BleuConfig.from_signature,
    "corpus_bleu": lambda signature: corpus_bleu(*TEXTS, signature),
    "score_dialects": lambda signature: score_dialects(*TEXTS, [signature]),
    "explain_difference": lambda signature: explain_difference(*TEXTS, "nltk", signature),
    "Accumulator": Accumulator,
    "pairwise_bleu": lambda signature: pairwise_bleu(["a"], ["b"], signature),
    "reward": lambda signature: reward(dialect=signature),
    "load": bleu_metric.load,
    "BleuStatistics.load": lambda signature: BleuStatistics.load(file_of(signature)),
}


def file_of(signature: str) -> str:
    """A sealed file of statistics with this signature, as an attacker can write it."""
    corpus_statistics(*TEXTS).save("counts.parquet")
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
    for form in FORMS:
        with pytest.raises(ValueError, match="a signature never" if form == WITH_TOKENIZER else ".") as raised:
            READERS[reader](form.format(tokenizer))
        assert form != WITH_TOKENIZER or tokenizer.partition(":")[0] in str(raised.value)
        assert run(["score", "--dialect", form.format(tokenizer), "hyp.txt", "ref.txt"]) == 2
    assert not any(name.endswith("secret.txt") or ".sacrebleu" in name for name in opened)


def test_the_signature_of_a_broken_file_is_not_read(opened: list[str]) -> None:
    table = parquet.read_table(file_of(WITH_TOKENIZER.format("13a")))
    signature = WITH_TOKENIZER.format("spm:secret.txt").encode()
    metadata = {**table.schema.metadata, b"bleu_metric.signature": signature}
    parquet.write_table(table.replace_schema_metadata(metadata), "counts.parquet")
    with pytest.raises(ValueError, match="the rows of this table do not match"):
        BleuStatistics.load("counts.parquet")
    assert not any(name.endswith("secret.txt") for name in opened)
