"""What a text file is, by its name and its content: plain text, lines with ids, or another kind of file."""

from __future__ import annotations

import io
import json
import lzma
import sys
from pathlib import Path

import pytest
from command_line import CommandLine, write_lines

from bleu_metric import corpus_bleu
from bleu_metric.cli.main import run

HYP = ["the cat sat on the mat", "a dog barked at me", "we went to the town", "it was raining all day"]
REF = ["the cat is on the mat", "the dog barked at me", "we walked into the town", "it rained the whole day"]
EXPECTED = corpus_bleu(HYP, REF).bleu
ORDER = [3, 0, 2, 1]
ROWS = [json.dumps({"mt": text, "n": 1}) for text in HYP]

# The name of a file -> its lines and a part of the error
KINDS: dict[str, tuple[list[str], str]] = {
    "x.xml": (HYP, "wmt-unwrap"),
    "x.xml.gz": (HYP, "wmt-unwrap"),
    "x.sgm": (HYP, "wmt-unwrap"),
    "x.HTM": (HYP, "one per line"),
    "x.xls": (HYP, "save the table as CSV"),
    "x.csv.zip:mt": (HYP, "unpack it first"),
    "x.txt.xz": (HYP, "unpack it first, e.g. with xz -d"),
    "x.tar.gz": (HYP, "unpack it first"),
    "x.npy": (HYP, "as JSON Lines or Parquet"),
    "instances.log": (ROWS, "name a column, as in instances.log:mt; the columns are mt, n"),
    "array": (["[", *[f"{row}," for row in ROWS]], "this is JSON, not plain text"),
    "object": (["{", '"mt": ["a"]', "}"], "this is JSON, not plain text"),
    "one-line": ([f"[{', '.join(ROWS)}]"], "this is JSON, not plain text"),
    "segments": ([f'<seg id="{n}"> {text} </seg>' for n, text in enumerate(HYP)], "this is SGML, XML or HTML"),
    "set": (['<srcset setid="a" srclang="any">', *HYP], "this is SGML, XML or HTML"),
    "attribute": ([f'<tuv xml:lang="en">{text}</tuv>' for text in HYP], "this is SGML, XML or HTML"),
    "pretty-rows": (['{"data": [', '  {"mt": "a"},'], "this is JSON, not plain text"),
    "youtube": (["0:00:01.000,0:00:02.500", HYP[0]], "this is a file of subtitles"),
    "generate-test.txt": (["S-0\ta b", "T-0\tc", "H-0\t-0.5\td", "D-0\t-0.5\te"], "cut -f 1,3 > HYP"),
    "cues": (["1", "00:00:01,000 --> 00:00:02,500", HYP[0], "", "2"], "this is a file of subtitles"),
    "web.txt": (["WEBVTT", "", "00:01.000 --> 00:02.500", HYP[0]], "this is a file of subtitles"),
    "x.stm": ([";; a comment", f"talk 1 spk1 0.00 2.50 <o,f0> {HYP[0]}"], "this is an STM file"),
    "stm": ([";; a comment", f"talk 1 spk1 0.00 2.50 <o,f0> {HYP[0]}"], "this is an STM file"),
    "ctm": ([f"talk 1 0.{n}0 0.25 {word} 0.98" for n, word in enumerate(HYP[0].split())], "this is a CTM file"),
    "n-best": ([f"{n} ||| {text} ||| F0= -3 ||| -1" for n, text in enumerate(HYP)], "its second field is the text"),
}


@pytest.mark.parametrize("name", KINDS)
def test_other_kinds_are_refused(name: str, bleu: CommandLine, files: Path) -> None:
    lines, advice = KINDS[name]
    write_lines(name.partition(":")[0], lines)
    write_lines("ref.txt", REF)
    error = bleu(f"score {name} ref.txt", status=1)
    assert error.startswith(f"bleu-metric: {name.partition(':')[0]}: this is ")
    assert advice in error
    if Path(name).exists():
        assert advice in bleu(f"score ref.txt {name}", status=1)


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        (lzma.compress(b"a b c\n"), "this is a packed file, not plain text; unpack it first"),
        (
            b"\xef\xbb\xbf<?XML version='1.0'?>\n",
            "this is SGML, XML or HTML, not plain text; extract the segments first",
        ),
        (b"%PDF-1.4\n", "this is a document, not plain text; save the document as plain text"),
        (b'{"mt": "a"}\n', "-: this is JSON, not plain text; name a column, as in /dev/stdin:mt"),
    ],
)
def test_other_kinds_from_standard_input(
    content: bytes, advice: str, bleu: CommandLine, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert advice in bleu("score - ref.txt", status=1)


@pytest.mark.parametrize("lines", [ROWS, [f"<seg>{text}</seg>" for text in HYP]])
def test_json_and_markup_on_both_sides_are_scored(lines: list[str], bleu: CommandLine, files: Path) -> None:
    write_lines("hyp.txt", lines)
    write_lines("ref.txt", lines)
    assert run(["score", "hyp.txt", "ref.txt"]) == 0
    assert "all files are " in bleu.capsys.readouterr().err


PLAIN = [
    ["{ braces } and [brackets]", "[1] a note"],
    ["<b> the cat", "<i> a dog </i>"],
    ["7 eggs", "12 eggs", "3 eggs"],  # numbers with a gap
    ["2023-01 was good", "text"],
    ["Dune (2021)", "Heat (1995)", "Up (2009)"],
    ["0.1 0.2 0.3 0.4 0.5"] * 3,
    ["00:01 --> 00:02", "a ||| b"],
    ["1", "2 a"],
    ["Yesterday 3 came", "Tomorrow 4 will come", "Everybody had 5"],
    ["COVID19 in 2020", "a day"],
    ['{"a": 1}', "not JSON"],
    ['["Yes," he said]', "[[links]]"],
    ["<3 you", "a < b"],
    ["<unknown>", "<music> la la"],
    ["tab\tin one line", "not here"],
    ["1" * 5000, "2" * 5000, "3" * 5000],
]


@pytest.mark.parametrize("lines", PLAIN)
def test_plain_texts_are_scored_without_a_word(lines: list[str], bleu: CommandLine, files: Path) -> None:
    write_lines("hyp.txt", lines)
    write_lines("ref.txt", lines)
    assert bleu("score hyp.txt ref.txt")


# How each line gets an id
JOINED = {
    "number, tab": ("{n}\t{text}", "{n}\t{text}"),
    "fairseq": ("D-{n}\t{text}", "T-{n}\t{text}"),
    "fairseq with scores": ("D-{n}\t-0.25\t{text}", "T-{n}\t{text}"),
    "file, tab": ("talk{n}.wav\t{text}", "talk{n}.wav\t{text}"),
    "sclite": ("{text} (spk-utt{n})", "{text} (spk-utt{n})"),
}


@pytest.mark.parametrize("form", JOINED)
@pytest.mark.parametrize("dialect", ["sacrebleu", "codexglue"])
def test_lines_are_joined_by_ids_that_cannot_be_text(form: str, dialect: str, bleu: CommandLine, files: Path) -> None:
    hyp, ref = JOINED[form]
    write_lines("hyp.txt", [hyp.format(n=n, text=HYP[n]) for n in ORDER])
    write_lines("ref.txt", [ref.format(n=n, text=text) for n, text in enumerate(REF)])
    assert run(["score", "hyp.txt", "ref.txt", "-f", "json", "-d", dialect]) == 0
    shown = bleu.capsys.readouterr()
    assert json.loads(shown.out)["bleu"] == corpus_bleu([HYP[n] for n in ORDER], [REF[n] for n in ORDER], dialect).bleu
    assert "each line of hyp.txt, ref.txt has an id, such as " in shown.err
    write_lines("ref.txt", [ref.format(n=n + 1, text=text) for n, text in enumerate(REF)])
    assert "has an id, but only one of the files has a line with the id" in bleu("score hyp.txt ref.txt", status=1)


NAMED = {
    "one side": ("{n}\t{text}", "{text}", range(4), "remove the ids with: cut -f 2- FILE > NEW_FILE"),
    "out of order": ("{n}\t{text}", "{text}", ORDER, "remove the ids with: sort -V FILE | cut -f 2- > NEW_FILE"),
    "repeated": ("1\t{text}", "1\t{text}", range(4), "remove the ids with: cut -f 2-"),
    "Kaldi": ("utt-{n} {text}", "utt-{n} {text}", range(4), "remove the ids with: sed 's/^[^ ]* *//' FILE"),
    "AISHELL": ("BAC009S076{n} {text}", "{text}", range(4), "remove the ids with: sed 's/^[^ ]* *//' FILE"),
    "Kaldi, out of order": ("utt-{n} {text}", "utt-{n} {text}", ORDER, "put a tab after each id, so that the lines"),
    "numbers": ("{n} {text}", "{text}", range(4), "as its first word, such as '0', which is scored as text"),
    "brackets": ("{text} ({n})", "{text}", range(4), "remove the ids with: sed 's/ ([^()]*)$//' FILE"),
    "brackets, out of order": ("{text} ({n})", "{text}", ORDER, "sort the lines by their ids before"),
    "score": ("{text}\t-0.5", "{text}", range(4), "hyp.txt has 1 tab, which does not separate texts; if it should, type hyp"),
    "references": ("{text}", "{text}\t{text}", range(4), "ref.txt has 1 tab, which does not separate texts; if it should, type --num-refs 2"),
}  # fmt: skip


@pytest.mark.parametrize("case", NAMED)
def test_ids_and_tabs_that_are_scored_are_named(case: str, bleu: CommandLine, files: Path) -> None:
    hyp, ref, order, advice = NAMED[case]
    write_lines("hyp.txt", [hyp.format(n=n, text=HYP[n]) for n in order])
    write_lines("ref.txt", [ref.format(n=n, text=text) for n, text in enumerate(REF)])
    assert run(["score", "hyp.txt", "ref.txt"]) == 0
    assert advice in bleu.capsys.readouterr().err


def test_a_column_of_a_text_with_tabs(bleu: CommandLine, files: Path) -> None:
    write_lines("both.txt", [f"{hyp}\t{ref}" for hyp, ref in zip(HYP, REF, strict=True)])
    assert bleu.json("score both.txt:1 both.txt:2")["bleu"] == EXPECTED


@pytest.mark.parametrize(
    ("encoding", "text"), [("GB18030", "猫坐在垫子上"), ("SHIFT_JIS", "ねこがすわる"), ("KOI8-R", "кот сидит")]
)
def test_other_encodings_are_named(encoding: str, text: str, bleu: CommandLine, files: Path) -> None:
    Path("hyp.txt").write_bytes(f"{text}\n".encode(encoding))
    assert encoding in bleu("score hyp.txt ref.txt", status=1).partition("it may also be")[2]


def test_mbr_reads_n_best_lists(bleu: CommandLine, files: Path) -> None:
    candidates = [["the cat sat", "the cat sat down", "a cat sat"], ["a dog"]]
    lines = [f"{n} ||| {text} ||| F0= -3.2 ||| -0.8" for n, texts in enumerate(candidates) for text in texts]
    write_lines("n-best", lines)
    write_lines("rows.jsonl", [json.dumps({"texts": texts}) for texts in candidates])
    assert bleu("mbr n-best -f json") == bleu("mbr rows.jsonl:texts -f json")
    write_lines("n-best", [*lines * 50, "a line without fields"])
    assert "n-best: line 201 has no |||" in bleu("mbr n-best", status=1)
