"""Nothing but the corpus decides a score: not batches, threads, the order of segments, or other dialects."""

from __future__ import annotations

import numpy as np
import pytest
from corpora import long_corpus
from inner_doors import count_in_batches, count_together, record_tokenizations

from bleu_metric import (
    DIALECTS,
    BleuConfig,
    corpus_bleu,
    corpus_statistics,
    score_dialects,
    sentence_bleu,
)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_chunks_and_threads_do_not_matter(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions, references = long_corpus(100)
    expected = corpus_bleu(predictions, references, dialect), sentence_bleu(predictions, references, dialect).tolist()
    batches = [(1, 1, 1), (2, 1, 1), (2, 17, 1 << 20), (7, 17, 100), (1, 2048, 3000), (7, 10**6, 1 << 40)]
    for threads, rows, size in batches:
        monkeypatch.setenv("BLEU_METRIC_THREADS", str(threads))
        count_in_batches(monkeypatch, rows, size)
        assert corpus_bleu(predictions, references, dialect) == expected[0]
        assert sentence_bleu(predictions, references, dialect).tolist() == expected[1]


def test_threads_variable_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("0", "two", "-1", "1.5", "²"):
        monkeypatch.setenv("BLEU_METRIC_THREADS", wrong)
        with pytest.raises(ValueError, match=r"BLEU_METRIC_THREADS must be a whole number >= 1, got '"):
            corpus_bleu(["a"] * 5000, ["a"] * 5000)  # one batch is counted without threads


@pytest.mark.parametrize("dialect", DIALECTS)
def test_order_of_segments_does_not_matter(dialect: str) -> None:
    predictions, references = long_corpus()
    order = np.random.default_rng(8).permutation(len(predictions))
    shuffled = corpus_bleu([predictions[i] for i in order], [references[i] for i in order], dialect)
    assert shuffled.bleu == pytest.approx(corpus_bleu(predictions, references, dialect).bleu, rel=1e-14)


def test_statistics_rows_are_the_segments() -> None:
    predictions, references = long_corpus(30)
    table = corpus_statistics(predictions, references, max_order=3).table
    for row, text, refs in zip(table.tolist(), predictions, references, strict=True):
        score = corpus_bleu([text], [refs], max_order=3)
        assert row == [*score.counts, *score.totals, score.translation_length, score.reference_length]


def test_all_dialects_in_one_call() -> None:
    predictions, references = long_corpus()
    scores = score_dialects(predictions, references)
    assert scores == {dialect: corpus_bleu(predictions, references, dialect) for dialect in DIALECTS}
    tokens, token_references = long_corpus(50, "tokens")
    scores = score_dialects(tokens, token_references, ["nltk", "ignite"], max_order=2)
    assert list(scores) == ["nltk", "ignite"]
    assert scores["ignite"] == corpus_bleu(tokens, token_references, "ignite", max_order=2)


def test_configurations_of_any_order_are_counted_together() -> None:
    predictions, references = long_corpus(30)
    configs = [BleuConfig(max_order=order) for order in (2, 6)] + [BleuConfig(smoothing="method7", max_order=3)]
    for config, together in zip(configs, count_together(predictions, references, configs), strict=True):
        (alone,) = count_together(predictions, references, [config])
        assert together.table.tolist() == alone.table.tolist()


@pytest.mark.usefixtures("by_arrays")
def test_dialects_that_share_a_tokenizer_tokenize_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenized = record_tokenizations(monkeypatch)
    score_dialects(["plain text, here", "1-2."], ["a text, here", "1-2"])
    others = [("13a-unpadded", False), ("words-and-signs", True), ("char-and-space", False)]
    assert tokenized == [("13a", False), ("whitespace", False), *others, ("13a", "ascii")]


def test_dialects_tokenize_or_split_at_spaces() -> None:
    cut = ("default", "sacrebleu", "evaluate", "bleuscore", "keras-hub", "codexglue", "multi-bleu-detok", "mteval-v13a")
    tokens = {**dict.fromkeys(cut, 4), "llama-factory": 5}
    for dialect in DIALECTS:
        score = corpus_bleu(["a,b c"], ["a,b c"], dialect)
        assert score.translation_length == tokens.get(dialect, 2), dialect
