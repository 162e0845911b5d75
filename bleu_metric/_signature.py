"""Signatures: the options of a configuration as one line of text, and the options that a signature names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ._tokenizers import named_by, word_of
from ._validation import short_repr, unknown_message

# Option -> value -> its text in a signature, for options whose text is not str(value)
_WORDS: dict[str, dict[object, str]] = {
    "lowercase": {False: "mixed", True: "lc", "after": "lc-after", "ascii": "lc-ascii"},
    "strip": {False: "no", True: "yes"},
    "effective_order": {False: "no", True: "yes", "sentence": "sentence"},
    "auto_reweigh": {False: "no", True: "yes"},
}
# Key in a signature -> option
_ALWAYS_NAMED = {
    "tok": "tokenizer",
    "case": "lowercase",
    "order": "max_order",
    "weights": "weights",
    "smooth": "smoothing",
    "ref": "reference_length",
    "eff": "effective_order",
    "avg": "average",
}
_NAMED_IF_NOT_DEFAULT = {
    "strip": "strip",
    "space": "whitespace",
    "reweigh": "auto_reweigh",
    "floor": "total_floor",
    "zero": "zero_score",
    "zeroprec": "zero_precision",
    "wtype": "weight_precision",
}
_ABOUT_THE_DATA = ("nrefs", "bs", "ar", "seed", "conf", "p", "version")  # not options: `from_signature` ignores them
_HARMLESS = re.compile(r"[\w.+-]*")  # the words of these keys; evaluate uses a signature as the name of a folder
_MOST_DIGITS = 9  # a signature whose max_order has more digits is refused


def to_signature(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """Return options as a signature without the version. `defaults`: the default value of each option."""
    changed = {key: option for key, option in _NAMED_IF_NOT_DEFAULT.items() if options[option] != defaults[option]}
    named = _ALWAYS_NAMED | changed
    words = [f"{key}:{_word(option, options)}" for key, option in named.items()]
    return "|".join(words)


def _word(option: str, options: Mapping[str, Any]) -> str:
    value = options[option]
    if option == "tokenizer":
        return word_of(value)
    if option == "weights":
        return _weights_word(value)
    if option == "smoothing" and options["smoothing_value"] is not None:
        return f"{value}[{options['smoothing_value']!r}]"
    return _WORDS[option][value] if option in _WORDS else str(value)


def _weights_word(weights: Any) -> str:
    if weights is None:
        return "uniform"
    if isinstance(weights[0], tuple):
        return "".join(f"{_weights_word(own_weights)};" for own_weights in weights)
    return ",".join(map(repr, weights))


def from_signature(signature: str, tokenizer: Any = None) -> dict[str, Any]:
    """Parse a signature and return its options as a dict.

    `tokenizer`: replaces the tokenizer of the signature, whose word is then not read. Raise ``TypeError`` for a value
    that is not a string, and ``ValueError`` for a string that is not a signature.
    """
    if not isinstance(signature, str):
        raise TypeError(f"a signature is a string, got {short_repr(signature)}")
    option_of_key = {**_ALWAYS_NAMED, **_NAMED_IF_NOT_DEFAULT}
    options: dict[str, Any] = {}
    for part in signature.split("|"):
        key, colon, word = part.partition(":")
        if not colon:
            raise ValueError(f"{short_repr(part)} in signature {short_repr(signature)} is not of the form key:value")
        if key in _ABOUT_THE_DATA:
            if not _HARMLESS.fullmatch(word):
                raise ValueError(f"{short_repr(part)} in signature {short_repr(signature)} is not a number or a name")
            continue
        if key not in option_of_key:
            raise ValueError(unknown_message("key in a signature", key, option_of_key))
        option = option_of_key[key]
        if option in options:
            raise ValueError(f"key {short_repr(key)} occurs twice in signature {short_repr(signature)}")
        is_replaced = option == "tokenizer" and tokenizer is not None
        options.update({option: tokenizer} if is_replaced else _read_word(option, word))
    missing = [key for key, option in _ALWAYS_NAMED.items() if option not in options]
    if missing:
        raise ValueError(f"signature {short_repr(signature)} lacks the keys {', '.join(missing)}")
    return options


def _read_word(option: str, word: str) -> dict[str, Any]:
    if option == "tokenizer":
        return {option: named_by(word)}
    if option == "max_order":
        return {option: _read_order(word)}
    if option == "weights":
        return {option: _read_weights(word)}
    if option == "smoothing":
        return _read_smoothing(word)
    if option in _WORDS:
        values = {text: value for value, text in _WORDS[option].items()}
        if word not in values:
            raise ValueError(unknown_message(f"value of {option} in a signature", word, values))
        return {option: values[word]}
    return {option: word}


def _read_order(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS):
        raise ValueError(
            f"order:{short_repr(word)} in a signature is not a whole number of up to {_MOST_DIGITS} digits"
        )
    return int(word)


def _read_smoothing(word: str) -> dict[str, Any]:
    method, bracket, value = word.partition("[")
    if not bracket:
        return {"smoothing": method, "smoothing_value": None}
    if not value.endswith("]"):
        raise ValueError(f"smooth:{short_repr(word)} in a signature lacks its closing bracket")
    return {"smoothing": method, "smoothing_value": _read_number(value.removesuffix("]"))}


def _read_weights(word: str) -> Any:
    if word == "uniform":
        return None
    has_many = ";" in word
    texts = word.removesuffix(";").split(";")
    lists = tuple(tuple(map(_read_number, text.split(","))) for text in texts)
    return lists if has_many else lists[0]


def _read_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{short_repr(text)} in a signature is not a number") from None
