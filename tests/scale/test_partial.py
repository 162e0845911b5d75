"""What workers of Spark and Ray send adds up to one machine's integers; needs neither engine."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inner_doors import statistics_of_blocks
from shards import assert_same_groups, corpus, grouped, on_one_machine, same

from bleu_metric import corpus_statistics

ROWS = corpus(300)
TABLE = pa.Table.from_pylist(ROWS)


@given(st.data(), st.sampled_from([None, "system", "number"]))
def test_any_partition_and_order(data: Any, by: str | None) -> None:
    cuts = data.draw(st.lists(st.integers(1, len(ROWS) - 1), unique=True, max_size=8))
    edges = [0, *sorted(cuts), len(ROWS)]
    blocks = data.draw(st.permutations([TABLE.slice(i, j - i) for i, j in itertools.pairwise(edges)]))
    found = statistics_of_blocks(blocks, groups=by, reference_length="average")
    if by is None:
        assert same(found, on_one_machine(ROWS, "predictions", "references", reference_length="average"))
    else:
        assert_same_groups(found, grouped(ROWS, by, reference_length="average"))


def test_tensors_of_arrow() -> None:
    """As newer versions of Ray keep arrays of one length."""
    ids = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    both = np.stack([ids, ids[:, ::-1]], axis=1)
    columns = [pa.FixedShapeTensorArray.from_numpy_ndarray(np.ascontiguousarray(one)) for one in (ids, both)]
    pixels = pa.FixedShapeTensorArray.from_numpy_ndarray(np.zeros((2, 1000, 1000), np.float32))  # are left alone
    table = pa.table([*columns, pixels], names=["p", "r", "image"])
    counted = statistics_of_blocks([table], "p", "r", max_order=2)
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
    counted = statistics_of_blocks([pa.table(columns, names=["p", "r"])], "p", "r", max_order=1)
    assert counted.table.tolist() == [[4, 5, 5, 5]]
    with_null = pa.ExtensionArray.from_storage(columns[1].type, pa.array([[[1, 2]], None]))
    with pytest.raises(ValueError, match=r"references\[1\] has no reference"):
        statistics_of_blocks([pa.table([columns[0], with_null], ["p", "r"])], "p", "r")


def test_rows_of_one_kind_add_up() -> None:
    def count(*rows: Any) -> Any:
        return statistics_of_blocks([pa.table({"p": [row], "r": [row]}) for row in rows], "p", "r", max_order=1)

    with pytest.raises(ValueError, match=r"tokenizer: 13a != none"):
        count("a", ["a"])
    for rows, tokens in ((([1, 2], []), 2), (([], ["a"]), 1), (([], []), 0)):
        assert count(*rows).table.tolist() == [[tokens] * 4]


REFUSED = [
    ({"smoothing": "method5"}, "smoothing='method5' needs the counts of the last segment"),
    ({"average": "sentence"}, "needs the counts of each segment, but a cluster adds up the counts of segments in any"),
]


@pytest.mark.parametrize(("options", "text"), REFUSED)
def test_options_that_sums_cannot_score_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        statistics_of_blocks([TABLE], **options)


def test_labels() -> None:
    tables = [pa.table({"p": ["a"], "r": ["a"], "g": [label]}) for label in ("1", "b", 1)]
    assert list(statistics_of_blocks(tables, "p", "r", "g")) == [1, "1", "b"]
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        column = TABLE["system"].combine_chunks().cast(kind)
        found = statistics_of_blocks([TABLE.append_column("label", column)], groups="label")
        assert_same_groups(found, grouped(ROWS, "system"))
    not_utf8 = pa.StringArray.from_buffers(1, pa.py_buffer(np.array([0, 1], np.int32)), pa.py_buffer(b"\xff"))
    for label, error, text in [
        (pa.nulls(1), TypeError, r"groups\[0\] is None \(NoneType\); every segment needs a label"),
        ([True], TypeError, r"groups\[0\] is True \(bool\); every segment needs a label"),
        (not_utf8, ValueError, r"groups\[0\] is not UTF-8"),
    ]:
        with pytest.raises(error, match=text):
            statistics_of_blocks([pa.table({"p": ["a"], "r": ["a"], "g": label})], "p", "r", "g")
