"""Without its framework, an adapter is one clear error."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from bleu_metric.integrations.lighteval import lighteval_metric


def test_a_missing_framework() -> None:
    if find_spec("lighteval") is not None:
        lighteval_metric()
        return
    with pytest.raises(
        ModuleNotFoundError, match=r"^lighteval is not installed: pip install 'bleu_metric\[lighteval\]'$"
    ):
        lighteval_metric()
