"""Scores of unusual weights and rows, their citation, and what they mean in words."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from corpora import corpus_of_two_references
from inner_doors import CHOICES, score_sentences
from oracle import are_close, count_rows, score_differences, score_rows

from bleu_metric import DIALECTS, BleuConfig, bootstrap, corpus_bleu, corpus_statistics, score, sentence_bleu

TEXTS = ["a b c", "a", "a b", "x", "a b c d e", ""] * 2, ["a b d", "a", "a b", "y", "a b c d f", "a"] * 2


NEW_OPTIONS: list[dict[str, Any]] = [
    {"weights": [0.1, 0.2, 0.7]},
    {"max_order": 2, "smoothing": "method7"},
    {"smoothing": "floor", "smoothing_value": 0.3, "effective_order": True},
    {"average": "sentence", "zero_score": "never", "total_floor": "corpus", "zero_precision": "skip"},
    {"auto_reweigh": True, "tokenizer": "13a"},
]


@pytest.mark.parametrize("new", NEW_OPTIONS)
@pytest.mark.parametrize("counted", [{}, {"smoothing": "method5"}, {"weights": [0.2] * 5}])
def test_counts_are_scored_again_as_if_counted_again(new: dict[str, Any], counted: dict[str, Any]) -> None:
    statistics = corpus_statistics(*TEXTS, **{**counted, **({"smoothing": "method5"} if "max_order" in new else {})})
    after = statistics.config.with_options(new)
    assert score(statistics, **new) == statistics.score(**new) == corpus_bleu(*TEXTS, after)
    assert statistics.config != after


@pytest.mark.parametrize(
    "new",
    [
        {"tokenizer": "char"},
        {"target_language": "zh"},
        {"lowercase": True},
        {"max_order": 5},
        {"weights": [0.2] * 5},
        {"reference_length": "average"},
        {"total_floor": "segment"},
        {"smoothing": "method5"},
    ],
)
def test_options_that_need_a_new_count(new: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"needs a new count: corpus_statistics\(predictions, references, "):
        score(corpus_statistics(*TEXTS), **new)
    with pytest.raises(ValueError, match=r"cannot average sentence scores: these statistics are a sum"):
        score(corpus_statistics(*TEXTS).sum(), average="sentence")


# Fixed texts, so that each fault in the formula is found at each run: too short and empty ones, references of several
# lengths, and a last segment with 5-grams
FIXED = [
    *zip(*TEXTS, strict=True),
    ("a b c d e f", ["a b c d e g h", "a b c d e"]),
    ("c b a", ["a b c d e f g h", "b a", "c"]),
    ("", ["a b"]),
    ("a b c", ["", ""]),
    ("", ["", ""]),
    ("a b", ["a b"] * 16 + ["a"]),  # the mean of 17 lengths is rounded down
    ("a b c d e f g a", ["a b c d e f h a", "b c d e f g"]),
]
VALUES = {  # of the libraries
    "method1": 0.1,
    "floor": 0.1,
    "add-k": 1.0,
    "codexglue": 1.0,
    **dict.fromkeys(("method4", "method6", "method7", "method4-3.5", "method7-3.5"), 5.0),
}
SETTINGS: dict[str, tuple[Any, ...]] = {
    **{option: CHOICES[option] for option in ("smoothing", "reference_length", "average", "effective_order")},
    **{option: CHOICES[option] for option in ("zero_score", "zero_precision", "total_floor", "auto_reweigh")},
    "weights": ((0.5, 0.25, 0.25, 0), (0.4, 0.3, 0.2, 0.1), (0.9, 0.5, 0.4, 0.3), (1, -1, 0, 1)),
    "max_order": (1, 2, 3, 5),
}


@pytest.mark.parametrize("option", SETTINGS)
def test_scores_of_fixed_texts(option: str) -> None:
    """One row and many rows, as numbers and as arrays, score as the oracle does."""
    dialects, smoothings = ("sacrebleu", "nltk", "pycocoevalcap"), ("none", "floor", "method6", "method7")
    every = itertools.product(dialects, smoothings, SETTINGS[option])
    for config in {DIALECTS[name].with_options({"smoothing": own, option: value}) for name, own, value in every}:
        assert config.smoothing_value == VALUES.get(config.smoothing)
        rows = count_rows(*zip(*FIXED, strict=True), config)
        for part in (slice(None), slice(-2), slice(3), *(slice(row, row + 1) for row in (0, 6, 14, 15, 16, 17, 18))):
            check_scores(*zip(*FIXED[part], strict=True), rows[part], config)
        check_scores(["a b"] * 2, ["a b"] * 2, rows[2:3] * 2, config)


@pytest.mark.parametrize(
    "smoothing", [name for name in CHOICES["smoothing"] if BleuConfig(smoothing=name).smoothing_value]
)
def test_smoothing_values(smoothing: str) -> None:
    """A value of 0 is an error, or scores as the oracle does."""
    for value in (0.0, 0.25, 2.0):
        try:
            config = DIALECTS["nltk"].with_options({"smoothing": smoothing, "smoothing_value": value})
        except ValueError:
            assert value == 0
            continue
        for part in (slice(None), slice(3)):
            texts = list(zip(*FIXED[part], strict=True))
            check_scores(*texts, count_rows(*texts, config), config)


def check_scores(predictions: Any, references: Any, rows: Any, config: Any) -> None:
    expected = score_rows(rows, config)
    nested = [[of_text] if isinstance(of_text, str) else of_text for of_text in references]
    wrong = score_differences(corpus_bleu(predictions, nested, config), expected)
    sentences = sentence_bleu(predictions, nested, config).tolist()
    assert (wrong, are_close(sentences, expected.sentence_scores)) == ([], True), (config, predictions)


PREDICTIONS, REFERENCES = corpus_of_two_references()


@pytest.mark.parametrize("rule", CHOICES["reference_length"])
def test_a_reference_length_is_whole_unless_it_is_an_average(rule: str) -> None:
    length = corpus_bleu(["a b c"], [["a b c d"]], reference_length=rule).reference_length
    assert (type(length), length) == (float if rule == "average" else int, 4)


def test_the_closest_reference_without_empty_ones() -> None:
    scored = corpus_bleu(["a"], [["", "a b", "a b c d"]], empty_references="missing")
    assert scored.reference_length == 2


@pytest.mark.parametrize(("tokens", "length"), [(9998, 9998), (9999, 9999), (10_000, 9999), (20_000, 9999)])
def test_multi_bleu_searches_up_to_9999_tokens(tokens: int, length: int) -> None:
    counted = corpus_statistics(["a"], ["a " * tokens], reference_length="closest-below-9999")
    assert counted.reference_lengths.tolist() == [length]


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
    one = corpus_bleu(PREDICTIONS, REFERENCES)
    with pytest.raises(ValueError, match=r"the interval belongs to another score: "):
        one.citation(bootstrap(corpus_statistics(PREDICTIONS[:9], REFERENCES[:9]), 40))
    with pytest.raises(ValueError, match=r"digits must be at least 0, got -1"):
        one.citation(digits=-1)
    with pytest.raises(TypeError, match=r"digits must be an integer, got True"):
        one.citation(digits=True)
    assert one.citation(digits=np.int64(1)) == one.citation(digits=1)


def test_no_segments_have_no_score() -> None:
    none = corpus_statistics(["a"], ["a"], average="sentence")[:0]
    assert score_sentences(none).shape == (0,)
    with pytest.raises(ValueError, match=r"no segments to score"):
        score(none)


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
        *({"dialect": "nltk", "smoothing": method, "smoothing_value": 1e-320} for method in ("method4", "method7")),
    ],
)
def test_scores_that_are_not_finite(rows: int, options: dict[str, Any]) -> None:
    texts = ["a b x y"] * rows, ["a b c d"] * rows
    for function in (sentence_bleu, corpus_bleu):
        with pytest.raises(ValueError, match=r"the score is too large for a float: .* another smoothing_value"):
            function(*texts, **{"smoothing": "exp", **options})


def test_one_string_has_one_score() -> None:
    (expected,) = sentence_bleu(["a b c d"], [["a b c x", "a b"]]).tolist()
    for references in (["a b c x", "a b"], ("a b c x", "a b"), np.array(["a b c x", "a b"]), ["a b", None, "a b c x"]):
        assert sentence_bleu("a b c d", references) == expected
    assert sentence_bleu("a b c d", "a b c x") == sentence_bleu(["a b c d"], ["a b c x"])[0]
    with pytest.raises(TypeError, match="predictions is None, which is no text"):
        sentence_bleu(None, "a b")
    with pytest.raises(TypeError, match="references is missing"):
        corpus_bleu(["a b"], None)
    with pytest.raises(TypeError, match=r"must be a string or a list of strings, got \[\['a b'\]\]; to score several"):
        sentence_bleu("a b", [["a b"]])
    with pytest.raises(ValueError, match=r"references\[0\] has no reference"):
        sentence_bleu("a b", [])
