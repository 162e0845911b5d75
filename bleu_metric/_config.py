"""`BleuConfig`: the settings of a score. It checks them, knows their defaults, and has a signature.

    tok:13a|case:mixed|order:4|weights:uniform|smooth:exp|ref:closest|eff:sentence|avg:corpus|version:0.1.0

A signature always names the first eight settings. It names another setting only if its value is not the default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypedDict, cast

from ._display import shorten
from ._options import CHOICES, OPTIONS, hint_for
from ._signature import from_signature, to_signature
from ._smoothing import SMOOTHINGS
from ._tokenizers import Tokenization, check_model, names_a_model
from ._validation import Weights, as_int, check_finite, check_order, check_weights, short_repr, unknown_message

VERSION = "0.1.0"
COUNTS_ALIKE = ("0.1.0",)  # versions that count as this version does, so that their files can be read

Weighting = Sequence[float] | Sequence[Sequence[float]] | None
LAST_SEGMENT_ORDER = 5  # NLTK's methods 5 and 7 use 5-grams, even if max_order is less than 5


class Columns(NamedTuple):
    """The options that decide the columns of a table of counts. `_counts` explains the columns."""

    orders: int
    least_total: int  # least possible n-gram count of a segment and order: 1 with total_floor="segment", else 0
    last_order: int  # the order in the columns about the last segment; 0: there are no such columns

    @property
    def number(self) -> int:
        return 2 * self.orders + 2 + (3 if self.last_order else 0)

    @property
    def highest_order(self) -> int:
        """Return the highest n-gram order to be counted."""
        return max(self.orders, self.last_order)


@dataclass(frozen=True, kw_only=True)
class BleuConfig:
    """The options of a score. By default: the settings of sacrebleu.

    Raises ``ValueError`` for a value that is not accepted and ``TypeError`` for a value of a wrong type.

    >>> BleuConfig(smoothing="exp", max_order=2).signature()
    'tok:13a|case:mixed|order:2|weights:uniform|smooth:exp|ref:closest|eff:sentence|avg:corpus|version:0.1.0'
    """

    tokenizer: str | Callable[[str], list[str]] = "13a"
    """Name of a tokenizer, ``"spm:PATH"`` with the path of a SentencePiece model, or a function that splits one text.
    Input that consists of tokens is not tokenized again."""
    lowercase: bool | str = False
    """``True``: lower-case texts before tokenizing. ``"after"``: after it. ``"ascii"``: after it, only A-Z."""
    normalization: str = "none"
    """Unicode form to which texts or tokens are converted before anything else: ``"NFC"``, ``"NFKC"`` or ``"none"``."""
    unit: str = "segment"
    """What is scored as one segment. ``"document"``: all segments of a document, joined; the argument ``documents`` of
    `corpus_bleu` and other functions sets this value."""
    strip: bool = True
    """``True``: drop whitespace at the end of a text before tokenizing, as sacrebleu does."""
    whitespace: str = "python"
    """Characters that separate tokens: ``"python"`` as in ``str.split()``, ``"unicode"`` (Rust), ``"ascii"`` (Perl)."""
    max_order: int = cast(int, None)  # `__post_init__` replaces None with an int
    """Highest n-gram order, at least 1. Default: the number of weights, or 4 without weights."""
    weights: Weighting = None
    """One weight per order; ``None``: equal weights. A list of such lists: one score per list. Stored as tuples."""
    smoothing: str = "exp"
    """Name of the formula for n-gram orders without a match; ``_smoothing.py`` lists all."""
    smoothing_value: float | None = None
    """Epsilon, k or alpha in the smoothing formula; ``None``: the default of the library that the formula is from."""
    reference_length: str = "closest"
    """Name of the rule for the reference length in the brevity penalty; ``_reference_length.py`` lists all."""
    effective_order: bool | str = "sentence"
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
    weight_dtype: str = "float64"
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

    @cached_property
    def weight_lists(self) -> tuple[Weights, ...]:
        """One tuple of weights per score, each with up to `max_order` weights.

        >>> BleuConfig(max_order=2).weight_lists
        ((0.5, 0.5),)
        """
        if self.weights is None:
            return ((1 / self.max_order,) * self.max_order,)
        return self.weights if self._has_many_weights else (self.weights,)  # type: ignore[return-value]

    @cached_property
    def _has_many_weights(self) -> bool:
        """Whether `weights` is a list of lists. If so, every score is a list."""
        return self.weights is not None and isinstance(self.weights[0], tuple)

    def _one_or_all(self, numbers: list[float]) -> Any:
        """Return the number of the only list of weights, or all numbers if `weights` is a list of lists."""
        return numbers if self._has_many_weights else numbers[0]

    @cached_property
    def _depends_on_segment_order(self) -> bool:
        """Whether the corpus score depends on the last segment (NLTK's methods 5, 6 and 7)."""
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

        >>> BleuConfig(weights=[0.5, 0.5]).with_options({"max_order": 3}).weight_lists[0]
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
    def _columns(self) -> Columns:
        """The columns of a table of counts."""
        last_order = LAST_SEGMENT_ORDER if self._depends_on_segment_order else 0
        return Columns(self.max_order, int(self.total_floor == "segment"), last_order)

    @cached_property
    def _tokenization(self) -> Tokenization:
        """The options that decide which tokens a text has."""
        return Tokenization(self.tokenizer, self.lowercase, self.normalization, self.strip, self.whitespace)

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

        This does not hold for tokenizers that are functions: a signature has only a function's module and name, which
        two functions can share.

        >>> BleuConfig(max_order=2).signature()
        'tok:13a|case:mixed|order:2|weights:uniform|smooth:exp|ref:closest|eff:sentence|avg:corpus|version:0.1.0'
        """
        return self._signature

    @cached_property
    def _signature(self) -> str:
        return f"{to_signature(vars(self), vars(_DEFAULT))}|version:{VERSION}"

    @classmethod
    def from_signature(cls, signature: str) -> BleuConfig:
        """Build the configuration that a signature names.

        Args:
            signature: from a score, statistics or a configuration. Keys that are not options, such as nrefs, are
                ignored.

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
    """Return the accepted string or flag that equals the value, which may be an enum, for example."""
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
    """The types of the keyword arguments ``**options``: the fields of `BleuConfig`, and the language."""

    target_language: str
    tokenizer: str | Callable[[str], list[str]]
    lowercase: bool | str
    normalization: str
    unit: str
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
    weight_dtype: str


_DEFAULT = BleuConfig()


def fit_to_kind(config: BleuConfig, kind: str, unit: str = "segment") -> BleuConfig:
    """Return the configuration for input of one kind, "text", "tokens" or "ids", whose rows are segments or documents.

    Tokens and ids get the tokenizer "none", so that the signature shows that they were not tokenized again. Raise
    ``ValueError`` if the configuration is that of a document score, but the rows are segments.
    """
    if config.unit != unit:
        if unit == "segment":
            raise ValueError(
                "unit='document' (seg:document in a signature) needs documents: the label of each segment's document. "
                "corpus_bleu, corpus_statistics, the metric and bleu-metric score accept this argument"
            )
        config = config.with_options({"unit": unit})
    return config if kind == "text" else config._for_ready_tokens


def require_one_score(config: BleuConfig, purpose: str) -> None:
    """Raise ``ValueError`` if `weights` is a list of lists. `purpose`: begins the reason, as in "a report shows"."""
    if config._has_many_weights:
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
