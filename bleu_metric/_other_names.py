"""The results that a metric adds under other libraries' names, and the hints about their names of arguments.

The metric for evaluate accepts some of these names. Everywhere else, such a name raises an error, which suggests the
name to use here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._options import OPTIONS
from ._validation import short_repr

# For the dialects of evaluate's metrics: the arguments of the metric that are accepted
_ARGUMENTS = {
    "sacrebleu": ("smooth_method", "smooth_value", "tokenize", "use_effective_order", "force"),
    "evaluate": ("smooth",),
}

# For each dialect: the name of a result of evaluate's own metric -> the name of the result here
_RESULTS = {"sacrebleu": {"bp": "brevity_penalty", "sys_len": "translation_length", "ref_len": "reference_length"}}

# Name of an argument in NLTK, sacrebleu, torchtext and other libraries -> what to type here
_HINTS = {
    **{other: name for name, option in OPTIONS.items() for other in option.other_names},
    "smooth": 'smoothing="add-one" (evaluate, bleuscore) or smoothing="method2" (torchmetrics, ignite)',
    "smoothing_function": 'smoothing="method1"',
    "smoothing_func": 'smoothing="method1" or smoothing="none"',
    "epsilon": 'smoothing_value, with smoothing="method1"',
    "target_language": "tokenizer",  # the error of `BleuConfig`, which has no such field
    **dict.fromkeys(("trg_lang", "tgt_lang", "language", "lang"), "target_language"),
    **dict.fromkeys(("references_list", "list_of_references", "gts", "y_true"), "references"),
    **dict.fromkeys(("hypotheses", "res", "y_pred"), "predictions"),
}


def hint_for(name: object) -> str:
    """Return a hint with the option to type instead of another library's option, or "" for an unknown name.

    >>> hint_for("smooth_value")
    'did you mean smoothing_value? '
    """
    if name == "force":  # it silences a warning of tokenized text
        return "leave it out; "
    hint = _HINTS.get(name) if isinstance(name, str) else None
    return f"did you mean {hint}? " if hint else ""


def option_for(name: str) -> str | None:
    """Return the name of the option here that corresponds to another library's option, or None if no option does.

    >>> option_for("smooth"), option_for("lc"), option_for("force")
    ('smoothing', 'lowercase', None)
    """
    option, _, _ = _HINTS.get(name, "").replace(",", "=").partition("=")
    return option or None


def translate_arguments(dialect: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options under their names here, given the argument names of evaluate's own metric.

    Arguments that are ignored, such as ``force``, are left out.

    >>> translate_arguments("sacrebleu", {"smooth_method": "floor", "force": True, "lowercase": True})
    {'lowercase': True, 'smoothing': 'floor'}
    """
    others = _ARGUMENTS.get(dialect, ())
    translated = {name: value for name, value in options.items() if name not in others}
    for name in others:
        option = option_for(name)
        if name not in options or option is None:
            continue
        if option in translated:
            raise TypeError(f"{name} and {option} are the same option: pass one of them")
        value = options[name]
        translated[option] = _smoothing_of(value) if name == "smooth" else value
    return translated


def _smoothing_of(smooth: Any) -> str:
    if not isinstance(smooth, bool):
        raise TypeError(f"smooth must be True or False, got {short_repr(smooth)}")
    return "add-one" if smooth else "none"


def add_other_results(dialect: str, result: dict[str, Any]) -> dict[str, Any]:
    """Return a result with the names of evaluate's own metric added to it. Of these, ``score`` is in percent.

    >>> from bleu_metric import corpus_bleu
    >>> add_other_results("sacrebleu", corpus_bleu(["a b c d"], ["a b c d"]).to_dict())["score"]
    100.0
    """
    if dialect not in _RESULTS:
        return result
    bleu = result["bleu"]
    percent = [100 * score for score in bleu] if isinstance(bleu, list) else 100 * bleu
    return result | {"score": percent} | {name: result[own] for name, own in _RESULTS[dialect].items()}
