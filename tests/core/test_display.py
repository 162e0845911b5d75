"""Results show themselves: on one line, as text, as a table of a notebook, as numbers and as fields."""

from __future__ import annotations

from typing import Any

import pytest
from corpora import PREDICTIONS, REFERENCES
from html_of import Page

from bleu_metric import (
    BleuScore,
    bootstrap,
    corpus_bleu,
    corpus_statistics,
    explain_difference,
    paired_bootstrap,
    score_groups,
)

SCORE = corpus_bleu(PREDICTIONS, REFERENCES)
STATISTICS = corpus_statistics(PREDICTIONS, REFERENCES)
OTHER = [text.replace("cat", "<b>dog</b>") for text in PREDICTIONS]
COMPARISON = paired_bootstrap(STATISTICS, {"<b>\x1b[1m": corpus_statistics(OTHER, REFERENCES)}, n_resamples=40)
RESULTS = {
    "score": SCORE,
    "group": score_groups(corpus_statistics(PREDICTIONS, REFERENCES), ["a", "b", "a"])["a"],
    "order 30": corpus_bleu(["a " * 40], ["a " * 40], max_order=30),
    "interval": bootstrap(STATISTICS, 40),
    "comparison": COMPARISON,
    "explanation": explain_difference(PREDICTIONS, REFERENCES, "nltk", "sacrebleu"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_can_be_read(name: str) -> None:
    result: Any = RESULTS[name]
    line, text, page = repr(result), str(result), Page(result._repr_html_())
    assert line.startswith(f"<{type(result).__name__} ")
    assert line.isprintable()
    assert len(line) < 250
    assert text.replace("\n", "").isprintable()
    assert "object at" not in text
    assert "[1m" in page.text() or "\x1b" not in page.text()
    assert not page.all("b"), "a name is not markup"


def test_a_score_says_the_same_everywhere() -> None:
    percent = f"{100 * SCORE.bleu:.1f}"
    assert f"<BleuScore {percent}: " in repr(SCORE)
    assert str(SCORE).startswith(f"BLEU {percent}\n  1-grams ")
    assert str(SCORE).endswith(f"\n  {SCORE.sacrebleu_signature}")
    text = Page(SCORE._repr_html_()).text()
    assert percent in text
    assert SCORE.sacrebleu_signature in text


def test_a_score_is_a_number() -> None:
    assert float(SCORE) == SCORE.bleu
    assert f"{SCORE:.2f} {SCORE:.1%}" == f"{SCORE.bleu:.2f} {SCORE.bleu:.1%}"
    assert f"{SCORE}" == str(SCORE)


def test_a_score_has_fields_by_name() -> None:
    assert SCORE["bleu"] == SCORE.bleu
    assert dict(SCORE) == {**SCORE} == SCORE.to_dict()
    assert "bleu" in SCORE
    assert "segments" in RESULTS["group"].keys()  # noqa: SIM118
    for wrong in ("blue", 0, -1, None):
        with pytest.raises(KeyError, match=r"unknown field of a score"):
            SCORE[wrong]  # type: ignore[index]
    assert BleuScore(**SCORE) == SCORE
