"""Arrow columns of every type give the score of lists."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from inner_doors import limit_text

from bleu_metric import corpus_bleu

pytestmark = pytest.mark.usefixtures("by_arrays")


DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None]))


@pytest.mark.parametrize(
    ("predictions", "references", "error"),
    [
        (DICTIONARY, ["a", "b"], TypeError),
        (["a", "b"], pa.ListArray.from_arrays([0, 1, 2], DICTIONARY), ValueError),
        (pa.ListArray.from_arrays([0, 2], DICTIONARY), [["a"]], TypeError),
    ],
)
def test_a_null_in_a_dictionary_is_a_null(predictions: Any, references: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"is null|has no reference"):
        corpus_bleu(predictions, references)


def test_arrow_types() -> None:
    views = pa.array([["a b c d", None], ["e"]], pa.list_(pa.string_view()))
    assert corpus_bleu(["a b c d", "e"], views).bleu == 1.0
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["a"]))
    with pytest.raises(TypeError, match=r"predictions is an Arrow column of run_end_encoded"):
        corpus_bleu(runs, ["a"])
    with pytest.raises(ValueError, match=r"predictions\[1\] holds the token id 9223372036854775809"):
        corpus_bleu(pa.array([[1], [2**63 + 1]], pa.list_(pa.uint64())), [[1], [2]])


_LISTS: list[Callable[[pa.DataType], pa.DataType]] = [
    *(pa.list_, pa.large_list, pa.list_view, pa.large_list_view),
    lambda kind: pa.list_(kind, 3),
]


@pytest.mark.parametrize("text", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize(("inner", "outer"), [*zip(_LISTS, _LISTS, strict=True), *itertools.pairwise(_LISTS)])
def test_every_arrow_list_of_every_text(outer: Any, inner: Any, text: pa.DataType) -> None:
    """PyArrow's own cast makes broken arrays of list views of string_view."""
    rng = np.random.default_rng(0)
    predictions = rng.integers(0, 4, (40, 3)).astype(str).tolist()
    references = rng.integers(0, 4, (40, 3, 3)).astype(str).tolist()
    some = [[row[0], None, row[2]] if place % 7 == 0 else row for place, row in enumerate(references)]
    columns = pa.array(predictions, inner(text)), pa.array(references, outer(inner(text)))
    expected = corpus_bleu(predictions, references, max_order=2)
    assert corpus_bleu(*columns, max_order=2) == expected
    assert corpus_bleu(*(pa.chunked_array([one[:9], one[9:]]) for one in columns), max_order=2) == expected
    sliced = corpus_bleu(predictions[5:30], references[5:30], max_order=2)
    assert corpus_bleu(*(one[5:30] for one in columns), max_order=2) == sliced
    with_nulls = pa.array(some, outer(inner(text)))
    assert corpus_bleu(columns[0], with_nulls, max_order=2) == corpus_bleu(predictions, some, max_order=2)


def test_more_text_than_an_arrow_array_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that hold too much together are read in halves; one row that does is an error."""
    limit_text(monkeypatch, 1000)
    assert corpus_bleu(["a " * 100] * 50, [["a"]] * 50, max_order=1).counts == [50]
    with pytest.raises(ValueError, match=r"from row 1 onwards, there are 2 GiB of text or more; the text of"):
        corpus_bleu(["a", "a " * 600], ["a", "a"])
