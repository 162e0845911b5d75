"""The pieces of HTML and what they say."""

from __future__ import annotations

from typing import Any

import pytest
from html_of import Page, sentences_of
from inner_doors import as_corpus, count_corpus

from bleu_metric import BleuConfig, corpus_bleu, sentence_bleu
from bleu_metric.reporting.html import dialect_table, score_panel, sentence_list
from bleu_metric.reporting.sentences import Sentence, read_sentences


def rows(systems: dict[str, list[Any]], references: list[Any], **options: Any) -> list[Sentence]:
    corpora = {name: as_corpus(predictions, references) for name, predictions in systems.items()}
    config = BleuConfig(**options)
    statistics = {name: count_corpus(corpus, [config])[0] for name, corpus in corpora.items()}
    return read_sentences(corpora, statistics)


def test_several_weights() -> None:
    score = corpus_bleu(["a b c"], ["a b d"], weights=[[1.0], [0.5, 0.5]])
    assert "BLEU 66.7 / 57.7" in Page(score_panel(score)).text()
    assert "66.7 / 57.7" in Page(dialect_table({"default": score})).text()
    with pytest.raises(ValueError, match="a sentence is shown with one score"):
        rows({"": ["a b c"]}, ["a b d"], weights=[[1.0], [0.5, 0.5]])


def test_sentence_list() -> None:
    systems = {"one": ["the cat sat on a mat", "x"], "two": ["the dog", "y"]}
    html = sentence_list(rows(systems, [["the cat sat on the mat"], ["x"]]), list(systems))
    first, second = sentences_of(html)
    assert first.outputs == ["4the cat sat on\n0 a\n1 mat", "1the\n0 dog"]
    assert first.references == ["41the\n40 cat sat on\n00 the\n10 mat"]
    assert (second.number, second.outputs, second.references) == (2, ["4x", "0y"], ["40x"])
    expected = [sentence_bleu(texts, ["the cat sat on the mat", "x"]) for texts in systems.values()]
    assert first.scores == [round(100 * float(scores[0]), 4) for scores in expected]


def test_legend_names_the_orders() -> None:
    def legend(order: int) -> str:
        html = sentence_list(rows({"": ["a b c d e f"]}, ["a b c d e f"], max_order=order), max_order=order)
        return " ".join(Page(html).text().split("a word is part of:")[1].split("In a reference")[0].split())

    assert legend(2) == "no n-gram 1-gram 2-gram, or the whole text"
    assert legend(6) == "no n-gram 1-gram 2-gram 3-gram 4-gram or longer, or the whole text"
