"""A corpus is counted by either engine, from lists or arrays: the numbers are the textbook's.

pytest tests/core/test_counting.py --more-cases 650    # 104,000 cases
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inner_doors import AVAILABLE_ENGINES, TOKENIZERS, WHITESPACE, by_arrays_alone, textbook, use_engine

from bleu_metric import corpus_bleu, corpus_statistics


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
    "tokens": lambda ids: [f"numbers{number}" for number in ids],  # differ in the last byte of a word of 8
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
