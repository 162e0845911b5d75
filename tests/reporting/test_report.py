"""The report: what it holds, that no text of the data is markup, and that nothing is loaded for it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from corpora import VERDICTS
from html_of import Page, Sentence, sentences_of

from bleu_metric import (
    bootstrap,
    corpus_bleu,
    corpus_statistics,
    paired_bootstrap,
    report,
    sentence_bleu,
    system_statistics,
)

PREDICTIONS = ["the cat sat on the mat", "a dog barks", "x", "one two three four five", ""]
OTHERS = ["the cat sat on the mat", "the dog barks", "y", "one two three four six", "q"]
REFERENCES = [["the cat sat on a mat"], ["a dog barked at", "a dog barks"], ["y"], ["one two three four five"], ["q"]]
HOSTILE = "<script>alert(1)</script></style><b onclick='x'>\"&amp;\x00\u202e]]>-->"
SHOWN = "<script>alert(1)</script></style><b onclick='x'>\"&amp;␀[U+202E]]]>-->"


def read_report(
    path: Path, predictions: Any = PREDICTIONS, references: Any = REFERENCES, *args: Any, **options: Any
) -> Page:
    report(path, predictions, references, *args, **options)
    return Page(path.read_text(encoding="utf-8"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.html"


def headings(page: Page) -> list[str]:
    return [text for tag, text in page.texts if tag in ("h1", "h2")]


def sentences(path: Path) -> list[Sentence]:
    return sentences_of(path.read_text(encoding="utf-8"))


def numbers(path: Path) -> list[int]:
    return [sentence.number for sentence in sentences(path)]


def test_one_system(path: Path) -> None:
    page = read_report(path, PREDICTIONS, REFERENCES, "sacrebleu", title="A & B")
    score = corpus_bleu(PREDICTIONS, REFERENCES, "sacrebleu")
    text = page.text()
    interval = bootstrap(corpus_statistics(PREDICTIONS, REFERENCES, "sacrebleu"))
    assert text.count(interval.signature) == 1
    ends = f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"  # type: ignore[operator]
    assert headings(page) == [
        f"{100 * float(score.bleu):.1f} BLEU, 95 % interval {ends}",  # type: ignore[arg-type]
        "Score",
        "Where the scores come from",
        "Sentences",
        "Files and settings",
    ]
    assert [text for tag, text in page.texts if tag in ("bdi", "title")][:2] == ["A & B", "A & B"]
    scores = sentence_bleu(PREDICTIONS, REFERENCES, "sacrebleu")
    assert numbers(path) == [1, 2, 3, 4, 5]
    assert [sentence.scores for sentence in sentences(path)] == [[round(100 * value, 4)] for value in scores.tolist()]


def cells(page: Page) -> list[str]:
    return [text for tag, text in page.texts if tag == "td"]


def test_two_systems(path: Path) -> None:
    page = read_report(path, {"one": PREDICTIONS, "two": OTHERS}, REFERENCES, "sacrebleu")
    assert headings(page)[1] == "Systems"
    statistics = system_statistics({"one": PREDICTIONS, "two": OTHERS}, REFERENCES, "sacrebleu")
    comparison = paired_bootstrap(statistics["one"], {"two": statistics["two"]}, baseline_name="one")
    (two,) = comparison.systems
    text = " ".join(page.text().split())
    assert f"{100 * two.delta:+.1f}".replace("-", "−") in text  # type: ignore[operator]
    assert f"{100 * two.interval.low:.1f} to {100 * two.interval.high:.1f}" in text  # type: ignore[operator]
    orders = [option.attributes["value"] for option in page.all("option")]
    assert orders == ["", "0", "1", "range", "gain", "loss", "low", "high", "number"]
    pairs = [item.scores for item in sentences(path)]
    expected = [
        (100 * sentence_bleu(texts, REFERENCES, "sacrebleu")).round(4).tolist() for texts in (PREDICTIONS, OTHERS)
    ]
    assert pairs == [list(pair) for pair in zip(*expected, strict=True)]


def test_right_to_left_names_in_sentences_are_isolated(path: Path) -> None:
    """Else the score after a name stands before it."""
    base, new = "\u05d1\u05e1\u05d9\u05e1", "\u0646\u0638\u0627\u0645 1"
    report(path, {base: OTHERS, new: ["q"] * 5}, REFERENCES)
    html = path.read_text(encoding="utf-8")
    assert f"<h1><bdi>{base}</bdi> " in html
    assert html.count(f"against <bdi>{base}</bdi>: 1,000 resamples") == 2
    assert f"Difference to <bdi>{base}</bdi>" in html
    assert f"<bdi>{new}</bdi>: BLEU is 0.00" in html


@pytest.mark.parametrize("systems", [2, 3])
def test_few_segments_have_no_verdict(systems: int, path: Path) -> None:
    """Five segments, and a p-value of 0.0110."""
    others = {f"new {number}": [row[0] for row in REFERENCES] for number in range(1, systems)}
    page = read_report(path, {"base": ["q"] * 5} | others, REFERENCES)
    text = " ".join(page.text().split())
    (first,) = (paragraph.attributes for paragraph in page.all("p", **{"class": "finding"}))
    assert first is not None
    assert (
        text.count("Too few segments for the bootstrap (5, fewer than 30): use paired_approximate_randomization") == 1
    )
    verdicts = [shown for shown in cells(page) if shown.strip() == "too few segments"]
    assert len(verdicts) == systems - 1
    assert len(page.all("span", **{"class": "point open"})) == systems - 1
    assert not page.all("span", **{"class": "point better"})
    seen = text[: text.index("Sentence scores of 0")].replace("Better and worse", "")
    assert not VERDICTS.search(seen)
    assert "loses most" not in text


def test_the_finding_names_who_is_better_worse_or_neither(path: Path) -> None:
    references = [f"segment {number} of the cat on the mat" for number in range(40)]
    base = [text.replace("the", "a", 1 + i % 2) for i, text in enumerate(references)]
    nearly = ["segment 0 of the cat on a mat", *base[1:]]
    worse = [text.replace("segment", "x") for text in base]
    systems = {"base": base, "best": references, "nearly": nearly, "worse": worse}
    page = read_report(path, systems, references)
    text = " ".join(page.text().split())
    assert "Better than base: best. Worse than base: worse. No significant difference to base: nearly." in text
    assert re.search(
        r"worse loses most to base in segments of [0-9–]+ reference tokens \(−[0-9.]+ BLEU, n = 40\)", text
    )
    assert {"▲", "▼", "○"} <= {shown for tag, shown in page.texts if tag == "span"}


def test_two_digits(path: Path) -> None:
    page = read_report(path, {"one": PREDICTIONS, "two": OTHERS}, REFERENCES, "sacrebleu", digits=2)
    for texts in (PREDICTIONS, OTHERS):
        percent = f"{100 * float(corpus_bleu(texts, REFERENCES, 'sacrebleu').bleu):.2f}"  # type: ignore[arg-type]
        assert page.text().count(percent) >= 2  # in the summary and in the parts
    with pytest.raises(ValueError, match="digits must be at most 2, got 3"):
        report(path, PREDICTIONS, REFERENCES, digits=3)


def test_the_source_is_shown(path: Path) -> None:
    source = ["eins", "zwei <b>", "dr\x00ei", "", "fünf " * 1000]
    for given in (source, pa.array(source), np.array(source)):
        read_report(path, PREDICTIONS, REFERENCES, source=given)
        shown = [sentence.source for sentence in sentences(path)]
        assert shown[:4] == ["eins", "zwei <b>", "dr␀ei", ""]
        assert shown[4].endswith("… (1,000 more characters)")
    with pytest.raises(ValueError, match="1 source texts but 5 segments: give one source text for each segment"):
        report(path, PREDICTIONS, REFERENCES, source=["a"])
    with pytest.raises(TypeError, match=r"source\[1\] holds None where a text is expected"):
        report(path, PREDICTIONS, REFERENCES, source=["a", None, "b", "c", "d"])
    with pytest.raises(TypeError, match="source must be a list of texts, one for each segment; got 'abcde'"):
        report(path, PREDICTIONS, REFERENCES, source="abcde")


def effects(predictions: list[str], references: list[str], **options: Any) -> list[float]:
    """Each sentence's effect by its definition: the corpus score with it minus the corpus score without it."""

    def percent(rows: list[int]) -> float:
        chosen = [predictions[row] for row in rows], [references[row] for row in rows]
        return 100 * float(corpus_bleu(*chosen, **options).bleu)  # type: ignore[arg-type]

    every = list(range(len(predictions)))
    return [percent(every) - percent([*every[:row], *every[row + 1 :]]) for row in every]


LONG = [f"a b c d {'e ' * (i % 3)}{'f ' * (i % 7)}" for i in range(30)]
SHORT = ["a b c d e f"] * 30


@pytest.mark.parametrize(
    "options",
    [{}, {"average": "sentence"}, {"dialect": "nltk", "smoothing": "method5"}, {"reference_length": "average"}],
    ids=str,
)
def test_effects_are_those_of_their_definition(options: dict[str, Any], path: Path) -> None:
    read_report(path, {"one": LONG, "two": SHORT}, SHORT, **options)
    for system, predictions in enumerate((LONG, SHORT)):
        shown = [sentence.effects[system] for sentence in sentences(path)]
        assert shown == pytest.approx(effects(predictions, SHORT, **options), abs=2e-6)


def test_the_largest_effects_of_many_are_shown(path: Path) -> None:
    page = read_report(path, LONG, SHORT, max_sentences=7)
    by_size = sorted(map(abs, effects(LONG, SHORT)))
    assert sorted(abs(sentence.effects[0]) for sentence in sentences(path)) == pytest.approx(by_size[-7:], abs=1e-6)
    assert numbers(path) == sorted(numbers(path))
    assert "7 of 30 segments: those with the largest effects on the score. The other 23 are left out." in page.text()
    page = read_report(path, {"one": LONG, "two": [*LONG[:9], SHORT[9], *LONG[10:]]}, SHORT, max_sentences=1)
    assert numbers(path) == [10]  # the other sentences change both scores alike
    assert "1 of 30 segments: those with the largest effects on the differences." in page.text()


def test_sentences(path: Path) -> None:
    systems = {"one": ["the cat sat on a mat", "x"], "two": ["the dog", "y"]}
    references = ["the cat sat on the mat", "x"]
    read_report(path, systems, references)
    first, second = sentences(path)
    assert first.outputs == ["4the cat sat on\n0 a\n1 mat", "1the\n0 dog"]
    assert first.references == ["41the\n40 cat sat on\n00 the\n10 mat"]
    assert (second.number, second.outputs, second.references) == (2, ["4x", "0y"], ["40x"])
    expected = [sentence_bleu(texts, references) for texts in systems.values()]
    assert first.scores == [round(100 * float(scores[0]), 4) for scores in expected]


@pytest.mark.parametrize(
    ("order", "legend"),
    [
        (2, "no n-gram 1-gram 2-gram, or the whole text"),
        (6, "no n-gram 1-gram 2-gram 3-gram 4-gram or longer, or the whole text"),
    ],
)
def test_the_legend_names_the_orders(order: int, legend: str, path: Path) -> None:
    text = " ".join(read_report(path, max_order=order).text().split())
    assert f"a word is part of: {legend} In a reference" in text


def test_groups(path: Path) -> None:
    labels = ["news", "<b>", "news", "news", "<b>"]
    systems = {"one": PREDICTIONS, "two": OTHERS}
    page = read_report(path, systems, REFERENCES, "sacrebleu", groups=labels)
    assert headings(page)[2] == "Groups"
    section = path.read_text(encoding="utf-8").split('id="groups"')[1].split("</section>")[0]
    table = Page("<section>" + section.split(">", 1)[1] + "</section>")
    baseline, *columns, first, second = [text for tag, text in table.texts if tag == "bdi"]
    assert (baseline, sorted(columns), first, second) == ("one", ["one", "two"], "news", "<b>")
    scores = {name: corpus_bleu(texts, REFERENCES, "sacrebleu", groups=labels) for name, texts in systems.items()}
    expected = [scores[name][label].bleu for label in ("news", "<b>") for name in columns]
    shown = [text.strip() for tag, text in table.texts if tag == "span" and re.fullmatch(r"[\d.]+ ", text)]
    assert shown == [f"{100 * value:.1f}" for value in expected]
    assert [text for tag, text in table.texts if tag == "span" and text.startswith("n = ")] == ["n = 3", "n = 2"]
    assert len(table.all("span", **{"class": "point plain"})) == 2


def test_many_groups_and_wrong_groups(path: Path) -> None:
    page = read_report(path, ["a"] * 400, ["a"] * 400, groups=[*range(150, 350), *range(200)])
    assert "The 200 largest of 350 groups." in page.text()
    assert len(page.all("th", scope="row")) == 200 + 2
    assert {"150", "199"} <= {text for tag, text in page.texts if tag == "bdi"}
    with pytest.raises(ValueError, match="groups has 2 labels for 5 segments: pass one label per segment"):
        report(path, PREDICTIONS, REFERENCES, groups=["a", "b"])


def test_a_write_protected_file_is_kept(path: Path) -> None:
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(PermissionError, match=r"This file is write-protected; pass another path.*report.html"):
        report(path, PREDICTIONS, REFERENCES)
    with pytest.raises(PermissionError, match="This file is write-protected"):
        corpus_statistics(PREDICTIONS, REFERENCES).save(path)
    assert path.read_text() == "old"
    path.chmod(0o644)
    report(path, PREDICTIONS, REFERENCES)
    assert "<html" in path.read_text()


def test_files_are_named(path: Path) -> None:
    page = read_report(path, files={"Files": ["a<b>.txt", "c.txt:x"]})
    shown = [text for tag, text in page.texts if tag == "dd"]
    assert shown[shown.index("a<b>.txt") + 1] == "c.txt:x"
    assert any(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", text) for text in shown)


def test_nothing_of_the_data_is_markup(path: Path) -> None:
    page = read_report(
        path, {HOSTILE: [HOSTILE, "a"], "_$x^2$": ["b", HOSTILE]}, [[HOSTILE], [HOSTILE, "a"]], title=HOSTILE
    )
    assert len(page.all("script")) == 1
    assert len(page.all("style")) == 2  # one for browsers without scripts
    assert not page.all("b", onclick="x")
    html = path.read_text(encoding="utf-8")
    assert "\x00" not in html
    assert "\u202e" not in html
    assert [text for tag, text in page.texts if tag == "title"] == [SHOWN]
    assert page.text().count(SHOWN) > 10
    assert sum("␀[U+202E]" in text for sentence in sentences(path) for text in sentence.outputs) == 2


def test_what_a_score_of_0_means(path: Path) -> None:
    """A smoothing is recommended only where there is none."""
    read_report(path, ["a b c", "d"], ["x y z", "d e"], "papineni")
    assert "A score is 0 if an n-gram order has no match; an option such as" in path.read_text()
    assert "Sentence scores of 0: 2." in path.read_text()
    read_report(path, ["a b c", "d"], ["x y z", "d e"], dialect="sacrebleu")
    assert "Sentence scores of 0: 1." in path.read_text()
    assert "an option such as" not in path.read_text()


def test_errors(path: Path) -> None:
    with pytest.raises(ValueError, match="max_sentences must be at least 1, got 0"):
        report(path, PREDICTIONS, REFERENCES, max_sentences=0)
    with pytest.raises(IsADirectoryError, match=r"This path names a folder; pass the path of a file: '.*/new/'"):
        report(f"{path.parent}/new/", PREDICTIONS, REFERENCES)
    with pytest.raises(ValueError, match="there is no system"):
        report(path, {}, REFERENCES)
    with pytest.raises(TypeError, match="must map names to predictions, got the name 3"):
        report(path, {3: PREDICTIONS}, REFERENCES)
    with pytest.raises(ValueError, match="one of several systems has the name ''; give each a name"):
        report(path, {"one": PREDICTIONS, "": OTHERS}, REFERENCES)
    with pytest.raises(TypeError, match=r"system 'two': predictions\[1\] holds 5"):
        report(path, {"one": PREDICTIONS, "two": ["a", 5, "b", "c", "d"]}, REFERENCES)
    with pytest.raises(ValueError, match="one score"):
        report(path, PREDICTIONS, REFERENCES, weights=[[1.0], [0.5, 0.5]])
    assert not path.exists()


def test_without_matplotlib(path: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; from bleu_metric import report;"
        f"report({str(path)!r}, ['a b', 'c'], ['a b', 'd'])"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert numbers(path) == [1, 2]
