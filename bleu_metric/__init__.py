"""BLEU that gives the number you expected, by name: NLTK's, sacrebleu's, evaluate's.

>>> from bleu_metric import corpus_bleu
>>> corpus_bleu(["the cat sat on the mat"], [["the cat sat on the mat", "a cat sat there"]]).bleu
1.0
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ._bleu import corpus_bleu, corpus_statistics, score_dialects, sentence_bleu
from ._config import BleuConfig
from ._dialects import DIALECTS
from ._score import BleuScore, score
from ._signature import VERSION as __version__
from ._statistics import BleuStatistics

if TYPE_CHECKING:
    from ._comparison import Comparison
    from ._datasets import evaluate_dataset
    from ._distributed import ray_statistics, spark_statistics
    from ._explain import Explanation, explain_difference
    from ._grouped import load_groups, save_groups
    from ._levels import GroupScore, length_groups, score_groups
    from ._paired import paired_bootstrap, paired_randomization
    from ._plots import plot
    from ._report import report
    from ._reward import reward
    from ._significance import Interval, bootstrap
    from ._systems import score_systems, system_statistics
    from ._trainer import compute_metrics, preprocess_logits

# Imported when first asked for: together they take as long as all that a score needs.
_LATER = {
    "_comparison": ("Comparison",),
    "_datasets": ("evaluate_dataset",),
    "_distributed": ("ray_statistics", "spark_statistics"),
    "_explain": ("Explanation", "explain_difference"),
    "_grouped": ("load_groups", "save_groups"),
    "_levels": ("GroupScore", "length_groups", "score_groups"),
    "_paired": ("paired_bootstrap", "paired_randomization"),
    "_plots": ("plot",),
    "_report": ("report",),
    "_reward": ("reward",),
    "_significance": ("Interval", "bootstrap"),
    "_systems": ("score_systems", "system_statistics"),
    "_trainer": ("compute_metrics", "preprocess_logits"),
}

__all__ = [
    "DIALECTS",
    "BleuConfig",
    "BleuScore",
    "BleuStatistics",
    "Comparison",
    "Explanation",
    "GroupScore",
    "Interval",
    "__version__",
    "bootstrap",
    "compute_metrics",
    "corpus_bleu",
    "corpus_statistics",
    "evaluate_dataset",
    "explain_difference",
    "length_groups",
    "load_groups",
    "paired_bootstrap",
    "paired_randomization",
    "plot",
    "preprocess_logits",
    "ray_statistics",
    "report",
    "reward",
    "save_groups",
    "score",
    "score_dialects",
    "score_groups",
    "score_systems",
    "sentence_bleu",
    "spark_statistics",
    "system_statistics",
]


if not TYPE_CHECKING:  # or every wrong name would be of type Any

    def __getattr__(name: str) -> object:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(f".{module}", __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
