"""The words that a report highlights are exactly those without a counted match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inner_doors import as_corpus, count_corpus, matching_orders, most_in_one

from bleu_metric import BleuConfig
from bleu_metric.reporting.sentences import Sentence, read_sentences

Tokens = Sequence[str]
TOKENS = st.lists(st.sampled_from("abc"), max_size=12)


def ngrams(text: Tokens, order: int) -> list[tuple[str, ...]]:
    return [tuple(text[start : start + order]) for start in range(len(text) - order + 1)]


def matched(text: Tokens, others: Sequence[Tokens], order: int, max_order: int) -> list[int]:
    """Return where matched n-grams start: as many as the text has that has it most often, with matches around first."""
    counts = [Counter(ngrams(other, order)) for other in others]
    longer = {ngram for other in others for ngram in ngrams(other, order + 1)} if order < max_order else set()
    around = [
        sum(ngram in longer for ngram in ngrams(text[max(0, start - 1) : start + order + 1], order + 1))
        for start in range(len(text))
    ]
    seen: Counter[tuple[str, ...]] = Counter()
    starts = []
    for start, ngram in sorted(enumerate(ngrams(text, order)), key=lambda item: -around[item[0]]):
        seen[ngram] += 1
        if any(count[ngram] >= seen[ngram] for count in counts):
            starts.append(start)
    return starts


def longest(text: Tokens, others: Sequence[Tokens], max_order: int) -> list[int]:
    """Return the longest match of each token, by the definition."""
    orders = [0] * len(text)
    for order in range(1, max_order + 1):
        for start in matched(text, others, order, max_order):
            orders[start : start + order] = [order] * order
    return orders


@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=3), st.integers(1, 5))
def test_matches_follow_the_definition(text: Tokens, others: list[Tokens], max_order: int) -> None:
    assert matching_orders(text, most_in_one(others, max_order), max_order) == longest(text, others, max_order)


def read_sentence(predictions: Any, reference: Any, **options: Any) -> Sentence:
    """Return the sentence of a report whose systems have these predictions."""
    corpora = {str(number): as_corpus([text], [reference]) for number, text in enumerate(predictions)}
    statistics = {name: count_corpus(corpus, [BleuConfig(**options)])[0] for name, corpus in corpora.items()}
    (sentence,) = read_sentences(corpora, statistics, [0])
    return sentence


RUNS: list[tuple[Any, Any, dict[str, Any], list[tuple[str, str]]]] = [
    ("the the the the", "the cat is on the mat", {}, [("1", "the the"), ("0", " the the")]),  # Papineni et al. 2002
    ("b x a b", "a b", {}, [("0", "b x"), ("2", " a b")]),  # the second "b" is the one of the reference
    ("a b c x c d", ["a b c", "c d"], {}, [("2", "a b c"), ("0", " x"), ("2", " c d")]),
    ("The cat,  sat", "the Cat, ran", {"lowercase": True}, [("2", "The cat,"), ("0", "  sat")]),
    ("中文好", "中文", {"tokenizer": "zh"}, [("2", "中文"), ("0", "好")]),
    ([7, 8, 9], [[8, 9]], {}, [("0", "7"), ("2", " 8 9")]),
    ("a &amp; b", "a & b", {}, [("2", "a & b")]),
    ("", "a", {}, []),
    ("a", "a x", {}, [("2", "a")]),  # a text that matches as a whole has no mark
    ("a b c", "a b c x", {}, [("2", "a b c")]),
    ("a b c x", "a b c", {}, [("2", "a b c"), ("0", " x")]),
    ("a b c d e x", "a b c d e", {}, [("2", "a b c d e"), ("0", " x")]),
    ("İ A  b", "i̇ a b", {"lowercase": True}, [("2", "i̇ a b")]),  # lower-casing makes it longer
    ("a b <skipped>", "a b", {}, [("2", "a b"), ("2", " <skipped>")]),  # an end that is not counted has no mark
    ("<skipped>", "a", {}, [("2", "<skipped>")]),
    (" a c \n", "a", {"tokenizer": lambda text: text.split()[:1]}, [("2", "a"), ("2", " c")]),
    ("b" * 5000, "a", {}, [("2", "b" * 4000 + " … (1,000 more characters)")]),
    ("a " * 5000, "b", {}, [("0", "a " * 1999 + "a"), ("2", "  … (5,999 more characters)")]),
]


@pytest.mark.parametrize(("prediction", "reference", "options", "runs"), RUNS)
def test_runs(prediction: Any, reference: Any, options: dict[str, Any], runs: list[tuple[str, str]]) -> None:
    assert read_sentence([prediction], reference, **options).predictions[0] == "\n".join(map("".join, runs))


REFERENCES: list[tuple[list[str], Any, list[list[tuple[str, str]]]]] = [
    (["the cat sat"], ["the big cat sat"], [[("1", "the"), ("0", " big"), ("2", " cat sat")]]),
    (["the cat sat"], ["the the"], [[("1", "the"), ("0", " the")]]),  # the output has it once
    (["a", "a x"], ["a"], [[("22", "a")]]),
    (["a b", "b c"], ["a b c"], [[("20", "a"), ("22", " b"), ("02", " c")]]),
    (["a", "a", "b"], ["<skipped>"], [[("222", "<skipped>")]]),
]


# Marks of outputs: whether the reference has the words, and whether the first output has them
OUTPUTS = [
    (["a b x", "a c x"], "a b c", ["22a\n20 b\n02 x", "22a\n20 c\n02 x"]),
    (["a b", "a a", "b c"], "b", ["02a\n22 b", "02a\n00 a", "22b\n00 c"]),
]


@pytest.mark.parametrize(("predictions", "reference", "runs"), OUTPUTS)
def test_outputs_of_several_systems_show_what_differs(predictions: Any, reference: Any, runs: list[str]) -> None:
    assert read_sentence(predictions, reference).predictions == runs


@pytest.mark.parametrize(("predictions", "references", "runs"), REFERENCES)
def test_references_are_marked_for_each_system(predictions: Any, references: Any, runs: Any) -> None:
    assert read_sentence(predictions, references).references == ["\n".join(map("".join, text)) for text in runs]
