"""Decompression of gzip, bzip2 and xz files. Every byte must be decoded and checked, or the file is refused.

Python's own bzip2 and xz readers ignore everything after the first stream that they cannot decode. A damaged file then
ends early without an error. Here, only another stream may follow a stream. Exception: xz files may have zero padding
between streams and after the last one (https://tukaani.org/xz/xz-file-format.txt, 2.2).
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
DEFAULT_LIMIT = 4 << 30  # bytes per file: a few compressed kilobytes can expand to terabytes
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
            if isinstance(error, OSError) and error.errno is not None:  # the file cannot be read; it is not damaged
                raise
            raise ValueError(f"the compressed file is damaged: {error}") from None
    return content.getvalue()


def decompressed_limit() -> int:
    """Read the limit on decompressed bytes per file from the environment variable that `LIMIT_VARIABLE` names."""
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
    """Decode all streams. Python's own reader already refuses everything except streams and zero padding."""
    with gzip.open(file) as stream:
        yield from iter(partial(stream.read, _OUTPUT_BLOCK), b"")


def _decode_bzip2(file: BinaryIO) -> Iterator[bytes]:
    """Decode all streams. The format has no padding."""
    block = file.read(_INPUT_BLOCK)
    while True:
        decompressor = bz2.BZ2Decompressor()
        yield from _decode_stream(decompressor, block, file)
        block = decompressor.unused_data or file.read(_INPUT_BLOCK)
        if not block:
            return


def _decode_xz(file: BinaryIO) -> Iterator[bytes]:
    """Decode all streams. Each stream must have an integrity check."""
    block = file.read(_INPUT_BLOCK)
    while True:
        decompressor = lzma.LZMADecompressor(format=lzma.FORMAT_XZ)
        yield from _decode_stream(decompressor, block, file)
        if decompressor.check == lzma.CHECK_NONE:
            raise lzma.LZMAError("it has no integrity check; compress it again without --check=none")
        block = _skip_xz_padding(decompressor.unused_data, file)
        if not block:
            return


def _decode_stream(
    decompressor: bz2.BZ2Decompressor | lzma.LZMADecompressor, block: bytes, file: BinaryIO
) -> Iterator[bytes]:
    """Decode one stream, which begins with `block` and continues in `file`."""
    while not decompressor.eof:
        if decompressor.needs_input and not block:
            block = file.read(_INPUT_BLOCK)
            if not block:
                raise EOFError("it ends in the middle of a stream")
        yield decompressor.decompress(block, _OUTPUT_BLOCK)
        block = b""


def _skip_xz_padding(block: bytes, file: BinaryIO) -> bytes:
    """Return the first bytes after the padding, or no bytes at the end of the file."""
    zeros = 0
    while True:
        block = block or file.read(_INPUT_BLOCK)
        rest = block.lstrip(b"\0")
        zeros += len(block) - len(rest)
        if rest or not block:
            break
        block = b""
    if zeros % _XZ_PADDING_UNIT:
        raise lzma.LZMAError(f"{zeros} zero bytes follow a stream; padding is a multiple of {_XZ_PADDING_UNIT}")
    return rest


_DECODERS: dict[str, Callable[[BinaryIO], Iterator[bytes]]] = {
    ".gz": _decode_gzip,
    ".xz": _decode_xz,
    ".bz2": _decode_bzip2,
}
COMPRESSED_SUFFIXES = tuple(_DECODERS)
