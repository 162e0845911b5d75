"""The rules of the layout: what may import what, what evaluate copies, and what an import costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import bleu_metric

FOLDER = Path(bleu_metric.__file__).parent
MODULES = {".".join(path.relative_to(FOLDER).with_suffix("").parts): path for path in sorted(FOLDER.rglob("*.py"))}
SUB_PACKAGES = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
ENTRANCES = {"__init__", "__main__", "bleu_metric"}
CORE = {name for name in MODULES if "." not in name} - ENTRANCES

# A sub-package may import the core, the metric and those that stand before it.
ORDER = ["comparison", "many", "scale", "integrations", "reporting", "compat", "cli"]


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text())


@cache
def imports_of(module: str, top_level: bool = False) -> set[str]:
    """Modules of the package that a module imports, anywhere or at its top level."""
    package = module.split(".")[:-1]
    found = set()
    for node in tree_of(module).body if top_level else ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and node.level:
            parent = package[: len(package) - node.level + 1]
            base = [*parent, *(node.module or "").split(".")] if node.module else parent
            names = {".".join([*base, alias.name]) for alias in node.names}
            found |= names & MODULES.keys() or {".".join(base)}
    return found & MODULES.keys()


def reached_from(module: str) -> set[str]:
    reached = todo = {module}
    while todo:
        todo = set().union(*map(imports_of, todo)) - reached
        reached = reached | todo
    return reached


def test_every_sub_package_has_its_place() -> None:
    assert set(ORDER) == SUB_PACKAGES
    assert not SUB_PACKAGES & {*bleu_metric.__all__}, "bleu_metric.name would be the folder"


def test_the_core_imports_no_sub_package() -> None:
    for module in CORE | {"bleu_metric"}:
        assert imports_of(module) <= CORE, module


def test_sub_packages_import_in_one_direction() -> None:
    for place, package in enumerate(ORDER):
        allowed = {*ORDER[: place + 1]}
        for module in (name for name in MODULES if name.split(".")[0] == package):
            others = {name.split(".")[0] for name in imports_of(module)} - CORE - {"__init__", "bleu_metric"}
            assert others <= allowed, module


def test_no_import_circle() -> None:
    """The core has none even inside functions."""
    graph = {module: imports_of(module, top_level=module not in CORE) for module in MODULES}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_the_metric_lists_every_module_that_it_needs() -> None:
    """`evaluate.load` copies what stands in the metric's own import list, and no more."""
    listed = imports_of("bleu_metric", top_level=True)
    assert reached_from("bleu_metric") == {*listed, "bleu_metric"}


def test_locks_survive_a_fork() -> None:
    """A fork may copy a lock that is locked for ever, so only `_threads` makes locks and what has them."""
    locks = {"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore", "allocate_lock", "cached_property"}
    for module in MODULES.keys() - {"_threads"}:
        names = {getattr(node, field, None) for node in ast.walk(tree_of(module)) for field in ("id", "attr", "name")}
        assert not names & locks, module


def test_import_is_cheap() -> None:
    heavy = "evaluate datasets torch transformers pandas matplotlib jinja2 pyspark ray".split()
    heavy += ["hashlib", "secrets"]  # milliseconds each, for what few calls need
    # Older versions of NumPy import some of these themselves
    code = "import numpy, pyarrow, sys; before = {*sys.modules}; import bleu_metric; "
    code += f"print([name for name in {heavy} if name in {{*sys.modules}} - before])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
