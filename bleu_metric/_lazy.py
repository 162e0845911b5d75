"""Import NumPy (`np`), PyArrow (`pa`) and `pyarrow.compute` (`pc`) only when one of their names is first used.

Importing NumPy and PyArrow takes longer than scoring thousands of sentences from Python lists, which needs neither.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["np", "pa", "pc"]


class _Lazy(ModuleType):
    """A module that is imported when one of its names is first used."""

    def __getattr__(self, name: str) -> Any:
        """Import the module and return the value of a name. Store the value, so that this runs once for each name."""
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
else:
    np, pa, pc = _Lazy("numpy"), _Lazy("pyarrow"), _Lazy("pyarrow.compute")
