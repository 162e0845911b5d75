"""Rows -> the Arrow tables that evaluate keeps until the score is asked for.

Staged references are always nested, and None is gone from them, so that batches of both forms go together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._columns import Columns, Side, columns

_ROWS = 50_000  # of one table


def stage(predictions: Any, references: Any) -> list[pa.Table]:
    """Check all rows and turn them into tables of ``predictions`` and ``references``; errors as for `corpus_bleu`."""
    staged = columns(predictions, references)
    return [_table(staged, first, last) for first, last in staged.batches(_ROWS)]


def _table(staged: Columns, first: int, last: int) -> pa.Table:
    predictions, references = staged.sides(first, last)
    kind = staged.layout.kind
    nested = _lists(references.per_row, _texts(references, kind))
    return pa.table({"predictions": _texts(predictions, kind), "references": nested})


def _texts(side: Side, kind: str) -> pa.Array:
    return side.values if kind == "text" else _lists(side.lengths, side.values)


def _lists(sizes: NDArray[np.int64], values: pa.Array) -> pa.ListArray:
    offsets = np.zeros(len(sizes) + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)
