"""Stage rows for `BleuMetric`: check them, keep them in Arrow tables, and exchange them between processes in files.

The references of a row are always stored as a list, without None. Therefore a batch with one reference per prediction
can be joined with a batch with lists of references.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ._corpus import Corpus, as_corpus
from ._texts import Texts, as_lists, from_numpy, offsets_of

# Smaller tables are joined, because each table needs 3 kB in addition to its rows
_LEAST_BYTES_PER_TABLE = 1 << 15
NO_ROWS = pa.table({"predictions": pa.nulls(0), "references": pa.nulls(0)})  # can be joined with any rows


def stage_rows(tables: list[pa.Table], predictions: Any, references: Any) -> None:
    """Check predictions and references, and add them to `tables` as rows. An error leaves `tables` unchanged.

    Raise ``TypeError`` if the new rows and the last table are of different kinds: texts, tokens or token ids.
    """
    corpus = as_corpus(predictions, references)
    new_table = _as_table(corpus)

    last_table = tables[-1] if tables else NO_ROWS
    n_bytes = last_table.nbytes + new_table.nbytes
    if n_bytes < _LEAST_BYTES_PER_TABLE:
        joined = join_tables([last_table, new_table])
        tables[-1:] = [joined.combine_chunks()]  # replaces the last table, if there is one
    else:
        same_kind = last_table.slice(0, 0)  # empty, but typed: joining fails if the new rows have other types
        tables.append(join_tables([same_kind, new_table]))


def _as_table(corpus: Corpus) -> pa.Table:
    """Return a table with one prediction and one list of references per row."""
    (predictions,) = corpus.read_systems()
    references, per_row = corpus.read_references()
    # If all lists are empty, it is not known whether they hold tokens or ids. Nulls can be joined with both
    is_unknown = corpus.kind != "text" and not len(predictions.starts) and not len(references.starts)
    prediction_column, reference_column = [_as_column(texts, is_unknown) for texts in (predictions, references)]
    return pa.table({"predictions": prediction_column, "references": as_lists(reference_column, per_row)})


def _as_column(texts: Texts, is_unknown: bool) -> pa.Array:
    """Return texts as an Arrow array with one text per row."""
    if texts.kind == "ids":
        values = from_numpy(texts.ids)
    else:
        offsets = offsets_of(texts.lengths)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(texts.data)]  # None: no string is null
        values = pa.Array.from_buffers(pa.large_string(), len(texts.lengths), buffers)
    if texts.kind == "text":
        return values
    return as_lists(pa.nulls(0) if is_unknown else values, texts.per_text)


def join_tables(tables: Sequence[pa.Table]) -> pa.Table:
    """Join tables into one. Raise ``TypeError`` if their rows are of different kinds: texts, tokens or token ids."""
    try:
        return pa.concat_tables(tables, promote_options="default")
    except pa.ArrowTypeError:
        types = dict.fromkeys(table.schema.field("predictions").type for table in tables)  # each type once
        types.pop(pa.null(), None)  # the type of rows without tokens
        kinds = " and ".join(f"rows of {row_type}" for row_type in types)
        raise TypeError(
            f"{kinds} were staged: one score cannot mix texts, tokens and token ids; pass rows of one kind"
        ) from None


def write_file(table: pa.Table, path: str) -> None:
    """Write rows to an Arrow file. The file's footer is written last, so an incomplete file cannot be read."""
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def read_files(rows: pa.Table, paths: Sequence[str]) -> pa.Table:
    """Return one table with the rows of process 0 (`rows`) and the rows in the files of the other processes.

    Raise ``ValueError`` for a missing or incomplete file, and ``TypeError`` if rows are of different kinds.
    """
    tables = [rows]  # one table per process that was read, so the next one is of process `len(tables)`
    try:
        for path in paths:
            with pa.OSFile(path) as file:
                tables.append(pa.ipc.open_file(file).read_all())
    except (OSError, pa.ArrowInvalid) as error:
        raise ValueError(
            f"the rows of process {len(tables)} are missing or incomplete; run all processes again ({path}: {error})"
        ) from error
    return join_tables(tables)
