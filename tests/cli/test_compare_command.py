"""`bleu-metric compare`: tables, tests, and tables to paste."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import HYP, OTHER, REF, CommandLine, write_lines
from corpora import VERDICTS, one_sided

from bleu_metric import (
    compare_groups,
    corpus_bleu,
    corpus_statistics,
    paired_approximate_randomization,
    paired_bootstrap,
)

COMPARE = "compare hyp.txt ref2.txt -r ref.txt"


def test_without_a_test(bleu: CommandLine) -> None:
    scores = {"hyp": corpus_bleu(HYP, REF), "ref2": corpus_bleu(OTHER, REF)}
    answer = bleu.json(f"{COMPARE} -t none")
    assert answer["rows"] == [{"system": name, **score.rows()[0]} for name, score in scores.items()]
    _, _, *systems, note, signature = bleu(f"{COMPARE} hyp.txt -t none").splitlines()
    assert [line.split()[0] for line in systems[:2]] == ["hyp", "ref2"]
    assert note == "  4 segments of hyp.txt, ref2.txt against 2 files of references: ref.txt, hyp.txt"
    assert signature.startswith("  nrefs:2|case:")
    rows = bleu.rows(f"{COMPARE} -t none")
    assert [float(row["bleu"]) for row in rows] == [100 * score.bleu for score in scores.values()]


TESTS: dict[str, tuple[Any, str]] = {
    "bootstrap": (paired_bootstrap, "resamples"),
    "approximate-randomization": (paired_approximate_randomization, "trials"),
}


@pytest.mark.parametrize("test", TESTS)
def test_paired_tests(test: str, bleu: CommandLine) -> None:
    compare, draws = TESTS[test]
    baseline = corpus_statistics(HYP, REF)
    systems = {"ref": corpus_statistics(REF, REF), "ref2": corpus_statistics(OTHER, REF)}
    number = {f"n_{draws}": 500}
    expected = compare(baseline, systems, baseline_name="hyp", seed=7, **number)
    line = f"compare hyp.txt ref.txt ref2.txt -t {test} --seed 7 --{draws} 500 -r ref.txt"

    rows = expected.rows()
    assert bleu.json(line) == expected.to_dict()
    p_values = [row["p_value"] for row in bleu.rows(line)]
    assert p_values == ["", *(str(row["p_value"]) for row in rows[1:])]

    title, heads, _, second, *_, signature = bleu(line).splitlines()
    wanted = ["system", "BLEU", "95 % interval", "difference", "its interval", "p", "p (Holm)"]
    assert re.split("  +", heads.rstrip()) == wanted
    numbers = [f"{100 * rows[1][key]:.1f}".replace("-", "−") for key in ("delta", "delta_low", "delta_high")]
    assert re.findall(r"−?\d+\.\d+", second.replace("-", "−"))[3:] == [*numbers, f"{rows[1]['p_value']:.3f}"]
    assert second.endswith("  too few segments")
    assert title.split(";")[0] == f"paired {test.replace('-', ' ')} against hyp: 500 {draws}, seed 7"
    assert signature == f"  {expected.signature}"
    assert {row["signature"] for row in bleu.rows(line)} == {expected.signature}


def test_tables_to_paste(bleu: CommandLine) -> None:
    expected = paired_bootstrap(corpus_statistics(HYP, REF), {"ref2": corpus_statistics(OTHER, REF)})
    Path("a|b_1.txt").write_bytes(Path("hyp.txt").read_bytes())
    line = "compare a|b_1.txt ref2.txt -r ref.txt -f"
    markdown = bleu(f"{line} markdown").splitlines()
    assert markdown[0].startswith("| system")
    assert markdown[2].startswith("| a\\|b_1")
    assert f"`{expected.signature}`" in markdown
    latex = bleu(f"{line} latex")
    assert latex.startswith("% needs \\usepackage{booktabs}\n\\begin{table}")
    assert "a|b\\_1" in latex
    assert "95 \\% interval" in latex
    [caption] = [line for line in latex.splitlines() if line.startswith("\\caption")]
    assert expected.signature in caption.replace("\\textbar\\allowbreak{}", "|")


@pytest.mark.parametrize("output_format", ["text", "markdown", "latex", "tsv", "json"])
def test_few_segments_have_no_verdict(output_format: str, bleu: CommandLine) -> None:
    for name, texts in (("hyp.txt", HYP), ("ref.txt", REF)):
        write_lines(name, texts * 3)
    line = f"compare hyp.txt ref.txt -r ref.txt -f {output_format}"
    shown = bleu(line)
    assert not VERDICTS.search(shown)
    if output_format == "json":
        assert json.loads(shown)["has_too_few_segments"] is True
    elif output_format == "tsv":
        assert [row.split("\t")[-1] for row in shown.splitlines()] == ["has_too_few_segments", "yes", "yes"]
    else:
        table, _ = shown.split("12 segments of hyp.txt, ref.txt against ref.txt")
        assert "too few segments" in table
        advice = "use paired_approximate_randomization (compare -t approximate-randomization)"
        assert shown.replace("\\_", "_").count(advice) == 1
        assert "too few segments" not in bleu(f"{line} -t approximate-randomization")


def test_ways_to_give_references(bleu: CommandLine) -> None:
    expected = corpus_bleu(HYP, list(zip(REF, OTHER, strict=True))).bleu
    for references in ("--references ref.txt ref2.txt", "--references=ref.txt ref2.txt", "-rref.txt ref2.txt"):
        [found] = bleu.json(f"compare hyp.txt {references} -t none")["rows"]
        assert found["bleu"] == expected


def test_significant_differences_have_a_star(bleu: CommandLine) -> None:
    systems, references = one_sided(30)
    for name, lines in {**systems, "ref": references}.items():
        write_lines(f"{name}.txt", lines)
    shown = bleu("compare new.txt base.txt -r ref.txt").splitlines()
    assert shown[3].split()[4].startswith("-")
    assert shown[3].endswith(" *")
    assert "  * significant: p (Holm) < 0.05" in shown


@pytest.mark.parametrize("output_format", ["csv", "tsv"])
def test_a_spreadsheet_computes_no_name(output_format: str, bleu: CommandLine) -> None:
    """Numbers stay numbers, although some begin with a minus sign."""
    for labels, expected in [
        (["=1+1", "- Hello", "@a", "-1.5"], ["'=1+1", "'- Hello", "'@a", "-1.5"]),
        (['"=1+1"', "a;=1+1", 'a;"-b"', "a=b;c-d"], ['\'"=1+1"', "a;'=1+1", 'a;\'"-b"', "a=b;c-d"]),
    ]:
        write_lines("labels", labels)
        text = bleu(f"score hyp.txt ref.txt -g labels -f {output_format}")
        rows = (
            csv.reader(io.StringIO(text)) if output_format == "csv" else (row.split("\t") for row in text.splitlines())
        )
        assert [row[0] for row in rows] == ["group", *expected]


def test_groups(bleu: CommandLine) -> None:
    labels = ["news", "chat", "news", "chat"]
    write_lines("labels", labels)
    systems = {"ref2": corpus_statistics(OTHER, REF)}
    options: dict[str, Any] = {"n_resamples": 100, "seed": 12345, "baseline_name": "hyp"}
    expected = compare_groups(corpus_statistics(HYP, REF), systems, labels, **options)
    line = f"{COMPARE} -g labels --resamples 100"
    answer = bleu.json(line)
    assert answer["groups"] == expected.to_dict()
    assert len(answer["rows"]) == 2
    words = [text.split()[0] for text in bleu(line).splitlines() if text]
    heads = ["system", "group", "news", "chat"]
    assert [word for word in words if word in heads] == heads
    rows = list(csv.DictReader(io.StringIO(bleu(f"{line} -f csv"))))
    assert list(rows[0])[:6] == list(expected.rows()[0])[:6]
    for row, expected_row in zip(rows, expected.rows(), strict=True):
        assert (row["group"], row["system"]) == (expected_row["group"], expected_row["system"])
        assert [float(row[key]) for key in ("score", "low")] == [100 * expected_row[key] for key in ("score", "low")]
    assert bleu(f"{line} -f markdown").startswith(expected.to_markdown())
    error = bleu("compare hyp.txt -r ref.txt -g labels", status=2)
    assert "--groups does nothing without a test" in error


def test_a_small_group(bleu: CommandLine) -> None:
    """Its advice is shown once, also if no group has enough segments."""
    for copies in (10, 1):
        for name, texts in (("hyp.txt", HYP), ("other.txt", OTHER), ("ref.txt", REF)):
            write_lines(name, texts * copies)
        write_lines("labels", ["news"] * 4 * (copies - 1) + ["chat"] * 4)
        shown = bleu("compare hyp.txt other.txt -r ref.txt -g labels --resamples 100")
        assert re.findall(r"Too few segments \((\d+)\)", shown) == ["4"]


def test_names_that_latex_takes_for_something_else(bleu: CommandLine) -> None:
    r"""Behind the \\ of the row before, [ opens a length and * is part of the command."""
    for name in ("[a].txt", "*b.txt"):
        write_lines(name, HYP)
    table = bleu("compare [a].txt *b.txt -r ref.txt -f latex")
    assert not re.search(r"(?m)^\s*[\[*]", table)
    assert re.search(r"(?m)^ \{\}\[a\]", table)


def test_fail_if_worse(bleu: CommandLine) -> None:
    for name, texts, copies in (("good", REF, 20), ("bad", OTHER, 20), ("few", OTHER, 1), ("ref.few", REF, 1)):
        write_lines(f"{name}.txt", texts * copies)
    write_lines("refs.txt", REF * 20)
    line = "compare {} -r refs.txt --fail-if-worse"
    assert bleu(line.format("bad.txt good.txt")) == bleu("compare bad.txt good.txt -r refs.txt")
    assert bleu(line.format("bad.txt missing.txt"), status=1)  # an error has another status than a worse system
    assert bleu(line.format("good.txt bad.txt"), status=3).splitlines()[-1] == (
        "bleu-metric: significantly worse than good in BLEU: bad (--fail-if-worse)"
    )
    too_few = "compare ref.txt few.txt -r ref.few.txt --fail-if-worse"
    for test in ("bootstrap", "approximate-randomization"):
        assert "too few segments or trials to test it" in bleu(f"{too_few} --test {test}", status=3)
    assert "needs several systems and segments" in bleu(f"{too_few} -t none", status=2)
