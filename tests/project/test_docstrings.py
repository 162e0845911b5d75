"""Every public name says what it takes, gives and raises, and shows it by an example that runs."""

from __future__ import annotations

import builtins
import doctest
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import bleu_metric

SECTION = re.compile(r"^(Args|Returns|Raises):\n((?:    .*\n|\n)+)", re.MULTILINE)
ELSEWHERE = ("spark_statistics", "ray_statistics")  # examples that need an engine run in test_spark.py and test_ray.py


def _public() -> Iterator[tuple[str, Any]]:
    """All functions, classes, methods and properties that users see, by name."""
    for name in sorted(bleu_metric.__all__):
        one = getattr(bleu_metric, name)
        if inspect.isfunction(one) or inspect.isclass(one):
            yield name, one
        if inspect.isclass(one):
            members = [(member, value) for member, value in vars(one).items() if not member.startswith("_")]
            for member, value in members:
                value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
                if inspect.isfunction(value) or isinstance(value, property):
                    yield f"{name}.{member}", value


PUBLIC = dict(_public())
FUNCTIONS = {name: one for name, one in PUBLIC.items() if inspect.isfunction(one)}


def _sections(one: Any) -> dict[str, str]:
    return dict(SECTION.findall(inspect.getdoc(one) + "\n"))


def _items(section: str) -> list[str]:
    """What stands before the colons: names of parameters or of errors."""
    heads = re.findall(r"^    (\S[^:\n]*):(?: |\n)", section, re.MULTILINE)
    return [name.strip() for head in heads for name in head.split(",")]


def _parameters(one: Any) -> list[str]:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    found = inspect.signature(one).parameters.values()
    return [stars.get(each.kind, "") + each.name for each in found if each.name not in ("self", "cls")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sections(name: str) -> None:
    sections, parameters = _sections(FUNCTIONS[name]), _parameters(FUNCTIONS[name])
    assert _items(sections.get("Args", "")) == parameters
    returned = inspect.signature(FUNCTIONS[name]).return_annotation
    errors = _items(sections.get("Raises", ""))
    if parameters:  # what takes nothing is said in one line
        assert ("Returns" in sections) == (returned != "None")
        assert errors
    assert all(issubclass(getattr(builtins, error), Exception) for error in errors)


@pytest.mark.parametrize("name", PUBLIC)
def test_example(name: str) -> None:
    """The examples themselves run as doctests."""
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(PUBLIC[name]))
    assert examples
    skipped = [example for example in examples if example.options.get(doctest.SKIP)]
    assert not skipped or name in ELSEWHERE
