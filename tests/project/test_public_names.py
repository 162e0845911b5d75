"""The public names are frozen, and share one default dialect."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import bleu_metric
from bleu_metric import DIALECTS, BleuConfig, compat, corpus_statistics, integrations
from bleu_metric.cli.main import cli


def public_modules() -> Iterator[Any]:
    """Yield the public modules, except those that import a library: `compat`, and the class that evaluate loads."""
    yield bleu_metric
    for module in pkgutil.walk_packages(bleu_metric.__path__, "bleu_metric."):
        if not any(part in module.name for part in ("._", ".compat", ".bleu_metric")):
            yield import_module(module.name)


def defaults_of_dialect() -> dict[str, Any]:
    """Return the default of every argument and option that is called dialect."""
    defaults: dict[str, Any] = {}
    for module in public_modules():
        for name, value in inspect.getmembers(module, callable):
            if not name.startswith("_") and value.__module__.startswith("bleu_metric"):
                call = value.__init__ if inspect.isclass(value) else value
                parameter = inspect.signature(call).parameters.get("dialect")
                if parameter and parameter.default is not parameter.empty:
                    defaults[name] = parameter.default
    for command in cli.commands.values():
        for option in command.params:
            if option.name == "dialect":
                defaults[f"bleu-metric {command.name}"] = option.default
    return defaults


def test_a_call_without_a_dialect_has_one_default() -> None:
    defaults = defaults_of_dialect()
    # Each definition of Self-BLEU has its own settings
    assert {defaults.pop(name) for name in ("self_bleu", "bleu-metric self-bleu")} == {None}
    assert set(defaults.values()) == {"sacrebleu"}
    assert len(defaults) >= 19
    assert corpus_statistics(["a"], ["a"]).config == BleuConfig() == DIALECTS["sacrebleu"]


FROZEN = Path(__file__).with_name("public_names.txt")


def names_in(name: str, value: Any) -> Iterator[str]:
    """Yield a function with its arguments, or a class with its public attributes."""
    if not inspect.isclass(value):
        yield f"{name}({', '.join(inspect.signature(value).parameters)})" if callable(value) else name
        return
    bases = [base for base in value.__mro__ if base.__module__.startswith("bleu_metric")]
    for member in {member for base in bases for member in (*vars(base), *inspect.get_annotations(base))}:
        if not member.startswith("_"):
            attribute = getattr(value, member, None)
            yield from names_in(f"{name}.{member}", None if inspect.isclass(attribute) else attribute)


def public_names() -> list[str]:
    """Return the names of the package, of functions for frameworks, of compat modules and of command-line options."""
    names = [line for name in bleu_metric.__all__ for line in names_in(name, getattr(bleu_metric, name))]
    for place in pkgutil.iter_modules(integrations.__path__, "bleu_metric.integrations."):
        module = import_module(place.name)
        for name, value in inspect.getmembers(module, inspect.isfunction):
            if value.__module__ == module.__name__ and not name.startswith("_"):
                names += names_in(f"{place.name.removeprefix('bleu_metric.')}.{name}", value)
    names += [f"compat.{place.name}" for place in pkgutil.iter_modules(compat.__path__) if place.name[0] != "_"]
    for name, command in cli.commands.items():
        own = [option for option in command.params if option.name not in BleuConfig.__dataclass_fields__]
        names += [f"bleu-metric {name} {' '.join(option.opts)}" for option in own if option.opts[0][0] == "-"]
    return sorted(names)


def test_public_names_are_frozen() -> None:
    assert FROZEN.read_text().splitlines() == public_names(), (
        "public names have changed: if this is meant, run python -m tests.project.test_public_names"
    )


if __name__ == "__main__":
    FROZEN.write_text("\n".join([*public_names(), ""]))
