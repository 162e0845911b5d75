"""Scores of unusual weights and rows, their citation, and what they mean in words."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from corpora import corpus_of_two_references
from inner_doors import CHOICES, score_sentences

from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, pairwise_bleu, score, sentence_bleu

WEIGHT_LISTS = [(1.0,), (0.5, 0.5), (0.5, -0.5), (0.25,) * 4, (0.1, 0.0, 0.9), (0.3, 0.0)]


# Not methods 5 and 7: they average the precisions of neighbouring orders, so the longest list changes the score of the
# others, as in NLTK
@pytest.mark.parametrize("smoothing", ["none", "method6", "exp", "add-one"])
@pytest.mark.parametrize("zero_score", CHOICES["zero_score"])
@pytest.mark.parametrize("effective_order", [True, "sentence"])
def test_a_list_of_weights_scores_alike_alone_and_beside_others(
    smoothing: str, zero_score: str, effective_order: bool | str
) -> None:
    """Up to 11 rows are scored in plain Python, more rows with NumPy."""
    options: dict[str, Any] = {"smoothing": smoothing, "zero_score": zero_score, "effective_order": effective_order}
    predictions = ["a b c", "a", "a b", "x", "a b c d e", ""] * 2
    references = ["a b d", "a", "a b", "y", "a b c d f", "a"] * 2

    def scores(rows: int, weights: Any) -> list[Any]:
        texts = predictions[:rows], references[:rows]
        counted = corpus_statistics(*texts, weights=weights, **options)
        interval = bootstrap(counted, n_resamples=100)
        sentences = sentence_bleu(*texts, weights=weights, **options)
        pairs = pairwise_bleu(*texts, "papineni", weights=weights, **options)
        parts = [corpus_bleu(*texts, weights=weights, **options).bleu, interval.low, interval.high, *sentences, *pairs]
        return [np.asarray(part) for part in parts]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scores of 0
        for rows in (5, 12):
            together = scores(rows, WEIGHT_LISTS)
            for index, weights in enumerate(WEIGHT_LISTS):
                beside = [part[..., index] for part in together]
                for one, other in zip(beside, scores(rows, weights), strict=True):
                    assert one == pytest.approx(other, rel=1e-12, abs=0)


def test_negative_weights_do_not_reward_a_missing_order() -> None:
    assert corpus_bleu(["a b"], [["a c"]], "papineni", weights=[0.5, -0.5]).bleu == 0.0


PREDICTIONS, REFERENCES = corpus_of_two_references()


@pytest.mark.parametrize("rule", CHOICES["reference_length"])
def test_a_reference_length_is_whole_unless_it_is_an_average(rule: str) -> None:
    length = corpus_bleu(["a b c"], [["a b c d"]], reference_length=rule).reference_length
    assert (type(length), length) == (float if rule == "average" else int, 4)


def test_citation() -> None:
    score_ = corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu")
    interval = bootstrap(corpus_statistics(PREDICTIONS, REFERENCES, "sacrebleu"), 100)
    low, bleu, high = (f"{100 * number:.1f}" for number in (interval.low, score_.bleu, interval.high))
    assert score_.citation() == (f"BLEU {bleu}, signature {score_.sacrebleu_signature}", bleu)
    cited = score_.citation(interval)
    assert cited.sentence == f"BLEU {bleu} [{low}, {high}], signature {interval.signature}"
    assert cited.cell == f"{bleu} [{low}, {high}]"
    assert score_.citation(digits=2).cell == f"{100 * score_.bleu:.2f}"
    assert score_.citation(interval, digits=0).cell.count(".") == 0


def test_wrong_citations() -> None:
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, weights=[[1.0], [0.5, 0.5]])
    one, several = corpus_bleu(PREDICTIONS, REFERENCES), score(statistics)
    with pytest.raises(ValueError, match=r"weights is a list of lists: cite one score"):
        several.citation()
    for other in (bootstrap(statistics, 40), bootstrap(corpus_statistics(PREDICTIONS[:9], REFERENCES[:9]), 40)):
        with pytest.raises(ValueError, match=r"the interval belongs to another score: "):
            one.citation(other)
    with pytest.raises(ValueError, match=r"digits must be at least 0, got -1"):
        one.citation(digits=-1)
    with pytest.raises(TypeError, match=r"digits must be an integer, got True"):
        one.citation(digits=True)
    assert one.citation(digits=np.int64(1)) == one.citation(digits=1)


@pytest.mark.parametrize(("options", "shape"), [({}, (0,)), ({"weights": [[1.0], [0.5, 0.5]]}, (0, 2))])
def test_no_segments_have_no_sentence_scores(options: dict[str, Any], shape: tuple[int, ...]) -> None:
    assert score_sentences(corpus_statistics(["a"], ["a"], **options)[:0]).shape == shape


def test_a_mean_of_no_sentences_is_no_number() -> None:
    none = corpus_statistics(["a"], ["a"], average="sentence")[:0]
    with pytest.raises(ValueError, match=r"no segments to score"):
        score(none)


def test_an_empty_prediction_is_not_reweighed() -> None:
    """A mean without weights would be 1."""
    assert corpus_bleu([""], [""], auto_reweigh=True, zero_score="never").bleu == 0


@pytest.mark.parametrize(("smoothing", "is_left_out"), [("none", False), ("none-float32", False), ("method1", True)])
def test_smoothing_decides_whether_a_zero_precision_is_left_out(smoothing: str, is_left_out: bool) -> None:
    options: Any = {"smoothing": smoothing, "smoothing_value": 0} if is_left_out else {"smoothing": smoothing}
    result = corpus_bleu(["a b c d"], ["a b x y"], zero_precision="skip", **options)
    assert result.precisions[3] == 0
    assert (result.bleu > 0) == is_left_out


def test_sacrebleus_name_of_the_score_is_answered() -> None:
    result = corpus_bleu(["a b c d"], ["a b c d"])
    with pytest.raises(AttributeError, match=r"no 'score'; did you mean \.bleu\? In percent: 100 \* score\.bleu"):
        result.score  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(AttributeError, match="'BleuScore' object has no attribute 'precision'"):
        result.precision  # type: ignore[attr-defined] # noqa: B018
    assert pickle.loads(pickle.dumps(result)) == result == copy.deepcopy(result)


@pytest.mark.parametrize("rows", [1, 20])
@pytest.mark.parametrize(
    "options",
    [
        {"weights": [-1e5, 0, 0, 0]},  # precisions are finite, and only the score of (1/2)^-100000 is not
        {"weights": [[1.0], [-1e5]]},
        *({"dialect": "nltk", "smoothing": method, "smoothing_value": 1e-320} for method in ("method4", "method7")),
    ],
)
def test_scores_that_are_not_finite(rows: int, options: dict[str, Any]) -> None:
    texts = ["a b x y"] * rows, ["a b c d"] * rows
    for function in (sentence_bleu, corpus_bleu):
        with pytest.raises(ValueError, match=r"the score is too large for a float: .* another smoothing_value"):
            function(*texts, **{"smoothing": "exp", **options})


@pytest.mark.parametrize("options", [{}, {"dialect": "nltk", "max_order": 2}, {"weights": [[1.0], [0.5, 0.5]]}])
def test_one_string_has_one_score(options: dict[str, Any]) -> None:
    (expected,) = sentence_bleu(["a b c d"], [["a b c x", "a b"]], **options).tolist()
    for references in (["a b c x", "a b"], ("a b c x", "a b"), np.array(["a b c x", "a b"]), ["a b", None, "a b c x"]):
        assert sentence_bleu("a b c d", references, **options) == expected
    (expected,) = sentence_bleu(["a b c d"], ["a b c x"], **options).tolist()
    assert sentence_bleu("a b c d", "a b c x", **options) == expected


def test_one_string_as_sacrebleu_scores_it() -> None:
    sacrebleu = pytest.importorskip("sacrebleu", reason="pip install '.[test]'")
    for text, references in (("hello there", ["hello there"]), ("The cat sat.", ["The cat.", "A cat sat down."])):
        theirs = sacrebleu.sentence_bleu(text, references).score
        assert 100 * sentence_bleu(text, references) == pytest.approx(theirs, rel=1e-12, abs=0)


def test_the_references_of_one_string_are_strings() -> None:
    with pytest.raises(TypeError, match=r"must be a string or a list of strings, got \[\['a b'\]\]; to score several"):
        sentence_bleu("a b", [["a b"]])
    with pytest.raises(ValueError, match=r"references\[0\] has no reference"):
        sentence_bleu("a b", [])
