"""Whole datasets: in memory, memory-mapped, sliced, shuffled, nested, split and streamed give the score of lists."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pyarrow as pa
import pytest
from corpora import corpus_of_words, long_corpus
from inner_doors import show_progress_at_once, statistics_of_blocks

from bleu_metric import corpus_bleu, corpus_statistics, evaluate_dataset, score, score_groups

MILLION = """
import resource, sys
import datasets, bleu_metric
from bleu_metric import evaluate_dataset
datasets.disable_progress_bars()
data = datasets.Dataset.from_file(sys.argv[1])
evaluate_dataset(data.select(range(1000)), "text.hyp", "text.ref")  # imports and tables
idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
data = data.to_iterable_dataset() if sys.argv[2] == "stream" else data
print(evaluate_dataset(data, "text.hyp", "text.ref").bleu)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - idle)
"""


PREDICTIONS, REFERENCES = long_corpus(200)
FIRST = [refs[0] for refs in REFERENCES]
DATA = datasets.Dataset.from_dict({"predictions": PREDICTIONS, "references": REFERENCES, "first": FIRST})
EXPECTED = corpus_bleu(PREDICTIONS, REFERENCES)


@pytest.mark.parametrize("batch_size", [7, 10**9])
def test_forms_of_a_data_set(batch_size: int, tmp_path: Path) -> None:
    DATA.save_to_disk(str(tmp_path / "saved"))
    forms = {
        "in memory": DATA,
        "memory-mapped": datasets.load_from_disk(str(tmp_path / "saved")),
        "arrow": DATA.with_format("arrow"),
        "numpy": DATA.with_format("numpy"),
        "streamed": DATA.to_iterable_dataset(num_shards=3),
        "shuffled": DATA.shuffle(seed=1),
    }
    for name, data in forms.items():
        assert evaluate_dataset(data, batch_size=batch_size) == EXPECTED, name
    orders = {f"bleu_{n}": corpus_bleu(PREDICTIONS, REFERENCES, max_order=n).bleu for n in (1, 2, 3, 4)}
    assert evaluate_dataset(DATA, batch_size=batch_size, all_orders=True) == {**EXPECTED, **orders}
    rows = [{"en": text, "de": refs} for text, refs in zip(PREDICTIONS, REFERENCES, strict=True)]
    fields = datasets.Dataset.from_dict({"translation": rows, "deep": [{"a": row} for row in rows]})
    assert evaluate_dataset(fields, "translation.en", "translation.de", batch_size=batch_size) == EXPECTED
    assert evaluate_dataset(fields, "deep.a.en", "translation.de", batch_size=batch_size) == EXPECTED


def assert_same_groups(found: Any, expected: Any) -> None:
    """A few sentences are scored by Python's logarithm and many by NumPy's, whose last bits may differ."""
    assert list(found) == list(expected)
    for label, group in expected.items():
        assert found[label].to_dict() == group.to_dict() | {"bleu": pytest.approx(group.bleu, rel=1e-14)}


@pytest.mark.parametrize("options", [{}, {"average": "sentence"}, {"smoothing": "method5"}], ids=repr)
def test_groups_of_a_column(options: dict[str, Any]) -> None:
    """Streamed or not, the groups score as those of lists."""
    rng = np.random.default_rng(5)
    for labels in (rng.integers(4, size=40).tolist(), rng.choice(["news", "chat"], 40).tolist()):
        rows = DATA.select(range(40)).add_column("label", labels)
        expected = score_groups(corpus_statistics(PREDICTIONS[:40], REFERENCES[:40], **options), labels)
        for dataset, batch_size in itertools.product((rows, rows.to_iterable_dataset()), (3, 1000)):
            assert_same_groups(evaluate_dataset(dataset, batch_size=batch_size, groups="label", **options), expected)
        of_splits = evaluate_dataset({"a": rows}, groups="label", **options)
        with_orders = evaluate_dataset({"a": rows}, groups="label", all_orders=True, **options)["a"]
        assert {label: group["bleu_4"] for label, group in with_orders.items()} == pytest.approx(
            {label: group.bleu for label, group in expected.items()}, rel=1e-14
        )
        assert list(of_splits) == ["a"]
        assert_same_groups(of_splits["a"], expected)
    with pytest.raises(ValueError, match="lable"):
        evaluate_dataset(rows, groups="lable")
    with pytest.raises(TypeError, match="column names must be strings"):
        evaluate_dataset(rows, groups=labels)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has no rows"):
        evaluate_dataset(rows.select([]), groups="label")


def test_streams_with_missing_values() -> None:
    """`datasets` cannot make Arrow tables of rows in which a column begins with a missing value."""
    rows = [{"mt": "a b c d", "en": "a b c e", "other": other, "note": other} for other in (None, "a b c d", None)]
    stream = datasets.IterableDataset.from_generator(lambda: iter(rows)).map(lambda row: {"low": row["mt"].lower()})
    expected = corpus_bleu([row["mt"] for row in rows], [[row["en"], row["other"]] for row in rows]).bleu
    for one in (stream, stream.filter(lambda row: row["mt"]), stream.shuffle(buffer_size=2)):
        assert evaluate_dataset(one, "low", ["en", "other"]).bleu == expected
    with pytest.raises(ValueError, match=r"unknown column 'lo' \(did you mean 'low'\?\); accepted:.*'note'"):
        evaluate_dataset(stream, "lo", "en")


def test_errors() -> None:
    with pytest.raises(ValueError, match=r"unknown column 'prediction' \(did you mean 'predictions'\?\); accepted:"):
        evaluate_dataset(DATA, "prediction")
    nested = datasets.Dataset.from_dict({"mt": ["a"], "translation": [{"en": "a", "de": "b"}]})
    with pytest.raises(ValueError, match=r"'translation' has fields; name one of them, as in 'translation\.(en|de)'"):
        evaluate_dataset(nested, "mt", "translation")
    with pytest.raises(ValueError, match=r"references is an empty list; name one column or more"):
        evaluate_dataset(DATA, references=[])
    with pytest.raises(ValueError, match=r"the dataset has no rows to score"):
        evaluate_dataset(DATA.select([]))
    with pytest.raises(TypeError, match=r"dataset must be a Dataset, an IterableDataset or a dict of them, got list"):
        evaluate_dataset([1])
    missing = datasets.Dataset.from_dict({"predictions": ["a"] * 90 + [None], "references": ["a"] * 91})
    with pytest.raises(TypeError, match=r"predictions\[90\] holds None"):
        evaluate_dataset(missing, batch_size=40)


def test_progress_bar_can_be_switched_off(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    show_progress_at_once(monkeypatch)
    evaluate_dataset(DATA, batch_size=10)
    assert "BLEU" in capsys.readouterr().err
    datasets.disable_progress_bars()
    try:
        evaluate_dataset(DATA, batch_size=10)
        assert capsys.readouterr().err == ""
    finally:
        datasets.enable_progress_bars()


@pytest.mark.heavy
def test_a_million_rows_in_little_memory(tmp_path: Path) -> None:
    """The file has a thousand different pairs of short texts, a thousand times."""
    predictions, references = corpus_of_words(1000, seed=4)
    first = [of_one[0] for of_one in references]
    rows = [{"hyp": hyp, "ref": ref} for hyp, ref in zip(predictions, first, strict=True)]
    table = pa.table({"text": rows})
    with pa.ipc.new_stream(str(tmp_path / "data.arrow"), table.schema) as writer:
        for _ in range(1000):
            writer.write_table(table)
    expected = corpus_bleu(predictions * 1000, first * 1000).bleu
    for form in ("map", "stream"):
        command = [sys.executable, "-c", MILLION, str(tmp_path / "data.arrow"), form]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        assert float(printed[0]) == expected
        assert int(printed[1]) < 400_000, form  # kilobytes above the idle process


def test_datasets_with_a_transform() -> None:
    data = datasets.Dataset.from_dict({"p": ["A B C D"], "t": [{"en": "a b c d"}]})
    lower = data.with_transform(
        lambda rows: {key: [str(value).lower() for value in values] for key, values in rows.items()}
    )
    assert corpus_bleu(lower["p"], ["a b c d"]).bleu == 1.0
    with pytest.raises(ValueError, match=r"the dataset has a transform"):
        evaluate_dataset(lower, "p", "p")
    with pytest.raises(ValueError, match=r"batch_size must be at least 1, got 0"):
        evaluate_dataset(data, "p", "t.en", batch_size=0)


def test_reference_columns_that_are_alike() -> None:
    """None alone has no type, and pandas 3 makes large strings."""
    data = datasets.Dataset.from_dict({"mt": ["a b c d"] * 3, "a": ["a b c d"] * 3, "b": [None] * 3})
    assert evaluate_dataset(data, "mt", ["a", "b"]).bleu == 1.0
    assert evaluate_dataset(data, "mt", ["b", "a"]).bleu == 1.0
    large = pa.table({"mt": ["a b"], "a": pa.array(["a b"], pa.large_string()), "b": ["c d"]})
    assert evaluate_dataset(datasets.Dataset(large), "mt", ["a", "b"], max_order=2).bleu == 1.0
    view = pa.table({"mt": ["a b"], "a": pa.array(["a b"], pa.string_view()), "b": pa.array(["c d"], pa.string_view())})
    assert score(statistics_of_blocks([view], "mt", ["a", "b"], max_order=2)).bleu == 1.0
    with pytest.raises(TypeError, match=r"references\[0\] holds 1 \(int\) where strings are expected"):
        evaluate_dataset(data.add_column("n", [1, 2, 3]), "mt", ["a", "n"])
