"""BLEU as each library computes it: name the library (NLTK, sacrebleu, evaluate, …) and get its score.

>>> from bleu_metric import corpus_bleu
>>> corpus_bleu(["the cat sat on the mat"], [["the cat sat on the mat", "a cat sat there"]]).bleu
1.0
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ._bleu import corpus_bleu, corpus_statistics, score_dialects, sentence_bleu
from ._bootstrap import GroupScore, GroupScores, Interval, bootstrap, score_groups
from ._config import DIALECTS, BleuConfig
from ._config import VERSION as __version__
from ._score import BleuScore
from ._statistics import BleuStatistics, score

if TYPE_CHECKING:
    from .comparison.dialects import Explanation, explain_difference
    from .comparison.find import FoundSettings, find_settings
    from .comparison.groups import GroupComparisons, compare_groups
    from .comparison.metrics import MetricComparisons, compare_metrics
    from .comparison.paired import paired_approximate_randomization, paired_bootstrap
    from .comparison.result import Comparison
    from .comparison.systems import score_systems, system_statistics
    from .integrations.datasets import evaluate_dataset
    from .integrations.loading import PATH, load
    from .integrations.padding import remove_padding
    from .integrations.trainer import compute_metrics, preprocess_logits_for_metrics
    from .integrations.trl import reward
    from .many.definitions import SELF_BLEU_DEFINITIONS, SelfBleuDefinition
    from .many.mbr import MbrResult, mbr
    from .many.pairwise import pairwise_bleu
    from .many.self_bleu import SelfBleu, self_bleu
    from .reporting.plots import plot
    from .reporting.report import report
    from .scale.accumulator import Accumulator
    from .scale.ray import ray_statistics
    from .scale.spark import spark_statistics

# Module -> its public names. `__getattr__` imports a module when one of these names is first used, because importing
# all modules at once would double the package's import time.
_LATER = {
    "comparison.dialects": ("Explanation", "explain_difference"),
    "comparison.find": ("FoundSettings", "find_settings"),
    "comparison.groups": ("GroupComparisons", "compare_groups"),
    "comparison.metrics": ("MetricComparisons", "compare_metrics"),
    "comparison.paired": ("paired_bootstrap", "paired_approximate_randomization"),
    "comparison.result": ("Comparison",),
    "comparison.systems": ("score_systems", "system_statistics"),
    "integrations.datasets": ("evaluate_dataset",),
    "integrations.loading": ("PATH", "load"),
    "integrations.padding": ("remove_padding",),
    "integrations.trainer": ("compute_metrics", "preprocess_logits_for_metrics"),
    "integrations.trl": ("reward",),
    "many.definitions": ("SELF_BLEU_DEFINITIONS", "SelfBleuDefinition"),
    "many.mbr": ("MbrResult", "mbr"),
    "many.pairwise": ("pairwise_bleu",),
    "many.self_bleu": ("SelfBleu", "self_bleu"),
    "reporting.plots": ("plot",),
    "reporting.report": ("report",),
    "scale.accumulator": ("Accumulator",),
    "scale.ray": ("ray_statistics",),
    "scale.spark": ("spark_statistics",),
}

__all__ = [
    "DIALECTS",
    "PATH",
    "SELF_BLEU_DEFINITIONS",
    "Accumulator",
    "BleuConfig",
    "BleuScore",
    "BleuStatistics",
    "Comparison",
    "Explanation",
    "FoundSettings",
    "GroupComparisons",
    "GroupScore",
    "GroupScores",
    "Interval",
    "MbrResult",
    "MetricComparisons",
    "SelfBleu",
    "SelfBleuDefinition",
    "__version__",
    "bootstrap",
    "compare_groups",
    "compare_metrics",
    "compute_metrics",
    "corpus_bleu",
    "corpus_statistics",
    "evaluate_dataset",
    "explain_difference",
    "find_settings",
    "load",
    "mbr",
    "paired_approximate_randomization",
    "paired_bootstrap",
    "pairwise_bleu",
    "plot",
    "preprocess_logits_for_metrics",
    "ray_statistics",
    "remove_padding",
    "report",
    "reward",
    "score",
    "score_dialects",
    "score_groups",
    "score_systems",
    "self_bleu",
    "sentence_bleu",
    "spark_statistics",
    "system_statistics",
]


if not TYPE_CHECKING:  # type checkers must not see `__getattr__`, or they would accept any attribute

    def __getattr__(name: str) -> object:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(f".{module}", __name__), name)
        if name == "compat":  # a sub-package, which is also imported on first use
            return import_module(".compat", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
