"""Without its framework, an adapter is one clear error. Runs of the framework are in tests/frameworks."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from bleu_metric.integrations.lighteval import lighteval_metric


@pytest.mark.skipif(find_spec("lighteval") is not None, reason="lighteval is installed")
def test_a_missing_framework() -> None:
    missing = r"^lighteval is not installed: pip install 'bleu_metric\[lighteval\]'$"
    with pytest.raises(ModuleNotFoundError, match=missing):
        lighteval_metric()
