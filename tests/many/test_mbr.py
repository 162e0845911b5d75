"""Minimum Bayes risk: expected scores are weighted means of pairs; aggregated ones are those of mbrs."""

from __future__ import annotations

import numpy as np
from many_texts import CATS, random_segment

from bleu_metric import mbr, pairwise_bleu

# mbrs 0.1.8, MetricBLEU.expected_scores and expected_scores_reference_aggregation of CATS with themselves; float32
MBRS = [47.86725616455078, 44.70582962036133, 39.8299446105957, 39.41739273071289]
MBRS_AGGREGATED = [43.335263149896136, 40.79975925663368, 34.81678195707148, 38.652758784697276]
LOG_PROBABILITIES = [-1, -2, -0.5, -3]
MBRS_WEIGHTED = [52.96390151977539, 33.272586822509766, 64.34138488769531, 20.421764373779297]
MBRS_AGGREGATED_WEIGHTED = [50.14446929135519, 27.571363659207012, 62.29378253966189, 15.403339107641074]


def test_mbrs_gives_the_same_scores() -> None:
    weights = np.exp(LOG_PROBABILITIES)
    for own_weights, aggregate, expected, atol in (
        (None, False, MBRS, 1e-5),
        (weights, False, MBRS_WEIGHTED, 1e-5),
        (None, True, MBRS_AGGREGATED, 1e-9),
        (weights, True, MBRS_AGGREGATED_WEIGHTED, 1e-5),  # their weights: float32
    ):
        found = mbr(CATS, None, own_weights, aggregate=aggregate).scores[0]
        np.testing.assert_allclose(100 * found, expected, rtol=0, atol=atol)


def test_aggregated_scores_are_of_sentences() -> None:
    """Sacrebleu leaves out the orders that have no n-grams."""
    assert mbr(["a b c", "a b c"], aggregate=True).scores[0].tolist() == [1, 1]


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


def test_segments_do_not_change_one_anothers_aggregated_scores() -> None:
    rng = np.random.default_rng(6)
    candidates, references = ([random_segment(rng, "text") for _ in range(8)] for _ in range(2))
    weights = [rng.random(len(own)) for own in references]
    scores = mbr(candidates, references, weights, "nltk", aggregate=True).scores
    for own_scores, *segment in zip(scores, candidates, references, weights, strict=True):
        [alone] = mbr(*segment, "nltk", aggregate=True).scores
        np.testing.assert_allclose(own_scores, alone, rtol=0, atol=1e-12)


def test_signature_says_which_form_it_is() -> None:
    assert mbr(CATS).signature.startswith("mbr:expected|nrefs:4|tok:13a|")
    assert mbr([CATS, CATS[:2]], aggregate=True).signature.startswith("mbr:aggregate|nrefs:var|")
    assert "best=[0], texts=['the cat sat on the mat'], expected=[0.4787]" in repr(mbr(CATS))


def test_the_first_of_equal_candidates_is_chosen() -> None:
    assert mbr(["a b", "a b"]).best.tolist() == [0]


def test_huge_weights_do_not_overflow() -> None:
    np.testing.assert_allclose(mbr(CATS, None, [1e308] * 4).scores[0], mbr(CATS).scores[0])
