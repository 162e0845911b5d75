"""evaluate's `bleu` and `sacrebleu`: write ``from bleu_metric.compat import evaluate`` instead of ``import evaluate``.

``evaluate.load("bleu")`` and ``evaluate.load("sacrebleu")`` return our metrics, without a download. Keys, order, units,
types, arguments and errors are those of evaluate's metrics. All other metrics and names are evaluate's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ._library import needed, pass_on
from .nmt import score_translations

with needed("evaluate"):
    import datasets
    import evaluate as theirs

__all__ = ["combine", "load"]
__path__: list[str] = []  # `find_submodules` finds the submodules

Texts = list[str]
References = list[Any]  # for each prediction a list of strings, or one string


class _Metric(theirs.Metric):
    """A metric of texts, with one reference or a list of references for each prediction."""

    _RESULTS: ClassVar[tuple[str, ...]]  # the keys of a result

    def _info(self) -> Any:
        text = datasets.Value("string", id="sequence")
        texts = datasets.Sequence(text, id="references")
        features = [datasets.Features({"predictions": text, "references": kind}) for kind in (texts, text)]
        return theirs.MetricInfo(
            description=type(self).__doc__,
            citation="",
            inputs_description="",
            features=features,
        )


class Bleu(_Metric):
    """BLEU from 0 to 1, as evaluate's `bleu` computes it: 13a tokens, and the shortest reference."""

    _RESULTS = (
        "bleu",
        "precisions",
        "brevity_penalty",
        "length_ratio",
        "translation_length",
        "reference_length",
    )

    def _compute(
        self,
        predictions: Texts,
        references: References,
        tokenizer: Callable[[str], Any] | None = None,
        max_order: int = 4,
        smooth: bool = False,
    ) -> dict[str, Any]:
        lists = _as_lists(references)
        options = {"tokenizer": tokenizer} if tokenizer else {}
        numbers = score_translations(predictions, lists, max_order, smooth, **options)
        return dict(zip(self._RESULTS, numbers, strict=True))


class Sacrebleu(_Metric):
    """BLEU in percent, as evaluate's `sacrebleu` computes it. It needs the package sacrebleu."""

    _RESULTS = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")

    def _compute(
        self,
        predictions: Texts,
        references: References,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        force: bool = False,
        lowercase: bool = False,
        tokenize: str | None = None,
        use_effective_order: bool = False,
    ) -> dict[str, Any]:
        from .sacrebleu import corpus_bleu

        lists = _as_lists(references)
        fewest, most = min(map(len, lists)), max(map(len, lists))
        if fewest != most:
            raise ValueError(
                f"sacrebleu needs the same number of references for each prediction, got {fewest} to {most}"
            )
        score = corpus_bleu(
            predictions,
            [*zip(*lists, strict=True)],
            smooth_method=smooth_method,
            smooth_value=smooth_value,
            force=force,
            lowercase=lowercase,
            use_effective_order=use_effective_order,
            **({"tokenize": tokenize} if tokenize else {}),
        )
        return {name: getattr(score, name) for name in self._RESULTS}


_METRICS = {"bleu": Bleu, "sacrebleu": Sacrebleu}


def _as_lists(references: References) -> list[list[str]]:
    if isinstance(references[0], str):
        return [[text] for text in references]
    return references


def load(path: str, config_name: str | None = None, module_type: str | None = None, *args: Any, **kwargs: Any) -> Any:
    """Load a metric. `path` is a name or a folder, and all arguments are those of ``evaluate.load``.

    >>> metric = load("bleu")
    >>> round(metric.compute(predictions=["the cat sat on the mat"], references=["the cat sat on a mat"])["bleu"], 4)
    0.5373
    """
    if path not in _METRICS or module_type not in (None, "metric") or args:
        return theirs.load(path, config_name, module_type, *args, **kwargs)
    return _METRICS[path](config_name, **kwargs)


def combine(evaluations: Any, force_prefix: bool = False) -> Any:
    """Combine metrics. `evaluations` is a list or a dict of names and loaded metrics, as for ``evaluate.combine``."""
    if isinstance(evaluations, dict):
        loaded = {name: _load_name(each) for name, each in evaluations.items()}
        return theirs.combine(loaded, force_prefix)
    return theirs.combine([*map(_load_name, evaluations)], force_prefix)


def _load_name(metric: Any) -> Any:
    return load(metric) if isinstance(metric, str) else metric


__getattr__ = pass_on("evaluate", "loading")
