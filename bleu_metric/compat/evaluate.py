"""Drop-in replacement for evaluate: use ``from bleu_metric.compat import evaluate``, not ``import evaluate``.

``evaluate.load("bleu")`` and ``evaluate.load("sacrebleu")`` then return metrics of bleu_metric and download nothing.
These metrics have the arguments and errors of evaluate's metrics, and results with the same keys, order, units and
types. All other metrics and names are evaluate's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._inputs import count_texts, warn_of_one_string
from ._library import Lookup, needed, pass_on
from .nmt import options_of, score_counted

with needed("evaluate"):
    import datasets

    if TYPE_CHECKING:
        from .. import _evaluate as theirs
    else:
        import evaluate as theirs

__all__ = ["combine", "load"]

Texts = list[str]
References = list[Any]  # for each prediction a list of strings, or one string


class _Metric(theirs.Metric):
    """A metric that accepts one reference or a list of references for each prediction."""

    def _info(self) -> Any:
        """Return the metric's description. Each prediction has a list of references, or one reference."""
        text = datasets.Value("string", id="sequence")
        texts = datasets.Sequence(text, id="references")
        features = [
            datasets.Features({"predictions": text, "references": texts}),
            datasets.Features({"predictions": text, "references": text}),
        ]
        return theirs.MetricInfo(description=type(self).__doc__, citation="", features=features)

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any:
        """Score the given texts together with those that were added."""
        warn_of_one_string("predictions", predictions, "evaluate")
        warn_of_one_string("references", references, "evaluate")
        return super().compute(predictions=predictions, references=references, **options)


class Bleu(_Metric):
    """BLEU from 0 to 1, as evaluate's `bleu` computes it: with 13a tokens and the length of the shortest reference."""

    def _compute(
        self,
        predictions: Texts,
        references: References,
        tokenizer: Callable[[str], Any] | None = None,
        max_order: int = 4,
        smooth: bool = False,
    ) -> dict[str, Any]:
        """Score texts with the formula of tensorflow/nmt."""
        options = options_of(max_order, smooth)
        if tokenizer:
            options["tokenizer"] = tokenizer
        statistics = count_texts(predictions, _as_lists(references), "evaluate", **options)
        return score_counted(statistics)


class Sacrebleu(_Metric):
    """BLEU in percent, as evaluate's `sacrebleu` computes it. The package sacrebleu must be installed."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        from . import sacrebleu  # noqa: F401 - raises ImportError now, not after an epoch, if sacrebleu is missing

        super().__init__(*arguments, **named)

    _RESULTS = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")

    def _compute(
        self, predictions: Texts, references: References, tokenize: str | None = None, **options: Any
    ) -> dict[str, Any]:
        """Score texts with `corpus_bleu` of `compat.sacrebleu`."""
        from .sacrebleu import corpus_bleu

        lists = _as_lists(references)
        numbers_of_references = [len(texts) for texts in lists]
        fewest, most = min(numbers_of_references), max(numbers_of_references)
        if fewest != most:
            raise ValueError(
                f"sacrebleu needs the same number of references for each prediction, got {fewest} to {most}"
            )

        if tokenize:
            options["tokenize"] = tokenize
        # The first stream has the first reference of each prediction, and so on
        streams = list(zip(*lists, strict=True))
        score = corpus_bleu(predictions, streams, **options)
        return {name: getattr(score, name) for name in self._RESULTS}


_METRICS = {"bleu": Bleu, "sacrebleu": Sacrebleu}


def _as_lists(references: References) -> list[list[str]]:
    """Return one list of strings per prediction: ["a", "b"] -> [["a"], ["b"]]. Lists of lists stay unchanged."""
    if isinstance(references[0], str):
        return [[text] for text in references]
    return references


def load(path: str, config_name: str | None = None, module_type: str | None = None, *args: Any, **kwargs: Any) -> Any:
    """Load the metric with the name or folder `path`. The arguments are as for ``evaluate.load``.

    >>> metric = load("bleu")
    >>> round(metric.compute(predictions=["the cat sat on the mat"], references=["the cat sat on a mat"])["bleu"], 4)
    0.5373
    """
    is_metric = module_type in (None, "metric")
    # Our metrics do not accept the rarer arguments of evaluate.load
    if path in _METRICS and is_metric and not args:
        return _METRICS[path](config_name, **kwargs)
    return theirs.load(path, config_name, module_type, *args, **kwargs)


def combine(evaluations: Any, force_prefix: bool = False) -> Any:
    """Combine metrics, as ``evaluate.combine`` does. `evaluations` is a list or dict of metrics or their names."""
    if isinstance(evaluations, dict):
        metrics: Any = {name: _load_if_name(metric) for name, metric in evaluations.items()}
    else:
        metrics = [_load_if_name(metric) for metric in evaluations]
    return theirs.combine(metrics, force_prefix)


def _load_if_name(metric: Any) -> Any:
    return load(metric) if isinstance(metric, str) else metric


__getattr__: Lookup = pass_on(__name__, "evaluate", "", "loading")
