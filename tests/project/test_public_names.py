"""The public names are frozen, and share one default dialect."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from public_api import public_names

import bleu_metric
from bleu_metric import DIALECTS, BleuConfig, corpus_statistics
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
    # The name that evaluate passes if no configuration is named
    assert defaults.pop("load") == "default"
    assert set(defaults.values()) == {"sacrebleu"}
    assert len(defaults) >= 20
    statistics = corpus_statistics(["a"], ["a"], "default")
    assert statistics.config == corpus_statistics(["a"], ["a"]).config == BleuConfig() == DIALECTS["sacrebleu"]


def test_public_names_are_frozen() -> None:
    frozen = Path(__file__).with_name("public_names.txt").read_text(encoding="utf-8").splitlines()
    found = public_names()
    changes = [f"+ {name}" for name in found if name not in frozen] + [
        f"- {name}" for name in frozen if name not in found
    ]
    assert not changes, (
        "\n".join(["public names have changed:", *changes]) + "\nIf this is meant, write it to CHANGELOG.md, and run "
        "python scripts/maintenance/public_api.py > tests/project/public_names.txt"
    )
    assert found == frozen  # in the same order, each once
