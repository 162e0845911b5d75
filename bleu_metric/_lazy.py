"""Import NumPy (`np`), PyArrow (`pa`) and `pyarrow.compute` (`pc`) only when one of their names is first used.

Scoring Python lists needs neither package, and their import takes longer than scoring thousands of sentences.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["np", "pa", "pc"]


class _Lazy(ModuleType):
    """A module that is imported when one of its names is first used."""

    def __getattr__(self, name: str) -> Any:
        """Import the module and store the value of `name`, so that Python calls this only once for each name."""
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
else:
    np, pa, pc = _Lazy("numpy"), _Lazy("pyarrow"), _Lazy("pyarrow.compute")


def missing_package(user: str, package: str, extra: str, error: Exception) -> ImportError:
    """Return the error for a package of an extra that cannot be imported. `user`: what needs the package.

    >>> missing_package("the metric chrf", "sacrebleu", "bleu_metric[sacrebleu]", ImportError("no sacrebleu"))
    ImportError("the metric chrf needs sacrebleu: pip install 'bleu_metric[sacrebleu]' (no sacrebleu)")
    """
    reason = " ".join(str(error).split())  # on one line
    return ImportError(f"{user} needs {package}: pip install {extra!r} ({reason})")
