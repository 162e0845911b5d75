"""Arrow columns of every type give the score of lists."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bleu_metric import corpus_bleu

pytestmark = pytest.mark.usefixtures("by_arrays")


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
