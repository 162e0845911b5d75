"""Totals of groups in one file: what is read is what was saved, and a wrong file is an error."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from corpora import LETTERS as PREDICTIONS
from corpora import LETTERS_REFERENCES as REFERENCES
from shards import same

from bleu_metric import BleuConfig, BleuStatistics, corpus_statistics, load_groups, save_groups, score


def groups() -> dict[Any, BleuStatistics]:
    parts = {"b": slice(0, 2), "a": slice(2, 4), None: slice(4, 5)}
    return {name: corpus_statistics(PREDICTIONS[rows], REFERENCES[rows]).sum() for name, rows in parts.items()}


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


ROWS = corpus_statistics(["a"], ["a"])
BY_CHARACTER = corpus_statistics(["a"], ["a"], tokenizer="char")
BY_MEAN = corpus_statistics(["a"], ["a"], "ignite")
NO_SUM = "is not a sum over segments"
WRONG: list[tuple[Any, type[Exception], str]] = [
    ({}, ValueError, "there are no groups to save"),
    ([ROWS], TypeError, "groups must be a dict from label to sum, got "),
    ({"a": 1}, TypeError, r"groups\['a'\] must be BleuStatistics, got int"),
    ({"a": ROWS}, ValueError, rf"groups\['a'\] {NO_SUM}: pass groups\['a'\].sum\(\)"),
    (BY_MEAN.group_by(["x"]), ValueError, rf"groups\['x'\] {NO_SUM}"),
    ({"a": ROWS.sum(), 1: ROWS.sum()}, TypeError, r"labels must be all strings .* got \['a', 1\]"),
    ({1: ROWS.sum(), 2.5: ROWS.sum()}, TypeError, r"labels must be all strings .* got \[1, 2.5\]"),
    ({np.uint64(2**63): ROWS.sum()}, TypeError, r"integers of up to 64 bits.* got .*9223372036854775808"),
    ({"a\ud800": ROWS.sum()}, TypeError, r"strings without surrogates, .* got \['a\\ud800'\]"),
    ({"a": ROWS.sum(), "b": BY_CHARACTER.sum()}, ValueError, "cannot be added: tokenizer: 13a != char"),
]


@pytest.mark.parametrize(("value", "error", "message"), WRONG)
def test_what_cannot_be_saved(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        save_groups(value, os.devnull)


def test_files_that_are_no_groups(tmp_path: Path) -> None:
    path = tmp_path / "groups.parquet"
    save_groups(groups(), path)
    table = parquet.read_table(path)
    parquet.write_table(table.set_column(0, "group", pa.array(["b", "a", "c"])), path)
    for config in (None, BleuConfig()):
        with pytest.raises(ValueError, match=r"groups.parquet: the rows of this table do not match"):
            load_groups(path, config)
    impossible = replace(ROWS.sum(), table=ROWS.sum().table + np.eye(1, ROWS.table.shape[1], dtype=np.int64))
    save_groups({"a": ROWS.sum(), "b": impossible}, path)
    with pytest.raises(ValueError, match=r"groups.parquet: these are not .*: in row 1, an order has more matches than"):
        load_groups(path)
    ROWS.save(path)
    with pytest.raises(ValueError, match=r"groups.parquet: this file was not written by save_groups: read it"):
        load_groups(path)
