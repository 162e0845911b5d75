"""Random calls of each compat module, made of it and of its library alike."""

from __future__ import annotations

import importlib
import logging
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import peers
import pytest
from corpora import random_corpus, random_text, random_tokens

Rng = np.random.Generator


class Call(NamedTuple):
    """One call: what is done with the module, which is the library's or ours."""

    about: str
    make: Callable[[Any], Any]


@dataclass(frozen=True)
class Library:
    """A library, how its module and ours are imported, and how calls are drawn."""

    name: str
    theirs: Callable[[], Any]
    draw: Callable[[Rng], Call]
    reasons: tuple[type[Exception], ...]  # errors that it raises on purpose: ours are of the same type
    tolerance: float = 1e-12

    def import_both(self) -> tuple[Any, Any]:
        """Import the library and our module; skip the test if the library is missing."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what the library or torch deprecates
                return self.theirs(), importlib.import_module(f"bleu_metric.compat.{self.name}")
        except ImportError as error:
            pytest.skip(f"{self.name} is not installed ({error}): pip install --group test-all")


def _maybe(rng: Rng, chance: int) -> bool:
    return not rng.integers(chance)


def _spoil(rng: Rng, predictions: list[Any], references: list[Any]) -> None:
    """Now and then, drop a segment of one side, or all references of a segment, or everything."""
    if _maybe(rng, 25):
        (predictions if _maybe(rng, 2) else references).pop()
    elif _maybe(rng, 40):
        references[int(rng.integers(len(references)))] = []
    elif _maybe(rng, 60):
        predictions.clear()
        references.clear()


def _token_corpus(rng: Rng) -> tuple[list[Any], list[Any]]:
    """Draw lists of strings; or of numbers, tuples and strings; or strings, which are lists of characters."""
    predictions, references = random_corpus(rng, "tokens")
    disguise = int(rng.integers(6))
    if disguise == 0:
        names: dict[str, Any] = {"a": 1, "b": 1.0, "c": ("c", 2), "d": None, "e": frozenset("e"), "the": "a b"}
        predictions, references = _renamed((predictions, references), names)
    elif disguise == 1:
        predictions = ["".join(text)[:20] for text in predictions]
        references = [["".join(text)[:20] for text in texts] for texts in references]
    elif disguise == 2:
        predictions = [tuple(text) for text in predictions]
    _spoil(rng, predictions, references)
    return predictions, references


def _renamed(rows: Any, names: dict[str, Any]) -> Any:
    return names.get(rows, rows) if isinstance(rows, str) else type(rows)(_renamed(row, names) for row in rows)


# --- NLTK -------------------------------------------------------------------------------------------------------


def _halve(p_n: Any, references: Any, hypothesis: Any, hyp_len: int) -> list[float]:
    """A user's own smoothing, which looks at all that NLTK tells it."""
    assert all(precision.denominator >= 1 for precision in p_n)
    lengths = len(references) + len(hypothesis) + hyp_len
    return [float(precision) or (1 + precision.numerator) / (2 * precision.denominator * lengths) for precision in p_n]


def _halve_in_place(p_n: list[Any], **_: Any) -> list[Any]:
    """A user's own smoothing, which changes the list that it is given."""
    for order, precision in enumerate(p_n):
        p_n[order] = precision if precision.numerator else type(precision)(1, 2 * precision.denominator)
    return p_n


def _draw_nltk_call(rng: Rng) -> Call:
    from nltk.translate import bleu_score as theirs

    hypotheses, references = _token_corpus(rng)
    options, _ = peers._draw_nltk(rng)
    weights, values, whose = options["weights"], options["values"], int(rng.integers(4))
    if _maybe(rng, 25):
        weights = [tuple(rng.uniform(0, 1, int(rng.integers(1, 6))).tolist()), options["weights"]]
    if _maybe(rng, 8):
        weights = np.array(weights) if isinstance(weights, tuple) else weights
    if _maybe(rng, 30):
        weights = ()
    if _maybe(rng, 10):
        weights = [list(one) for one in weights] if isinstance(weights, list) else list(weights)
    reweigh = options["auto_reweigh"] and not isinstance(weights, np.ndarray)
    if not hypotheses:
        return Call("empty", lambda nltk: nltk.corpus_bleu([], []))

    def smoothing(module: Any) -> Any:
        if whose == 0:
            return None
        if whose == 1:
            return _halve_in_place if options["auto_reweigh"] else _halve
        return getattr((theirs if whose == 2 else module).SmoothingFunction(**values), options["method"])

    about = f"{references}, {hypotheses}, {weights}, {whose} {options}"
    if rng.integers(2) or len(hypotheses) != len(references):
        return Call(about, lambda nltk: nltk.corpus_bleu(references, hypotheses, weights, smoothing(nltk), reweigh))
    arguments = (references[0], hypotheses[0], weights)
    return Call(about, lambda nltk: nltk.sentence_bleu(*arguments, smoothing(nltk), reweigh))


# --- sacrebleu --------------------------------------------------------------------------------------------------


def _streams(references: list[list[Any]]) -> list[list[Any]]:
    most = max(map(len, references))
    return [[texts[place] if place < len(texts) else None for texts in references] for place in range(most)]


def _draw_sacrebleu_call(rng: Rng) -> Call:
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    hypotheses, references = random_corpus(rng, "text", none=True)
    options, _ = peers._draw_sacrebleu(rng)
    streams = _streams(references)
    kind = int(rng.integers(2, 8))
    about = f"{kind}: {hypotheses}, {streams}, {options}"
    if kind == 7:
        return _draw_changes(rng, hypotheses, streams, options)
    compat = {name: options[name] for name in ("smooth_method", "smooth_value", "lowercase", "tokenize")}
    effective = {"use_effective_order": options["effective_order"]}
    if kind == 2:
        return Call(about, lambda sacrebleu: sacrebleu.corpus_bleu(hypotheses, streams, **compat, **effective))
    if kind == 3:
        return Call(
            about, lambda sacrebleu: sacrebleu.sentence_bleu(hypotheses[0], references[0], **compat, **effective)
        )
    if kind == 4:
        value = options["smooth_value"]
        return Call(about, lambda sacrebleu: sacrebleu.raw_corpus_bleu(hypotheses, streams, value))

    def scores(sacrebleu: Any) -> list[Any]:
        cached = bool(len(hypotheses) % 2)
        metric = sacrebleu.BLEU(**options, references=streams if cached else None)
        score = metric.corpus_score(hypotheses, None if cached else streams, n_bootstrap=20 if kind == 5 else 1)
        signature = metric.get_signature()
        signatures = [str(signature), signature.format(short=True)]
        if cached:  # sacrebleu counts the references of a cache when it is made, and of a sentence when it is scored
            return [score, *signatures]
        return [score, *signatures, metric.sentence_score(hypotheses[0], references[0])]

    return Call(about, scores)


def _draw_changes(rng: Rng, hypotheses: list[str], streams: list[list[Any]], options: dict[str, Any]) -> Call:
    """Draw options that are set later, another tokenizer, and a subclass with a hook."""
    later = {
        "lowercase": bool(rng.integers(2)),
        "effective_order": bool(rng.integers(2)),
        "smooth_method": str(rng.choice(["exp", "floor", "add-k", "none"])),
        "smooth_value": None,
    }
    cached, hook = bool(rng.integers(2)), int(rng.integers(5))
    tokenize = str(rng.choice(["13a", "intl", "zh", "char", "none"]))

    def scores(sacrebleu: Any) -> list[Any]:
        class Own(sacrebleu.BLEU):  # type: ignore[misc, name-defined]
            def _preprocess_segment(self, sent: str) -> str:
                return str(super()._preprocess_segment(sent.replace("e", " ")))

        class Counting(sacrebleu.BLEU):  # type: ignore[misc, name-defined]
            n_read = 0

            def _extract_reference_info(self, refs: list[str]) -> Any:
                self.n_read += 1
                return super()._extract_reference_info(refs)

        metric = {1: Own, 4: Counting}.get(hook, sacrebleu.BLEU)(**options, references=streams if cached else None)
        for name, value in later.items():
            setattr(metric, name, value)
        if hook == 2:
            metric.tokenizer = sacrebleu.BLEU(tokenize=tokenize).tokenizer
        elif hook == 3:
            metric.tokenizer = lambda line: line.replace("e", " ")
        score = metric.corpus_score(hypotheses, None if cached else streams, n_bootstrap=3)
        tokens = [metric.tokenizer(text.rstrip()).split() for text in hypotheses]
        return [
            score,
            str(metric.get_signature()),
            metric.num_refs,
            tokens,
            score._mean,
            score._ci,
            vars(metric).get("n_read"),
        ]

    return Call(f"changes: {hypotheses}, {streams}, {options}, {later}, {cached} {hook} {tokenize}", scores)


# --- torch ------------------------------------------------------------------------------------------------------


def _draw_torchtext_call(rng: Rng) -> Call:
    candidates, references = random_corpus(rng, "tokens")
    _spoil(rng, candidates, references)
    options, _ = peers._draw_torchtext(rng)
    if _maybe(rng, 20):
        options["weights"].pop()
    about = f"{candidates}, {references}, {options}"
    if _maybe(rng, 2):
        options = {}
    return Call(about, lambda torchtext: torchtext.bleu_score(candidates, references, **options))


def _torchmetrics() -> Any:
    module = types.SimpleNamespace(**vars(importlib.import_module("torchmetrics.functional.text")))
    text = importlib.import_module("torchmetrics.text")
    module.BLEUScore, module.SacreBLEUScore = text.BLEUScore, text.SacreBLEUScore
    return module


def _draw_torchmetrics_call(rng: Rng) -> Call:
    preds, target = random_corpus(rng, "text")
    options, _ = peers._draw_torchmetrics(rng)
    of_tokens = {"tokenize": options.pop("tokenize", "13a"), "lowercase": options.pop("lowercase", False)}
    if options["weights"] and _maybe(rng, 20):
        options["weights"].pop()
    kind = int(rng.integers(5))
    about = f"{kind}: {preds}, {target}, {options}, {of_tokens}"
    if kind < 2 and _maybe(rng, 20):
        target.pop()
    if kind == 0:
        flat: Any = [texts[0] if len(texts) == 1 else texts for texts in target]
        return Call(about, lambda torchmetrics: torchmetrics.bleu_score(preds, flat, **options))
    if kind == 1:
        return Call(about, lambda torchmetrics: torchmetrics.sacre_bleu_score(preds, target, **options, **of_tokens))
    if kind == 2:
        return Call(about, lambda torchmetrics: torchmetrics.bleu_score(preds[0], target[:1], **options))

    if kind > 2 and _maybe(rng, 8):
        target = [texts[0] or "x" for texts in target]  # which the classes read as characters
    elif kind > 2 and _maybe(rng, 8):
        target = target[: int(rng.integers(1, len(target) + 1))]
    elif kind > 2 and _maybe(rng, 8):
        preds = [None, *preds[1:]]

    def batches(torchmetrics: Any) -> list[Any]:
        metric = torchmetrics.BLEUScore(**options) if kind == 3 else torchmetrics.SacreBLEUScore(**options, **of_tokens)
        values = [metric(preds[:2], target[:2])]
        metric.update(preds[2:], target[2:])
        values.append(metric.compute())
        sums = (metric.preds_len, metric.target_len, metric.numerator, metric.denominator)
        return [*values, *(each.double() for each in sums)]  # torchmetrics counts in float32

    return Call(about, batches)


def _draw_ignite_call(rng: Rng) -> Call:
    predictions, references = _token_corpus(rng)
    options, _ = peers._draw_ignite(rng)
    options["average"] = str(rng.choice(["macro", "micro", "macro", "micro", "median"]))
    if _maybe(rng, 20):
        options |= {"ngram": 0} if _maybe(rng, 2) else {"smooth": "smooth3"}

    def batches(ignite: Any) -> Any:
        metric = ignite.Bleu(**options)
        metric.update((predictions[:2], references[:2]))
        metric.update((predictions[2:], references[2:]))
        return metric.compute()

    return Call(f"{predictions}, {references}, {options}", batches)


# --- tensorflow/nmt, pycocoevalcap ---------------------------------------------------------------------


def _restated_compute_bleu(references: Any, translations: Any, max_order: int = 4, smooth: bool = False) -> Any:
    """The formula of tensorflow/nmt, which is no package: its file is copied from project to project."""
    answer = peers._shortest_reference_bleu(translations, references, max_order, smooth)
    parts = answer.precisions, answer.brevity_penalty, answer.length_ratio
    return answer.bleu, *parts, answer.translation_length, answer.reference_length


def _draw_nmt_call(rng: Rng) -> Call:
    translations, references = _token_corpus(rng)
    references = [texts or [["a"]] for texts in references][: len(translations)]
    translations = translations[: len(references)]
    options = peers._draw_evaluate(rng)[0] if rng.integers(2) else {}
    return Call(
        f"{translations}, {references}, {options}", lambda nmt: nmt.compute_bleu(references, translations, **options)
    )


def _draw_pycocoevalcap_call(rng: Rng) -> Call:
    captions, references = random_corpus(rng, "text")
    gts: dict[Any, Any] = dict(enumerate(references))
    res: dict[Any, Any] = {number: [caption] for number, caption in enumerate(captions)}
    if _maybe(rng, 30):
        res[0] = [*res[0], random_text(rng)] if _maybe(rng, 2) else random_tokens(rng)
    elif _maybe(rng, 30):
        gts[0] = []
    elif _maybe(rng, 30):
        del gts[0]
    order = int(rng.integers(1, 5))  # above 4 it raises IndexError
    return Call(f"{gts}, {res}, {order}", lambda coco: coco.Bleu(order).compute_score(gts, res))


def _module(name: str) -> Callable[[], Any]:
    return lambda: importlib.import_module(name)


def _torchtext() -> Any:
    return types.SimpleNamespace(bleu_score=peers.torchtext_bleu_score())


def _nmt() -> Any:
    return types.SimpleNamespace(compute_bleu=_restated_compute_bleu)


_OF_NLTK = (AssertionError, ZeroDivisionError, IndexError, KeyError, ValueError)
_OF_SACREBLEU = (TypeError, AssertionError, RuntimeError, KeyError, ValueError, IndexError)
_ALL = (
    Library("nltk", _module("nltk.translate.bleu_score"), _draw_nltk_call, _OF_NLTK),
    Library("sacrebleu", _module("sacrebleu"), _draw_sacrebleu_call, _OF_SACREBLEU, tolerance=0.0),
    Library("torchtext", _torchtext, _draw_torchtext_call, (AssertionError, ValueError), 1e-6),
    Library("torchmetrics", _torchmetrics, _draw_torchmetrics_call, (ValueError,), 1e-6),
    Library("ignite", _module("ignite.metrics"), _draw_ignite_call, (ValueError,)),
    Library("nmt", _nmt, _draw_nmt_call, (ZeroDivisionError,)),
    Library("pycocoevalcap", _module("pycocoevalcap.bleu.bleu"), _draw_pycocoevalcap_call, (AssertionError,)),
)
LIBRARIES = {library.name: library for library in _ALL}
