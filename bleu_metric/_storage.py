"""Arrow tables in Parquet files: written whole or not at all, read with one error for whatever is wrong.

Parquet, because counts are small numbers that it packs into a few bytes, and every engine reads it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa

from ._drafts import write_whole

UNREADABLE = (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError)


def write(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table as `write_whole` does, with its errors."""
    import pyarrow.parquet as parquet

    stream = pa.BufferOutputStream()  # a table of small numbers packs into less than the memory it takes already
    parquet.write_table(table, stream, compression="zstd")
    write_whole(path, stream.getvalue())


def read(path: str | os.PathLike[str]) -> pa.Table:
    """Read a table. ``ValueError`` that names the file if it is no Parquet; ``OSError`` as of `open`."""
    import pyarrow.parquet as parquet

    content = Path(path).read_bytes()
    try:
        return parquet.ParquetFile(pa.BufferReader(content)).read()
    except UNREADABLE as error:
        reason = (str(error).splitlines() or [""])[0]
        raise ValueError(
            f"{os.fspath(path)} is not a whole file of BLEU statistics ({len(content)} bytes): {reason}"
        ) from error
