"""Every choice that can change a score, validated once, and the signature that names them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from ._lengths import REFERENCE_LENGTHS
from ._names import unknown
from ._signature import from_signature, to_signature
from ._smoothing import SMOOTHINGS, Smoothing
from ._tokenizers import SACREBLEU_TOKENIZERS, TOKENIZERS, WHITESPACE

Weights = tuple[float, ...]

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
    weights: Weights | tuple[Weights, ...] | None = None
    """One weight per order; ``None``: uniform. Several lists give several scores in one pass."""
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

    def __post_init__(self) -> None:
        for option, accepted in CHOICES.items():
            value = getattr(self, option)
            if option == "tokenizer" and callable(value):
                continue
            if not any(value is choice or (isinstance(value, str) and value == choice) for choice in accepted):
                raise ValueError(unknown(option, value, accepted))
        object.__setattr__(self, "weights", _checked_weights(self.weights))
        object.__setattr__(self, "max_order", _checked_order(self.max_order, self.weights))
        smoothing = SMOOTHINGS[self.smoothing]
        object.__setattr__(self, "smoothing_value", _checked_value(self.smoothing_value, self.smoothing, smoothing))

    def weight_lists(self) -> tuple[Weights, ...]:
        """All lists of weights, one if there is one: shape (scores, up to max_order)."""
        if self.weights is None:
            return ((1 / self.max_order,) * self.max_order,)
        return self.weights if self.has_many_weights else (self.weights,)  # type: ignore[return-value]

    @property
    def has_many_weights(self) -> bool:
        """Whether `weights` is a list of lists, so that a score is a list, too."""
        return self.weights is not None and isinstance(self.weights[0], tuple)

    @property
    def depends_on_segment_order(self) -> bool:
        """Whether the corpus score looks at the last segment (NLTK's methods 5, 6 and 7)."""
        return SMOOTHINGS[self.smoothing].last_segment

    def with_options(self, options: dict[str, Any]) -> BleuConfig:
        """Override some options; unknown names raise ``TypeError``."""
        for name in options:
            if name not in OPTIONS:
                raise TypeError(unknown("option", name, OPTIONS))
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
        """
        return to_signature(vars(self), vars(_DEFAULT))

    @classmethod
    def from_signature(cls, signature: str) -> BleuConfig:
        """Build the configuration that a signature names; ``ValueError`` for text that is no signature.

        >>> config = BleuConfig(smoothing="floor", smoothing_value=0.01)
        >>> BleuConfig.from_signature(config.signature()) == config
        True
        """
        return cls(**from_signature(signature))


def _checked_weights(weights: Any) -> Weights | tuple[Weights, ...] | None:
    if weights is None:
        return None
    ordered = hasattr(weights, "__len__") and hasattr(weights, "__getitem__") and not isinstance(weights, Mapping)
    if isinstance(weights, (str, bytes)) or not ordered:
        raise TypeError(f"weights must be a list of numbers, or a list of such lists, got {weights!r}")
    if not len(weights):
        raise ValueError("weights is empty; give one weight per order, e.g. weights=[0.25, 0.25, 0.25, 0.25]")
    if any(hasattr(weight, "__len__") and not isinstance(weight, (str, bytes)) for weight in weights):
        return tuple(_checked_list(weight) for weight in weights)
    return _checked_list(weights)


def _checked_list(weights: Any) -> Weights:
    if isinstance(weights, (str, bytes)) or not hasattr(weights, "__len__") or not len(weights):
        raise TypeError(f"weights must be a list of numbers, or a list of such lists; one entry is {weights!r}")
    return tuple(_finite("weights", weight) for weight in weights)


def _finite(option: str, value: Any) -> float:
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"{option} must be made of numbers, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{option} must be made of finite numbers, got {value!r}")
    return number


def _checked_order(max_order: Any, weights: Any) -> int:
    longest = 4
    if weights is not None:
        longest = max(map(len, weights)) if isinstance(weights[0], tuple) else len(weights)
    if max_order is None:
        return longest
    if isinstance(max_order, bool) or not hasattr(max_order, "__index__"):
        raise TypeError(f"max_order must be a whole number, got {max_order!r}")
    order = int(max_order)
    if order < 1:
        raise ValueError(f"max_order must be at least 1, got {order}")
    if weights is not None and order != longest:
        raise ValueError(f"max_order={order}, but the longest list of weights has {longest}; give one of the two")
    return order


def _checked_value(value: Any, method: str, smoothing: Smoothing) -> float | None:
    if value is None:
        return smoothing.value
    if smoothing.value is None:
        raise ValueError(f"smoothing={method!r} takes no smoothing_value, got {value!r}")
    number = _finite("smoothing_value", value)
    if number < 0 or (number == 0 and smoothing.positive):
        raise ValueError(
            f"smoothing_value of {method!r} must be {'above' if smoothing.positive else 'at least'} 0, got {value!r}"
        )
    return number


_DEFAULT = BleuConfig()
OPTIONS = tuple(field.name for field in fields(BleuConfig))


def differences(one: BleuConfig, other: BleuConfig) -> str:
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
