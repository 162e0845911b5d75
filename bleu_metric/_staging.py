"""What is kept of rows until `compute`: Arrow tables in memory, or evaluate's files and locks, a set for each thread.

A single process holds its rows in memory until they are many. Several processes gather through files. Staged references
are always lists of references, without None, so that batches of both forms fit together.
"""

from __future__ import annotations

import contextlib
import copy
import os
import re
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import datasets
import numpy as np
import pyarrow as pa

from ._arrow import Side, read_in_halves
from ._corpus import Corpus, as_corpus
from ._validation import Ints, has_length

if TYPE_CHECKING:
    from typing_extensions import Self

_ROWS = 50_000  # of one staged table
MOST_BYTES_HELD = 64 << 20  # staged in memory by a single process; more goes to a file


def input_features() -> list[datasets.Features]:
    """What the metric takes: strings, tokens or token ids, with one reference or a list of them."""
    texts = [
        datasets.Value("string"),
        datasets.Sequence(datasets.Value("string")),
        datasets.Sequence(datasets.Value("int64")),
    ]
    forms = [(text, references) for text in texts for references in (datasets.Sequence(text), text)]
    return [datasets.Features(predictions=text, references=references) for text, references in forms]


def stage_rows(predictions: Any, references: Any) -> list[pa.Table]:
    """Check all rows and turn them into tables of ``predictions`` and ``references``; errors as for `corpus_bleu`."""
    staged = as_corpus(predictions, references)
    read = partial(_read_table, staged)
    return [table for first, last in staged.batches(_ROWS) for table in read_in_halves(read, first, last)]


def schema_of_first_token(tables: Iterable[pa.Table]) -> pa.Schema | None:
    """Take the schema of the first table that has texts, or a token: empty lists do not show their kind."""
    return next((table.schema for table in tables if _shows_kind(table)), None)


def is_empty(column: Any) -> bool:
    """Whether a column has a length, and it is 0."""
    return has_length(column) and not len(column)


def empty_table() -> pa.Table:
    """Make the table that a process without rows stages: the other processes wait for its file."""
    tokens = pa.list_(pa.string())
    return pa.schema({"predictions": tokens, "references": pa.list_(tokens)}).empty_table()


def _shows_kind(table: pa.Table) -> bool:
    if not len(table):
        return False
    predictions, references = (table[name].combine_chunks() for name in ("predictions", "references"))
    if not pa.types.is_list(predictions.type):
        return True
    return len(predictions.flatten()) > 0 or len(references.flatten().flatten()) > 0


def cast_to_schema(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Give empty lists of tokens the type of the other rows; ``TypeError`` for a table of another kind."""
    if table.schema.types == schema.types:
        return table
    if not len(table):
        return schema.empty_table()
    expected = schema.field("predictions").type
    if pa.types.is_list(expected) and not _shows_kind(table):
        return table.cast(schema)
    raise TypeError(
        f"rows of {expected} and rows of {table.schema.field('predictions').type} were staged: one score is made of "
        "texts, of tokens, or of token ids"
    )


def unify_schemas(paths: Sequence[str]) -> pa.Schema:
    """Find the schema of the rows that the processes staged; a file without a token is written again with it.

    Raises ``TypeError`` if they staged rows of several kinds.
    """
    schemas = list(map(_read_schema, paths))
    if all(schema.types == schemas[0].types for schema in schemas):
        return schemas[0]
    tables = list(map(_read_stream, paths))
    common = schema_of_first_token(tables) or schemas[0]
    for path, table in zip(paths, tables, strict=True):
        if table.schema.types != common.types:
            _write_stream(cast_to_schema(table, common), path)
    return common


def _read_schema(path: str) -> pa.Schema:
    with pa.OSFile(path) as file:
        return pa.ipc.open_stream(file).schema


def _read_stream(path: str) -> pa.Table:
    with pa.OSFile(path) as file:
        return pa.ipc.open_stream(file).read_all()


def _write_stream(table: pa.Table, path: str) -> None:
    with pa.OSFile(path, "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


def _read_table(staged: Corpus, first: int, last: int) -> pa.Table:
    predictions, references = staged.sides(first, last)
    kind = staged.layout.kind
    nested = _as_lists(references.per_row, _texts(references, kind))
    return pa.table({"predictions": _texts(predictions, kind), "references": nested})


def _texts(side: Side, kind: str) -> pa.Array:
    return side.values if kind == "text" else _as_lists(side.lengths, side.values)


def _as_lists(sizes: Ints, values: pa.Array) -> pa.ListArray:
    offsets = np.zeros(len(sizes) + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)


# What evaluate adds to a name that is in use
_RANDOM_NAME = re.compile(r"-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-1-0\.arrow\Z")
_END = b"\xff\xff\xff\xff\0\0\0\0"  # end mark of an Arrow stream


class _Staged:
    """The record of one thread: evaluate's own attributes, and the tables that are held back."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.held: list[pa.Table] | None = None  # tables that are not written yet
        self.schema_held: pa.Schema | None = None  # of the tables held, once one of them shows their kind
        self.bytes_held: int | None = None
        self.data: Any = None
        self.writer: Any = None
        self.buf_writer: Any = None
        self.filelock: Any = None
        self.filelocks: list[Any] | None = None
        self.rendez_vous_lock: Any = None
        self.file_paths: list[str] | None = None
        self.cache_file_name: str | None = None
        self.selected_feature_format: Any = None


class _Records(threading.local):
    """The record of the thread that asks."""

    def __init__(self) -> None:  # called once in every thread
        self._by_process: list[_Staged] = []

    @property
    def current(self) -> _Staged:
        """A record of this thread and process.

        A forked child starts its own and keeps the parent's: freeing it would write what is buffered into the parent's
        file, and release the parent's lock.
        """
        records = self._by_process
        if not records or records[-1].process != os.getpid():
            records.append(_Staged())
        return records[-1]


class _InRecord:
    """An attribute of a metric that is kept in the record of the thread; deleting it sets it to None."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, metric: Any, owner: type) -> Any:
        return getattr(metric._records.current, self._name)

    def __set__(self, metric: Any, value: Any) -> None:
        setattr(metric._records.current, self._name, value)

    def __delete__(self, metric: Any) -> None:
        self.__set__(metric, None)


class RowsPerThread:
    """What evaluate keeps of staged rows, kept apart for each thread, process and copy of a metric."""

    held = _InRecord()
    schema_held = _InRecord()
    bytes_held = _InRecord()
    data = _InRecord()
    writer = _InRecord()
    buf_writer = _InRecord()
    filelock = _InRecord()
    filelocks = _InRecord()
    rendez_vous_lock = _InRecord()
    file_paths = _InRecord()
    cache_file_name = _InRecord()
    selected_feature_format = _InRecord()

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make the place of the threads' records; a copy has its own."""
        metric = super().__new__(cls)
        metric._records = _Records()  # type: ignore[attr-defined]
        return metric

    def __getstate__(self) -> dict[str, Any]:
        """Leave what is staged, and its locks, to the original: a copy starts empty."""
        return {name: value for name, value in vars(self).items() if name != "_records"}

    def __copy__(self) -> Self:
        """Copy deeply."""
        return copy.deepcopy(self)  # evaluate binds methods to the instance: a shallow copy would call the original's

    def __len__(self) -> int:
        """Count the rows that this thread staged."""
        return sum(map(len, self.held)) if self.held else super().__len__()  # type: ignore[misc]

    def _stage(self, tables: list[pa.Table]) -> None:
        """Hold tables in memory, or write them where they are many or other processes wait for them.

        Tables that do not show their kind are held until one does. Raises ``TypeError`` for tables of another kind than
        those before, and keeps what was staged before.
        """
        if self.writer is not None:
            schema = self.selected_feature_format.arrow_schema
            self._write([cast_to_schema(table, schema) for table in tables])
            return
        schema = self.schema_held if self.schema_held is not None else schema_of_first_token(tables)
        if schema is not None:
            tables = [cast_to_schema(table, schema) for table in tables]
            if self.schema_held is None:
                self.held = [cast_to_schema(table, schema) for table in self.held or ()]
            self.schema_held = schema  # not before: an error leaves the kind open
        self.held = self.held or []
        self.held += tables  # in place: there may be many
        self.bytes_held = (self.bytes_held or 0) + sum(table.nbytes for table in tables)
        has_to_be_written = self.num_process > 1 or self.bytes_held > MOST_BYTES_HELD  # type: ignore[attr-defined]
        if self.schema_held is not None and has_to_be_written:
            self._write(self.held)

    def _take_held(self) -> pa.Table:
        """Give the rows that are held in memory as one table, and forget them."""
        table = pa.concat_tables(self.held)
        self._release()
        return table

    def _write(self, tables: list[pa.Table]) -> None:
        try:
            if self.writer is None:
                self.selected_feature_format = datasets.Features.from_arrow_schema(tables[0].schema)
                self._init_writer()  # type: ignore[attr-defined]
            for table in tables:
                self.writer.write_table(table)
            self.held = self.schema_held = self.bytes_held = None
        except BaseException:
            self._release()
            raise

    def _release(self) -> None:
        """Forget what this thread staged, with its locks and files: evaluate keeps them when a computation fails."""
        self.data = self.writer = self.buf_writer = self.selected_feature_format = None
        self.held = self.schema_held = self.bytes_held = None
        files = [(self.cache_file_name, self.filelock), *zip(self.file_paths or (), self.filelocks or (), strict=True)]
        for path, lock in files:
            if lock is not None and lock.is_locked:  # else another may use the path by now
                with contextlib.suppress(OSError):
                    Path(path).unlink()
                lock.release(force=True)
                remove_lock(path)
        if self.rendez_vous_lock is not None:
            self.rendez_vous_lock.release(force=True)
        self.cache_file_name = self.filelock = self.file_paths = self.filelocks = self.rendez_vous_lock = None


def remove_lock(path: str) -> None:
    """Remove the lock file of a path with a random name: no other process asks for it. Others stay in use."""
    if _RANDOM_NAME.search(path):
        with contextlib.suppress(OSError):
            Path(f"{path}.lock").unlink()


def check_files_complete(paths: Iterable[str]) -> None:
    """Raise ``ValueError`` unless the file of each process is there and complete.

    If a process was killed while writing, Arrow reads its complete batches and does not report the rest.
    """
    for process, path in enumerate(paths):
        if not Path(path).exists():
            raise ValueError(f"the rows that were staged are gone, {path} was deleted: stage them again")
        if not _has_end_mark(path):
            raise ValueError(
                f"the rows of process {process} are not whole: it ended, or failed, before it called compute; run all "
                f"processes again ({path})"
            )


def _has_end_mark(path: str) -> bool:
    """Whether an Arrow stream has its end mark. Rows may hold the same bytes, so all messages are read first."""
    with pa.OSFile(path) as file:
        end_of_messages = 0
        try:
            for _ in pa.ipc.MessageReader.open_stream(file):
                end_of_messages = file.tell()
        except (pa.ArrowInvalid, OSError):  # the file ends within a message
            return False
        file.seek(end_of_messages)
        return bool(file.read() == _END)
