"""Minimum Bayes risk: expected scores are weighted means of pairs; aggregated ones are those of mbrs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from many_texts import random_segment

from bleu_metric import (
    corpus_statistics,
    mbr,
    oracle_bleu,
    oracle_of_systems,
    pairwise_bleu,
    sentence_bleu,
    system_statistics,
)

CATS = ["the cat sat on the mat", "the cat is on the mat", "a dog sat on the log", "there is a cat on the mat today"]
# mbrs 0.1.8, MetricBLEU.expected_scores and expected_scores_reference_aggregation of CATS with themselves; float32
MBRS = [47.86725616455078, 44.70582962036133, 39.8299446105957, 39.41739273071289]
MBRS_AGGREGATED = [43.335263149896136, 40.79975925663368, 34.81678195707148, 38.652758784697276]
LOG_PROBABILITIES = [-1, -2, -0.5, -3]
MBRS_WEIGHTED = [52.96390151977539, 33.272586822509766, 64.34138488769531, 20.421764373779297]
MBRS_AGGREGATED_WEIGHTED = [50.14446929135519, 27.571363659207012, 62.29378253966189, 15.403339107641074]


def test_mbrs_gives_the_same_expected_scores() -> None:
    weights = np.exp(LOG_PROBABILITIES)
    np.testing.assert_allclose(100 * mbr(CATS).scores[0], MBRS, rtol=0, atol=1e-5)
    np.testing.assert_allclose(100 * mbr(CATS, None, weights).scores[0], MBRS_WEIGHTED, rtol=0, atol=1e-5)


def test_mbrs_gives_the_same_aggregated_scores() -> None:
    weights = np.exp(LOG_PROBABILITIES)
    plain = mbr(CATS, aggregate=True).scores[0]
    weighted = mbr(CATS, None, weights, aggregate=True).scores[0]
    np.testing.assert_allclose(100 * plain, MBRS_AGGREGATED, rtol=0, atol=1e-9)
    np.testing.assert_allclose(100 * weighted, MBRS_AGGREGATED_WEIGHTED, rtol=0, atol=1e-5)  # their weights: float32


def test_expected_scores_are_weighted_means() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        candidates, references = ([random_segment(rng, "text") for _ in range(3)] for _ in range(2))
        weights = [rng.random(len(own)) for own in references]
        result = mbr(candidates, references, weights, "nltk")
        matrices = pairwise_bleu(candidates, references, "nltk")
        for place, (matrix, own) in enumerate(zip(matrices, weights, strict=True)):
            np.testing.assert_allclose(result.scores[place], matrix @ own / own.sum(), rtol=0, atol=1e-12)
            assert result.best[place] == np.argmax(result.scores[place])
            assert result.texts[place] == candidates[place][result.best[place]]


def test_signature_says_which_form_it_is() -> None:
    assert mbr(CATS).signature.startswith("mbr:expected|nrefs:4|tok:13a|")
    assert mbr([CATS, CATS[:2]], aggregate=True).signature.startswith("mbr:aggregate|nrefs:var|")
    assert "best=[0], texts=['the cat sat on the mat'], expected=[0.4787]" in repr(mbr(CATS))


def test_the_first_of_equal_candidates_is_chosen() -> None:
    assert mbr(["a b", "a b"]).best.tolist() == [0]


BAD_WEIGHTS: list[tuple[Any, type[Exception], str]] = [
    ([1.0], ValueError, r"reference_weights has 1 entries for 2 references"),
    ([1.0, float("nan")], ValueError, r"reference_weights\[1\] is nan; weights must be finite numbers >= 0"),
    ([1.0, float("inf")], ValueError, r"reference_weights\[1\] is inf"),
    ([-0.5, -1.0], ValueError, r"reference_weights\[0\] is -0.5; .* convert log-probabilities with exp"),
    ([0, 0], ValueError, r"reference_weights are all 0"),
    ([1, "a"], TypeError, r"reference_weights\[1\] is 'a'; weights must be finite numbers"),
    ("ab", TypeError, r"reference_weights must be a list of numbers"),
]


@pytest.mark.parametrize(("weights", "error", "text"), BAD_WEIGHTS)
def test_bad_weights(weights: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        mbr(["a", "b"], None, weights)


def test_huge_weights_do_not_overflow() -> None:
    np.testing.assert_allclose(mbr(CATS, None, [1e308] * 4).scores[0], mbr(CATS).scores[0])


@pytest.mark.filterwarnings("ignore:the predictions have curly quotes")
def test_oracle_chooses_by_sentence_scores() -> None:
    rng = np.random.default_rng(7)
    nbest = [random_segment(rng, "text") for _ in range(40)]
    references = [random_segment(rng, "text") for _ in nbest]
    for dialect in ("sacrebleu", "nltk", "torchtext", "ignite"):
        result = oracle_bleu(nbest, references, dialect)
        for place, (candidates, own) in enumerate(zip(nbest, references, strict=True)):
            scores = sentence_bleu(candidates, [own] * len(candidates), dialect)
            np.testing.assert_allclose(result.scores[place], scores, rtol=0, atol=1e-12)
            assert result.best_index[place] == np.argmax(scores)
            assert result.worst_index[place] == np.argmin(scores)


def test_oracle_scores_are_corpus_scores() -> None:
    from bleu_metric import corpus_bleu

    nbest = [["a b c d", "a b x d"], ["e f g h", "e f", "g"]]
    references = [["a b c d e", "b c d"], ["e f g h"]]
    result = oracle_bleu(nbest, references)
    chosen = [candidates[index] for candidates, index in zip(nbest, result.best_index, strict=True)]
    worst = [candidates[index] for candidates, index in zip(nbest, result.worst_index, strict=True)]
    assert result.best == corpus_bleu(chosen, references, "sacrebleu")
    assert result.worst == corpus_bleu(worst, references, "sacrebleu")
    assert result.worst.bleu < result.mean < result.best.bleu


BAD_LISTS: list[tuple[Any, Any, type[Exception], str]] = [
    (["a"], ["b"], TypeError, r"nbest must hold a list of candidates per segment.*try nbest=\[nbest\]"),
    ([["a"], []], ["b", "c"], ValueError, r"nbest\[1\] is empty"),
    ([["a"]], ["b", "c"], ValueError, r"1 segments of nbest but 2 of references"),
    ([["a"], ["b", 3]], ["b", "c"], TypeError, r"nbest\[1\]\[1\] holds 3"),
    ([["a"]], [[None]], ValueError, r"references\[0\] has no reference"),
    ([["a"], ["b"]], [["a"], ["b", 3]], TypeError, r"references\[1\] holds 3"),
]


@pytest.mark.parametrize(("nbest", "references", "error", "text"), BAD_LISTS)
def test_bad_lists(nbest: Any, references: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        oracle_bleu(nbest, references)


SYSTEMS = {
    "A": ["the cat sat on the mat", "a dog barks", "it rains"],
    "B": ["the cat sits on a mat", "a dog barks at me", "it rains"],
    "C": ["cats sit on mats", "the dog barks at me", "it is raining"],
}


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "ignite", "evaluate"])
def test_oracle_of_systems_is_that_of_their_texts(dialect: str) -> None:
    references = [["the cat sat on a mat"], ["a dog barks at me", "the dog barks"], ["it is raining"]]
    statistics = system_statistics(SYSTEMS, references, dialect, max_order=2)
    result = oracle_of_systems(statistics)
    expected = oracle_bleu(
        [list(texts) for texts in zip(*SYSTEMS.values(), strict=True)], references, dialect, max_order=2
    )
    assert result.best == expected.best
    assert result.worst == expected.worst
    assert result.mean == pytest.approx(expected.mean, rel=1e-15)
    assert result.best_index.tolist() == expected.best_index.tolist()
    assert np.array_equal(result.scores, expected.scores)
    assert result.signature == expected.signature


def test_oracle_of_what_are_not_systems() -> None:
    own = corpus_statistics(["a b", "c"], ["a b", "c"])
    with pytest.raises(TypeError, match="systems must be a dict of name -> BleuStatistics"):
        oracle_of_systems([own])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"systems\['A'\] must be BleuStatistics, got list"):
        oracle_of_systems({"A": ["a b"]})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="there is no system to choose among"):
        oracle_of_systems({})
    with pytest.raises(ValueError, match="cannot choose among systems: these statistics are a sum"):
        oracle_of_systems({"A": own.sum()})
    with pytest.raises(ValueError, match="'A' has 2 segments, 'B' has 1"):
        oracle_of_systems({"A": own, "B": own[:1]})
    with pytest.raises(ValueError, match="there are no segments to choose among"):
        oracle_of_systems({"A": own[:0]})
    with pytest.raises(ValueError, match="counted in different ways"):
        oracle_of_systems({"A": own, "B": corpus_statistics(["a b", "c"], ["a b", "c"], max_order=3)})
    with pytest.raises(ValueError, match="weights is a list of lists"):
        oracle_of_systems({"A": corpus_statistics(["a"], ["a"], weights=[[1.0], [0.5, 0.5]])})
