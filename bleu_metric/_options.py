"""A table with the accepted values of each option, its names in signatures and in other libraries, and its help.

This table is the only place for these facts. Signatures, hints and the command line's options are loops over it. The
types, the defaults and the descriptions of the options are those of the fields of `BleuConfig`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ._reference_length import REFERENCE_LENGTHS
from ._smoothing import SMOOTHINGS
from ._tokenizers import SACREBLEU_TOKENIZERS, TOKENIZERS, WHITESPACE

Choice = str | bool


class Option(NamedTuple):
    """The facts about one option."""

    help: str
    """One sentence for the help of the command line; empty if the command line has no such option."""
    key: str = ""
    """The option's key in a signature. Empty: the word of another option contains the value."""
    words: Mapping[Choice, str] | None = None
    """The accepted values, each with its word in a signature. None: other values are accepted."""
    other_names: tuple[str, ...] = ()
    """Names of the same option in other libraries, or before a rename."""


def _named(names: Iterable[str]) -> dict[Choice, str]:
    return {name: name for name in names}


_NO_YES: dict[Choice, str] = {False: "no", True: "yes"}
OPTIONS = {
    "tokenizer": Option(
        "How texts are split into tokens. Pass spm:PATH (a SentencePiece model) or a name.",
        key="tok",
        words=_named([*TOKENIZERS, *SACREBLEU_TOKENIZERS]),
        other_names=("tokenize", "tok"),
    ),
    "lowercase": Option(
        "Lower-case before tokenizing (yes), after it (after), or after it but only A-Z (ascii).",
        key="case",
        words={False: "mixed", True: "lc", "after": "lc-after", "ascii": "lc-ascii"},
        other_names=("lc",),
    ),
    "normalization": Option(
        "Unicode form to which texts are converted first.", key="norm", words=_named(["none", "NFC", "NFKC"])
    ),
    # --documents sets the unit
    "unit": Option("", key="seg", words=_named(["segment", "document"])),
    "strip": Option("Drop whitespace at the end of a text before tokenizing.", key="strip", words=_NO_YES),
    "whitespace": Option("Which characters between tokens are whitespace.", key="space", words=_named(WHITESPACE)),
    "max_order": Option(
        "Highest n-gram order.", key="order", other_names=("max_ngram_order", "max_n", "n_gram", "ngram")
    ),
    "weights": Option(
        "One weight per order, e.g. 0.5,0.5. Repeat the option to compute several scores.", key="weights"
    ),
    "smoothing": Option(
        "Formula for n-gram orders without a match.",
        key="smooth",
        words=_named(SMOOTHINGS),
        other_names=("smooth_method",),
    ),
    "smoothing_value": Option("Epsilon, k or alpha of the smoothing formula.", other_names=("smooth_value",)),
    "reference_length": Option(
        "Which reference length sets the brevity penalty.",
        key="ref",
        words=_named(REFERENCE_LENGTHS),
        other_names=("ref_len_method",),
    ),
    "effective_order": Option(
        "Leave out n-gram orders for which the text is too short.",
        key="eff",
        words=_NO_YES | {"sentence": "sentence"},
        other_names=("use_effective_order",),
    ),
    "auto_reweigh": Option("Use NLTK's weights for texts below 4 tokens.", key="reweigh", words=_NO_YES),
    "average": Option(
        "Score the summed counts (corpus), or average the sentence scores (sentence).",
        key="avg",
        words=_named(["corpus", "sentence"]),
    ),
    "total_floor": Option(
        "Where the number of n-grams is raised to at least 1.", key="floor", words=_named(["none", "segment", "corpus"])
    ),
    "zero_score": Option(
        "Cases in which the score is 0 despite smoothing.",
        key="zero",
        words=_named(["no-match", "any-order", "empty", "empty-prediction", "never"]),
    ),
    "zero_precision": Option(
        "Effect of an n-gram order with precision 0.",
        key="zeroprec",
        words=_named(["zero", "skip", "skip-absent", "long-double"]),
    ),
    "weight_dtype": Option(
        "Floating-point type to which the weights are rounded.", key="wtype", words=_named(["float64", "float32"])
    ),
}
# The keys that every signature has; it has another key only if its option does not have its default value
ALWAYS_NAMED = ("tok", "case", "order", "weights", "smooth", "ref", "eff", "avg")
# The options that many users need: the help shows them first
USUAL = ("tokenizer", "lowercase", "max_order", "smoothing", "effective_order")
CHOICES = {name: tuple(option.words) for name, option in OPTIONS.items() if option.words is not None}
