"""The report: what it holds, that no text of the data is markup, and that nothing is loaded for it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from corpora import REFERENCES_OF_SYSTEMS as REFERENCES
from corpora import SYSTEMS, VERDICTS, one_sided
from html_of import Page, Sentence, sentences_of

from bleu_metric import (
    BleuConfig,
    bootstrap,
    compare_groups,
    compare_metrics,
    corpus_bleu,
    corpus_statistics,
    paired_approximate_randomization,
    paired_bootstrap,
    report,
    score_groups,
    sentence_bleu,
    system_statistics,
)
from bleu_metric.comparison.systems import corpora_of_systems
from bleu_metric.reporting.matches import read_segments
from bleu_metric.reporting.strengths import Strengths

PREDICTIONS = SYSTEMS["one"]
HOSTILE = "<script>alert(1)</script></style><b onclick='x'>\"&amp;\x00\u202e]]>-->"
SHOWN = "<script>alert(1)</script></style><b onclick='x'>\"&amp;␀[U+202E]]]>-->"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.html"


def read_report(path: Path, predictions: Any = PREDICTIONS, references: Any = REFERENCES, **options: Any) -> Page:
    report(path, predictions, references, **options)
    return Page(path.read_text(encoding="utf-8"))


def text_of(page: Page) -> str:
    return " ".join(page.text().split())


def texts_in(page: Page, *tags: str) -> list[str]:
    return [text for tag, text in page.texts if tag in tags]


def sentences(path: Path) -> list[Sentence]:
    return sentences_of(path.read_text(encoding="utf-8"))


def numbers(path: Path) -> list[int]:
    return [sentence.number for sentence in sentences(path)]


def percent(score: Any, digits: int = 1) -> str:
    return f"{100 * score:.{digits}f}"


def test_one_system(path: Path) -> None:
    page = read_report(path, title="A & B")
    interval: Any = bootstrap(corpus_statistics(PREDICTIONS, REFERENCES))
    assert page.text().count(interval.signature) == 1
    level = f"95 % interval {percent(interval.low)} to {percent(interval.high)}"
    sections = ["Score", "Where the scores come from", "Sentences", "Files and settings"]
    assert texts_in(page, "h1", "h2") == [f"{percent(interval.score)} BLEU, {level}", *sections]
    assert texts_in(page, "bdi", "title")[:2] == ["A & B", "A & B"]


def test_two_systems(path: Path) -> None:
    page = read_report(path, SYSTEMS)
    statistics = system_statistics(SYSTEMS, REFERENCES)
    two: Any = paired_bootstrap(statistics["one"], statistics["two"]).systems[0]
    assert f"{100 * two.delta:+.1f}".replace("-", "−") in text_of(page)
    assert f"{percent(two.interval.low)} to {percent(two.interval.high)}" in text_of(page)
    orders = [option.attributes["value"] for option in page.all("option")]
    assert orders == ["", "0", "1", "range", "gain", "loss", "low", "high", "number"]
    scores = np.transpose([sentence_bleu(texts, REFERENCES) for texts in SYSTEMS.values()])
    assert [sentence.scores for sentence in sentences(path)] == (100 * scores).round(4).tolist()


def test_names_in_sentences_are_isolated(path: Path) -> None:
    """Else the score after a right-to-left name stands before it."""
    base, new = "\u05d1\u05e1\u05d9\u05e1", "\u0646\u0638\u0627\u0645 1"
    report(path, {base: SYSTEMS["two"], new: ["q"] * 5}, REFERENCES)
    html = path.read_text(encoding="utf-8")
    assert f"<h1><bdi>{base}</bdi> " in html
    assert f"Difference from <bdi>{base}</bdi>" in html
    assert f"<bdi>{new}</bdi>: BLEU is 0.00" in html


@pytest.mark.parametrize("systems", [2, 3])
def test_few_segments_have_no_verdict(systems: int, path: Path) -> None:
    """Five segments, and a p-value of 0.0110."""
    others = {f"new {number}": [row[0] for row in REFERENCES] for number in range(1, systems)}
    page = read_report(path, {"base": ["q"] * 5} | others)
    text = text_of(page)
    assert "Too few segments (5) for a test: use a larger test set." in text
    assert "paired_" not in text
    assert [shown.strip() for shown in texts_in(page, "td")].count("too few segments") == systems - 1
    table = path.read_text(encoding="utf-8").split('id="summary"')[1].split("</table>")[0]
    assert table.count('class="point open"') == systems - 1
    assert not page.all("span", **{"class": "point better"})
    assert not VERDICTS.search(text[: text.index("Sentence scores of 0")])
    assert "loses most" not in text


def test_few_segments_of_the_bootstrap_name_the_other_test(path: Path) -> None:
    text = text_of(read_report(path, *one_sided(10)))
    advice = "Too few segments for the bootstrap (10, fewer than 30): chance may explain the differences."
    assert f"{advice} Run the report with test='approximate-randomization'." in text


def test_the_headline_is_the_verdict_of_all_pairs(path: Path) -> None:
    systems, references = one_sided(40)
    systems["nearly"] = ["segment 0 of the cat on a mat", *systems["base"][1:]]
    systems["worse"] = [text.replace("segment", "x") for text in systems["base"]]
    page = read_report(path, systems, references)
    verdict = paired_bootstrap(system_statistics(systems, references)).verdict()
    scores = {name: percent(corpus_bleu(texts, references).bleu) for name, texts in systems.items()}
    assert verdict == "new is better than nearly, base and worse."
    for name, score in scores.items():
        verdict = verdict.replace(name, f"{name} ({score})", 1)
    text = text_of(page)
    assert f"segments · {text.split('segments · ')[1][:10]} {verdict} new leads nearly by" in text
    assert "(p = 0.006, corrected for 6 tests)." in text
    assert "It does not measure meaning" in text
    ranks = re.findall('<span class="rank">(.*?)</span>', path.read_text(encoding="utf-8"))
    assert ranks == ["1", "2–3", "2–3", "4"]
    loss = r"worse loses most to base in segments of [0-9–]+ reference tokens \(−[0-9.]+ BLEU, n = 40\)\."
    assert re.search(loss, text_of(page))
    assert {"▲", "▼", "○"} <= set(texts_in(page, "span"))


@pytest.mark.parametrize(("confidence", "level"), [(0.95, "0.05"), (0.99, "0.01"), (0.998, "0.002")])
def test_the_level_of_significance_is_shown_in_full(confidence: float, level: str, path: Path) -> None:
    systems, references = one_sided(40)
    page = read_report(path, systems, references, confidence=confidence)
    assert f"mean a significant difference from base: p below {level}" in text_of(page)


def test_equal_systems_share_the_highest_score(path: Path) -> None:
    page = read_report(path, {"one": ["a b c d"], "two": ["a b c d"]}, ["a b c d"])
    assert texts_in(page, "h1") == ["2 systems share the highest score: 100.0 BLEU"]
    assert "BLEU and its 95 % interval" not in text_of(page), "there is one segment"


def test_two_digits(path: Path) -> None:
    text = text_of(read_report(path, SYSTEMS, digits=2))
    scores = [percent(corpus_bleu(texts, REFERENCES).bleu, 2) for texts in SYSTEMS.values()]
    assert all(score in text for score in scores)


def test_the_source_is_shown(path: Path) -> None:
    source = ["eins", "zwei <b>", "dr\x00ei", "", "fünf " * 1000]
    for given in (source, pa.array(source), np.array(source)):
        read_report(path, source=given)
        *shown, long = [sentence.source for sentence in sentences(path)]
        assert shown == ["eins", "zwei <b>", "dr␀ei", ""]
        assert long.endswith("… (1,000 more characters)")


def effects(predictions: list[str], references: list[str], **options: Any) -> list[float]:
    """Each sentence's effect by its definition: the corpus score with it minus the corpus score without it."""

    def score_of(rows: list[int]) -> float:
        chosen = [predictions[row] for row in rows], [references[row] for row in rows]
        return 100 * float(corpus_bleu(*chosen, **options))

    every = list(range(len(predictions)))
    return [score_of(every) - score_of([*every[:row], *every[row + 1 :]]) for row in every]


LONG = [f"a b c d {'e ' * (i % 3)}{'f ' * (i % 7)}" for i in range(30)]
SHORT = ["a b c d e f"] * 30


OPTIONS = [{}, {"average": "sentence"}, {"dialect": "nltk", "smoothing": "method5"}, {"reference_length": "average"}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_effects_are_those_of_their_definition(options: dict[str, Any], path: Path) -> None:
    read_report(path, {"one": LONG, "two": SHORT}, SHORT, **options)
    shown = np.transpose([sentence.effects for sentence in sentences(path)])
    expected = [effects(predictions, SHORT, **options) for predictions in (LONG, SHORT)]
    np.testing.assert_allclose(shown, expected, atol=2e-6)


def test_the_largest_effects_of_many_are_shown(path: Path) -> None:
    page = read_report(path, LONG, SHORT, max_sentences=7)
    by_size = sorted(map(abs, effects(LONG, SHORT)))
    assert sorted(abs(sentence.effects[0]) for sentence in sentences(path)) == pytest.approx(by_size[-7:], abs=1e-6)
    assert numbers(path) == sorted(numbers(path))
    note = "Only 7 of 30 segments are listed: those with the largest effects on the score."
    assert note in page.text()
    page = read_report(path, {"one": LONG, "two": [*LONG[:9], SHORT[9], *LONG[10:]]}, SHORT, max_sentences=1)
    assert numbers(path) == [10]  # the other sentences change both scores alike
    assert "Only 1 of 30 segments are listed: those with the largest effects on the differences." in page.text()


def test_sentences(path: Path) -> None:
    systems = {"one": ["the cat sat on a mat", "x"], "two": ["the dog", "y"]}
    read_report(path, systems, ["the cat sat on the mat", "x"])
    first, second = sentences(path)
    assert first.outputs == ["4the cat sat on\n0 a\n1 mat", "1the\n0 dog"]
    assert first.references == ["41the\n40 cat sat on\n00 the\n10 mat"]
    assert (second.number, second.outputs, second.references) == (2, ["4x", "0y"], ["40x"])


def test_groups(path: Path) -> None:
    labels = ["news", "<b>", "news", "news", "<b>"]
    page = read_report(path, SYSTEMS, groups=labels)
    assert texts_in(page, "h2")[1] == "Groups"
    section = path.read_text(encoding="utf-8").split('id="groups"')[1].split("</section>")[0]
    table = Page("<section>" + section.split(">", 1)[1] + "</section>")
    assert texts_in(table, "bdi") == ["one", "news", "<b>"]
    columns = texts_in(table, "button")[2:]
    assert sorted(columns) == ["one", "two"]
    scores = {name: score_groups(corpus_statistics(texts, REFERENCES), labels) for name, texts in SYSTEMS.items()}
    expected = [percent(scores[name][label].bleu) for label in ("news", "<b>") for name in columns]
    spans = texts_in(table, "span")
    assert [text.strip() for text in spans if re.fullmatch(r"\d+\.\d ", text)] == expected
    assert [text for text in spans if text == "too few to test"] == ["too few to test"] * 2
    assert len(table.all("span", **{"class": "point open"})) == 2
    assert [sentence.group for sentence in sentences(path)] == [0, 1, 0, 0, 1]
    [select] = [element for element in page.all("select") if element.attributes["name"] == "group"]
    assert texts_in(page, "option").count("<b>") == 1
    assert select.attributes["autocomplete"] == "off"


def test_many_groups(path: Path) -> None:
    page = read_report(path, ["a"] * 400, ["a"] * 400, groups=[*range(150, 350), *range(200)])
    assert "The 200 largest of 350 groups." in page.text()
    assert len(page.all("th", scope="row")) == 200 + 2
    assert {"150", "199"} <= set(texts_in(page, "bdi"))


def test_a_write_protected_file_is_kept(path: Path) -> None:
    path.write_text("old")
    path.chmod(0o444)
    for write in (corpus_statistics(PREDICTIONS, REFERENCES).save, lambda path: report(path, PREDICTIONS, REFERENCES)):
        with pytest.raises(PermissionError, match=r"This file is write-protected; pass another path.*report.html"):
            write(path)
    assert path.read_text() == "old"
    path.chmod(0o644)
    report(path, PREDICTIONS, REFERENCES)
    assert "<html" in path.read_text()


def test_files_are_named(path: Path) -> None:
    shown = texts_in(read_report(path, files={"Files": ["a<b>.txt", "c.txt:x"]}), "dd")
    assert shown[shown.index("a<b>.txt") + 1] == "c.txt:x"
    assert any(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", text) for text in shown)


def test_nothing_of_the_data_is_markup(path: Path) -> None:
    systems = {HOSTILE: [HOSTILE, "a"], "_$x^2$": ["b", HOSTILE]}
    page = read_report(path, systems, [[HOSTILE], [HOSTILE, "a"]], title=HOSTILE)
    assert (len(page.all("script")), len(page.all("style"))) == (1, 2)  # one style for browsers without scripts
    assert not page.all("b", onclick="x")
    assert not {"\x00", "\u202e"} & set(path.read_text(encoding="utf-8"))
    assert texts_in(page, "title") == [SHOWN]
    assert page.text().count(SHOWN) > 10
    assert sum("␀[U+202E]" in text for sentence in sentences(path) for text in sentence.outputs) == 2


def test_what_a_score_of_0_means(path: Path) -> None:
    """A smoothing is recommended only where there is none."""
    for dialect, zeros in (("papineni", 2), ("sacrebleu", 1)):
        text = text_of(read_report(path, ["a b c", "d"], ["x y z", "d e"], dialect=dialect))
        assert f"Sentence scores of 0: {zeros}." in text
        assert ("A sentence score is 0 if an n-gram order has no match." in text) == (dialect == "papineni")


def test_the_page_tells_what_the_terminal_tells(path: Path) -> None:
    """Each warning is on the page, and is still issued."""
    systems = {"ok": ["猫坐在垫子上。"] * 40, "<b>": [*["猫坐在垫子上。"] * 39, ""]}
    with pytest.warns(UserWarning, match="the references are Chinese") as caught:
        report(path, systems, ["猫坐在一张垫子上。"] * 40)
    page = Page(path.read_text(encoding="utf-8"))
    [start] = [index for index, (_, text) in enumerate(page.texts) if text == "Check the texts first."]
    shown = " ".join("".join(text for _, text in page.texts[start : start + 20]).split())
    messages = [str(warning.message) for warning in caught]
    assert len(messages) == 2
    assert messages[0].removeprefix("the") in shown
    assert "<b>: 1 of 40 predictions is empty; the first is predictions[39]." in shown


def test_smoothed_precisions_have_no_bar(path: Path) -> None:
    page = read_report(path, ["a x b y c z d"] * 2, ["a b c d e f g"] * 2, smoothing="exp")
    widths = [element.attributes["style"] for element in page.all("span", **{"class": "bar"})]
    assert widths == ["width: 57.1%", "width: 0.0%", "width: 0.0%", "width: 0.0%"]
    assert "4.2 % 0 of 12, smoothed" in text_of(page)


def test_tests_and_signatures(path: Path) -> None:
    systems, references = one_sided(40)
    statistics = system_statistics(systems, references)
    options: Any = {"n_resamples": 500, "seed": 3, "confidence": 0.9}
    for test, run in (("bootstrap", paired_bootstrap), ("approximate-randomization", paired_approximate_randomization)):
        text = text_of(read_report(path, systems, references, test=test, **options))
        comparison: Any = run(statistics, **options)
        assert comparison.signature in text
        assert str(statistics["base"].score().sacrebleu_signature) in text
        assert f"{comparison.test} of all pairs: {comparison.n_trials:,}" in text
    text = text_of(read_report(path, systems, references, test="none"))
    assert "new has the highest score: " in text
    assert "No test was run, so chance may explain the differences." in text
    assert statistics["base"].score().signature in text
    assert "interval" not in text


def test_points_are_filled_if_a_difference_is_significant(path: Path) -> None:
    """In the table of systems, in groups and in ranges of lengths. p-values are corrected for all groups."""
    systems, references = one_sided(120)
    labels = [number // 40 for number in range(120)]
    systems["other"] = [*systems["new"][:40], *systems["base"][40:]]
    page = read_report(path, systems, references, groups=labels)
    compared = compare_groups(*_baseline_and_others(system_statistics(systems, references)), labels)
    verdicts = [compared[label].is_significant(system) for label in range(3) for system in compared[label].systems]
    assert set(verdicts) == {True, False}
    section = path.read_text(encoding="utf-8").split('id="groups"')[1].split("</section>")[0]
    assert section.count('class="point better"') == verdicts.count(True)
    assert section.count('class="point open"') == verdicts.count(False)
    assert "Paired bootstrap: 1,000 resamples, seed 12345." in text_of(page)
    few = text_of(read_report(path, systems, references, groups=labels, n_resamples=100))
    assert "100 resamples, seed 12345; too few to find a significant difference in 6 tests: use at least 120." in few


def _baseline_and_others(statistics: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    (_, baseline), *others = statistics.items()
    return baseline, dict(others)


def strengths_of(systems: dict[str, Any], references: list[Any]) -> Strengths:
    strengths, corpora = Strengths(("A", "B"), 0, 1), corpora_of_systems(systems, references)
    for segment in read_segments(corpora, BleuConfig(max_order=2), range(len(references))):
        strengths.add(segment)
    return strengths


def test_what_each_of_two_systems_does_better(path: Path) -> None:
    """Counted by hand: B has two more of "dog barks", A has three more of "cat", and "the" is the same in both."""
    references = ["the cat sat"] * 3 + ["the dog barks"] * 2
    systems = {"A": ["the cat sat"] * 3 + ["the dig barks"] * 2, "B": ["the cut sat"] * 3 + ["the dog barks"] * 2}
    assert strengths_of(systems, references).ngrams == [[("cat", 3, 0)], [("dog", 2, 0)]]
    read_report(path, systems, references)
    assert "A gets right" in text_of(Page(path.read_text(encoding="utf-8")))


def test_ngrams_of_two_systems_are_those_of_a_plain_count() -> None:
    """Several references, repeated words, random texts: compared with Counters."""
    rng = np.random.default_rng(5)
    draw = lambda: " ".join(rng.choice(list("abcd"), 6))  # noqa: E731
    references = [[draw(), draw()] for _ in range(30)]
    systems = {"A": [draw() for _ in range(30)], "B": [draw() for _ in range(30)]}
    only = [Counter(), Counter()]
    for row, refs in enumerate(references):
        for order in (1, 2):

            def grams(text: str, order: int = order) -> Counter[str]:
                words = text.split()
                return Counter(" ".join(words[at : at + order]) for at in range(len(words) - order + 1))

            most = grams(refs[0]) | grams(refs[1])
            one, two = (grams(systems[name][row]) & most for name in "AB")
            only[0] += one - two
            only[1] += two - one
    found = strengths_of(systems, references)
    for (own, other), ngrams in zip([only, only[::-1]], found.ngrams, strict=True):
        assert ngrams
        assert all((own[text], other[text]) == (here, there) for text, here, there in ngrams)


BAD: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    (PREDICTIONS, {"max_sentences": 0}, ValueError, "max_sentences must be at least 1, got 0"),
    (
        PREDICTIONS,
        {"test": "ttest"},
        ValueError,
        "unknown test 'ttest'; accepted: 'bootstrap', 'approximate",
    ),
    (SYSTEMS, {"n_resamples": 10}, ValueError, "an interval of 95 % needs at least 40 resamples, got 10"),
    (PREDICTIONS, {"digits": 3}, ValueError, "digits must be at most 2, got 3"),
    (PREDICTIONS, {"source": ["a"]}, ValueError, "1 source text but 5 segments: give one per segment"),
    (PREDICTIONS, {"source": ["a", None, "b", "c", "d"]}, TypeError, r"source\[1\] holds None .* where strings are"),
    (PREDICTIONS, {"source": ["a", 5, "b", "c", "d"]}, TypeError, r"source\[1\] holds 5 \(int\) where strings are"),
    (PREDICTIONS, {"source": "abcde"}, TypeError, r"source must be a list, .* got a string \('abcde'\)"),
    (PREDICTIONS, {"groups": ["a", "b"]}, ValueError, "groups has 2 labels for 5 segments: pass one label per segment"),
    ({}, {}, ValueError, "there is no system"),
    ({3: PREDICTIONS}, {}, TypeError, "the name 3 must be a string"),
    (SYSTEMS | {"": PREDICTIONS}, {}, ValueError, "one of several systems has the name ''; give each a name"),
    (SYSTEMS | {"two": ["a", 5, "b", "c", "d"]}, {}, TypeError, r"system 'two': predictions\[1\] holds 5"),
]


@pytest.mark.parametrize(("predictions", "options", "error", "text"), BAD)
def test_errors(predictions: Any, options: dict[str, Any], error: type[Exception], text: str, path: Path) -> None:
    with pytest.raises(error, match=text):
        report(path, predictions, REFERENCES, **options)
    assert not path.exists()


def test_without_matplotlib(path: Path) -> None:
    code = "import sys; sys.modules['matplotlib'] = None; from bleu_metric import report;"
    code += f"report({str(path)!r}, ['a b', 'c'], ['a b', 'd'])"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert numbers(path) == [1, 2]


def test_other_metrics(path: Path) -> None:
    systems, references = one_sided(40)
    ratings = {name: [float(row % 3 + 2 * (name == "new")) for row in range(40)] for name in systems}
    page = read_report(path, systems, references, metrics=["chrf", "ter"], segment_scores={"rating": ratings})
    counted = {**system_statistics(systems, references, metrics=["chrf", "ter"]), "rating": ratings}
    compared = compare_metrics(counted)
    shown = text_of(page)
    assert "Other metrics" in texts_in(page, "h2")
    for comparison in compared.values():
        assert comparison.verdict() in shown
        assert page.text().count(comparison.signature) == 1
        for system in comparison.ranked:
            assert comparison.metric.text(system.interval.score) in shown
    assert "A low TER is good." in shown
    one = read_report(
        path, systems["new"], references, metrics=["chrf"], segment_scores={"rating": {"": ratings["new"]}}
    )
    assert compared["rating"].metric.text(sum(ratings["new"]) / 40) in text_of(one)
    assert "Other metrics" not in texts_in(read_report(path, systems, references), "h2")
    untested = text_of(read_report(path, systems, references, metrics=["chrf"], test="none"))
    assert compared["chrF2"].metric.text(compared["chrF2"].ranked[0].interval.score) in untested
    assert compared["chrF2"].verdict() not in untested


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ({"one": [1.0, 2.0]}, "only one of the metrics"),
        ({"one": [1.0, None, 2.0, 3.0, 4.0], "two": [1.0] * 5}, r"rating scores\[1\] of 'one' is missing"),
        ({"one": [1.0], "two": [1.0]}, "all metrics must have the same number of segments"),
    ],
)
def test_wrong_segment_scores(scores: Any, text: str, path: Path) -> None:
    with pytest.raises(ValueError, match=text):
        read_report(path, {name: SYSTEMS[name] for name in ("one", "two")}, segment_scores={"rating": scores})
