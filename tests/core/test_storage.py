"""Statistics kept: laws of merging, pickles, files, and every way in which a file can be wrong."""

from __future__ import annotations

import errno
import itertools
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from corpora import random_corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_metric import DIALECTS, BleuConfig, BleuStatistics, corpus_statistics, load_groups, save_groups, score
from bleu_metric._config import COUNTS_ALIKE, VERSION, describe_differences
from bleu_metric._storage import write_atomically

PREDICTIONS = ["a b c d e", "a b", "", "a b c d f", "x"]
REFERENCES = [["a b c d e", "a"], ["a b c"], ["a"], ["a b c d e f"], ["x", "y y"]]
WAYS: list[dict[str, Any]] = [
    *({"dialect": dialect} for dialect in DIALECTS),
    {"reference_length": "average", "smoothing": "add-k", "smoothing_value": 0.3},
    {"dialect": "nltk", "smoothing": "method7"},
    {"dialect": "nltk", "smoothing": "method5", "max_order": 2},
    {"weights": [[1.0], [0.5, 0.5]]},
]


def shout(text: str) -> list[str]:
    return text.upper().split()


def same(one: BleuStatistics, other: BleuStatistics) -> bool:
    facts = [(s.table.tolist(), s.config, s.nrefs, s.is_total) for s in (one, other)]
    return facts[0] == facts[1]


def nested(parts: list[BleuStatistics], draw: Any) -> BleuStatistics:
    """Add up in an order of brackets that Hypothesis draws."""
    if len(parts) == 1:
        return parts[0]
    cut = draw(st.integers(1, len(parts) - 1))
    return nested(parts[:cut], draw) + nested(parts[cut:], draw)


@settings(max_examples=150)
@given(st.data(), st.integers(0, 2**32), st.sampled_from(WAYS))
def test_any_split_order_and_nesting_gives_the_same(data: Any, seed: int, way: dict[str, Any]) -> None:
    """Rows keep their order where the score depends on it; everything else may be shuffled."""
    predictions, references = random_corpus(np.random.default_rng(seed), "text")
    whole = corpus_statistics(predictions, references, **way)
    cuts = data.draw(st.lists(st.integers(1, len(predictions)), unique=True, max_size=5))
    edges = sorted({0, len(predictions), *cuts})
    stretches = list(itertools.pairwise(edges))
    if not whole.config.depends_on_segment_order:
        stretches = data.draw(st.permutations(stretches))
    parts = [corpus_statistics(predictions[i:j], references[i:j], **way) for i, j in stretches]
    if whole.config.average == "corpus":
        parts = [part.total() if data.draw(st.booleans()) else part for part in parts]
        merged = nested(parts, data.draw)
        assert merged.total().table.tolist() == whole.total().table.tolist()
        assert (merged.nrefs, score(merged)) == (whole.nrefs, score(whole))
    else:
        merged = nested(parts, data.draw)
        assert sorted(merged.table.tolist()) == sorted(whole.table.tolist())
        assert score(merged).bleu == pytest.approx(score(whole).bleu, rel=1e-12)
    added = parts[0]
    for part in parts[1:]:
        added += part
    assert same(added, sum(parts))  # type: ignore[arg-type]
    assert same(added, merged)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(WAYS), st.booleans())
def test_pickle_and_file_round_trips(tmp_path_factory: Any, seed: int, way: dict[str, Any], total: bool) -> None:
    statistics = corpus_statistics(*random_corpus(np.random.default_rng(seed), "text"), **way)
    if total and statistics.config.average == "corpus":
        statistics = statistics.total()
    path = tmp_path_factory.mktemp("files") / "one.parquet"
    statistics.save(path)
    for copy in (pickle.loads(pickle.dumps(statistics)), BleuStatistics.load(path), BleuStatistics.load(str(path))):
        assert same(copy, statistics)
        assert score(copy) == score(statistics)


def test_files_are_compact_and_open_elsewhere(tmp_path: Path) -> None:
    statistics = corpus_statistics(PREDICTIONS * 2000, REFERENCES * 2000)
    statistics.save(tmp_path / "rows.parquet")
    assert (tmp_path / "rows.parquet").stat().st_size < 0.1 * statistics.table.nbytes
    table = parquet.read_table(tmp_path / "rows.parquet")
    assert table["matches_1"].to_pylist() == statistics.table[:, 0].tolist()
    assert table.schema.metadata[b"bleu_metric.signature"].decode() == statistics.config.signature()
    packed = parquet.read_metadata(tmp_path / "rows.parquet").row_group(0).column(0)
    assert packed.compression == "ZSTD"


def error_of(path: Path) -> str | None:
    try:
        BleuStatistics.load(path)
    except ValueError as error:
        return str(error)
    return None


def test_every_damaged_byte_and_every_cut_is_noticed(tmp_path: Path) -> None:
    """A change is an error that names the file, or it is in a byte that says nothing: the same statistics."""
    statistics = corpus_statistics(PREDICTIONS, REFERENCES)
    path = tmp_path / "statistics.parquet"
    statistics.save(path)
    whole = path.read_bytes()
    noticed = 0
    cut = [whole[:size] for size in range(0, len(whole), 7)]
    flipped = [whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :] for at in range(0, len(whole), 3)]
    for content in [*cut, *flipped, whole + b"x", os.urandom(3000), b"PAR1" + bytes(100) + b"PAR1"]:
        path.write_bytes(content)
        error = error_of(path)
        if error is None:
            assert content not in cut
            assert same(BleuStatistics.load(path), statistics)
        else:
            assert str(path) in error
            noticed += 1
    assert noticed > 0.5 * (len(cut) + len(flipped))


def test_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "foreign.parquet"
    parquet.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(ValueError, match=r"foreign.parquet: this Arrow table does not hold BLEU statistics"):
        BleuStatistics.load(path)
    with pytest.raises(ValueError, match=r"foreign.parquet: this Arrow table does not hold BLEU statistics"):
        load_groups(path)
    path.write_text("hypothesis\n")
    with pytest.raises(ValueError, match=r"foreign.parquet is not a whole file of BLEU statistics \(11 bytes\)"):
        BleuStatistics.load(path)
    with pytest.raises(FileNotFoundError):
        BleuStatistics.load(tmp_path / "none.parquet")
    rows = corpus_statistics(PREDICTIONS, REFERENCES).to_table().replace_schema_metadata(None)
    parquet.write_table(rows, path)  # nobody says that these counts are whole
    with pytest.raises(ValueError, match=r"foreign.parquet: the rows of this table are not those"):
        BleuStatistics.load(path, BleuConfig())


def test_other_versions(tmp_path: Path) -> None:
    assert VERSION in COUNTS_ALIKE
    table = corpus_statistics(PREDICTIONS, REFERENCES).to_table()
    for old, version in [(f"version:{VERSION}", "0.0.1"), (f"|version:{VERSION}", "unknown")]:
        new = old.replace(VERSION, "0.0.1") if version == "0.0.1" else ""
        metadata = {key: value.replace(old.encode(), new.encode()) for key, value in table.schema.metadata.items()}
        with pytest.raises(ValueError, match=rf"counted by version {version} of bleu_metric, this is {VERSION}"):
            BleuStatistics.from_table(table.replace_schema_metadata(metadata))


def test_tables_put_together_or_cut_are_noticed() -> None:
    one, other = corpus_statistics(["a"], ["a"]), corpus_statistics(["a"], [["b", "c"]], tokenizer="char")
    for changed in (pa.concat_tables([one.to_table(), other.to_table()]), one.to_table().slice(0, 0)):
        with pytest.raises(ValueError, match=r"put together from several tables, cut, or damaged. Add statistics up"):
            BleuStatistics.from_table(changed)
    alike = BleuStatistics.from_table(pa.concat_tables([one.to_table()] * 2), one.config)
    assert len(alike) == 2
    assert alike.nrefs == (0, 0)  # the metadata speaks of the first table alone


IMPOSSIBLE = [
    ({}, "matches_1", 9, "more matches than n-grams"),
    ({}, "matches_1", 3, "more matches than n-grams"),  # one more
    ({}, "matches_1", -1, "a count is negative"),
    ({}, "totals_2", 9, "the numbers of n-grams do not go with the translation length"),
    ({}, "translation_length", 9, "the numbers of n-grams do not go with the translation length"),
    ({}, "reference_length", 2**31, r"a text has 2\*\*31 tokens or more"),
    ({"dialect": "nltk"}, "totals_1", 9, "the numbers of n-grams do not go with the translation length"),
    ({"smoothing": "method5"}, "last_matches_5", 2, "more matches than 5-grams"),
    ({"smoothing": "method5"}, "last_totals_5", 2, "the last segment's 5-grams do not go with its length"),
]
IMPOSSIBLE_TOTALS = [
    ("totals_1", 14, "do not go with the translation length"),
    ("totals_4", 9, "do not go with the translation length"),
    ("totals_3", 8, "do not go with the translation length"),
    ("totals_3", 7, "do not go with the translation length"),  # one more text has four words than has three
]


@pytest.mark.parametrize(("way", "column", "value", "why"), IMPOSSIBLE)
def test_counts_that_no_text_has(way: dict[str, Any], column: str, value: int, why: str) -> None:
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, **way)
    table = statistics.to_table()
    place = table.column_names.index(column)
    values = [*table[column].to_pylist()[:1], value, *table[column].to_pylist()[2:]]
    with pytest.raises(ValueError, match=f"not BLEU statistics: in row 1, .*{why}"):
        BleuStatistics.from_table(table.set_column(place, column, pa.array(values)), statistics.config)


@pytest.mark.parametrize(("column", "value", "why"), IMPOSSIBLE_TOTALS)
def test_totals_that_no_corpus_has(column: str, value: int, why: str) -> None:
    statistics = corpus_statistics(PREDICTIONS, REFERENCES).total()
    table = statistics.to_table()
    place = table.column_names.index(column)
    with pytest.raises(ValueError, match=f"in row 0, .*{why}"):
        BleuStatistics.from_table(table.set_column(place, column, pa.array([value])), statistics.config)


def test_last_segment_within_the_corpus() -> None:
    alone = corpus_statistics(PREDICTIONS[:1], REFERENCES[:1], smoothing="method7").total()
    assert BleuStatistics.from_table(alone.to_table()).table.tolist() == alone.table.tolist()
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, smoothing="method7").total()
    table = statistics.table.copy()
    table[0, -3:] = 0, 96, 100
    with pytest.raises(ValueError, match=r"the last segment's length does not go with the translation length"):
        BleuStatistics.from_table(replace(statistics, table=table).to_table())


def test_tokenizers_that_are_functions(tmp_path: Path) -> None:
    path = tmp_path / "shout.parquet"
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, tokenizer=shout)
    statistics.save(path)
    assert same(pickle.loads(pickle.dumps(statistics)), statistics)
    with pytest.raises(ValueError, match=r"shout.parquet: a signature cannot bring back.*pass .*config=BleuConfig\("):
        BleuStatistics.load(path)
    assert same(BleuStatistics.load(path, BleuConfig(tokenizer=shout)), statistics)
    with pytest.raises(ValueError, match=r"counted by tok:function-.*shout.*, not by tok:13a"):
        BleuStatistics.load(path, BleuConfig())


def test_differing_choices_are_named_and_no_others() -> None:
    one = corpus_statistics(["a"], ["a"])
    with pytest.raises(ValueError, match=r"do not add up: tokenizer: 13a != intl; count both with the same options"):
        one + corpus_statistics(["a"], ["a"], tokenizer="intl")
    with pytest.raises(ValueError, match=r"do not add up: lowercase: False != True, smoothing: none != exp; count"):
        sum([one, corpus_statistics(["a"], ["a"], lowercase=True, smoothing="exp")])
    twins = [BleuConfig(tokenizer=lambda text: text.split()) for _ in range(2)]
    assert describe_differences(*twins).endswith("<lambda> (another function)")


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "statistics.parquet"
    statistics = corpus_statistics(PREDICTIONS, REFERENCES)
    statistics.save(path)
    code = f"""
import os, signal
from pathlib import Path
from bleu_metric import corpus_statistics
Path.replace = lambda self, goal: os.kill(os.getpid(), signal.SIGKILL)
corpus_statistics(["a"], ["a"]).save({str(path)!r})
"""
    ran = subprocess.run([sys.executable, "-c", code], check=False)
    assert ran.returncode != 0
    assert same(BleuStatistics.load(path), statistics)


def test_a_failed_writer_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(OSError, match="no space left"):
        corpus_statistics(["a"], ["a"]).save(tmp_path / "statistics.parquet")
    assert list(tmp_path.iterdir()) == []


def _kept(folder: Path, *names: str) -> bool:
    return sorted(one.name for one in folder.iterdir()) == sorted(names)


def test_links_and_modes_are_kept(tmp_path: Path) -> None:
    goal, link = tmp_path / "goal", tmp_path / "link"
    link.symlink_to("goal")
    write_atomically(link, b"new")  # a link to nothing yet
    goal.chmod(0o640)
    write_atomically(link, b"newer")
    assert link.is_symlink()
    assert (goal.read_bytes(), goal.stat().st_mode & 0o777) == (b"newer", 0o640)
    assert _kept(tmp_path, "goal", "link")


def test_what_is_no_file_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as executor:
        read = executor.submit(pipe.read_bytes)
        corpus_statistics(["a"], ["a"]).save(pipe)
        assert read.result(timeout=20)[:4] == b"PAR1"
    assert pipe.is_fifo()
    write_atomically(os.devnull, b"nothing")
    assert not Path(os.devnull).is_file()
    code = "from bleu_metric._storage import write_atomically; write_atomically('/dev/stdout', b'said')"
    assert subprocess.check_output([sys.executable, "-c", code]) == b"said"
    with (tmp_path / "gone").open("wb+") as file:
        (tmp_path / "gone").unlink()
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
        assert file.read() == b"said"
    assert _kept(tmp_path, "pipe")


def test_errors_name_the_goal_and_not_the_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(IsADirectoryError, match=rf"This is a folder; give the name of a file: '{tmp_path}'"):
        write_atomically(tmp_path, b"")
    with pytest.raises(FileNotFoundError, match=rf"No such folder: '{tmp_path / 'none'}'"):
        write_atomically(tmp_path / "none" / "file", b"")
    goal = tmp_path / "file"
    goal.write_bytes(b"old")
    with pytest.raises(NotADirectoryError, match=rf"Not a directory: '{goal / 'file'}'"):
        write_atomically(goal / "file", b"")
    failures = [
        (Path, "replace", PermissionError(errno.EACCES, "Denied", "draft"), PermissionError, f"Denied: '{goal}'"),
        (os, "fsync", OSError("odd"), OSError, f"odd: '{goal}'"),
        (os, "fsync", KeyboardInterrupt("stop"), KeyboardInterrupt, "stop"),
    ]
    for owner, name, raised, kind, text in failures:
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, Mock(side_effect=raised))
            with pytest.raises(kind, match=text):
                write_atomically(goal, b"new")
        assert goal.read_bytes() == b"old"
        assert _kept(tmp_path, "file")


def groups() -> dict[Any, BleuStatistics]:
    parts = {"b": slice(0, 2), "a": slice(2, 4), None: slice(4, 5)}
    return {name: corpus_statistics(PREDICTIONS[rows], REFERENCES[rows]).total() for name, rows in parts.items()}


@pytest.mark.parametrize("labels", [["b", "a", None], [7, -1, None], [True, False, None], [np.int64(3), 4, 5]])
def test_groups_in_one_file(labels: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "groups.parquet"
    kept = dict(zip(labels, groups().values(), strict=True))
    save_groups(kept, path)
    read = load_groups(path)
    assert list(read) == labels
    assert all(same(read[label], kept[label]) for label in labels)
    merged = sum(read.values())
    assert score(merged) == score(corpus_statistics(PREDICTIONS, REFERENCES))  # type: ignore[arg-type]


def test_errors_of_groups(tmp_path: Path) -> None:
    path = tmp_path / "groups.parquet"
    rows = corpus_statistics(["a"], ["a"])
    wrong: list[tuple[Any, type[Exception], str]] = [
        ({}, ValueError, "there are no groups to save"),
        ([rows], TypeError, "groups must be a dict from label to total, got list"),
        ({"a": 1}, TypeError, r"groups\['a'\] must be BleuStatistics, got int"),
        ({"a": rows}, ValueError, r"groups\['a'\] has a row per segment; give groups\['a'\].total\(\)"),
        ({"a": rows.total(), 1: rows.total()}, TypeError, "labels must be all strings, .* got int, str"),
        ({1.5: rows.total()}, TypeError, "labels must be .* got float"),
        ({2**70: rows.total(), None: rows.total()}, ValueError, r"up to 64 bits, got 1180591620717411303424; use str"),
        ({np.uint64(2**63): rows.total()}, ValueError, r"labels must be numbers of up to 64 bits, got "),
        ({"a\ud800": rows.total()}, ValueError, r"labels must be whole characters, got 'a\\ud800', which has a lone"),
        (
            corpus_statistics(["a"], ["a"], "ignite").by(["x"]),
            ValueError,
            r"groups\['x'\] is scored by the mean of its",
        ),
        (
            {"a": rows.total(), "b": corpus_statistics(["a"], ["a"], tokenizer="char").total()},
            ValueError,
            "do not add up: tokenizer: 13a != char",
        ),
    ]
    for value, error, message in wrong:
        with pytest.raises(error, match=message):
            save_groups(value, path)
    save_groups(groups(), path)
    with pytest.raises(ValueError, match=r"groups.parquet: these are the totals of groups: read them with load_gr"):
        BleuStatistics.load(path)
    table = parquet.read_table(path)
    parquet.write_table(table.set_column(0, "group", pa.array(["b", "a", "c"])), path)
    with pytest.raises(ValueError, match=r"groups.parquet: the rows of this table are not those"):
        load_groups(path)
    impossible = replace(rows.total(), table=rows.total().table + np.eye(1, rows.table.shape[1], dtype=np.int64))
    save_groups({"a": rows.total(), "b": impossible}, path)
    with pytest.raises(
        ValueError, match=r"groups.parquet: these are not BLEU statistics: in row 1, an order has more m"
    ):
        load_groups(path)
    rows.save(path)
    with pytest.raises(
        ValueError, match=r"groups.parquet: this file does not hold totals of groups: read it with Bleu"
    ):
        load_groups(path)
