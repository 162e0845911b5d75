"""Drop-in replacements for the BLEU functions of other libraries: change one import and keep the rest of your code.

Each module is named after its library. It has that library's names, argument order, defaults, results and scale:
`nltk`, `sacrebleu`, `torchtext`, `torchmetrics`, `ignite`, `bleuscore`, `nmt`, `smooth_bleu` and `pycocoevalcap`.
You do not need the original library. Exceptions: torchmetrics and ignite, whose base classes are used. If the library
is installed, its compat module also has the library's other names.

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
    """Import a module on first access, because some of them import torch."""
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
