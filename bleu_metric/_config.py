"""The settings that can change a score, their validation, and the signature that names them.

    tok:13a|case:mixed|order:4|weights:uniform|smooth:exp|ref:closest|eff:no|avg:corpus|version:0.1.0

A signature always names the first eight settings. It names another setting only if its value is not the default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypedDict, cast

from ._display import shorten
from ._other_names import hint_for
from ._reference_length import REFERENCE_LENGTHS
from ._smoothing import SMOOTHINGS
from ._tokenizers import SACREBLEU_TOKENIZERS, TOKENIZERS, WHITESPACE, check_model, named_by, names_a_model, word_of
from ._validation import Weights, as_int, check_finite, check_order, check_weights, short_repr, unknown_message

VERSION = "0.1.0"
COUNTS_ALIKE = ("0.1.0",)  # versions that count as this version does, so that their files can be read

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
    """Return the options of a configuration as a signature. `defaults`: the default value of each option."""
    changed = {key: option for key, option in _NAMED_IF_NOT_DEFAULT.items() if options[option] != defaults[option]}
    named = _ALWAYS_NAMED | changed
    words = [f"{key}:{_word(option, options)}" for key, option in named.items()]
    return "|".join([*words, f"version:{VERSION}"])


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


Weighting = Sequence[float] | Sequence[Sequence[float]] | None
CHOICES: dict[str, tuple[str | bool, ...]] = {
    "tokenizer": (*TOKENIZERS, *SACREBLEU_TOKENIZERS),
    "lowercase": (False, True, "after", "ascii"),
    "strip": (False, True),
    "whitespace": tuple(WHITESPACE),
    "smoothing": tuple(SMOOTHINGS),
    "reference_length": tuple(REFERENCE_LENGTHS),
    "effective_order": (False, True, "sentence"),
    "auto_reweigh": (False, True),
    "average": ("corpus", "sentence"),
    "total_floor": ("none", "segment", "corpus"),
    "zero_score": ("no-match", "any-order", "empty", "empty-prediction", "never"),
    "zero_precision": ("zero", "skip", "skip-absent", "long-double"),
    "weight_precision": ("float64", "float32"),
}


@dataclass(frozen=True, kw_only=True)
class BleuConfig:
    """The options of a score. By default: BLEU as in the paper (Papineni et al., 2002), with the tokenizer ``13a``.

    Raises ``ValueError`` for a value that is not accepted and ``TypeError`` for a value of a wrong type.

    >>> BleuConfig(smoothing="exp", max_order=2).signature()
    'tok:13a|case:mixed|order:2|weights:uniform|smooth:exp|ref:closest|eff:no|avg:corpus|version:0.1.0'
    """

    tokenizer: str | Callable[[str], list[str]] = "13a"
    """Name of a tokenizer, ``"spm:PATH"`` with the path of a SentencePiece model, or a function that splits one text.
    Input that consists of tokens is not tokenized again."""
    lowercase: bool | str = False
    """``True``: lower-case texts before tokenizing. ``"after"``: after it. ``"ascii"``: after it, only A-Z."""
    strip: bool = True
    """``True``: drop white space at the end of a text before tokenizing, as sacrebleu does."""
    whitespace: str = "python"
    """Characters that separate tokens: ``"python"`` as in ``str.split()``, ``"unicode"`` (Rust), ``"ascii"`` (Perl)."""
    max_order: int = cast(int, None)  # `__post_init__` replaces None by an int
    """Highest n-gram order, at least 1. Default: the number of weights, or 4 without weights."""
    weights: Weighting = None
    """One weight per order; ``None``: equal weights. A list of such lists: one score per list. Stored as tuples."""
    smoothing: str = "none"
    """Name of the formula for n-gram orders without a match; ``_smoothing.py`` lists all."""
    smoothing_value: float | None = None
    """Epsilon, k or alpha in the smoothing formula; ``None``: the default of the library that the formula is from."""
    reference_length: str = "closest"
    """Name of the rule for the reference length in the brevity penalty; ``_reference_length.py`` lists all."""
    effective_order: bool | str = False
    """``True``: leave out n-gram orders for which the text is too short; ``"sentence"``: only in sentence scores."""
    auto_reweigh: bool = False
    """NLTK's option: if all 4 weights are 0.25 and the predictions have n = 1 to 3 tokens, use n weights of 1 / n."""
    average: str = "corpus"
    """``"corpus"``: score the summed counts; ``"sentence"``: compute the mean of the sentence scores."""
    total_floor: str = "none"
    """Where an order without n-grams counts as one n-gram: in each ``"segment"``, or in the ``"corpus"`` sum."""
    zero_score: str = "no-match"
    """When the score is 0 whatever the smoothing. ``"no-match"``: if no n-gram matches; all precisions are then 0.
    ``"any-order"``: if an order has no match. ``"empty"``: if the predictions or the references have no tokens; the
    brevity penalty is then 0. ``"empty-prediction"``: if the predictions or all references of the corpus have no
    tokens. ``"never"``: in no such case."""
    zero_precision: str = "zero"
    """Effect of a precision of 0. ``"zero"``: the score is 0. ``"skip"``: if a smoothing is set, the order is left out.
    ``"skip-absent"``: the order is left out if the text is too short for it. ``"long-double"``: the smallest normal
    long double replaces the precision."""
    weight_precision: str = "float64"
    """Floating-point type to which the weights are rounded."""

    def __new__(cls, **options: Any) -> BleuConfig:
        """Check the option names before ``__init__`` does: the error for an unknown name suggests the nearest name."""
        _check_names(options)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for option in CHOICES:
            object.__setattr__(self, option, _check_choice(option, getattr(self, option)))
        object.__setattr__(self, "weights", check_weights(self.weights))
        object.__setattr__(self, "max_order", check_order(self.max_order, self.weights))
        smoothing_value = _check_smoothing_value(self.smoothing_value, self.smoothing)
        object.__setattr__(self, "smoothing_value", smoothing_value)

    def weight_lists(self) -> tuple[Weights, ...]:
        """Return one tuple of weights per score, each with up to `max_order` weights.

        >>> BleuConfig(max_order=2).weight_lists()
        ((0.5, 0.5),)
        """
        return self._weight_lists

    @cached_property
    def _weight_lists(self) -> tuple[Weights, ...]:
        if self.weights is None:
            return ((1 / self.max_order,) * self.max_order,)
        return self.weights if self.has_many_weights else (self.weights,)  # type: ignore[return-value]

    @property
    def has_many_weights(self) -> bool:
        """Return whether `weights` is a list of lists. If so, every score is a list.

        >>> BleuConfig(weights=[[1.0], [0.5, 0.5]]).has_many_weights
        True
        """
        return self.weights is not None and isinstance(self.weights[0], tuple)

    @property
    def depends_on_segment_order(self) -> bool:
        """Return whether the corpus score depends on the last segment (NLTK's methods 5, 6 and 7).

        >>> BleuConfig(smoothing="method5").depends_on_segment_order
        True
        """
        return SMOOTHINGS[self.smoothing].last_segment

    def with_options(self, options: Mapping[str, Any]) -> BleuConfig:
        """Override some options.

        Args:
            options: a dict of name -> value. A new `max_order` resets `weights` to its default, new `weights` reset
                `max_order`, and a new `smoothing` resets `smoothing_value`. Options in the dict are never reset.

        Returns:
            A new configuration.

        Raises:
            TypeError: an option is unknown, or a value has the wrong type.
            ValueError: a value is not accepted.

        >>> BleuConfig(weights=[0.5, 0.5]).with_options({"max_order": 3}).weight_lists()[0]
        (0.3333333333333333, 0.3333333333333333, 0.3333333333333333)
        """
        if not isinstance(options, Mapping):
            raise TypeError(f"options must be a dict of name -> value, got {short_repr(options)}")
        _check_names(options)
        changed = dict(options)
        if changed.get("weights") is not None:
            changed.setdefault("max_order", None)
        elif "max_order" in changed and "weights" not in changed:
            changed["weights"] = None
        if "smoothing" in changed:
            changed.setdefault("smoothing_value", None)
        return replace(self, **changed)

    @cached_property
    def _for_ready_tokens(self) -> BleuConfig:
        """Return the configuration with the tokenizer "none", for input that consists of tokens."""
        return self.with_options({"tokenizer": "none"})

    def __str__(self) -> str:
        return self.signature()

    def __getstate__(self) -> dict[str, Any]:
        """Return the options and the signature: only the signature has the Unicode version of the tokenizer `intl`."""
        return {**vars(self), "_signature": self._signature}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set the options. Raise an error if the tokenizer is `intl` and was pickled with another Unicode version."""
        vars(self).update(state)
        if self.tokenizer == "intl":
            from_signature(self._signature)

    def signature(self) -> str:
        """Return all settings in one line. Equal signatures mean equal scores on equal input.

        Exception: of a tokenizer function, a signature contains only the module and the name. Functions can share both.

        >>> BleuConfig(max_order=2).signature()
        'tok:13a|case:mixed|order:2|weights:uniform|smooth:none|ref:closest|eff:no|avg:corpus|version:0.1.0'
        """
        return self._signature

    @cached_property
    def _signature(self) -> str:
        return to_signature(vars(self), vars(_DEFAULT))

    @classmethod
    def from_signature(cls, signature: str) -> BleuConfig:
        """Build the configuration that a signature names.

        Args:
            signature: from a score, statistics or a configuration. Keys that are no options (nrefs, …) are ignored.

        Returns:
            The configuration, which gives the same score for the same input.

        Raises:
            TypeError, ValueError: the value is not a signature, or its tokenizer is a function, a model file, or needs
                a model that sacrebleu downloads. Pass such a tokenizer yourself: ``BleuConfig(tokenizer=…)``.

        >>> config = BleuConfig(smoothing="floor", smoothing_value=0.01)
        >>> BleuConfig.from_signature(config.signature()) == config
        True
        """
        return cls(**from_signature(signature))


def _check_choice(option: str, value: Any) -> Any:
    """Return the accepted string or flag in place of an equal value: a signature would show an enum differently."""
    if option == "tokenizer" and callable(value):
        return value
    if option == "tokenizer" and names_a_model(value):
        return check_model(value)
    for choice in CHOICES[option]:
        if value is choice or (isinstance(value, str) and value == choice):
            return choice
    method = f"method{short_repr(as_int(value))}"
    hint = f'did you mean smoothing="{method}"? ' if method in CHOICES[option] else ""
    raise ValueError(unknown_message(option, value, CHOICES[option], hint))


def _check_smoothing_value(value: Any, method: str) -> float | None:
    """Check the value of `smoothing_value` and return it as a float. For None, return the default of the method."""
    smoothing = SMOOTHINGS[method]
    if value is None:
        return smoothing.value
    if smoothing.value is None:
        raise ValueError(f"smoothing={method!r} takes no smoothing_value, got {short_repr(value)}")
    number = check_finite("smoothing_value", value)
    if number < 0 or (number == 0 and smoothing.positive):
        bound = "above" if smoothing.positive else "at least"
        raise ValueError(f"smoothing_value of {method!r} must be {bound} 0, got {short_repr(value)}")
    return number


def _check_names(options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in BleuConfig.__dataclass_fields__:
            raise TypeError(unknown_message("option", name, BleuConfig.__dataclass_fields__, hint_for(name)))


class BleuOptions(TypedDict, total=False):
    """The fields of `BleuConfig`, as types of the keyword arguments ``**options``."""

    tokenizer: str | Callable[[str], list[str]]
    lowercase: bool | str
    strip: bool
    whitespace: str
    max_order: int
    weights: Weighting
    smoothing: str
    smoothing_value: float | None
    reference_length: str
    effective_order: bool | str
    auto_reweigh: bool
    average: str
    total_floor: str
    zero_score: str
    zero_precision: str
    weight_precision: str


_DEFAULT = BleuConfig()
OPTIONS = tuple(field.name for field in fields(BleuConfig))


def fit_to_kind(config: BleuConfig, kind: str) -> BleuConfig:
    """Return the configuration for input of one kind: "text", "tokens" or "ids".

    Tokens and ids get the tokenizer "none", so that the signature shows that they were not tokenized again.
    """
    return config if kind == "text" else config._for_ready_tokens


def require_one_score(config: BleuConfig, purpose: str) -> None:
    """Raise ``ValueError`` if `weights` is a list of lists. `purpose`: begins the reason, as in "a report shows"."""
    if config.has_many_weights:
        raise ValueError(f"weights is a list of lists: {purpose} one score, so pass one list of weights")


def describe_differences(first: BleuConfig, second: BleuConfig) -> str:
    """Return a text with every option in which two configurations differ.

    >>> describe_differences(BleuConfig(), BleuConfig(tokenizer="intl", lowercase=True))
    'tokenizer: 13a != intl, lowercase: False != True'
    """
    differences = []
    for option in OPTIONS:
        left, right = getattr(first, option), getattr(second, option)
        if left != right:
            left_text, right_text = _option_text(left), _option_text(right)
            hint = " (another function)" if left_text == right_text else ""
            differences.append(f"{option}: {left_text} != {right_text}{hint}")
    return ", ".join(differences)


def _option_text(value: Any) -> str:
    return shorten(f"{value.__module__}.{value.__qualname__}" if hasattr(value, "__qualname__") else str(value), 100)
