"""Nothing from data is run, files of others are checked, and what is printed cannot steer a terminal."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleu_metric
from bleu_metric import BleuConfig, BleuStatistics, corpus_statistics, load_groups, save_groups, score
from bleu_metric._statistics import merge_statistics
from bleu_metric._storage import _seal, table_facts
from bleu_metric.cli import main as cli

FOLDER = Path(bleu_metric.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
PREDICTIONS = ["a b c d e", "a b", "", "a b c d f", "x"]
REFERENCES = [["a b c d e", "a"], ["a b c"], ["a"], ["a b c d e f"], ["x", "y y"]]

# --- Nothing is run -------------------------------------------------------------------------------------------------

CALLS = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}
MODULES = """
    pickle cPickle marshal shelve dill cloudpickle joblib yaml runpy code codeop ctypes cffi subprocess pty socket ssl
    urllib http ftplib requests httpx xml xmlrpc webbrowser
""".split()
METHODS = "read_pickle unpickle literal_eval run_path run_module register_extension_type".split()
PROGRAMS = re.compile("system|popen|startfile|fork.*|exec.*|spawn.*|posix_spawn.*")  # of os
IMPORTERS = {"__init__.py", "_cli.py"}  # they import their own modules, by the names in a table of theirs


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
    import pickle

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
        command = [sys.executable, "-m", "bleu_metric", "score", name, name]
        ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == (1 if name in ("object.pkl", "object.npz") else 0), (name, ran.stderr)


# --- Statistics of others -------------------------------------------------------------------------------------------

WAYS: list[dict[str, Any]] = [
    {},
    {"reference_length": "average"},
    {"dialect": "nltk", "smoothing": "method7"},
    {"dialect": "ignite"},
]


def resealed(table: pa.Table, **facts: str) -> pa.Table:
    """As somebody writes it who knows how: the seal fits."""
    about = {**table_facts(table), **facts}
    about.pop("seal", None)
    about["seal"] = _seal(table, about)
    return table.replace_schema_metadata({f"bleu_metric.{key}": value for key, value in about.items()})


def forged(rows: int) -> Iterator[pa.Array]:
    """Columns that are no counts, or none of a text."""
    for value in (-1, 0, 7, 2**31, 2**53, 2**56 - 1, 2**62, 2**63 - 1, -(2**63)):
        yield pa.array([value] * rows)
    for kind in (pa.int8(), pa.int32(), pa.uint64(), pa.bool_(), pa.float64(), pa.decimal128(20), pa.string()):
        yield pa.array([1] * rows).cast(kind)
    yield from (pa.array([value] * rows) for value in (float("nan"), float("inf"), [1], {"a": 1}, b"1"))
    yield from (pa.nulls(rows), pa.array([None] * rows, pa.int64()), pa.array([1] * rows).dictionary_encode())
    yield pa.array([1] * rows).cast(pa.timestamp("s"))
    yield pa.ExtensionArray.from_storage(pa.opaque(pa.int64(), "count", "somebody"), pa.array([1] * rows))


def sound(statistics: BleuStatistics) -> None:
    """What was let in scores like a corpus, alone and added up."""
    for one in (statistics, statistics + statistics, merge_statistics([statistics] * 50)):
        result = score(one)
        assert 0 <= np.min(result.bleu) <= np.max(result.bleu) <= 1
        assert min(result.counts + result.totals) >= 0
        assert result.translation_length >= 0
        assert result.reference_length >= 0
        if one.config.smoothing != "method7":  # which adds one to the first
            assert all(0 <= share <= 1 for share in result.precisions)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("total", [False, True])
def test_forged_columns(way: dict[str, Any], total: bool, tmp_path: Path) -> None:
    path = tmp_path / "forged.parquet"
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, **way)
    if total and statistics.config.average == "corpus":
        statistics = statistics.total()
    table = statistics.to_table()
    refused = let_in = 0
    for place, name in enumerate(table.column_names):
        for column in forged(len(table)):
            parquet.write_table(resealed(table.set_column(place, name, column)), path)
            try:
                sound(BleuStatistics.load(path))
                let_in += 1
            except ValueError as error:
                assert str(path) in str(error)  # noqa: PT017
                refused += 1
        for changed in (table.drop_columns([name]), table.append_column(f"{name}_", table[name])):
            parquet.write_table(resealed(changed), path)
            with pytest.raises(ValueError, match=r"forged.parquet: the columns must be int64"):
                BleuStatistics.load(path)
    assert refused > 10 * let_in > 0  # some other reference length, or fewer matches, may well be


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"nrefs": "0-5"}, "'0' to '5' references"),
        ({"nrefs": "5-1"}, "'5' to '1' references"),
        ({"nrefs": "²-3"}, "'²' to '3' references"),
        ({"nrefs": "9" * 5000 + "-1"}, "references"),
        ({"total": "True"}, "n-grams do not go with|a total has one row"),
        ({"signature": ""}, "its metadata has no signature"),
        ({"signature": "a" * 100_000}, "counted by version unknown|signature"),
        ({"signature": BleuConfig().signature().replace("order:4", "order:" + "9" * 5000)}, "order|digits|max_order"),
        ({"signature": BleuConfig().signature().replace("order:4", "order:-4")}, "order"),
        ({"signature": BleuConfig().signature().replace("order:4", "order:900000000")}, "order|columns"),
        ({"groups": "True"}, "read them with load_groups"),
    ],
)
def test_forged_facts(facts: dict[str, str], why: str, tmp_path: Path) -> None:
    path = tmp_path / "forged.parquet"
    parquet.write_table(resealed(corpus_statistics(PREDICTIONS, REFERENCES).to_table(), **facts), path)
    with pytest.raises(ValueError, match=f"forged.parquet: (?s:.*)({why})"):
        BleuStatistics.load(path)


def test_sums_that_leave_64_bits(tmp_path: Path) -> None:
    """One file cannot, and many are noticed when they are added up."""
    table = corpus_statistics(["a b c d e"], ["a b c d e"]).total().to_table()
    place = table.column_names.index("reference_length")
    large = resealed(table.set_column(place, "reference_length", pa.array([2**56 - 1024])))
    statistics = BleuStatistics.from_table(large)
    assert score(merge_statistics([statistics] * 100)).reference_length == 100 * (2**56 - 1024)
    for copies in (129, 200, 300):  # 300: past 2**64, so that the sum is positive again
        with pytest.raises(ValueError, match=r"the counts add up to 2\*\*63 or more, or are negative, which no corp"):
            merge_statistics([statistics] * copies)
    rows = replace(statistics, table=np.repeat(statistics.table, 300, axis=0), is_total=False)
    with pytest.raises(ValueError, match=r"the counts add up to 2\*\*63 or more"):
        rows.by(["a"] * 300)
    with pytest.raises(ValueError, match=r"or are negative, which no corpus has"):
        score(replace(statistics, table=np.full((3, 10), -5), is_total=False))
    rows = corpus_statistics(["a"] * 3000, ["a"] * 3000, reference_length="average").to_table()
    many = resealed(rows.set_column(rows.num_columns - 1, "reference_length", pa.array([2**31 * 720719] * 3000)))
    with pytest.raises(ValueError, match=r"the counts of a column add up to more than any corpus has"):
        BleuStatistics.from_table(many)


def test_forged_groups(tmp_path: Path) -> None:
    """Labels that would drop a group or are none, numbers of references that no segment has, totals that are none."""
    path = tmp_path / "forged.parquet"
    save_groups(corpus_statistics(["a b", "c"], ["a b", "d"]).by(["x", "y"]), path)
    table = parquet.read_table(path)
    name = table.column_names[0]
    by_mean = BleuConfig(average="sentence").signature()
    forgeries = {
        "a label stands twice": table.set_column(0, name, pa.array(["x", "x"])),
        "one column of strings, int64 or booleans": table.set_column(0, name, pa.array([[1], [2]])),
        "booleans, got double": table.set_column(0, name, pa.array([1.0, float("nan")])),
        "booleans, got string": table.append_column(name, pa.array(["x", "y"])),
        "fewer references than one": table.set_column(1, table.column_names[1], pa.array([-5, 1])),
        "a fewest number above the most": table.set_column(1, table.column_names[1], pa.array([2, 1])),
    }
    for why, forgery in forgeries.items():
        parquet.write_table(resealed(forgery), path)
        with pytest.raises(ValueError, match=f"forged.parquet: .*{why}"):
            load_groups(path)
    parquet.write_table(resealed(table, signature=by_mean), path)
    with pytest.raises(ValueError, match=r"forged.parquet: .*the mean of sentence scores, which has no total"):
        load_groups(path)
    parquet.write_table(resealed(corpus_statistics(["a"], ["a"]).total().to_table(), signature=by_mean), path)
    with pytest.raises(ValueError, match=r"forged.parquet: .*the mean of sentence scores, which has no total"):
        BleuStatistics.load(path)


@settings(max_examples=300)
@given(
    changes=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=12),
    grouped=st.booleans(),
)
def test_changed_bytes(changes: list[tuple[int, int]], grouped: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file with some bytes changed is an error that names it, or holds the same statistics."""
    path = tmp_path_factory.getbasetemp() / "changed.parquet"
    statistics = corpus_statistics(PREDICTIONS, REFERENCES).total()
    save_groups({"a": statistics}, path) if grouped else statistics.save(path)
    content = bytearray(path.read_bytes())
    for at, byte in changes:
        content[at % len(content)] = byte
    path.write_bytes(content)
    try:
        loaded = load_groups(path)["a"] if grouped else BleuStatistics.load(path)
    except ValueError as error:
        assert str(path) in str(error)  # noqa: PT017
    else:
        assert loaded.table.tolist() == statistics.table.tolist()
        assert (loaded.config, loaded.nrefs, loaded.is_total) == (statistics.config, statistics.nrefs, True)


BOMB = """
import resource, sys
from bleu_metric import BleuStatistics
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), resource.RLIM_INFINITY))
try:
    BleuStatistics.load(sys.argv[1])
except ValueError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to RLIMIT_AS")
def test_a_small_file_of_many_rows_ends_in_an_error(tmp_path: Path) -> None:
    """It takes 8 bytes a number, as docs/security.md says; where they are not there, the error names the file."""
    path = tmp_path / "bomb.parquet"
    table = corpus_statistics(["a b c d e"], ["a b c d e"]).to_table()
    many = {name: np.repeat(table[name].to_numpy(), 8_000_000) for name in table.column_names}
    parquet.write_table(pa.table(many), path, compression="zstd")
    assert path.stat().st_size < 1 << 20
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", BOMB, str(path)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert f"{path} is not a whole file of BLEU statistics" in ran.stdout, ran.stderr


# --- What is printed ------------------------------------------------------------------------------------------------

# Sets a title, colours, moves, C1's own escape, delete, turns the direction, hides, breaks lines; marks of formats
HOSTILE = "\x1b]0;x\x07\x1b[31m\x9b2J\x7f\x00\u202e\u2066\u200b\u2028\x85\t\r\n|&%_#$~^{}`<b>*[\U000e0041"
NAME = HOSTILE.replace("\x00", "")  # no file has it


def unsafe(text: str) -> list[str]:
    """Characters that a terminal acts on, or that hide or turn what is shown; a line feed is none."""
    return [one for one in text if one != "\n" and unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp", "Cs")]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    line = f"a b {HOSTILE.replace(chr(10), '').replace(chr(13), '')} c"
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
    *(["score", A, "ref", "-f", form, *more] for form in ("text", "json", "tsv") for more in ([], ["-g", "labels"])),
    *(["score", A, f"ref{NAME}", "-f", form, "--confidence", "0.9"] for form in ("text", "json", "tsv")),
    *(["compare", A, B, "-r", "ref", "-f", form] for form in ("text", "json", "tsv", "markdown", "latex")),
    *(["compare", A, B, "-r", "ref", "-t", "none", "-f", form] for form in ("text", "json", "markdown", "latex")),
    ["dialects", A, "ref", "-f", "json"],
    ["explain", "nltk", "default", A, "ref"],
    ["report", A, B, "-r", "ref", "--title", HOSTILE.replace("\x00", ""), "-o", f"out{NAME}.html"],
    ["compare", A, B, "-r", "ref", "--plot", f"out{NAME}.svg"],
]
WRONG = [
    [NAME],
    ["score", NAME, "ref"],
    ["score", "ref", f"{NAME}/x"],
    ["score", "ref", "ref", f"--{NAME}"],
    ["score", "ref", "ref", f"-s{NAME}"],
    *(["score", "ref", "ref", option, NAME] for option in ("-d", "-f", "-g", "--plot", "--weights", "--tokenizer")),
    *(["score", "ref", "ref", option, NAME] for option in ("--max-order", "--smoothing-value", "--seed")),
    ["compare", "ref", "-r", "ref", "-t", NAME],
    ["compare", A, A, "-r", "ref"],
    ["report", "ref", "-r", "ref", "-o", f"no{NAME}/x"],
    ["score", "bad.jsonl", "ref"],
    ["score", "list.jsonl", "ref"],
    ["score", "key.jsonl", "ref"],
    ["score", f"key.jsonl:{NAME}", "ref"],
    ["score", f"ref:{NAME}", "ref"],
    ["score", f"latin{NAME}", "ref"],
    ["score", f"gz{NAME}.gz", "ref"],
    ["score", f"x{NAME}.csv", "ref"],
    ["score", "x.parquet", "ref"],
    ["score", f"x.parquet:{NAME}", "ref"],
    ["score", "x.parquet:b", f"x.parquet:{HOSTILE.replace(chr(0), '') * 2}"],
]


def run(arguments: list[str], folder: Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "BLEU_METRIC_THREADS": "1"}
    command = [sys.executable, "-m", "bleu_metric", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=False, timeout=60, **more)


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
        if 0 not in statuses:
            assert error.count("\n") == 1, error
    html = next(corpus.glob("out*.html")).read_text()
    assert unsafe(html.replace("\U000e0041", "")) == []
    assert "<b>*" not in html
    assert unsafe(next(corpus.glob("out*.svg")).read_text().replace("\U000e0041", "")) == []


def test_errors_are_escaped_at_one_door(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever library an error comes from."""
    assert cli._failed(1, "a\x1b[2J\u202e\nb\x9b") == 1
    assert capsys.readouterr().err == "bleu-metric: a\\x1b[2J\\u202e b\\x9b\n"


def test_on_a_terminal_all_escapes_are_its_own(corpus: Path) -> None:
    """Colours and bold of the program, and nothing else."""
    for arguments in (GOOD[0], ["compare", A, B, "-r", "ref"], ["score", NAME, "ref"]):
        ours, theirs = pty.openpty()
        run(arguments, corpus, stdout=theirs, stderr=theirs)
        os.close(theirs)
        printed = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # Linux ends a terminal so
                break
            if not part:
                break
            printed += part
        os.close(ours)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", printed.decode()).replace("\r\n", "\n")
        assert unsafe(plain) == [], plain
        assert len(plain) > 50


def test_formats_give_names_back(corpus: Path) -> None:
    """JSON as they were; TSV keeps its columns; Markdown and LaTeX mean what the name says."""

    def printed(form: str) -> str:
        return run(["compare", A, B, "-r", "ref", "-f", form], corpus, capture_output=True).stdout.decode()

    names = [one["system"] for one in json.loads(printed("json"))["systems"]]
    assert names == ["A" + NAME, "B" + NAME] or all(name in NAME + "AB" for name in names)
    lines = printed("tsv").splitlines()
    assert len(lines) == 3
    assert len({line.count("\t") for line in lines}) == 1
    shown = lines[1].split("\t")[0]
    row = next(line for line in printed("markdown").splitlines() if "31m" in line)
    cells = re.split(r"(?<!\\)(?:\\\\)*\|", row)
    assert len(cells) == 8
    assert re.sub(r"\\([\\`*<>\[\]|~&_])", r"\1", cells[1]).strip() == shown
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*<>\[|~&]", cells[1])
    row = next(line for line in printed("latex").splitlines() if "31m" in line)
    name = row.split(" & ")[0]
    assert row.count(" & ") == 5
    commands = r"\\textbackslash\{\}|\\textasciitilde\{\}|\\\^\{\}|\\ensuremath\{[<>]\}|\\[%_#$&{}]"
    assert not re.search(r"[\\%_#$&{}^~<>]", re.sub(commands, "", name))


def test_markdown_notes_keep_to_their_line() -> None:
    from bleu_metric.cli.output import as_note

    assert as_note("a", "markdown") == "\n`a`"
    assert as_note("a`b``c", "markdown") == "\n``` a`b``c ```"


# --- Dependencies ---------------------------------------------------------------------------------------------------


def _declared() -> dict[tuple[str, str], set[str]]:
    """Package and bound -> what it is for, from pyproject.toml."""
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10, where pytest brings it
        import tomli as tomllib
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared: dict[tuple[str, str], set[str]] = {}
    for extra, packages in {"always": project["dependencies"], **project["optional-dependencies"]}.items():
        for package in packages:
            name, bound = re.fullmatch(r"([\w.-]+(?:\[[\w,]+\])?)(.*)", package).groups()  # type: ignore[union-attr]
            declared.setdefault((name, bound), set()).add(extra)
    return declared


def test_documented_dependencies() -> None:
    rows = re.findall(
        r"^\| (\S+) \| (?:`(.*?)`)? ?\| (.*?) \| (.+?) \|$", (ROOT / "docs/security.md").read_text(), re.M
    )
    documented = {(name, bound): set(uses.split(", ")) for name, bound, uses, why in rows if name != "package" and why}
    documented.pop(("---", ""), None)
    assert documented == _declared()
