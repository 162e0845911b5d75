"""Files -> lines of text: compressed or not, checked to be UTF-8, with the file and the line in every error."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

STDIN = "-"
OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_bytes(path: str) -> bytes:
    """Read a file, decompressed as its name says, or standard input."""
    if path == STDIN:
        return sys.stdin.buffer.read()
    opener = OPENERS.get(Path(path).suffix.lower(), open)
    try:
        with opener(path, "rb") as file:
            data: bytes = file.read()
    except (EOFError, OSError, lzma.LZMAError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{shown(path)}: the compressed file is damaged: {error}") from None
    return data


def split_lines(data: bytes, name: str) -> pa.Array:
    r"""Cut the bytes of a file into lines, checked to be UTF-8: an Arrow array of large strings.

    >>> split_lines(b"one\r\n\r\ntwo", "file").to_pylist()
    ['one', '', 'two']
    """
    if data.startswith(_UTF16_MARKS):
        raise ValueError(f"{shown(name)}: the file is UTF-16; convert it with: iconv -f UTF-16 -t UTF-8")
    if data.startswith(_UTF8_MARK):
        data = data[len(_UTF8_MARK) :]
    text = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    returns = ends[ends > 0] - 1
    returns = returns[text[returns] == ord("\r")]
    kept = np.ones(len(text), bool)
    kept[ends] = kept[returns] = False
    if len(text) and text[-1] != ord("\n"):
        ends = np.append(ends, len(text))
    offsets = np.empty(len(ends) + 1, np.int64)
    offsets[0], offsets[-1] = 0, np.count_nonzero(kept)
    if len(ends) > 1:
        offsets[1:-1] = ends[:-1] - np.arange(len(ends) - 1) - np.searchsorted(returns, ends[:-1])
    lines = pa.LargeStringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(text[kept]))
    try:
        lines.validate(full=True)
    except pa.ArrowInvalid:
        raise ValueError(_not_utf8(data, name)) from None
    return lines


def _not_utf8(data: bytes, name: str) -> str:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = error.start - (data.rfind(b"\n", 0, error.start) + 1)
        return (
            f"{shown(name)}, line {line}: byte {where + 1} (0x{data[error.start]:02x}) is not UTF-8; if the file is "
            f"Latin-1, convert it with: iconv -f LATIN1 -t UTF-8"
        )
    return f"{shown(name)}: not UTF-8"


def shown(text: str) -> str:
    r"""Make control characters visible, so that a name or a text cannot steer the terminal.

    >>> shown("a\x1b[31m")
    'a\\x1b[31m'
    """
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
