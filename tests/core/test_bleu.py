"""Nothing but the corpus decides a score: not batches, and not threads."""

from __future__ import annotations

import pytest
from corpora import long_corpus
from inner_doors import count_in_batches, record_tokenizations

from bleu_metric import DIALECTS, corpus_bleu, score_dialects, sentence_bleu


@pytest.mark.parametrize("dialect", ["papineni", "nltk", "mteval-v13a"])
def test_chunks_and_threads_do_not_matter(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions, references = long_corpus(100)
    expected = corpus_bleu(predictions, references, dialect), sentence_bleu(predictions, references, dialect).tolist()
    batches = [(1, 1, 1), (2, 1, 1), (2, 17, 1 << 20), (7, 17, 100), (1, 2048, 3000), (7, 10**6, 1 << 40)]
    for threads, rows, size in batches:
        monkeypatch.setenv("BLEU_METRIC_THREADS", str(threads))
        count_in_batches(monkeypatch, rows, size)
        assert corpus_bleu(predictions, references, dialect) == expected[0]
        assert sentence_bleu(predictions, references, dialect).tolist() == expected[1]


def test_tokens_in_several_dialects_in_one_call() -> None:
    tokens, references = long_corpus(50, "tokens")
    scores = score_dialects(tokens, references, ["nltk", "ignite"], max_order=2)
    assert scores == {name: corpus_bleu(tokens, references, name, max_order=2) for name in ("nltk", "ignite")}


@pytest.mark.usefixtures("by_arrays")
def test_dialects_that_share_a_tokenizer_tokenize_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenized = record_tokenizations(monkeypatch)
    score_dialects(["plain text, here", "1-2."], ["a text, here", "1-2"])
    configs = DIALECTS.values()
    ways = {(config.tokenizer, config.lowercase, config.strip, config.whitespace) for config in configs}
    assert len(tokenized) == len(ways) < len(configs)
