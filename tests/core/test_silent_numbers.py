"""Inputs that once gave a wrong number, or an error that led astray."""

from __future__ import annotations

import contextlib
import time
from itertools import permutations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from inner_doors import find_column, limit_batches
from waiting import meanwhile

from bleu_metric import corpus_bleu, corpus_statistics, evaluate_dataset, score_groups


def _strings(texts: list[bytes]) -> pa.Array:
    """An Arrow array of strings as a file may hold it: Arrow does not check the bytes."""
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(offsets), pa.py_buffer(b"".join(texts)))


def _one_list_each(texts: pa.Array) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(range(len(texts) + 1), pa.int32()), texts)


# A wide space across two rows, a single byte of Latin-1, a surrogate, an overlong form
@pytest.mark.parametrize("second", [b"\xe2", b"caf\xe9", b"\xed\xa0\x80", b"\xc0\x80"])
def test_arrow_strings_that_are_not_utf8_are_refused(second: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_batches(monkeypatch, 1)
    monkeypatch.setenv("BLEU_METRIC_THREADS", "1")  # the first wrong row is met first
    texts = [b"a", second, b"\x80\xa8"]
    strings = _strings(texts)
    views = b"".join(len(text).to_bytes(4, "little") + text.ljust(12, b"\0") for text in texts)
    string_views = pa.Array.from_buffers(pa.string_view(), 3, [None, pa.py_buffer(views)])
    columns = [strings, strings.dictionary_encode(), string_views, _strings([b"x", *texts])[1:]]
    columns += [pa.chunked_array([strings[:1], strings[1:]]), _one_list_each(strings), _one_list_each(string_views)]
    for bad in columns:
        good = [["a"]] * 3 if pa.types.is_list(bad.type) else ["a"] * 3
        with pytest.raises(ValueError, match=r"^predictions\[1\] is not UTF-8; decode the bytes first"):
            corpus_bleu(bad, good)
        with pytest.raises(ValueError, match=r"^references\[1\] is not UTF-8"):
            corpus_bleu(good, bad)
    with pytest.raises(ValueError, match=r"^groups\[1\] is not UTF-8"):
        score_groups(corpus_statistics(good, good), strings)
    assert corpus_bleu(_strings([b"\xff", b"a b", b"\xff"])[1:2], ["a b"], max_order=1).bleu == 1, "of no other row"


def test_bytes_that_change_during_a_call_are_an_error_that_says_so() -> None:
    text = bytearray(b"a" * 20_000)
    offsets = pa.py_buffer(np.arange(20_001, dtype=np.int32))
    column = pa.Array.from_buffers(pa.string(), 20_000, [None, offsets, pa.py_buffer(text)])

    def write() -> None:
        time.sleep(0.0005)
        text[-1] ^= 0x80

    def score_again() -> None:
        for _ in range(300):
            with contextlib.suppress(ValueError):
                corpus_bleu(column, column)

    with meanwhile(write), pytest.raises(RuntimeError, match="the data changed during the call: another thread"):
        score_again()


def test_names_of_columns_may_have_dots() -> None:
    table = pa.table({"a": [{"b": {"c": "1"}, "[0]": "2"}], "a.b.c": ["3"], "a.x": ["4"], ".q": ["5"]})
    paths = {"a.[0]": "2", "a.b.c": "3", "a.x": "4", ".q": "5"}
    assert {path: find_column(table, path)[0].as_py() for path in paths} == paths
    assert find_column(table.drop_columns("a.b.c"), "a.b.c")[0].as_py() == "1"
    for wrong in ("a.b.d", "a.b.c.d", "a.", "a..b", ""):
        with pytest.raises(ValueError, match="unknown column"):
            find_column(table, wrong)


class _Stream:
    """What `evaluate_dataset` needs of a stream, whose batches may be of any type."""

    def __init__(self, *batches: pa.Table) -> None:
        self.batches = batches

    def with_format(self, _format: str) -> _Stream:
        return self

    def iter(self, batch_size: int) -> Any:
        return iter(self.batches)


def test_a_column_name_that_occurs_twice_is_refused() -> None:
    twice = pa.table([["a b"], ["a c"]], names=["x", "x"])
    struct = pa.StructArray.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["x", "x"])
    for table, path in ((twice, "x"), (pa.table({"s": struct}), "s.x")):
        for references in (path, [path, path]):
            with pytest.raises(ValueError, match=rf"column '{path}': the name 'x' occurs 2 times; rename"):
                evaluate_dataset(_Stream(table), path, references)


def _batch(texts: list[Any]) -> pa.Table:
    return pa.table({"predictions": texts, "references": texts})


def test_a_stream_keeps_the_kind_of_its_rows() -> None:
    text, tokens, ids, empty = (_batch([row, row]) for row in ("a b", ["a", "b"], [1, 2], []))
    for *first, later in (*permutations((text, tokens, ids), 2), (tokens, empty, ids)):
        onwards = rf"from predictions\[{2 * len(first)}\] onwards, the rows are .*, but the rows before are"
        with pytest.raises(TypeError, match=onwards):
            evaluate_dataset(_Stream(*first, later))
    for batches in ((empty, ids, empty, ids), (empty, tokens), (tokens, empty), (ids, empty)):
        assert evaluate_dataset(_Stream(*batches), max_order=1).bleu == 1


@pytest.mark.parametrize("unit", ["datetime64[ns]", "timedelta64[ns]", "datetime64[us]", "timedelta64[D]"])
def test_times_are_not_token_ids(unit: str) -> None:
    times = np.arange(8).reshape(2, 4).astype(unit)
    ids = [[1, 2, 3, 4]] * 2
    for wrong in (times, list(times), list(map(list, times))):
        for predictions, references in ((wrong, ids), (ids, wrong), (ids, [[row] for row in times])):
            with pytest.raises(TypeError, match=r"datetime64|timedelta64|Timedelta|timedelta\)|datetime\)"):
                corpus_bleu(predictions, references)


def test_polars_columns_of_lists_and_arrays() -> None:
    polars = pytest.importorskip("polars")
    ids, words = [[1, 2, 3, 4], [5, 6, 7, 8]], [["a b c d", "b"], ["e f g h", "d"]]
    for lists in (polars.Array(polars.Int64, 4), polars.List(polars.Int32)):
        assert corpus_bleu(polars.Series(ids, dtype=lists), ids).bleu == 1
        with pytest.raises(TypeError, match=r"predictions\[1\] holds None"):
            corpus_bleu(polars.Series([ids[0], None], dtype=lists), ids)
    references = polars.Series(words, dtype=polars.Array(polars.String, 2))
    assert corpus_bleu(polars.Series([first for first, _ in words]), references).bleu == 1


@pytest.mark.parametrize("text", ["1" * 5000, "9" * 100_000, "0", "0" * 5000, "\u0663", "2 ", "+2"])
def test_threads_variable_of_any_length(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_METRIC_THREADS", text)
    with pytest.raises(ValueError, match="BLEU_METRIC_THREADS must be an integer >= 1, got '") as error:
        corpus_bleu(["a"] * 5000, ["a"] * 5000)  # one batch is counted without threads
    assert len(str(error.value)) < 300
