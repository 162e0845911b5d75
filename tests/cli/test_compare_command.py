"""`bleu-metric compare`: tables, tests, and tables to paste."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from command_line import HYP, OTHER, REF, as_json, as_rows, printed
from corpora import VERDICTS

from bleu_metric import (
    compare_groups,
    corpus_bleu,
    corpus_statistics,
    paired_approximate_randomization,
    paired_bootstrap,
)


def test_compare(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = {name: corpus_bleu(lines, REF) for name, lines in {"hyp": HYP, "ref2": OTHER}.items()}
    command = ["compare", "hyp.txt", "ref2.txt", "-t", "none"]
    rows = as_json(capsys, *command, "--references", "ref.txt")
    assert rows == {"systems": [{"system": name, **score.to_dict()} for name, score in scores.items()]}
    text = printed(capsys, *command, "-r", "ref.txt", "hyp.txt").splitlines()
    assert [line.split()[0] for line in text[2:4]] == ["hyp", "ref2"]
    assert text[-2] == "  4 segments of hyp.txt, ref2.txt against 2 files of references: ref.txt, hyp.txt"
    assert text[-1].startswith("  nrefs:2|")
    rows = as_rows(capsys, *command, "-r", "ref.txt")
    assert [float(row["bleu"]) for row in rows] == [score.bleu for score in scores.values()]
    several = printed(
        capsys, "compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "--weights", "1", "--weights", "0.5,0.5"
    )
    assert "/" in several.splitlines()[2].split()[1]  # two scores, and no test of one


@pytest.mark.parametrize("test", ["bootstrap", "approximate-randomization"])
def test_paired_tests(test: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compare, number = (
        (paired_bootstrap, "n_resamples") if test == "bootstrap" else (paired_approximate_randomization, "n_trials")
    )
    statistics = {
        name: corpus_statistics(lines, REF) for name, lines in {"hyp": HYP, "ref": REF, "ref2": OTHER}.items()
    }
    baseline = statistics.pop("hyp")
    expected = compare(baseline, statistics, baseline_name="hyp", seed=7, **{number: 500})  # type: ignore[operator]
    command = ["compare", "hyp.txt", "ref.txt", "ref2.txt", "-t", test, "--seed", "7"]
    command += ["--resamples" if test == "bootstrap" else "--trials", "500", "-r", "ref.txt"]
    answer = as_json(capsys, *command)
    about = expected.to_dict()
    rows = about.pop("rows")
    assert {key: answer[key] for key in about} == about
    for found, row in zip(answer["systems"], rows, strict=True):
        assert {key: found[key] for key in row if key not in ("name", "score")} == {
            key: value for key, value in row.items() if key not in ("name", "score")
        }
        assert (found["system"], found["bleu"]) == (row["name"], row["score"])
    p_values = ["" if row["p_value"] is None else str(row["p_value"]) for row in rows]
    assert [row["p_value"] for row in as_rows(capsys, *command)] == p_values
    text = printed(capsys, *command).splitlines()
    heads = ["system", "BLEU", "95 % interval", "difference", "its interval", "p", "p (Holm)"]
    assert re.split("  +", text[0].rstrip()) == heads
    for number in (f"{100 * rows[1]['delta']:+.1f}", f"{rows[1]['p_value']:.3f}", f"{rows[1]['p_adjusted']:.3f}"):
        assert f" {number} " in text[3] + " "
    for bound in ("delta_low", "delta_high"):
        assert f"{100 * rows[1][bound]:.1f}".replace("-", "−") in text[3]
    words = test.replace("-", " ")
    about_test = f"  paired {words} against hyp: 500 {'resamples' if test == 'bootstrap' else 'trials'}, seed 7"
    assert text[-2].split(";")[0] == about_test
    assert expected.signature in text[-1]
    markdown = printed(capsys, *command, "-f", "markdown").splitlines()
    assert markdown[0].startswith("| system")
    assert markdown[-1] == f"`{expected.signature}`"
    latex = printed(capsys, *command, "-f", "latex")
    assert latex.startswith("\\begin{tabular}")
    assert "95 \\% interval" in latex
    assert f"% {expected.signature}" in latex


@pytest.mark.parametrize("output_format", ["text", "markdown", "latex", "tsv", "json"])
def test_few_segments_have_no_verdict(output_format: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "hyp.txt", "ref.txt", "-r", "ref.txt", "-f", output_format]
    shown = printed(capsys, *command)
    assert not VERDICTS.search(shown)
    if output_format == "json":
        assert json.loads(shown)["has_too_few_segments"] is True
    elif output_format == "tsv":
        assert [line.split("\t")[-1] for line in shown.splitlines()] == ["has_too_few_segments", "yes", "yes"]
    else:
        table, notes = shown.split("4 segments of hyp.txt, ref.txt against ref.txt")
        assert "too few segments" in table
        assert "use paired_approximate_randomization (compare -t approximate-randomization)" in notes
        assert "too few segments" not in printed(capsys, *command, "-t", "approximate-randomization")


@pytest.mark.parametrize(
    "way", [["--references", "ref.txt", "ref2.txt"], ["--references=ref.txt", "ref2.txt"], ["-rref.txt", "ref2.txt"]]
)
def test_ways_to_give_references(way: list[str], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = as_json(capsys, "compare", "hyp.txt", *way, "-t", "none")["systems"]
    assert found["bleu"] == corpus_bleu(HYP, list(zip(REF, OTHER, strict=True))).bleu


SIGNIFICANT = [f"segment {number} of the cat on the mat" for number in range(30)]


def test_significant_differences_have_a_star(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.txt").write_text("\n".join(SIGNIFICANT))
    worse = [text.replace("the", "a", 1 + index % 2) for index, text in enumerate(SIGNIFICANT)]
    Path("base.txt").write_text("\n".join(worse))
    Path("same.txt").write_text("\n".join(worse))
    command = ["compare", "good.txt", "base.txt", "same.txt", "-r", "good.txt"]
    lines = printed(capsys, *command).splitlines()
    assert lines[3].endswith("0.002  *")
    assert lines[3].split()[4].startswith("−")
    assert "  * significant: p (Holm) < 0.05" in lines
    assert "\\ensuremath{-}" in printed(capsys, *command, "-f", "latex")
    equal = printed(capsys, "compare", "base.txt", "same.txt", "-r", "good.txt")
    assert "*" not in equal


def test_csv(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", 'a,"b=hyp.txt', "ref2.txt", "-r", "ref.txt"]
    first, *_ = rows = list(csv.DictReader(io.StringIO(printed(capsys, *command, "-f", "csv"))))
    assert first["system"] == 'a,"b'
    assert rows == as_rows(capsys, *command)


def test_groups(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = ["news", "chat", "news", "chat"]
    Path("labels").write_text("\n".join(labels))
    counted = {name: corpus_statistics(lines, REF) for name, lines in {"hyp": HYP, "ref2": OTHER}.items()}
    expected = compare_groups(
        counted["hyp"], {"ref2": counted["ref2"]}, labels, n_resamples=100, seed=12345, baseline_name="hyp"
    )
    command = ["compare", "hyp.txt", "ref2.txt", "-r", "ref.txt", "-g", "labels", "--resamples", "100"]
    answer = as_json(capsys, *command)
    assert answer["groups"] == [{"group": label, **group.to_dict()} for label, group in expected.items()]
    assert len(answer["systems"]) == 2
    lines = printed(capsys, *command).splitlines()
    assert sum(line.startswith("system ") for line in lines) == 1
    assert [line.split()[0] for line in lines if line.startswith(("news", "chat"))] == ["news", "chat"]
    rows = list(csv.DictReader(io.StringIO(printed(capsys, *command, "-f", "csv"))))
    assert [(row["group"], row["name"]) for row in rows] == [(row["group"], row["name"]) for row in expected.rows()]
    assert printed(capsys, *command, "-f", "markdown").startswith(expected.to_markdown())
    error = printed(capsys, "compare", "hyp.txt", "-r", "ref.txt", "-g", "labels", status=2)
    assert "--groups does nothing without a test" in error


@pytest.mark.parametrize("output_format", ["csv", "tsv"])
def test_a_spreadsheet_computes_no_name(output_format: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers stay numbers, although some begin with a minus sign."""
    Path("labels").write_text("=1+1\n- Hello\n@a\n-1.5\n")
    text = printed(capsys, "score", "hyp.txt", "ref.txt", "-g", "labels", "-f", output_format)
    rows = list(csv.reader(io.StringIO(text), delimiter="," if output_format == "csv" else "\t"))
    assert [row[0] for row in rows] == ["group", "'=1+1", "'- Hello", "'@a", "-1.5"]


def test_tables_to_paste(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a|b_1.txt").write_bytes(Path("hyp.txt").read_bytes())
    command = ["compare", "a|b_1.txt", "ref2.txt", "-r", "ref.txt", "-f"]
    assert "| a\\|b_1" in printed(capsys, *command, "markdown")
    assert "a|b\\_1" in printed(capsys, *command, "latex")
    assert "rows" not in json.loads(printed(capsys, *command, "json"))


def test_names_that_latex_takes_for_something_else(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    r"""Behind the \\ of the row before, [ opens a length and * is part of the command."""
    for name in ("[a].txt", "*b.txt"):
        Path(name).write_bytes(Path("hyp.txt").read_bytes())
    table = printed(capsys, "compare", "[a].txt", "*b.txt", "-r", "ref.txt", "-f", "latex")
    assert not re.search(r"(?m)^\s*[\[*]", table)
    assert re.search(r"(?m)^ \{\}\[a\]", table)
