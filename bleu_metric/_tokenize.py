"""Tokenize a column of texts without a Python loop over the texts. A token is a range of bytes in the column's UTF-8.

Tokenizers that are functions or models are an exception: they are called for each text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import islice
from typing import Literal, NamedTuple, cast
from unicodedata import normalize

from ._arrow import arrow_compute, from_numpy, from_strings
from ._lazy import np, pa
from ._threads import STOP
from ._tokenizers import OTHER, SPACE, TOKENIZERS, WHITESPACE, Function, Tokenization, Tokenizer, function_of, split
from ._validation import Array, Bytes, Ints, short_repr

Form = Literal["NFC", "NFKC"]
_MAYBE_SPACE = 64  # temporary class of bytes that can be the first byte of a non-ASCII space
_UPPER_TO_LOWER = 32


class Tokens(NamedTuple):
    """Tokens of all texts in order: token i is ``data[starts[i] : starts[i] + lengths[i]]``."""

    data: Bytes
    starts: Ints
    lengths: Ints
    per_text: Ints  # number of tokens of each text


def tokens_from_strings(column: pa.Array, per_text: Ints) -> Tokens:
    """Return tokens from a column in which each string is one token. `per_text`: the number of tokens of each text."""
    data, offsets = buffers(column)
    return Tokens(data, offsets[:-1], np.diff(offsets), per_text)


def tokenize(column: pa.Array, how: Tokenization) -> Tokens:
    """Return the tokens of a string column, which must have no nulls."""
    column = rewrite(column, how)
    known = known_tokenizer(how.tokenizer)
    tokens = _call(column, how) if known is None else _split_column(column, known, how)
    return tokens if how.lowercase is True else lower_tokens(tokens, how.lowercase)


def known_tokenizer(choice: str | Callable[[str], list[str]]) -> Tokenizer | None:
    """Return a tokenizer's rules from `TOKENIZERS`. Return None for functions, models and tokenizers of sacrebleu."""
    return TOKENIZERS.get(choice) if isinstance(choice, str) else None


def _split_column(column: pa.Array, tokenizer: Tokenizer, how: Tokenization) -> Tokens:
    """Tokenize texts with a tokenizer that consists of rules."""
    column = trim(column, tokenizer, how)
    if tokenizer.entities:  # after `trim`, which must not remove spaces that the rewriting adds
        column = replace_entities(column, how)
    data, offsets = buffers(column)
    split_texts = _split_bytes if tokenizer.bytewise else _split_characters
    starts, ends = split_texts(data, offsets, tokenizer, how.whitespace)
    first_tokens = np.searchsorted(starts, offsets)
    return Tokens(data, starts, ends - starts, np.diff(first_tokens))


def _split_bytes(data: Bytes, offsets: Ints, tokenizer: Tokenizer, whitespace: str) -> tuple[Ints, Ints]:
    """Return the start and the end of each token as positions in `data`. Each byte has a class, such as DIGIT."""
    text = data[: offsets[-1]]
    classes = _byte_classes(tokenizer, whitespace).take(text, mode="wrap")  # faster than mode="raise"
    _mark_wide_spaces(classes, data, WHITESPACE[whitespace])
    return split(classes, offsets, tokenizer.padded)


def _split_characters(data: Bytes, offsets: Ints, tokenizer: Tokenizer, whitespace: str) -> tuple[Ints, Ints]:
    """Return the start and the end of each token as positions in `data`. Each character has a class."""
    text = data[: offsets[-1]]
    is_first_byte = (text & np.uint8(0xC0)) != np.uint8(0x80)
    first_bytes = is_first_byte.nonzero()[0]
    first_characters = np.searchsorted(first_bytes, offsets)  # index of each text's first character
    classes = _character_classes(text, tokenizer, whitespace)
    starts, ends = split(classes, first_characters, tokenizer.padded)
    byte_of_character = np.append(first_bytes, len(text))
    return byte_of_character.take(starts), byte_of_character.take(ends)


def trim(column: pa.Array, tokenizer: Tokenizer, how: Tokenization) -> pa.Array:
    """Remove whitespace at the edges of texts if it could change their tokens. Return the resulting column."""
    if tokenizer.trimmed:
        return arrow_compute().utf8_trim_whitespace(column)
    if how.strip and not tokenizer.padded:
        return arrow_compute().utf8_rtrim(column, stripped(how))
    return column


def stripped(how: Tokenization) -> str:
    """Return the characters to strip from the end of a text: whitespace if ``how.strip`` is True, otherwise none."""
    return "".join(WHITESPACE[how.whitespace]) if how.strip else ""


def buffers(column: pa.Array) -> tuple[Bytes, Ints]:
    """Return the bytes of a string column and its offsets: the start of each string, then the end of the last one.

    The bytes are padded with zeros, so that 8 bytes can be read from any index.
    """
    _, offset_buffer, data_buffer = column.buffers()
    offset_type = np.dtype(np.int64 if pa.types.is_large_string(column.type) else np.int32)
    bytes_before = column.offset * offset_type.itemsize
    offsets = np.frombuffer(offset_buffer, offset_type, len(column) + 1, bytes_before).astype(np.int64)
    first, size = int(offsets[0]), int(offsets[-1] - offsets[0])
    data = np.zeros((size + 23) // 8 * 8, np.uint8)
    if size:
        data[:size] = np.frombuffer(data_buffer, np.uint8, size, first)
    return data, offsets - first


def _separators(tokenizer: Tokenizer, whitespace: str) -> frozenset[str]:
    """Return the characters that separate tokens and belong to no token."""
    return frozenset() if tokenizer.keeps_spaces else WHITESPACE[whitespace]


@cache
def _byte_classes(tokenizer: Tokenizer, whitespace: str) -> Bytes:
    classes = np.full(256, OTHER, np.uint8)
    learn_classes(classes, range(128), tokenizer, whitespace)
    for space in _separators(tokenizer, whitespace):
        if not space.isascii():
            classes[space.encode()[0]] = _MAYBE_SPACE
    return classes


def _mark_wide_spaces(classes: Bytes, data: Bytes, spaces: frozenset[str]) -> None:
    """Set the class of every byte of a non-ASCII space to SPACE. Such a space has two or three bytes."""
    candidates = (classes == _MAYBE_SPACE).nonzero()[0]
    if not len(candidates):
        return
    classes[candidates] = OTHER
    code = data.take(candidates).astype(np.int64)
    for size in (2, 3):
        code = code << 8 | data.take(candidates + size - 1)
        known = _codes_of_wide_spaces(spaces, size)
        nearest = known.take(known.searchsorted(code), mode="clip")  # 10 times as fast as np.isin
        starts = candidates[code == nearest]
        for byte in range(size):
            classes[starts + byte] = SPACE


@cache
def _codes_of_wide_spaces(spaces: frozenset[str], size: int) -> Ints:
    """Return the UTF-8 codes of the spaces that have `size` bytes, as sorted integers.

    >>> [hex(code) for code in _codes_of_wide_spaces(WHITESPACE["unicode"], 2)]
    ['0xc285', '0xc2a0']
    """
    encoded = [space.encode() for space in spaces]
    return np.array(sorted(int.from_bytes(space) for space in encoded if len(space) == size), np.int64)


@cache
def class_table(tokenizer: Tokenizer, whitespace: str) -> bytearray:
    """Build a table with the class of every code point. The value 0 means that a class is not known yet.

    If only ASCII characters are special, all classes are known. Otherwise the table starts with ASCII and whitespace,
    and `learn_classes` enters other characters when they first occur.
    """
    table = bytearray([OTHER if tokenizer.bytewise else 0]) * 0x110000
    learn_classes(table, {*range(128), *map(ord, _separators(tokenizer, whitespace))}, tokenizer, whitespace)
    return table


def learn_classes(table: bytearray | Bytes, codes: Iterable[int], tokenizer: Tokenizer, whitespace: str) -> None:
    """Enter the classes of these code points into the table."""
    spaces = _separators(tokenizer, whitespace)
    for code in codes:
        table[code] = SPACE if chr(code) in spaces else tokenizer.character_class(chr(code))


def _character_classes(text: Bytes, tokenizer: Tokenizer, whitespace: str) -> Bytes:
    """Return the class, such as DIGIT, of each character of UTF-8 text."""
    table = class_table(tokenizer, whitespace)
    codes = learn_characters(text, table, tokenizer, whitespace)
    classes: Bytes = np.frombuffer(table, np.uint8).take(codes)
    return classes


def learn_characters(text: Bytes, table: bytearray, tokenizer: Tokenizer, whitespace: str) -> Array:
    """Enter the classes of the characters of a UTF-8 text into the table. Return the text's code points."""
    codes = np.frombuffer(text.tobytes().decode().encode("utf-32-le"), np.uint32)
    is_unknown = np.frombuffer(table, np.uint8).take(codes) == 0
    learn_classes(table, set(codes[is_unknown].tolist()), tokenizer, whitespace)
    return codes


_AFTER_AMPERSAND = b"qalg"  # the first letters of the four entities
# `_rows_to_rewrite` and `_kernel.c` look for the first character of each of these strings:
# if you add a string that begins with another character, change both
_REPLACEMENTS = (
    ("<skipped>", ""),
    ("-\n", ""),
    ("\n", " "),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
)


def replace_entities(column: pa.Array, how: Tokenization) -> pa.Array:
    """Rewrite the texts that contain an SGML entity, a `<skipped>` tag or a hyphen at a line end. Return all texts."""
    rows = _rows_to_rewrite(column)
    if not len(rows):
        return column
    spaces = stripped(how)
    rewritten = [rewrite_entities(text.rstrip(spaces)) for text in column.take(from_numpy(rows)).to_pylist()]
    mask = np.zeros(len(column), np.uint8)
    mask[rows] = 1
    is_rewritten = from_numpy(mask).cast(pa.bool_())
    return arrow_compute().replace_with_mask(column, is_rewritten, from_strings(rewritten, column.type))


def _rows_to_rewrite(column: pa.Array) -> Ints:
    """Return the indices of the texts that may need a rewrite, because they contain two bytes such as "<s" or "&q"."""
    data, offsets = buffers(column)
    raw = data.tobytes()
    if not any(byte in raw for byte in (b"&", b"<", b"\n")):
        return np.zeros(0, np.int64)
    ampersands = _find_byte(b"&", data, raw)
    tags = _find_byte(b"<", data, raw)
    lines = _find_byte(b"\n", data, raw)
    entities = ampersands[np.isin(data[ampersands + 1], [*_AFTER_AMPERSAND])]
    skipped = tags[data[tags + 1] == ord("s")]
    hyphenated = lines[data[lines - 1] == ord("-")]
    positions = np.concatenate((entities, skipped, hyphenated))
    return np.unique(np.searchsorted(offsets, positions, side="right") - 1)


def _find_byte(byte: bytes, data: Bytes, raw: bytes) -> Ints:
    """Return the positions of a byte in `data`. `raw` is the same data as `bytes`, which are faster to search."""
    return np.flatnonzero(data == ord(byte)) if byte in raw else np.zeros(0, np.int64)


def rewrite_entities(text: str) -> str:
    """Remove `<skipped>` tags and hyphens at line ends, join the lines, and decode the four SGML entities."""
    for old, new in _REPLACEMENTS:
        text = text.replace(old, new)
    return text


def rewrite(column: pa.Array, how: Tokenization) -> pa.Array:
    """Normalize the texts to ``how.normalization``, and lower-case them if ``how.lowercase`` is True.

    The results are those of Python's `normalize` and `str.lower`. Arrow's functions are used only for ASCII, because
    they differ from Python's for `İ`, the final sigma, and new characters.
    """
    lowers = how.lowercase is True
    function = rewriting(how.normalization, lowers)
    if function is None:
        return column
    if arrow_compute().all(arrow_compute().string_is_ascii(column)).as_py():
        return arrow_compute().ascii_lower(column) if lowers else column
    return _large_strings(list(map(function, column.to_pylist())))


def rewriting(normalization: str, lowers: bool) -> Callable[[str], str] | None:
    """Return the function that normalizes and lower-cases a text. Return None if neither is needed."""
    if normalization == "none":
        return str.lower if lowers else None
    form = cast(Form, normalization)
    return (lambda text: normalize(form, text).lower()) if lowers else partial(normalize, form)


def _large_strings(texts: list[str]) -> pa.Array:
    """Build an array of type large string, because lower-cased texts and tokens from a function may exceed 2 GiB."""
    return from_strings(texts, pa.large_string())


def lower_tokens(tokens: Tokens, lowercase: bool | str) -> Tokens:
    """Lower-case tokens. With ``"ascii"``, only A-Z change; with ``True`` or ``"after"``, all letters of Unicode."""
    if lowercase is False:
        return tokens
    if lowercase == "ascii" or not (tokens.data & np.uint8(0x80)).any():
        upper = (tokens.data - np.uint8(ord("A"))) < np.uint8(26)
        return tokens._replace(data=tokens.data + upper * np.uint8(_UPPER_TO_LOWER))
    lowered = [token.lower() for token in _strings(tokens)]
    return tokens_from_strings(_large_strings(lowered), tokens.per_text)


def token_strings(tokens: Tokens) -> list[list[str]]:
    """Return tokens as Python strings, one list per text. This is slow; use it only for texts that are shown."""
    flat = iter(_strings(tokens))
    return [list(islice(flat, size)) for size in tokens.per_text.tolist()]


def _strings(tokens: Tokens) -> list[str]:
    """Return all tokens as Python strings."""
    raw = tokens.data.tobytes()
    ends = (tokens.starts + tokens.lengths).tolist()
    return [raw[start:end].decode() for start, end in zip(tokens.starts.tolist(), ends, strict=True)]


def _call(column: pa.Array, how: Tokenization) -> Tokens:
    """Tokenize texts with a tokenizer that is a function or a model."""
    texts = column.to_pylist()
    if how.strip:
        spaces = stripped(how)
        texts = [text.rstrip(spaces) for text in texts]
    tokens, per_text = call_tokenizer(texts, how.tokenizer)
    return tokens_from_strings(tokens, per_text)


def call_tokenizer(texts: list[str], tokenizer: str | Function) -> tuple[pa.Array, Ints]:
    """Return all tokens of texts, and the number of tokens of each text. Texts are tokenized one after another.

    Raise ``TypeError`` or ``ValueError`` if the tokenizer does not return a list of valid strings. Raise
    ``RuntimeError`` if the tokenizer raises ``StopIteration``, which could silently end a `map` of the caller.
    """
    function = function_of(tokenizer) if isinstance(tokenizer, str) else tokenizer
    stop = STOP.get()  # checked before each text, because a slow function can take seconds for a batch
    flat, sizes = [], []
    for text in texts:
        if stop is not None and stop.is_set():
            from concurrent.futures import CancelledError  # imported here, because it imports logging

            raise CancelledError
        tokens = _call_once(function, text, tokenizer)
        flat += tokens
        sizes.append(len(tokens))
    try:
        return _large_strings(flat), np.array(sizes, np.int64)
    except UnicodeEncodeError as error:
        wrong = f"the tokenizer {short_repr(tokenizer)} returned {short_repr(error.object)}"
        raise ValueError(f"{wrong}, which has a lone surrogate; return valid Unicode") from None


def _call_once(function: Function, text: str, tokenizer: str | Function) -> list[str]:
    """Return the tokens of a text. Raise the errors of `call_tokenizer`, which name the tokenizer."""
    try:
        tokens = function(text)
    except StopIteration as error:
        raise RuntimeError(
            f"the tokenizer {short_repr(tokenizer)} raised StopIteration for {short_repr(text)}: give `next` a "
            "default, as in next(words, '')"
        ) from error
    if isinstance(tokens, (list, tuple)) and all(isinstance(token, str) for token in tokens):
        return tokens
    raise TypeError(
        f"the tokenizer {short_repr(tokenizer)} must return a list of strings; it returned {short_repr(tokens)}"
    )
