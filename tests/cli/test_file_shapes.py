"""Files as people keep them: columns without names, several references in a line or in blocks, rows joined by an id."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import CommandLine, write_lines

from bleu_metric import corpus_bleu

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


def test_a_number_may_be_the_name_of_a_column(bleu: CommandLine) -> None:
    write_lines("data.tsv", ["2\t1", *[f"{hyp}\t{refs[0]}" for hyp, refs in zip(HYP, REFS, strict=True)]])
    assert bleu.json("score data.tsv:2 data.tsv:1")["bleu"] == corpus_bleu(HYP, [refs[0] for refs in REFS]).bleu


def test_references_separated_by_tabs(bleu: CommandLine) -> None:
    write_lines("refs", ["\t".join(refs) for refs in REFS])
    assert bleu.json("score hyp.txt refs --num-refs 2")["bleu"] == EXPECTED
    write_lines("copy", HYP)
    assert bleu.json("compare hyp.txt copy -r refs --num-refs 2 -t none")["rows"][0]["bleu"] == EXPECTED
    write_lines("more", ["one more\tand another"] * 3)
    expected = corpus_bleu(HYP, [[*refs, "one more", "and another"] for refs in REFS]).bleu
    assert bleu.json("score hyp.txt refs more --num-refs 2")["bleu"] == expected


@pytest.mark.parametrize("end", [[], [""]])
def test_references_in_blocks(end: list[str], bleu: CommandLine) -> None:
    refs = [*REFS[:2], ["it rains"]]
    write_lines("refs", [*refs[0], "", *refs[1], "", *refs[2], *end])
    assert bleu.json("score hyp.txt refs --num-refs blocks")["bleu"] == corpus_bleu(HYP, refs).bleu


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


def test_texts_of_a_table_are_split(bleu: CommandLine) -> None:
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


def test_rows_of_tokens_joined_by_an_id(bleu: CommandLine) -> None:
    tokens = [[ref.split() for ref in refs] for refs in REFS]
    rows = [{"id": n, "mt": HYP[n].split(), "ref": tokens[n][0], "refs": tokens[n]} for n in (2, 0, 1)]
    write_lines("all.jsonl", map(json.dumps, rows))
    for column in ("ref", "refs"):
        line = f"score all.jsonl:mt all.jsonl:{column}"
        assert bleu.json(f"{line} --id id")["bleu"] == bleu.json(line)["bleu"]
