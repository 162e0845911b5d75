"""Statistics of others, forged or damaged: rejected, or they score like a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from corpora import LETTERS as PREDICTIONS
from corpora import LETTERS_REFERENCES as REFERENCES
from inner_doors import reseal

from bleu_metric import BleuConfig, BleuStatistics, corpus_statistics, score

WAYS: list[dict[str, Any]] = [{"reference_length": "average"}, {"dialect": "nltk", "smoothing": "method7"}]


def forged(rows: int) -> Iterator[pa.Array]:
    """Columns that are not counts, or counts that no text has."""
    for value in (-1, 0, 7, 2**31, 2**56 - 1, 2**63 - 1):
        yield pa.array([value] * rows)
    for kind in (pa.int8(), pa.int32(), pa.uint64(), pa.bool_(), pa.float64(), pa.decimal128(20), pa.string()):
        yield pa.array([1] * rows).cast(kind)
    yield from (pa.array([value] * rows) for value in (float("nan"), float("inf"), [1], {"a": 1}, b"1"))
    yield from (pa.nulls(rows), pa.array([None] * rows, pa.int64()), pa.array([1] * rows).dictionary_encode())
    yield pa.array([1] * rows).cast(pa.timestamp("s"))
    yield pa.ExtensionArray.from_storage(pa.opaque(pa.int64(), "count", "somebody"), pa.array([1] * rows))


def sound(statistics: BleuStatistics) -> None:
    """What was let in scores like a corpus, alone and added up."""
    for one in (statistics, statistics + statistics, sum([statistics] * 50)):
        result = score(one)
        assert 0 <= np.min(result.bleu) <= np.max(result.bleu) <= 1
        assert min(result.counts + result.totals) >= 0
        assert result.translation_length >= 0
        assert result.reference_length >= 0
        if one.config.smoothing != "method7":  # which adds one to the first
            assert all(0 <= share <= 1 for share in result.precisions)


@pytest.mark.heavy
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("total", [False, True])
def test_forged_columns(way: dict[str, Any], total: bool, tmp_path: Path) -> None:
    path = tmp_path / "forged.parquet"
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, **way)
    if total and statistics.config.average == "corpus":
        statistics = statistics.sum()
    table = statistics.to_table()
    rejected = let_in = 0
    for place, name in enumerate(table.column_names):
        for column in forged(len(table)):
            parquet.write_table(reseal(table.set_column(place, name, column)), path)
            try:
                sound(BleuStatistics.load(path))
                let_in += 1
            except ValueError as error:
                assert str(path) in str(error)  # noqa: PT017
                rejected += 1
        for changed in (table.drop_columns([name]), table.append_column(f"{name}_", table[name])):
            parquet.write_table(reseal(changed), path)
            with pytest.raises(ValueError, match=r"forged.parquet: the columns must be int64"):
                BleuStatistics.load(path)
    assert rejected > 5 * let_in > 0  # some other reference length, or fewer matches, may well be


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"nrefs": "0-5"}, "'0-5' must be the fewest and"),
        *(({"nrefs": nrefs}, f"'{nrefs}' must be the") for nrefs in ("5-1", "²-3", "-1-2", "1")),
        ({"sum": "True"}, "n-grams do not match|a sum has one row"),
        ({"signature": ""}, "its metadata has no signature"),
        ({"signature": BleuConfig().signature().replace("order:4", "order:" + "9" * 5000)}, "is not a number"),
        ({"signature": BleuConfig().signature().replace("order:4", "order:900000000")}, "order|columns"),
    ],
)
def test_forged_facts(facts: dict[str, str], why: str, tmp_path: Path) -> None:
    path = tmp_path / "forged.parquet"
    parquet.write_table(reseal(corpus_statistics(PREDICTIONS, REFERENCES).to_table(), **facts), path)
    with pytest.raises(ValueError, match=f"forged.parquet: (?s:.*)({why})"):
        BleuStatistics.load(path)


def test_sums_that_leave_64_bits() -> None:
    rows = corpus_statistics(["a"] * 3000, ["a"] * 3000, reference_length="average").to_table()
    many = reseal(rows.set_column(rows.num_columns - 1, "reference_length", pa.array([2**31 * 720719] * 3000)))
    with pytest.raises(ValueError, match=r"the counts of a column add up to more than any corpus has"):
        BleuStatistics.from_table(many)


def test_forged_sum_of_means(tmp_path: Path) -> None:
    path = tmp_path / "forged.parquet"
    by_mean = BleuConfig(average="sentence").signature()
    parquet.write_table(reseal(corpus_statistics(["a"], ["a"]).sum().to_table(), signature=by_mean), path)
    with pytest.raises(ValueError, match=r"forged.parquet: .*needs one row of counts per segment"):
        BleuStatistics.load(path)
