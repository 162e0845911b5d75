"""Arrow tables in Parquet files: written whole or not at all, read with one error for whatever is wrong.

Parquet, because counts are small numbers that it packs into a few bytes, and every engine reads it.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pyarrow as pa

_UNREADABLE = (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError)


def write(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table beside the path and move it there, so that a reader never meets half a file.

    A file of that name is replaced. ``OSError`` as of `open`, and then nothing is left behind.
    """
    import pyarrow.parquet as parquet

    goal = Path(path)
    draft = goal.with_name(f".{goal.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with draft.open("xb") as file:
            parquet.write_table(table, file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(goal)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def read(path: str | os.PathLike[str]) -> pa.Table:
    """Read a table. ``ValueError`` that names the file if it is no Parquet; ``OSError`` as of `open`."""
    import pyarrow.parquet as parquet

    content = Path(path).read_bytes()
    try:
        return parquet.ParquetFile(pa.BufferReader(content)).read()
    except _UNREADABLE as error:
        reason = (str(error).splitlines() or [""])[0]
        raise ValueError(
            f"{os.fspath(path)} is not a whole file of BLEU statistics ({len(content)} bytes): {reason}"
        ) from error
