"""Store counts in Arrow tables with a seal, and in Parquet files of such tables.

A table's metadata contains the signature, other facts, and a seal: a digest of all counts and of the other metadata. If
a table is concatenated, sliced or damaged, it keeps its metadata, but the seal no longer matches. A file is written
completely or not at all. Parquet is used because it stores small numbers in a few bytes, and many programs can read it.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ._config import COUNTS_ALIKE, VERSION, BleuConfig, check_config
from ._counts import column_names
from ._display import shorten
from ._lazy import np, pa
from ._validation import Ints

_PREFIX = "bleu_metric."
_SEAL = "seal"
_WRITE_PERMISSIONS = 0o222  # of the owner, the group and all others
_SEPARATORS = (os.sep, os.altsep or os.sep)


def to_arrow(rows: Ints, config: BleuConfig) -> pa.Table:
    """Build a table of named int64 columns from counts of shape (rows, columns)."""
    arrays = [pa.array(np.ascontiguousarray(column)) for column in rows.T]
    return pa.table(arrays, column_names(config))


def from_arrow(table: pa.Table, config: BleuConfig) -> Ints:
    """Return the counts in a table that `to_arrow` built, as an array of shape (rows, columns).

    Raise ``ValueError`` if the table has other columns, a type other than int64, or nulls.
    """
    names = column_names(config)
    types = [pa.int64()] * len(names)

    if table.column_names != names or table.schema.types != types:
        expected = shorten(str(names), 200)  # there may be 20,000 columns
        found = shorten(table.schema.to_string(show_schema_metadata=False), 150)
        raise ValueError(f"the columns must be int64 {expected}, got {found}")
    if any(column.null_count for column in table.columns):
        raise ValueError("BLEU statistics have no nulls, but this table has nulls")

    return np.stack([column.to_numpy() for column in table.columns], axis=1)


def seal_table(table: pa.Table, config: BleuConfig, **facts: object) -> pa.Table:
    """Return the table with the signature, `facts` and the seal in its metadata. Facts are stored as strings."""
    known_facts = {"signature": config.signature()}
    known_facts |= {name: str(value) for name, value in facts.items()}
    known_facts[_SEAL] = _digest(table, known_facts)
    metadata = {_PREFIX + name: value for name, value in known_facts.items()}
    return table.replace_schema_metadata(metadata)


def table_facts(table: pa.Table) -> dict[str, str]:
    """Read the facts that `seal_table` wrote into the metadata. If there are none, return an empty dict."""
    facts = {}
    metadata = table.schema.metadata or {}  # Arrow returns None if there is none
    for key, value in metadata.items():
        name = key.decode(errors="replace")
        if name.startswith(_PREFIX):
            facts[name.removeprefix(_PREFIX)] = value.decode(errors="replace")
    return facts


def config_of_table(table: pa.Table, config: BleuConfig | None) -> BleuConfig:
    """Return the configuration with which a table was counted: `config` or, if it is None, that of the metadata.

    Raise ``ValueError`` if neither exists, or if `config` contradicts the signature in the metadata. If `config` is
    None, the signature is used only if the seal matches.
    """
    signature = table_facts(table).get("signature", "")
    if config is None:
        return _config_named_in(table, signature)

    check_config(config)
    passed_signature = config.signature()
    if signature and signature != passed_signature:
        raise ValueError(
            f"the table was counted with {shorten(signature, 140)}, but config is {shorten(passed_signature, 140)}; "
            "pass the configuration that counted the table"
        )
    return config


def _config_named_in(table: pa.Table, signature: str) -> BleuConfig:
    """Read the configuration from the signature in a table's metadata. Raise ``ValueError`` if this is impossible."""
    if not signature:
        raise ValueError("this Arrow table does not hold BLEU statistics: its metadata has no signature")

    # `key` is empty if the signature has no version
    _, key, version = f"|{signature}".rpartition("|version:")
    refuse_other_version(version if key else "unknown")
    refuse_changed(table)
    return BleuConfig.from_signature(signature)


def refuse_other_version(version: str) -> None:
    """Raise ``ValueError`` if this version of bleu_metric may count otherwise than the given version."""
    if version not in COUNTS_ALIKE:
        raise ValueError(
            f"these statistics were counted by version {shorten(version, 30)} of bleu_metric, but this is version "
            f"{VERSION}, whose counts may differ: count again. These versions have equal counts: "
            f"{', '.join(COUNTS_ALIKE)}"
        )


def is_sealed(table: pa.Table) -> bool:
    """Return whether the table and its metadata are unchanged since `seal_table`. Without a seal, return False."""
    facts = table_facts(table)
    seal = facts.pop(_SEAL, "")
    return seal == _digest(table, facts)


def refuse_changed(table: pa.Table) -> None:
    """Raise ``ValueError`` if the table or its metadata has changed since `seal_table`."""
    if not is_sealed(table):
        raise ValueError(
            "the rows of this table do not match its metadata, because the table was concatenated, sliced or "
            "damaged. Instead of concatenating tables, add the statistics with +. If all rows were counted with the "
            "same configuration, pass it: BleuStatistics.from_table(table, config=…)"
        )


def _digest(table: pa.Table, facts: Mapping[str, str]) -> str:
    """Return the seal of a table: a digest of its columns and of `facts`, as hexadecimal digits."""
    # Imported here, because it loads OpenSSL, which would add 3 ms to every import of the package
    import hashlib

    sorted_facts = json.dumps(sorted(facts.items()))
    digest = hashlib.sha256(sorted_facts.encode())

    for name, column in zip(table.column_names, table.columns, strict=True):
        digest.update(f"{name} {len(column)} ".encode())
        digest.update(_bytes_of(column))

    return digest.hexdigest()


def _bytes_of(column: pa.ChunkedArray) -> bytes:
    """Return all values of a column as bytes. The seals in files depend on these bytes."""
    if column.type == pa.int64() and not column.null_count:
        return column.to_numpy().astype("<i8").tobytes()  # type: ignore[no-any-return]

    # Not a column of `to_arrow`: somebody has changed the table
    return json.dumps(column.to_pylist(), default=str).encode()


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise an ``OSError`` if `path` ends in a slash, or is an existing file that is write-protected.

    The check is needed because `write_atomically` replaces a file by renaming another one, and renaming ignores the
    permissions of the replaced file.
    """
    if str(path).endswith(_SEPARATORS):
        raise IsADirectoryError(errno.EISDIR, "This path names a folder; pass the path of a file", str(path))

    target = Path(path)
    if not target.is_file():
        return

    is_writable = os.access(target, os.W_OK)  # always true for root
    has_write_permission = target.stat().st_mode & _WRITE_PERMISSIONS
    if not (is_writable and has_write_permission):
        message = "This file is write-protected; pass another path, or allow writing (chmod u+w)"
        raise PermissionError(errno.EACCES, message, str(path))


def write_atomically(path: str | os.PathLike[str], content: Any) -> None:
    """Write bytes so that a reader never sees an incomplete file. Replace an existing file and keep its permissions.

    If `path` is a link, replace the file to which it links. If `path` is a pipe or a device, write to it directly. On
    failure, raise an ``OSError`` that names the file, and leave no temporary file behind. Raise the errors
    that `check_target` documents.
    """
    check_target(path)

    target = Path(os.path.realpath(path))
    # Write to a pipe or a device. For a folder, `write_bytes` raises an error
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
    """Write bytes to a temporary file in the same folder, and rename it to `target`."""
    # `secrets` is not used, because importing it takes longer than importing the modules of this package
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


def unreadable() -> tuple[type[Exception], ...]:
    """Return the types of the errors that PyArrow raises for a file that it cannot read."""
    return (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError)


def write_table(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table to a Parquet file with `write_atomically`. Raise ``OSError`` on failure."""
    import pyarrow.parquet as parquet

    stream = pa.BufferOutputStream()  # the file is built in memory, because it is small
    parquet.write_table(table, stream, compression="zstd")
    write_atomically(path, stream.getvalue())


def read_table(path: str | os.PathLike[str]) -> pa.Table:
    """Read a table from a Parquet file. Raise ``OSError`` as `open` does, and ``ValueError`` if it is not Parquet."""
    import pyarrow.parquet as parquet

    content = Path(path).read_bytes()
    try:
        return parquet.ParquetFile(pa.BufferReader(content)).read()
    except unreadable() as error:
        reason, *_more_lines = str(error).splitlines() or [""]  # some errors have no message
        raise ValueError(
            f"{os.fspath(path)} is not a complete file of BLEU statistics ({len(content)} bytes): {reason}"
        ) from error
