"""Faults that the hostile-input suite found, each with the answer that is right."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bleu_metric
from bleu_metric import (
    BleuConfig,
    BleuStatistics,
    bootstrap,
    compute_metrics,
    corpus_bleu,
    corpus_statistics,
    evaluate_dataset,
    length_groups,
    preprocess_logits,
    reward,
    score,
    score_dialects,
    score_groups,
)
from bleu_metric._config import OPTIONS
from bleu_metric._staging import stage_rows
from bleu_metric.cli.files import read_column
from bleu_metric.reporting.sentences import find_matches
from bleu_metric.scale.partial import check_job

HUGE = 10**5000
DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]
BROKEN = pa.StringArray.from_buffers(2, pa.array(["ab", "cd"]).buffers()[1], pa.py_buffer(b"ab\xff\xfe"))
STATISTICS = corpus_statistics(["a b c", "d"], ["a b d", "d"], max_order=2)
FRAME = pd.DataFrame({"text": ["a b c d", "e"]})

ROWS: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
    # Each column of a table was a token
    (FRAME, FRAME, {}, TypeError, r"predictions is a table \(DataFrame\); give one column of it"),
    (["a", "b"], FRAME, {}, TypeError, r"references is a table \(DataFrame\)"),
    (pa.table(FRAME), FRAME, {}, TypeError, r"predictions is a table \(Table\)"),
    (pa.record_batch(FRAME), FRAME, {}, TypeError, r"predictions is a table \(RecordBatch\)"),
    # "iteration over a 0-d array", "object of type 'float' has no len()"
    ([np.array("a")], ["a"], {}, TypeError, r"predictions\[0\] holds array\('a', dtype='<U1'\) \(ndarray\)"),
    (["a", "b"], [["a"], np.array("b")], {}, TypeError, r"references\[1\] holds array\('b'"),
    ([["a"]], [[["a"], np.array(0.5)]], {}, TypeError, r"references\[0\] holds array\(0.5\)"),
    # pyarrow's "object of type 'NoneType' has no len()"
    (["a", "b"], pa.array([None], pa.list_(pa.string())), {}, ValueError, r"2 predictions but 1 references"),
    # RecursionError
    ([DEEP], ["a"], {}, TypeError, r"predictions\[0\] holds "),
    ([[]], [DEEP], {}, TypeError, r"references\[0\] holds "),
    (["a", DEEP], ["a", "a"], {}, TypeError, r"predictions\[1\] holds \[\[\[\[\.\.\.\]\]\]\] \(list\)"),
    ([["a", DEEP]], [["a b"]], {}, TypeError, r"predictions\[0\] is a list of tokens, but references\[0\] is"),
    # "Exceeds the limit (4300 digits) for integer string conversion"
    (["a", HUGE], ["a", "b"], {}, TypeError, r"predictions\[1\] holds <int of 16610 bits> \(int\)"),
    ([[1], [HUGE]], [[1], [2]], {}, ValueError, r"predictions\[1\] holds the token id <int of 16610 bits>, which does"),
    # NumPy's timedelta64 is a whole number to NumPy
    ([[np.timedelta64(3, "D")]], [[3]], {}, TypeError, r"predictions\[0\] holds np.timedelta64\(3,'D'\)"),
    # UnicodeDecodeError without a row, or ArrowInvalid
    (BROKEN, ["a", "b"], {"tokenizer": "intl"}, ValueError, r"predictions\[1\] is not UTF-8"),
    (["a", "b"], BROKEN, {"lowercase": True}, ValueError, r"references\[1\] is not UTF-8"),
    # UnicodeEncodeError
    (["a"], ["a"], {"tokenizer": lambda _: ["\ud800"]}, ValueError, r"returned '\\ud800', which has a lone surrogate"),
    # A label for each of 100,000 segments took minutes: Python hashes all of these to 0
    (
        ["a"],
        ["a"],
        {"groups": [2**61 * 2**61]},
        ValueError,
        r"groups\[0\] is <?\d.* does not fit into 64 bits; use str",
    ),
]


@pytest.mark.parametrize(("predictions", "references", "options", "error", "text"), ROWS)
def test_rows(predictions: Any, references: Any, options: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text) as raised:
        corpus_bleu(predictions, references, **options)
    assert type(raised.value) is error


def test_masked_references_are_none() -> None:
    column = np.ma.array(np.array(["x", "b"], object), mask=[True, False])
    with pytest.raises((TypeError, ValueError), match=r"references\[[01]\]"):
        corpus_bleu(["a", "b"], column)


OPTION: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"weights": np.array(0.5)}, TypeError, r"weights must be a list of numbers, .* got array\(0.5\)"),
    ({"weights": [np.array(0.5), np.ma.masked]}, TypeError, r"weights must be made of numbers, got masked"),
    ({"weights": list}, TypeError, r"weights must be a list of numbers, .* got <class 'list'>"),
    ({"weights": [np.complex128(1 + 1j)]}, TypeError, r"weights must be made of numbers, got np.complex128\(1\+1j\)"),
    ({"weights": [np.True_]}, TypeError, r"weights must be made of numbers, got np.True_"),
    ({"weights": [np.timedelta64(1)]}, TypeError, r"weights must be made of numbers, got np.timedelta64"),
    ({"weights": [decimal.Decimal("sNaN")]}, TypeError, r"weights must be made of numbers, got Decimal\('sNaN'\)"),
    ({"weights": [1e308, -1e308]}, ValueError, r"the score is too large for a number: take smaller weights"),
    ({"weights": [-1e9]}, ValueError, r"the score is too large for a number"),
    ({"max_order": np.array([4])}, TypeError, r"max_order must be a whole number, got array\(\[4\]\)"),
    ({"max_order": np.True_}, TypeError, r"max_order must be a whole number, got np.True_"),
    ({"max_order": 10**9}, ValueError, r"max_order must be at least 1 and at most 10000, got 1000000000"),
    ({"max_order": -HUGE}, ValueError, r"max_order must be .* got <int of 16610 bits>"),
    ({"smoothing": DEEP}, ValueError, r"unknown smoothing \[\[\[\[\.\.\.\]\]\]\]; accepted: 'none'"),
    ({"tokenizer": "x" * 10_000}, ValueError, r"unknown tokenizer 'x{20,40}\.\.\.x{20,40}'; accepted: '13a'"),
]


@pytest.mark.parametrize(("options", "error", "text"), OPTION)
def test_options(options: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        corpus_bleu(["a b c", "a"], ["a b d", "b"], "nltk", **options)


class Decoder:
    """A tokenizer as far as the hook knows one."""

    pad_token_id = 0

    def batch_decode(self, ids: Any, skip_special_tokens: bool) -> list[str]:
        return [" ".join(map(str, row)) for row in ids]


DATA = datasets.Dataset.from_dict({"p": ["a"], "r": ["a"]})
CALLS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: score(5), TypeError, r"statistics must be BleuStatistics, got int"),  # type: ignore[arg-type]
    (lambda: score(STATISTICS[:0]), ValueError, r"these statistics have no segments to score"),
    (lambda: score_groups(None, ["a"]), TypeError, r"statistics must be BleuStatistics, got NoneType"),  # type: ignore[arg-type]
    (lambda: length_groups("a"), TypeError, r"statistics must be BleuStatistics, got str"),  # type: ignore[arg-type]
    (lambda: length_groups(STATISTICS, [2**70]), ValueError, r"edges must rise, from above 0"),
    (lambda: length_groups(STATISTICS, iter([1])), TypeError, r"edges must be whole numbers"),  # type: ignore[arg-type]
    (lambda: BleuStatistics(STATISTICS.table, "13a"), TypeError, r"config must be a BleuConfig, got '13a'"),  # type: ignore[arg-type]
    (lambda: BleuStatistics([[1]], BleuConfig()), TypeError, r"table must be an array of int64, got \[\[1\]\]"),  # type: ignore[arg-type]
    (lambda: BleuStatistics(STATISTICS.table[0], STATISTICS.config), ValueError, r"shape \(rows, 6\), got \(6,\)"),
    (lambda: STATISTICS[None], TypeError, r"pick segments with a slice or an array, .* got None"),  # type: ignore[index]
    (lambda: STATISTICS[:, 0], TypeError, r"pick segments with a slice or an array"),  # type: ignore[index]
    (lambda: BleuStatistics.from_table(STATISTICS.to_table(), 5), TypeError, r"config must be a BleuConfig, got 5"),  # type: ignore[arg-type]
    (lambda: BleuConfig.from_signature(5), TypeError, r"a signature is a string, got 5"),  # type: ignore[arg-type]
    (lambda: BleuConfig.from_signature("order:" + "9" * 5000), ValueError, r"is not a whole number of up to 9 digits"),
    (lambda: BleuConfig().with_options([1]), TypeError, r"options must be a dict of name -> value, got \[1\]"),  # type: ignore[arg-type]
    (lambda: bootstrap(STATISTICS, 5, confidence=10**400), ValueError, r"confidence must be above 0 and below 1"),
    (lambda: bootstrap(STATISTICS, np.array([5])), TypeError, r"n_resamples must be a whole number, got array"),  # type: ignore[arg-type]
    (lambda: bootstrap(STATISTICS, 10**10), ValueError, r"n_resamples must be at most 1000000000, got 10000000000"),
    (lambda: bootstrap(STATISTICS, 5, HUGE), ValueError, r"seed must be at most \d+, got <int of 16610 bits>"),
    (lambda: score(STATISTICS).citation(5), TypeError, r"interval must be what bootstrap gave, got 5"),  # type: ignore[arg-type]
    (lambda: score(STATISTICS).citation(digits=10**6), ValueError, r"digits must be at least 0 and at most 17"),
    (lambda: score_dialects(["a"], ["a"], "nltk"), TypeError, r"dialects must be a list of names, got 'nltk'"),
    (lambda: score_dialects(["a"], ["a"], np.array(0.5)), TypeError, r"dialects must be a list of names, got array"),  # type: ignore[arg-type]
    (lambda: preprocess_logits(np, None), TypeError, r"logits must be an array of shape \(batch, length, vocabulary\)"),
    (lambda: score_dialects(["a"], ["a"], 5), TypeError, r"dialects must be a list of names, got 5"),  # type: ignore[arg-type]
    (lambda: evaluate_dataset(DATA, 5), TypeError, r"columns are given by their names, got 5"),  # type: ignore[arg-type]
    (lambda: evaluate_dataset(DATA, "p", ["r", 5]), TypeError, r"columns are given by their names, got 5"),  # type: ignore[list-item]
    (lambda: evaluate_dataset({}), ValueError, r"the dict of data sets is empty"),
    (lambda: check_job([], "r", None, BleuConfig()), TypeError, r"columns are given by their names, got \[\]"),
    (lambda: reward()(completions="ab", references=["a", "b"]), TypeError, r"completions must be a list, .* got 'ab'"),
    (lambda: reward([1]), TypeError, r"column must be the name of a column, got \[1\]"),  # type: ignore[arg-type]
    (lambda: compute_metrics(Decoder(), references=5), TypeError, r"references must be a list with one entry per"),  # type: ignore[arg-type]
    (lambda: compute_metrics(Decoder(), samples="a"), ValueError, r"samples must be a whole number >= 1, got 'a'"),  # type: ignore[arg-type]
    (lambda: preprocess_logits(5, None), TypeError, r"logits must be an array of shape .* got 5"),
    (
        lambda: compute_metrics(Decoder())(SimpleNamespace(predictions=[[[1, 2], [3]]], label_ids=[[1]])),
        TypeError,
        r"predictions and labels must be token ids of shape",
    ),
]


@pytest.mark.parametrize(("call", "error", "text"), CALLS)
def test_calls(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text) as raised:
        call()
    assert type(raised.value) is error


def test_a_mean_of_no_sentences_is_no_number() -> None:
    none = corpus_statistics(["a"], ["a"], average="sentence")[:0]
    with pytest.raises(ValueError, match=r"no segments to score"):
        score(none)


def test_a_batch_is_no_larger_than_the_data() -> None:
    assert evaluate_dataset(DATA, "p", "r", batch_size=10**30, max_order=1).bleu == 1.0


def test_numbers_of_other_kinds() -> None:
    config = BleuConfig(weights=(decimal.Decimal("0.5"), np.float32(0.5)), max_order=np.int8(2))  # type: ignore[arg-type]
    assert (config.weights, config.max_order) == ((0.5, 0.5), 2)
    assert (
        bootstrap(STATISTICS, 5, confidence=decimal.Decimal("0.5")).low == bootstrap(STATISTICS, 5, confidence=0.5).low
    )  # type: ignore[arg-type]


def test_a_wrong_option_leaves_what_is_staged(tmp_path: Path) -> None:
    """They were found while scoring, after which everything that had been staged was gone."""
    metric = evaluate.load(str(Path(bleu_metric.__file__).parent), cache_dir=str(tmp_path))
    metric.add_batch(predictions=["a b c d"], references=["a b c d"])
    for wrong in ({"confidence": 95}, {"confidence": 0.9, "seed": -1}, {"n_resamples": 0}, {"sentence_scores": "no"}):
        with pytest.raises((TypeError, ValueError), match=next(reversed(wrong))):
            metric.compute(**wrong)
    with pytest.raises(TypeError, match=r"unknown option 'sentence_score' \(did you mean 'sentence_scores'\?\)"):
        metric.compute(sentence_score=True)
    assert metric.compute()["totals"] == [4, 3, 2, 1]


def test_options_are_those_of_the_configuration() -> None:
    assert tuple(BleuConfig.__dataclass_fields__) == OPTIONS


def test_matches_of_many_references() -> None:
    """Each reference was compared with all that came before."""
    refs = [[str(number), "b"] for number in range(20_000)]
    assert find_matches(["7", "b"], refs, 2).counts == [2, 1]


def test_more_than_two_gibibytes() -> None:
    """Arrow's own error stood for 34 segments of 64 MiB, which halves of them do not raise."""
    text = "x" * (64 << 20)
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 34, pa.int32()), pa.array([text]))
    assert [len(table) for table in stage_rows(column, ["x"] * 34)] == [17, 17]


def test_names_in_a_damaged_table(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"p": [["a b"]]}), path)
    path.write_bytes(path.read_bytes().replace(b"list", b"\x80ist"))
    with pytest.raises(ValueError, match=r"rows\.parquet: the Parquet file cannot be read: 'utf-8' codec"):
        read_column(f"{path}:p")
