"""`OPTIONS`: the accepted values of each option, its names in signatures and in other libraries, and its help text.

Signatures, hints in error messages and the options of the command line are generated from this table. The fields of
`BleuConfig` define the types, the defaults and the descriptions of the options.

The metric class for evaluate also accepts a few arguments of evaluate's own metrics, and also returns results under the
names in these metrics. Everywhere else, an argument of another library raises an error that suggests our option.

A signature is one line of text from which the options can be read. In the part ``tok:13a``, ``tok`` is the key and
``13a`` is the word. Signatures of sacrebleu 2 and 1 can also be read, such as:

    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
    BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+tok.13a+version.1.5.1
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from ._formula import REFERENCE_LENGTHS, SMOOTHINGS
from ._tokens import (
    SACREBLEU_TOKENIZERS,
    TOKENIZERS,
    WHITESPACE,
    named_by,
    named_in_sacrebleu,
    word_in_sacrebleu,
    word_of,
)
from ._validation import short_repr, typed, unknown_message

Choice = str | bool


class Option(NamedTuple):
    """One option of `BleuConfig`."""

    help: str
    """One sentence for the help of the command line; empty if the command line has no such option."""
    key: str = ""
    """The option's key in a signature; empty for `smoothing_value`, which follows a word: ``smooth:floor[0.1]``."""
    words: Mapping[Choice, str] | None = None
    """Accepted value -> its word in a signature; None for options with too many values, such as numbers."""


def _named(names: Iterable[str]) -> dict[Choice, str]:
    """Return a dict of each name to itself: ["NFC"] -> {"NFC": "NFC"}."""
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
# Every signature has these keys. Another key appears only if its option differs from the default
ALWAYS_NAMED = ("tok", "case", "order", "weights", "smooth", "ref", "eff", "avg")
# The help shows these options first, because many users need them
USUAL = ("tokenizer", "lowercase", "max_order", "smoothing", "effective_order")
CHOICES = {name: tuple(option.words) for name, option in OPTIONS.items() if option.words is not None}


# --- Names in other libraries -------------------------------------------------------------------------------------

# Dialect -> arguments of evaluate's metric of the same name, which our metric also accepts
_ARGUMENTS = {
    "sacrebleu": ("smooth_method", "smooth_value", "tokenize", "use_effective_order", "force"),
    "evaluate": ("smooth",),
}

# Result of evaluate's metric "sacrebleu" -> our name
_RESULTS_OF_SACREBLEU = {"bp": "brevity_penalty", "sys_len": "translation_length", "ref_len": "reference_length"}

# Argument of NLTK, sacrebleu, torchtext and other libraries -> our name
OUR_NAMES = {
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
# Arguments of functions that are not in `OPTIONS`
_OTHER_ARGUMENTS = ("target_language", "all_orders", "documents", "confidence", "extract", "brevity")
# Argument of another library -> what to type here, if the value differs
_REPLACEMENTS = {
    "smooth": 'smoothing="add-one" (evaluate, bleuscore) or smoothing="method2" (torchmetrics, ignite)',
    "smoothing_function": 'smoothing="method1"',
    "smoothing_func": 'smoothing="method1" or smoothing="none"',
    "epsilon": 'smoothing_value, with smoothing="method1"',
    # Arguments of other functions
    "confidence": "bootstrap(corpus_statistics(predictions, references))",
    "sentence_scores": "the function sentence_bleu(predictions, references)",
    "documents": "corpus_statistics(predictions, references, documents=…)",
    "all_orders": "bleu_metric.load().compute(predictions=…, references=…, all_orders=True)",
    "language": "target_language",
    "group": "groups",
}
_OTHER_HINTS = {
    "force": "leave it out; ",  # sacrebleu's option that silences its warning about tokenized text
    "groups": "for one score per group, call score_groups(corpus_statistics(predictions, references), groups); ",
}


def hint_for(name: str) -> str:
    """Return a hint to replace another library's option with ours, or "" for an unknown name.

    >>> hint_for("smooth_value")
    'did you mean smoothing_value? '
    """
    replacement = _REPLACEMENTS.get(name) or OUR_NAMES.get(name)
    if nearest := [] if name in _OTHER_ARGUMENTS else get_close_matches(name, _OTHER_ARGUMENTS, n=1):
        [replacement] = nearest
    return f"did you mean {replacement}? " if replacement else _OTHER_HINTS.get(name, "")


def translate_arguments(dialect: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Rename the arguments of evaluate's own metric to the options of this package.

    Leave out arguments without a corresponding option, such as ``force``.

    >>> translate_arguments("sacrebleu", {"smooth_method": "floor", "force": True, "lowercase": True})
    {'lowercase': True, 'smoothing': 'floor'}
    """
    evaluate_arguments = _ARGUMENTS.get(dialect, ())
    translated = {name: value for name, value in options.items() if name not in evaluate_arguments}
    for argument in evaluate_arguments:
        option = OUR_NAMES.get(argument)
        if option is None or argument not in options:
            continue
        if option in translated:
            raise TypeError(f"{argument} and {option} are the same option: pass one of them")

        value = options[argument]
        if argument == "smooth":
            if not isinstance(value, bool):
                raise TypeError(f"smooth must be True or False, got {short_repr(value)}")
            value = "add-one" if value else "none"
        translated[option] = value
    return translated


def add_other_results(dialect: str, result: dict[str, Any]) -> dict[str, Any]:
    """Return the result with the entries of evaluate's own metric, such as ``bp`` and ``score`` (in percent).

    >>> from bleu_metric import corpus_bleu
    >>> add_other_results("sacrebleu", corpus_bleu(["a b c d"], ["a b c d"]).to_dict())["score"]
    100.0
    """
    if dialect != "sacrebleu":  # evaluate's metric "bleu" has the same names as this package
        return result

    renamed = {name: result[our_name] for name, our_name in _RESULTS_OF_SACREBLEU.items()}
    return {**result, "score": 100 * result["bleu"], **renamed}


# --- Signatures -----------------------------------------------------------------------------------------------------

_NAME_OF_KEY = {option.key: name for name, option in OPTIONS.items() if option.key}
# The same dict in the order of a signature, first the keys in `ALWAYS_NAMED`
_OPTION_OF_KEY = {key: _NAME_OF_KEY[key] for key in ALWAYS_NAMED} | _NAME_OF_KEY
# Keys that are not options. `from_signature` only checks that their words are safe in a path, because evaluate uses a
# signature as a folder's name
_ABOUT_THE_DATA = ("nrefs", "bs", "ar", "seed", "conf", "p", "version", "test", "lang", "origlang", "subset")
_SAFE_WORD = re.compile(r"(\w[\w.,+-]*(/\w[\w.,+-]*)*)?")  # such as wmt14/full
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")  # `int` and `float` also read the digits of other scripts


def to_signature(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """Return the signature of options, without the version. `defaults`: the default value of each option.

    Options with default values are left out, except the options whose keys are in `ALWAYS_NAMED`.
    """
    parts = []
    for key, name in _OPTION_OF_KEY.items():
        value = options[name]
        if key in ALWAYS_NAMED or value != defaults[name]:
            parts.append(f"{key}:{_to_word(name, value)}")

        if name == "smoothing" and options["smoothing_value"] is not None:
            parts[-1] += f"[{options['smoothing_value']!r}]"  # "smooth:floor" becomes "smooth:floor[0.1]"

    return "|".join(parts)


def is_signature(text: str) -> bool:
    """Return whether a string looks like a signature, ours or sacrebleu's, and not like the name of a dialect."""
    return "|" in text or _is_of_sacrebleu_1(text)


def _is_of_sacrebleu_1(signature: str) -> bool:
    return signature.strip().startswith("BLEU+")


def from_signature(signature: str, tokenizer: Any = None) -> dict[str, Any]:
    """Parse a signature, ours or sacrebleu's, and return a dict of options.

    `tokenizer`: if not None, replaces the tokenizer in the signature. Raise ``TypeError`` for a value that is not a
    string, and ``ValueError`` for a string that is not a signature.
    """
    if not isinstance(signature, str):
        raise TypeError(f"a signature is a string, got {short_repr(signature)}")

    other_digit = _OTHER_DIGIT.search(signature)
    if other_digit:
        raise ValueError(f"{short_repr(other_digit[0])} in signature {short_repr(signature)} is not one of 0123456789")
    words = _option_words(signature)
    is_from_sacrebleu = _SACREBLEU_NEEDS <= words.keys() <= _SACREBLEU_KEYS
    if is_from_sacrebleu:
        words = _in_our_words(words, is_version_1=_is_of_sacrebleu_1(signature))

    options: dict[str, Any] = {}
    if "smooth" in words:
        words["smooth"], options["smoothing_value"] = _split_smoothing(words["smooth"])
    for key, word in words.items():
        name = _OPTION_OF_KEY[key]
        if name != "tokenizer":
            options[name] = _from_word(name, word)
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
    """Return a dict of key -> word for the options in a signature.

    Keys about the data, such as "nrefs" and "seed", are left out. Raise ``ValueError`` for an unknown or repeated key,
    and for a word about the data that is not a number or a name.

    >>> _option_words("nrefs:1|case:lc|tok:13a")
    {'case': 'lc', 'tok': '13a'}
    """
    words: dict[str, str] = {}
    for part, key, word in _parts_of(signature):
        if key in words:
            raise ValueError(f"key {short_repr(key)} occurs twice in signature {short_repr(signature)}")
        if key in _ABOUT_THE_DATA:
            is_pattern = key == "subset"  # in sacrebleu, a regular expression for the names of documents
            if not is_pattern and not _SAFE_WORD.fullmatch(word):
                raise ValueError(f"{short_repr(part)} in signature {short_repr(signature)} is not a number or a name")
        elif key not in _OPTION_OF_KEY:
            raise ValueError(unknown_message("key in a signature", key, _OPTION_OF_KEY))
        words[key] = word
    return {key: word for key, word in words.items() if key in _OPTION_OF_KEY}


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
    """Parse a number, such as an order or a weight: ``"0.5"`` -> ``0.5``."""
    try:
        if "_" in text:  # as in 1_000, which Python reads
            raise ValueError
        return number_type(text)
    except ValueError:
        raise ValueError(f"{short_repr(text)} in a signature is not a number") from None


def _to_word(name: str, value: Any) -> str:
    """Return the word for the value of an option: ``"weights"``, (0.5, 0.5) -> ``"0.5,0.5"``."""
    if name == "tokenizer":
        return word_of(value)
    if name == "weights":
        return "uniform" if value is None else ",".join(map(repr, value))
    words = OPTIONS[name].words
    return str(value) if words is None else words[value]


def _from_word(name: str, word: str) -> Any:
    """Return the value of an option from its word: ``"max_order"``, ``"4"`` -> 4. `name` is never "tokenizer"."""
    if name == "weights":
        return None if word == "uniform" else list(map(_read_number, word.split(",")))
    words = OPTIONS[name].words
    if words is None:
        return _read_number(word, int)

    values = {word_of_value: value for value, word_of_value in words.items()}
    if word not in values:
        raise ValueError(unknown_message(f"value of {typed(name)} in a signature", word, values))
    return values[word]


# --- sacrebleu's signatures -----------------------------------------------------------------------------------------

_SACREBLEU_KEYS = frozenset({"tok", "case", "smooth", "eff"})
_SACREBLEU_NEEDS = _SACREBLEU_KEYS - {"eff"}  # signatures of sacrebleu 1 have no key "eff"
_SACREBLEU_VERSION = "2.6.0"  # the version whose scores the dialect "sacrebleu" computes
# Key of sacrebleu 1, or of sacrebleu's short signatures -> full key
_SHORT_KEYS = {"c": "case", "e": "eff", "s": "smooth", "rs": "seed", "v": "version"}
_SHORT_KEYS |= {"numrefs": "nrefs", "#": "nrefs", "t": "test", "l": "lang", "o": "origlang", "S": "subset"}
_SACREBLEU_SMOOTHINGS = ("exp", "floor", "add-k", "none")
_SETTINGS_OF_SACREBLEU = {"order": "4", "weights": "uniform", "ref": "closest", "avg": "corpus"}


def _in_our_words(words: Mapping[str, str], is_version_1: bool) -> dict[str, str]:
    """Translate the words of sacrebleu's signature into our words, except the tokenizer.

    ``eff:no`` becomes ``eff:sentence``, because sacrebleu's `sentence_bleu` uses the effective order even with
    ``eff:no``. For sacrebleu 1, add ``zero:never``, because sacrebleu 1 also smooths a score without any match. Raise
    ``ValueError`` if the smoothing value is missing, because the default differed between versions of sacrebleu 1.
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

    Also return None for an order other than 4, and for a smoothing value with more than two digits after the point,
    because sacrebleu's signature shows neither.

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
    """Return sacrebleu's word for a smoothing from our word: "floor[0.1]" -> "floor[0.10]".

    Return None if sacrebleu lacks the smoothing, or would round the smoothing value: "floor[0.123]" -> None.
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
