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
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

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
    content = io.BytesIO()
    with Path(path).open("rb") as file:
        try:
            for piece in decode(file):
                check_decompressed_size(content.tell() + len(piece), limit)
                content.write(piece)
        except (EOFError, OSError, lzma.LZMAError, zlib.error) as error:
            if isinstance(error, OSError) and error.errno is not None:  # reading failed, not decoding
                raise
            raise ValueError(f"the compressed file is damaged: {error}") from None
    return content.getvalue()


def decompressed_limit() -> int:
    """Return how many bytes a file may have after decompression, as set by the environment variable or by default."""
    chosen = os.environ.get(LIMIT_VARIABLE, "")
    if not chosen:
        return DEFAULT_LIMIT
    if not (chosen.isascii() and chosen.isdigit() and len(chosen) < 20 and int(chosen)):
        shown = printable(chosen[:40])
        raise ValueError(f"the environment variable {LIMIT_VARIABLE} must be an integer >= 1, got '{shown}'")
    return int(chosen)


def check_decompressed_size(size: int, limit: int) -> None:
    """Raise ``ValueError`` if `size` is above the limit."""
    if size > limit:
        raise ValueError(
            f"the file holds more than {limit:,} bytes when decompressed; if you trust it, type: "
            f"export {LIMIT_VARIABLE}={2 * limit}"
        )


def _decode_all(open_stream: Callable[[BinaryIO], Any], file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of all streams, by a reader that rejects any bytes that it cannot decode."""
    with open_stream(file) as stream:
        yield from iter(partial(stream.read, _OUTPUT_BLOCK), b"")


def _decode_each(start: Callable[[], Any], padding: bytes, file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of each stream. `start` returns a decompressor. `padding` is allowed after a stream."""
    block = file.read(_INPUT_BLOCK)
    while block:
        decompressor = start()
        while not decompressor.eof:
            if decompressor.needs_input:
                block = block or file.read(_INPUT_BLOCK)
                if not block:
                    raise EOFError("the file ends in the middle of a stream")
            yield decompressor.decompress(block, _OUTPUT_BLOCK)
            block = b""
        if getattr(decompressor, "check", None) == lzma.CHECK_NONE:  # damage would go unnoticed
            raise lzma.LZMAError("a stream has no integrity check; compress the text again without --check=none")
        block = _without_padding(decompressor.unused_data, padding, file)


def _without_padding(block: bytes, padding: bytes, file: BinaryIO) -> bytes:
    """Return the next bytes of a file, of which `block` has been read, after any repetitions of `padding`."""
    while True:
        if len(block) < len(_XZ_PADDING):
            block += file.read(_INPUT_BLOCK)
        if not padding or not block.startswith(padding):
            return block
        zeros = len(block) - len(block.lstrip(b"\0"))
        block = block[zeros - zeros % len(padding) :]


def _open_zstd(file: BinaryIO) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(file, "zstd")


_DECODERS: dict[str, Callable[[BinaryIO], Iterator[bytes]]] = {
    ".gz": partial(_decode_all, gzip.open),
    ".zst": partial(_decode_all, _open_zstd),
    ".bz2": partial(_decode_each, bz2.BZ2Decompressor, b""),
    ".xz": partial(_decode_each, partial(lzma.LZMADecompressor, lzma.FORMAT_XZ), _XZ_PADDING),
}
COMPRESSED_SUFFIXES = tuple(_DECODERS)
