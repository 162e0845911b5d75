"""Measure the layout of the package: files, lines, modules that evaluate copies, and the depth of imports.

    python scripts/maintenance/layout.py [FOLDER ...]

FOLDER is the folder of a package, by default bleu_metric. Each folder has a column of the output.
"""

from __future__ import annotations

import argparse
import ast
import statistics
from functools import cache
from pathlib import Path

OWN = Path(__file__).resolve().parents[2] / "bleu_metric"


def modules_of(folder: Path) -> dict[str, Path]:
    """Return the file of each module, by dotted name."""
    return {".".join(path.relative_to(folder).with_suffix("").parts): path for path in sorted(folder.rglob("*.py"))}


def imports_of(module: str, modules: dict[str, Path]) -> set[str]:
    """Return the modules of the package that a module imports at its top level."""
    package = module.split(".")[:-1]
    imported = set()
    for node in ast.parse(modules[module].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            imported.add(".".join(filter(None, base)))
    return imported & modules.keys()


def measure(folder: Path) -> dict[str, float]:
    modules = modules_of(folder)
    graph = {module: imports_of(module, modules) for module in modules}
    lines = sorted(len(path.read_text(encoding="utf-8").splitlines()) for path in modules.values())

    @cache
    def depth(module: str) -> int:
        return 1 + max(map(depth, graph[module]), default=0)

    copied, todo = {"bleu_metric"}, ["bleu_metric"]
    while todo:
        new = graph[todo.pop()] - copied
        copied |= new
        todo += new
    return {
        "files": len(modules),
        "lines": sum(lines),
        "median lines of a file": statistics.median(lines),
        "90th percentile of lines": lines[int(0.9 * (len(lines) - 1))],
        "files under 60 lines": sum(count < 60 for count in lines),
        "files over 450 lines": sum(count > 450 for count in lines),
        "modules that evaluate copies": len(copied) - 1,
        "imports between modules": sum(map(len, graph.values())),
        "depth of imports": max(map(depth, modules)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="*", default=[OWN], metavar="FOLDER")
    columns = [measure(folder) for folder in parser.parse_args().folders]
    for name in columns[0]:
        print(f"{name:30}", *(f"{column[name]:>8g}" for column in columns))


if __name__ == "__main__":
    main()
