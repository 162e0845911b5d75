"""Call every other implementation of BLEU ("peer") in the same way, and compare its results with ours.

`Peer.run(predictions, references, **options)` calls an implementation with its own options, as its users do, and
returns an `Answer`. `Peer.draw(rng)` returns random options of the peer, and our options for the same results.
"""

from __future__ import annotations

import functools
import importlib.util
import logging
import math
import operator
import re
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from bleu_metric import BleuScore


class Answer(NamedTuple):
    """The results of an implementation, with None for those that it does not return. Scores are from 0 to 1."""

    bleu: float
    counts: list[int] | None = None
    totals: list[int] | None = None
    translation_length: int | None = None
    reference_length: int | None = None
    precisions: list[float] | None = None
    brevity_penalty: float | None = None
    length_ratio: float | None = None


def of_score(score: BleuScore) -> Answer:
    return Answer(*(getattr(score, name) for name in Answer._fields))


def differences(ours: Answer, theirs: Answer, tolerance: float = 1e-12) -> list[str]:
    """Return a line for each result that differs. Integers must be equal; other numbers have a relative tolerance."""
    found = []
    for name in ("counts", "totals", "translation_length", "reference_length"):
        left, right = getattr(ours, name), getattr(theirs, name)
        if left is not None and right is not None and left != right:
            found.append(f"{name}: {left}, but {right} in the library")
    for name in ("bleu", "precisions", "brevity_penalty", "length_ratio"):
        if getattr(ours, name) is None or getattr(theirs, name) is None:
            continue
        pairs = zip(np.atleast_1d(getattr(ours, name)), np.atleast_1d(getattr(theirs, name)), strict=True)
        for left, right in pairs:
            if not math.isclose(left, right, rel_tol=tolerance):
                found.append(f"{name}: {left!r}, but {right!r} in the library")
    return found


Options = dict[str, Any]
Choices = list[tuple[str, Options, Options]]  # (name, the peer's options, our options)
Draw = Callable[[np.random.Generator], tuple[dict[str, Any], dict[str, Any]]]


@dataclass(frozen=True)
class Peer:
    """An implementation of BLEU that this project reproduces."""

    dialect: str
    module: str
    kind: str  # what `run` accepts: "text", "tokens", or "lines" (texts without line breaks)
    draw: Draw  # returns random options, for tests that call the peer
    run: Callable[..., Answer]
    choices: Choices  # recorded in tests/peers/golden: all smoothing methods of the peer, and some weights
    run_sentence: Callable[..., Any] | None = None  # scores one prediction
    raises: tuple[str, ...] = ()  # each occurs in the text of an error that this peer may raise
    install: str = "pip install --group test-all"
    version: str = ""  # of the library, if `run` restates its formula

    @property
    def is_installed(self) -> bool:
        """Return whether the peer's module is installed."""
        return importlib.util.find_spec(self.module) is not None


PEERS: dict[str, Peer] = {}  # dialect -> peer; filled below


def _choice(rng: np.random.Generator, options: list[Any]) -> Any:
    return options[int(rng.integers(len(options)))]


# --- NLTK -------------------------------------------------------------------------------------------------------

NLTK_VALUES = {"method1": "epsilon", "method4": "k", "method6": "alpha", "method7": "k"}


def _draw_nltk(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    orders = int(rng.integers(1, 7))
    weights = tuple(rng.uniform(0, 1, orders).tolist())
    if not rng.integers(4):
        weights = (*(0.25,) * 4, *(0.0,) * int(rng.integers(3)))  # auto_reweigh has no effect on weights with zeros
    method = f"method{rng.integers(8)}"
    reweigh = bool(rng.integers(2))
    theirs: dict[str, Any] = {"weights": weights, "method": method, "auto_reweigh": reweigh, "values": {}}
    ours = {"weights": weights, "smoothing": method, "auto_reweigh": reweigh}
    if method in NLTK_VALUES and rng.integers(2):
        ours["smoothing_value"] = float(rng.uniform(0.01, 8))
        theirs["values"] = {NLTK_VALUES[method]: ours["smoothing_value"]}
    return theirs, ours


def _nltk(predictions: Any, references: Any, weights: Any, method: str, auto_reweigh: bool, values: Any) -> Answer:
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    smoothing = getattr(SmoothingFunction(**values), method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Answer(corpus_bleu(references, predictions, weights, smoothing, auto_reweigh))


def _nltk_sentence(prediction: Any, references: Any, **options: Any) -> Any:
    return _nltk([prediction], [references], **options).bleu


NLTK_WEIGHTS = {
    "BLEU-4": (0.25,) * 4,
    "BLEU-1": (1.0,),
    "BLEU-2": (0.5, 0.5),
    "0.4 0.3 0.2 0.1": (0.4, 0.3, 0.2, 0.1),
    "BLEU-6": (1 / 6,) * 6,
    "0.5 0.5 0 0": (0.5, 0.5, 0, 0),
    "1/3 1/3 1/3 0": (1 / 3, 1 / 3, 1 / 3, 0),
}


def _nltk_choices() -> Choices:
    choices: Choices = []
    for name, weights in NLTK_WEIGHTS.items():
        for method in range(8):
            if method == 6 and len(weights) < 3:
                continue  # method 6 raises IndexError without order 3
            for reweigh in (False, True):
                theirs = {"weights": weights, "method": f"method{method}", "auto_reweigh": reweigh, "values": {}}
                ours = {"weights": weights, "smoothing": f"method{method}", "auto_reweigh": reweigh}
                choices.append((f"{name}, method{method}{', auto_reweigh' if reweigh else ''}", theirs, ours))
    return choices


PEERS["nltk"] = Peer(
    *("nltk", "nltk", "tokens", _draw_nltk, _nltk, _nltk_choices(), _nltk_sentence),
    # Method 6 raises the first if no trigram matches, and the second if the weights have fewer than three orders
    raises=("This smoothing method requires non-zero precision for bigrams", "IndexError: list index out of range"),
)


# --- sacrebleu --------------------------------------------------------------------------------------------------


def _draw_sacrebleu(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    method = _choice(rng, ["exp", "floor", "add-k", "none"])
    theirs = {
        "smooth_method": method,
        "smooth_value": None,
        "max_ngram_order": int(rng.integers(1, 7)),
        "effective_order": bool(rng.integers(2)),
        "tokenize": _choice(rng, ["13a", "13a", "intl", "zh", "char", "none"]),
        "lowercase": bool(rng.integers(2)),
    }
    if method in ("floor", "add-k") and rng.integers(2):
        theirs["smooth_value"] = float(rng.uniform(0.01, 3))
    ours = {
        "smoothing": method,
        "smoothing_value": theirs["smooth_value"],
        "max_order": theirs["max_ngram_order"],
        "effective_order": theirs["effective_order"],
        "tokenizer": theirs["tokenize"],
        "lowercase": theirs["lowercase"],
    }
    return theirs, ours


def _from_sacrebleu(score: Any, options: dict[str, Any]) -> Answer:
    adds = options["smooth_method"] == "add-k"  # for add-k, sacrebleu's counts include k
    counts, totals = (None, None) if adds else (list(score.counts), list(score.totals))
    precisions = [precision / 100 for precision in score.precisions]
    return Answer(score.score / 100, counts, totals, score.sys_len, score.ref_len, precisions, score.bp)


def _sacrebleu(predictions: Any, references: Any, **options: Any) -> Answer:
    from sacrebleu.metrics import BLEU

    most = max(map(len, references))
    streams = [[refs[place] if place < len(refs) else None for refs in references] for place in range(most)]
    return _from_sacrebleu(BLEU(**options).corpus_score(predictions, streams), options)


def _sacrebleu_sentence(prediction: Any, references: Any, **options: Any) -> Any:
    from sacrebleu.metrics import BLEU

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # otherwise sacrebleu logs advice for each sentence
    return BLEU(**options).sentence_score(prediction, [ref for ref in references if ref is not None]).score / 100


def _sacrebleu_choices() -> Choices:
    choices: Choices = []
    for method, value in (
        ("exp", None),
        ("floor", None),
        ("floor", 0.01),
        ("add-k", None),
        ("add-k", 2.5),
        ("none", None),
    ):
        for tokenize in ("13a", "intl", "zh", "char", "none"):
            for effective in (False, True):
                theirs = {"smooth_method": method, "smooth_value": value, "tokenize": tokenize}
                ours = {"smoothing": method, "smoothing_value": value, "tokenizer": tokenize}
                both = {"effective_order": effective}
                name = f"{method}{'' if value is None else f' {value}'}, {tokenize}"
                name += ", effective order" if effective else ""
                choices.append((name, theirs | both, ours | both))
    choices += [(f"order {n}", {"max_ngram_order": n, "smooth_method": "exp"}, {"max_order": n}) for n in (1, 2, 6)]
    return [(name, theirs, {"effective_order": False, **ours}) for name, theirs, ours in choices]


PEERS["sacrebleu"] = Peer(
    *("sacrebleu", "sacrebleu", "text", _draw_sacrebleu, _sacrebleu, _sacrebleu_choices(), _sacrebleu_sentence)
)

# --- evaluate ---------------------------------------------------------------------------------------------------


def _draw_evaluate(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    smooth, order = bool(rng.integers(2)), int(rng.integers(1, 7))
    ours = {"max_order": order, "smoothing": "add-one" if smooth else "none"}
    return {"max_order": order, "smooth": smooth}, ours


def _evaluate(predictions: Any, references: Any, max_order: int, smooth: bool) -> Answer:
    """Compute the results of evaluate's bleu by its formula. Its script is not loaded, because it downloads a file."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    cut = Tokenizer13a()
    texts = [cut(text).split() for text in predictions]
    refs = [[cut(ref).split() for ref in refs] for refs in references]
    return _shortest_reference_bleu(texts, refs, max_order, smooth)


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def _clipped_matches(tokens: Sequence[str], refs: Sequence[Sequence[str]], order: int) -> int:
    limits = functools.reduce(operator.or_, [_ngrams(ref, order) for ref in refs])  # keeps the larger of two counts
    return (_ngrams(tokens, order) & limits).total()


def _shortest_reference_bleu(texts: Any, refs: Any, max_order: int, smooth: bool) -> Answer:
    """Compute BLEU on tokens by the formula of tensorflow/nmt, with the shortest reference of each segment."""
    orders = range(1, max_order + 1)
    matches = [sum(map(_clipped_matches, texts, refs, repeat(order))) for order in orders]
    totals = [sum(_ngrams(text, order).total() for text in texts) for order in orders]
    length = sum(map(len, texts))
    shortest = sum(min(map(len, of_segment)) for of_segment in refs)
    pairs = list(zip(matches, totals, strict=True))
    precisions = [(m + smooth) / (n + smooth) if n + smooth else 0.0 for m, n in pairs]
    mean = math.exp(sum(1 / max_order * math.log(p) for p in precisions)) if min(precisions) > 0 else 0.0
    ratio = length / shortest
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    return Answer(mean * penalty, matches, totals, length, shortest, precisions, penalty, ratio)


def _smooth_choices(**both: Any) -> Choices:
    smoothings = {False: "none", True: "add-one"}
    return [
        (
            f"order {order}{', smooth' if smooth else ''}",
            {"max_order": order, "smooth": smooth, **both},
            {"max_order": order, "smoothing": smoothings[smooth]},
        )
        for order in (1, 2, 4, 6)
        for smooth in (False, True)
    ]


PEERS["evaluate"] = Peer(
    *("evaluate", "sacrebleu", "text", _draw_evaluate, _evaluate, _smooth_choices()),
    raises=("ZeroDivisionError",),
    version="0.4.6",
)

# --- bleuscore --------------------------------------------------------------------------------------------------


def _draw_bleuscore(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    theirs, ours = _draw_evaluate(rng)
    theirs["ref_len_method"] = ours["reference_length"] = _choice(rng, ["shortest", "closest"])
    return theirs, ours


def _bleuscore(predictions: Any, references: Any, **options: Any) -> Answer:
    import bleuscore

    result = bleuscore.compute(references, predictions, **options)
    ratio = result.pop("length_ratio")  # infinite or NaN if the references are empty
    return Answer(**result, length_ratio=ratio if math.isfinite(ratio) else None)


_BLEUSCORE_CHOICES = [
    (f"{name}, {rule}", {**theirs, "ref_len_method": rule}, {**ours, "reference_length": rule})
    for name, theirs, ours in _smooth_choices()
    for rule in ("shortest", "closest")
]

PEERS["bleuscore"] = Peer("bleuscore", "bleuscore", "text", _draw_bleuscore, _bleuscore, _BLEUSCORE_CHOICES)

# --- torchtext --------------------------------------------------------------------------------------------------


def _in_float64(function: Callable[[], Any]) -> float:
    """Call a function while torch's default type is float64, so that its score agrees with ours to 1e-12."""
    import torch

    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        return float(function())
    finally:
        torch.set_default_dtype(before)


def _draw_weights(rng: np.random.Generator, orders: int) -> list[float] | None:
    return rng.uniform(0.01, 1, orders).tolist() if rng.integers(2) else None


def _draw_torchtext(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    order = int(rng.integers(1, 7))
    weights = _draw_weights(rng, order) or [1 / order] * order
    return {"max_n": order, "weights": weights}, {"weights": weights}


def torchtext_bleu_score() -> Callable[..., float]:
    """Return torchtext's bleu_score. `_extension` is replaced: its native library does not work with newer torch."""
    if "torchtext._extension" not in sys.modules:
        sys.modules["torchtext._extension"] = types.ModuleType("torchtext._extension")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torchtext.data.metrics import bleu_score
    return bleu_score


def _torchtext(predictions: Any, references: Any, **options: Any) -> Answer:
    bleu_score = torchtext_bleu_score()
    return Answer(_in_float64(lambda: bleu_score(predictions, references, **options)))


TORCH_WEIGHTS: list[list[float]] = [[1 / n] * n for n in range(1, 7)] + [[0.4, 0.3, 0.2, 0.1], [0.1, 0.9], [1.0, 0.0]]

_TORCHTEXT_CHOICES = [
    (
        "weights " + " ".join(f"{weight:.3g}" for weight in weights),
        {"max_n": len(weights), "weights": weights},
        {"weights": weights},
    )
    for weights in TORCH_WEIGHTS
]

PEERS["torchtext"] = Peer("torchtext", "torchtext", "tokens", _draw_torchtext, _torchtext, _TORCHTEXT_CHOICES)

# --- torchmetrics -----------------------------------------------------------------------------------------------


def _draw_torchmetrics(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    order, smooth = int(rng.integers(1, 7)), bool(rng.integers(2))
    weights = _draw_weights(rng, order)
    theirs: dict[str, Any] = {"n_gram": order, "weights": weights, "smooth": smooth}
    ours: dict[str, Any] = {"max_order": order, "weights": weights, "smoothing": "method2" if smooth else "none"}
    if rng.integers(2):
        theirs["tokenize"] = ours["tokenizer"] = _choice(rng, ["none", "13a", "intl", "zh", "char"])
        theirs["lowercase"] = bool(rng.integers(2))
        ours["lowercase"] = "after" if theirs["lowercase"] else False
    return theirs, ours


def _torchmetrics(predictions: Any, references: Any, **options: Any) -> Answer:
    from torchmetrics.functional.text import bleu_score, sacre_bleu_score

    function = sacre_bleu_score if "tokenize" in options else bleu_score
    return Answer(_in_float64(lambda: function(predictions, references, **options)))


def _torchmetrics_choices() -> Choices:
    choices: Choices = []
    for weights in TORCH_WEIGHTS:
        for smooth in (False, True):
            theirs = {"n_gram": len(weights), "weights": weights, "smooth": smooth}
            name = "weights " + " ".join(f"{weight:.3g}" for weight in weights) + (", smooth" if smooth else "")
            choices.append((name, theirs, {"weights": weights, "smoothing": "method2" if smooth else "none"}))
    for tokenize in ("13a", "intl", "zh", "char", "none"):
        for lowercase in (False, True):
            theirs = {"tokenize": tokenize, "lowercase": lowercase}
            ours = {"tokenizer": tokenize, "lowercase": "after" if lowercase else False}
            choices.append((f"sacre_bleu_score, {tokenize}{', lowercase' if lowercase else ''}", theirs, ours))
    return choices


PEERS["torchmetrics"] = Peer(
    *("torchmetrics", "torchmetrics", "text", _draw_torchmetrics, _torchmetrics, _torchmetrics_choices())
)

# --- torcheval --------------------------------------------------------------------------------------------------


def _draw_torcheval(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    order = int(rng.integers(1, 5))  # torcheval's highest order is 4
    weights = _draw_weights(rng, order)
    return {"n_gram": order, "weights": weights}, {"max_order": order, "weights": weights}


def _torcheval(predictions: Any, references: Any, n_gram: int, weights: list[float] | None) -> Answer:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # importing torcheval causes warnings
        from torcheval.metrics.functional import bleu_score

    def score() -> Any:
        return bleu_score(predictions, references, n_gram, None if weights is None else torch.tensor(weights))

    return Answer(_in_float64(score))


_TORCHEVAL_CHOICES = [
    (f"order {order}", {"n_gram": order, "weights": None}, {"max_order": order, "weights": None})
    for order in (1, 2, 3, 4)
] + [("weights 0.4 0.3 0.2 0.1", {"n_gram": 4, "weights": [0.4, 0.3, 0.2, 0.1]}, {"weights": [0.4, 0.3, 0.2, 0.1]})]

PEERS["torcheval"] = Peer(
    *("torcheval", "torcheval", "text", _draw_torcheval, _torcheval, _TORCHEVAL_CHOICES),
    raises=("the input is too short to find all n-gram matches",),
)

# --- ignite -----------------------------------------------------------------------------------------------------

IGNITE_SMOOTHING: dict[str, dict[str, Any]] = {
    "smooth1": {"smoothing": "method1"},
    "nltk_smooth2": {"smoothing": "method2"},
    "smooth2": {"smoothing": "method2", "total_floor": "none"},
}


def _draw_ignite(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    order, smooth = int(rng.integers(1, 7)), _choice(rng, ["no_smooth", *IGNITE_SMOOTHING])
    return {"ngram": order, "smooth": smooth}, {"max_order": order, **IGNITE_SMOOTHING.get(smooth, {})}


def _ignite(predictions: Any, references: Any, **options: Any) -> Answer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # importing ignite causes warnings
        from ignite.metrics import Bleu

        bleu = Bleu(**options)
        bleu.update((predictions, references))
        return Answer(float(bleu.compute()))


def _ignite_micro(predictions: Any, references: Any, **options: Any) -> Answer:
    return _ignite(predictions, references, average="micro", **options)


_IGNITE_CHOICES = [
    (
        f"{smooth}, order {order}",
        {"smooth": smooth, "ngram": order},
        {"max_order": order, **IGNITE_SMOOTHING.get(smooth, {})},
    )
    for smooth in ("no_smooth", *IGNITE_SMOOTHING)
    for order in (1, 2, 4, 6)
]

PEERS["ignite"] = Peer("ignite", "ignite", "tokens", _draw_ignite, _ignite, _IGNITE_CHOICES)
PEERS["ignite-micro"] = Peer("ignite-micro", "ignite", "tokens", _draw_ignite, _ignite_micro, _IGNITE_CHOICES)

# --- pycocoevalcap ----------------------------------------------------------------------------------------------


def _draw_pycocoevalcap(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    order = int(rng.integers(1, 5))  # pycocoevalcap's highest order is 4
    rule = _choice(rng, ["closest", "shortest", "average"])
    return {"n": order, "option": rule}, {"reference_length": rule, "max_order": order}


def _coco_scores(predictions: Any, references: Any, n: int, option: str) -> tuple[list[float], list[list[float]]]:
    from pycocoevalcap.bleu.bleu_scorer import BleuScorer

    scorer = BleuScorer(n=n)
    for prediction, own in zip(predictions, references, strict=True):
        scorer += (prediction, own)
    bleu, of_sentences = scorer.compute_score(option=option)
    return bleu, of_sentences


def _pycocoevalcap(predictions: Any, references: Any, n: int, option: str) -> Answer:
    bleu, _ = _coco_scores(predictions, references, n, option)
    return Answer(bleu[-1])


def _pycocoevalcap_sentence(prediction: str, references: Any, n: int, option: str) -> Any:
    _, of_sentences = _coco_scores([prediction], [references], n, option)
    return of_sentences[-1][0]


_PYCOCOEVALCAP_CHOICES = [
    (f"order {order}, {rule}", {"n": order, "option": rule}, {"max_order": order, "reference_length": rule})
    for order in (1, 2, 3, 4)
    for rule in ("closest", "shortest", "average")
]

PEERS["pycocoevalcap"] = Peer(
    *("pycocoevalcap", "pycocoevalcap", "text", _draw_pycocoevalcap, _pycocoevalcap, _PYCOCOEVALCAP_CHOICES),
    _pycocoevalcap_sentence,
)

# --- keras-hub --------------------------------------------------------------------------------------------------

_KERAS_REPLACEMENTS = {
    "<skipped>": "",
    "-\n": "",
    "\n": " ",
    "&quot;": '"',
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    r"([!-&(-+:-@\[-`{-~/])": r" \1 ",
    r"([^0-9])([.,])": r"\1 \2 ",
    r"([.,])([^0-9])": r" \1 \2",
    r"([0-9])-": r"\1 - ",
    # keras-hub's rule for punctuation at the end of a text has no effect, because it refers to a missing group
}


def keras_spaced(text: str) -> str:
    """Split a text as keras-hub's tokenizer does. Return the tokens with spaces between them."""
    for pattern, replacement in _KERAS_REPLACEMENTS.items():
        text = re.sub(pattern, replacement, text)
    return text


def _keras_hub(predictions: Any, references: Any, max_order: int, smooth: bool) -> Answer:
    """Compute keras-hub's Bleu by its formula. tests/frameworks/test_keras_hub.py compares this with the library."""

    def tokens(text: str) -> list[str]:
        return re.findall(r"[^ \t\n\v\f\r]+", keras_spaced(text))

    texts = [tokens(text) for text in predictions]
    refs = [[tokens(ref) for ref in own] for own in references]
    return _shortest_reference_bleu(texts, refs, max_order, smooth)


# The originals of tokenizers that are not sacrebleu's, or their rules once more
ORIGINAL_TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "13a-unpadded": lambda text: keras_spaced(text).split(),
    "whitespace": str.split,
    "words-and-signs": lambda text: code_tokens(text, lowercase=False),
    "char-and-space": list,
}


def tokenizer_of_source(name: str) -> Callable[[str], list[str]]:
    """Return the original of our tokenizer `name`."""
    if name in ORIGINAL_TOKENIZERS:
        return ORIGINAL_TOKENIZERS[name]
    from sacrebleu.metrics.bleu import _get_tokenizer

    tokenizer = _get_tokenizer(name)()
    return lambda text: tokenizer(text).split()


PEERS["keras-hub"] = Peer(
    *("keras-hub", "re", "text", _draw_evaluate, _keras_hub, _smooth_choices()),
    raises=("ZeroDivisionError",),
    version="0.32.0",
)

# --- LLaMA-Factory ----------------------------------------------------------------------------------------------


def _draw_llama_factory(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    order = int(rng.integers(1, 7))
    return {"order": order}, {"max_order": order}


def _llama_factory_sentence(prediction: str, references: list[str], order: int) -> Any:
    """Return the score of a text, computed as in LLaMA-Factory's metric.py. The order of metric.py is always 4."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    labels = list(map(list, references))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sentence_bleu(labels, list(prediction), (1 / order,) * order, SmoothingFunction().method3)


def _llama_factory(predictions: Any, references: Any, order: int) -> Answer:
    pairs = zip(predictions, references, strict=True)
    return Answer(float(np.mean([_llama_factory_sentence(text, labels, order) for text, labels in pairs])))


_LLAMA_FACTORY_CHOICES: Choices = [(f"bleu-{order}", {"order": order}, {"max_order": order}) for order in (1, 2, 4, 6)]

PEERS["llama-factory"] = Peer(
    *("llama-factory", "nltk", "text", _draw_llama_factory, _llama_factory, _LLAMA_FACTORY_CHOICES),
    _llama_factory_sentence,
    version="ff6d4d12",
)

# --- CodeXGLUE --------------------------------------------------------------------------------------------------


def code_tokens(text: str, lowercase: bool = True) -> list[str]:
    """Return the tokens of a text, split by CodeXGLUE's computeMaps, then by the mteval-v11a rules in its normalize."""
    text = " ".join(re.findall(r"[\w]+|[^\s\w]", text.strip().lower() if lowercase else text))
    text = f" {text.lower() if lowercase else text} "
    for pattern, replacement in _KERAS_REPLACEMENTS.items():
        if "[" in pattern:  # after computeMaps, the other rules match nothing
            text = re.sub(pattern, replacement, text)
    return text.split()


def _code_bleu(prediction: str, references: list[str], smooth: int) -> float:
    """Compute bleu() of CodeXGLUE's smooth_bleu.py, whose outputs are recorded in tests/compat/test_smooth_bleu.py."""
    tokens, refs = code_tokens(prediction), list(map(code_tokens, references))
    tiny, logs = sys.float_info.min, 0.0
    for order in range(1, 5):
        added = 1 if smooth and order > 1 else 0
        matches = _clipped_matches(tokens, refs, order)
        total = max(len(tokens) - order + 1, 0)
        logs += math.log(matches + added + tiny) - math.log(total + added + tiny)
    return math.exp(logs / 4 + min(0, 1 - (min(map(len, refs)) + 1) / (len(tokens) + 1)))


def _draw_code(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    smooth = int(rng.integers(2))
    return {"smooth": smooth}, {"smoothing": "codexglue", "smoothing_value": float(smooth)}


def _code(predictions: Any, references: Any, smooth: int) -> Answer:
    pairs = zip(predictions, references, strict=True)
    return Answer(float(np.mean([_code_bleu(text, refs, smooth) for text, refs in pairs])))


PEERS["codexglue"] = Peer(
    *("codexglue", "re", "text", _draw_code, _code),
    [(f"smooth={each}", {"smooth": each}, {"smoothing": "codexglue", "smoothing_value": each}) for each in (0, 1)],
    _code_bleu,
    version="ac74a62",
)
