"""Write a file completely or not at all, and read and write Parquet files."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ._display import printable
from ._lazy import pa, parquet

_WRITE_PERMISSIONS = 0o222  # of the owner, the group and all others
_SEPARATORS = (os.sep, os.altsep or os.sep)


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise ``OSError`` if `path` ends in a slash or names a write-protected file.

    Without this check, `write_atomically` would replace a write-protected file.
    """
    if str(path).endswith(_SEPARATORS):
        raise IsADirectoryError(errno.EISDIR, "This path names a folder; pass the path of a file", str(path))

    target = Path(path)
    folder = Path(os.path.realpath(path)).parent
    if not folder.exists():
        raise FileNotFoundError(errno.ENOENT, "This folder does not exist; create it first", str(folder))
    if not target.is_file():
        return

    is_writable = os.access(target, os.W_OK)  # always true for root
    has_write_permission = target.stat().st_mode & _WRITE_PERMISSIONS
    if not (is_writable and has_write_permission):
        message = "This file is write-protected; pass another path, or allow writing (chmod u+w)"
        raise PermissionError(errno.EACCES, message, str(path))


def write_atomically(path: str | os.PathLike[str], content: Any) -> None:
    """Write bytes so that a reader never sees an incomplete file. Keep the permissions of a replaced file.

    If `path` is a link, replace the linked file. If `path` is a pipe or a device, write directly to it. Raise
    ``OSError`` if `check_target` rejects `path`, or if writing fails.
    """
    check_target(path)

    target = Path(os.path.realpath(path))
    # `path` is a pipe, a device or a folder. For a folder, `write_bytes` raises an error
    if Path(path).exists() and not target.is_file():
        Path(path).write_bytes(content)
        return

    try:
        _replace_file(target, content)
    except OSError as error:
        number = error.errno or errno.EIO  # not every error has a number and a message
        message = error.strerror or str(error)
        raise OSError(number, message, str(target)) from error


def _replace_file(target: Path, content: Any) -> None:
    # Importing `secrets` would take longer than importing the modules of this package
    temporary = target.with_name(f".bleu_metric-{os.getpid()}-{os.urandom(4).hex()}.part")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                shutil.copymode(target, temporary)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink()  # fails if the file was renamed


@contextmanager
def naming_damage(message: str) -> Iterator[None]:
    """Convert an error that PyArrow raises for an unreadable file to a ``ValueError`` that begins with `message`."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        reason, *_more_lines = str(error).splitlines() or [""]  # some errors have no message
        raise ValueError(f"{message}: {printable(reason)}") from None


def write_table(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table to a Parquet file with `write_atomically`. Raise ``OSError`` on failure."""
    stream = pa.BufferOutputStream()  # the file is built in memory, because it is small
    parquet.write_table(table, stream, compression="zstd")
    write_atomically(path, stream.getvalue())


def read_table(path: str | os.PathLike[str]) -> pa.Table:
    """Read a table from a Parquet file. Raise ``ValueError`` if the file is damaged or not Parquet."""
    content = Path(path).read_bytes()
    with naming_damage(f"{os.fspath(path)} is not a complete file of BLEU statistics ({len(content)} bytes)"):
        return parquet.ParquetFile(pa.BufferReader(content)).read()
