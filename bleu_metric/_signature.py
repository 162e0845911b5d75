"""Convert options to a signature, which is one line of text, and a signature to options.

A signature consists of parts such as ``tok:13a``. In this module, ``tok`` is called the key, and ``13a`` the word.

This module also reads signatures of sacrebleu's versions 2 and 1, and writes those of version 2. An example of each:

    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
    BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+tok.13a+version.1.5.1
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from ._options import ALWAYS_NAMED, OPTIONS
from ._tokenizers import named_by, named_in_sacrebleu, word_in_sacrebleu, word_of
from ._validation import short_repr, unknown_message

_NAME_OF_KEY = {option.key: name for name, option in OPTIONS.items() if option.key}
# Also key -> name of its option, in the order of a signature, which begins with the keys that every signature has
_OPTION_OF_KEY = {key: _NAME_OF_KEY[key] for key in ALWAYS_NAMED} | _NAME_OF_KEY
# Keys of signatures that are not options. `from_signature` ignores their words, but checks that these are safe in a
# path, because evaluate uses a signature as a folder's name
_ABOUT_THE_DATA = ("nrefs", "bs", "ar", "seed", "conf", "p", "version", "test", "lang", "origlang", "subset")
_SAFE_WORD = re.compile(r"(\w[\w.,+-]*(/\w[\w.,+-]*)*)?")  # such as wmt14/full
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")  # `int` and `float` also read the digits of other scripts


def to_signature(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """Return options as a signature without the version. `defaults`: the default value of each option.

    Options with their default values are left out, unless their keys are in `ALWAYS_NAMED`, as "smooth" is.
    """
    parts = []
    for key, name in _OPTION_OF_KEY.items():
        value = options[name]
        if key in ALWAYS_NAMED or value != defaults[name]:
            word = _NOTATIONS[name].write(value)
            parts.append(f"{key}:{word}")

        if name == "smoothing" and options["smoothing_value"] is not None:
            parts[-1] += f"[{options['smoothing_value']!r}]"  # "smooth:floor" becomes "smooth:floor[0.1]"

    return "|".join(parts)


def is_signature(text: str) -> bool:
    """Return whether a string looks like a signature (ours or sacrebleu's) and not like the name of a dialect."""
    return "|" in text or _is_of_sacrebleu_1(text)


def _is_of_sacrebleu_1(signature: str) -> bool:
    return signature.strip().startswith("BLEU+")


def from_signature(signature: str, tokenizer: Any = None) -> dict[str, Any]:
    """Parse a signature, ours or sacrebleu's, and return its options as a dict.

    If `tokenizer` is not None, the tokenizer in the signature is not read, and `tokenizer` is used instead. Raise
    ``TypeError`` for a value that is not a string, and ``ValueError`` for a string that is not a signature.
    """
    if not isinstance(signature, str):
        raise TypeError(f"a signature is a string, got {short_repr(signature)}")

    other_digit = _OTHER_DIGIT.search(signature)
    if other_digit:
        raise ValueError(f"{short_repr(other_digit[0])} in signature {short_repr(signature)} is not one of 0123456789")
    words = _option_words(signature)
    # It has all keys that sacrebleu's signatures need, and no key that they lack
    is_from_sacrebleu = _SACREBLEU_NEEDS <= words.keys() <= _SACREBLEU_KEYS
    if is_from_sacrebleu:
        words = _in_our_words(words, is_version_1=_is_of_sacrebleu_1(signature))

    options: dict[str, Any] = {}
    if "smooth" in words:
        words["smooth"], options["smoothing_value"] = _split_smoothing(words["smooth"])
    for key, word in words.items():
        name = _OPTION_OF_KEY[key]
        if name != "tokenizer":
            options[name] = _NOTATIONS[name].read(word)
        elif tokenizer is not None:
            options[name] = tokenizer
        elif is_from_sacrebleu:
            options[name] = named_in_sacrebleu(word)
        else:
            options[name] = named_by(word)

    missing_keys = [key for key in ALWAYS_NAMED if key not in words]
    if missing_keys:
        raise ValueError(f"signature {short_repr(signature)} lacks the keys {', '.join(missing_keys)}")
    return options


def _option_words(signature: str) -> dict[str, str]:
    """Return a dict of key -> word for the keys of options, without checking their words.

    Leave out keys about the data, such as "nrefs" and "seed". Raise ``ValueError`` for an unknown or repeated key, and
    for a word about the data that is not a number or a name.

    >>> _option_words("nrefs:1|case:lc|tok:13a")
    {'case': 'lc', 'tok': '13a'}
    """
    words: dict[str, str] = {}
    for part, key, word in _parts_of(signature):
        if key in words:
            raise ValueError(f"key {short_repr(key)} occurs twice in signature {short_repr(signature)}")
        if key in _ABOUT_THE_DATA:
            _check_word_about_data(word, part, signature)
        elif key not in _OPTION_OF_KEY:
            raise ValueError(unknown_message("key in a signature", key, _OPTION_OF_KEY))
        words[key] = word
    return {key: word for key, word in words.items() if key in _OPTION_OF_KEY}


def _check_word_about_data(word: str, part: str, signature: str) -> None:
    """Raise ``ValueError`` unless the word is a number or a name. `part`: the key and the word, for the message."""
    if not _SAFE_WORD.fullmatch(word):
        raise ValueError(f"{short_repr(part)} in signature {short_repr(signature)} is not a number or a name")


def _parts_of(signature: str) -> Iterator[tuple[str, str, str]]:
    """Yield each part of a signature, its full key and its word.

    >>> list(_parts_of("c:lc|s:exp")), list(_parts_of("BLEU+case.lc"))
    ([('c:lc', 'case', 'lc'), ('s:exp', 'smooth', 'exp')], [('case.lc', 'case', 'lc')])
    """
    # sacrebleu prints "signature = score"
    settings, _, _score = signature.strip().partition(" = ")
    separator, sign = "|", ":"
    if _is_of_sacrebleu_1(settings):
        separator, sign = "+", "."
    settings = settings.removeprefix(f"BLEU{separator}")

    for text in settings.split(separator):
        part = text.strip()
        key, found_sign, word = part.partition(sign)
        if not found_sign:
            form = f"key{sign}value"
            raise ValueError(f"{short_repr(part)} in signature {short_repr(signature)} is not of the form {form}")

        full_key = _SHORT_KEYS.get(key, key)
        yield part, full_key, word


def _split_smoothing(word: str) -> tuple[str, float | None]:
    """Return the values of ``smoothing`` and ``smoothing_value``: ``"floor[0.1]"`` -> ``("floor", 0.1)``."""
    method, bracket, value = word.partition("[")
    if not bracket:
        return method, None

    if not value.endswith("]"):
        raise ValueError(f"smooth:{short_repr(word)} in a signature lacks its closing bracket")
    return method, _read_number(value.removesuffix("]"))


def _read_number(text: str, number_type: Callable[[str], float] = float) -> float:
    """Return a number such as an order, a weight or a smoothing value: ``"0.5"`` -> ``0.5``."""
    try:
        if "_" in text:  # as in 1_000, which Python reads
            raise ValueError
        return number_type(text)
    except ValueError:
        raise ValueError(f"{short_repr(text)} in a signature is not a number") from None


def _write_weights(weights: Any) -> str:
    """Return the word for weights: ``"uniform"`` or, for example, ``"0.5,0.5"``."""
    return "uniform" if weights is None else ",".join(map(repr, weights))


def _read_weights(word: str) -> Any:
    """Return the weights for which a word stands. This is the inverse of `_write_weights`."""
    return None if word == "uniform" else [_read_number(number) for number in word.split(",")]


class _Notation(NamedTuple):
    """How a signature shows the value of an option: a function that writes the value as a word, and its inverse."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _notation_of_choice(option: str, words: Mapping[Any, str]) -> _Notation:
    """Return the notation of an option with a fixed set of values. `words`: value -> word."""
    values = {word: value for value, word in words.items()}

    def read(word: str) -> Any:
        if word not in values:
            raise ValueError(unknown_message(f"value of {option} in a signature", word, values))
        return values[word]

    return _Notation(words.__getitem__, read)


_NOTATIONS = {name: _notation_of_choice(name, option.words) for name, option in OPTIONS.items() if option.words}
_NOTATIONS["tokenizer"] = _Notation(word_of, named_by)
_NOTATIONS["max_order"] = _Notation(str, partial(_read_number, number_type=int))
_NOTATIONS["weights"] = _Notation(_write_weights, _read_weights)


# --- sacrebleu's signatures -----------------------------------------------------------------------------------------

_SACREBLEU_KEYS = frozenset({"tok", "case", "smooth", "eff"})
_SACREBLEU_NEEDS = _SACREBLEU_KEYS - {"eff"}  # signatures of sacrebleu 1 have no key "eff"
_SACREBLEU_VERSION = "2.6.0"  # the version whose scores the dialect "sacrebleu" computes
# Key in signatures of sacrebleu 1, or in sacrebleu's short signatures -> full key
_SHORT_KEYS = {"c": "case", "e": "eff", "s": "smooth", "rs": "seed", "v": "version"}
_SHORT_KEYS |= {"numrefs": "nrefs", "#": "nrefs", "t": "test", "l": "lang", "o": "origlang", "S": "subset"}
_SACREBLEU_SMOOTHINGS = ("exp", "floor", "add-k", "none")
_SETTINGS_OF_SACREBLEU = {"order": "4", "weights": "uniform", "ref": "closest", "avg": "corpus"}


def _in_our_words(words: Mapping[str, str], is_version_1: bool) -> dict[str, str]:
    """Translate the words of sacrebleu's signature into the words of ours, except for the tokenizer.

    sacrebleu writes ``eff:no`` although its `sentence_bleu` uses the effective order. We call this ``eff:sentence``.
    In sacrebleu 1, a score without any match is not 0 if it is smoothed. Before 1.5, a signature did not contain the
    smoothing value, whose default was 0, 0.01 or 1. Raise ``ValueError`` if the value is missing.
    """
    if is_version_1:
        words = {**words, "zero": "never"}
        if words["smooth"] in ("floor", "add-k"):
            raise ValueError(
                f"this signature of sacrebleu 1 has smooth.{words['smooth']} without the smoothing value, whose "
                f"default differed between versions: if you know it, add it, as in smooth.{words['smooth']}[0.01]"
            )
    effective = words.get("eff", "no")
    our_effective = "sentence" if effective == "no" else effective
    return {**_SETTINGS_OF_SACREBLEU, **words, "eff": our_effective}


def sacrebleu_signature(signature: str) -> str | None:
    """Return sacrebleu's signature for the same corpus score, or None if sacrebleu cannot compute this score.

    Also return None in two cases in which sacrebleu gives the same signature to different scores: the highest order is
    not 4, or the smoothing value has more than two digits after the point.

    >>> sacrebleu_signature("nrefs:1|tok:13a|case:lc|order:4|weights:uniform|smooth:exp|ref:closest|eff:no|avg:corpus")
    'nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0'
    """
    words = dict(part.split(":", 1) for part in signature.split("|"))
    has_only_usual_keys = words.keys() - {"version"} == {"nrefs", *ALWAYS_NAMED}
    has_settings_of_sacrebleu = words.items() >= _SETTINGS_OF_SACREBLEU.items()
    if not (has_only_usual_keys and has_settings_of_sacrebleu):
        return None
    if words["nrefs"] == "unknown" or words["case"] not in ("mixed", "lc"):
        return None

    tokenizer = word_in_sacrebleu(words["tok"])
    smoothing = _sacrebleu_smoothing(words["smooth"])
    if tokenizer is None or smoothing is None:
        return None

    # sacrebleu also writes "no" for our "sentence"
    effective = "yes" if words["eff"] == "yes" else "no"
    return (
        f"nrefs:{words['nrefs']}|case:{words['case']}|eff:{effective}|tok:{tokenizer}|smooth:{smoothing}|"
        f"version:{_SACREBLEU_VERSION}"
    )


def _sacrebleu_smoothing(word: str) -> str | None:
    """Return how sacrebleu's signature names a smoothing. `word`: the name of the smoothing in our signature.

    Return None if sacrebleu does not have the smoothing, or if sacrebleu's signature would round the smoothing value.
    """
    method, value = _split_smoothing(word)
    if method not in _SACREBLEU_SMOOTHINGS:
        return None
    if value is None:
        return method

    rounded = f"{value:.2f}"  # as sacrebleu writes it
    if float(rounded) != value:
        return None
    return f"{method}[{rounded}]"
