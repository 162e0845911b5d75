"""Import NumPy (`np`), PyArrow (`pa`) and two of its modules only when one of their names is first used.

Scoring Python lists needs neither package, and their import takes longer than scoring thousands of sentences. PyArrow,
evaluate and datasets may be missing, after ``pip install --no-deps``.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["import_needed", "np", "pa", "parquet", "pc"]


def import_needed(module: str) -> ModuleType:
    """Import a module. If its package is missing, the error says what to type."""
    package, *_ = module.split(".")
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:  # a package that this package needs is missing
            raise
        raise missing_package("this", package, error) from error


class _Lazy(ModuleType):
    """A module that is imported when one of its names is first used."""

    def __getattr__(self, name: str) -> Any:
        """Import the module and store the value of `name`, so that Python calls this only once for each name."""
        value = getattr(import_needed(self.__name__), name)
        setattr(self, name, value)
        return value

    def __reduce__(self) -> tuple[type, tuple[str]]:
        """Let Spark and Ray pickle functions that use the module."""
        return _Lazy, (self.__name__,)


if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as parquet
else:
    np, pa, pc, parquet = map(_Lazy, ("numpy", "pyarrow", "pyarrow.compute", "pyarrow.parquet"))


def missing_package(user: str, package: str, error: Exception, to_install: str = "") -> ImportError:
    """Return the error for a package that cannot be imported. `user`: what needs it.

    `to_install` names packages, not extras of bleu_metric, because pip would look for bleu_metric in an index.

    >>> missing_package("the metric chrf", "sacrebleu", ImportError("no sacrebleu"))
    ImportError('the metric chrf needs sacrebleu: pip install sacrebleu (no sacrebleu)')
    """
    reason = " ".join(str(error).split())  # on one line
    return ImportError(f"{user} needs {package}: pip install {to_install or package} ({reason})")
