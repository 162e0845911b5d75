"""The pieces of HTML: what they say, and that no text becomes markup."""

from __future__ import annotations

import builtins
from typing import Any

import pytest
from html_of import Page
from inner_doors import as_corpus, count_corpus

from bleu_metric import BleuConfig, corpus_bleu, score_dialects
from bleu_metric.reporting.html import dialect_table, environment, score_panel, sentence_list
from bleu_metric.reporting.sentences import Sentence, read_sentences

HOSTILE = "<script>alert(1)</script></style><b onclick='x'>\"&amp;\x00\u202e"
SHOWN = "<script>alert(1)</script></style><b onclick='x'>\"&amp;␀[U+202E]"


def rows(systems: dict[str, list[Any]], references: list[Any], **options: Any) -> list[Sentence]:
    corpora = {name: as_corpus(predictions, references) for name, predictions in systems.items()}
    config = BleuConfig(**options)
    statistics = {name: count_corpus(corpus, [config])[0] for name, corpus in corpora.items()}
    return read_sentences(corpora, statistics)


def test_score_panel() -> None:
    score = corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat", "a cat sat there"]])
    page = Page(score_panel(score))
    text = " ".join(page.text().split())
    assert "BLEU 53.7 too short to judge A score compares only" in text
    assert "4-gram precision 33.3 % 1 / 3" in text
    assert "Brevity penalty1.000" in text
    assert [bar.attributes["style"] for bar in page.all("span", **{"class": "bar"})][-1] == "width: 33.3%"


def test_several_weights() -> None:
    score = corpus_bleu(["a b c"], ["a b d"], weights=[[1.0], [0.5, 0.5]])
    assert "BLEU 66.7 / 57.7" in Page(score_panel(score)).text()
    assert "66.67 / 57.74" in Page(dialect_table({"default": score})).text()
    with pytest.raises(ValueError, match="a sentence is shown with one score"):
        rows({"": ["a b c"]}, ["a b d"], weights=[[1.0], [0.5, 0.5]])


def test_dialect_table() -> None:
    scores = score_dialects(["a b c d e", "a, b"], [["a b c d", "a b c d e f"], ["a , b"]])
    page = Page(dialect_table(scores))
    heads = page.all("th", scope="row")
    assert len(heads) == len(scores)
    values = [float(cell.attributes["data-value"] or "") for cell in page.all("td", **{"class": "number"})]
    assert values[::3] == [score.bleu for score in scores.values()]


def test_sentence_list() -> None:
    systems = {"one": ["the cat sat on a mat", "x"], "two": ["the dog", "y"]}
    page = Page(sentence_list(rows(systems, [["the cat sat on the mat"], ["x"]]), list(systems)))
    assert len(page.all("li")) == 2
    in_list = [span for span in page.all("span") if "li" in span.inside]
    marks = [span.attributes["class"] for span in in_list if "text" not in (span.attributes["class"] or "")]
    assert [mark for mark in marks if (mark or "").startswith("m")] == ["m4", "m1", "m1", "m4", "m4", "m1", "m1", "m1"]
    of_systems = [span.attributes["data-orders"] for span in in_list if "data-orders" in span.attributes]
    assert of_systems == ["4 1", "4 0", "1 0", "1 0"]
    assert all(text.attributes.get("dir") == "auto" for text in page.all("div", **{"class": "text"}))


def test_a_page_of_sentences_is_shown() -> None:
    texts = [f"sentence {number}" for number in range(45)]
    html = sentence_list(rows({"": texts}, texts))
    items = Page(html).all("li")
    assert ["hidden" in item.attributes for item in items] == [False] * 20 + [True] * 25
    assert html.count("1–20 of 45") == 2


def test_legend_names_the_orders() -> None:
    def legend(order: int) -> str:
        html = sentence_list(rows({"": ["a b c d e f"]}, ["a b c d e f"], max_order=order), max_order=order)
        return " ".join(Page(html).text().split("part of:")[1].split("In a reference")[0].split())

    assert legend(2).endswith("1 2 none")
    assert legend(6).endswith("1 2 3 4 or more none")


def test_nothing_of_the_data_is_markup() -> None:
    sentences = rows({HOSTILE: [HOSTILE], "two": [HOSTILE]}, [[HOSTILE, "a"]])
    html = sentence_list(sentences, [HOSTILE, "two"])
    score = corpus_bleu([HOSTILE], [[HOSTILE]])
    html += score_panel(score, HOSTILE) + dialect_table({HOSTILE: score})
    page = Page(html)
    assert not page.all("script")
    assert not page.all("b", onclick="x")
    assert "\x00" not in html
    assert "\u202e" not in html
    assert page.text().count(SHOWN) > 5  # choices, a name, two outputs, a reference, a panel, a table


def test_without_jinja(monkeypatch: pytest.MonkeyPatch) -> None:
    import_module = builtins.__import__

    def missing(name: str, *args: Any) -> Any:
        if name == "jinja2":
            raise ImportError(name)
        return import_module(name, *args)

    environment.cache_clear()
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match=r'pip install "bleu_metric\[report\]"'):
        environment()
