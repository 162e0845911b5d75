"""Decompress gzip, bzip2 and zstd files. Raise an error if any byte cannot be decoded.

``bz2.open`` and ``lzma.open`` ignore the rest of a file without an error, if the file's second or a later stream is
damaged. Arrow raises an error, so bzip2 and zstd files are read with Arrow. Arrow cannot read xz, so xz files are
rejected.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from typing import IO

from .._lazy import pa

# Largest size of a decompressed file, because a file of a few kilobytes can expand to gigabytes
MAX_BYTES = 4 << 30
# The total size is checked after each block
_BYTES_PER_BLOCK = 1 << 20
# Suffix of a file -> name of the format
CODECS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
# The first bytes of a compressed file. Each group is named after a format
_START = re.compile(rb"(?P<gzip>\x1f\x8b)|(?P<bz2>BZh[1-9]1AY&SY)|(?P<zstd>\x28\xb5\x2f\xfd)")


def codec_of(data: bytes, suffix: str) -> str | None:
    """Return the compression format by the file's suffix or by `data`, its first bytes. None: not compressed."""
    start = _START.match(data)
    return CODECS.get(suffix) or (start.lastgroup if start else None)


def decompress(file: IO[bytes], codec: str) -> Iterator[bytes]:
    """Decompress a file.

    Args:
        file: the compressed file.
        codec: the format, one of the values of `CODECS`.

    Yields:
        Blocks of decompressed bytes, at most `MAX_BYTES` bytes in total.

    Raises:
        ValueError: the file is damaged, or its content exceeds the limit.
    """
    n_bytes = 0
    try:
        # gzip is read without Arrow, because importing Arrow takes 0.2 s
        with gzip.open(file) if codec == "gzip" else pa.CompressedInputStream(file, codec) as stream:
            while block := stream.read(_BYTES_PER_BLOCK):
                n_bytes += len(block)
                check_decompressed_size(n_bytes, "file", "decompress it first")
                yield block
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(f"the compressed file is damaged: {error}") from None


def check_decompressed_size(n_bytes: int, what: str, advice: str) -> None:
    """Raise ``ValueError`` if `n_bytes`, the size of a decompressed file or column, exceeds `MAX_BYTES`.

    `what` is "file" or "column". `advice` ends the message, such as "decompress it first".
    """
    if n_bytes > MAX_BYTES:
        raise ValueError(f"the {what} holds more than {MAX_BYTES:,} bytes when decompressed; if you trust it, {advice}")
