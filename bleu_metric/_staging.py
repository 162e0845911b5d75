"""What evaluate keeps of rows until the score is asked for: Arrow tables, files and locks, a set for each thread.

Staged references are always nested, and None is gone from them, so that batches of both forms go together.
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

from ._arrays import Ints
from ._arrow import Side, read_in_halves
from ._corpus import Corpus, as_corpus
from ._validation import has_length

if TYPE_CHECKING:
    from typing_extensions import Self

_ROWS = 50_000  # of one table


def input_features() -> list[datasets.Features]:
    """What the metric takes: strings, tokens or token ids, with one reference or a list of them."""
    kinds = [
        datasets.Value("string"),
        datasets.Sequence(datasets.Value("string")),
        datasets.Sequence(datasets.Value("int64")),
    ]
    forms = [(kind, reference) for kind in kinds for reference in (datasets.Sequence(kind), kind)]
    return [datasets.Features(predictions=kind, references=reference) for kind, reference in forms]


def stage_rows(predictions: Any, references: Any) -> list[pa.Table]:
    """Check all rows and turn them into tables of ``predictions`` and ``references``; errors as for `corpus_bleu`."""
    staged = as_corpus(predictions, references)
    read = partial(_table, staged)
    return [table for stretch in staged.batches(_ROWS) for table in read_in_halves(read, *stretch)]


def schema_of_first_token(tables: Iterable[pa.Table]) -> pa.Schema | None:
    """Take the schema of the first table that has texts, or a token: empty lists do not show of which kind they are."""
    return next((table.schema for table in tables if _shows_kind(table)), None)


def is_empty(column: Any) -> bool:
    """Whether a column has a length, of 0."""
    return has_length(column) and not len(column)


def empty_table() -> pa.Table:
    """Make what a process stages that has no rows: the others wait for its file."""
    tokens = pa.list_(pa.string())
    return pa.schema({"predictions": tokens, "references": pa.list_(tokens)}).empty_table()


def _shows_kind(table: pa.Table) -> bool:
    if not len(table):
        return False
    predictions, references = (table[name].combine_chunks() for name in ("predictions", "references"))
    if not pa.types.is_list(predictions.type):
        return True
    return len(predictions.flatten()) > 0 or len(references.flatten().flatten()) > 0


def cast_to_schema(table: pa.Table, kind: pa.Schema) -> pa.Table:
    """Give empty lists of tokens the kind of the other rows; ``TypeError`` for a table that has another."""
    if table.schema.types == kind.types:
        return table
    if not len(table):
        return kind.empty_table()
    if pa.types.is_list(kind.field("predictions").type) and not _shows_kind(table):
        return table.cast(kind)
    raise TypeError(
        f"rows of {kind.field('predictions').type} and rows of {table.schema.field('predictions').type} were staged: "
        "one score is made of texts, of tokens, or of token ids"
    )


def unify_schemas(paths: Sequence[str]) -> pa.Schema:
    """Find the kind of the rows that the processes staged; a file without a token is written again as of that kind.

    Raises ``TypeError`` where they staged rows of several kinds.
    """
    schemas = list(map(_schema, paths))
    if all(schema.types == schemas[0].types for schema in schemas):
        return schemas[0]
    tables = list(map(_read, paths))
    kind = schema_of_first_token(tables) or schemas[0]
    for path, table in zip(paths, tables, strict=True):
        if table.schema.types != kind.types:
            _write(cast_to_schema(table, kind), path)
    return kind


def _schema(path: str) -> pa.Schema:
    with pa.OSFile(path) as file:
        return pa.ipc.open_stream(file).schema


def _read(path: str) -> pa.Table:
    with pa.OSFile(path) as file:
        return pa.ipc.open_stream(file).read_all()


def _write(table: pa.Table, path: str) -> None:
    with pa.OSFile(path, "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


def _table(staged: Corpus, first: int, last: int) -> pa.Table:
    predictions, references = staged.sides(first, last)
    kind = staged.layout.kind
    nested = _lists(references.per_row, _texts(references, kind))
    return pa.table({"predictions": _texts(predictions, kind), "references": nested})


def _texts(side: Side, kind: str) -> pa.Array:
    return side.values if kind == "text" else _lists(side.lengths, side.values)


def _lists(sizes: Ints, values: pa.Array) -> pa.ListArray:
    offsets = np.zeros(len(sizes) + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values)


# What evaluate adds to a name that is in use
_RANDOM_NAME = re.compile(r"-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-1-0\.arrow\Z")
_END = b"\xff\xff\xff\xff\0\0\0\0"  # of an Arrow stream


class _PerThread:
    """An attribute of which every thread and process has its own value, None at first.

    A forked child neither writes into its parent's file nor frees it, which would write what is buffered, nor its lock.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return vars(instance._own).get((os.getpid(), self._name))

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance._own)[os.getpid(), self._name] = value

    def __delete__(self, instance: Any) -> None:
        self.__set__(instance, None)


class RowsPerThread:
    """What evaluate keeps of staged rows, kept apart for each thread, process and copy of a metric."""

    data = _PerThread()
    held = _PerThread()  # tables without a token, until a batch shows the kind of all
    writer = _PerThread()
    buf_writer = _PerThread()
    filelock = _PerThread()
    filelocks = _PerThread()
    rendez_vous_lock = _PerThread()
    file_paths = _PerThread()
    cache_file_name = _PerThread()
    selected_feature_format = _PerThread()

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make the place of what each thread stages; a copy has its own."""
        metric = super().__new__(cls)
        metric._own = threading.local()  # type: ignore[attr-defined]
        return metric

    def __getstate__(self) -> dict[str, Any]:
        """Leave what is staged, and its locks, to the original: a copy starts empty."""
        return {name: value for name, value in vars(self).items() if name != "_own"}

    def __copy__(self) -> Self:
        """Copy deeply."""
        return copy.deepcopy(self)  # evaluate binds methods to the instance: a shallow copy would call the original's

    def __len__(self) -> int:
        """Count the rows that this thread staged."""
        return sum(map(len, self.held)) if self.held else super().__len__()  # type: ignore[misc]

    def _stage(self, tables: list[pa.Table]) -> None:
        """Write tables of one kind; hold those that show none until one does."""
        kind = schema_of_first_token(tables) if self.writer is None else self.selected_feature_format.arrow_schema
        if kind is None:
            self.held = self.held or []
            self.held += tables  # in place: there may be many
        else:
            self._write([cast_to_schema(table, kind) for table in (*(self.held or ()), *tables)])

    def _write(self, tables: list[pa.Table]) -> None:
        try:
            if self.writer is None:
                self.selected_feature_format = datasets.Features.from_arrow_schema(tables[0].schema)
                self._init_writer()  # type: ignore[attr-defined]
            for table in tables:
                self.writer.write_table(table)
            self.held = None
        except BaseException:
            self._release()
            raise

    def _release(self) -> None:
        """Forget what this thread staged, with its locks and files: evaluate keeps them when a computation fails."""
        self.data = self.held = self.writer = self.buf_writer = self.selected_feature_format = None
        files = [(self.cache_file_name, self.filelock), *zip(self.file_paths or (), self.filelocks or (), strict=True)]
        for path, lock in files:
            if lock is not None and lock.is_locked:  # else the path may be another's by now
                with contextlib.suppress(OSError):
                    Path(path).unlink()
                lock.release(force=True)
                remove_lock(path)
        if self.rendez_vous_lock is not None:
            self.rendez_vous_lock.release(force=True)
        self.cache_file_name = self.filelock = self.file_paths = self.filelocks = self.rendez_vous_lock = None


def remove_lock(path: str) -> None:
    """Remove the lock file of a path with a random name, which no other process asks for; others stay in use."""
    if _RANDOM_NAME.search(path):
        with contextlib.suppress(OSError):
            Path(f"{path}.lock").unlink()


def check_files_complete(paths: Iterable[str]) -> None:
    """Raise ``ValueError`` unless each process has written all its rows, and the file is there.

    Of the file of a process that was killed, Arrow reads the rows that were written, in silence.
    """
    for process, path in enumerate(paths):
        if not Path(path).exists():
            raise ValueError(f"the rows that were staged are gone, {path} was deleted: stage them again")
        if not _ends(path):
            raise ValueError(
                f"the rows of process {process} are not whole: it ended, or failed, before it called compute; run all "
                f"processes again ({path})"
            )


def _ends(path: str) -> bool:
    """Whether an Arrow stream has its end mark. Rows may hold the same bytes, so messages are read up to it."""
    with pa.OSFile(path) as file:
        messages, last = pa.ipc.MessageReader.open_stream(file), 0
        try:
            for _ in messages:
                last = file.tell()
        except (pa.ArrowInvalid, OSError):  # cut within a message
            return False
        file.seek(last)
        return bool(file.read() == _END)
