"""The n-grams that are shown as matched are exactly those that were counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpora import random_corpus
from hypothesis import strategies as st
from inner_doors import as_corpus, count_corpus

from bleu_metric import BleuConfig, corpus_statistics
from bleu_metric.reporting.matches import Matches, find_matches
from bleu_metric.reporting.sentences import Run, Sentence, read_sentences, token_lists

CONFIGS = [
    {},
    {"tokenizer": "intl", "lowercase": True},
    {"tokenizer": "zh", "lowercase": "ascii"},
    {"tokenizer": "char", "max_order": 6},
    {"tokenizer": "whitespace", "lowercase": "after", "whitespace": "unicode"},
    {"tokenizer": "none", "whitespace": "ascii", "max_order": 1},
    {"tokenizer": str.split, "strip": False, "max_order": 2},
]


def match_counts(predictions: list[Any], references: list[Any], options: dict[str, Any]) -> list[list[int]]:
    config = BleuConfig(**options)
    corpus = as_corpus(predictions, references)
    batch = corpus.read(0, len(predictions))
    matches = find_matches(token_lists(batch, config), batch.references_per_segment, config.max_order)
    return list(matches.counts.tolist())


def match(prediction: str, *references: str, max_order: int = 4) -> Matches:
    """The matches of one output."""
    texts = [text.split() for text in (*references, prediction)]
    return find_matches(texts, [len(references)], max_order)


@pytest.mark.parametrize("options", CONFIGS, ids=str)
@pytest.mark.parametrize("kind", ["text", "tokens"])
def test_shown_matches_are_the_counted_ones(options: dict[str, Any], kind: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        predictions, references = random_corpus(rng, kind, none=True)
        references = [refs if any(ref is not None for ref in refs) else [predictions[0]] for refs in references]
        statistics = corpus_statistics(predictions, references, **options)
        assert match_counts(predictions, references, options) == statistics.matches.tolist()


IDS = st.lists(st.integers(0, 2), max_size=12)


def test_longest_order_of_each_token() -> None:
    # Papineni et al. 2002: "the" matches twice, and the first ones do
    matches = match("the the the the", "the cat is on the mat")
    assert matches.counts.tolist() == [[2, 0, 0, 0]]
    assert matches.longest.tolist()[6:] == [1, 1, 0, 0]
    assert matches.in_references.tolist()[0][:6] == [1, 0, 0, 0, 1, 0]
    # A token at the edge of two n-grams belongs to the longer one
    assert match("a b c x c d", "a b c", "c d").longest.tolist()[5:] == [3, 3, 3, 0, 2, 2]


def read_sentence(prediction: Any, reference: Any, **options: Any) -> Sentence:
    corpus = as_corpus([prediction], [reference])
    (statistics,) = count_corpus(corpus, [BleuConfig(**options)])
    (sentence,) = read_sentences({"": corpus}, {"": statistics})
    return sentence


def runs_of(prediction: Any, reference: Any, **options: Any) -> list[Run]:
    return read_sentence(prediction, reference, **options).predictions[0]


def test_runs_keep_the_spaces_of_the_text() -> None:
    assert runs_of("The cat,  sat", "the Cat, ran", lowercase=True) == [Run("3", "The cat,"), Run("0", "  sat")]
    assert runs_of("中文好", "中文", tokenizer="zh") == [Run("2", "中文"), Run("0", "好")]
    assert runs_of([7, 8, 9], [[8, 9]]) == [Run("0", "7"), Run("2", " 8 9")]
    assert runs_of("a &amp; b", "a & b") == [Run("4", "a & b")]
    assert runs_of("", "a") == []
    assert runs_of("İ A  b", "i̇ a b", lowercase=True) == [Run("4", "i̇ a b")]  # lower-casing makes it longer


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_a_text_that_matches_as_a_whole_has_no_mark(words: int) -> None:
    """No text of one word has a match of two words."""
    text = " ".join("abcde"[:words])
    equal = read_sentence(text, text)
    assert equal.predictions + equal.references == [[Run("4", text)]] * 2
    longer = f"{text} x"
    assert runs_of(longer, text)[0] == Run(str(min(words, 4)), text)
    assert runs_of(text, longer) == [Run("4", text)]
    assert read_sentence(text, longer).references[0][-1] == Run("0", " x")


def test_an_uncounted_end_is_shown_without_a_mark() -> None:
    assert runs_of("a b <skipped>", "a b") == [Run("4", "a b"), Run("4", " <skipped>")]
    assert runs_of("<skipped>", "a") == [Run("4", "<skipped>")]
    assert runs_of(" a c \n", "a", tokenizer=lambda text: text.split()[:1]) == [Run("4", "a"), Run("4", " c")]
    end = runs_of("a " + "b" * 5000, "a", tokenizer=lambda text: text.split()[:1])[-1].text
    assert end == " " + "b" * 3999 + " … (1,001 more characters)"


def test_long_and_many_references_are_shortened() -> None:
    long, *_, last = read_sentence("a", ["b" * 5000, *["c"] * 12]).references
    assert "".join(run.text for run in long) == "b" * 4000 + " … (1,000 more characters)"
    assert [run.text for run in last] == ["… (3 more references)"]


def test_what_is_missing_from_an_output_is_marked_in_the_reference() -> None:
    (first, second) = read_sentence("the cat sat", ["the big cat sat", "the the"]).references
    assert first == [("1", "the"), ("0", " big"), ("2", " cat sat")]
    assert second == [("1", "the"), ("0", " the")]  # the output has it once


def test_a_reference_is_marked_for_each_system() -> None:
    corpora = {name: as_corpus([text], ["a b c"]) for name, text in {"one": "a b", "two": "b c"}.items()}
    statistics = {name: count_corpus(corpus, [BleuConfig()])[0] for name, corpus in corpora.items()}
    (sentence,) = read_sentences(corpora, statistics, source=["the\nsource"])
    assert sentence.references[0] == [("20", "a"), ("22", " b"), ("02", " c")]
    assert sentence.source == "the␊source"


def test_a_reference_without_tokens_has_a_mark_for_each_system() -> None:
    corpora = {name: as_corpus(["a", "b"], ["<skipped>", "b"]) for name in ("one", "two", "three")}
    statistics = {name: count_corpus(corpus, [BleuConfig()])[0] for name, corpus in corpora.items()}
    assert read_sentences(corpora, statistics)[0].references[0] == [("444", "<skipped>")]


def test_long_texts_are_shortened() -> None:
    *_, last = runs_of("a " * 5000, "b")
    assert last.text == " … (3,000 more tokens)"
