"""Statistics are sliced and added up, and tables are checked when they are read."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from corpora import LETTERS as PREDICTIONS
from corpora import LETTERS_REFERENCES as REFERENCES
from inner_doors import describe_differences, score_sentences

from bleu_metric import BleuConfig, BleuStatistics, corpus_bleu, corpus_statistics, score


def test_slices() -> None:
    whole = corpus_statistics(PREDICTIONS, REFERENCES)
    assert len(whole) == 5
    assert (BleuStatistics(whole.table, whole.config, (1, 2)) + whole).nrefs == whole.nrefs
    assert score(whole[1:4]).counts == corpus_bleu(PREDICTIONS[1:4], REFERENCES[1:4]).counts
    with pytest.raises(TypeError, match=r"pick segments with a slice or an array, e.g. statistics\[:10\]"):
        whole[2]  # type: ignore[index]
    with pytest.raises(ValueError, match=r"cannot pick segments: these statistics are a sum; use them before"):
        whole.sum()[:1]
    with pytest.raises(ValueError, match=r"cannot score sentences: these statistics are a sum; use them before"):
        score_sentences(whole.sum())


def test_differing_choices_are_named_and_no_others() -> None:
    one = corpus_statistics(["a"], ["a"])
    with pytest.raises(TypeError):
        one + 1  # type: ignore[operator]
    with pytest.raises(ValueError, match=r"cannot be added: lowercase: False != True, smoothing: exp != none; count"):
        sum([one, corpus_statistics(["a"], ["a"], lowercase=True, smoothing="none")])
    twins = [BleuConfig(tokenizer=lambda text: text.split()) for _ in range(2)]
    assert describe_differences(*twins).endswith("<lambda> (another function)")

    with pytest.raises(ValueError, match=r"average='sentence' is the mean of sentence scores"):
        corpus_statistics(["a"], ["a"], average="sentence").sum()


def test_tables_that_are_not_statistics() -> None:
    table = corpus_statistics(["a b", "c"], [["a b", "x"], ["c", "y"]]).to_table()
    read = BleuStatistics.from_table(table.replace_schema_metadata(None), BleuConfig())
    assert read.signature().startswith("nrefs:unknown|")
    assert (read + BleuStatistics.from_table(table)).signature().startswith("nrefs:unknown|")
    with pytest.raises(ValueError, match=r"the table was counted with tok:13a.*, but config is tok:char"):
        BleuStatistics.from_table(table, BleuConfig(tokenizer="char"))
    with pytest.raises(TypeError, match=r"read from an Arrow table, got dict"):
        BleuStatistics.from_table({})


def test_tables_put_together_or_sliced_are_noticed() -> None:
    one, other = corpus_statistics(["a"], ["a"]), corpus_statistics(["a"], [["b", "c"]], tokenizer="char")
    table = one.to_table()
    backwards = table.rename_columns(table.column_names[::-1])
    renamed = backwards.replace_schema_metadata(table.schema.metadata)
    for changed in (pa.concat_tables([table, other.to_table()]), table.slice(0, 0), renamed):
        with pytest.raises(ValueError, match=r"concatenated, sliced or damaged. Instead of concatenating tables, add"):
            BleuStatistics.from_table(changed)
    alike = BleuStatistics.from_table(pa.concat_tables([one.to_table()] * 2), one.config)
    assert len(alike) == 2
    assert alike.nrefs == (0, 0)  # the metadata speaks of the first table alone


NOT_THE_LENGTH = "the numbers of n-grams do not match the translation length"
# how it is counted, row of the table, column, value, what is wrong
IMPOSSIBLE: list[tuple[dict[str, Any], int | None, str, int, str]] = [
    ({}, 1, "matches_1", 3, "more matches than n-grams"),  # one more
    ({}, 1, "matches_1", -1, "a count is negative"),
    ({}, 1, "totals_2", 9, NOT_THE_LENGTH),
    ({}, None, "matches_1", 99, "more matches than n-grams"),
    ({"dialect": "nltk"}, 1, "totals_1", 9, NOT_THE_LENGTH),
    ({"smoothing": "method5"}, 1, "last_matches_5", 2, "more matches than 5-grams"),
]


@pytest.mark.parametrize(("way", "row", "column", "value", "why"), IMPOSSIBLE)
def test_impossible_counts_are_refused(way: dict[str, Any], row: int | None, column: str, value: int, why: str) -> None:
    statistics = corpus_statistics(PREDICTIONS, REFERENCES, **way)
    if row is None:
        statistics = statistics.sum()
    table = statistics.to_table()
    values = table[column].to_pylist()
    values[row or 0] = value
    changed = table.set_column(table.column_names.index(column), column, pa.array(values))
    with pytest.raises(ValueError, match=f"not BLEU statistics: in row {row or 0}, .*{why}"):
        BleuStatistics.from_table(changed, statistics.config)
