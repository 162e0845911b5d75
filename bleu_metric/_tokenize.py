"""Tokenize a column of texts without a Python loop over the texts. A token is a range of bytes in the column's UTF-8.

Only tokenizers that are functions or models are called for each text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import chain, islice
from typing import NamedTuple
from unicodedata import normalize

from ._arrow import from_numpy, from_strings, offset_dtype
from ._lazy import np, pa, pc
from ._reading import sizes_of, slices_of
from ._threads import end_if_stopped
from ._tokenizers import OTHER, SPACE, WHITESPACE, Function, Tokenization, Tokenizer, function_of, split
from ._validation import Array, Bytes, Ints, short_repr

Rewriting = Callable[[str], str]
_NORMALIZERS: dict[str, Rewriting] = {"NFC": partial(normalize, "NFC"), "NFKC": partial(normalize, "NFKC")}
_UNKNOWN = 0  # in a table of classes: the class of this character is not known yet
_MAYBE_SPACE = 64  # temporary class of bytes that can be the first byte of a non-ASCII space
_WORD_BYTES = 8
# The padding is needed because `_ngrams` reads two whole words for each token, even for the last one
_PADDING_WORDS = 2
_CODE_POINTS = 0x110000  # number of code points of Unicode


class Tokens(NamedTuple):
    """Tokens of all texts in order: token i is ``data[starts[i] : starts[i] + lengths[i]]``."""

    data: Bytes
    starts: Ints
    lengths: Ints
    per_text: Ints  # number of tokens of each text


def tokens_from_strings(column: pa.Array, per_text: Ints) -> Tokens:
    """Return tokens from a column in which each string is one token. `per_text`: the number of tokens of each text."""
    data, offsets = buffers(column)
    return Tokens(data, starts=offsets[:-1], lengths=np.diff(offsets), per_text=per_text)


def tokenize(column: pa.Array, options: Tokenization) -> Tokens:
    """Return the tokens of a string column, which must have no nulls."""
    column = rewrite(column, options)
    rules = options.rules
    # A tokenizer without rules is a function or a model
    tokens = _split_column(column, rules, options) if rules else _call(column, options)
    return lower_tokens(tokens, options.lowercase)


def _split_column(column: pa.Array, rules: Tokenizer, options: Tokenization) -> Tokens:
    """Split texts into tokens by the rules of a tokenizer."""
    column = trim(column, rules, options)
    # This comes after `trim`, which must not remove spaces that the rewriting adds
    if rules.entities:
        column = replace_entities(column, options)

    data, offsets = buffers(column)
    text = data[: offsets[-1]]  # without the padding
    split_texts = _split_bytes if rules.bytewise else _split_characters
    starts, ends = split_texts(text, offsets, rules, options.whitespace)

    # These are the index of each text's first token, and then the number of all tokens
    first_tokens = np.searchsorted(starts, offsets)
    return Tokens(data, starts, lengths=ends - starts, per_text=np.diff(first_tokens))


# The two functions below have the same arguments, and results of the same form. `text`: the UTF-8 of all texts, one
# after the other. `offsets`: the start of each text in `text`, then the end of the last text.


def _split_bytes(text: Bytes, offsets: Ints, rules: Tokenizer, whitespace: str) -> tuple[Ints, Ints]:
    """Return the positions in `text` where tokens start, and where they end. Each byte of `text` is given a class.

    This function suffices if only ASCII characters and whitespace are special. It is 7 times as fast as
    `_split_characters`.
    """
    # mode="wrap" is faster than mode="raise"
    classes = _byte_classes(rules, whitespace).take(text, mode="wrap")
    _mark_wide_spaces(classes, text, WHITESPACE[whitespace])
    return split(classes, offsets, rules.padded)


def _split_characters(text: Bytes, offsets: Ints, rules: Tokenizer, whitespace: str) -> tuple[Ints, Ints]:
    """Return the positions in `text` where tokens start, and where they end. Each character is given a class.

    `split` returns positions of characters, which are then converted to positions of bytes.
    """
    # In UTF-8, all bytes of a character but its first are 10xxxxxx
    continues = (text & 0b1100_0000) == 0b1000_0000
    first_bytes = (~continues).nonzero()[0]  # position of each character's first byte
    first_characters = np.searchsorted(first_bytes, offsets)  # index of each text's first character

    table = class_table(rules, whitespace)
    codes = learn_characters(text, table, rules, whitespace)
    classes = np.frombuffer(table, np.uint8).take(codes)
    starts, ends = split(classes, first_characters, rules.padded)

    # A token can also end at the end of `text`, which is after the last character
    byte_of_character = np.append(first_bytes, len(text))
    return byte_of_character.take(starts), byte_of_character.take(ends)


def trim(column: pa.Array, rules: Tokenizer, options: Tokenization) -> pa.Array:
    """Strip the whitespace around texts that the tokenizer or the options drop, if it could change the tokens."""
    if rules.trimmed:
        return pc.utf8_trim_whitespace(column)
    if options.strip and not rules.padded:
        return pc.utf8_rtrim(column, options.stripped)
    return column


def trimmer(rules: Tokenizer, options: Tokenization) -> Rewriting | None:
    """Return a function that strips one text as `trim` strips all texts. Return None if `trim` strips nothing."""
    if rules.trimmed:
        return str.strip
    if options.strip and not rules.padded:
        stripped = options.stripped
        return lambda text: text.rstrip(stripped)
    return None


def buffers(column: pa.Array) -> tuple[Bytes, Ints]:
    """Return the bytes of a string column and its offsets: the start of each string, then the end of the last one.

    The bytes are padded with zeros to whole words of 8 bytes, and then with two more words. For the column
    ``["ab", "c"]``, the bytes are ``b"abc"`` and 21 zeros, and the offsets are ``[0, 2, 3]``.
    """
    _, offset_buffer, data_buffer = column.buffers()
    dtype = offset_dtype(column.type)
    # If the column is a slice, skip the offsets of the strings before it
    bytes_before = column.offset * dtype.itemsize
    stored_offsets = np.frombuffer(offset_buffer, dtype, count=len(column) + 1, offset=bytes_before)
    first = int(stored_offsets[0])
    offsets = stored_offsets.astype(np.int64) - first

    n_bytes = int(offsets[-1])
    n_words = (n_bytes + _WORD_BYTES - 1) // _WORD_BYTES + _PADDING_WORDS  # the quotient is rounded up
    data = np.zeros(n_words * _WORD_BYTES, np.uint8)
    if n_bytes:
        data[:n_bytes] = np.frombuffer(data_buffer, np.uint8, count=n_bytes, offset=first)
    return data, offsets


@cache
def _byte_classes(rules: Tokenizer, whitespace: str) -> Bytes:
    """Return the class of each byte from 0 to 255. A byte that can begin a non-ASCII space is _MAYBE_SPACE."""
    classes = np.full(256, OTHER, np.uint8)
    learn_classes(classes, range(128), rules, whitespace)
    for space in WHITESPACE[whitespace]:
        if not space.isascii():
            first_byte, *_ = space.encode()
            classes[first_byte] = _MAYBE_SPACE
    return classes


def _mark_wide_spaces(classes: Bytes, text: Bytes, spaces: frozenset[str]) -> None:
    """Set the classes of all bytes of non-ASCII spaces to SPACE, and the class of other _MAYBE_SPACE bytes to OTHER.

    `classes`: the class of each byte of `text`. The UTF-8 of a non-ASCII space has two bytes or three.
    """
    candidates = (classes == _MAYBE_SPACE).nonzero()[0]  # positions of the first bytes
    if not len(candidates):
        return

    classes[candidates] = OTHER
    for size in (2, 3):
        positions = candidates[:, np.newaxis] + np.arange(size)  # shape: (candidates, size)
        codes = np.zeros(len(candidates), np.int64)
        for column in text.take(positions, mode="clip").T:
            codes = codes << 8 | column  # appends one byte to each code
        is_space = np.isin(codes, _codes_of_wide_spaces(spaces, size))
        classes[positions[is_space]] = SPACE


@cache
def _codes_of_wide_spaces(spaces: frozenset[str], size: int) -> Ints:
    """Return the UTF-8 codes of the spaces that have `size` bytes, as integers.

    >>> sorted(hex(code) for code in _codes_of_wide_spaces(WHITESPACE["unicode"], 2))
    ['0xc285', '0xc2a0']
    """
    encoded_spaces = [space.encode() for space in spaces]
    codes = [int.from_bytes(encoded) for encoded in encoded_spaces if len(encoded) == size]
    return np.array(codes, np.int64)


@cache
def class_table(rules: Tokenizer, whitespace: str) -> bytearray:
    """Build a table with the class of every code point.

    If only ASCII characters are special, the table is complete. Otherwise it starts with ASCII and whitespace, and
    `learn_classes` adds each other character when it first occurs.
    """
    first_class = OTHER if rules.bytewise else _UNKNOWN
    table = bytearray([first_class]) * _CODE_POINTS
    spaces = map(ord, WHITESPACE[whitespace])
    learn_classes(table, {*range(128), *spaces}, rules, whitespace)  # 128 codes of ASCII
    return table


def learn_classes(table: bytearray | Bytes, codes: Iterable[int], rules: Tokenizer, whitespace: str) -> None:
    """Enter the classes of these code points into the table."""
    separators = frozenset() if rules.keeps_spaces else WHITESPACE[whitespace]
    for code in codes:
        character = chr(code)
        table[code] = SPACE if character in separators else rules.character_class(character)


def learn_characters(text: Bytes, table: bytearray, rules: Tokenizer, whitespace: str) -> Array:
    """Enter the classes of the characters of a UTF-8 text into the table. Return the text's code points."""
    characters = text.tobytes().decode()
    codes = np.frombuffer(characters.encode("utf-32-le"), np.uint32)
    classes = np.frombuffer(table, np.uint8).take(codes)
    unknown_codes = codes[classes == _UNKNOWN]
    learn_classes(table, set(unknown_codes.tolist()), rules, whitespace)
    return codes


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
# Each entry has a sign that occurs in these strings, the position of its neighbour (1: after it, -1: before it), and
# the neighbours that make a rewrite necessary. A line end needs no rewrite if the character before it is not "-",
# because the line end separates tokens like the space that would replace it.
_PAIRS = ((b"&", 1, b"qalg"), (b"<", 1, b"s"), (b"\n", -1, b"-"))


def replace_entities(column: pa.Array, options: Tokenization) -> pa.Array:
    """Rewrite the texts that contain an SGML entity, a `<skipped>` tag or a hyphen at a line end. Return all texts."""
    rows = _rows_to_rewrite(column)
    if not len(rows):
        return column

    texts = column.take(from_numpy(rows)).to_pylist()
    rewritten = [rewrite_entities(text, options.stripped) for text in texts]

    is_rewritten = np.zeros(len(column), np.uint8)
    is_rewritten[rows] = 1
    mask = from_numpy(is_rewritten).cast(pa.bool_())
    return pc.replace_with_mask(column, mask, from_strings(rewritten, column.type))


def _rows_to_rewrite(column: pa.Array) -> Ints:
    """Return the indices of the texts that may need a rewrite, because they contain two bytes such as "<s" or "&q"."""
    data, offsets = buffers(column)
    raw = data.tobytes()
    positions = []
    for sign, step, neighbours in _PAIRS:
        if sign in raw:  # much faster than to compare all bytes
            sign_positions = (data == ord(sign)).nonzero()[0]
            needs_rewrite = np.isin(data[sign_positions + step], list(neighbours))
            positions.append(sign_positions[needs_rewrite])
    if not positions:
        return np.zeros(0, np.int64)

    # "right" finds the first text that starts behind a position, so the text before it contains the position
    rows = np.searchsorted(offsets, np.concatenate(positions), side="right") - 1
    return np.unique(rows)


def rewrite_entities(text: str, stripped: str) -> str:
    """Remove `<skipped>` tags and hyphens at line ends, join the lines, and decode the four SGML entities.

    `stripped`: characters that are first stripped from the end, so that a hyphen at the end of the last line stays.
    """
    text = text.rstrip(stripped)
    for old, new in _REPLACEMENTS:
        text = text.replace(old, new)
    return text


def rewrite(column: pa.Array, options: Tokenization) -> pa.Array:
    """Normalize the texts to ``options.normalization``, and lower-case them if ``options.lowercase`` is True.

    The results are those of Python's `normalize` and `str.lower`. Arrow's functions are used only for ASCII, because
    they differ from Python's for `İ`, the final sigma, and new characters.
    """
    lowers = options.lowercase is True
    function = normalizer(options.normalization, lowers)
    if function is None:
        return column

    if not pc.all(pc.string_is_ascii(column)).as_py():
        texts = map(function, column.to_pylist())
        return _large_strings(list(texts))
    # Normalization does not change ASCII
    return pc.ascii_lower(column) if lowers else column


def normalizer(normalization: str, lowers: bool) -> Rewriting | None:
    """Return the function that normalizes and lower-cases a text. Return None if neither is needed."""
    normalize = _NORMALIZERS.get(normalization)
    if normalize is None:
        return str.lower if lowers else None
    if not lowers:
        return normalize
    return lambda text: normalize(text).lower()


def _large_strings(texts: list[str]) -> pa.Array:
    """Build an array of type large string, because lower-cased texts and tokens from a function may exceed 2 GiB."""
    return from_strings(texts, pa.large_string())


def lower_tokens(tokens: Tokens, lowercase: bool | str) -> Tokens:
    """Lower-case tokens: with ``"ascii"`` only A-Z, with ``"after"`` all letters of Unicode.

    With ``True``, `rewrite` has already lower-cased the texts.
    """
    if isinstance(lowercase, bool):
        return tokens

    raw = tokens.data.tobytes()
    if lowercase == "ascii" or raw.isascii():
        return tokens._replace(data=np.frombuffer(raw.lower(), np.uint8))  # `bytes.lower` changes only A-Z
    lowered = [token.lower() for token in _strings(tokens)]
    return tokens_from_strings(_large_strings(lowered), tokens.per_text)


def token_strings(tokens: Tokens) -> list[list[str]]:
    """Return tokens as Python strings, one list per text. This is slow; use it only for texts that are shown."""
    strings = iter(_strings(tokens))
    return [list(islice(strings, n_tokens)) for n_tokens in tokens.per_text.tolist()]


def _strings(tokens: Tokens) -> list[str]:
    """Return all tokens as Python strings."""
    encoded = slices_of(tokens.data, tokens.starts, tokens.lengths)
    return [token.decode() for token in encoded]


def _call(column: pa.Array, options: Tokenization) -> Tokens:
    """Tokenize texts with a tokenizer that is a function or a model. Texts are tokenized one after another.

    Raise ``TypeError`` or ``ValueError`` if the tokenizer does not return a list of valid strings. Raise
    ``RuntimeError`` if the tokenizer raises ``StopIteration``, which could silently end a `map` in the caller's code.
    """
    tokenizer = options.tokenizer
    function = function_of(tokenizer) if isinstance(tokenizer, str) else tokenizer
    stripped = options.stripped

    token_lists = []
    for text in column.to_pylist():
        # Checked before each text, because a slow function can take seconds for a batch
        end_if_stopped()
        tokens = _call_once(function, text.rstrip(stripped), tokenizer)
        token_lists.append(tokens)

    all_tokens = list(chain.from_iterable(token_lists))
    try:
        strings = _large_strings(all_tokens)
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the tokenizer {short_repr(tokenizer)} returned {short_repr(error.object)}, which has a lone surrogate; "
            "return valid Unicode"
        ) from None
    return tokens_from_strings(strings, sizes_of(token_lists))


def _call_once(function: Function, text: str, tokenizer: str | Function) -> list[str]:
    """Return the tokens of a text. Raise an error that names the `tokenizer` if `function` does not return tokens.

    This is ``RuntimeError`` if the function raises ``StopIteration``, and ``TypeError`` if it returns anything else
    than a list of strings.
    """
    try:
        tokens = function(text)
    except StopIteration as error:
        raise RuntimeError(
            f"the tokenizer {short_repr(tokenizer)} raised StopIteration for {short_repr(text)}: give `next` a "
            "default, as in next(words, '')"
        ) from error

    is_list_of_strings = isinstance(tokens, (list, tuple)) and all(isinstance(token, str) for token in tokens)
    if not is_list_of_strings:
        owner = getattr(tokenizer, "__self__", tokenizer)  # a method's object
        advice = "; pass its method tokenizer.tokenize" if hasattr(owner, "tokenize") else ""
        raise TypeError(
            f"the tokenizer {short_repr(tokenizer)} must return a list of strings; it returned {short_repr(tokens)}"
            f"{advice}"
        )
    return tokens
