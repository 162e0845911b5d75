"""`BleuConfig`: the settings of a score. `DIALECTS`: the configuration that computes each library's scores.

A signature shows the settings on one line:

    tok:13a|case:mixed|order:4|weights:uniform|smooth:exp|ref:closest|eff:sentence|avg:corpus|version:0.1.0

A signature always contains these eight settings and the version. A signature contains another setting only if its
value is not the default.

The comment above a dialect names the library, its version, its function, and the options that correspond to the
function's arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypedDict, cast

from . import _names as names
from ._corpus import Kind
from ._display import shorten
from ._formula import SMOOTHINGS, order_weights
from ._languages import with_tokenizer
from ._options import CHOICES, OPTIONS, from_signature, hint_for, is_signature, to_signature
from ._threads import computed_once
from ._tokens import Tokenization, check_model, names_a_model, word_of
from ._validation import Weights, check_finite, check_order, check_weights, short_repr, typed, unknown_message

VERSION = "0.1.0"
COUNTS_ALIKE = ("0.1.0",)  # versions with the same counts, whose files can be read

LAST_SEGMENT_ORDER = 5  # NLTK's methods 5 and 7 use 5-grams, even if max_order is less than 5


class Columns(NamedTuple):
    """The settings that determine the columns of a table in `BleuStatistics`."""

    orders: int
    least_total: int  # smallest number of n-grams per segment and order: 1 with total_floor="segment", else 0
    last_order: int  # n-gram order of the columns for the last segment; 0 without these columns

    @property
    def number(self) -> int:
        """Return the number of columns: two per order, two for lengths, and three or none for the last segment."""
        n_last_columns = 3 if self.last_order else 0
        return 2 * self.orders + 2 + n_last_columns

    @property
    def highest_order(self) -> int:
        return max(self.orders, self.last_order)


@dataclass(frozen=True, kw_only=True)
class BleuConfig:
    """The options that determine how a score is computed. The defaults are the settings of sacrebleu.

    Raises ``ValueError`` or ``TypeError`` for a value that is not accepted, and ``TypeError`` for an unknown option.

    >>> BleuConfig(smoothing="exp", max_order=2).signature()
    'tok:13a|case:mixed|order:2|weights:uniform|smooth:exp|ref:closest|eff:sentence|avg:corpus|version:0.1.0'
    """

    tokenizer: names.Tokenizer = "13a"
    """Name of a tokenizer, ``"spm:PATH"`` with the path of a SentencePiece model, or a function that splits a string
    into tokens. If the input already consists of tokens, it is not tokenized again."""
    lowercase: names.Lowercase = False
    """``True``: lower-case before tokenizing. ``"after"``: after tokenizing. ``"ascii"``: only A-Z, after tokenizing.
    ``False``: never."""
    normalization: names.Normalization = "none"
    """Unicode form to which texts or tokens are converted before anything else: ``"NFC"``, ``"NFKC"`` or ``"none"``."""
    unit: names.Unit = "segment"
    """What is scored as one unit: a ``"segment"``, or a ``"document"`` that joins all its segments. The argument
    ``documents`` of `corpus_bleu` and other functions sets the value ``"document"``."""
    strip: bool = True
    """``True``: drop whitespace at the end of a text before tokenizing, as sacrebleu does."""
    whitespace: names.Whitespace = "python"
    """Whitespace characters that separate tokens: those of Python's ``str.split()`` (``"python"``), those that Unicode
    and Rust define (``"unicode"``), or those of ASCII (``"ascii"``)."""
    max_order: int = cast(int, None)  # `__post_init__` replaces None with an int
    """Highest n-gram order, at least 1. Default: the number of weights, or 4 without weights."""
    weights: Sequence[float] | None = None
    """One weight per order, stored as a tuple; ``None``: equal weights."""
    smoothing: names.Smoothing = "exp"
    """Name of the formula for n-gram orders without a match; ``_formula.py`` lists all."""
    smoothing_value: float | None = None
    """Epsilon, k or alpha in the smoothing formula; ``None``: the default of the library that the formula is from."""
    reference_length: names.ReferenceLength = "closest"
    """Name of the rule for the reference length in the brevity penalty; ``_formula.py`` lists all."""
    empty_references: names.EmptyReferences = "empty"
    """How references without tokens count, such as empty lines. ``"empty"``: as texts of length 0. ``"missing"``: not
    at all, like None; every segment then needs another reference."""
    effective_order: names.EffectiveOrder = "sentence"
    """``True``: leave out n-gram orders for which the text is too short. ``"sentence"``: leave them out in sentence
    scores, but not in corpus scores. ``False``: never leave them out."""
    auto_reweigh: bool = False
    """NLTK's option for short texts: if the weights are 4 times 0.25 and the predictions have only n = 1, 2 or 3 tokens
    in total, use n weights of 1 / n."""
    average: names.Average = "corpus"
    """``"corpus"``: score the summed counts. ``"sentence"``: compute the mean of the sentence scores."""
    total_floor: names.TotalFloor = "none"
    """Where an n-gram order without n-grams counts as one n-gram: in each ``"segment"``, in the sums of the
    ``"corpus"``, or nowhere (``"none"``)."""
    zero_score: names.ZeroScore = "no-match"
    """When the score is 0 with any smoothing. ``"no-match"``: no n-gram matches; all precisions are then 0.
    ``"any-order"``: an n-gram order has no match. ``"empty"``: the predictions or the references have no tokens; the
    brevity penalty is then 0. ``"empty-prediction"``: the predictions, or all references of the corpus, have no tokens.
    ``"never"``: under no condition."""
    zero_precision: names.ZeroPrecision = "zero"
    """Effect of an n-gram order whose precision is 0. ``"zero"``: the score is 0. ``"skip"``: the order is left out if
    a smoothing is set; otherwise the score is 0. ``"skip-absent"``: the order is left out if the text has tokens, but
    is too short for it; otherwise the score is 0."""

    def __new__(cls, **options: Any) -> BleuConfig:
        """Check the names of the options. An error of ``__init__`` would not suggest a similar name."""
        accepted = cls.__dataclass_fields__
        for name in options:
            if name not in accepted:
                raise TypeError(unknown_message("option", name, accepted, hint_for(name)))
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Check all options, and replace each value with the value that its check returns."""
        # Not `self.option = value`, which a frozen dataclass rejects
        options = vars(self)
        for option in CHOICES:
            options[option] = _check_choice(option, options[option])

        # In this order, because `check_order` needs the checked weights
        options["weights"] = check_weights(self.weights)
        options["max_order"] = check_order(self.max_order, self.weights)
        options["smoothing_value"] = _check_smoothing_value(self.smoothing_value, self.smoothing)

    def with_options(self, options: Mapping[str, Any]) -> BleuConfig:
        """Return a copy of the configuration with other values for some options.

        Args:
            options: a dict of name -> value. A new `max_order` resets `weights` to its default, new `weights` reset
                `max_order`, and a new `smoothing` resets `smoothing_value`, except options in the dict.

        Returns:
            A new configuration.

        Raises:
            TypeError: an option is unknown, or a value has the wrong type.
            ValueError: a value is not accepted.

        >>> config = BleuConfig(weights=[0.5, 0.5]).with_options({"max_order": 3})
        >>> config.max_order, config.weights
        (3, None)
        """
        if not isinstance(options, Mapping):
            raise TypeError(f"options must be a dict of name -> value, got {short_repr(options)}")

        changes: dict[str, Any] = {}
        if "max_order" in options:
            changes["weights"] = None
        # None means equal weights, which fit every order
        if options.get("weights") is not None:
            changes["max_order"] = None
        if "smoothing" in options:
            changes["smoothing_value"] = None

        changes |= options  # last, because the caller's options are never reset
        return replace(self, **changes)

    # Other modules use `columns_of`, `tokenization_of`, `weights_of` and `fit_to_kind` instead
    @computed_once
    def _columns(self) -> Columns:
        last_order = LAST_SEGMENT_ORDER if depends_on_segment_order(self) else 0
        return Columns(self.max_order, least_total=int(self.total_floor == "segment"), last_order=last_order)

    @computed_once
    def _tokenization(self) -> Tokenization:
        return Tokenization(self.tokenizer, self.lowercase, self.normalization, self.strip, self.whitespace)

    @computed_once
    def _weights(self) -> Weights:
        return order_weights(self.weights, self.max_order)

    @computed_once
    def _for_ready_tokens(self) -> BleuConfig:
        return self.with_options({"tokenizer": "none"})

    def __str__(self) -> str:
        return self.signature()

    def __getstate__(self) -> dict[str, Any]:
        """Return the options and the signature, which contains the Unicode version of the tokenizer `intl`."""
        return {**vars(self), "_signature": self._signature}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the options. Raise an error if the tokenizer `intl` has another Unicode version in the pickle.

        The signature is not restored, because the pickle may be from another version of this package.
        """
        signature = state.pop("_signature")
        vars(self).update(state)
        if self.tokenizer == "intl":
            from_signature(signature)  # raises the error

    def signature(self) -> names.Signature:
        """Return all settings in one line. Equal signatures mean equal scores on equal input.

        If the tokenizer is a function, the signature contains only its module and name, so different functions can
        have equal signatures. To put a version into the signature, set an attribute of the function first:
        ``word_tokenize.signature_name = "pythainlp-5.0"``.

        >>> BleuConfig(max_order=2).signature()
        'tok:13a|case:mixed|order:2|weights:uniform|smooth:exp|ref:closest|eff:sentence|avg:corpus|version:0.1.0'
        """
        return self._signature

    @computed_once
    def _signature(self) -> names.Signature:
        return names.Signature(f"{to_signature(vars(self), vars(_DEFAULT))}|version:{VERSION}")

    @classmethod
    def from_signature(cls, signature: str) -> BleuConfig:
        """Build the configuration that a signature describes.

        Args:
            signature: the signature of a score, of statistics or of a configuration. Keys that are not options, such
                as nrefs, are ignored.

        Returns:
            The configuration, which gives the same score for the same input.

        Raises:
            TypeError, ValueError: the value is not a signature, or the tokenizer in it is a function, a model file or a
                model that sacrebleu downloads. Pass such a tokenizer yourself: ``BleuConfig(tokenizer=…)``.

        >>> config = BleuConfig(smoothing="floor", smoothing_value=0.01)
        >>> BleuConfig.from_signature(config.signature()) == config
        True
        """
        return cls(**from_signature(signature))


def _check_choice(option: str, value: Any) -> Any:
    """Return the value as in `CHOICES`: an enum member that equals "exp" -> "exp".

    Raise ``ValueError`` if the value is not accepted.
    """
    # CHOICES contains only the names of tokenizers, no functions and models
    if option == "tokenizer" and callable(value):
        word_of(value)  # raises an error for a wrong `signature_name`
        return value
    if option == "tokenizer" and names_a_model(value):
        return check_model(value)

    accepted = CHOICES[option]
    for choice in accepted:
        # Only strings are compared by ==, because 1 == True
        is_same_string = isinstance(value, str) and value == choice
        if value is choice or is_same_string:
            return choice

    method = f"method{short_repr(value)}"  # smoothing=1 may mean NLTK's method1
    hint = f'did you mean smoothing="{method}"? ' if method in accepted else ""
    if option == "tokenizer" and not isinstance(value, str):
        function = "its method tokenize" if hasattr(value, "tokenize") else "a function that returns a list of tokens"
        hint = f"pass {function}, or a name; "
    raise ValueError(unknown_message(option, value, accepted, hint))


def _check_smoothing_value(value: Any, method: str) -> float | None:
    """Check the value and return it as a float. If the value is None, return the default of the smoothing method."""
    smoothing = SMOOTHINGS[method]
    if value is None:
        return smoothing.value
    if smoothing.value is None:
        options = f"{typed('smoothing', method)} takes no {typed('smoothing_value')}"
        raise ValueError(f"{options}, got {short_repr(value)}")

    number = check_finite("smoothing_value", value)
    is_too_small = number <= 0 if smoothing.positive else number < 0
    if is_too_small:
        bound = "above" if smoothing.positive else "at least"
        raise ValueError(f"{typed('smoothing_value')} of {method!r} must be {bound} 0, got {short_repr(value)}")
    return number


class BleuOptions(TypedDict, total=False):
    """The types of the keyword arguments ``**options``: the fields of `BleuConfig`, and ``target_language``."""

    target_language: str
    tokenizer: names.Tokenizer
    lowercase: names.Lowercase
    normalization: names.Normalization
    unit: names.Unit
    strip: bool
    whitespace: names.Whitespace
    max_order: int
    weights: Sequence[float] | None
    smoothing: names.Smoothing
    smoothing_value: float | None
    reference_length: names.ReferenceLength
    empty_references: names.EmptyReferences
    effective_order: names.EffectiveOrder
    auto_reweigh: bool
    average: names.Average
    total_floor: names.TotalFloor
    zero_score: names.ZeroScore
    zero_precision: names.ZeroPrecision


_DEFAULT = BleuConfig()


def tokenization_of(config: BleuConfig) -> Tokenization:
    """Return the options that determine the tokens of a text."""
    return config._tokenization


def columns_of(config: BleuConfig) -> Columns:
    return config._columns


def weights_of(config: BleuConfig) -> Weights:
    """Return one weight per n-gram order, even if the option `weights` is None.

    >>> weights_of(BleuConfig(max_order=2))
    (0.5, 0.5)
    """
    return config._weights


def depends_on_segment_order(config: BleuConfig) -> bool:
    """Return whether the corpus score depends on which segment is last, as in NLTK's methods 5, 6 and 7."""
    return SMOOTHINGS[config.smoothing].last_segment


def fit_to_kind(config: BleuConfig, kind: Kind, unit: str = "segment") -> BleuConfig:
    """Adapt a configuration to the input: for tokens and ids, return the configuration with ``tokenizer="none"``.

    `unit`: what a row is, "segment" or "document". Raise ``ValueError`` if the configuration needs documents, but the
    rows are segments.
    """
    if unit == "document":
        config = config.with_options({"unit": unit})
    elif config.unit == "document":
        raise ValueError(
            "unit='document' (seg:document in a signature) needs documents: the label of each segment's document. "
            "Pass documents to corpus_bleu, corpus_statistics, the metric or the command bleu-metric score"
        )
    return config if kind == "text" else config._for_ready_tokens


def describe_differences(first: BleuConfig, second: BleuConfig) -> str:
    """Return the options in which two configurations differ, with both values.

    >>> describe_differences(BleuConfig(), BleuConfig(tokenizer="intl", lowercase=True))
    'tokenizer: 13a != intl, lowercase: False != True'
    """
    differences = []
    for option in OPTIONS:
        first_value, second_value = getattr(first, option), getattr(second, option)
        if first_value == second_value:
            continue

        first_text, second_text = _option_text(first_value), _option_text(second_value)
        # Two functions can have the same name
        hint = " (another function)" if first_text == second_text else ""
        differences.append(f"{option}: {first_text} != {second_text}{hint}")
    return ", ".join(differences)


def _option_text(value: Any) -> str:
    """Return an option's value as a short text: "exp" for "exp", "function-module.name" for a function."""
    text = word_of(value) if callable(value) else str(value)
    return shorten(text, width=100)


# --- Dialects -------------------------------------------------------------------------------------------------------

Dialect = names.DialectName | names.Signature | BleuConfig  # a name in `DIALECTS`, a signature, or a configuration
DEFAULT: Final = "sacrebleu"  # the settings of this dialect are the defaults of `BleuConfig`

# BLEU as in the paper (Papineni et al., 2002), on 13a tokens
_PAPINENI = BleuConfig(smoothing="none", effective_order=False)
# As in the paper, on words separated by whitespace
_WORDS = replace(_PAPINENI, tokenizer="whitespace")
# As in the paper, but keep whitespace at the end of a text
_UNSTRIPPED = replace(_PAPINENI, strip=False)
# Like _UNSTRIPPED, with Unicode's definition of whitespace, which Rust and Perl use
_UNICODE = replace(_UNSTRIPPED, whitespace="unicode")

_DIALECTS: dict[names.DialectName, BleuConfig] = {
    # sacrebleu 2.6.0: corpus_bleu; also sentence_bleu with its default use_effective_order=True
    DEFAULT: BleuConfig(),
    "papineni": _PAPINENI,
    # nltk 3.10.4: corpus_bleu, sentence_bleu. nltk 3.5 has the same settings, but three of its smoothing methods
    # differ: its method2 is smoothing="add-one" here, its method4 is "method4-3.5", its method7 is "method7-3.5"
    "nltk": replace(_WORDS, smoothing="method0", total_floor="segment", zero_precision="skip"),
    # evaluate 0.4.6: bleu, which computes BLEU as tensorflow/nmt does; its smooth=True is smoothing="add-one" here
    "evaluate": replace(_UNSTRIPPED, reference_length="shortest", zero_score="empty"),
    # bleuscore 0.2.0: compute; its smooth=True is smoothing="add-one" here
    "bleuscore": replace(_UNICODE, reference_length="shortest", zero_score="never"),
    # torchtext 0.18.0: bleu_score; here it is computed in float64
    "torchtext": replace(_WORDS, reference_length="closest-first", zero_score="any-order"),
    # torchmetrics 1.9.0: bleu_score; here it is computed in float64. For sacre_bleu_score, pass tokenizer="13a".
    # For smooth=True, pass smoothing="method2"
    "torchmetrics": replace(_WORDS, strip=False, reference_length="closest-first", zero_score="any-order"),
    # torcheval 0.0.7: bleu_score; here it is computed in float64, also for texts that torcheval rejects as too short
    "torcheval": replace(_WORDS, reference_length="shortest", zero_score="any-order"),
    # pytorch-ignite 0.5.5: Bleu() with its default average="macro"
    "ignite": replace(_WORDS, smoothing="none-float32", total_floor="corpus", average="sentence"),
    # pytorch-ignite 0.5.5: Bleu(average="micro")
    "ignite-micro": replace(_WORDS, total_floor="corpus"),
    # pycocoevalcap 1.2: Bleu. For BLEU-1 to BLEU-3, call score(statistics, max_order=1), and so on
    "pycocoevalcap": replace(_WORDS, smoothing="add-tiny", zero_score="never"),
    # keras-hub 0.32.0: Bleu; here it is computed in float64, and its smooth=True is smoothing="add-one"
    "keras-hub": replace(
        _UNSTRIPPED, tokenizer="13a-unpadded", whitespace="ascii", reference_length="shortest", zero_score="empty"
    ),
    # CodeXGLUE ac74a62: bleuFromMaps of evaluator.py, called with the result of computeMaps. Its scores are from 0
    # to 100, but here they are from 0 to 1
    "codexglue": replace(
        _PAPINENI,
        tokenizer="words-and-signs",
        lowercase=True,
        smoothing="codexglue",
        reference_length="shortest",
        zero_score="never",
        average="sentence",
    ),
    # LLaMA-Factory ff6d4d12: the result bleu-4 of its metric.py, before it is rounded. LLaMA-Factory computes it with
    # NLTK's sentence_bleu and smoothing method 3, on characters
    "llama-factory": replace(
        _UNSTRIPPED,
        tokenizer="char-and-space",
        smoothing="method3",
        total_floor="segment",
        zero_precision="skip",
        average="sentence",
    ),
    # Moses 34452895: multi-bleu.perl; its -lc is lowercase="ascii" here
    "multi-bleu": replace(_WORDS, whitespace="ascii", reference_length="closest-below-9999", zero_score="empty"),
    # Moses 34452895: multi-bleu-detok.perl; its -lc is lowercase=True here
    "multi-bleu-detok": replace(_UNICODE, reference_length="closest-below-9999", zero_score="empty"),
    # Moses 34452895: mteval-v13a.pl; its -c is lowercase=False here, and its --no-smoothing is smoothing="none" with
    # zero_score="any-order". If all references are empty, the script computes the segment scores, but fails at the
    # corpus score
    "mteval-v13a": replace(
        _UNICODE, lowercase="ascii", smoothing="exp", zero_score="empty-prediction", zero_precision="skip-absent"
    ),
}
DIALECTS: Mapping[names.DialectName, BleuConfig] = MappingProxyType(
    _DIALECTS
)  # read-only, so that no caller can change a dialect


def config_of(dialect: Dialect, options: Mapping[str, Any]) -> BleuConfig:
    """Return the configuration of a dialect, with the caller's options in place of the dialect's settings.

    The option ``target_language`` sets the tokenizer for that language.

    >>> config_of("nltk", {"smoothing": "method1"}).smoothing_value
    0.1
    """
    if "target_language" in options:
        options = with_tokenizer(options)
    if not options:
        return _config_named_by(dialect)

    override = _override
    if isinstance(dialect, str) and all(map(_can_be_cached, options.values())):
        override = _override_cached
    return override(dialect, **options)


def _config_named_by(dialect: Dialect, tokenizer: Any = None) -> BleuConfig:
    """Return the configuration of a dialect, which is a name, a signature or a configuration.

    `tokenizer`: replaces the tokenizer of a signature, because a signature has only the name of a function. None: keep
    the tokenizer of the signature.
    """
    if isinstance(dialect, BleuConfig):
        return dialect
    if isinstance(dialect, str):
        if dialect in DIALECTS:
            return _DIALECTS[dialect]  # type: ignore[index] # `in` does not narrow the type
        if is_signature(dialect):
            return BleuConfig(**from_signature(dialect, tokenizer))

    raise ValueError(f"{unknown_message('dialect', dialect, DIALECTS)}, a signature, or a BleuConfig")


def _can_be_cached(value: Any) -> bool:
    """Return whether an option value can be a cache key.

    0.0 cannot, because 0.0 == -0.0, although their signatures differ. A model's name cannot, because its file can
    change.
    """
    is_number = type(value) is int or (type(value) is float and value != 0)
    return is_number or (type(value) in (str, bool, type(None)) and not names_a_model(value))


def _override(dialect: Dialect, /, **options: Any) -> BleuConfig:
    config = _config_named_by(dialect, options.get("tokenizer"))
    return config.with_options(options)


# `typed`, because 1 == True; for the 2,600 configurations that `find_settings` tries
_override_cached = lru_cache(maxsize=4096, typed=True)(_override)
