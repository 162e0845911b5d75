"""The tokenizers, and how they split texts. A tokenizer consists of rules, or is a model or a function.

Rules assign a class to each character, and `split` cuts a text by the classes of its characters: around SPACE, ALONE
and MARK, and around a DASH that follows a DIGIT. A MARK between digits is not split off. The kernel splits texts by the
same rules. Most rules come from sacrebleu 2.6.0 (https://github.com/mjpost/sacrebleu). sacrebleu's 13a follows
mteval-v13a, and sacrebleu's intl follows mteval-v14.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple
from unicodedata import normalize

from ._corpus import Kind
from ._display import shorten
from ._lazy import missing_package
from ._threads import end_if_stopped
from ._validation import as_in, short_repr, typed, unknown_message

Function = Callable[[str], list[str]]

# The classes of characters. The bits SEPARATE and LOOK have a meaning
SEPARATE = 2  # bit of the classes around which a text is split
LOOK = 8  # bit of DASH and MARK, whose neighbours decide whether to split there; only the kernel tests this bit
OTHER, DIGIT, DASH = 1, 16, LOOK
ALONE, SPACE, MARK = SEPARATE, SEPARATE | 4, SEPARATE | LOOK | 32
# Whitespace as defined by Perl for bytes ("ascii"), by Unicode and Rust ("unicode"), and by str.split ("python")
WHITESPACE: dict[str, frozenset[str]] = {}
WHITESPACE["ascii"] = frozenset("\t\n\v\f\r ")
WHITESPACE["unicode"] = WHITESPACE["ascii"] | frozenset(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
WHITESPACE["python"] = WHITESPACE["unicode"] | frozenset("\x1c\x1d\x1e\x1f")
_ASCII_PUNCTUATION = frozenset('!"#$%&()*+/:;<=>?@[\\]^_`{|}~')  # all except ' , - .
# sacrebleu's list of Chinese characters. The ranges U+2001-U+2A6D and U+2F81-U+2FA1 are mistakes: five digits were
# meant. We keep both ranges, because otherwise our scores would differ.
_CHINESE = re.compile(
    "[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb"
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]"
)


def _class_13a(char: str) -> int:
    if char in _ASCII_PUNCTUATION:
        return ALONE
    if char in ".,":
        return MARK
    if char == "-":
        return DASH
    return DIGIT if char in "0123456789" else OTHER


def _class_zh(char: str) -> int:
    return ALONE if _CHINESE.match(char) else _class_13a(char)


class Unicode(NamedTuple):
    """The version of Unicode that the tokenizer `intl` follows, and the categories of characters."""

    version: str
    category: Callable[[str], str]  # returns "N" (number), "P" (punctuation), "S" (symbol) or another string


@cache
def unicode_data() -> Unicode:
    """Return the Unicode data of the package `regex`, as in sacrebleu. Without `regex`, return Python's data."""
    try:
        from importlib.metadata import distribution  # imported here, because it takes 0.05 s

        import regex

        # Raises ImportError if the package's metadata is missing
        description = distribution("regex").read_text("METADATA") or ""
    except ImportError:
        return Unicode(unicodedata.unidata_version, lambda char: unicodedata.category(char)[0])  # "P" of "Pd"

    stated = re.search(r"This module supports Unicode (\d+(?:\.\d+)+)", description)  # such as 16.0.0
    version = stated[1] if stated else f"regex-{regex.__version__}"  # the package's version also identifies its data
    # The name of the matching group is the category
    categories = regex.compile(r"(?P<N>\p{N})|(?P<P>\p{P})|(?P<S>\p{S})")

    def category(char: str) -> str:
        match = categories.match(char)
        return match.lastgroup if match else ""

    return Unicode(version, category)


_CLASS_OF_CATEGORY = {"P": MARK, "S": ALONE, "N": DIGIT}


def _class_intl(char: str) -> int:
    category = unicode_data().category(char)
    return _CLASS_OF_CATEGORY.get(category, OTHER)


class Tokenization(NamedTuple):
    """The options of `BleuConfig` that decide which tokens a text has."""

    tokenizer: str | Function
    lowercase: bool | str
    normalization: str
    strip: bool
    whitespace: str

    @property
    def rules(self) -> Tokenizer | None:
        """Return the rules of the tokenizer, or None for a function, a model or a tokenizer of sacrebleu."""
        return TOKENIZERS.get(self.tokenizer) if isinstance(self.tokenizer, str) else None

    @property
    def stripped(self) -> str:
        """Return the characters to strip from the end of a text: all whitespace, or "" if `strip` is False."""
        return "".join(WHITESPACE[self.whitespace]) if self.strip else ""


class Tokenizer(NamedTuple):
    """The rules of one tokenizer."""

    character_class: Callable[[str], int]  # returns a character's class; not called for separating whitespace
    padded: bool = False  # only for a MARK at the ends. True: as if spaces were around it: ".5" -> ".", "5"
    entities: bool = False  # True: <skipped>, &quot;, … are first replaced, see `_REPLACEMENTS`
    trimmed: bool = False  # True: whitespace at both ends is dropped first
    keeps_spaces: bool = False  # True: each whitespace character is a token


TOKENIZERS: dict[str, Tokenizer] = {
    "13a": Tokenizer(_class_13a, padded=True, entities=True),
    "intl": Tokenizer(_class_intl),
    "zh": Tokenizer(_class_zh, trimmed=True),
    "char": Tokenizer(lambda _char: ALONE),
    "whitespace": Tokenizer(lambda _char: OTHER, padded=True),
    "none": Tokenizer(lambda _char: OTHER, padded=True),
    "13a-unpadded": Tokenizer(_class_13a, entities=True),  # used by keras-hub
    "words-and-signs": Tokenizer(lambda char: OTHER if char.isalnum() else ALONE),  # used by CodeXGLUE
    "char-and-space": Tokenizer(lambda _char: ALONE, keeps_spaces=True),  # used by LLaMA-Factory
}
_MECAB = ("ja-mecab", "ko-mecab")  # in sacrebleu's signatures: ja-mecab-0.996-IPA
_DOWNLOADED = ("flores101", "flores200", "spBLEU-1K", "spm")  # sacrebleu downloads their models
SACREBLEU_TOKENIZERS = (*_MECAB, *_DOWNLOADED)  # all need sacrebleu, and a model or a dictionary
_OF_SACREBLEU = ("13a", "intl", "zh", "char", "none", *SACREBLEU_TOKENIZERS)


class Classes(dict[int, int]):
    """The class of each code point. A class is found when it is needed first, because there are 1,114,112 code points.

    `str.translate` reads it: "1.5" becomes chr(DIGIT) + chr(MARK) + chr(DIGIT).
    """

    def __init__(self, rules: Tokenizer, whitespace: str) -> None:
        super().__init__()
        self._rules = rules
        self._spaces = frozenset() if rules.keeps_spaces else WHITESPACE[whitespace]

    def __missing__(self, code: int) -> int:
        character = chr(code)
        self[code] = found = SPACE if character in self._spaces else self._rules.character_class(character)
        return found


classes_of = cache(Classes)

# sacrebleu's rules are regular expressions. `split` applies them to the classes of the characters, so that one set of
# expressions serves all tokenizers. sacrebleu splits off marks with two substitutions, each from left to right and
# without overlap. The first pattern matches a mark after a non-digit, and the second pattern matches a mark before a
# non-digit. A mark stays joined to its neighbours if neither pattern matches. A match of the first pattern has two
# characters, so the first pattern splits off every second mark of a run. Only the last mark of a run can stay joined to
# a digit.
#
#    text     before the run   length   first pattern splits off      tokens
#    1.5      a digit          1        no mark ("1." does not match) 1.5
#    a.5      no digit         1        the mark                      a . 5
#    1..5     a digit          2        the second mark               1 . . 5
#    a..5     no digit         2        the first mark                a . .5
#    1...5    a digit          3        the second mark               1 . . .5
#    a...5    no digit         3        the first and the third       a . . . 5
#    .5       the text's edge  1        padded: the mark              . 5        (a space precedes it)
#                                       not padded: no mark           .5         (nothing precedes it)
#    1.       a digit          1        no mark; padded: the second   1 .        (a space follows it)
#                                       pattern matches; not padded:
#                                       neither matches               1.

# In these patterns, each character is a class
_D, _M, _A, _S = map(re.escape, map(chr, (DIGIT, MARK, ALONE, SPACE)))
_FIRST_PATTERN = {padded: re.compile(f"({'^|' * padded}[^{_D}]){_M}") for padded in (True, False)}
_SECOND_PATTERN = {True: re.compile(f"{_M}(?!{_D})"), False: re.compile(f"{_M}(?=[^{_D}])")}
_TOKEN = re.compile(f"{_A}|[^{_A}{_S}]+")


def split(text: str, classes: Classes, padded: bool) -> list[str]:
    """Return the tokens of a text. `padded`: whether to split it as if spaces surrounded it.

    >>> split("a1-2 b.", classes_of(TOKENIZERS["13a"], "python"), padded=True)
    ['a1', '-', '2', 'b', '.']
    """
    classified = text.translate(classes)  # as long as the text: one class per character
    if chr(MARK) in classified:
        classified = _FIRST_PATTERN[padded].sub(rf"\1{chr(ALONE)}", classified)
        classified = _SECOND_PATTERN[padded].sub(chr(ALONE), classified)
    classified = classified.replace(chr(DIGIT) + chr(DASH), chr(DIGIT) + chr(ALONE))
    return [text[start:end] for start, end in map(re.Match.span, _TOKEN.finditer(classified))]


_SPM_PREFIX = "spm:"
_MODEL_PREFIX = "sentencepiece-"  # in a signature, the digest of a model follows
_FUNCTION_PREFIX = "function-"  # in a signature, the name of a function follows
_DIGITS_OF_DIGEST = 16  # a signature contains this many digits of a model's SHA-256
_DIGEST_AT_END = re.compile(rf"\[([0-9a-f]{{{_DIGITS_OF_DIGEST}}})\]\Z")
_NAME_OF_FUNCTION = re.compile("[0-9A-Za-z][0-9A-Za-z._+-]*")  # safe in a path, in which evaluate uses signatures


def names_a_model(tokenizer: object) -> bool:
    """Return whether a tokenizer is the name of a SentencePiece model, such as ``"spm:PATH"``."""
    return isinstance(tokenizer, str) and tokenizer.startswith(_SPM_PREFIX)


def check_model(tokenizer: str) -> str:
    """Load the model ``"spm:PATH"``. Return the name with the absolute path and a digest: ``"spm:PATH[DIGEST]"``.

    The digest identifies the model, because another file can be at the path later. A name with a digest is returned
    unchanged. Raise ``ValueError`` if the file cannot be read, is not a model or has another digest. Raise
    ``ImportError`` if sentencepiece is not installed.
    """
    path, digest = _path_and_digest(tokenizer)
    try:
        if not digest:
            file = Path(path).expanduser().resolve(strict=True)
            state = file.stat()
            digest = _digest_of_file(file, state.st_mtime_ns, state.st_size, state.st_ino)
            tokenizer = f"{_SPM_PREFIX}{file}[{digest}]"
        load_model(tokenizer)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: the file is not a model
        raise ValueError(
            f"tokenizer {short_repr(tokenizer)} cannot be loaded: {shorten(str(error), 400)}; it must be "
            f"{_SPM_PREFIX!r} followed by the path of a SentencePiece model, such as 'spm:/models/flores200.model'"
        ) from None
    return tokenizer


def _path_and_digest(name: str) -> tuple[str, str]:
    """Split the name of a model: ``"spm:PATH[DIGEST]"`` -> PATH, DIGEST and ``"spm:PATH"`` -> PATH, ""."""
    path = name.removeprefix(_SPM_PREFIX)
    match = _DIGEST_AT_END.search(path)
    return (path.removesuffix(match[0]), match[1]) if match else (path, "")


@cache
def _digest_of_file(path: Path, *_state: int) -> str:
    """Return the first digits of a file's SHA-256. `_state`: part of the cache's key, which changes with the file."""
    return _digest(path.read_bytes())


def _digest(content: bytes) -> str:
    import hashlib  # imported here, because loading OpenSSL takes 3 ms

    return hashlib.sha256(content).hexdigest()[:_DIGITS_OF_DIGEST]


@cache
def load_model(name: str) -> Function:
    """Load the model ``"spm:PATH[DIGEST]"``, once per process."""
    path, digest = _path_and_digest(name)
    content = Path(path).read_bytes()
    found = _digest(content)
    if found != digest:
        raise ValueError(
            f"{path} is not the model of this configuration, because its SHA-256 begins with {found} instead of "
            f"{digest}: restore that model, or build a new configuration and count again"
        )

    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError as error:
        raise missing_package(f"tokenizer {name!r}", "sentencepiece", error) from error
    encode = SentencePieceProcessor(model_proto=content).encode_as_pieces
    encode("")  # raises an error if the file is empty

    def tokenize(text: str) -> list[str]:
        pieces = " ".join(encode(text))
        return pieces.split()  # a piece can contain whitespace

    return tokenize


def word_of(tokenizer: str | Function) -> str:
    """Return the word for a tokenizer in a signature, such as "13a", "intl[16.0.0]" or "function-module.name".

    The word for a function with ``signature_name="pythainlp-5.0"`` is "function-pythainlp-5.0". Raise
    ``ValueError`` if ``signature_name`` is not made of ASCII letters, digits and ``._+-``.
    """
    if not isinstance(tokenizer, str):
        own_name = getattr(tokenizer, "signature_name", None)
        if own_name is None:
            module = getattr(tokenizer, "__module__", "")
            name = getattr(tokenizer, "__qualname__", type(tokenizer).__name__)
            return f"{_FUNCTION_PREFIX}{module}.{name}"
        if not isinstance(own_name, str) or not _NAME_OF_FUNCTION.fullmatch(own_name):
            raise ValueError(
                "the attribute signature_name of a tokenizer function must be a name of ASCII letters, digits and "
                f"._+-, such as 'pythainlp-5.0', got {short_repr(own_name)}"
            )
        return _FUNCTION_PREFIX + own_name

    if names_a_model(tokenizer):
        _path, digest = _path_and_digest(tokenizer)
        return _MODEL_PREFIX + digest
    if tokenizer == "intl":
        return f"intl[{unicode_data().version}]"
    in_sacrebleu = word_in_sacrebleu(tokenizer) if tokenizer in _MECAB else None
    return _with_dictionary(tokenizer, in_sacrebleu) if in_sacrebleu else tokenizer


def _with_dictionary(mecab: str, in_sacrebleu: str) -> str:
    """Return our word for a tokenizer with a dictionary: "ja-mecab-0.996-IPA" -> "ja-mecab[0.996-IPA]"."""
    return f"{mecab}[{in_sacrebleu.removeprefix(f'{mecab}-')}]"


# Start of a word -> why the word does not determine the tokenizer, and what the user has to pass
_NOT_READ = {
    _SPM_PREFIX: ("a signature never names a file", "'spm:PATH'"),
    _MODEL_PREFIX: ("a signature contains only the SHA-256 of a SentencePiece model", "'spm:PATH'"),
    _FUNCTION_PREFIX: ("a signature contains only the name of a tokenizer function", "…"),
    **{name: ("a signature never starts a download", repr(name)) for name in _DOWNLOADED},
}


def named_by(word: str) -> str:
    """Return the tokenizer for a word from `word_of`: "intl[16.0.0]" -> "intl".

    Raise ``ValueError`` for the words in `_NOT_READ`, because the signature of a stranger must neither open a file nor
    download anything. Also raise ``ValueError`` if the Unicode version of `intl`, or the dictionary of MeCab, is not
    the installed one.
    """
    for start, (reason, tokenizer) in _NOT_READ.items():
        if word.startswith(start):
            option = typed("tokenizer", *([] if tokenizer == "…" else [tokenizer.strip("'")]))
            raise ValueError(
                f"{reason}: {short_repr(word)}; pass {option} yourself"
                + as_in(f"config=BleuConfig(tokenizer={tokenizer}) to read statistics")
            )

    name = word.partition("[")[0]  # without the version in "intl[16.0.0]"
    if name != "intl" and name not in _MECAB:
        return word
    installed = word_of(name)
    is_known = name == "intl" or name not in (word, installed)  # without MeCab, its dictionary is unknown
    if is_known and word != installed:
        package, data = ("regex", "Unicode data") if name == "intl" else ("MeCab", "dictionaries")
        raise ValueError(
            f"the signature names {short_repr(word)}, but this installation has {installed}; with other {data}, "
            f"scores may differ: install the version of {package} that was used, or count the texts with "
            f"{typed('tokenizer', name)}"
        )
    return name


def named_in_sacrebleu(word: str) -> str:
    """Return the tokenizer for a word in sacrebleu's signature: "ja-mecab-0.996-IPA" -> "ja-mecab".

    The version of Unicode is not checked, because sacrebleu's signature does not name it. Raise ``ValueError`` for an
    unknown tokenizer, for another dictionary of MeCab, and for a tokenizer whose model sacrebleu would download.
    """
    for mecab in _MECAB:
        if word.startswith(f"{mecab}-"):
            return named_by(_with_dictionary(mecab, word))
    name = word
    if name not in _OF_SACREBLEU:
        raise ValueError(unknown_message("tokenizer in a signature of sacrebleu", word, _OF_SACREBLEU))
    # `named_by` would ask for the Unicode version of `intl`
    return name if name == "intl" else named_by(name)


def word_in_sacrebleu(word: str) -> str | None:
    """Return sacrebleu's word for a tokenizer from our word: "ja-mecab" -> "ja-mecab-0.996-IPA".

    Return None if sacrebleu lacks the tokenizer, or if a package for the tokenizer is not installed.
    """
    name = word.partition("[")[0]  # without the version in "intl[16.0.0]"
    if name in _MECAB:
        try:
            return str(_sacrebleu_tokenizer(name).signature())
        except (ImportError, RuntimeError):  # sacrebleu raises RuntimeError if MeCab is missing
            return None
    if name == "spm":
        return "flores101"  # another name of the same model
    return name if name in _OF_SACREBLEU else None


@cache
def _of_sacrebleu(name: str) -> Function:
    """Return a tokenizer of sacrebleu as a function.

    Raise ``ImportError`` if a package is missing, and ``OSError`` if sacrebleu cannot download the tokenizer's model.
    """
    try:
        tokenizer = _sacrebleu_tokenizer(name)
    except (ImportError, RuntimeError) as error:  # sacrebleu raises RuntimeError if MeCab is missing
        to_install = '"sacrebleu[ja,ko]" sentencepiece'
        raise missing_package(f"tokenizer {name!r}", "sacrebleu and its extras", error, to_install) from error
    except OSError as error:
        from sacrebleu.utils import SACREBLEU_DIR

        folder = Path(SACREBLEU_DIR, "models")
        raise OSError(
            f"tokenizer {name!r}: sacrebleu could not download its model ({error}); connect to the internet, or "
            f"put the model into {folder}"
        ) from error
    return lambda text: tokenizer(text).split()


def _sacrebleu_tokenizer(name: str) -> Any:
    from sacrebleu.metrics.bleu import _get_tokenizer

    return _get_tokenizer(name)()


# --- Texts -> tokens ------------------------------------------------------------------------------------------------

Rewriting = Callable[[str], str]
_NORMALIZERS: dict[str, Rewriting] = {"NFC": partial(normalize, "NFC"), "NFKC": partial(normalize, "NFKC")}
_LOWER_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)


def _lower_ascii(text: str) -> str:
    return text.translate(_LOWER_ASCII)


# Option `lowercase` -> what happens to each token, unless `lowering` lower-cases whole texts
_LOWER_TOKEN: dict[bool | str, Rewriting] = {"after": str.lower, "ascii": _lower_ascii}


def tokenize(texts: Iterable[Any], kind: Kind, options: Tokenization) -> list[list[Any]]:
    """Split texts into tokens. Lists of tokens are only normalized and lower-cased; token ids stay the same."""
    if kind == "ids":
        return list(texts)
    prepare = preparation(kind, options, rewrites_entities=True) or str
    if kind == "tokens":
        return [list(map(prepare, text)) for text in texts]
    split_text = _splitter(options)
    lower = str if lowering(kind, options) else _LOWER_TOKEN.get(options.lowercase, str)
    return [[lower(token) for token in split_text(prepare(text))] for text in texts]


def _splitter(options: Tokenization) -> Function:
    """Return the function that splits a prepared text into tokens."""
    rules, stripped, tokenizer = options.rules, options.stripped, options.tokenizer
    if rules:
        return partial(split, classes=classes_of(rules, options.whitespace), padded=rules.padded)
    function: Any = tokenizer
    if isinstance(tokenizer, str):
        function = load_model(check_model(tokenizer)) if names_a_model(tokenizer) else _of_sacrebleu(tokenizer)
    return lambda text: _call_once(function, text.rstrip(stripped), tokenizer)


def lowering(kind: Kind, options: Tokenization) -> Rewriting | None:
    """Return the function that lower-cases whole strings, or None if nothing or each token of a text is lower-cased.

    "ascii" lower-cases after tokenizing, but all `TOKENIZERS` split "A" and "a" alike.
    """
    if options.lowercase is True or (kind == "tokens" and options.lowercase == "after"):
        return str.lower
    return _lower_ascii if options.lowercase == "ascii" and (kind == "tokens" or options.rules) else None


def preparation(kind: Kind, options: Tokenization, rewrites_entities: bool) -> Rewriting | None:
    """Return the function that changes each string before the string is split, or None if nothing changes.

    The function normalizes and lower-cases texts and tokens, and strips texts. `rewrites_entities`: whether it also
    calls `rewrite_entities` if the tokenizer does.
    """
    rewritings: list[Rewriting | None] = []
    if options.normalization in _NORMALIZERS:
        rewritings.append(_NORMALIZERS[options.normalization])
    lower = lowering(kind, options)
    if lower is not _lower_ascii:
        rewritings.append(lower)

    rules = options.rules
    if kind == "text" and rules:
        if rules.trimmed:
            rewritings.append(str.strip)
        # If `padded`, stripping would not change the tokens
        elif options.strip and not rules.padded:
            stripped = options.stripped
            rewritings.append(lambda text: text.rstrip(stripped))
        if rules.entities and rewrites_entities:
            rewritings.append(partial(rewrite_entities, stripped=options.stripped))
    if lower is _lower_ascii:
        rewritings.append(lower)  # after `rewrite_entities`, because &QUOT; is not an entity
    return one_after_another(rewritings)


def one_after_another(rewritings: Iterable[Rewriting | None]) -> Rewriting | None:
    """Return a function that applies all rewritings in order. Ignore None; if all are None, return None."""
    functions = [function for function in rewritings if function]
    if len(functions) <= 1:
        return functions[0] if functions else None

    def rewrite(text: str) -> str:
        for function in functions:
            text = function(text)
        return text

    return rewrite


_REPLACEMENTS = (
    ("<skipped>", ""),
    ("-\n", ""),
    ("\n", " "),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
)


def rewrite_entities(text: str, stripped: str) -> str:
    """Remove `<skipped>` tags and hyphens at line ends, join the lines, and decode the four SGML entities.

    `stripped`: characters to strip from the end first, so that a hyphen at the end of the text stays.
    """
    text = text.rstrip(stripped)
    for old, new in _REPLACEMENTS:
        text = text.replace(old, new)
    return text


def _call_once(function: Function, text: str, tokenizer: str | Function) -> list[str]:
    """Return the tokens of a text. Raise ``TypeError`` if `function` does not return a list of strings.

    Raise ``RuntimeError`` if `function` raises ``StopIteration``, which could silently end a `map` in the caller's
    code. The errors name `tokenizer`.
    """
    end_if_stopped()  # before each text, because a slow function can take seconds for a batch
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
    try:
        "".join(tokens).encode()
    except UnicodeEncodeError:
        wrong = next(token for token in tokens if any("\ud800" <= sign <= "\udfff" for sign in token))
        raise ValueError(
            f"the tokenizer {short_repr(tokenizer)} returned {short_repr(wrong)}, which has a lone surrogate; "
            "return valid Unicode"
        ) from None
    return list(tokens)
