"""What cannot be read or scored is one line on standard error, and an exit status."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import HYP, CommandLine

from bleu_metric import bootstrap, corpus_statistics

FILES: dict[str, str | bytes] = {
    "empty.txt": "",
    "short.txt": "one\ntwo\nthree\n",
    "more.txt": "one\ntwo\nthree\nfour\n\n",
    "latin.txt": b"un\nabc\xe9t\xc3\xa9\ntrois\n",
    "texts.tsv": "the cat sat\na dog\n",
    "texts.csv": "the cat sat\na dog\n",
    "line.txt": "one\n",
    "one.txt": "two\n",
    "wide.txt": "one\ntwo\n".encode("utf-16"),
    "wider.txt": "one\ntwo\n".encode("utf-32"),
    "le.txt": "one\ntwo\n".encode("utf-16-le"),
    "be.jsonl": '{"a": "b"}\n'.encode("utf-32-be"),
    "zero.txt": b"one\ntw\0o\n",
    "lists.jsonl": '{"hyp": ["a b"], "ref": "b"}\n{"hyp": [], "ref": "b"}\n',
    "bad.jsonl": '{"a": "b"}\n{"a": \n',
    "list.jsonl": "[1]\n",
    "none.jsonl": "{}\n",
    "deep.jsonl": "[" * 100_000 + "\n",
    "long.jsonl": '{"a": "x", "b": "x"}\n' * 49_999 + '{"a": "x", "b": ["x"]}\n',
    "rows.jsonl": '{"hyp": "a", "ref": "b"}\n' + '{"hyp": null, "ref": "b"}\n' * 3,
    "twice.jsonl": '{"hyp": "a", "ref": {"en": "b", "en": "c"}}',
    "bad.json": '["a",\n"b"',
    "texts.json": '["a", "b"]',
    "lists.json": '{"a": ["x"], "b": ["y"]}',
    "mixed.json": '[{"a": "b"}, "b"]',
    "pretty.json": '{\n"a": ["b"]\n}',
    "x.csv": "a,b\n",
    "x;.csv": "a;b\n1;2\n",
    "quoted.tsv": '"a"\t"b"\n1\t2\n',
    "pandas.json": '{"a": {"0": "x"}, "b": {"0": "y"}}',
    "fields.jsonl": '{"a": {"b": "x"}, "c": [{"d": "y"}]}\n',
    "more.jsonl": '{"id": null, "a": "x"}\n',
    "short.csv": "a,b\n1,2\n1\n",
    "open.csv": 'a,b\n"1,2\n',
    "twice.csv": "a,b,a\n1,2,3\n",
    "x.tsv": "a\tb\n1\t1\t2\n",
}
UNREADABLE = {
    "score texts.csv ref.txt": "line 1 must name the column, but it is 'the cat sat'",
    "score texts.tsv:a ref.txt": "the first line must name the columns",
    "score twice.jsonl:hyp twice.jsonl:ref.en": "twice.jsonl: line 1: not JSON: the name 'en' occurs twice in",
    "score none.txt ref.txt": "none.txt: No such file or directory",
    "score empty.txt ref.txt": "empty.txt: the file is empty; it must have one segment",
    "score short.txt ref.txt": "short.txt has 3 segments, but ref.txt has 4: line n of each file must belong to segment n; if your",
    "score more.txt ref.txt": "has 4: line 5 of more.txt is empty; if it is no segment, delete it",
    "score latin.txt ref.txt": "latin.txt: line 2: byte 4 (0xe9) is not UTF-8; if the file is",
    "score wide.txt ref.txt": "wide.txt: the file is UTF-16; convert it with: iconv",
    "score wider.txt ref.txt": "wider.txt: the file is UTF-32; convert it with: iconv",
    "score le.txt ref.txt": "le.txt: line 1: byte 2 (0x00) is zero, so the file is not UTF-8; if it is text in UTF-16LE, conv",
    "score be.jsonl:a ref.txt": "be.jsonl: line 1: byte 1 (0x00) is zero, so the file is not UTF-8; if it is text in UTF-32BE",
    "score zero.txt ref.txt": "zero.txt: line 2: byte 3 (0x00) is zero",
    "score lists.jsonl:hyp lists.jsonl:ref": "is a list of texts, but a system has one text per row; for the first text of each row, type lists.jsonl:hyp.0",
    "score lists.jsonl:hyp.0 lists.jsonl:ref": "lists.jsonl: line 2: unknown column 'hyp.0'",
    "score short.parquet:hyp.0 ref.txt": "short.parquet: column 'hyp.0': the list in row 2 has no entry 0",
    "score bad.jsonl:a ref.txt": "bad.jsonl: line 2: not JSON: Expecting",
    "score list.jsonl:a ref.txt": "line 1: each row must be a JSON object, got [1]",
    "score rows.jsonl:hip ref.txt": "rows.jsonl: line 1: unknown column 'hip' (did you",
    "score short.parquet:hyp.text ref.txt": "column 'hyp' is a list; name an entry, as in 'hyp.0.text'",
    "score two.parquet:hip ref.txt": "two.parquet: unknown column 'hip'",
    "score two.parquet:both.fr ref.txt": "(did you mean 'both.en'?); accepted: 'hyp', 'ref', 'both.en'",
    "score rows.jsonl:hyp ref.txt": "prediction 2 holds None",
    "self-bleu rows.jsonl:hyp": "text 2 holds None",
    "mbr lists.jsonl:ref -n 1 -r rows.jsonl:hyp --reference-samples 2": "reference 2 of segment 1 holds None",
    "mbr ref.txt -n 2 --empty-references missing": "--empty-references missing is not accepted here",
    "score none.jsonl ref.txt": "none.jsonl: the table has no columns",
    "score deep.jsonl:a ref.txt": "deep.jsonl: line 1: not JSON",
    "score folder.parquet:a ref.txt": "folder.parquet: Is a directory",
    "score hyp.txt:a ref.txt": "hyp.txt: only tables (.jsonl, .ndjson, .json, .csv, .tsv, .parquet, .pq)",
    "score x.csv ref.txt": "x.csv: say which column to read, as in FILE:a; the columns are a, b",
    "score x.csv:c ref.txt": "x.csv: line 1: unknown column 'c'",
    "score x.csv:a ref.txt": "is empty; it must have one segment per row",
    "score x;.csv ref.txt": "as in FILE:a; the columns are a, b",
    "score quoted.tsv:a ref.txt": "quoted.tsv: line 1: unknown column 'a'; accepted: '\"a\"'",
    "score quoted.tsv:0 ref.txt": "quoted.tsv: line 1 has 2 cells, so there is no column 0",
    "score pandas.json:a ref.txt": 'if pandas wrote it, save it with df.to_json(orient="records")',
    "score lists.json ref.txt": "(a, b) are: for a column, type FILE:a; if they are ids of texts, type --id id",
    "score fields.jsonl:a ref.txt": "fields.jsonl: line 1: column 'a' has fields; name one of them, as in a.b",
    "score fields.jsonl:c.d ref.txt": "c is a list; type c.0.d for its first entry, or c.*.d for all",
    "score more.jsonl:a rows.jsonl:ref --id id": "more.jsonl: row 1 has no id: its id is null",
    "score splits:hyp ref.txt": "this folder has the splits train, test; type splits/train:COLUMN",
    "score short.csv:a ref.txt": "the row that ends on line 3 has 1 cell, but",
    "score open.csv:a ref.txt": "open.csv: line 2: not CSV: unexpected end of data",
    "score twice.csv:a ref.txt": "twice.csv: line 1: 2 columns are called 'a'",
    "score x.tsv:a ref.txt": "on line 2 has 3 cells, but the first row has 2; if cells have separators or line",
    "score bad.json ref.txt": "bad.json: not JSON: ",
    "score texts.json:a ref.txt": "texts.json: entry 1: each row must be a JSON object, got 'a'",
    "score mixed.json:a ref.txt": "mixed.json: entry 2: each row must be a JSON",
    "score pretty.json ref.txt": "pretty.json has 1 segment, but",
    "score long.jsonl:a long.jsonl:b": "reference 50000 holds",
    "score hyp.txt ref.txt two.parquet:ref": "reference 1 holds 1 (int) where strings are expected",
    "report hyp.txt -r ref.txt -o newname/": "newname/: This path names a folder; pass the path of a file",
    "report hyp.txt -r ref.txt -o no/x.html": "no: This folder does not exist; create it first",
    "score hyp.txt ref.txt -g short.txt": "hyp.txt has 4 segments, but short.txt has 3: line n of each file must belong to segment n\n",
    "report hyp.txt -r ref.txt -o protected.html": "protected.html: This file is write-protected",
    "mbr ref.txt --samples 3": "the number of lines, 4, is not a multiple of --samples 3",
}
WRONG = {
    "score texts.json texts.json": "the same input is given twice: texts.json, texts.json; to read a column of a table, type",
    "score hyp.txt": "the references are missing; type HYP REF, or --test-set and --language-pair. For predictions",
    "compare hyp.txt ref.txt": "the references are missing; type -r before the references, as in -r ref.txt, or",
    "find hyp.txt ref.txt": "the number must be a score from 0 to 100 with a decimal point",
    "find 33.97 hyp.txt": "type: bleu-metric find NUMBER HYP REF",
    "compare hyp.txt ref.txt -r ref.txt --fail-under 3": "(did you mean --fail-if-worse?)",
    "mbr ref.txt": "pass --samples N, the number of texts per segment",
    "score hyp.txt ref.txt -d nlkt": "unknown dialect 'nlkt' (did you mean 'nltk'?)",
    "score hyp.txt ref.txt --smoothing x": "unknown smoothing 'x'; accepted: 'none'",
    "score hyp.txt ref.txt --weights a": "'a' is not a list of numbers; type e.g. 0.25",
    "score hyp.txt ref.txt --smoothing-value 1": "takes no --smoothing-value, got 1.0",
    "hyp.txt ref.txt": "type a command before the files: bleu-metric score hyp.txt ref.txt",
    "scor": "unknown command 'scor' (did you mean 'score'?)",
    "dialects hyp.txt": "the references are missing",
    "compare A=hyp.txt A=ref.txt -r ref.txt": "two systems are called A",
    "compare -r ref.txt hyp.txt": "so none is left for the systems; give the",
    "score hyp.txt ref.txt -f tsv -s --confidence 0.9": "one table",
    "score hyp.txt ref.txt --max-order 100000000": "is not in the range 1<=x<=1000",
    "dialects --smoothing-value 1": "these options cannot be used in every dialect: --smoothing exp takes no",
    "score hyp.txt ref.txt --plot x.jpg": "got 'x.jpg': try x.png",
    "score hyp.txt ref.txt --resamples 9": "--resamples does nothing without --confidence",
    "compare hyp.txt -r ref.txt --confidence .9": "--confidence does nothing without a test",
    "compare line.txt one.txt -r line.txt --p-values sacrebleu": "nothing without a test, which needs several systems",
    "compare hyp.txt ref2.txt -r ref.txt --trials 9": "--trials does nothing without --test approximate-randomization",
    "compare hyp.txt -r ref.txt -t bootstrap": "a test compares systems",
    "score hyp.txt ref.txt --confidence 95": "--confidence must be above 0 and below 1, got 95.0; for 95 %, pass --confidence 0.95",
    "score hyp.txt ref.txt --confidence 0.9 --resamples 9999999999": "--resamples must be at most 1000000000",
    "report hyp.txt -r ref.txt -o -": "the output must be a file, e.g. report.html",
    "explain hyp.txt ref.txt nltk sacrebleu": "unknown dialect 'hyp.txt'; accepted: 'sacrebleu', 'papineni'",
    "score hyp.txt ref.txt --smooth-method": "no such option --smooth-method (did you mean --smoothi",
    "score hyp.txt ref.txt -lc": "no such option -lc (did you mean --lowercase?)",
    "score hyp.txt ref.txt -l en-zh": "no such option -l (did you mean --language-pair of a test set, or --target",
    "score hyp.txt ref.txt -ci": "no such option -ci (did you mean --confidence 0.95?)",
    "score hyp.txt ref.txt -w 2": "no such option -w (did you mean --digits?)",
    "score hyp.txt ref.txt --lowercase": "requires an argument: no, yes, after, ascii",
    "dialects hyp.txt ref.txt --target-language @group": "only score and compare accept @group; type the language, e.g.",
    "score hyp.txt ref.txt --fail-under high": "'high' is not a valid number",
    "score hyp.txt ref.txt -tok": "no such option -tok (did you mean --tokenizer?)",
    "score hyp.txt ref.txt --dialekt x": "--dialect",
    "score hyp.txt -r ref.txt": "bleu-metric score hyp.txt ref.txt",
    "help": "bleu-metric --help",
    "score hyp.txt ref.txt --confidence": "bleu-metric score --help",
}
BAD = {**dict.fromkeys(UNREADABLE, 1), **dict.fromkeys(WRONG, 2)}


@pytest.fixture
def bad_files(files: Path) -> Path:
    for name, content in FILES.items():
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    Path("protected.html").touch(0o444)
    Path("folder.parquet").mkdir()
    Path("splits").mkdir()
    Path("splits", "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    pq.write_table(pa.table({"hyp": [["a"], []]}), "short.parquet")
    pq.write_table(pa.table({"hyp": HYP, "ref": [1, 2, 3, 4], "both": [{"en": "a"}] * 4}), "two.parquet")
    return files


@pytest.mark.parametrize("command", BAD, ids=lambda command: command[:70])
@pytest.mark.usefixtures("bad_files")
def test_bad_input(command: str, bleu: CommandLine) -> None:
    error = bleu(command, status=BAD[command])
    assert {**UNREADABLE, **WRONG}[command] in error
    assert error.startswith("bleu-metric: ")
    lines = [line for line in error.splitlines() if "BLEU is 0.00" not in line]
    assert len(lines) == 1
    assert len(lines[0]) < 320


def test_a_command_alone(bleu: CommandLine) -> None:
    assert bleu("", status=2).startswith("Usage: bleu-metric [OPTIONS] COMMAND")


def test_python_names_its_arguments_after_a_command(bleu: CommandLine) -> None:
    bleu("score hyp.txt ref.txt --confidence 95", status=2)
    with pytest.raises(
        ValueError, match=r"^confidence must be above 0 and below 1, got 95; for 95 %, pass confidence=0"
    ):
        bootstrap(corpus_statistics(HYP, HYP), confidence=95)
