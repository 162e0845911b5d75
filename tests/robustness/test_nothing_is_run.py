"""Nothing that data say is run: not from signatures, nor from files."""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
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

import bleu_metric
from bleu_metric import (
    BleuConfig,
    BleuStatistics,
    corpus_statistics,
    load_groups,
)

FOLDER = Path(bleu_metric.__file__).parent


ROOT = Path(__file__).resolve().parents[2]


PREDICTIONS = ["a b c d e", "a b", "", "a b c d f", "x"]


REFERENCES = [["a b c d e", "a"], ["a b c"], ["a"], ["a b c d e f"], ["x", "y y"]]


CALLS = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}


MODULES = """
    pickle cPickle marshal shelve dill cloudpickle joblib yaml runpy code codeop ctypes cffi subprocess pty socket ssl
    urllib http ftplib requests httpx xml xmlrpc webbrowser
""".split()


METHODS = "read_pickle unpickle literal_eval run_path run_module register_extension_type".split()


PROGRAMS = re.compile("system|popen|startfile|fork.*|exec.*|spawn.*|posix_spawn.*")  # of os


# They import by names that stand in the package: its own modules, and those of frameworks
IMPORTERS = {"__init__.py", "framework_scores.py", "_library.py"}


def dangers(source: str, name: str = "module.py") -> list[str]:
    """Every place of a source that could run what it read, start a program, or reach for the network."""
    found = []
    for node in ast.walk(ast.parse(source)):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module or ""]
        found += [f"{node.lineno}: import {one}" for one in modules if one.split(".")[0] in MODULES]  # type: ignore[attr-defined]
        if isinstance(node, ast.Name) and node.id in CALLS:
            found.append(f"{node.lineno}: {node.id}")
        if isinstance(node, ast.Attribute):
            of_os = isinstance(node.value, ast.Name) and node.value.id == "os" and PROGRAMS.fullmatch(node.attr)
            found += [f"{node.lineno}: .{node.attr}"] if of_os or node.attr in METHODS else []
        if isinstance(node, ast.Call):
            found += [f"{node.lineno}: {word.arg}" for word in node.keywords if word.arg in ("allow_pickle", "shell")]
        if isinstance(node, ast.Name) and node.id == "import_module" and name not in IMPORTERS:
            found.append(f"{node.lineno}: import_module")
    return found


def test_the_source_has_no_way_to_run_data() -> None:
    for path in FOLDER.rglob("*.py"):
        assert dangers(path.read_text(), path.name) == [], path.name


PLANTED = """
eval(text)|exec(text)|compile(text, "", "exec")|__import__(name)|import pickle|from pickle import loads|import yaml as y
os.system(text)|os.popen(text)|np.load(path, allow_pickle=True)|subprocess.run(a, shell=True)|import urllib.request
if x: import marshal|f = eval|ast.literal_eval(text)|pd.read_pickle(path)|import_module(name)
"""


@pytest.mark.parametrize("planted", [one for line in PLANTED.strip().splitlines() for one in line.split("|")])
def test_the_search_finds_what_it_looks_for(planted: str) -> None:
    assert dangers(planted)


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
