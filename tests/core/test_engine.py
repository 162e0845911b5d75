"""The engine counts what the slow reference counts, exactly; and nothing but the corpus decides a score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from corpora import random_corpus
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bleu_metric import (
    DIALECTS,
    BleuConfig,
    _counting,
    _ngrams,
    corpus_bleu,
    corpus_statistics,
    score_dialects,
    sentence_bleu,
)
from bleu_metric import _textbook as reference
from bleu_metric._corpus import as_corpus

TOKENS = st.lists(
    st.sampled_from(["a", "b", "c", "aaaaaaaa", "aaaaaaaaa", "a" * 70, "a" * 71, "é", "a b", "a\0"]), max_size=12
)
SEGMENT = st.tuples(TOKENS, st.lists(TOKENS, min_size=1, max_size=6))


def _assert_same_counts(predictions: list[Any], references: list[Any], max_order: int) -> None:
    score = corpus_bleu(predictions, references, max_order=max_order)
    expected = reference.counts(predictions, references, max_order)
    assert (score.counts, score.totals, score.translation_length, score.reference_length) == expected


@given(st.lists(SEGMENT, min_size=1, max_size=6), st.integers(1, 30))
@example([(["a", "a\0"], [["a\0", "a"]])], 2)
@example([(["a", "a"], [["a"], ["a", "b"]]), (["a"], [["a"]])], 2)  # as many references as segments, and one
def test_counts_equal_the_reference(corpus: list[Any], max_order: int) -> None:
    _assert_same_counts([text for text, _ in corpus], [refs for _, refs in corpus], max_order)


@given(st.lists(SEGMENT, min_size=1, max_size=4), st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_score_equals_the_reference(corpus: list[Any], weights: list[float]) -> None:
    predictions, references = [text for text, _ in corpus], [refs for _, refs in corpus]
    expected = reference.corpus_bleu(predictions, references, weights)
    assert corpus_bleu(predictions, references, weights=weights).bleu == pytest.approx(expected, rel=1e-12, abs=0)


@settings(max_examples=20)
@given(TOKENS, st.lists(TOKENS, min_size=7, max_size=50), st.integers(1, 5))
def test_many_references(text: list[str], refs: list[list[str]], max_order: int) -> None:
    _assert_same_counts([text, text[::-1]], [refs, refs[:1]], max_order)


def test_equal_keys_are_found_as_a_dictionary_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine needs the last position of an equal key, and nothing else of how keys are hashed."""

    def last(key: Any, second: Any = None) -> Any:
        keys = list(zip(key.tolist(), key.tolist() if second is None else second.tolist(), strict=True))
        places = {one: place for place, one in enumerate(keys)}
        return np.array([places[one] for one in keys], np.int64)

    predictions, references = _corpus(40, "tokens")
    expected = reference.counts(predictions, references)
    monkeypatch.setattr(_ngrams, "factorize", last)
    score = corpus_bleu(predictions, references)
    assert (score.counts, score.totals, score.translation_length, score.reference_length) == expected


def test_one_segment_of_100_000_tokens() -> None:
    rng = np.random.default_rng(5)
    text, ref = (rng.zipf(1.3, 100_000) % 500).astype(str).tolist(), (rng.zipf(1.3, 99_000) % 500).astype(str).tolist()
    _assert_same_counts([text], [[ref]], 8)


def test_token_ids_score_as_tokens_do() -> None:
    rng = np.random.default_rng(6)
    predictions = [rng.integers(-3, 3, size).tolist() for size in (5, 0, 9, 30)]
    references = [[rng.integers(-3, 3, 8).tolist(), ids] for ids in predictions]
    references[0][1] = [2**63 - 1, -(2**63)]

    def words(ids: list[int]) -> list[str]:
        return [str(token) for token in ids]

    spelled = [[words(ids) for ids in refs] for refs in references]
    by_ids, by_words = corpus_bleu(predictions, references), corpus_bleu([words(ids) for ids in predictions], spelled)
    assert by_ids == by_words


def _corpus(segments: int = 300, kind: str = "text") -> tuple[list[Any], list[list[Any]]]:
    rng = np.random.default_rng(7)
    predictions: list[Any] = []
    references: list[list[Any]] = []
    while len(predictions) < segments:
        texts, refs = random_corpus(rng, kind)
        predictions, references = predictions + texts, references + refs
    return predictions, references


@pytest.mark.parametrize("dialect", DIALECTS)
def test_chunks_and_threads_do_not_matter(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions, references = _corpus()
    expected = corpus_bleu(predictions, references, dialect), sentence_bleu(predictions, references, dialect).tolist()
    for threads in (1, 2, 7):
        for rows, size in ((1, 1), (17, 1 << 20), (17, 100), (2048, 3000), (10**6, 1 << 40)):
            monkeypatch.setenv("BLEU_METRIC_THREADS", str(threads))
            monkeypatch.setattr(_counting, "_ROWS", rows)
            monkeypatch.setattr(_counting, "_BYTES", size)
            assert corpus_bleu(predictions, references, dialect) == expected[0]
            assert sentence_bleu(predictions, references, dialect).tolist() == expected[1]


def test_threads_variable_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("0", "two", "-1", "1.5", "²"):
        monkeypatch.setenv("BLEU_METRIC_THREADS", wrong)
        with pytest.raises(ValueError, match=r"BLEU_METRIC_THREADS must be a whole number >= 1, got '"):
            corpus_bleu(["a"], ["a"])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_order_of_segments_does_not_matter(dialect: str) -> None:
    predictions, references = _corpus()
    order = np.random.default_rng(8).permutation(len(predictions))
    shuffled = corpus_bleu([predictions[i] for i in order], [references[i] for i in order], dialect)
    assert shuffled.bleu == pytest.approx(corpus_bleu(predictions, references, dialect).bleu, rel=1e-14)


@pytest.mark.parametrize("rule", ["closest", "shortest", "longest"])
def test_references_are_a_set(rule: str) -> None:
    predictions, references = _corpus()
    score = corpus_bleu(predictions, references, reference_length=rule)
    reordered = corpus_bleu(predictions, [refs[::-1] for refs in references], reference_length=rule)
    doubled = corpus_bleu(predictions, [[*refs, refs[0]] for refs in references], reference_length=rule)
    assert reordered == score
    assert (doubled.bleu, doubled.counts) == (score.bleu, score.counts)


def _containers(predictions: list[Any], references: list[list[Any]]) -> dict[str, tuple[Any, Any]]:
    import datasets
    import pandas as pd

    objects = np.empty(len(references), object)
    objects[:] = references
    arrow = pa.array(predictions), pa.array(references)
    nested_large = pa.large_list(pa.large_string())
    data = datasets.Dataset.from_dict({"p": predictions, "r": references})
    return {
        "tuples": (tuple(predictions), tuple(map(tuple, references))),
        "numpy": (np.array(predictions, object), objects),
        "pandas": (pd.Series(predictions), pd.Series(references)),
        "pandas with an index": (pd.Series(predictions, index=range(5, 5 + len(predictions))), references),
        "arrow": arrow,
        "arrow chunks": (
            pa.chunked_array([arrow[0][:10], arrow[0][10:]]),
            pa.chunked_array([arrow[1][:7], arrow[1][7:]]),
        ),
        "arrow large": (arrow[0].cast(pa.large_string()), arrow[1].cast(nested_large)),
        "arrow slice": (pa.array(["x", *predictions])[1:], pa.array([["y"], *references, ["z"]])[1:-1]),
        "arrow dictionary": (arrow[0].dictionary_encode(), arrow[1]),
        "arrow view": (arrow[0].cast(pa.string_view()), arrow[1]),
        "arrow and list": (arrow[0], references),
        "list and arrow": (predictions, arrow[1]),
        "datasets columns": (data["p"], data["r"]),
    }


def test_container_does_not_matter() -> None:
    predictions, references = _corpus(60)
    expected = corpus_bleu(predictions, references)
    for name, (left, right) in _containers(predictions, references).items():
        assert corpus_bleu(left, right) == expected, name


def test_columns_are_read_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    predictions, references = _corpus(60)
    expected = corpus_bleu(predictions, references)
    monkeypatch.setattr(_counting, "_ROWS", 7)
    assert corpus_bleu(pa.array(predictions), pa.array(references)) == expected
    assert corpus_bleu(predictions, references) == expected


def test_token_containers() -> None:
    import pandas as pd

    predictions, references = _corpus(60, "tokens")
    expected = corpus_bleu(predictions, references)
    assert corpus_bleu(pa.array(predictions), pa.array(references)) == expected
    assert corpus_bleu(pd.Series(predictions), pd.Series(references)) == expected
    ids = np.random.default_rng(1).integers(0, 4, (6, 8))
    expected = corpus_bleu(ids.tolist(), [[row] for row in ids.tolist()][::-1])
    assert corpus_bleu(ids, ids[::-1]).bleu == expected.bleu
    assert corpus_bleu(list(ids), list(ids[::-1, None])) == expected
    assert corpus_bleu(pa.array(ids.tolist(), pa.list_(pa.int32(), 8)), ids[::-1].tolist()) == expected


def test_flat_references_are_one_reference_each() -> None:
    predictions, references = _corpus(50)
    first = [refs[0] for refs in references]
    assert corpus_bleu(predictions, first) == corpus_bleu(predictions, [[ref] for ref in first])
    assert corpus_bleu(pa.array(predictions), pa.array(first)) == corpus_bleu(predictions, first)


def test_several_weight_lists_in_one_pass() -> None:
    predictions, references = _corpus(50)
    lists = [(1.0,), (0.5, 0.5), (0.25,) * 4, (0.1, 0.0, 0.9)]
    expected = [corpus_bleu(predictions, references, weights=weights).bleu for weights in lists]
    assert corpus_bleu(predictions, references, weights=lists).bleu == pytest.approx(expected, rel=1e-14)
    by_sentence = sentence_bleu(predictions, references, weights=lists)
    assert by_sentence.shape == (50, 4)
    assert by_sentence[:, 1] == pytest.approx(sentence_bleu(predictions, references, weights=lists[1]), rel=1e-14)


@pytest.mark.parametrize(("dialect", "options"), [("default", {"smoothing": "add-one"}), ("sacrebleu", {})])
def test_average_of_sentences(dialect: str, options: dict[str, str]) -> None:
    """Each is scored as a sentence: sacrebleu leaves out the orders that it is too short for."""
    predictions, references = _corpus(50)
    mean = sentence_bleu(predictions, references, dialect, **options).mean()
    averaged = corpus_bleu(predictions, references, dialect, average="sentence", **options)
    assert averaged.bleu == pytest.approx(mean, rel=1e-14)


def test_statistics_rows_are_the_segments() -> None:
    predictions, references = _corpus(30)
    table = corpus_statistics(predictions, references, max_order=3).table
    for row, text, refs in zip(table.tolist(), predictions, references, strict=True):
        score = corpus_bleu([text], [refs], max_order=3)
        assert row == [*score.counts, *score.totals, score.translation_length, score.reference_length]


def test_all_dialects_in_one_call() -> None:
    predictions, references = _corpus()
    scores = score_dialects(predictions, references)
    assert scores == {dialect: corpus_bleu(predictions, references, dialect) for dialect in DIALECTS}
    tokens, token_references = _corpus(50, "tokens")
    scores = score_dialects(tokens, token_references, ["nltk", "ignite"], max_order=2)
    assert list(scores) == ["nltk", "ignite"]
    assert scores["ignite"] == corpus_bleu(tokens, token_references, "ignite", max_order=2)


def test_configurations_of_any_order_are_counted_together() -> None:
    predictions, references = _corpus(30)
    rows = as_corpus(predictions, references)
    configs = [BleuConfig(max_order=order) for order in (2, 6)] + [BleuConfig(smoothing="method7", max_order=3)]
    for config, together in zip(configs, _counting.count_corpus(rows, configs), strict=True):
        (alone,) = _counting.count_corpus(rows, [config])
        assert together.table.tolist() == alone.table.tolist()


def test_texts_are_cut_once_for_all_dialects_of_a_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[Any] = []

    def count(batch: Any, how: Any, orders: int) -> Any:
        cut.append(how)
        return count_batch(batch, how, orders)

    count_batch = _counting.count_segments
    monkeypatch.setattr(_counting, "count_segments", count)
    score_dialects(["plain text, here", "1-2."], ["a text, here", "1-2"])
    assert [(how.tokenizer, how.lowercase) for how in cut] == [("13a", False), ("whitespace", False), ("13a", "ascii")]
