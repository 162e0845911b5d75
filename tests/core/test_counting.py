"""A corpus is counted by either engine, a few rows from lists: the numbers are the textbook's, and those of arrays.

pytest tests/core/test_counting.py --more-cases 650    # 104,000 cases each
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
from corpora import NASTY, WORDS
from hypothesis import given, settings
from hypothesis import strategies as st
from inner_doors import AVAILABLE_ENGINES, CHOICES, TOKENIZERS, WHITESPACE, by_arrays_alone, textbook, use_engine
from same_scores import assert_same_scores

from bleu_metric import DIALECTS, BleuStatistics, corpus_bleu, corpus_statistics, sentence_bleu

WORD = st.sampled_from([*WORDS, "1.5", "1,000.", ".5", "3-", "-3", "a.b", "1.,2", "...", "&lt;", "K\u212a", "İ"])
TOKENS = st.lists(WORD, max_size=9)
TEXTS = TOKENS.map(" ".join) | st.lists(st.sampled_from(NASTY), max_size=12).map("".join)
IDS = st.lists(st.integers(-3, 5), max_size=9)
WEIGHTS = st.sampled_from([None, [0.25] * 4, [0.5, 0.5], [1.0], [0.1, 0.0, 0.9], [[1.0], [0.25] * 4], [2.0, -1.0]])


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[Any], list[Any]]:
    """Draw a corpus whose size is on both sides of the switch, with rows that match here and there."""
    text = draw(st.sampled_from([TEXTS, TOKENS, IDS]))
    rows = draw(
        st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=3), st.booleans()), min_size=1, max_size=22)
    )
    predictions = [prediction for prediction, _, _ in rows]
    references = [[near(draw, prediction), *others[1:]] if is_near else others for prediction, others, is_near in rows]
    return predictions, references


def near(draw: st.DrawFn, text: Any) -> Any:
    """Exchange two parts of a text: all its tokens, and some of its n-grams."""
    place = draw(st.integers(0, len(text)))
    return text[place:] + text[:place]


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from([name for name in CHOICES if name != "tokenizer"]), max_size=4, unique=True))
    chosen: dict[str, Any] = {name: draw(st.sampled_from(CHOICES[name])) for name in names}
    if draw(st.booleans()):
        chosen["tokenizer"] = draw(st.sampled_from(["13a", "intl", "zh", "char", "whitespace", "none"]))
    weights = draw(WEIGHTS)
    if weights is not None:
        chosen["weights"] = weights
    elif draw(st.booleans()):
        chosen["max_order"] = draw(st.integers(1, 10))
    return chosen


def answers(predictions: Any, references: Any, dialect: str, chosen: dict[str, Any]) -> tuple[BleuStatistics, Any, Any]:
    statistics = corpus_statistics(predictions, references, dialect, **chosen)
    score = corpus_bleu(predictions, references, dialect, **chosen)
    return statistics, score, sentence_bleu(predictions, references, dialect, **chosen)


@settings(max_examples=settings.default.max_examples * 4)
@given(corpora(), st.sampled_from([*DIALECTS]), options())
def test_both_ways_give_the_same(corpus: tuple[Any, Any], dialect: str, chosen: dict[str, Any]) -> None:
    try:
        statistics, score, sentences = answers(*corpus, dialect, chosen)
    except ValueError as error:
        with by_arrays_alone(), pytest.raises(ValueError, match="^" + re.escape(str(error))):
            answers(*corpus, dialect, chosen)
        return
    with by_arrays_alone():
        expected_statistics, expected_score, expected_sentences = answers(*corpus, dialect, chosen)
    assert statistics.table.tolist() == expected_statistics.table.tolist()
    assert statistics.nrefs == expected_statistics.nrefs
    assert score.counts == expected_score.counts
    assert score.totals == expected_score.totals
    assert score.signature == expected_score.signature
    assert score.precisions == pytest.approx(expected_score.precisions, rel=1e-15, abs=0)
    assert_same_scores(np.array(score.bleu), np.array(expected_score.bleu), 1e-15)
    assert_same_scores(sentences, expected_sentences, 2e-15)


@st.composite
def token_corpora(draw: st.DrawFn) -> tuple[list[list[int]], list[list[list[int]]]]:
    """Draw lists of small numbers: few different rows, repeated up to a size on either side of each switch."""
    text = st.lists(st.integers(0, 4), max_size=9)
    rows = draw(st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=3)), min_size=1, max_size=5))
    size = draw(st.sampled_from([1, 2, 7, 32, 33, 64, 65]))
    predictions, references = zip(*(rows * size)[:size], strict=True)
    return list(predictions), list(references)


SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=6)
AS_ROWS: dict[str, Any] = {
    "ids": lambda ids: ids,
    "tokens": lambda ids: [f"w{number}" for number in ids],
    "texts": lambda ids: " ".join(f"long-word-{number}" for number in ids),
}


@settings(max_examples=settings.default.max_examples * 4)
@given(token_corpora(), st.sampled_from([*AS_ROWS]), st.sampled_from(AVAILABLE_ENGINES), SHARES)
def test_counts_and_scores_are_the_textbooks(
    corpus: tuple[list[list[int]], list[list[list[int]]]], kind: str, engine: str, weights: list[float]
) -> None:
    predictions, references = corpus
    as_row = AS_ROWS[kind]
    texts = [as_row(ids) for ids in predictions], [[as_row(ids) for ids in several] for several in references]
    max_order = len(weights)
    expected = textbook.counts(predictions, references, max_order)
    with pytest.MonkeyPatch.context() as patch:
        use_engine(patch, engine)
        statistics = corpus_statistics(*texts, tokenizer="none", max_order=max_order)
        score = corpus_bleu(*texts, "papineni", tokenizer="none", weights=weights).bleu
    assert score == pytest.approx(textbook.corpus_bleu(predictions, references, weights), rel=1e-12, abs=0)
    total = statistics.sum()
    counted = (total.matches[0].tolist(), total.totals[0].tolist(), total.lengths[0], total.reference_lengths[0])
    assert counted == expected


EDGES = [
    " The CAT\x1f on it.\n",
    "\x1c.5 &quot;Cats&quot;",
    "\u3000中文 \u212aİ ΑΣ \x85",
    "A b c end-\n",
    "&lt",
    "<skipped> -\nb",
]


@pytest.mark.parametrize("lowercase", [False, True, "ascii", "after"])
@pytest.mark.parametrize("tokenizer", [*TOKENIZERS])
def test_texts_with_edges_entities_and_capitals(tokenizer: str, lowercase: bool | str) -> None:
    references = [text.lower().strip() for text in EDGES]
    for whitespace, strip in itertools.product(WHITESPACE, (False, True)):
        choices: Any = {"tokenizer": tokenizer, "lowercase": lowercase, "whitespace": whitespace, "strip": strip}
        for row in zip(EDGES, references, strict=True):
            pair = [[text] for text in row]
            few = corpus_statistics(*pair, **choices).table.tolist()
            with by_arrays_alone():
                assert few == corpus_statistics(*pair, **choices).table.tolist(), (row, whitespace, strip)
