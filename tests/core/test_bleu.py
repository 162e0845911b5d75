"""Dialects in one call give what each gives alone, and share their work."""

from __future__ import annotations

from typing import Any

import pytest
from corpora import long_corpus

from bleu_metric import DIALECTS, corpus_bleu, score_dialects

# Lower-casing makes a tag of this word, which some dialects skip
TAG = ["x a b c d e foo-<s\u212aipped>\n"], ["x a b c d e foo"]


@pytest.mark.parametrize(
    ("corpus", "options"), [(long_corpus(50, "tokens"), {"max_order": 2}), (TAG, {"lowercase": True})]
)
def test_dialects_together_give_what_each_gives_alone(corpus: Any, options: dict[str, Any]) -> None:
    together = score_dialects(*corpus, **options)
    assert together == {dialect: corpus_bleu(*corpus, dialect, **options) for dialect in DIALECTS}


def test_dialects_that_share_a_tokenizer_tokenize_once() -> None:
    tokenized = []
    texts = ["plain text, here ", "1-2."], ["a text, here", "1-2"]
    score_dialects(*texts, tokenizer=lambda text: tokenized.append(text) or text.split())  # type: ignore[func-returns-value]
    ways = {(config.lowercase, config.strip, config.whitespace) for config in DIALECTS.values()}
    assert len(tokenized) == 4 * len(ways) < 4 * len(DIALECTS)
