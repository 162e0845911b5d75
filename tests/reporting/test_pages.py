"""Small pages as they are written, one in each golden file: what a reader sees, in which elements."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from corpora import REFERENCES_OF_SYSTEMS, SYSTEMS, one_sided
from golden import check_golden
from html_of import Page

from bleu_metric import report

FOLDER = Path(__file__).parent / "golden"

TEN, _ = one_sided(10)
FIVE, FIVE_REFERENCES = one_sided(40)
FIVE["nearly"] = ["segment 0 of the cat on a mat", *FIVE["base"][1:]]
FIVE["worse"] = [text.replace("segment", "x") for text in FIVE["base"]]
FIVE["third"] = [*FIVE["new"][:15], *FIVE["base"][15:]]
LENGTHS = [f"{text}{' and so on' * (row % 2)}" for row, text in enumerate(FIVE_REFERENCES * 2)]
RATINGS = {name: [float(row % 3 + 2 * (name == "new")) for row in range(40)] for name in [*FIVE][::-1]}
CURLY = [f"er sagt \u201eja {row} \u201c und geht dann fort" for row in range(40)]
STRAIGHT = [re.sub("[\u201e\u201c]", '"', text) for text in CURLY]
SOURCE = ["eins", "zwei <b>", "dr\x00ei", "", "f" * 5000]
# Names whose direction differs from the page's, so that each needs an element of its own
BASE, NEW = "\u05d1\u05e1\u05d9\u05e1", "\u0646\u0638\u0627\u0645 <1>"

PAGES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "one system": (
        SYSTEMS["one"],
        REFERENCES_OF_SYSTEMS,
        {"title": "A & B", "max_order": 6, "source": pa.array(SOURCE), "metrics": ["chrf"]}
        | {"files": {"Files": ["a<b>.txt", "c.txt:x"]}, "segment_scores": {"rating": {"": [1.0, 2.0, 3.0, 4.0, 5.5]}}},
    ),
    "too few segments": (
        {BASE: SYSTEMS["two"], NEW: [refs[0] for refs in REFERENCES_OF_SYSTEMS], "empty": [*"abcd", ""]},
        REFERENCES_OF_SYSTEMS,
        {"groups": ["news", "<b>", "news", "news", "<b>"], "digits": 2},
    ),
    "too few for the bootstrap": ({**TEN, "copy": TEN["new"]}, TEN["new"], {"smoothing": "floor"}),
    "all pairs": (
        FIVE,
        FIVE_REFERENCES,
        {"test": "approximate-randomization", "n_resamples": 500, "seed": 3, "confidence": 0.9, "max_sentences": 2}
        | {"metrics": ["ter"], "segment_scores": {"rating": RATINGS}},
    ),
    "groups and lengths": (
        {"new": LENGTHS, "<b>base": [text.replace("the", "a", row < 40) for row, text in enumerate(LENGTHS)]},
        LENGTHS,
        {"groups": [row // 40 for row in range(80)], "confidence": 0.998, "max_sentences": 1},
    ),
    "mistakes": (  # without them, the other system is better
        {"straight": STRAIGHT, "curly": [text.replace("fort", "weg") for text in CURLY]},
        CURLY,
        {"test": "approximate-randomization", "max_sentences": 1},
    ),
    "not tested": (SYSTEMS, REFERENCES_OF_SYSTEMS, {"dialect": "papineni", "test": "none", "metrics": ["chrf"]}),
}


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, tmp_path: Path) -> None:
    """The page tells what the terminal tells: the warnings come first."""
    systems, references, options = PAGES[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        report(tmp_path / "report.html", systems, references, **options)
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    Page(html)  # each element is closed
    html = re.sub(r"(?s)(<style>|<script>).*?(?=</)", r"\1", html)
    html = re.sub(r"(.)\1{99,}", r"\1…", html)
    html = re.sub(r"sha256-[^']+", "sha256-…", html)
    html = re.sub('<span class="tick.*?</span>', "", html)  # see test_axis
    html = re.sub(r"\d{4}-\d\d-\d\d( \d\d:\d\d UTC)?", "DATE", html)
    lines = re.sub(r"(?<=>)(?=<(?!/))", "\n", html)
    told = "".join(f"UserWarning: {warning.message}\n" for warning in caught)
    check_golden(FOLDER / f"{name.replace(' ', '_')}.txt", told + lines)
