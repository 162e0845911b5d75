"""Faults that a review with fresh eyes found, each with the answer that is right."""

from __future__ import annotations

import copy
import enum
import pickle
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import evaluate
import numpy as np
import pyarrow as pa
import pytest

import bleu_metric
from bleu_metric import (
    BleuConfig,
    BleuStatistics,
    _corpus,
    bootstrap,
    compute_metrics,
    corpus_bleu,
    corpus_statistics,
    evaluate_dataset,
    paired_bootstrap,
    reward,
    save_groups,
    score,
    score_dialects,
)
from bleu_metric.scale.partial import check_job, count_table, to_totals

DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None]))


def test_masked_arrays_keep_their_mask() -> None:
    ids = np.ma.array([[1, 2, 3, 4, 0]], mask=[[0, 0, 0, 0, 1]])
    with pytest.raises(TypeError, match=r"predictions\[0\] holds None"):
        corpus_bleu(ids, [[[1, 2, 3, 4]]])


@pytest.mark.parametrize(
    ("predictions", "references", "error"),
    [
        (DICTIONARY, ["a", "b"], TypeError),
        (["a", "b"], pa.ListArray.from_arrays([0, 1, 2], DICTIONARY), ValueError),
        (pa.ListArray.from_arrays([0, 2], DICTIONARY), [["a"]], TypeError),
    ],
)
def test_a_null_in_a_dictionary_is_a_null(predictions: Any, references: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"is null|has no reference"):
        corpus_bleu(predictions, references)


def test_arrow_types() -> None:
    views = pa.array([["a b c d", None], ["e"]], pa.list_(pa.string_view()))
    assert corpus_bleu(["a b c d", "e"], views).bleu == 1.0
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["a"]))
    with pytest.raises(TypeError, match=r"predictions is an Arrow column of run_end_encoded"):
        corpus_bleu(runs, ["a"])
    with pytest.raises(ValueError, match=r"predictions\[1\] holds the token id 9223372036854775809"):
        corpus_bleu(pa.array([[1], [2**63 + 1]], pa.list_(pa.uint64())), [[1], [2]])


def test_empty_predictions_take_the_kind_of_the_references() -> None:
    for predictions in ([[], []], np.zeros((2, 0), int), pa.array([[], []])):
        score = corpus_bleu(predictions, [[[1, 2]], [[3]]])
        assert (score.bleu, score.reference_length) == (0.0, 3)
    assert corpus_bleu(pa.array([[1, 2]]), pa.array([[[]]])).bleu == 0.0


def test_negative_weights_do_not_reward_a_missing_order() -> None:
    assert corpus_bleu(["a b"], [["a c"]], weights=[0.5, -0.5]).bleu == 0.0


def test_texts_as_references_of_tokens() -> None:
    with pytest.raises(
        TypeError, match=r"predictions\[0\] is a list of tokens, but references\[0\] is a list of strings"
    ):
        corpus_bleu([["the", "cat", "sat"]], [["the cat sat", "a cat sat"]], "nltk")


def test_rows_of_tokens_that_are_arrays() -> None:
    tokens = np.array([["a", "b", "c", "d"]], object)
    assert corpus_bleu(tokens, tokens).bleu == 1.0


@pytest.mark.parametrize("value", [[0, 0], "ab", None, ["a", None]])
def test_tokenizers_that_return_no_tokens(value: Any) -> None:
    with pytest.raises(TypeError, match=r"must return a list of strings"):
        corpus_bleu(["a"], ["a"], tokenizer=lambda _: value)


@dataclass
class Unhashable:
    separator: str

    def __call__(self, text: str) -> list[str]:
        return text.split(self.separator)


def test_tokenizer_without_a_hash() -> None:
    assert corpus_bleu(["a-b"], ["a-c"], tokenizer=Unhashable("-"), max_order=1).bleu == 0.5
    assert (
        score_dialects(["a-b"], ["a-c"], ["default", "nltk"], tokenizer=Unhashable("-"), max_order=1)["nltk"].bleu
        == 0.5
    )


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"smoothing": "method4", "smoothing_value": 0}, r"smoothing_value of 'method4' must be above 0, got 0"),
        ({"smoothing": "add-k", "smoothing_value": -1}, r"smoothing_value of 'add-k' must be at least 0, got -1"),
        ({"weights": [10**400]}, r"weights must be made of finite numbers"),
    ],
)
def test_values_that_make_no_score(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        corpus_bleu(["a"], ["a"], **options)


def test_weights_by_name_are_refused() -> None:
    with pytest.raises(TypeError, match=r"weights must be a list of numbers, or a list of such lists, got \{0: 0.5"):
        corpus_bleu(["a"], ["a"], weights={0: 0.5, 1: 0.5})


def test_columns_of_datasets_that_are_no_arrow() -> None:
    data = datasets.Dataset.from_dict({"p": ["A B C D"], "t": [{"en": "a b c d"}]})
    lower = data.with_transform(
        lambda rows: {key: [str(value).lower() for value in values] for key, values in rows.items()}
    )
    assert corpus_bleu(lower["p"], ["a b c d"]).bleu == 1.0
    with pytest.raises(ValueError, match=r"the data set has a transform"):
        evaluate_dataset(lower, "p", "p")
    with pytest.raises(ValueError, match=r"batch_size must be a whole number >= 1, got 0"):
        evaluate_dataset(data, "p", "t.en", batch_size=0)
    with pytest.raises(TypeError, match=r"column 'n' is int64, column 'p' is string"):
        evaluate_dataset(data.add_column("n", [1]), "p", ["p", "n"])


def test_the_hook_recovers() -> None:
    class Decoder:
        pad_token_id = 0

        def batch_decode(self, ids: Any, skip_special_tokens: bool) -> list[str]:
            return [" ".join(map(str, row)) for row in ids]

    hook = compute_metrics(Decoder(), samples=2)
    batch = SimpleNamespace(predictions=np.array([[1, 2]] * 3), label_ids=np.array([[1, 2]] * 3))
    with pytest.raises(ValueError, match=r"more predictions than the 2 samples"):
        hook(batch)
    two = SimpleNamespace(predictions=np.array([[1, 2, 3, 4]] * 2), label_ids=np.array([[1, 2, 3, 4]] * 2))
    assert hook(two)["bleu"] == pytest.approx(1)


def test_chats_in_parts() -> None:
    parts = [{"type": "text", "text": "a b"}, {"type": "image"}, {"type": "text", "text": " c d"}]
    assert reward("r")(completions=[[{"role": "assistant", "content": parts}]], r=["a b c d"]) == [1.0]
    with pytest.raises(TypeError, match=r"predictions\[0\] holds None"):
        reward("r")(completions=[[{"role": "assistant", "content": None}]], r=["a b c d"])
    with pytest.raises(ValueError, match=r"a reward is one number"):
        reward("r", weights=[[1.0], [0.5, 0.5]])


def test_tables_that_are_no_statistics() -> None:
    table = corpus_statistics(["a b", "c"], [["a b", "x"], ["c", "y"]]).to_table()
    read = BleuStatistics.from_table(table.replace_schema_metadata(None), BleuConfig())
    assert read.signature().startswith("nrefs:unknown|")
    assert (read + BleuStatistics.from_table(table)).signature().startswith("nrefs:unknown|")
    negative = table.set_column(0, "matches_1", pa.array([-1, 0]))
    with pytest.raises(ValueError, match=r"in row 0, a count is negative"):
        BleuStatistics.from_table(negative)
    with pytest.raises(ValueError, match=r"the table was counted by tok:13a.*, not by tok:char"):
        BleuStatistics.from_table(table, BleuConfig(tokenizer="char"))
    total = corpus_statistics(["a"], ["a"]).total().to_table()
    with pytest.raises(ValueError, match=r"a total has one row, this table has 2"):
        BleuStatistics.from_table(pa.concat_tables([total, total]))
    with pytest.raises(TypeError, match=r"read from an Arrow table, got dict"):
        BleuStatistics.from_table({})


def test_copies_of_a_used_metric(tmp_path: Path) -> None:
    metric = evaluate.load(str(Path(bleu_metric.__file__).parent), cache_dir=str(tmp_path))
    metric.compute(predictions=["a"], references=["a"])
    metric.add_batch(predictions=["x y"], references=["x z"])
    for other in (copy.copy(metric), copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert other.compute(predictions=["a b c d"], references=["a b c d"])["bleu"] == 1.0
    assert metric.compute()["counts"] == [1, 0, 0, 0]


def test_more_text_than_an_arrow_array_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that hold too much together are read in halves; one row that does is an error."""
    monkeypatch.setattr(_corpus, "_LIMIT", 1000)
    assert corpus_bleu(["a " * 100] * 50, [["a"]] * 50, max_order=1).counts == [50]
    with pytest.raises(ValueError, match=r"the rows from 1 on hold more than 2 GiB; one segment can hold less"):
        corpus_bleu(["a", "a " * 600], ["a", "a"])


_LISTS: list[Callable[[pa.DataType], pa.DataType]] = [
    *(pa.list_, pa.large_list, pa.list_view, pa.large_list_view),
    lambda kind: pa.list_(kind, 3),
]


@pytest.mark.parametrize("text", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("inner", _LISTS)
@pytest.mark.parametrize("outer", _LISTS)
def test_every_arrow_list_of_every_text(outer: Any, inner: Any, text: pa.DataType) -> None:
    """PyArrow's own cast makes broken arrays of list views of string_view."""
    rng = np.random.default_rng(0)
    predictions = rng.integers(0, 4, (40, 3)).astype(str).tolist()
    references = rng.integers(0, 4, (40, 3, 3)).astype(str).tolist()
    some = [[row[0], None, row[2]] if place % 7 == 0 else row for place, row in enumerate(references)]
    columns = pa.array(predictions, inner(text)), pa.array(references, outer(inner(text)))
    expected = corpus_bleu(predictions, references, max_order=2)
    assert corpus_bleu(*columns, max_order=2) == expected
    assert corpus_bleu(*(pa.chunked_array([one[:9], one[9:]]) for one in columns), max_order=2) == expected
    sliced = corpus_bleu(predictions[5:30], references[5:30], max_order=2)
    assert corpus_bleu(*(one[5:30] for one in columns), max_order=2) == sliced
    with_nulls = pa.array(some, outer(inner(text)))
    assert corpus_bleu(columns[0], with_nulls, max_order=2) == corpus_bleu(predictions, some, max_order=2)


@pytest.mark.parametrize("text", [pa.string(), pa.large_string(), pa.string_view()])
def test_dictionaries_of_every_text(text: pa.DataType) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1], pa.int8()), pa.array(["a b", "c"], text))
    assert corpus_bleu(column, ["a b", "c", "c"], max_order=1).counts == [4]
    assert corpus_bleu(["a b"], pa.ListArray.from_arrays([0, 3], column), max_order=1).counts == [2]


@pytest.mark.parametrize("tag", ["<skipped>", "<SKIPPED>"])
def test_a_hyphen_before_a_tag_at_the_end(tag: str) -> None:
    """The tag goes before line ends are joined, so that it hides one."""
    predictions, references = [f"x a b c d e foo-{tag}\n"], [["x a b c d e foo"]]
    for options in ({}, {"lowercase": True}):
        for dialect, found in score_dialects(predictions, references, **options).items():
            assert found == corpus_bleu(predictions, references, dialect, **options), dialect


def test_a_fifth_weight_of_zero_is_not_reweighed() -> None:
    """NLTK asks for the four weights alone."""
    nltk = pytest.importorskip("nltk.translate.bleu_score", reason="pip install '.[peers]'")
    uniform, longer = (0.25,) * 4, (0.25, 0.25, 0.25, 0.25, 0.0)
    for weights in (uniform, longer, [uniform, (0.5, 0.5), longer]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = nltk.corpus_bleu([[["a", "b"]]], [["a", "b"]], weights=weights, auto_reweigh=True)
        ours = corpus_bleu([["a", "b"]], [[["a", "b"]]], "nltk", weights=weights, auto_reweigh=True).bleu
        assert ours == pytest.approx(theirs, rel=1e-12, abs=0)


@pytest.mark.parametrize("method", ["method5", "method6", "method7"])
def test_an_empty_total_is_no_last_segment(method: str) -> None:
    rows = corpus_statistics(
        ["a b x d e f", "a b c d e f g"], ["a b c d e f", "a b c d e f g"], "nltk", smoothing=method
    )
    empty = rows[:0].total()
    for parts in ([rows, empty], [empty, rows], [rows.total(), empty], [empty, rows.total()], [empty, rows, empty]):
        assert score(sum(parts)) == score(rows)
    assert len(BleuStatistics.from_table(empty.to_table())) == 0
    with pytest.raises(ValueError, match=r"these statistics have no segments to score"):
        score(empty)
    with pytest.raises(ValueError, match=r"groups\['a'\] has no segments; leave it out"):
        save_groups({"a": empty}, "never.parquet")


def test_intervals_of_several_scores(metric: Any) -> None:
    texts = {"predictions": ["a b c d", "a b c e"] * 9, "references": ["a b c d"] * 18, "confidence": 0.9}
    several = metric.compute(**texts, weights=[[1.0], [0.5, 0.5]])
    for place, weights in enumerate([[1.0], [0.5, 0.5]]):
        alone = metric.compute(**texts, weights=weights)
        assert several["bleu"][place] == alone["bleu"]
        assert several["confidence_interval"][place] == alone["confidence_interval"]


def test_options_of_an_interval_that_nobody_asked_for(metric: Any) -> None:
    for name in ("seed", "n_resamples"):
        with pytest.raises(ValueError, match=rf"{name} does nothing without confidence; for an interval of 95 %, pass"):
            metric.compute(predictions=["a"], references=["a"], **{name: 7})


def test_an_interval_needs_several_segments() -> None:
    with pytest.raises(ValueError, match=r"there is one segment: an interval needs several to draw from"):
        bootstrap(corpus_statistics(["a"], ["a"]))
    with pytest.raises(ValueError, match=r"these statistics are a total"):
        bootstrap(corpus_statistics(["a"], ["a"]).total())


class Word(str, enum.Enum):
    """Options as a program may hold them."""

    INTL = "intl"
    EXP = "exp"


def test_options_that_are_enums(tmp_path: Path) -> None:
    config = BleuConfig(tokenizer=Word.INTL, smoothing=Word.EXP)
    assert config == BleuConfig(tokenizer="intl", smoothing="exp")
    assert BleuConfig.from_signature(config.signature()) == config
    corpus_statistics(["a b"], ["a b"], smoothing=Word.EXP).save(tmp_path / "saved.parquet")
    assert BleuStatistics.load(tmp_path / "saved.parquet").config.smoothing == "exp"


def test_intervals_of_means_on_several_scales() -> None:
    """One list of weights makes scores of about 1, the other of about 1e-78."""
    texts = ["a b c x", "a c b y"], ["a b c d", "a b c d"]
    options = {"average": "sentence", "weights": [[1.0], [0.25] * 4]}
    interval = bootstrap(corpus_statistics(*texts, "nltk", **options), n_resamples=50)
    for place, weights in enumerate(options["weights"]):
        alone = bootstrap(corpus_statistics(*texts, "nltk", average="sentence", weights=weights), n_resamples=50)
        assert interval.high[place] == pytest.approx(alone.high, rel=1e-12, abs=0)
        assert interval.mean[place] == pytest.approx(alone.mean, rel=1e-12, abs=0)
        assert alone.mean > 0


def _two_systems(differ: int) -> list[BleuStatistics]:
    references = [f"w{number} a b c d e f g" for number in range(200)]
    one = [text.replace("d", "x") if number % 3 == 0 else text for number, text in enumerate(references)]
    other = [references[number] if number in (0, 3, 6, 9)[:differ] else text for number, text in enumerate(one)]
    return [corpus_statistics(texts, references) for texts in (one, other)]


def test_p_value_where_few_segments_differ() -> None:
    """Resamples with none of them are as far from the observed difference as that is from 0, whatever the seed."""
    p = [paired_bootstrap(*_two_systems(2), seed=seed, n_resamples=4000).systems[0].p_value for seed in range(8)]
    assert 0.2 < min(p) < max(p) < 0.27


@pytest.mark.parametrize(("segments", "seed"), [(10, 1), (30, 1), (30, 2), (100, 1)])
def test_p_value_that_rounding_does_not_decide(segments: int, seed: int) -> None:
    """With a mean of sentence scores, drawing the one that differs twice gives twice the observed difference."""
    references = [f"w{number} a b c d e" for number in range(segments)]
    system = [*references[:-1], "x y a b c d"]
    counted = [corpus_statistics(texts, references, average="sentence") for texts in (references, system)]
    found = paired_bootstrap(*counted, seed=seed, n_resamples=4000).systems[0].p_value
    times = np.random.default_rng(0).binomial(segments, 1 / segments, 100_000)  # how often it is drawn
    assert found == pytest.approx((np.abs(times - 1) >= 1).mean(), abs=0.04)


def test_p_value_of_tiny_scores() -> None:
    one = ["a b c x"] * 50 + ["a q b c"] * 50
    other = ["a x b y"] * 50 + ["q b z y"] * 50
    counted = [corpus_statistics(texts, ["a b c d"] * 100, "nltk") for texts in (other, one)]
    assert paired_bootstrap(*counted).systems[0].p_value < 0.002
    assert paired_bootstrap(counted[0], counted[0]).systems[0].p_value == 1


def test_slices_are_of_the_same_segments() -> None:
    """A slice keeps the numbers of references of the whole."""
    predictions, references = ["a b c"] * 6, [["a b c"]] * 3 + [["a b", "a b c"]] * 3
    part = corpus_statistics(predictions, references)[:3]
    assert paired_bootstrap(part, corpus_statistics(predictions[:3], references[:3])).systems[0].delta == 0
    with pytest.raises(ValueError, match=r"the baseline has \(1, 1\) references per segment"):
        paired_bootstrap(corpus_statistics(["a"] * 2, ["a"] * 2), corpus_statistics(["a"] * 2, [["a", "b"]] * 2))
    one = corpus_statistics(predictions, references)[:3]
    other = corpus_statistics(predictions[:3], ["a b c d e"] * 3)
    for pair in ((one, other), (other, one)):
        with pytest.raises(ValueError, match=r"the reference of segment 0 has . tokens for the baseline and . for"):
            paired_bootstrap(*pair)


def test_a_large_total_of_average_lengths(tmp_path: Path) -> None:
    """Its reference length is counted in 720720ths of a token."""
    one = corpus_statistics(["a b c d"], [["a b c d", "a b"]], reference_length="average").total()
    large = replace(one, table=one.table * 10**11)
    large.save(tmp_path / "large.parquet")
    assert score(BleuStatistics.load(tmp_path / "large.parquet")) == score(large)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["2020-01-01", "2020-01-02"], "datetime64[ns]"),
        np.array([1, 2], "timedelta64[ns]"),
        [np.uint64(2**63 + 5), np.uint64(1)],
        [np.uint64(2**63 + 5), "a"],
    ],
)
def test_labels_that_are_none(labels: Any) -> None:
    with pytest.raises(
        (TypeError, ValueError), match=r"groups are .*64\[ns\]; every|groups\[0\] is .*9223372036854775813"
    ):
        corpus_bleu(["a", "b"], ["a", "b"], groups=labels)


def test_labels_of_several_kinds_in_partitions() -> None:
    """1 and True are equal to Python, and were one group whose rows were lost."""
    job = check_job("p", "r", "g", BleuConfig(max_order=1))
    for other, kind in ((True, "bool in some partitions and int"), ("1", "int in some partitions and str")):
        tables = [pa.table({"p": ["a"], "r": ["a"], "g": [label]}) for label in (1, other)]
        answers = pa.concat_tables([count_table(job, table) for table in tables])
        with pytest.raises(TypeError, match=rf"column 'g' is {kind} in others: give labels of one kind"):
            to_totals(job, answers)


def test_reference_columns_that_are_alike() -> None:
    """None alone has no type, and pandas 3 makes large strings."""
    data = datasets.Dataset.from_dict({"mt": ["a b c d"] * 3, "a": ["a b c d"] * 3, "b": [None] * 3})
    assert evaluate_dataset(data, "mt", ["a", "b"]).bleu == 1.0
    assert evaluate_dataset(data, "mt", ["b", "a"]).bleu == 1.0
    large = pa.table({"mt": ["a b"], "a": pa.array(["a b"], pa.large_string()), "b": ["c d"]})
    assert evaluate_dataset(datasets.Dataset(large), "mt", ["a", "b"], max_order=2).bleu == 1.0
    view = pa.table({"mt": ["a b"], "a": pa.array(["a b"], pa.string_view()), "b": pa.array(["c d"], pa.string_view())})
    job = check_job("mt", ["a", "b"], None, BleuConfig(max_order=2))
    assert score(to_totals(job, count_table(job, view))[None]).bleu == 1.0
    with pytest.raises(TypeError, match=r"column 'n' is int64, column 'a' is string: they must be alike"):
        evaluate_dataset(data.add_column("n", [1, 2, 3]), "mt", ["a", "n"])


def test_columns_of_a_stream(metric: Any) -> None:
    stream = datasets.Dataset.from_dict({"p": ["a b c d", "e"], "r": ["a b c d", "f"]}).to_iterable_dataset()
    if not hasattr(datasets, "IterableColumn"):
        pytest.skip("pip install 'datasets>=4'")
    expected = corpus_bleu(["a b c d", "e"], ["a b c d", "f"])
    assert corpus_bleu(stream["p"], stream["r"]) == expected
    assert metric.compute(predictions=stream["p"], references=stream["r"]) == expected.to_dict()


def test_batches_that_trainer_did_not_concatenate() -> None:
    class Words:
        pad_token_id = 0

        def batch_decode(self, ids: Any, skip_special_tokens: bool) -> list[str]:
            return [" ".join(f"w{one}" for one in row if one) for row in ids]

    first, second = np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), np.array([[9, 1, 2, 3, 4]])
    labels = [np.array([[1, 2, 3, 4], [5, 6, 7, 9]]), np.array([[9, 1, 2, 3, -100]])]
    expected = corpus_bleu(
        ["w1 w2 w3 w4", "w5 w6 w7 w8", "w9 w1 w2 w3 w4"], ["w1 w2 w3 w4", "w5 w6 w7 w9", "w9 w1 w2 w3"]
    )
    for batches in ([first, second], [(first, "states"), (second, "states")]):
        found = compute_metrics(Words(), "default")(SimpleNamespace(predictions=batches, label_ids=labels))
        assert found["bleu"] == expected.bleu
    several_labels = SimpleNamespace(predictions=np.eye(10)[second], label_ids=(labels[1], labels[1]))
    assert compute_metrics(Words())(several_labels)["bleu"] == 1.0
    with_an_inner_part = Words()
    with_an_inner_part.tokenizer = object()  # as Mistral's, whose own tokenizer decodes no batch
    assert compute_metrics(with_an_inner_part)(SimpleNamespace(predictions=first, label_ids=first))["bleu"] == 1.0


def test_rewards_have_names_of_their_own() -> None:
    """TRL logs by them."""
    names = {reward("a").__name__, reward("b", "nltk").__name__, reward("a", max_order=1).__name__}
    assert names == {"bleu_a_sacrebleu", "bleu_b_nltk", "bleu_a_sacrebleu_max_order_1"}


def test_wrong_groups_keep_what_is_staged(metric: Any) -> None:
    metric.add_batch(predictions=["a b", "c"], references=["a b", "d"])
    for groups in (["a"], [1.5, 2.5], ["a"] * 4):
        with pytest.raises((ValueError, TypeError), match=r"groups"):
            metric.compute(groups=groups)
        with pytest.raises((ValueError, TypeError), match=r"groups"):
            metric.compute(predictions=["x"], references=["y"], groups=groups)
        assert len(metric) == 2
    assert set(metric.compute(groups=["x", "y"])["groups"]) == {"x", "y"}
    with pytest.raises(ValueError, match=r"there is nothing to score"):
        metric.compute(groups=["a"])
    with pytest.raises(TypeError, match=r"predictions must be a list.*got a string"):
        metric.compute(predictions="abc", references="abc", groups=["a"])


def test_many_batches_of_empty_lists_are_fast(metric: Any) -> None:
    def seconds(batches: int) -> float:
        started = time.process_time()
        for _ in range(batches):
            metric.add(prediction=[], reference=[[]])
        metric._release()
        return time.process_time() - started

    seconds(10)
    assert seconds(800) < 3  # 10 s and more when each looked at all before it
