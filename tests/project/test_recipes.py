"""The recipes of CONTRIBUTING.md work: what they change is changed in a copy of the project, whose tests then pass."""

from __future__ import annotations

import ast
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.heavy

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("bleu_metric", "docs", "scripts", "tests", "*.md", "*.py", "*.toml", "*.so", "CITATION.cff", ".ci", "LICENSE")

# What the recipe adds, what to score with it, and the score: by hand, from counts and the formula
RECIPES: dict[str, tuple[str, dict[str, Any], dict[str, Any], float]] = {
    "A tokenizer": (
        "tokenizer",
        {"predictions": ["a|b c"], "references": ["a|b c|d"]},
        {"tokenizer": "cells", "max_order": 1},
        math.exp(1 - 6 / 4),  # a | b c against a | b c | d
    ),
    "A smoothing": (
        "smoothing",
        {"predictions": ["a b"], "references": ["a c"]},
        {"smoothing": "add-to-all", "smoothing_value": 0.25, "max_order": 2},
        math.sqrt(1.25 / 2.25 * 0.25 / 1.25),
    ),
    "A reference length": (
        "reference_length",
        {"predictions": ["a b"], "references": [["a b", "a b c d"]]},
        {"reference_length": "last", "max_order": 1},
        math.exp(1 - 4 / 2),
    ),
    "A dialect": (
        "dialect",
        {"predictions": ["a b c"], "references": [["a b x"]]},
        {"dialect": "example", "max_order": 3},
        (2 / 3 * 1 / 2 * 0.1) ** (1 / 3),
    ),
}

# Where a recipe adds a name to a list: the file, and the pattern that is replaced
LISTS = [
    ("metric_card.md", r"\s+and (`[^`]+`)(\. \[Choosing a dialect)", r", \1 and `example`\2"),
    ("CHANGELOG.md", r"(?<=\*dialect\*: )", "example, "),
    ("bleu_metric/_names.py", r"DialectName = \(\n    Literal\[", r'\g<0>"example", '),
    ("bleu_metric/_names.py", r"TokenizerName = \(\n    Literal\[", r'\g<0>"cells", '),
    ("bleu_metric/_names.py", r"Smoothing = \(\n    Literal\[", r'\g<0>"add-to-all", '),
    ("bleu_metric/_names.py", r"ReferenceLength = Literal\[", r'\g<0>"last", '),
    ("bleu_metric/_languages.py", r"WORD_TOKENIZERS = \(", r'\g<0>"cells", '),
    ("bleu_metric/comparison/checks.py", r"_INDEPENDENT = \(", r'\g<0>"last", '),
]
USE = """
import json, sys
from bleu_metric import corpus_bleu
print(json.dumps([corpus_bleu(**texts, **options).bleu for _, texts, options, _ in json.loads(sys.argv[1])]))
"""


def sections() -> dict[str, str]:
    """Return the text of each recipe, by heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text().split("\n## How to add\n")[1].split("\n## ")[0]
    return {part.split("\n")[0]: part for part in text.split("\n### ")[1:]}


def follow(section: str, copy: Path) -> None:
    """Make the changes of a recipe: a block belongs to the file and the table that were named last."""
    path, table = copy, ""
    for file, name, language, block in re.findall(
        r"`([\w/]+\.(?:py|md))`|`([_A-Z]+|\| [^`]+ \|)`|^```(\w+)\n(.*?)^```", section, re.MULTILINE | re.DOTALL
    ):
        path, table = copy / file if file else path, name or table
        if language == "sh":
            for command in block.splitlines():
                run(copy, *shlex.split(command)[1:])
        elif block:
            text = path.read_text()
            path.write_text(with_block(text, table, block) if table in text else text + block)


def with_block(text: str, table: str, block: str) -> str:
    """Put a row at the end of the table, a function above it, and what fills the table below everything."""
    lines = text.splitlines(keepends=True)
    if table.startswith("|"):
        start = next(number for number, line in enumerate(lines) if line.startswith(table))
        place = next(number for number in range(start, len(lines)) if not lines[number].startswith("|"))
    elif f"\n{table}[" in block:
        return f"{text}\n\n{block}"
    else:
        nodes = [node for node in ast.parse(text).body if isinstance(node, (ast.Assign, ast.AnnAssign))]
        [node] = [node for node in nodes if re.match(rf"{table}\b", ast.unparse(node))]
        rows = next(inner for inner in ast.walk(node) if isinstance(inner, ast.Dict))
        is_row = block.startswith(" ")
        place = (rows.end_lineno or 0) - 1 if is_row else node.lineno - 1
        block = block if is_row else f"{block}\n\n"
    return "".join([*lines[:place], block, *lines[place:]])


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which all recipes were followed."""
    folder = tmp_path_factory.mktemp("recipes")
    for path in (path for part in PARTS for path in ROOT.glob(part)):
        if path.is_dir():
            shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
        else:
            shutil.copy(path, folder)
    for section in sections().values():
        follow(section, folder)
    for path, pattern, text in LISTS:
        changed, n_changes = re.subn(pattern, text, (folder / path).read_text())
        assert n_changes == 1, path
        (folder / path).write_text(changed)
    run(folder, "scripts/maintenance/fill_outputs.py", *map(str, sorted((folder / "docs/reference").glob("*.md"))))
    return folder


def run(folder: Path, *arguments: str) -> str:
    """Run Python in a copy of the project; return what it prints."""
    command, environment = [sys.executable, *arguments], {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-5000:]
    return ran.stdout


def test_recipes(copy: Path) -> None:
    assert sections().keys() == {*RECIPES, "An output format"}
    expected = [recipe[-1] for recipe in RECIPES.values()]
    assert json.loads(run(copy, "-c", USE, json.dumps([*RECIPES.values()]))) == pytest.approx(expected, abs=1e-12)


def test_the_tests_of_what_has_a_new_name_pass_after_the_recipes(copy: Path) -> None:
    """These are short tests, so this test is not among them."""
    core = [f"tests/core/test_{name}.py" for name in ("config", "score", "signature", "tokenizers", "zero_score")]
    documents = [f"tests/project/test_{name}.py" for name in ("additions", "documents")]
    names = [options[kind] for kind, _, options, _ in RECIPES.values()]
    lists = ["additions", "tables_are", "every_option", "every_dialect", "fixed_texts", "dialects.md"]
    new = ["-k", " or ".join([*names, *lists])]
    assert " passed" in run(copy, "-m", "pytest", "-q", "-x", "--heavy", *new, *core, "tests/peers", *documents)
