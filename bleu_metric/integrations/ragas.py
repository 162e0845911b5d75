"""BLEU as a metric of ragas. It scores the whole response, but the BLEU of ragas scores only the first sentence."""

from __future__ import annotations

from typing import Any, Unpack

from .._config import BleuOptions
from .._dialects import DEFAULT, Dialect
from .framework_scores import Counter, require_framework


def ragas_metric(name: str = "bleu_score", dialect: Dialect = DEFAULT, **options: Unpack[BleuOptions]) -> Any:
    """Return a metric for the list ``metrics`` of ragas' `evaluate`.

    Args:
        name: name of the score in the results.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        **options: fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        A `SingleTurnMetric`. It computes the sentence score of each response, on a scale of 0 to 1.

    Raises:
        ModuleNotFoundError: ragas is not installed.
        TypeError, ValueError: the dialect, an option or a value is not accepted.
    """
    base = require_framework("ragas.metrics.base", "ragas")
    counter = Counter(dialect, options)

    class Bleu(base.SingleTurnMetric):  # type: ignore[misc, name-defined]
        """Score the whole response as one text."""

        def init(self, run_config: Any) -> None:
            """Do nothing, because no preparation is needed."""

        async def _single_turn_ascore(self, sample: Any, callbacks: Any) -> float:
            return counter.sentence_score(counter.row(sample.response, [sample.reference]))

    columns = {base.MetricType.SINGLE_TURN: {"reference", "response"}}
    return Bleu(name=name, _required_columns=columns)
