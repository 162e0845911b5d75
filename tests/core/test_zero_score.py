"""A score of 0 is warned of; other scores are not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from bleu_metric import (
    DIALECTS,
    bootstrap,
    corpus_bleu,
    corpus_statistics,
    explain_difference,
    pairwise_bleu,
    reward,
    score_dialects,
    score_systems,
    sentence_bleu,
)

SHORT = ["hello there"]
TWO_LONG = ["hello there general kenobi", "you are a bold one"]
GAP = ["the cat sat on the mat"], ["the dog sat in the house"]  # no 2-gram matches
PAIRS = [(SHORT, SHORT), GAP, (["a b c d e"], ["a b x d e"]), (["a b", "a c d e"], ["a b", "a x"])]


def warned_of(*arguments: Any, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corpus_bleu(*arguments, **options)
    return [str(warning.message) for warning in caught]


NO_TOKEN = "no token of the predictions is in their references; check that both are in the same order and language"
MESSAGES: list[tuple[Any, dict[str, Any], str]] = [
    (
        (SHORT, SHORT),
        {},
        "no prediction has 3 tokens, so no 3-gram can match. For a score above 0, pass max_order=2 or effective_order=True",
    ),
    (
        (["a b c"], ["a x c"]),
        {"smoothing": "none", "max_order": 5},
        "no 2-gram of the predictions is in their references. For a score above 0, pass max_order=1 or smoothing='exp', effective_order=True",
    ),
    ((["x y z w v"], ["a b c d e"]), {}, NO_TOKEN),
    # max_order is not advised, because weights of four orders would not fit
    (
        (SHORT, SHORT),
        {"weights": [0.4, 0.3, 0.2, 0.1]},
        "no prediction has 3 tokens, so no 3-gram can match. For a score above 0, pass effective_order=True",
    ),
]


@pytest.mark.parametrize(("texts", "options", "expected"), MESSAGES)
def test_the_message_names_the_cause_and_the_options(texts: Any, options: dict[str, Any], expected: str) -> None:
    assert warned_of(*texts, **options) == [f"BLEU is 0.00: {expected}"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("pair", PAIRS)
def test_every_option_that_is_named_gives_a_score_above_0(dialect: str, pair: tuple[list[str], list[str]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bleu = corpus_bleu(*pair, dialect).bleu
    messages = warned_of(*pair, dialect)
    assert len(messages) == (bleu < 1e-12)
    for message in messages:
        choices = message.split(" pass ")[1].split(" or ")
        assert choices
        for choice in choices:
            options = eval(f"dict({choice})")
            assert corpus_bleu(*pair, dialect, **options).bleu > 0.01
            assert not warned_of(*pair, dialect, **options)


@pytest.mark.parametrize(
    ("predictions", "references", "weights"),
    [
        *(([""], ["a b"], [1.0]), (["a b"], [""], [1.0])),  # there is nothing to compare
        (["a"], ["a b " * 2000], [1.0]),  # the brevity penalty alone makes the score 0
        (SHORT, SHORT, [0.5, 0.5, 0, 0]),  # weights decide which orders count
    ],
)
def test_other_scores_are_not_warned_of(predictions: Any, references: Any, weights: Any) -> None:
    assert not warned_of(predictions, references, weights=weights)


def test_one_system_of_several_is_named() -> None:
    with pytest.warns(UserWarning, match=r"^'B': BLEU is 0\.00"):
        score_systems({"A": ["hello there general kenobi"], "B": SHORT}, ["hello there general kenobi"])


@pytest.mark.parametrize("predictions", [SHORT, SHORT * 1000, [SHORT[0].split()], [[1, 2]]])
@pytest.mark.parametrize("options", [{"dialect": "papineni"}, {"dialect": "nltk"}])
def test_sentences_that_all_score_zero_are_warned_of_as_their_corpus(predictions: Any, options: Any) -> None:
    with pytest.warns(UserWarning, match=r"BLEU is 0\.00") as caught:
        sentence_bleu(predictions, predictions, **options)
    assert [str(each.message) for each in caught] == warned_of(predictions, predictions, **options)
    assert [each.filename for each in caught] == [__file__]


@pytest.mark.filterwarnings("error")
def test_where_zeros_are_normal_nothing_is_said() -> None:
    assert sentence_bleu(["x y z w v", *SHORT], ["a b c d e", *SHORT], smoothing="exp", max_order=2)[0] == 0
    assert sentence_bleu(SHORT + TWO_LONG, SHORT + TWO_LONG, "papineni").tolist() == [0, 1, 1]
    assert sentence_bleu(["x"], ["a"]) == 0  # that nothing of one pair matches is no surprise
    statistics = corpus_statistics(SHORT * 3, SHORT * 3)
    bootstrap(statistics, 40)
    score_dialects(SHORT, SHORT)
    explain_difference(SHORT, SHORT, "papineni", "nltk")
    assert np.all(pairwise_bleu(SHORT, SHORT) >= 0)
    reward()(completions=SHORT, references=SHORT)
    with pytest.warns(UserWarning, match="no token of the predictions"):
        sentence_bleu(["x y", "z"], ["a b", "c"])
