"""Drop-in replacements for the BLEU functions of other libraries: change one import and keep the rest of your code.

The modules are `nltk`, `sacrebleu`, `torchtext`, `torchmetrics`, `ignite`, `bleuscore`, `nmt`, `smooth_bleu` and
`pycocoevalcap`. Each has the names, argument order, defaults, results and scale of the library it is named after.
You need only two of the original libraries, torchmetrics and ignite, because our classes are subclasses of theirs. If
an original library is installed, its compat module also has the library's other names.

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
    """Return a compat module. It is imported at its first access, because some compat modules import torch."""
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
