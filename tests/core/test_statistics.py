"""Counts add up to the same score however they were split; tables are checked when read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from bleu_metric import BleuConfig, BleuStatistics, corpus_bleu, corpus_statistics, length_groups, score_groups
from bleu_metric._score import score, score_sentences

PREDICTIONS = ["a b c d e", "a b", "", "a b c d f", "x"]
REFERENCES = [["a b c d e", "a"], ["a b c"], ["a"], ["a b c d e f"], ["x", "y y"]]


@pytest.mark.parametrize("options", [{}, {"dialect": "nltk", "smoothing": "method7"}, {"reference_length": "average"}])
def test_parts_add_up(options: dict[str, str]) -> None:
    whole = corpus_statistics(PREDICTIONS, REFERENCES, **options)
    parts = [corpus_statistics(PREDICTIONS[i : i + 2], REFERENCES[i : i + 2], **options) for i in (0, 2, 4)]
    added = parts[0] + parts[1] + parts[2]
    assert added.table.tolist() == whole.table.tolist()
    totals = sum(part.total() for part in parts)
    assert totals.table.tolist() == whole.total().table.tolist()
    mixed = parts[0] + parts[1].total() + parts[2]
    expected = corpus_bleu(PREDICTIONS, REFERENCES, **options)
    assert score(whole) == score(added) == score(totals) == score(mixed) == expected


def test_slices() -> None:
    whole = corpus_statistics(PREDICTIONS, REFERENCES)
    assert len(whole) == 5
    assert score(whole[1:4]).counts == corpus_bleu(PREDICTIONS[1:4], REFERENCES[1:4]).counts
    with pytest.raises(TypeError, match=r"pick segments with a slice or an array, e.g. statistics\[2:3\]"):
        whole[2]  # type: ignore[index]
    with pytest.raises(ValueError, match=r"cannot pick segments: these statistics are a total; keep the rows"):
        whole.total()[:1]
    with pytest.raises(ValueError, match=r"cannot score sentences: these statistics are a total; keep the rows"):
        score_sentences(whole.total())


def test_different_ways_of_counting_do_not_add_up() -> None:
    left, right = corpus_statistics(["a"], ["a"]), corpus_statistics(["a"], ["a"], lowercase=True)
    with pytest.raises(ValueError, match=r"do not add up: lowercase: False != True; count both with the same opt"):
        left + right
    with pytest.raises(TypeError):
        left + 1  # type: ignore[operator]


def test_mean_of_sentences_has_no_total() -> None:
    with pytest.raises(ValueError, match=r"average='sentence' is the mean of sentence scores"):
        corpus_statistics(["a"], ["a"], average="sentence").total()


@pytest.mark.parametrize("total", [False, True])
@pytest.mark.parametrize("dialect", ["default", "nltk"])
def test_arrow_round_trip(dialect: str, total: bool) -> None:
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, dialect, smoothing="method5")
    statistics = statistics.total() if total else statistics
    read = BleuStatistics.from_table(statistics.to_table())
    assert read.table.tolist() == statistics.table.tolist()
    assert (read.config, read.nrefs, read.is_total) == (statistics.config, statistics.nrefs, total)
    assert score(read) == score(statistics)
    assert score(read).signature.startswith("nrefs:var|")


def test_foreign_tables() -> None:
    table = corpus_statistics(PREDICTIONS, REFERENCES).to_table()
    with pytest.raises(ValueError, match=r"does not hold BLEU statistics: its metadata has no signature"):
        BleuStatistics.from_table(table.replace_schema_metadata(None))
    with pytest.raises(ValueError, match=r"the columns must be int64 \['matches_1'"):
        BleuStatistics.from_table(table.drop_columns(["matches_1"]))
    for kind in (pa.float64(), pa.int32(), pa.string()):
        with pytest.raises(ValueError, match=r"the columns must be int64 \['matches_1'"):
            BleuStatistics.from_table(table.set_column(0, "matches_1", table["matches_1"].cast(kind)), BleuConfig())
    nulls = table.set_column(0, "matches_1", pa.array([None] * 5, pa.int64()))
    with pytest.raises(ValueError, match=r"BLEU statistics have no nulls"):
        BleuStatistics.from_table(nulls)


def test_totals_put_together_are_no_total() -> None:
    total = corpus_statistics(PREDICTIONS, REFERENCES).total()
    table = pa.concat_tables([total.to_table(), total.to_table()])
    with pytest.raises(ValueError, match=r"a total has one row, this table has 2: add totals up with \+"):
        BleuStatistics.from_table(table, total.config)


@pytest.mark.parametrize("nrefs", ["5-2", "0-3", "-1-2", "x", "²-³", "1"])
def test_numbers_of_references_that_cannot_be(nrefs: str) -> None:
    statistics = corpus_statistics(PREDICTIONS, REFERENCES)
    table = statistics.to_table()
    changed = table.replace_schema_metadata({**table.schema.metadata, b"bleu_metric.nrefs": nrefs.encode()})
    with pytest.raises(ValueError, match=r"the metadata of this table says '.*' to '.*' references"):
        BleuStatistics.from_table(changed, statistics.config)


def test_average_reference_length_is_in_tokens() -> None:
    score_ = corpus_bleu(["a b c"], [["a", "a b", "a b"]], reference_length="average")
    assert score_.reference_length == pytest.approx(5 / 3, rel=1e-15)
    assert score_.length_ratio == pytest.approx(9 / 5, rel=1e-15)


def test_average_of_16_references_is_exact() -> None:
    assert corpus_bleu(["a"], [["a"] * 15 + ["a a"]], reference_length="average").reference_length == 17 / 16


@pytest.mark.parametrize(
    ("rule", "length"),
    [
        ("closest", 3),
        ("closest-first", 5),
        ("shortest", 1),
        ("longest", 9),
        ("average", 4.5),
        ("closest-below-9999", 3),
    ],
)
def test_reference_lengths(rule: str, length: float) -> None:
    refs = ["a a a a a", "a a a", "a", "a " * 9]
    assert corpus_bleu(["b b b b"], [refs], reference_length=rule).reference_length == length


def test_moses_limit() -> None:
    far = corpus_bleu(["a"], ["a " * 12_000], reference_length="closest-below-9999")
    assert far.reference_length == corpus_bleu(["a"], ["a " * 12_000], "multi-bleu").reference_length == 9999
    assert corpus_bleu(["a"], ["a " * 12_000]).reference_length == 12_000


@pytest.mark.parametrize("function", [score, lambda texts: score_groups(texts, ["a"]), length_groups])
def test_texts_in_place_of_counts(function: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match=r"statistics must be BleuStatistics, got list; count the texts first"):
        function(["a b"])
