"""Without its framework, an adapter is one clear error."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from bleu_metric.integrations.inspect_ai import bleu_scorer
from bleu_metric.integrations.lighteval import lighteval_metric
from bleu_metric.integrations.ragas import ragas_metric
from bleu_metric.integrations.unitxt import unitxt_metric

ADAPTERS: dict[str, tuple[Callable[[], Any], str]] = {
    "inspect_ai": (bleu_scorer, "inspect"),
    "lighteval": (lighteval_metric, "lighteval"),
    "ragas": (ragas_metric, "ragas"),
    "unitxt": (unitxt_metric, "unitxt"),
}


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_missing_framework(name: str) -> None:
    make, extra = ADAPTERS[name]
    if find_spec(name) is not None:
        make()
        return
    with pytest.raises(ModuleNotFoundError, match=rf"^{name} is not installed: pip install 'bleu_metric\[{extra}\]'$"):
        make()
