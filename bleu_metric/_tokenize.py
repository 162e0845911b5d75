"""Split `Texts` into tokens without a Python loop over the texts. A token is a range of bytes in their UTF-8.

Only tokenizers that are functions or models are called for each text. The kernel splits texts by the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import chain
from unicodedata import normalize

from ._lazy import np
from ._texts import Kind, Texts, encode, offsets_of, sizes_of, split_list
from ._threads import end_if_stopped
from ._tokenizers import OTHER, SPACE, WHITESPACE, Function, Tokenization, Tokenizer, function_of, split
from ._validation import Array, Bytes, Ints, short_repr

Rewriting = Callable[[str], str]
_NORMALIZERS: dict[str, Rewriting] = {"NFC": partial(normalize, "NFC"), "NFKC": partial(normalize, "NFKC")}
_UNKNOWN = 0  # in a table of classes: the class of this character is not known yet
_MAYBE_SPACE = 64  # temporary class of bytes that can be the first byte of a non-ASCII space
_CODE_POINTS = 0x110000  # number of code points of Unicode


def tokenize(texts: Texts, options: Tokenization) -> Texts:
    """Return the tokens of the texts. Tokens are normalized and lower-cased, but not split again; ids do not change."""
    if texts.kind == "ids":
        return texts
    rules = options.rules
    tokens = rewrite_all(texts, preparation(texts.kind, options))
    if texts.kind == "text":
        # A tokenizer without rules is a function or a model
        tokens = _split(tokens, rules, options) if rules else _call(tokens, options)
    return _lower_tokens(tokens, options.lowercase)


def token_lists(tokens: Texts) -> list[list[str]]:
    """Return tokens as Python strings, one list per text. This is slow; use it only for texts that are shown."""
    return split_list(tokens.strings(), tokens.per_text)


# --- Changes of strings before they are split -----------------------------------------------------------------------


def preparation(kind: Kind, options: Tokenization) -> Rewriting | None:
    """Return the function that is called with each string before it is split. Return None if strings do not change.

    The function normalizes and lower-cases a text or a token, and strips a text.
    """
    rewritings: list[Rewriting | None] = []
    if options.normalization in _NORMALIZERS:
        rewritings.append(_NORMALIZERS[options.normalization])
    if options.lowercase is True:
        rewritings.append(str.lower)

    rules = options.rules
    if kind == "text" and rules:
        if rules.trimmed:
            rewritings.append(str.strip)
        # Surrounded by spaces, a text splits in the same way if it is stripped
        elif options.strip and not rules.padded:
            stripped = options.stripped
            rewritings.append(lambda text: text.rstrip(stripped))
    return one_after_another(rewritings)


def one_after_another(rewritings: Iterable[Rewriting | None]) -> Rewriting | None:
    """Return a function that calls all functions that are not None. If there are none, return None."""
    functions = [function for function in rewritings if function]
    if len(functions) <= 1:
        return functions[0] if functions else None

    def rewrite(text: str) -> str:
        for function in functions:
            text = function(text)
        return text

    return rewrite


def rewrite_all(texts: Texts, rewriting: Rewriting | None) -> Texts:
    """Return the texts with a function applied to each string; the texts themselves if the function is None."""
    if rewriting is None:
        return texts
    rewritten = map(rewriting, texts.strings())
    return encode(texts.kind, list(rewritten), texts.per_text)


_REPLACEMENTS = (
    ("<skipped>", ""),
    ("-\n", ""),
    ("\n", " "),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
)
# Texts without these strings need no replacement, because a line end separates tokens like the space that would replace
# it. The kernel looks for the same strings: if you add one, change `may_be_rewritten` in `_kernel.c`
_REPLACED = [old.encode() for old, _ in _REPLACEMENTS if old != "\n"]


def replace_entities(texts: Texts, options: Tokenization) -> Texts:
    """Rewrite texts that contain SGML entities, `<skipped>` tags or hyphens at line ends; see `rewrite_entities`."""
    raw = texts.data.tobytes()
    if not any(old in raw for old in _REPLACED):
        return texts
    return rewrite_all(texts, partial(rewrite_entities, stripped=options.stripped))


def rewrite_entities(text: str, stripped: str) -> str:
    """Remove `<skipped>` tags and hyphens at line ends, join the lines, and decode the four SGML entities.

    `stripped`: characters that are first stripped from the end, so that a hyphen at the end of the last line stays.
    """
    text = text.rstrip(stripped)
    for old, new in _REPLACEMENTS:
        text = text.replace(old, new)
    return text


# --- Splitting by rules ---------------------------------------------------------------------------------------------


def _split(texts: Texts, rules: Tokenizer, options: Tokenization) -> Texts:
    """Split texts into tokens by the rules of a tokenizer."""
    # The texts are already stripped; spaces that this adds must stay
    if rules.entities:
        texts = replace_entities(texts, options)

    offsets = offsets_of(texts.lengths)
    data = texts.data[: offsets[-1]]  # without the padding
    split_texts = _split_bytes if rules.bytewise else _split_characters
    starts, ends = split_texts(data, offsets, rules, options.whitespace)

    # These are the index of each text's first token, and then the number of all tokens
    first_tokens = np.searchsorted(starts, offsets)
    return Texts("tokens", texts.data, starts, lengths=ends - starts, per_text=np.diff(first_tokens))


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


def _lower_tokens(tokens: Texts, lowercase: bool | str) -> Texts:
    """Lower-case tokens: with ``"ascii"`` only A-Z, with ``"after"`` all letters of Unicode.

    With ``True``, `preparation` has already lower-cased the texts.
    """
    if isinstance(lowercase, bool):
        return tokens

    raw = tokens.data.tobytes()
    if lowercase == "ascii" or raw.isascii():
        return tokens._replace(data=np.frombuffer(raw.lower(), np.uint8))  # `bytes.lower` changes only A-Z
    return rewrite_all(tokens, str.lower)


# --- Tokenizers that are functions or models ------------------------------------------------------------------------


def _call(texts: Texts, options: Tokenization) -> Texts:
    """Tokenize texts with a tokenizer that is a function or a model. Texts are tokenized one after another.

    Raise ``TypeError`` or ``ValueError`` if the tokenizer does not return a list of valid strings. Raise
    ``RuntimeError`` if the tokenizer raises ``StopIteration``, which could silently end a `map` in the caller's code.
    """
    tokenizer = options.tokenizer
    function = function_of(tokenizer) if isinstance(tokenizer, str) else tokenizer
    stripped = options.stripped

    lists = []
    for text in texts.strings():
        # Checked before each text, because a slow function can take seconds for a batch
        end_if_stopped()
        lists.append(_call_once(function, text.rstrip(stripped), tokenizer))

    try:
        return encode("tokens", list(chain.from_iterable(lists)), sizes_of(lists))
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the tokenizer {short_repr(tokenizer)} returned {short_repr(error.object)}, which has a lone surrogate; "
            "return valid Unicode"
        ) from None


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
