"""Decompress gzip, bzip2 and zstd files. A file is rejected unless every byte of it can be decoded.

A compressed file is a sequence of streams. If Python's ``bz2.open`` and ``lzma.open`` cannot decode the second or a
later stream, they ignore the rest of the file, so its last texts are lost without an error. Therefore, bzip2 and zstd
files are read with Arrow, which raises an error. Arrow cannot read xz, so xz files are rejected.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from .._lazy import pa

# Largest size of a decompressed file, in bytes. A file of a few kilobytes can expand to gigabytes
LIMIT = 4 << 30
# Number of bytes that are decompressed at a time. The total size is checked after each block
_BLOCK = 1 << 20


_OPEN: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": gzip.open,
    ".bz2": lambda file: pa.CompressedInputStream(file, "bz2"),
    ".zst": lambda file: pa.CompressedInputStream(file, "zstd"),
}
COMPRESSED_SUFFIXES = tuple(_OPEN)


def decompress_file(path: str) -> bytes:
    """Read a whole compressed file.

    Args:
        path: a file whose name ends in one of `COMPRESSED_SUFFIXES`, in upper or lower case.

    Returns:
        The decompressed bytes of all streams in the file, at most `LIMIT` bytes.

    Raises:
        OSError: the file does not exist or cannot be read.
        ValueError: the file is damaged, or its content exceeds the limit.
    """
    open_stream = _OPEN[Path(path).suffix.lower()]
    content = io.BytesIO()
    try:
        with Path(path).open("rb") as file, open_stream(file) as stream:
            while block := stream.read(_BLOCK):
                check_decompressed_size(content.tell() + len(block), "file", "decompress it first")
                content.write(block)
    except (EOFError, OSError, zlib.error) as error:
        # Errors of the system, such as FileNotFoundError, have a number. Those of a decompressor have none
        is_from_system = isinstance(error, OSError) and error.errno is not None
        if is_from_system:
            raise
        raise ValueError(f"the compressed file is damaged: {error}") from None
    return content.getvalue()


def check_decompressed_size(size: int, what: str, advice: str) -> None:
    """Raise ``ValueError`` if `size`, the number of bytes of a decompressed file or column, exceeds `LIMIT`.

    `what` is "file" or "column". `advice` says what the user can do instead.
    """
    if size > LIMIT:
        raise ValueError(f"the {what} holds more than {LIMIT:,} bytes when decompressed; if you trust it, {advice}")
