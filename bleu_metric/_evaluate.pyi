"""What type checkers see of evaluate, which has no types of its own."""

from typing import Any

EvaluationModule: Any
combine: Any
load: Any
module: Any

class MetricInfo:
    def __init__(self, **fields: Any) -> None: ...

class Metric:
    """The methods that our metrics override or call. Type checkers accept every other attribute."""

    def __init__(self, *arguments: Any, **named: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any: ...
    @property
    def name(self) -> str: ...
