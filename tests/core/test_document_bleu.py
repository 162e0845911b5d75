"""Document BLEU: the segments of a document are joined, then everything is as for segments."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command_line import CommandLine

import bleu_metric
from bleu_metric import (
    BleuConfig,
    BleuStatistics,
    bootstrap,
    corpus_bleu,
    corpus_statistics,
    score_dialects,
    sentence_bleu,
)

PREDICTIONS = ["the cat sat on the mat .", "a dog ran", "it rained all day long", "we ran home"]
REFERENCES = [
    ["the cat sat on a mat .", "a cat sat there ."],
    ["a dog ran away", "the dog ran"],
    ["it rained all day", "rain fell all day long"],
    ["we went home", "we ran to the house"],
]
DOCUMENTS = ["b", "a", "b", "a"]
JOINED = [f"{PREDICTIONS[0]} {PREDICTIONS[2]}", f"{PREDICTIONS[1]} {PREDICTIONS[3]}"]
JOINED_REFERENCES = [
    [f"{REFERENCES[first][k]} {REFERENCES[second][k]}" for k in range(2)] for first, second in ((0, 2), (1, 3))
]


def as_kind(kind: str, texts: Any) -> Any:
    if isinstance(texts, list):
        return [as_kind(kind, text) for text in texts]
    tokens = texts.split()
    return {"text": texts, "tokens": tokens, "ids": [len(token) for token in tokens]}[kind]


@pytest.mark.parametrize("kind", ["text", "tokens", "ids"])
@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "ignite"])
def test_it_is_the_score_of_the_joined_segments(kind: str, dialect: Any) -> None:
    predictions, references = as_kind(kind, PREDICTIONS), as_kind(kind, REFERENCES)
    expected = corpus_bleu(as_kind(kind, JOINED), as_kind(kind, JOINED_REFERENCES), dialect)
    labels: Any
    for labels in (DOCUMENTS, [2, 1, 2, 1], np.array(DOCUMENTS), pa.array(DOCUMENTS)):
        score = corpus_bleu(predictions, pa.array(references), dialect, documents=labels)
        assert {*score.signature.split("|")} == {*expected.signature.split("|"), "seg:document"}
        assert score.to_dict() == {**expected.to_dict(), "signature": score.signature}
        assert score.sacrebleu_signature is None
    first = as_kind(kind, [own[0] for own in JOINED_REFERENCES])
    alone = corpus_bleu(predictions, [own[0] for own in references], dialect, documents=DOCUMENTS)
    assert alone.bleu == corpus_bleu(as_kind(kind, JOINED), first, dialect).bleu


def test_counts_have_a_row_per_document(tmp_path: Path) -> None:
    """Intervals resample documents. Files keep that the rows are documents."""
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, documents=DOCUMENTS)
    expected = corpus_statistics(JOINED, JOINED_REFERENCES)
    assert statistics.table.tolist() == expected.table.tolist()
    assert bootstrap(statistics, 40).low == bootstrap(expected, 40).low
    statistics.save(tmp_path / "counts.parquet")
    assert BleuStatistics.load(tmp_path / "counts.parquet").score() == statistics.score()
    with pytest.raises(ValueError, match="unit: document != segment"):
        statistics + expected
    with pytest.warns(UserWarning, match=r"1 of 4 predictions is empty; the first is predictions\[3\]"):
        corpus_bleu([*PREDICTIONS[:3], ""], REFERENCES, documents=DOCUMENTS)


def test_the_signature_names_a_document_score() -> None:
    score = corpus_bleu(PREDICTIONS, REFERENCES, documents=DOCUMENTS)
    assert BleuConfig.from_signature(score.signature) == BleuConfig(unit="document")
    assert corpus_bleu(PREDICTIONS, REFERENCES, score.signature, documents=DOCUMENTS) == score
    for function in (corpus_bleu, sentence_bleu, corpus_statistics):
        with pytest.raises(ValueError, match=r"unit='document' .* needs documents: the label of each"):
            function(PREDICTIONS, REFERENCES, score.signature)
    with pytest.raises(ValueError, match="needs documents"):
        score_dialects(PREDICTIONS, REFERENCES, [score.signature])


def test_the_metric_takes_documents() -> None:
    metric = bleu_metric.load()
    expected = corpus_bleu(PREDICTIONS, REFERENCES, documents=DOCUMENTS)
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    result = metric.compute(documents=DOCUMENTS, sentence_scores=True, confidence=0.9, n_resamples=40)
    assert {name: result[name] for name in expected} == expected.to_dict()
    assert result["sentence_bleu"] == sentence_bleu(JOINED, JOINED_REFERENCES).tolist()
    interval = bootstrap(corpus_statistics(JOINED, JOINED_REFERENCES), 40, 0, 0.9)
    assert result["confidence_interval"] == [interval.low, interval.high]
    metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(ValueError, match="documents cannot be scored in groups"):
        metric.compute(documents=DOCUMENTS, groups=DOCUMENTS)
    with pytest.raises(ValueError, match="documents has 3 labels for 5 segments"):
        metric.compute(predictions=["a"], references=[["a", "b"]], documents=DOCUMENTS[:3])
    assert len(metric) == 4, "no row is lost"


MISSING: list[Any] = [*REFERENCES[:2], ["it rained all day", None], REFERENCES[3]]


@pytest.mark.parametrize(
    ("references", "options", "error", "message"),
    [
        (MISSING, {"documents": DOCUMENTS}, ValueError, r"references\[2\] has 1 reference, but the first segment of"),
        (REFERENCES, {"documents": DOCUMENTS[:3]}, ValueError, "documents has 3 labels for 4 segments"),
        (REFERENCES, {"documents": [*"ab", None, "a"]}, TypeError, r"documents\[2\] is None"),
        (REFERENCES, {"documents": "baba"}, TypeError, "documents must be a list, tuple, array or column"),
        ([*REFERENCES[:3], ["a", 5]], {"documents": DOCUMENTS}, TypeError, r"references\[3\] holds 5"),
        (REFERENCES, {"unit": "page"}, ValueError, "unknown unit 'page'"),
    ],
)
def test_wrong_documents(references: Any, options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        corpus_bleu(PREDICTIONS, references, **options)
    with pytest.raises(error, match=message):
        bleu_metric.load().compute(predictions=PREDICTIONS, references=references, **options)


def test_the_command_line_takes_documents(bleu: CommandLine) -> None:
    rows = zip(PREDICTIONS, REFERENCES, DOCUMENTS, strict=True)
    lines = [json.dumps({"mt": text, "one": own[0], "two": own[1], "doc": label}) for text, own, label in rows]
    Path("data.jsonl").write_text("\n".join(lines))
    line = "score data.jsonl:mt data.jsonl:one data.jsonl:two --documents data.jsonl:doc"
    expected = corpus_bleu(PREDICTIONS, REFERENCES, documents=DOCUMENTS)
    found = bleu.json(line)
    assert (found["bleu"], found["signature"]) == (expected.bleu, expected.signature)
    assert found["segments"] == 4
    text = bleu(f"{line} --confidence 0.9 -s")
    assert "2 documents: 4 segments of data.jsonl:mt" in text
    labels = list(dict.fromkeys(DOCUMENTS))
    assert [line.split()[0] for line in text.splitlines()[:3]] == ["document", *labels]
    assert bleu.json(f"{line} -s")["documents"] == [row["document"] for row in bleu.rows(f"{line} -s")] == labels
    if importlib.util.find_spec("sacrebleu"):
        [other] = bleu.json(f"{line} -m chrf")["metrics"].values()
        assert other["signature"].endswith("|seg:document")
    assert "documents cannot be scored in groups" in bleu(f"{line} --groups data.jsonl:doc", status=2)
    assert "needs documents" in bleu(f"score hyp.txt ref.txt -d {expected.signature}", status=1)
