"""BLEU that gives the number you expected, by name: NLTK's, sacrebleu's, evaluate's.

>>> from bleu_metric import corpus_bleu
>>> corpus_bleu(["the cat sat on the mat"], [["the cat sat on the mat", "a cat sat there"]]).bleu
1.0
"""

from ._bleu import corpus_bleu, corpus_statistics, score_dialects, sentence_bleu
from ._comparison import Comparison
from ._config import BleuConfig
from ._datasets import evaluate_dataset
from ._dialects import DIALECTS
from ._distributed import ray_statistics, spark_statistics
from ._explain import Explanation, explain_difference
from ._grouped import load_groups, save_groups
from ._levels import GroupScore, length_groups, score_groups
from ._paired import paired_bootstrap, paired_randomization
from ._plots import plot
from ._report import report
from ._score import BleuScore, score
from ._signature import VERSION as __version__
from ._significance import Interval, bootstrap
from ._statistics import BleuStatistics
from ._systems import score_systems, system_statistics
from ._trainer import compute_metrics, preprocess_logits, reward

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
