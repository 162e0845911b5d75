"""`host.Metric`: evaluate's base class of metrics, with the types that evaluate lacks.

`host` is not the class itself, because `evaluate.load` builds the first sub-class of `Metric` in the metric's module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["host"]

if TYPE_CHECKING:

    class host:  # noqa: N801 - a module when the code runs
        """What type checkers see of evaluate."""

        class Metric:
            """The methods that our metrics override or call. Type checkers accept every other attribute."""

            def __init__(self, *arguments: Any, **named: Any) -> None: ...
            def __getattr__(self, name: str) -> Any: ...
            def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any: ...
            @property
            def name(self) -> str: ...
else:
    import evaluate as host
