"""The code of users that type checkers read does what its types say; `.ci/run` runs the checkers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
import user_code
from inner_doors import CHOICES, P_VALUES, TESTS, BleuOptions, Dialect

from bleu_metric import DIALECTS, SELF_BLEU_DEFINITIONS, BleuConfig, paired_bootstrap, report, self_bleu

FUNCTIONS = [one for one in vars(user_code).values() if inspect.isfunction(one) and one.__module__ == "user_code"]
HEAVY = {"pictures": [pytest.mark.heavy]}


@pytest.mark.parametrize(
    "function", [pytest.param(one, id=one.__name__, marks=HEAVY.get(one.__name__, ())) for one in FUNCTIONS]
)
def test_user_code(function: Callable[..., None], tmp_path: Path) -> None:
    if function.__name__ == "pictures":
        pytest.importorskip("matplotlib", reason='needs pip install "bleu_metric[plot]"')
    function(*[tmp_path] * ("folder" in inspect.signature(function).parameters))


def test_options_are_the_fields_of_the_configuration() -> None:
    """What type checkers allow as keywords is what there is, of the same types."""
    options = {name: kind.__forward_arg__ for name, kind in BleuOptions.__annotations__.items()}
    assert options == {"target_language": "str", **BleuConfig.__annotations__}


def names_in(annotation: Any) -> set[object]:
    """The strings and flags that a type allows: Literal["a"] | bool -> {"a", True, False}."""
    if annotation is bool:
        return {True, False}
    if get_origin(annotation) is Literal:
        return {*get_args(annotation)}
    is_union = get_origin(annotation) in (Union, UnionType)
    return {name for part in get_args(annotation) * is_union for name in names_in(part)}


def test_type_checkers_know_the_names_in_the_tables() -> None:
    types = {option: names_in(annotation) for option, annotation in get_type_hints(BleuConfig).items()}
    accepted = {option: {*CHOICES.get(option, ())} for option in types}
    assert {**types, "dialect": names_in(Dialect)} == {**accepted, "dialect": {*DIALECTS}}


@pytest.mark.parametrize(
    ("function", "argument", "accepted"),
    [
        (report, "test", TESTS),
        (paired_bootstrap, "p_values", P_VALUES),
        (self_bleu, "definition", SELF_BLEU_DEFINITIONS),
    ],
)
def test_type_checkers_know_the_names_of_arguments(
    function: Callable[..., Any], argument: str, accepted: Iterable[str]
) -> None:
    assert names_in(get_type_hints(function)[argument]) == {*accepted}
