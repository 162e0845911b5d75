"""List the public names: modules, functions with their arguments, attributes, dialects, values of options, commands.

    python scripts/maintenance/public_api.py > tests/project/public_names.txt

A test holds this list. Rewrite the file if a change of a public name is meant, and write the change to CHANGELOG.md.
"""

from __future__ import annotations

import argparse
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click

import bleu_metric
from bleu_metric import compat
from bleu_metric._options import CHOICES, OPTIONS
from bleu_metric._score import Citation
from bleu_metric.cli.main import cli
from bleu_metric.comparison.dialects import Step
from bleu_metric.comparison.result import Compared

PARTS = (Citation, Compared, Step)  # classes that users meet only in results
FRAMEWORKS = ("lighteval", "lm_eval", "verl")  # modules that users import


def _arguments(function: Any) -> str:
    """Return the names of a function's arguments as they stand in its signature, without types and defaults."""
    signature = inspect.signature(function)
    empty = inspect.Parameter.empty
    names = [parameter.replace(annotation=empty, default=empty) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=names, return_annotation=empty))


def _names_in(name: str, value: Any) -> Iterator[str]:
    """Yield the line of a function, or the lines of a class and of its public attributes."""
    if not inspect.isclass(value):
        yield f"{name}{_arguments(value) if callable(value) else ''}"
        return
    yield f"class {name}"
    own = [base for base in value.__mro__ if base.__module__.startswith("bleu_metric")]
    members = {member for base in own for member in vars(base)} | {*getattr(value, "__dataclass_fields__", {})}
    for member in sorted(members):
        if not member.startswith("_"):
            attribute = getattr(value, member, None)
            yield f"{name}.{member}{_arguments(attribute) if callable(attribute) else ''}"


def _of_package() -> Iterator[str]:
    for name in bleu_metric.__all__:
        yield from _names_in(f"bleu_metric.{name}", getattr(bleu_metric, name))
    for part in PARTS:
        yield from _names_in(part.__name__, part)
    for framework in FRAMEWORKS:
        module = import_module(f"bleu_metric.integrations.{framework}")
        for name, value in inspect.getmembers(module, inspect.isfunction):
            if value.__module__ == module.__name__ and not name.startswith("_"):
                yield from _names_in(f"{module.__name__}.{name}", value)
    for module in pkgutil.iter_modules(compat.__path__, "bleu_metric.compat."):
        if "._" not in module.name:
            yield f"module {module.name}"  # has the names of its library


def _of_values() -> Iterator[str]:
    yield from (f"dialect {name}" for name in bleu_metric.DIALECTS)
    yield from (f"definition of Self-BLEU {name}" for name in bleu_metric.SELF_BLEU_DEFINITIONS)
    for option, values in CHOICES.items():
        yield from (f"{option}={value!r}" for value in values)


def _of_commands() -> Iterator[str]:
    commands: dict[str, click.Command] = {"bleu-metric": cli}
    commands |= {f"bleu-metric {name}": command for name, command in cli.commands.items()}
    for name, command in commands.items():
        yield name
        for parameter in command.params:
            is_setting = parameter.name in OPTIONS  # every option of `BleuConfig` is an option of every command
            if isinstance(parameter, click.Option) and not is_setting:
                yield f"{name} {' '.join(parameter.opts)}"


def public_names() -> list[str]:
    """Return the public names, sorted, each as a line of text."""
    return sorted([*_of_package(), *_of_values(), *_of_commands()])


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print("\n".join(public_names()))
