"""Files as people keep them: columns without names, several references in a line or in blocks, rows joined by an id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import CommandLine, write_lines

from bleu_metric import corpus_bleu
from bleu_metric.cli.main import run

HYP = ["a cat sat on the mat", "the dog barks at me", "it rains"]
REFS = [["the cat sat on the mat", "a cat is on the mat"], ["the dog barks at you", "dogs bark"], ["it rains", "rain"]]
EXPECTED = corpus_bleu(HYP, REFS).bleu


@pytest.fixture(autouse=True)
def predictions(files: Path) -> None:
    """The predictions, in a folder of their own."""
    write_lines("hyp.txt", HYP)


@pytest.mark.parametrize(("name", "separator"), [("data.tsv", "\t"), ("data.csv", ";")])
def test_columns_by_number(name: str, separator: str, bleu: CommandLine) -> None:
    write_lines(
        name, [separator.join([str(row), hyp, *refs]) for row, (hyp, refs) in enumerate(zip(HYP, REFS, strict=True))]
    )
    assert bleu.json(f"score {name}:2 {name}:3 {name}:4")["bleu"] == EXPECTED
    assert "line 1 has 4 cells, so there is no column 5" in bleu(f"score {name}:2 {name}:5", status=1)


def test_a_number_may_be_the_name_of_a_column(bleu: CommandLine) -> None:
    write_lines("data.tsv", ["2\t1", *[f"{hyp}\t{refs[0]}" for hyp, refs in zip(HYP, REFS, strict=True)]])
    assert bleu.json("score data.tsv:2 data.tsv:1")["bleu"] == corpus_bleu(HYP, [refs[0] for refs in REFS]).bleu


def test_names_that_are_scored_as_texts(bleu: CommandLine, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines("data.tsv", ["mt\tref", "a cat\ta cat", "a dog\ta dog"])
    assert run(["score", "data.tsv:1", "data.tsv:2"]) == 0
    error = capsys.readouterr().err
    assert "'mt' in line 1 is scored as a text; if line 1 names the columns, type the name: :mt" in error


def test_references_separated_by_tabs(bleu: CommandLine) -> None:
    write_lines("refs", ["\t".join(refs) for refs in REFS])
    assert bleu.json("score hyp.txt refs --num-refs 2")["bleu"] == EXPECTED
    assert bleu.json("compare hyp.txt -r refs --num-refs 2")["rows"][0]["bleu"] == EXPECTED
    assert run(["score", "hyp.txt", "refs"]) == 0
    assert "each line of refs has 1 tab, which does not separate texts; if it should, type --num-refs 2" in (
        bleu.capsys.readouterr().err
    )
    assert "refs: line 1 has 2 references, but --num-refs is 3" in bleu("score hyp.txt refs --num-refs 3", status=1)
    assert "'x' is neither a number above 0 nor blocks" in bleu("score hyp.txt refs --num-refs x", status=2)


def test_references_in_several_files_of_lists(bleu: CommandLine) -> None:
    write_lines("refs", ["\t".join(refs) for refs in REFS])
    write_lines("more", ["one more\tand another"] * 3)
    expected = corpus_bleu(HYP, [[*refs, "one more", "and another"] for refs in REFS]).bleu
    assert bleu.json("score hyp.txt refs more --num-refs 2")["bleu"] == expected


@pytest.mark.parametrize("end", [[], [""]])
def test_references_in_blocks(end: list[str], bleu: CommandLine) -> None:
    refs = [*REFS[:2], ["it rains"]]
    lines = [*refs[0], "", *refs[1], "", *refs[2], *end]
    write_lines("refs", lines)
    assert bleu.json("score hyp.txt refs --num-refs blocks")["bleu"] == corpus_bleu(HYP, refs).bleu
    write_lines("refs", [*refs[0], "", "", *refs[1]])
    assert "refs: line 4 is empty, but there is no reference before it" in bleu(
        "score hyp.txt refs --num-refs blocks", status=1
    )
    write_lines("refs", lines[:-2] if not end else lines[:-3])
    assert "hyp.txt has 3 segments, but refs has 2" in bleu("score hyp.txt refs --num-refs blocks", status=1)


def _write_coco() -> None:
    """Captions as COCO keeps them: the results in another order than the annotations, of which one has no result."""
    results = [{"image_id": number, "caption": HYP[number]} for number in (2, 0, 1)]
    Path("results.json").write_text(json.dumps(results))
    annotations = [
        {"image_id": number, "id": 10 * number + place, "caption": text}
        for place in (0, 1)
        for number, refs in enumerate(REFS)
        for text in [refs[place]]
    ]
    Path("captions.json").write_text(json.dumps({"info": {}, "images": [{"id": 0}], "annotations": annotations}))


COCO = "score results.json:caption captions.json:annotations.caption --id image_id"


def test_ids_without_a_prediction_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    _write_coco()
    captions = json.loads(Path("captions.json").read_text())
    captions["annotations"].append({"image_id": 7, "id": 9, "caption": "alone"})
    Path("captions.json").write_text(json.dumps(captions))
    assert run([*COCO.split(), "-f", "json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["bleu"] == EXPECTED
    assert "1 value of image_id that results.json:caption lacks are left out" in shown.err


MISTAKES: dict[str, tuple[Any, str]] = {
    "twice": ([{"image_id": 1, "caption": "a"}] * 2, "the image_id '1' occurs 2 times"),
    "absent": ([{"image_id": 9, "caption": "a"}], "has no row with the image_id '9' of results.json:caption"),
    "unnamed": ([{"caption": "a"}], "unknown column 'image_id'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_ids(mistake: str, bleu: CommandLine) -> None:
    results, text = MISTAKES[mistake]
    _write_coco()
    Path("results.json").write_text(json.dumps(results))
    assert text in bleu(COCO, status=1)


def test_an_id_needs_tables(bleu: CommandLine) -> None:
    write_lines("ref.txt", HYP)
    assert "--id x joins tables, but hyp.txt is not FILE:COLUMN" in bleu("score hyp.txt ref.txt --id x", status=2)


def test_lists_are_not_split(bleu: CommandLine) -> None:
    write_lines("refs.jsonl", [json.dumps({"refs": refs}) for refs in REFS])
    assert "--num-refs splits texts" in bleu("score hyp.txt refs.jsonl:refs --num-refs 2", status=1)
    write_lines("refs.jsonl", [json.dumps({"refs": "\t".join(refs)}) for refs in REFS])
    assert bleu.json("score hyp.txt refs.jsonl:refs --num-refs 2")["bleu"] == EXPECTED


def test_rows_joined_by_an_id_in_every_layout(bleu: CommandLine) -> None:
    """References in a list, ids above the texts, texts by id, and ids that are numbers in one file and cells in another."""
    order = [2, 0, 1]
    write_lines("list.jsonl", [json.dumps({"image_id": number, "refs": REFS[number]}) for number in order])
    rows = [{"image_id": number, "gold": {"en": {"text": REFS[number]}}} for number in order]
    write_lines("nested.jsonl", map(json.dumps, rows))
    pq.write_table(pa.Table.from_pylist(rows), "nested.parquet")
    Path("by_id.json").write_text(json.dumps({str(number): REFS[number] for number in order}))
    Path("hyp_by_id.json").write_text(json.dumps({number: [text] for number, text in enumerate(HYP)}))
    write_lines("hyp.csv", ["image_id,caption", *[f"{number},{text}" for number, text in enumerate(HYP)]])
    write_lines("hyp.jsonl", [json.dumps({"image_id": str(n), "out": {"text": text}}) for n, text in enumerate(HYP)])
    _write_coco()
    for hyp in ("hyp.csv:caption", "hyp.jsonl:out.text", "hyp_by_id.json", "results.json:caption"):
        references = ["list.jsonl:refs", "nested.jsonl:gold.en.text", "nested.parquet:gold.en.text", "by_id.json"]
        for ref in [*references, "captions.json:annotations.caption"]:
            assert bleu.json(f"score {hyp} {ref} --id image_id")["bleu"] == EXPECTED, (hyp, ref)
    assert "cannot be combined with --num-refs" in bleu(f"{COCO} --num-refs 2", status=2)


def test_rows_of_tokens_joined_by_an_id(bleu: CommandLine) -> None:
    tokens = [[ref.split() for ref in refs] for refs in REFS]
    rows = [{"id": n, "mt": HYP[n].split(), "ref": tokens[n][0], "refs": tokens[n]} for n in (2, 0, 1)]
    write_lines("all.jsonl", map(json.dumps, rows))
    for column in ("ref", "refs"):
        line = f"score all.jsonl:mt all.jsonl:{column}"
        assert bleu.json(f"{line} --id id")["bleu"] == bleu.json(line)["bleu"]
