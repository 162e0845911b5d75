"""What workers of Spark and Ray send adds up to one machine's integers; needs neither engine."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shards import assert_same_groups, corpus, grouped, on_one_machine, same

from bleu_metric import BleuConfig, corpus_statistics
from bleu_metric.scale.partial import Job, add_up, check_job, count_table, error_row, to_answer
from bleu_metric.scale.ray import count_block

ROWS = corpus(300)
TABLE = pa.Table.from_pylist(ROWS)


def job_by(by: str | None, **options: Any) -> Job:
    return check_job("predictions", "references", by, BleuConfig(**options))


@given(st.data(), st.sampled_from([None, "system", "number"]))
def test_any_partition_and_order(data: Any, by: str | None) -> None:
    job = job_by(by, reference_length="average")
    cuts = data.draw(st.lists(st.integers(1, len(ROWS) - 1), unique=True, max_size=8))
    edges = [0, *sorted(cuts), len(ROWS)]
    answers = [count_table(job, TABLE.slice(i, j - i)) for i, j in itertools.pairwise(edges)]
    answers = data.draw(st.permutations(answers))
    half = data.draw(st.integers(0, len(answers)))
    nested = [add_up(pa.concat_tables(some)) for some in (answers[:half], answers[half:]) if some]
    found = to_answer(job, pa.concat_tables(nested))
    if by is None:
        assert same(found, on_one_machine(ROWS, "predictions", "references", reference_length="average"))
    else:
        assert_same_groups(found, grouped(ROWS, by, reference_length="average"))


def test_tensors_of_arrow() -> None:
    """As newer versions of Ray keep arrays of one length."""
    ids = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    both = np.stack([ids, ids[:, ::-1]], axis=1)
    columns = [pa.FixedShapeTensorArray.from_numpy_ndarray(np.ascontiguousarray(one)) for one in (ids, both)]
    job = check_job("p", "r", None, BleuConfig(max_order=2))
    pixels = pa.FixedShapeTensorArray.from_numpy_ndarray(np.zeros((2, 1000, 1000), np.float32))  # are left alone
    counted = to_answer(job, count_block(job, pa.table([*columns, pixels], names=["p", "r", "image"])))
    assert (counted.table == corpus_statistics(ids, both.tolist(), max_order=2).sum().table).all()


class _Ragged(pa.ExtensionArray):
    def to_numpy(self, zero_copy_only: bool = True) -> Any:
        assert not zero_copy_only
        rows = self.storage.to_pylist()
        return np.array([None if row is None else np.array(row) for row in rows], object)


class _RaggedType(pa.ExtensionType):
    """As Ray keeps arrays of several lengths."""

    def __init__(self, storage: pa.DataType) -> None:
        super().__init__(storage, "ray.data.arrow_variable_shaped_tensor")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    def __arrow_ext_class__(self) -> Any:
        return _Ragged


def test_tensors_of_several_shapes() -> None:
    lists = [pa.array([[1, 2], [3, 4, 5]]), pa.array([[[1, 2], [2, 2]], [[3, 4, 6]]])]
    columns = [pa.ExtensionArray.from_storage(_RaggedType(own.type), own) for own in lists]
    job = check_job("p", "r", None, BleuConfig(max_order=1))
    counted = to_answer(job, count_block(job, pa.table(columns, names=["p", "r"])))
    assert counted.table.tolist() == [[4, 5, 5, 5]]
    with_null = pa.ExtensionArray.from_storage(columns[1].type, pa.array([[[1, 2]], None]))
    missing = pa.table([columns[0], with_null], ["p", "r"])
    with pytest.raises(ValueError, match=r"references\[1\] has no reference"):
        to_answer(job, count_block(job, missing))


def test_the_first_partition_with_an_error_is_named() -> None:
    job = job_by(None)
    error = ValueError("references[7] has no reference")
    parts = [error_row(job, error, f"partition {place}") for place in (9, 10, 11)]
    with pytest.raises(ValueError, match=r"^partition 9: references\[7\] has no reference \(3 partitions have such"):
        to_answer(job, pa.concat_tables([count_table(job, TABLE), *parts]))


def test_rows_of_one_kind_add_up() -> None:
    job = job_by(None, max_order=1)

    def answers(*rows: Any) -> pa.Table:
        tables = [pa.table({"predictions": [row], "references": [row]}) for row in rows]
        return pa.concat_tables([count_table(job, table) for table in tables])

    with pytest.raises(TypeError, match=r"rows are lists of tokens \(strings\) in some partitions and lists of token"):
        to_answer(job, add_up(pa.concat_tables([answers(["a"], []), answers([], [1])])))
    for rows, tokens in ((([1, 2], []), 2), (([], ["a"]), 1), (([], []), 0)):
        assert to_answer(job, answers(*rows)).table.tolist() == [[tokens] * 4]


def test_labels_that_are_not_utf8() -> None:
    labels = pa.StringArray.from_buffers(1, pa.py_buffer(np.array([0, 1], np.int32)), pa.py_buffer(b"\xff"))
    table = pa.table({"predictions": ["a"], "references": ["a"], "system": labels})
    with pytest.raises(ValueError, match=r"column 'system'\[0\] is not UTF-8"):
        count_table(job_by("system"), table)


REFUSED = [
    ({"smoothing": "method5"}, "smoothing='method5' needs the counts of the last segment"),
    ({"average": "sentence"}, "needs the counts of each segment, but a cluster adds up the counts of segments in any"),
]


@pytest.mark.parametrize(("options", "text"), REFUSED)
def test_options_that_sums_cannot_score_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        job_by(None, **options)


def test_labels_of_several_kinds_in_partitions() -> None:
    job = check_job("p", "r", "g", BleuConfig(max_order=1))
    tables = [pa.table({"p": ["a"], "r": ["a"], "g": [label]}) for label in ("1", "b", 1)]
    answers = pa.concat_tables([count_table(job, table) for table in tables])
    assert list(to_answer(job, answers)) == [1, "1", "b"]
    for label, kind in ((None, "NoneType"), (True, "bool")):
        table = pa.table({"p": ["a"], "r": ["a"], "g": [label]})
        with pytest.raises(TypeError, match=rf"column 'g'\[0\] is {label} \({kind}\); every segment needs a label"):
            count_table(job, table)


def test_columns_to_read() -> None:
    job = check_job("a.b", ["c.d", "c.e"], "f.g", BleuConfig())
    assert job.columns(["a", "a.b", "c", "f"]) == ["a.b", "c", "f"]


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_labels_of_other_types(kind: pa.DataType) -> None:
    column = TABLE["system"].combine_chunks().cast(kind)
    job = job_by("label")
    found = to_answer(job, count_table(job, TABLE.append_column("label", column)))
    assert_same_groups(found, grouped(ROWS, "system"))
