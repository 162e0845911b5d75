"""Statistics in files: round trips, files of others, and files that are never half written."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from corpora import LETTERS as PREDICTIONS
from corpora import LETTERS_REFERENCES as REFERENCES
from corpora import WAYS, random_corpus
from hypothesis import given
from hypothesis import strategies as st
from inner_doors import COUNTS_ALIKE, VERSION
from same_scores import facts, same
from waiting import HANGS

from bleu_metric import BleuConfig, BleuStatistics, corpus_statistics, score

ONE = corpus_statistics(["a"], ["a"])
OTHER = corpus_statistics(["a b"], ["a b"])


def shout(text: str) -> list[str]:
    return text.upper().split()


@given(st.integers(0, 2**32), st.sampled_from(WAYS), st.booleans())
def test_pickle_and_file_round_trips(tmp_path_factory: Any, seed: int, way: dict[str, Any], total: bool) -> None:
    statistics = corpus_statistics(*random_corpus(np.random.default_rng(seed), "text"), **way)
    if total and statistics.config.average == "corpus":
        statistics = statistics.sum()
    path = tmp_path_factory.mktemp("files") / "one.parquet"
    statistics.save(path)
    for copy in (pickle.loads(pickle.dumps(statistics)), BleuStatistics.load(path), BleuStatistics.load(str(path))):
        assert same(copy, statistics)
        assert score(copy) == score(statistics)


@pytest.mark.heavy
def test_every_damaged_byte_and_every_truncation_is_noticed(tmp_path: Path) -> None:
    """A change is an error that names the file, or it is in a byte that says nothing: the same statistics."""
    statistics = corpus_statistics(PREDICTIONS, REFERENCES)
    path = tmp_path / "statistics.parquet"
    statistics.save(path)
    right, whole = BleuStatistics.load(path), path.read_bytes()
    noticed = 0
    cut = [whole[:size] for size in range(0, len(whole), 7)]
    flipped = [whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :] for at in range(0, len(whole), 3)]
    for content in [*cut, *flipped, whole + b"x", whole + whole, os.urandom(3000), b"PAR1" + bytes(100) + b"PAR1"]:
        path.write_bytes(content)
        try:
            read = BleuStatistics.load(path)
        except ValueError as error:
            assert str(path) in str(error)  # noqa: PT017
            noticed += 1
        else:
            assert content not in cut
            assert facts(read) == facts(right)
    assert noticed > 0.5 * (len(cut) + len(flipped))


def test_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "foreign.parquet"
    parquet.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(ValueError, match=r"foreign.parquet: this Arrow table does not hold BLEU statistics"):
        BleuStatistics.load(path)
    path.write_text("hypothesis\n")
    with pytest.raises(ValueError, match=r"foreign.parquet is not a complete file of BLEU statistics \(11 bytes\)"):
        BleuStatistics.load(path)
    with pytest.raises(FileNotFoundError):
        BleuStatistics.load(tmp_path / "none.parquet")
    rows = corpus_statistics(PREDICTIONS, REFERENCES).to_table().replace_schema_metadata(None)
    parquet.write_table(rows, path)  # nobody says that these counts are whole
    with pytest.raises(ValueError, match=r"foreign.parquet: the rows of this table do not match"):
        BleuStatistics.load(path, BleuConfig())


def test_other_versions_and_formats(tmp_path: Path) -> None:
    assert VERSION in COUNTS_ALIKE
    table, path = ONE.to_table(), tmp_path / "older.parquet"
    for old, version in [(f"version:{VERSION}", "0.0.1"), (f"|version:{VERSION}", "unknown")]:
        new = old.replace(VERSION, "0.0.1") if version == "0.0.1" else ""
        metadata = {key: value.replace(old.encode(), new.encode()) for key, value in table.schema.metadata.items()}
        with pytest.raises(ValueError, match=rf"by version {version} of bleu_metric, but this is version {VERSION}"):
            BleuStatistics.from_table(table.replace_schema_metadata(metadata))
    # The checksums of older formats are others, but they are not damaged
    metadata = {key: value for key, value in table.schema.metadata.items() if not key.endswith(b"format")}
    parquet.write_table(table.replace_schema_metadata(metadata), path)
    for config in (None, ONE.config):
        with pytest.raises(ValueError, match=r"older.parquet: these statistics were saved by another version.*count"):
            BleuStatistics.load(path, config)
    config, counts = (pickle.dumps(value).replace(VERSION.encode(), b"0.0.1") for value in (BleuConfig(), ONE))
    assert pickle.loads(config).signature() == BleuConfig().signature()
    with pytest.raises(ValueError, match=rf"by version 0.0.1 of bleu_metric, but this is version {VERSION}"):
        pickle.loads(counts)


def test_tokenizers_that_are_functions(tmp_path: Path) -> None:
    path = tmp_path / "shout.parquet"
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, tokenizer=shout)
    statistics.save(path)
    assert same(pickle.loads(pickle.dumps(statistics)), statistics)
    with pytest.raises(ValueError, match=r"shout.parquet: a signature contains only.*pass .*config=BleuConfig\("):
        BleuStatistics.load(path)
    assert same(BleuStatistics.load(path, BleuConfig(tokenizer=shout)), statistics)
    with pytest.raises(ValueError, match=r"counted with tok:function-.*shout.*, but config is tok:13a"):
        BleuStatistics.load(path, BleuConfig())


def test_a_large_total_of_average_lengths(tmp_path: Path) -> None:
    """Its reference length is counted in 720720ths of a token."""
    one = corpus_statistics(["a b c d"], [["a b c d", "a b"]], reference_length="average").sum()
    large = BleuStatistics(one.table * 10**11, one.config, one.nrefs, one.is_sum)
    large.save(tmp_path / "large.parquet")
    assert score(BleuStatistics.load(tmp_path / "large.parquet")) == score(large)


def test_links_and_modes_are_kept(tmp_path: Path) -> None:
    goal, link = tmp_path / "goal", tmp_path / "link"
    link.symlink_to("goal")
    ONE.save(link)  # a link to nothing yet
    assert same(BleuStatistics.load(goal), ONE)
    goal.chmod(0o640)
    OTHER.save(link)
    assert link.is_symlink()
    assert same(BleuStatistics.load(goal), OTHER)
    assert goal.stat().st_mode & 0o777 == 0o640
    assert {*tmp_path.iterdir()} == {goal, link}


TO_STANDARD_OUTPUT = "from bleu_metric import corpus_statistics; corpus_statistics(['a'], ['a']).save('/dev/stdout')"


def test_pipes_and_devices_are_written_into(tmp_path: Path) -> None:
    """Pipes, devices, and a standard output that is a file without a name."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as executor:
        read = executor.submit(pipe.read_bytes)
        ONE.save(pipe)
        assert read.result(timeout=HANGS)[:4] == b"PAR1"
    assert pipe.is_fifo()
    ONE.save(os.devnull)
    assert not Path(os.devnull).is_file()
    with (tmp_path / "gone").open("wb+") as file:
        (tmp_path / "gone").unlink()
        subprocess.run([sys.executable, "-c", TO_STANDARD_OUTPUT], stdout=file, check=True)
        file.seek(0)
        assert file.read()[:4] == b"PAR1"
    assert [*tmp_path.iterdir()] == [pipe]


def test_errors_name_the_goal_and_not_the_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(IsADirectoryError, match=r"This path names a folder; pass the path of a file: '.*/new/'"):
        ONE.save(f"{tmp_path}/new/")
    with pytest.raises(IsADirectoryError, match=rf"Is a directory: '{tmp_path}'"):
        ONE.save(tmp_path)
    with pytest.raises(FileNotFoundError, match=rf"This folder does not exist; .*: '{tmp_path / 'none'}'"):
        ONE.save(tmp_path / "none" / "file")
    goal = tmp_path / "file"
    ONE.save(goal)
    with pytest.raises(NotADirectoryError, match=rf"Not a directory: '{goal / 'file'}'"):
        ONE.save(goal / "file")
    replaces = [(os, "replace"), (os, "rename"), (Path, "replace"), (Path, "rename")]
    failures = [
        (replaces, PermissionError(errno.EACCES, "Denied", "draft"), PermissionError, f"Denied: '{goal}'"),
        ([(os, "fsync")], OSError("odd"), OSError, f"odd: '{goal}'"),
        ([(os, "fsync")], KeyboardInterrupt("stop"), KeyboardInterrupt, "stop"),
    ]
    for functions, raised, kind, text in failures:
        with monkeypatch.context() as patched:
            for owner, name in functions:
                patched.setattr(owner, name, Mock(side_effect=raised))
            with pytest.raises(kind, match=text):
                OTHER.save(goal)
        assert same(BleuStatistics.load(goal), ONE)
        assert [*tmp_path.iterdir()] == [goal]
