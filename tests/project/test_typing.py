"""The code of users that type checkers read does what its types say; `.ci/run` runs the checkers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
import user_code
from inner_doors import BleuOptions

from bleu_metric import BleuConfig

FUNCTIONS = [one for one in vars(user_code).values() if inspect.isfunction(one) and one.__module__ == "user_code"]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_user_code(function: Callable[..., None], tmp_path: Path) -> None:
    if function.__name__ == "pictures":
        pytest.importorskip("matplotlib", reason='needs pip install "bleu_metric[plot]"')
    function(*[tmp_path] * ("folder" in inspect.signature(function).parameters))


def test_options_are_the_fields_of_the_configuration() -> None:
    """What type checkers allow as keywords is what there is, of the same types."""
    options = {name: kind.__forward_arg__ for name, kind in BleuOptions.__annotations__.items()}
    assert options == {"target_language": "str", **BleuConfig.__annotations__}
