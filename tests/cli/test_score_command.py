"""`bleu-metric score`: what is typed reaches the score, whose numbers are those of the functions."""

from __future__ import annotations

from typing import Any

from command_line import HYP, OTHER, REF, CommandLine, write_lines
from inner_doors import OPTIONS

from bleu_metric import bootstrap, corpus_bleu, corpus_statistics, score_groups, sentence_bleu
from bleu_metric.cli.main import run

SCORE = "score hyp.txt ref.txt"
BLEU = corpus_bleu(HYP, REF)


def test_score_as_json(bleu: CommandLine) -> None:
    answer = bleu.json("score hyp.txt ref.txt ref2.txt -d sacrebleu --sentences")
    references = list(zip(REF, OTHER, strict=True))
    expected = corpus_bleu(HYP, references, "sacrebleu").to_dict()
    assert {key: answer[key] for key in expected} == expected
    assert answer["sentence_bleu"] == sentence_bleu(HYP, references, "sacrebleu").tolist()
    assert (answer["system"], answer["segments"]) == ("hyp.txt", 4)


def test_score_as_tsv(bleu: CommandLine) -> None:
    [answer] = bleu.rows(SCORE)
    assert float(answer["bleu"]) == 100 * BLEU.bleu
    assert [int(answer[f"count_{order}"]) for order in range(1, 5)] == BLEU.counts
    sentences = enumerate(sentence_bleu(HYP, REF).tolist(), 1)
    assert bleu.rows(f"{SCORE} -s") == [{"line": str(line), "bleu": str(100 * score)} for line, score in sentences]


def test_only_small_groups_have_no_interval(bleu: CommandLine) -> None:
    write_lines("many.txt", HYP * 15)
    write_lines("same.txt", REF * 15)
    for size in (30, 29):
        write_lines("groups.txt", ["a"] * size + ["b"] * (60 - size))
        printed = bleu("score many.txt same.txt -g groups.txt --confidence 0.9 --resamples 100")
        assert ("have no interval" in printed) == (size < 30)


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


def test_intervals(bleu: CommandLine) -> None:
    expected = bootstrap(corpus_statistics(HYP, REF), 200, 5, 0.9)
    line = f"{SCORE} --confidence 0.9 --resamples 200 --seed 5"
    answer = bleu.json(line)
    fields = {**expected.to_dict(), "interval_signature": expected.signature, "bleu": expected.score}
    del fields["score"], fields["signature"]
    assert {name: answer[name] for name in fields} == fields
    assert answer["citation"] == BLEU.citation(expected).sentence
    [row] = bleu.rows(line)
    assert float(row["low"]) == 100 * expected.low


def test_groups(bleu: CommandLine) -> None:
    labels = ["one", "many", "many", "many"]
    write_lines("labels", labels)
    expected = score_groups(corpus_statistics(HYP, REF), labels, 0.9, 200)
    line = f"{SCORE} -g labels --confidence 0.9 --resamples 200"
    assert bleu.json(line)["groups"]["rows"] == expected.rows()
    assert expected.to_latex() in bleu(f"{line} -f latex")


def test_fail_under(bleu: CommandLine) -> None:
    """A score that equals the limit passes. It is 75.592895 with two orders: 4 digits would show it as the limit."""
    percent = 100 * BLEU.bleu
    shown = bleu(SCORE)
    assert bleu(f"{SCORE} --fail-under {percent!r}") == shown
    assert run([*SCORE.split(), "--fail-under", repr(percent + 1e-9)]) == 3
    assert bleu.capsys.readouterr().out == shown
    assert "BLEU 75.592894601845 is below 75.5929 " in bleu(f"{SCORE} --max-order 2 --fail-under 75.5929", status=3)
