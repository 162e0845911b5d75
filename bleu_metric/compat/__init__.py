"""The functions of other libraries, answered by this package: change one import and keep the rest of your code.

Each module bears its library's name and has that library's names, argument order, defaults, results and scale:
`nltk`, `sacrebleu`, `torchtext`, `torchmetrics`, `ignite`, `bleuscore`, `nmt`, `smooth_bleu` and `pycocoevalcap`.
The library itself need not be installed, except torchmetrics and ignite, whose base classes are used. Where it is, all
its other names are passed on.

>>> from bleu_metric.compat.nltk import sentence_bleu
>>> sentence_bleu([["the", "cat", "sat", "on", "a", "mat"]], ["the", "cat", "sat", "on", "a", "mat"])
1.0
"""

from importlib import import_module
from types import ModuleType

_MODULES = (
    "bleuscore",
    "ignite",
    "nltk",
    "nmt",
    "pycocoevalcap",
    "sacrebleu",
    "smooth_bleu",
    "torchmetrics",
    "torchtext",
)


def __getattr__(name: str) -> ModuleType:
    """Import a module when it is first asked for: some of them import torch."""
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
