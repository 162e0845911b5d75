"""Whatever is passed to whatever is public ends in an answer, or in one clear error; nothing is left behind.

    pytest tests/robustness/test_hostile.py --more-cases 300

An error is clear if a `raise` of the package made it, with a short text.
"""

from __future__ import annotations

import decimal
import fractions
import linecache
import math
import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from corpora import Decoder, nested_lists
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from inner_doors import CHOICES, OPTIONS

import bleu_metric
from bleu_metric import (
    DIALECTS,
    BleuConfig,
    BleuStatistics,
    bootstrap,
    compute_metrics,
    corpus_bleu,
    corpus_statistics,
    evaluate_dataset,
    mbr,
    paired_approximate_randomization,
    paired_bootstrap,
    pairwise_bleu,
    remove_padding,
    report,
    reward,
    score,
    score_dialects,
    score_groups,
    score_systems,
    self_bleu,
    sentence_bleu,
)

GOOD = ["the cat sat on the mat", "a b c d e"], [["the cat sat on a mat", "a cat"], ["a b c d"]]


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
    **_named(np.ma.masked, pd.NA, pd.NaT, pd.Timestamp("2020-01-01"), pa.scalar("a"), pa.nulls(2)),
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


def refusal(error: BaseException) -> str:
    """Name an error that was meant: raised by a line of the package that says `raise`, and short."""
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
    return type(error).__name__.replace("TooMuchTextError", "ValueError")


Draw = Callable[[Any], Any]


def one_of(draw: Draw, *values: Any) -> Any:
    return values[draw(st.integers(0, len(values) - 1))]


def ended_in(ask: Callable[[], object], right: Callable[[Any], bool] = lambda _: True) -> str:
    """Ask; the answer has to be right, or the error clear."""
    try:
        found = ask()
    except Exception as error:  # noqa: BLE001
        return refusal(error)
    assert right(found), found
    return "right number"


STATISTICS = corpus_statistics(*GOOD, max_order=2)


def _option_value(draw: Draw, name: str) -> Any:
    if draw(st.booleans()):
        return draw(junk())
    if name in CHOICES:
        return draw(st.sampled_from(CHOICES[name]))
    if name == "max_order":
        return one_of(draw, 1, 2, 3, 4, 5, 1000, np.int32(2), 10_001, 10**9)
    numbers = st.sampled_from([0, 0.0, 1, 0.25, -0.5, 1e-300, 1e300, -1e300, float("nan"), float("inf"), 2**2000])
    if name == "smoothing_value":
        return draw(numbers)
    weights = st.lists(numbers, max_size=5)
    return draw(st.one_of(weights, weights.map(np.array), st.lists(weights, max_size=2), weights.map(tuple)))


def _options(draw: Draw) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from([*OPTIONS, *OPTIONS, "smooth", "Tokenizer", ""]), max_size=3, unique=True))
    return {name: _option_value(draw, name) for name in names}


def ask_with_options(draw: Draw) -> str:
    options, dialect = _options(draw), draw(st.sampled_from([*DIALECTS, *DIALECTS, "nlkt", 5, None, ["nltk"]]))
    if callable(options.get("tokenizer")):
        options["tokenizer"] = one_of(draw, len, list, str, lambda text: [text, "\ud800"], str.split)
    if isinstance(options.get("tokenizer"), str) and options["tokenizer"] in CHOICES["tokenizer"][6:]:
        del options["tokenizer"]  # needs a model
    kind = ended_in(lambda: corpus_bleu(*GOOD, dialect, **options), lambda score: 0 <= score.bleu < math.inf)
    if kind == "right number":
        config = DIALECTS[dialect].with_options(options)
        assert callable(config.tokenizer) or BleuConfig.from_signature(config.signature()) == config
    return kind


PIECES = ["", "|", ":", "tok", "13a", "order", "4", "9" * 5000, "weights", "nan", "1,", ";", "[", "smooth", "exp", "²"]


def ask_for_a_signature(draw: Draw) -> str:
    if draw(st.integers(0, 9)) == 0:
        return ended_in(lambda: BleuConfig.from_signature(draw(junk())))
    text = DIALECTS[draw(st.sampled_from(sorted(DIALECTS)))].signature()
    for _ in range(draw(st.integers(1, 3))):
        first, last = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        last = min(last, first + 12)
        text = text[:first] + draw(st.sampled_from([*PIECES, *DIALECTS])) + text[last:]
    return ended_in(lambda: BleuConfig.from_signature(text), lambda config: isinstance(config.signature(), str))


OTHER = corpus_statistics(GOOD[0][::-1], GOOD[1], max_order=2)
TOTAL = STATISTICS.sum()
DATA = datasets.Dataset.from_dict({"p": GOOD[0], "r": GOOD[1], "n": [1, 2], "t": [{"en": "a"}, {"en": "b"}]})
IDS = np.array([[1, 2, 3, 4], [5, 6, 7, -100]])


def _pick(rows: Any) -> Any:
    try:
        return STATISTICS[rows]
    except IndexError:  # as of a list
        return STATISTICS


def _hooked(tokenizer: Any, references: Any, samples: Any, predictions: Any) -> Any:
    hook = compute_metrics(tokenizer, references=references, samples=samples)
    return hook(SimpleNamespace(predictions=predictions, label_ids=IDS))


def _rewarded(column: Any, extract: Any, pad_id: Any, **columns: Any) -> Any:
    return reward(column, extract=extract, brevity=extract is None, pad_id=pad_id)(**columns)


_TEXTS = (GOOD[0], GOOD[1], [["a"], ["b", "c"]], IDS)
_SYSTEMS = (OTHER, {"A": OTHER, "B": STATISTICS}, [STATISTICS[:1]], {5: OTHER}, TOTAL)
_TESTS = {"baseline": (STATISTICS,), "systems": _SYSTEMS, "p_values": ("two-sided",), "baseline_name": ("baseline", "")}
_TESTS |= {"n_resamples": (40, 1, 20), "seed": (0, 2**200)}
_LABELS = (["x", "y"], np.array([1, 1]), ["\ud800", "a"], [2**63, -1], [True, True])

# Each function, and by the names of its arguments the usual value, and others
CALLS: dict[str, tuple[Callable[..., Any], dict[str, tuple[Any, ...]]]] = {
    "bootstrap": (bootstrap, {"statistics": (STATISTICS, TOTAL), "confidence": (0.95, 0.5), "n_resamples": (40, 1)}),
    "paired_bootstrap": (paired_bootstrap, _TESTS),
    "paired_approximate_randomization": (paired_approximate_randomization, {"n_trials": (20, 1), **_TESTS}),
    "score_groups": (score_groups, {"statistics": (STATISTICS,), "groups": _LABELS}),
    "score": (score, {"statistics": (STATISTICS, STATISTICS[:0], TOTAL)}),
    "citation": (score(STATISTICS).citation, {"interval": (None, bootstrap(STATISTICS, 40)), "digits": (1, 0, 17)}),
    "BleuStatistics": (BleuStatistics, {"table": (STATISTICS.table,), "config": (STATISTICS.config,)}),
    "from_table": (BleuStatistics.from_table, {"table": (STATISTICS.to_table(),), "config": (None, BleuConfig())}),
    "rows": (_pick, {"rows": (slice(0, 1), slice(None, None, -1), [0, 1, 1], [True, False], [9])}),
    "corpus_bleu": (corpus_bleu, {"predictions": (GOOD[0], IDS, ["a"]), "references": (GOOD[1], IDS, ["a"])}),
    "sentence_bleu": (sentence_bleu, {"predictions": (GOOD[0], [["a"], []]), "references": (GOOD[1], [["a"], [[]]])}),
    "+": (STATISTICS.__add__, {"other": (OTHER, TOTAL, corpus_statistics(*GOOD))}),
    "dialects": (partial(score_dialects, *GOOD), {"dialects": (["nltk"], ("sacrebleu", "nltk"), "nltk", ["x"])}),
    "systems": (partial(score_systems, references=GOOD[1]), {"systems": ({"A": GOOD[0]}, {}, {5: [["a"], ["b"]]})}),
    "evaluate_dataset": (
        evaluate_dataset,
        {
            "dataset": (DATA, {"a": DATA}, {}, {"a": 5}, DATA.to_iterable_dataset(), DATA.select([])),
            "predictions": ("p", "t.en", "q"),
            "references": ("r", ["p", "t.en"], [], ["p", "n"]),
            "batch_size": (1, 1000, 0),
        },
    ),
    "compute_metrics": (
        _hooked,
        {
            "tokenizer": (Decoder(), SimpleNamespace(tokenizer=Decoder())),
            "references": (None, GOOD[1]),
            "samples": (None, 2),
            "predictions": (IDS, (IDS,), IDS.astype(float), IDS[0]),
        },
    ),
    "remove_padding": (remove_padding, {"ids": (IDS, [IDS], IDS.astype(float)), "pad_id": (0, None, [0, 1])}),
    "reward": (
        _rewarded,
        {
            "column": ("r",),
            "extract": (None, "b", str.upper),
            "pad_id": (None, 0),
            "completion_ids": (IDS, [["a"], []]),
            "completions": (GOOD[0], "ab", [[{"content": "a"}], [{"content": [{"text": 5}]}]]),
            "r": (GOOD[1], GOOD[0], "ab"),
        },
    ),
    "report": (partial(report, os.devnull, *GOOD), {"max_sentences": (1, 0, "a", None, True)}),
    # Against each other
    "pairwise_bleu": (pairwise_bleu, {"hypotheses": _TEXTS, "references": (None, *_TEXTS)}),
    "mbr": (mbr, {"candidates": _TEXTS, "references": (None, *_TEXTS), "reference_weights": (None, [1, 2], [-1])}),
    "self_bleu": (
        self_bleu,
        {"texts": _TEXTS, "definition": ("zhu-2018", "zhu"), "groups": (None, [1, 1], ["a", None])},
    ),
}


def ask_a_function(draw: Draw) -> str:
    """Call a function as usual, but with one or two arguments of another value."""
    call, choices = CALLS[draw(st.sampled_from(sorted(CALLS)))]
    arguments = {name: values[0] for name, values in choices.items()}
    for name in draw(st.lists(st.sampled_from(sorted(choices)), max_size=2, unique=True)):
        value = one_of(draw, junk(), *choices[name])
        arguments[name] = draw(value) if isinstance(value, st.SearchStrategy) else value
    try:
        call(**arguments)
    except Exception as error:  # noqa: BLE001
        # A function that is passed may raise what it likes
        return "error of the function" if callable(arguments.get("extract")) else refusal(error)
    return "right number"


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    files, threads = open_files(), threading.active_count()
    yield
    assert open_files() <= files + 3
    assert threading.active_count() <= threads + 2


@pytest.mark.parametrize("ask", [ask_with_options, ask_for_a_signature, ask_a_function])
@settings(max_examples=settings.default.max_examples * 3, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_hostile(ask: Callable[[Draw], str], data: st.DataObject) -> None:
    event(ask(data.draw))
