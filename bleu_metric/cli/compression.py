"""Decompress gzip, bzip2 and xz files. A file is refused unless every byte of it can be decoded and checked.

A compressed file is a sequence of streams. If Python's own bzip2 and xz readers cannot decode the second or a later
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
from typing import BinaryIO

from .._display import printable

LIMIT_VARIABLE = "BLEU_METRIC_MAX_DECOMPRESSED_BYTES"
DEFAULT_LIMIT = 4 << 30  # bytes per file; a file of a few kilobytes can expand to gigabytes
_INPUT_BLOCK = 16 << 10
_OUTPUT_BLOCK = 1 << 20
_XZ_PADDING_UNIT = 4


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
        raise ValueError(f"the environment variable {LIMIT_VARIABLE} must be a whole number >= 1, got '{shown}'")
    return int(chosen)


def check_decompressed_size(size: int, limit: int) -> None:
    """Raise ``ValueError`` if `size` is above the limit."""
    if size > limit:
        raise ValueError(
            f"the file holds more than {limit:,} bytes when decompressed; if you trust it, type: "
            f"export {LIMIT_VARIABLE}={2 * limit}"
        )


def _decode_gzip(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of all streams. Python's gzip reader itself refuses any other bytes except zero padding."""
    with gzip.open(file) as stream:
        yield from iter(partial(stream.read, _OUTPUT_BLOCK), b"")


def _decode_bzip2(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of all streams. The bzip2 format allows no padding between streams."""
    block = file.read(_INPUT_BLOCK)
    while True:
        decompressor = bz2.BZ2Decompressor()
        yield from _decode_stream(decompressor, block, file)
        block = decompressor.unused_data or file.read(_INPUT_BLOCK)
        if not block:
            return


def _decode_xz(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of all streams. A stream without an integrity check is refused: damage would go unnoticed."""
    block = file.read(_INPUT_BLOCK)
    while True:
        decompressor = lzma.LZMADecompressor(format=lzma.FORMAT_XZ)
        yield from _decode_stream(decompressor, block, file)
        if decompressor.check == lzma.CHECK_NONE:
            raise lzma.LZMAError("a stream has no integrity check; compress the text again without --check=none")
        block = _skip_xz_padding(decompressor.unused_data, file)
        if not block:
            return


def _decode_stream(
    decompressor: bz2.BZ2Decompressor | lzma.LZMADecompressor, block: bytes, file: BinaryIO
) -> Iterator[bytes]:
    """Yield the content of one stream, which begins with `block` and continues in `file`."""
    while not decompressor.eof:
        if decompressor.needs_input and not block:
            block = file.read(_INPUT_BLOCK)
            if not block:
                raise EOFError("the file ends in the middle of a stream")
        yield decompressor.decompress(block, _OUTPUT_BLOCK)
        block = b""


def _skip_xz_padding(block: bytes, file: BinaryIO) -> bytes:
    """Skip the zero bytes after a stream. Return the bytes after them, or no bytes at the end of the file."""
    zeros = 0
    while True:
        block = block or file.read(_INPUT_BLOCK)
        rest = block.lstrip(b"\0")
        zeros += len(block) - len(rest)
        if rest or not block:
            break
        block = b""
    if zeros % _XZ_PADDING_UNIT:
        raise lzma.LZMAError(
            f"{zeros} zero bytes follow a stream; padding must be a multiple of {_XZ_PADDING_UNIT} bytes"
        )
    return rest


_DECODERS: dict[str, Callable[[BinaryIO], Iterator[bytes]]] = {
    ".gz": _decode_gzip,
    ".xz": _decode_xz,
    ".bz2": _decode_bzip2,
}
COMPRESSED_SUFFIXES = tuple(_DECODERS)
