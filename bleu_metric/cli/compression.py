"""Decompress gzip, bzip2, xz and zstd files. A file is rejected unless every byte of it can be decoded.

A compressed file is a sequence of streams. If ``bz2.open`` and ``lzma.open`` cannot decode the second or a later
stream, they ignore the rest of the file, and its last texts are lost without an error. Here, that is an error.
In gzip and xz files, zero bytes may follow a stream as padding (https://tukaani.org/xz/xz-file-format.txt, 2.2).
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from .._display import printable

LIMIT_VARIABLE = "BLEU_METRIC_MAX_DECOMPRESSED_BYTES"
DEFAULT_LIMIT = 4 << 30  # bytes per file; a file of a few kilobytes can expand to gigabytes
_INPUT_BLOCK = 16 << 10
_OUTPUT_BLOCK = 1 << 20
_XZ_PADDING = b"\0\0\0\0"


def decompress_file(path: str) -> bytes:
    """Read a whole compressed file.

    Args:
        path: a file whose name ends in one of `COMPRESSED_SUFFIXES`, in any case.

    Returns:
        The bytes of all its streams, at most `decompressed_limit()`.

    Raises:
        OSError: the file does not exist or cannot be read.
        ValueError: the file is damaged, or its content exceeds the limit.
    """
    decode = _DECODERS[Path(path).suffix.lower()]
    limit = decompressed_limit()
    compressed = Path(path).read_bytes()
    content = io.BytesIO()
    try:
        for piece in decode(compressed):
            check_decompressed_size(content.tell() + len(piece), limit)
            content.write(piece)
    except (EOFError, OSError, lzma.LZMAError, zlib.error) as error:
        raise ValueError(f"the compressed file is damaged: {error}") from None
    return content.getvalue()


def decompressed_limit() -> int:
    """Return how many bytes a file may have after decompression, as set by the environment variable or by default."""
    chosen = os.environ.get(LIMIT_VARIABLE) or str(DEFAULT_LIMIT)
    limit = int(chosen) if re.fullmatch("[0-9]{1,19}", chosen) else 0
    if limit < 1:
        shown = printable(chosen[:40])
        raise ValueError(f"the environment variable {LIMIT_VARIABLE} must be an integer >= 1, got '{shown}'")
    return limit


def check_decompressed_size(size: int, limit: int) -> None:
    """Raise ``ValueError`` if `size` is above the limit."""
    if size > limit:
        raise ValueError(
            f"the file holds more than {limit:,} bytes when decompressed; if you trust it, type: "
            f"export {LIMIT_VARIABLE}={2 * limit}"
        )


def _decode_all(open_stream: Callable[[io.BytesIO], Any], compressed: bytes) -> Iterator[bytes]:
    """Yield the content of all streams, by a reader that rejects any bytes that it cannot decode."""
    with open_stream(io.BytesIO(compressed)) as stream:
        yield from iter(partial(stream.read, _OUTPUT_BLOCK), b"")


def _decode_each(start: Callable[[], Any], padding: bytes, compressed: bytes) -> Iterator[bytes]:
    """Yield the content of each stream. `start` returns a decompressor. `padding` is allowed after a stream."""
    position = 0
    while position < len(compressed):
        decompressor = start()
        while not decompressor.eof:
            block = b""
            if decompressor.needs_input:
                block = compressed[position : position + _INPUT_BLOCK]
                position += len(block)
                if not block:
                    raise EOFError("the file ends in the middle of a stream")
            yield decompressor.decompress(block, _OUTPUT_BLOCK)
        if getattr(decompressor, "check", None) == lzma.CHECK_NONE:  # damage would go unnoticed
            raise lzma.LZMAError("a stream has no integrity check; compress the text again without --check=none")
        position -= len(decompressor.unused_data)
        while padding and compressed.startswith(padding, position):
            position += len(padding)


def _open_zstd(file: io.BytesIO) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(file, "zstd")


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    ".gz": partial(_decode_all, gzip.open),
    ".zst": partial(_decode_all, _open_zstd),
    ".bz2": partial(_decode_each, bz2.BZ2Decompressor, b""),
    ".xz": partial(_decode_each, partial(lzma.LZMADecompressor, lzma.FORMAT_XZ), _XZ_PADDING),
}
COMPRESSED_SUFFIXES = tuple(_DECODERS)
