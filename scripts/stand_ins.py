"""The functions of other BLEU libraries, by their names and arguments, answered by this package.

They let the calls that golden values were probed with run on this package, unchanged: `namespace("nltk")` holds a
`corpus_bleu(list_of_references, hypotheses, weights=…, smoothing_function=…)` and so on. What is no BLEU score
(GLEU, a library's internals) is not there, and raises ``NameError``.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from peers import IGNITE_SMOOTHING

from bleu_metric import BleuScore, corpus_bleu, sentence_bleu


def namespace(peer: str) -> dict[str, Any]:
    """Names that the calls of this peer use."""
    return {
        "nltk": {"sentence_bleu": _nltk_sentence, "corpus_bleu": _nltk, "SmoothingFunction": _SmoothingFunction},
        "sacrebleu": {"corpus_bleu": _sacrebleu, "sentence_bleu": _sacrebleu_sentence, "BLEU": _SacrebleuBleu}
        | {"raw_corpus_bleu": _raw_corpus_bleu},
        "evaluate": {"bleu": SimpleNamespace(compute=_evaluate), "fresh": lambda name: _EVALUATE[name]},
        "evaluate/nmt_bleu": {"compute_bleu": _nmt},
        "bleuscore": {"bleuscore": SimpleNamespace(compute=_bleuscore)},
        "torchtext": {"bleu_score": _torchtext},
        "torchmetrics": {"bleu_score": _torchmetrics, "sacre_bleu_score": _sacre_bleu_score}
        | {"cls": _torchmetrics_class, "BLEUScore": _BleuScoreClass, "SacreBLEUScore": None}
        | {"torch": SimpleNamespace(float64=None)},
        "ignite": {"ignite_bleu": _ignite, "ignite_batches": _ignite_batches},
        "fast-bleu": {"fast_bleu": SimpleNamespace(BLEU=_FastBleu)},
    }[peer]


class _SmoothingFunction:
    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self._values = {"method1": epsilon, "method4": k, "method6": alpha, "method7": k}

    def __getattr__(self, method: str) -> dict[str, Any]:
        return {"smoothing": method, "smoothing_value": self._values.get(method)}


def _nltk(
    list_of_references: Any,
    hypotheses: Any,
    weights: Any = None,
    smoothing_function: Any = None,
    auto_reweigh: bool = False,
) -> Any:
    options = dict(smoothing_function or {})
    one_list = isinstance(weights, list) and len(weights) == 1 and isinstance(weights[0], tuple)
    if weights is not None:
        options["weights"] = weights[0] if one_list else weights
    return corpus_bleu(hypotheses, list_of_references, "nltk", auto_reweigh=auto_reweigh, **options).bleu


def _nltk_sentence(references: Any, hypothesis: Any, **options: Any) -> Any:
    return _nltk([references], [hypothesis], **options)


def _sacrebleu_result(score: BleuScore, added: float = 0.0) -> dict[str, Any]:
    """Sacrebleu's fields; it counts the k of add-k into its counts and totals of orders >= 2."""
    k = [0.0] + [added] * (len(score.counts) - 1) if any(score.counts) else [0.0] * len(score.counts)
    return {
        "score": 100 * score.bleu,  # type: ignore[operator]
        "counts": [count + more for count, more in zip(score.counts, k, strict=True)],
        "totals": [total + more for total, more in zip(score.totals, k, strict=True)],
        "sys_len": score.translation_length,
        "ref_len": score.reference_length,
    }


def _sacrebleu(hypotheses: Any, references: Any, **options: Any) -> dict[str, Any]:
    names = {"smooth_method": "smoothing", "smooth_value": "smoothing_value", "use_effective_order": "effective_order"}
    names |= {"tokenize": "tokenizer", "max_ngram_order": "max_order"}
    options.pop("force", None)
    ours = {"effective_order": False} | {names.get(name, name): value for name, value in options.items()}
    per_segment = [list(refs) for refs in zip(*references, strict=True)]
    score = corpus_bleu(hypotheses, per_segment, "sacrebleu", **ours)
    return _sacrebleu_result(score, (ours.get("smoothing_value") or 1.0) if ours.get("smoothing") == "add-k" else 0.0)


def _sacrebleu_sentence(hypothesis: Any, references: Any, **options: Any) -> dict[str, Any]:
    return _sacrebleu([hypothesis], [[ref] for ref in references], **{"use_effective_order": True, **options})


def _raw_corpus_bleu(hypotheses: Any, references: Any) -> dict[str, Any]:
    options = {"smooth_method": "floor", "smooth_value": 0.1, "use_effective_order": True, "tokenize": "none"}
    return _sacrebleu(hypotheses, references, **options)


class _SacrebleuBleu:
    def __init__(self, **options: Any) -> None:
        self._options = options

    def corpus_score(self, hypotheses: Any, references: Any) -> dict[str, Any]:
        return _sacrebleu(hypotheses, references, **self._options)

    def sentence_score(self, hypothesis: Any, references: Any) -> dict[str, Any]:
        return _sacrebleu([hypothesis], [[ref] for ref in references], **self._options)


def _by_keys_of_evaluate(score: BleuScore) -> dict[str, Any]:
    names = ("bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length")
    return {name: getattr(score, name) for name in names}


def _evaluate(predictions: Any, references: Any, smooth: bool = False, **options: Any) -> dict[str, Any]:
    smoothing = "add-one" if smooth else "none"
    return _by_keys_of_evaluate(corpus_bleu(predictions, references, "evaluate", smoothing=smoothing, **options))


_EVALUATE = {"bleu": SimpleNamespace(compute=_evaluate)}


def _nmt(reference_corpus: Any, translation_corpus: Any, max_order: int = 4, smooth: bool = False) -> list[Any]:
    return list(_evaluate(translation_corpus, reference_corpus, smooth, max_order=max_order).values())


def _bleuscore(
    references: Any, predictions: Any, smooth: bool = False, ref_len_method: str = "shortest", **options: Any
) -> Any:
    options |= {"smoothing": "add-one" if smooth else "none", "reference_length": ref_len_method}
    return _by_keys_of_evaluate(corpus_bleu(predictions, references, "bleuscore", **options))


def _torchtext(candidates: Any, references: Any, max_n: int = 4, weights: Any = (0.25,) * 4) -> Any:
    return corpus_bleu(candidates, references, "torchtext", weights=weights, max_order=max_n).bleu


def _torchmetrics(
    preds: Any, target: Any, n_gram: int = 4, smooth: bool = False, weights: Any = None, **options: Any
) -> Any:
    preds = [preds] if isinstance(preds, str) else preds
    options |= {"smoothing": "method2"} if smooth else {}
    return corpus_bleu(preds, target, "torchmetrics", max_order=n_gram, weights=weights, **options).bleu


def _sacre_bleu_score(preds: Any, target: Any, tokenize: str = "13a", **options: Any) -> Any:
    return _torchmetrics(preds, target, tokenizer=tokenize, **options)


class _BleuScoreClass:
    def set_dtype(self, _dtype: Any) -> _BleuScoreClass:
        return self


def _torchmetrics_class(_metric: Any, *batches: Any) -> Any:
    predictions = [text for preds, _ in batches for text in preds]
    return _torchmetrics(predictions, [refs for _, targets in batches for refs in targets])


def _ignite(y_pred: Any, y: Any, ngram: int = 4, smooth: str = "no_smooth", average: str = "macro") -> Any:
    dialect = {"macro": "ignite", "micro": "ignite-micro"}[average]
    return corpus_bleu(y_pred, y, dialect, max_order=ngram, **IGNITE_SMOOTHING.get(smooth, {})).bleu


def _ignite_batches(batches: Any, **options: Any) -> Any:
    return _ignite(
        [text for batch, _ in batches for text in batch], [refs for _, batch in batches for refs in batch], **options
    )


class _FastBleu:
    def __init__(
        self, references: Any, weights: Any = None, smoothing_func: int = 1, auto_reweight: bool = False
    ) -> None:
        del auto_reweight  # never fires there
        self._references, self._weights = references, weights or {4: (0.25,) * 4}
        self._smoothing = {0: "none", 1: "method1"}[smoothing_func]

    def get_score(self, hypotheses: Any) -> dict[str, list[float]]:
        references = [self._references] * len(hypotheses)
        return {
            str(name): sentence_bleu(
                hypotheses, references, "fast-bleu", weights=weights, smoothing=self._smoothing
            ).tolist()
            for name, weights in self._weights.items()
        }
