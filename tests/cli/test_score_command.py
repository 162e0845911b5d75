"""`bleu-metric score`: what is typed reaches the score, in every format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from command_line import HYP, OTHER, REF, CommandLine, write_lines
from inner_doors import OPTIONS

from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, score_groups, sentence_bleu
from bleu_metric.cli.main import run

SCORE = "score hyp.txt ref.txt"
BLEU = corpus_bleu(HYP, REF)
PERCENT = f"{100 * BLEU.bleu:.1f}"


def test_score_as_json(bleu: CommandLine) -> None:
    answer = bleu.json("score hyp.txt ref.txt ref2.txt -d sacrebleu --sentences")
    references = list(zip(REF, OTHER, strict=True))
    expected = corpus_bleu(HYP, references, "sacrebleu").to_dict()
    assert {key: answer[key] for key in expected} == expected
    assert answer["sentence_bleu"] == sentence_bleu(HYP, references, "sacrebleu").tolist()
    assert (answer["system"], answer["segments"]) == ("hyp.txt", 4)


def test_score_as_text(bleu: CommandLine) -> None:
    first, second, *others = bleu(SCORE).splitlines()
    assert first == f"BLEU {PERCENT}"
    precision = f"{100 * BLEU.precisions[0]:.1f}"
    assert second.split() == f"1-grams {precision} % {BLEU.counts[0]} of {BLEU.totals[0]}".split()
    assert others[-2:] == [
        "  A score compares only with scores of the same test set and the same signature.",
        f"  {BLEU.sacrebleu_signature}",
    ]
    third = 100 * sentence_bleu(HYP, REF)[2]
    sentences = bleu(f"{SCORE} -s").splitlines()
    assert sentences[:5] == ["line   BLEU", "   1   53.7", "   2    0.0", f"   3  {third:5.1f}", "   4  100.0"]


def test_score_as_tsv(bleu: CommandLine) -> None:
    [answer] = bleu.rows(SCORE)
    assert float(answer["bleu"]) == 100 * BLEU.bleu
    assert [int(answer[f"count_{order}"]) for order in range(1, 5)] == BLEU.counts
    sentences = enumerate(sentence_bleu(HYP, REF).tolist(), 1)
    assert bleu.rows(f"{SCORE} -s") == [{"line": str(line), "bleu": str(100 * score)} for line, score in sentences]


def test_every_option_reaches_the_score(bleu: CommandLine) -> None:
    typed: dict[str, Any] = {
        "tokenizer": "char",
        "lowercase": "ascii",
        "normalization": "NFKC",
        "strip": "no",
        "whitespace": "ascii",
        "weights": "0.5,0.25,0.25",
        "smoothing": "method1",
        "smoothing_value": "0.2",
        "reference_length": "longest",
        "empty_references": "missing",
        "effective_order": "yes",
        "auto_reweigh": "yes",
        "average": "sentence",
        "total_floor": "segment",
        "zero_score": "empty",
        "zero_precision": "skip",
    }
    numbers = {"weights": [0.5, 0.25, 0.25], "smoothing_value": 0.2}
    words = {"yes": True, "no": False}
    options = {name: words.get(value, value) for name, value in typed.items()} | numbers
    expected = corpus_bleu(HYP, REF, **options)
    line = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in typed.items())
    answer = bleu.json(f"{SCORE} {line}")
    assert (answer["bleu"], answer["signature"]) == (expected.bleu, expected.signature)
    assert {"max_order", *typed} == {*OPTIONS} - {"unit"}
    assert bleu.json(f"{SCORE} --max-order 2")["bleu"] == corpus_bleu(HYP, REF, max_order=2).bleu


def test_two_digits(bleu: CommandLine) -> None:
    percent = f"{100 * BLEU.bleu:.2f}"
    shown = bleu(f"{SCORE} -s --digits 2").splitlines()
    assert shown[1] == "   1   53.73"
    assert f"BLEU {percent}" in shown
    assert "is not in the range" in bleu(f"{SCORE} --digits 3", status=2)
    assert percent in bleu("dialects hyp.txt ref.txt --digits 2")
    assert percent in bleu("compare hyp.txt ref2.txt -r ref.txt --digits 2")


def test_intervals(bleu: CommandLine) -> None:
    expected = bootstrap(corpus_statistics(HYP, REF), 200, 5, 0.9)
    line = f"{SCORE} --confidence 0.9 --resamples 200 --seed 5"
    answer = bleu.json(line)
    fields = {**expected.to_dict(), "interval_signature": expected.signature, "bleu": expected.score}
    del fields["score"], fields["signature"]
    assert {name: answer[name] for name in fields} == fields
    assert answer["citation"] == BLEU.citation(expected).sentence
    first, *_, last = bleu(line).splitlines()
    assert f"[{100 * expected.low:.1f}, {100 * expected.high:.1f}]" in first
    assert last == f"  {expected.signature}"
    [row] = bleu.rows(line)
    assert float(row["low"]) == 100 * expected.low


def test_groups(bleu: CommandLine) -> None:
    """A group of one segment has none, but the columns of the others."""
    labels = ["one", "many", "many", "many"]
    write_lines("labels", labels)
    expected = score_groups(corpus_statistics(HYP, REF), labels, 0.9, 200)
    line = f"{SCORE} -g labels --confidence 0.9 --resamples 200"
    assert bleu.json(line)["groups"]["rows"] == expected.rows()
    assert expected["many"].interval
    [many] = [row for row in bleu(line).splitlines() if row.startswith("many")]
    assert many.split()[:3] == ["many", "3", f"{100 * expected['many'].bleu:.1f}"]
    assert list(bleu.rows(f"{SCORE} --groups labels")[0])[:2] == ["group", "bleu"]
    lows = {row["group"]: row["low"] for row in bleu.rows(line)}
    assert lows == {"one": "", "many": str(100 * expected["many"].interval.low)}
    assert expected.to_latex() in bleu(f"{line} -f latex")


def test_tables_to_paste(bleu: CommandLine) -> None:
    for line, name in ((SCORE, "hyp.txt"), ("dialects hyp.txt ref.txt", "sacrebleu")):
        rows = [row.split(" | ") for row in bleu(f"{line} -f markdown").splitlines()]
        row = next(row for row in rows if row[0].startswith(f"| {name}"))
        assert row[1].strip(" |") == PERCENT
        assert "\\begin{tabular}" in bleu(f"{line} -f latex")
    assert f"\n`{BLEU.sacrebleu_signature}`\n" in bleu(f"{SCORE} -f markdown")


def test_average_lengths_are_rounded(bleu: CommandLine) -> None:
    write_lines("ref3.txt", REF)
    references = list(zip(REF, OTHER, REF, strict=True))
    length = corpus_bleu(HYP, references, reference_length="average").reference_length
    shown = bleu(f"{SCORE} ref2.txt ref3.txt --reference-length average")
    assert f"reference {round(length, 4)}," in shown


def test_a_file_of_many_megabytes(bleu: CommandLine) -> None:
    """The lines are those of a small file."""
    lines = ["a \u00e4 b c d\r", "", "a b c\r", "x", f" y{' z' * 28}"]
    references = [line.removesuffix("\r") for line in lines]
    text = "\r\n".join(lines * 170_000).encode()
    Path("long.txt").write_bytes(b"\xef\xbb\xbf" + text)
    write_lines("long-ref.txt", references * 170_000)
    assert min(Path(name).stat().st_size for name in ("long.txt", "long-ref.txt")) > 8 << 20
    answer = bleu.json("score long.txt long-ref.txt")
    assert answer["segments"] == 850_000
    assert answer["bleu"] == corpus_bleu(lines * 2, references * 2).bleu
    Path("long.txt").write_bytes(text + b"\n\xff")
    wanted = "long.txt: line 850001: byte 1 (0xff) is not UTF-8; if the file is Latin-1, convert it with"
    assert wanted in bleu("score long.txt long-ref.txt", status=1)


def test_fail_under(bleu: CommandLine) -> None:
    percent = 100 * BLEU.bleu
    shown = bleu(SCORE)
    for goal in (0, percent):  # a score that equals the goal passes
        assert bleu(f"{SCORE} --fail-under {goal!r}") == shown
    for goal in (percent + 1e-9, 100, float("nan")):
        assert run([*SCORE.split(), "--fail-under", repr(goal)]) == 3
        out, err = bleu.capsys.readouterr()
        assert out == shown
        assert f"bleu-metric: BLEU {percent:.4f} is below {float(goal)} (--fail-under)\n" in err
    assert "is not in the range" in bleu(f"{SCORE} --fail-under 101", status=2)


def test_a_failed_score_is_never_shown_as_the_limit(bleu: CommandLine) -> None:
    """The score is 75.592895, which 4 digits would show as 75.5929."""
    assert "BLEU 75.592894601845 is below 75.5929 " in bleu(f"{SCORE} --max-order 2 --fail-under 75.5929", status=3)


def test_a_limit_from_0_to_1_is_probably_a_mistake(bleu: CommandLine) -> None:
    message = "--fail-under 0.3 is 0.3 %; for a score of 0.3 from 0 to 1, type 30"
    assert message in bleu(f"{SCORE} --fail-under 0.3", status=2)


def test_tables_have_the_interval(bleu: CommandLine) -> None:
    _, _, interval = bleu("score hyp.txt ref.txt --confidence 0.9").splitlines()[0].partition("[")
    assert interval
    for output_format in ("latex", "markdown"):
        assert interval in bleu(f"score hyp.txt ref.txt --confidence 0.9 -f {output_format}")


def test_intervals_of_few_segments_have_a_note(bleu: CommandLine) -> None:
    for name in ("many.txt", "references.txt"):
        write_lines(name, ["a b c d e"] * 100)
    note = "with fewer than 100 segments, intervals are too narrow"
    assert note in bleu("score hyp.txt ref.txt --confidence 0.9")
    assert note not in bleu("score many.txt references.txt --confidence 0.9")
    assert note not in bleu("score hyp.txt ref.txt")
