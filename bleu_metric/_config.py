"""Every choice that can change a score, validated once, and the signature that names them.

    tok:13a|case:mixed|order:4|weights:uniform|smooth:exp|ref:closest|eff:no|avg:corpus|version:0.1.0

The first eight choices are always named. The others are named where they are not the default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict, cast

from ._reference_length import REFERENCE_LENGTHS
from ._smoothing import SMOOTHINGS
from ._tokenizers import SACREBLEU_TOKENIZERS, TOKENIZERS, WHITESPACE
from ._validation import Weights, check_order, check_smoothing_value, check_weights, short_repr, unknown_message

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
        raise TypeError(f"a signature is a string, got {short_repr(signature)}")
    names = {**_ALWAYS, **_WHERE_NOT_DEFAULT}
    options: dict[str, Any] = {}
    for part in signature.split("|"):
        key, colon, word = part.partition(":")
        if not colon:
            raise ValueError(f"{short_repr(part)} in signature {short_repr(signature)} is not of the form key:value")
        if key in _ABOUT_THE_DATA:
            continue
        if key not in names:
            raise ValueError(unknown_message("key in a signature", key, names))
        if names[key] in options:
            raise ValueError(f"key {short_repr(key)} stands twice in signature {short_repr(signature)}")
        options.update(_read(names[key], word))
    if missing := [key for key, name in _ALWAYS.items() if name not in options]:
        raise ValueError(f"signature {short_repr(signature)} does not name {', '.join(missing)}")
    return options


def version_of(signature: str) -> str:
    """Read the version that made a signature; ``"unknown"`` if it names none."""
    versions = [part.removeprefix("version:") for part in signature.split("|") if part.startswith("version:")]
    return versions[0] if versions else "unknown"


def _read(name: str, word: str) -> dict[str, Any]:
    if name == "tokenizer" and word.startswith("function-"):
        raise ValueError(
            f"a signature cannot bring back a tokenizer that is a function: {short_repr(word)}; pass tokenizer=…, or "
            "config=BleuConfig(tokenizer=…) to read statistics"
        )
    if name == "max_order":
        if not (word.isascii() and word.isdigit() and len(word) <= _DIGITS):
            raise ValueError(f"order:{short_repr(word)} in a signature is not a whole number of up to {_DIGITS} digits")
        return {name: int(word)}
    if name == "weights":
        return {name: _read_weights(word)}
    if name == "smoothing":
        method, bracket, value = word.partition("[")
        if bracket and not value.endswith("]"):
            raise ValueError(f"smooth:{short_repr(word)} in a signature lacks its closing bracket")
        return {name: method, "smoothing_value": _number(value.removesuffix("]")) if bracket else None}
    if name in _WORDS:
        values = {text: value for value, text in _WORDS[name].items()}
        if word not in values:
            raise ValueError(unknown_message(f"value of {name} in a signature", word, values))
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
    """The options of a score. The defaults are those of the paper, on 13a tokens.

    Raises ``ValueError`` for a value that is not accepted and ``TypeError`` for a wrong type.

    >>> BleuConfig(smoothing="exp", max_order=2).signature()
    'tok:13a|case:mixed|order:2|weights:uniform|smooth:exp|ref:closest|eff:no|avg:corpus|version:0.1.0'
    """

    tokenizer: str | Callable[[str], list[str]] = "13a"
    """Name of a tokenizer or a function of one text; token input is taken as it is."""
    lowercase: bool | str = False
    """``True``: before tokenizing, all of Unicode; ``"after"``: after it; ``"ascii"``: A-Z alone, after it."""
    strip: bool = True
    """Whether white space at the end of a text is dropped before tokenizing, as sacrebleu does."""
    whitespace: str = "python"
    """What separates tokens: as ``str.split()`` has it, ``"unicode"`` (Rust) or ``"ascii"`` (Perl on bytes)."""
    max_order: int = cast(int, None)  # an int once constructed
    """Longest n-gram, at least 1; 4, or the number of weights, when not given."""
    weights: Weighting = None
    """One weight per order; ``None``: uniform. Several lists give several scores in one pass. Kept as tuples."""
    smoothing: str = "none"
    """Formula for orders without a match: a name in ``_smoothing.py``."""
    smoothing_value: float | None = None
    """The formula's epsilon, k or alpha; ``None``: its source's default."""
    reference_length: str = "closest"
    """Which reference decides the brevity penalty: a name in ``_lengths.py``."""
    effective_order: bool | str = False
    """Leave out orders for which the text is too short; ``"sentence"``: in sentence scores alone."""
    auto_reweigh: bool = False
    """NLTK's: below 4 tokens and with 4 uniform weights, every weight becomes 1 / length (for ``length`` orders)."""
    average: str = "corpus"
    """``"corpus"``: one score of the summed counts; ``"sentence"``: the mean of the sentences' scores."""
    total_floor: str = "none"
    """Where the number of n-grams is made at least 1: nowhere, in each ``"segment"``, in the ``"corpus"`` sum."""
    zero_score: str = "no-match"
    """When the score is 0 whatever the smoothing: nothing matches; any order has no match; a side, or the prediction,
    is empty; never."""
    zero_precision: str = "zero"
    """An order of precision 0 makes the score 0; or is left out, ``"skip"``: where a smoothing leaves it 0,
    ``"skip-absent"``: where the text is too short for it; or counts as the smallest ``"long-double"``."""
    weight_precision: str = "float64"
    """The type the weights are rounded to."""

    def __new__(cls, **options: Any) -> BleuConfig:
        """Name what is near to an unknown option, which a dataclass does not."""
        _check_names(options)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for option, accepted in CHOICES.items():
            value = getattr(self, option)
            if option == "tokenizer" and callable(value):
                continue
            equal = [choice for choice in accepted if value is choice or (isinstance(value, str) and value == choice)]
            if not equal:
                raise ValueError(unknown_message(option, value, accepted))
            object.__setattr__(self, option, equal[0])  # the member of an enum is written in another way
        object.__setattr__(self, "weights", check_weights(self.weights))
        object.__setattr__(self, "max_order", check_order(self.max_order, self.weights))
        smoothing = SMOOTHINGS[self.smoothing]
        object.__setattr__(
            self, "smoothing_value", check_smoothing_value(self.smoothing_value, self.smoothing, smoothing)
        )

    def weight_lists(self) -> tuple[Weights, ...]:
        """All lists of weights, one if there is one: shape (scores, up to max_order).

        >>> BleuConfig(max_order=2).weight_lists()
        ((0.5, 0.5),)
        """
        if self.weights is None:
            return ((1 / self.max_order,) * self.max_order,)
        return self.weights if self.has_many_weights else (self.weights,)  # type: ignore[return-value]

    @property
    def has_many_weights(self) -> bool:
        """Whether `weights` is a list of lists, so that a score is a list, too.

        >>> BleuConfig(weights=[[1.0], [0.5, 0.5]]).has_many_weights
        True
        """
        return self.weights is not None and isinstance(self.weights[0], tuple)

    @property
    def depends_on_segment_order(self) -> bool:
        """Whether the corpus score looks at the last segment (NLTK's methods 5, 6 and 7).

        >>> BleuConfig(smoothing="method5").depends_on_segment_order
        True
        """
        return SMOOTHINGS[self.smoothing].last_segment

    def with_options(self, options: Mapping[str, Any]) -> BleuConfig:
        """Override some options.

        Args:
            options: name -> value. A new `max_order` drops the weights, new weights the order, and a new smoothing the
                smoothing's value, unless both are given.

        Returns:
            A new configuration.

        Raises:
            TypeError: an unknown option, or a value of a wrong type.
            ValueError: a value that is not accepted.

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

    def signature(self) -> str:
        """Name every choice in one line; equal signatures give equal scores on equal input.

        A tokenizer that is a function is named by its module and name, which two functions can share.

        >>> BleuConfig(max_order=2).signature()
        'tok:13a|case:mixed|order:2|weights:uniform|smooth:none|ref:closest|eff:no|avg:corpus|version:0.1.0'
        """
        return to_signature(vars(self), vars(_DEFAULT))

    @classmethod
    def from_signature(cls, signature: str) -> BleuConfig:
        """Build the configuration that a signature names.

        Args:
            signature: of a score, of statistics or of a configuration; what it says of the data does not matter.

        Returns:
            The configuration, by whose options the same input has the same score.

        Raises:
            ValueError: text that is no signature, or one with a tokenizer that is a function.

        >>> config = BleuConfig(smoothing="floor", smoothing_value=0.01)
        >>> BleuConfig.from_signature(config.signature()) == config
        True
        """
        return cls(**from_signature(signature))


def _check_names(options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in BleuConfig.__dataclass_fields__:
            raise TypeError(unknown_message("option", name, BleuConfig.__dataclass_fields__))


class BleuOptions(TypedDict, total=False):
    """The fields of `BleuConfig` as keywords of the functions that take them."""

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


def describe_differences(one: BleuConfig, other: BleuConfig) -> str:
    """Name the options in which two configurations differ.

    >>> differences(BleuConfig(), BleuConfig(tokenizer="intl", lowercase=True))
    'tokenizer: 13a != intl, lowercase: False != True'
    """
    words = []
    for option in OPTIONS:
        values = getattr(one, option), getattr(other, option)
        if values[0] != values[1]:
            left, right = map(_shown, values)
            words.append(f"{option}: {left} != {right}{' (another function)' if left == right else ''}")
    return ", ".join(words)


def _shown(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}" if hasattr(value, "__qualname__") else str(value)
