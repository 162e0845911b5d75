"""The n-grams shown as matched are exactly those that were counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import random_corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_metric import BleuConfig, corpus_statistics
from bleu_metric._corpus import as_corpus
from bleu_metric._counting import count_corpus
from bleu_metric.reporting.sentences import Run, Sentence, find_matches, sentences, token_lists

CONFIGS = [
    {},
    {"tokenizer": "intl", "lowercase": True},
    {"tokenizer": "zh", "lowercase": "ascii"},
    {"tokenizer": "char", "max_order": 6},
    {"tokenizer": "whitespace", "lowercase": "after", "whitespace": "unicode"},
    {"tokenizer": "none", "whitespace": "ascii", "max_order": 1},
    {"tokenizer": str.split, "strip": False, "max_order": 2},
]


def matched(predictions: list[Any], references: list[Any], options: dict[str, Any]) -> list[list[int]]:
    config = BleuConfig(**options)
    counted = as_corpus(predictions, references)
    found = []
    for row in range(len(predictions)):
        *cut, prediction = token_lists(counted.read(row, row + 1), config)
        matches = find_matches(prediction, cut, config.max_order)
        assert len(matches.longest) == len(prediction)
        found.append(matches.counts)
    return found


@pytest.mark.parametrize("options", CONFIGS, ids=str)
@pytest.mark.parametrize("kind", ["text", "tokens"])
def test_as_many_as_counted(options: dict[str, Any], kind: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        predictions, references = random_corpus(rng, kind, none=True)
        references = [refs if any(ref is not None for ref in refs) else [predictions[0]] for refs in references]
        orders = BleuConfig(**options).max_order
        table = corpus_statistics(predictions, references, **options).table
        assert matched(predictions, references, options) == table[:, :orders].tolist()


IDS = st.lists(st.integers(0, 2), max_size=12)


@given(IDS, st.lists(IDS, min_size=1, max_size=3), st.integers(1, 5))
@settings(max_examples=200)
def test_token_ids(prediction: list[int], references: list[list[int]], max_order: int) -> None:
    table = corpus_statistics([prediction], [references], max_order=max_order).table
    assert find_matches(prediction, references, max_order).counts == table[0, :max_order].tolist()


def test_longest_order_of_each_token() -> None:
    # Papineni et al. 2002: "the" matches twice, and the first ones do
    the = find_matches("the the the the".split(), ["the cat is on the mat".split()])
    assert the == ([2, 0, 0, 0], [1, 1, 0, 0])
    # a token at the edge of two n-grams belongs to the longer one
    assert find_matches("a b c x c d".split(), ["a b c".split(), "c d".split()]).longest == [3, 3, 3, 0, 2, 2]


def sentence(prediction: Any, reference: Any, **options: Any) -> Sentence:
    counted = as_corpus([prediction], [reference])
    (config,) = [BleuConfig(**options)]
    statistics = count_corpus(counted, [config])[0]
    (only,) = sentences({"": counted}, {"": statistics})
    return only


def shown(*texts: Any, **options: Any) -> list[Run]:
    return sentence(*texts, **options).predictions[0]


def test_runs_keep_the_spaces_of_the_text() -> None:
    assert shown("The cat,  sat", "the Cat, ran", lowercase=True) == [Run(3, "The cat,"), Run(0, "  "), Run(0, "sat")]
    assert shown("中文好", "中文", tokenizer="zh") == [Run(2, "中文"), Run(0, "好")]
    assert shown([7, 8, 9], [[8, 9]]) == [Run(0, "7"), Run(0, " "), Run(2, "8 9")]
    assert shown("a &amp; b", "a & b") == [Run(3, "a & b")]
    assert shown("", "a") == []


def test_what_is_not_counted_at_the_end_is_shown() -> None:
    assert shown("a b <skipped>", "a b") == [Run(2, "a b"), Run(0, " <skipped>")]
    assert shown("<skipped>", "a") == [Run(0, "<skipped>")]
    assert shown(" a c \n", "a", tokenizer=lambda text: text.split()[:1]) == [Run(1, "a"), Run(0, " c")]
    rest = shown("a " + "b" * 5000, "a", tokenizer=lambda text: text.split()[:1])[-1].text
    assert (rest[:2], rest[-24:]) == (" b", " … (1,001 more characters)"[-24:])


def test_long_texts_are_cut() -> None:
    *_, last = shown("a " * 5000, "b")
    assert last.text == " … (3,000 more tokens)"


def test_long_and_many_references_are_cut() -> None:
    long, *_, last = sentence("a", ["b" * 5000, *["c"] * 12]).references
    assert long == "b" * 4000 + " … (1,000 more characters)"
    assert last == "… (3 more references)"
