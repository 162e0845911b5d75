"""Values that are wrong in every way that a caller can think of, and the answer that each must get.

`expected` reads any predictions and references by the words of the documentation alone, row by row and in no hurry: it
knows nothing of how the package reads them. `refusal` says whether an error is one that was meant.
"""

from __future__ import annotations

import contextlib
import decimal
import fractions
import linecache
import math
import pickle
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from containers import CONTAINERS, numpy_objects
from corpora import nested_lists
from hypothesis import strategies as st
from inner_doors import textbook

import bleu_metric

MODULES = {path.name for path in Path(bleu_metric.__file__).parent.rglob("*.py")}
HUGE = 10**5000  # more digits than Python prints


def endless() -> list[Any]:
    """A list that holds itself."""
    inner: list[Any] = ["a"]
    inner.append(inner)
    return inner


class Unprintable:
    """An object whose own description fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no description")


LISTS: list[list[Any]] = [[], [None], [[]], ["a"], [["a"]], [1], [0.25] * 4, ["a", 1], [True], [math.nan], [HUGE]]
LISTS += [[b"a"], ["\udfff"]]
ARRAYS: list[Any] = [np.array(0.5), np.array("a"), np.array({"a": 1}, object), np.zeros(0), np.array([0.5, 0.5])]
ARRAYS += [np.array([1, 2]), np.array(["a b", "c"]), np.array([b"a"]), np.array([True, False]), np.ones((2, 2))]
ARRAYS += [np.array([("a", 0.5)], dtype=[("x", "U1"), ("y", float)])]


def _named(*constants: Any) -> dict[str, Callable[[], Any]]:
    return {f"{type(value).__name__} {value!r}"[:60]: lambda value=value: value for value in constants}


# What cannot change is always the same object. The others are made anew each time, as some can be used up.
JUNK: dict[str, Callable[[], Any]] = {
    **_named(None, math.nan, math.inf, 0, -1, 7, 1.5, 1e308, 1e-320, True, 1 + 2j, 2**31, 2**64, -(2**63) - 1),
    **_named(decimal.Decimal("sNaN"), fractions.Fraction(1, 3), b"a b", memoryview(b"a"), (), frozenset((1, 2))),
    **_named("", "a b", "a " * 5000, "a\ud800", "a\0b", "{0} %s %n", range(3), len, np, ..., slice(0, 1), Path("a")),
    **_named(np.int64(3), np.uint64(2**63), np.float32(0.5), np.complex128(0.5 + 1j), np.True_, np.str_("a b")),
    **_named(np.bytes_(b"a"), np.datetime64("2020-01-01"), np.timedelta64(3, "D"), np.zeros(1, "i4,f4")[0]),
    **_named(np.ma.masked, pd.NA, pd.NaT, pd.Timestamp("2020-01-01"), pa.scalar("a"), pa.scalar(["a"]), pa.nulls(2)),
    "huge": lambda: HUGE,
    "-huge": lambda: -HUGE,
    **{f"list {number}": lambda row=row: list(row) for number, row in enumerate(LISTS)},
    "deep": lambda: nested_lists(50_000),
    "endless": endless,
    "dict": lambda: {"a": 1},
    "set": lambda: {"a"},
    "generator": lambda: (text for text in ["a", "b"]),
    "map": lambda: map(str, [1]),
    "unprintable": Unprintable,
    "exception": lambda: ValueError("a"),
    **{f"array {number}": array.copy for number, array in enumerate(ARRAYS)},
    "masked array": lambda: np.ma.array([1, 2], mask=[True, False], fill_value=9),
    "Series": lambda: pd.Series(["a", "b"], index=[7, 7]),
    "Series with NA": lambda: pd.Series(["a", None], dtype="string"),
    "DataFrame": lambda: pd.DataFrame({"x": ["a"], "y": ["b"]}),
    "Categorical": lambda: pd.Categorical(["a", "b", "a"]),
    "Arrow binary": lambda: pa.array([b"a"]),
    "Arrow struct": lambda: pa.array([{"a": "b"}]),
    "Arrow floats": lambda: pa.array([[0.5]]),
    "Arrow no chunks": lambda: pa.chunked_array([], pa.string()),
    "Arrow table": lambda: pa.table({"a": ["b"]}),
    "Arrow tensor": lambda: pa.Tensor.from_numpy(np.array([[1, 2]])),
}


@st.composite
def junk(draw: Any) -> Any:
    """Any of these, or a few of them in a list; drawn by name, as some cannot be printed."""
    names = draw(st.one_of(st.sampled_from(sorted(JUNK)), st.lists(st.sampled_from(sorted(JUNK)), max_size=3)))
    return JUNK[names]() if isinstance(names, str) else [JUNK[name]() for name in names]


# --- containers -----------------------------------------------------------------------------------------------------


def _nulls_with_content(rows: list[Any]) -> pa.Array:
    """A list column whose null rows cover values, which do not count."""
    full = [["hidden"] if row is None else row for row in rows]
    values = pa.array(full)
    return pa.ListArray.from_arrays(values.offsets, values.values, mask=pa.array([row is None for row in rows]))


# Beside those of the oracle, which hold every good row: those that hold some rows alone, or are refused
ODD_CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {
    "array": np.array,
    "array backwards": lambda rows: numpy_objects(rows[::-1])[::-1],
    "array of small ints": lambda rows: np.array(rows, np.int8),
    "masked array": lambda rows: np.ma.array(numpy_objects(rows), mask=[row is None for row in rows]),
    "Series, categorical": lambda rows: pd.Series(rows, dtype="category"),
    "Series, Arrow": lambda rows: pd.Series(pd.array(rows, pd.ArrowDtype(pa.array(rows).type))),
    "Index": lambda rows: pd.Index(numpy_objects(rows)),
    "Arrow, fixed size": lambda rows: pa.array(rows, pa.list_(pa.array(rows).type.value_type, len(rows[0]))),
    "Arrow, binary": lambda rows: pa.array(rows, pa.binary()),
    "Arrow, nulls with content": _nulls_with_content,
    "Arrow, uint64": lambda rows: pa.array(rows, pa.list_(pa.uint64())),
    "generator": lambda rows: (row for row in rows),
    "dict": lambda rows: dict(enumerate(rows)),
    "DataFrame": lambda rows: pd.DataFrame({"rows": numpy_objects(rows)}),
}


def not_for_arrow(row: Any, levels: int = 20) -> bool:
    """Whether PyArrow 26 dies of it, or reads it in its own way as it looks for a type.

    It dies of very deep lists and of dates beside numbers, takes its own scalars for values and bytes beside strings
    for strings, and ignores masks.
    """
    if isinstance(row, np.ndarray):
        return row.dtype.kind in "mMOS" or isinstance(row, np.ma.MaskedArray)
    if isinstance(row, (list, tuple)):
        return levels == 0 or any(not_for_arrow(item, levels - 1) for item in row)
    return isinstance(row, (np.datetime64, np.timedelta64, pa.Scalar))


@st.composite
def dressed(draw: Any, rows: list[Any], kind: str = "text", nested: int = 0) -> Any:
    """Put rows into any container; a list where it cannot hold them."""
    name = draw(st.sampled_from([*CONTAINERS, *ODD_CONTAINERS]))
    if name not in ("list", "tuple", "numpy") and any(map(not_for_arrow, rows)):
        return list(rows)
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        return CONTAINERS[name](rows, kind, nested) if name in CONTAINERS else ODD_CONTAINERS[name](rows)
    return list(rows)


# --- corpora --------------------------------------------------------------------------------------------------------

_TEXTS = st.lists(st.sampled_from(["a", "b", "c", "aaaaaaaaa", "é", "1.5", "x-y"]), max_size=6)
_ODD_TEXTS = st.sampled_from(["", " ", "a\0b", "\u2028a", "\ufeffa b", "a\x1cb", "😀 𠀀", "&amp;amp;", "-\n", "a\tb  "])
_IDS = st.lists(st.sampled_from([0, 1, 2, 3, 2**31, 2**63 - 1]), max_size=6)
LEAVES = {
    "text": st.one_of(_TEXTS.map(" ".join), _ODD_TEXTS),
    "tokens": _TEXTS,
    "ids": _IDS,
}


@st.composite
def corpora(draw: Any) -> tuple[Any, Any]:
    """Predictions and references of one kind, with something wrong in them half of the time, in any containers."""
    kind = draw(st.sampled_from(sorted(LEAVES)))
    leaf = LEAVES[kind]
    rows = draw(st.integers(0 if draw(st.integers(0, 9)) == 0 else 1, 4))
    predictions = [draw(leaf) for _ in range(rows)]
    nested = draw(st.integers(0, 1))
    reference = st.lists(leaf, min_size=1, max_size=3) if nested else leaf
    references = [draw(reference) for _ in range(rows)]
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2]))):
        _spoil(draw, draw(st.sampled_from([predictions, references])))
    sides = [draw(dressed(predictions, kind)), draw(dressed(references, kind, nested))]
    if draw(st.integers(0, 19)) == 0:
        sides[draw(st.integers(0, 1))] = draw(junk())
    return sides[0], sides[1]


def _spoil(draw: Any, rows: list[Any]) -> None:
    """Put something else in some place at some depth; or leave a row out, or double it."""
    if not rows:
        return
    place = draw(st.integers(0, len(rows) - 1))
    how = draw(st.integers(0, 9))
    if how == 0:
        del rows[place]
    elif how == 1:
        rows.insert(place, rows[place])
    elif isinstance(rows[place], list) and rows[place] and how < 7:
        rows[place] = list(rows[place])
        _spoil(draw, rows[place])
    else:
        rows[place] = draw(junk())


# --- what has to come of them -----------------------------------------------------------------------------------------


class Expected(NamedTuple):
    """What an input may come to: the texts as tokens, in each way it can be read; and rows that an error may name."""

    readings: list[tuple[list[Any], list[list[Any]]]]
    rows: set[int] | None  # None: the error is about the whole
    may_refuse: bool = False


def expected(predictions: Any, references: Any, split: Callable[[str], list[str]]) -> Expected:
    """Read the input as the documentation of `corpus_bleu` says."""
    sides = [plain(side) for side in (predictions, references)]
    if sides[0] is None or sides[1] is None or len(sides[0]) != len(sides[1]) or not sides[0]:
        return Expected([], None)
    readings, rows = [], set()
    for kind in ("text", "tokens", "ids"):
        for nested in (True, False):
            own, refs, wrong = _read(sides[0], sides[1], kind, nested, split)
            rows |= wrong
            if not wrong:
                readings.append((own, refs))
    structured = any(isinstance(side, np.ndarray) and side.dtype.names for side in (predictions, references))
    arrow = any(isinstance(side, (pa.Array, pa.ChunkedArray)) for side in (predictions, references))
    pandas_rows = any(_holds_pandas(list(side)) for side in (predictions, references))
    vague = _all_empty(sides[1]) or structured or pandas_rows or (arrow and any(map(_all_empty, sides)))
    return Expected(readings, rows, vague)


def _all_empty(rows: list[Any]) -> bool:
    return all(_is_empty(row) for row in rows)


def _is_empty(row: Any, levels: int = 4) -> bool:
    return row is None or (bool(levels) and isinstance(row, list) and all(_is_empty(one, levels - 1) for one in row))


def plain(column: Any) -> list[Any] | None:
    """The rows of a container as lists, or None where the value is not a container."""
    if isinstance(column, np.ndarray) and not column.ndim:
        return None
    if isinstance(column, (list, tuple, np.ndarray)):
        return [_plain_row(row) for row in (column.tolist() if isinstance(column, np.ndarray) else column)]
    if isinstance(column, (pd.Series, pd.Index, pd.Categorical)):
        return [_plain_row(row) for row in column]
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return list(column.to_pylist())
    if type(column).__module__.startswith("datasets."):
        return list(column)
    return None


def _is_of_pandas(row: Any) -> bool:
    return isinstance(row, (pd.Series, pd.Index, pd.Categorical))


def _holds_pandas(row: Any, levels: int = 4) -> bool:
    """Whether rows hold one of pandas', which is read as an array is, or refused."""
    if not levels or not isinstance(row, (list, tuple, np.ndarray)) or (isinstance(row, np.ndarray) and not row.ndim):
        return _is_of_pandas(row)
    return any(_holds_pandas(item, levels - 1) for item in row)


def _plain_row(row: Any, depth: int = 0) -> Any:
    row = row.to_numpy() if _is_of_pandas(row) else row
    if depth > 4 or not isinstance(row, (list, tuple, np.ndarray)) or (isinstance(row, np.ndarray) and not row.ndim):
        return row
    items = row.tolist() if isinstance(row, np.ndarray) else row
    return [_plain_row(item, depth + 1) for item in items]


def _read(
    predictions: list[Any], references: list[Any], kind: str, nested: bool, split: Callable[[str], list[str]]
) -> tuple[list[Any], list[list[Any]], set[int]]:
    """Read all rows in one way; and the rows that cannot be read so."""
    own = [_tokens(row, kind, split) for row in predictions]
    wrong = {place for place, tokens in enumerate(own) if tokens is None}
    refs: list[list[Any]] = []
    for row in references:
        texts = row if nested else [row]
        texts = [text for text in texts if not _is_missing(text)] if isinstance(texts, list) else []
        refs.append([_tokens(text, kind, split) for text in texts])
    wrong |= {place for place, texts in enumerate(refs) if not texts or None in texts}
    return own, refs, wrong


def _tokens(text: Any, kind: str, split: Callable[[str], list[str]]) -> list[Any] | None:
    if kind == "text":
        return split(str(text)) if _is_text(text) else None
    if not isinstance(text, list):
        return None
    fits = _is_text if kind == "tokens" else _is_id
    return [str(token) if kind == "tokens" else int(token) for token in text] if all(map(fits, text)) else None


def _is_missing(value: Any) -> bool:
    """Whether a reference is missing: None, NaN, pandas' NA."""
    return value is None or value is pd.NA or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _is_id(value: Any) -> bool:
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))
    return is_whole and 0 <= int(value) < 2**63


def frozen(value: Any, levels: int = 6) -> Any:
    """What a value holds, to see later whether it was changed; nothing for what is used up by looking."""
    if not levels:
        return None
    if isinstance(value, (pa.Array, pa.ChunkedArray)):
        return str(value.type), str(value.to_pylist())
    try:
        if isinstance(value, (list, tuple)):
            return [frozen(one, levels - 1) for one in value]
        if isinstance(value, (pd.Series, pd.Index, np.ma.MaskedArray)):
            return str(value.dtype), str(value.tolist())  # their caches do not matter
        return pickle.dumps(value)
    except Exception:  # noqa: BLE001
        return None


Answer = tuple[list[int], list[int], int, int]


def answers(readings: Iterable[tuple[list[Any], list[list[Any]]]], max_order: int) -> Iterator[tuple[Answer, float]]:
    """Counts and score of each reading, by the slow reference."""
    for own, refs in readings:
        weights = [1 / max_order] * max_order
        yield textbook.counts(own, refs, max_order), textbook.corpus_bleu(own, refs, weights)


def refusal(error: BaseException, rows: set[int] | None = None) -> str:
    """Name an error that was meant: raised by a line of the package that says `raise`, short, of the row at fault."""
    trace = error.__traceback__
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = trace.tb_frame.f_code.co_filename
    line = linecache.getline(file, trace.tb_lineno).strip()
    where = f"{type(error).__name__} of {Path(file).name}, line {trace.tb_lineno}, {line}: {str(error)[:500]}"
    assert type(error).__name__ in ("TypeError", "ValueError", "TooMuchTextError"), where
    assert Path(file).name in MODULES, where
    assert line.startswith("raise"), where
    assert len(str(error)) <= 2000, where
    if rows is not None and "Arrow column of" not in str(error) and "list of strings with spaces" not in str(error):
        named = re.search(r"(?:predictions|references)\[(\d+)\]", str(error))
        assert named is not None, (where, rows)
        assert int(named[1]) in rows, (where, rows)
    return type(error).__name__.replace("TooMuchTextError", "ValueError")
