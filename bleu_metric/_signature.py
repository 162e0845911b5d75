"""A configuration as one line of text, and back.

    tok:13a|case:mixed|order:4|weights:uniform|smooth:exp|ref:closest|eff:no|avg:corpus|version:0.1.0

The first eight choices are always named, the others where they are not the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._names import described, unknown

VERSION = "0.1.0"
COUNTS_ALIKE = ("0.1.0",)  # versions whose counts are those of this one: their files can be read

_WORDS: dict[str, dict[object, str]] = {  # spelled otherwise than the option's value
    "lowercase": {False: "mixed", True: "lc", "after": "lc-after", "ascii": "lc-ascii"},
    "strip": {False: "no", True: "yes"},
    "effective_order": {False: "no", True: "yes", "sentence": "sentence"},
    "auto_reweigh": {False: "no", True: "yes"},
}
_ALWAYS = {
    "tok": "tokenizer",
    "case": "lowercase",
    "order": "max_order",
    "weights": "weights",
    "smooth": "smoothing",
    "ref": "reference_length",
    "eff": "effective_order",
    "avg": "average",
}
_WHERE_NOT_DEFAULT = {
    "strip": "strip",
    "space": "whitespace",
    "reweigh": "auto_reweigh",
    "floor": "total_floor",
    "zero": "zero_score",
    "zeroprec": "zero_precision",
    "wtype": "weight_precision",
}
_DIGITS = 9  # of a whole number in a signature
_ABOUT_THE_DATA = ("nrefs", "bs", "ar", "seed", "conf", "p", "version")  # no choices: not read back


def to_signature(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """Write all options of a configuration as a signature."""
    shown = dict(_ALWAYS)
    shown.update({key: name for key, name in _WHERE_NOT_DEFAULT.items() if options[name] != defaults[name]})
    words = [f"{key}:{_word(name, options)}" for key, name in shown.items()]
    return "|".join([*words, f"version:{VERSION}"])


def _word(name: str, options: Mapping[str, Any]) -> str:
    value = options[name]
    if name == "tokenizer" and callable(value):
        return f"function-{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__name__)}"
    if name == "weights":
        return _weights_word(value)
    if name == "smoothing" and options["smoothing_value"] is not None:
        return f"{value}[{options['smoothing_value']!r}]"
    return _WORDS[name][value] if name in _WORDS else str(value)


def _weights_word(weights: Any) -> str:
    if weights is None:
        return "uniform"
    if isinstance(weights[0], tuple):
        return "".join(f"{_weights_word(one)};" for one in weights)
    return ",".join(map(repr, weights))


def from_signature(signature: str) -> dict[str, Any]:
    """Read the options that a signature names; ``ValueError`` for text that is none, ``TypeError`` for no text."""
    if not isinstance(signature, str):
        raise TypeError(f"a signature is a string, got {described(signature)}")
    names = {**_ALWAYS, **_WHERE_NOT_DEFAULT}
    options: dict[str, Any] = {}
    for part in signature.split("|"):
        key, colon, word = part.partition(":")
        if not colon:
            raise ValueError(f"{described(part)} in signature {described(signature)} is not of the form key:value")
        if key in _ABOUT_THE_DATA:
            continue
        if key not in names:
            raise ValueError(unknown("key in a signature", key, names))
        if names[key] in options:
            raise ValueError(f"key {described(key)} stands twice in signature {described(signature)}")
        options.update(_read(names[key], word))
    if missing := [key for key, name in _ALWAYS.items() if name not in options]:
        raise ValueError(f"signature {described(signature)} does not name {', '.join(missing)}")
    return options


def version_of(signature: str) -> str:
    """Read the version that made a signature; ``"unknown"`` if it names none."""
    versions = [part.removeprefix("version:") for part in signature.split("|") if part.startswith("version:")]
    return versions[0] if versions else "unknown"


def _read(name: str, word: str) -> dict[str, Any]:
    if name == "tokenizer" and word.startswith("function-"):
        raise ValueError(
            f"a signature cannot bring back a tokenizer that is a function: {described(word)}; pass tokenizer=…, or "
            "config=BleuConfig(tokenizer=…) to read statistics"
        )
    if name == "max_order":
        if not (word.isascii() and word.isdigit() and len(word) <= _DIGITS):
            raise ValueError(f"order:{described(word)} in a signature is not a whole number of up to {_DIGITS} digits")
        return {name: int(word)}
    if name == "weights":
        return {name: _read_weights(word)}
    if name == "smoothing":
        method, bracket, value = word.partition("[")
        if bracket and not value.endswith("]"):
            raise ValueError(f"smooth:{described(word)} in a signature lacks its closing bracket")
        return {name: method, "smoothing_value": _number(value.removesuffix("]")) if bracket else None}
    if name in _WORDS:
        values = {text: value for value, text in _WORDS[name].items()}
        if word not in values:
            raise ValueError(unknown(f"value of {name} in a signature", word, values))
        return {name: values[word]}
    return {name: word}


def _read_weights(word: str) -> Any:
    if word == "uniform":
        return None
    lists = [tuple(_number(number) for number in one.split(",")) for one in word.removesuffix(";").split(";")]
    return tuple(lists) if ";" in word else lists[0]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{described(text)} in a signature is not a number") from None
