"""`OPTIONS`: the accepted values of each option, its names in signatures and in other libraries, and its help text.

Signatures, hints in error messages and the options of the command line are generated from this table. The fields of
`BleuConfig` define the types, the defaults and the descriptions of the options.

The metric class for evaluate also accepts a few arguments of evaluate's own metrics, and also returns results under the
names that evaluate's metrics use. Everywhere else, an argument of another library raises an error, which suggests the
option to use here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ._reference_length import REFERENCE_LENGTHS
from ._smoothing import SMOOTHINGS
from ._tokenizers import SACREBLEU_TOKENIZERS, TOKENIZERS, WHITESPACE
from ._validation import short_repr

Choice = str | bool


class Option(NamedTuple):
    """One option of `BleuConfig`."""

    help: str
    """One sentence for the help of the command line; empty if the command line has no such option."""
    key: str = ""
    """The option's key in a signature; empty for `smoothing_value`, which is shown after the name of the smoothing."""
    words: Mapping[Choice, str] | None = None
    """Accepted value -> the word for it in a signature. None if the values cannot be listed, as for numbers."""


def _named(names: Iterable[str]) -> dict[Choice, str]:
    """Return a dict of name -> the same name, for values that a signature shows as they are."""
    return {name: name for name in names}


_NO_YES: dict[Choice, str] = {False: "no", True: "yes"}
OPTIONS = {
    "tokenizer": Option(
        "How texts are split into tokens. Pass spm:PATH (a SentencePiece model) or a name.",
        key="tok",
        words=_named([*TOKENIZERS, *SACREBLEU_TOKENIZERS]),
    ),
    "lowercase": Option(
        "Lower-case before tokenizing (yes), after it (after), or after it but only A-Z (ascii).",
        key="case",
        words={False: "mixed", True: "lc", "after": "lc-after", "ascii": "lc-ascii"},
    ),
    "normalization": Option(
        "Unicode form to which texts are converted first.", key="norm", words=_named(["none", "NFC", "NFKC"])
    ),
    # The command line has no option --unit, because its option --documents sets the unit
    "unit": Option("", key="seg", words=_named(["segment", "document"])),
    "strip": Option("Drop whitespace at the end of a text before tokenizing.", key="strip", words=_NO_YES),
    "whitespace": Option("Which whitespace characters separate tokens.", key="space", words=_named(WHITESPACE)),
    "max_order": Option("Highest n-gram order.", key="order"),
    "weights": Option("One weight per order, e.g. 0.5,0.5.", key="weights"),
    "smoothing": Option("Formula for n-gram orders without a match.", key="smooth", words=_named(SMOOTHINGS)),
    "smoothing_value": Option("Epsilon, k or alpha of the smoothing formula."),
    "reference_length": Option(
        "Which reference length sets the brevity penalty.", key="ref", words=_named(REFERENCE_LENGTHS)
    ),
    "empty_references": Option(
        "Whether an empty reference is a text without tokens (empty) or left out (missing).",
        key="emptyrefs",
        words=_named(["empty", "missing"]),
    ),
    "effective_order": Option(
        "Leave out n-gram orders for which the text is too short.", key="eff", words=_NO_YES | {"sentence": "sentence"}
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
        words=_named(["zero", "skip", "skip-absent"]),
    ),
}
# Every signature has these keys. Any other key appears only if its option does not have the default value
ALWAYS_NAMED = ("tok", "case", "order", "weights", "smooth", "ref", "eff", "avg")
# The help shows these options first, because many users need them
USUAL = ("tokenizer", "lowercase", "max_order", "smoothing", "effective_order")
CHOICES = {name: tuple(option.words) for name, option in OPTIONS.items() if option.words is not None}


# --- Names in other libraries -------------------------------------------------------------------------------------

# Dialect -> arguments that our metric accepts, because evaluate's own metric of the same name as the dialect has them
_ARGUMENTS = {
    "sacrebleu": ("smooth_method", "smooth_value", "tokenize", "use_effective_order", "force"),
    "evaluate": ("smooth",),
}

# Name of a result of evaluate's metric "sacrebleu" -> name of the same result here
_RESULTS_OF_SACREBLEU = {"bp": "brevity_penalty", "sys_len": "translation_length", "ref_len": "reference_length"}

# Name of an argument in NLTK, sacrebleu, torchtext and other libraries -> name of the same argument here
_OUR_NAMES = {
    **dict.fromkeys(("tokenize", "tok"), "tokenizer"),
    "target_language": "tokenizer",  # the hint for `BleuConfig`, which has no such field
    "lc": "lowercase",
    **dict.fromkeys(("max_ngram_order", "max_n", "n_gram", "ngram"), "max_order"),
    **dict.fromkeys(("smooth_method", "smooth", "smoothing_function", "smoothing_func"), "smoothing"),
    **dict.fromkeys(("smooth_value", "epsilon"), "smoothing_value"),
    "ref_len_method": "reference_length",
    "use_effective_order": "effective_order",
    **dict.fromkeys(("trg_lang", "tgt_lang", "language", "lang"), "target_language"),
    **dict.fromkeys(("references_list", "list_of_references", "gts", "y_true"), "references"),
    **dict.fromkeys(("hypotheses", "res", "y_pred"), "predictions"),
}
# Argument of another library -> what to type here, if not only the name but also the value is different
_REPLACEMENTS = {
    "smooth": 'smoothing="add-one" (evaluate, bleuscore) or smoothing="method2" (torchmetrics, ignite)',
    "smoothing_function": 'smoothing="method1"',
    "smoothing_func": 'smoothing="method1" or smoothing="none"',
    "epsilon": 'smoothing_value, with smoothing="method1"',
}


def hint_for(name: str) -> str:
    """Return a hint to replace another library's option with ours, or "" for an unknown name.

    >>> hint_for("smooth_value")
    'did you mean smoothing_value? '
    """
    if name == "force":  # sacrebleu's option that silences its warning about tokenized text
        return "leave it out; "
    replacement = _REPLACEMENTS.get(name) or _OUR_NAMES.get(name)
    return f"did you mean {replacement}? " if replacement else ""


def option_for(name: str) -> str | None:
    """Return the name of our option that corresponds to another library's option, or None if there is none.

    >>> option_for("smooth"), option_for("lc"), option_for("force")
    ('smoothing', 'lowercase', None)
    """
    return _OUR_NAMES.get(name)


def translate_arguments(dialect: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Rename the arguments of evaluate's own metric to the options of this package.

    Leave out arguments without a corresponding option, such as ``force``.

    >>> translate_arguments("sacrebleu", {"smooth_method": "floor", "force": True, "lowercase": True})
    {'lowercase': True, 'smoothing': 'floor'}
    """
    evaluate_arguments = _ARGUMENTS.get(dialect, ())
    translated = {name: value for name, value in options.items() if name not in evaluate_arguments}
    for argument in evaluate_arguments:
        option = option_for(argument)
        if option is None or argument not in options:
            continue
        if option in translated:
            raise TypeError(f"{argument} and {option} are the same option: pass one of them")

        value = options[argument]
        if argument == "smooth":  # evaluate's Boolean
            value = _smoothing_of(value)
        translated[option] = value
    return translated


def _smoothing_of(smooth: Any) -> str:
    """Return the smoothing for evaluate's argument ``smooth``. Raise ``TypeError`` if `smooth` is not a Boolean."""
    if not isinstance(smooth, bool):
        raise TypeError(f"smooth must be True or False, got {short_repr(smooth)}")
    return "add-one" if smooth else "none"


def add_other_results(dialect: str, result: dict[str, Any]) -> dict[str, Any]:
    """Add to a result the entries of evaluate's own metric, such as ``bp``, and ``score`` in percent.

    >>> from bleu_metric import corpus_bleu
    >>> add_other_results("sacrebleu", corpus_bleu(["a b c d"], ["a b c d"]).to_dict())["score"]
    100.0
    """
    if dialect != "sacrebleu":  # evaluate's metric "bleu" has the same names as this package
        return result

    bleu = result["bleu"]
    in_percent = [100 * number for number in bleu] if isinstance(bleu, list) else 100 * bleu
    renamed = {name: result[our_name] for name, our_name in _RESULTS_OF_SACREBLEU.items()}
    return {**result, "score": in_percent, **renamed}
