"""Results show themselves: on one line, as text, as a table of a notebook, as numbers and as fields."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import pytest
from corpora import PREDICTIONS, REFERENCES
from html_of import Page

from bleu_metric import (
    BleuScore,
    FoundSettings,
    bootstrap,
    compare_groups,
    compare_metrics,
    corpus_bleu,
    corpus_statistics,
    explain_difference,
    mbr,
    paired_bootstrap,
    score_groups,
    score_systems,
    self_bleu,
)
from bleu_metric.comparison.find import FoundSetting

SCORE = corpus_bleu(PREDICTIONS, REFERENCES)
STATISTICS = corpus_statistics(PREDICTIONS, REFERENCES)
OTHER = [text.replace("cat", "<b>dog</b>") for text in PREDICTIONS]
MANY = np.arange(30) % len(PREDICTIONS)  # enough rows for a test
COMPARISON = paired_bootstrap(
    STATISTICS[MANY], {"<b>\x1b[1m": corpus_statistics(OTHER, REFERENCES)[MANY]}, n_resamples=40
)
RESULTS = {
    "score": SCORE,
    "group": score_groups(corpus_statistics(PREDICTIONS, REFERENCES), ["a", "b", "a"])["a"],
    "order 30": corpus_bleu(["a " * 40], ["a " * 40], max_order=30),
    "interval": bootstrap(STATISTICS, 40),
    "comparison": COMPARISON,
    "metrics": compare_metrics({"=<b>\x1b[1m|&": {"A": [1.0, 2.0] * 15, "*B": [2.0, 4.0] * 15}}, n_resamples=40),
    "groups": compare_groups({"A": STATISTICS[MANY], "B": STATISTICS[MANY]}, None, ["a|_b"] * 30, n_resamples=40),
    "systems": score_systems({"A": PREDICTIONS, "[<b>": OTHER}, REFERENCES),
    "found": FoundSettings(
        "12.34", 9, [FoundSetting(0.1234, "nltk", {"max_order": 2}, "only reference 1", "nrefs:1|…")]
    ),
    "mbr": mbr(PREDICTIONS),
    "self-BLEU": self_bleu(PREDICTIONS),
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


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_every_format(name: str) -> None:
    """The rows are plain values; TSV and CSV have them in percent; Markdown and LaTeX escape names and headings."""
    result: Any = RESULTS[name]
    content, rows = result.to_dict(), result.rows()
    assert json.loads(json.dumps(content)) == content
    assert rows == content.get("rows", rows)
    in_csv = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert len(in_csv) == len(rows) == max(result.to_tsv().count("\n"), 0)
    for row, shown in zip(rows, in_csv, strict=True):
        for key in {"bleu", "score", "low"} & row.keys():
            scale = 1 if name == "metrics" else 100
            assert float(shown[key]) == pytest.approx(scale * row[key], rel=1e-12)
    for text in (result.to_tsv().replace("\t", ""), result.to_markdown(), result.to_latex(caption="a_b")):
        assert text.replace("\n", "").isprintable()
    if name == "metrics":
        assert r"=\<b\>\\x1b\[1m\|\&" in result.to_markdown()
        assert r"=\ensuremath{<}b\ensuremath{>}\textbackslash{}x1b[1m|\&" in result.to_latex()
        assert {row["metric"] for row in in_csv} == {r"'=<b>\x1b[1m|&"}


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
