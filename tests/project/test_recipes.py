"""The recipes of CONTRIBUTING.md work: their code is taken out of it, added to a copy of the package, and used."""

from __future__ import annotations

import ast
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bleu_metric

FOLDER = Path(bleu_metric.__file__).parent
DOCUMENT = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"

# Table, what the recipe adds, what to score with it, and the score: by hand, from counts and the formula
RECIPES: dict[str, tuple[str, str, dict[str, Any], dict[str, Any], float]] = {
    "A tokenizer": (
        "TOKENIZERS",
        "tokenizer",
        {"predictions": ["a|b c"], "references": ["a|b c|d"]},
        {"tokenizer": "cells", "max_order": 1},
        math.exp(1 - 6 / 4),  # a | b c against a | b c | d
    ),
    "A smoothing": (
        "SMOOTHINGS",
        "smoothing",
        {"predictions": ["a b"], "references": ["a c"]},
        {"smoothing": "at-least", "smoothing_value": 0.25, "max_order": 2},
        math.sqrt(1 / 2 * 0.25),
    ),
    "A rule for the reference length": (
        "REFERENCE_LENGTHS",
        "reference_length",
        {"predictions": ["a b"], "references": [["a b", "a b c d"]]},
        {"reference_length": "last", "max_order": 1},
        math.exp(1 - 4 / 2),
    ),
    "A dialect": (
        "_DIALECTS",
        "dialect",
        {"predictions": ["a b"], "references": [["a c", "a b c"]]},
        {"dialect": "example", "max_order": 2},
        1.0,  # both n-grams match, and the shortest reference is as long
    ),
}

USE = """
import contextlib, io, json, sys
sys.modules["transformers"] = None  # evaluate would import it, which takes seconds
import evaluate
from bleu_metric import BleuConfig, corpus_bleu
from bleu_metric.cli.main import run
from bleu_metric.bleu_metric import __file__ as file
folder, recipes = sys.argv[1], json.loads(sys.argv[2])
assert file.startswith(folder), file

def answers(kind, texts, options):
    result = corpus_bleu(**texts, **options)
    loaded = [options.pop("dialect")] if kind == "dialect" else []
    name = (loaded or [options.get(kind)])[0]
    try:
        corpus_bleu(**texts, **{kind: name[:-1]})
    except ValueError as one:
        error = str(one)
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        run(["dialects", "--format", "tsv", *([] if loaded else [f"--{kind.replace('_', '-')}", name])])
    return {
        "bleu": result.bleu,
        "signature reads back": BleuConfig.from_signature(result.signature).signature() in result.signature,
        "evaluate": result.to_dict().items() <= evaluate.load(folder, *loaded).compute(**texts, **options).items(),
        "error": error,
        "command line": shown.getvalue(),
    }

print(json.dumps([answers(*one) for one in recipes]))
"""


def _blocks(heading: str) -> tuple[str, list[str]]:
    """The module that a recipe names first, and its blocks of code: a function, if any, and a row."""
    section = DOCUMENT.read_text().split(f"\n### {heading}\n")[1].split("\n#")[0]
    module = re.findall(r"`(_\w+\.py)`", section)[0]
    return module, re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def _add(path: Path, table: str, blocks: list[str]) -> None:
    """Put the function above the table and the row at its end."""
    text = path.read_text()
    (node,) = (
        one
        for one in ast.parse(text).body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.target.id == table
    )
    rows = next(one for one in ast.walk(node) if isinstance(one, ast.Dict))
    lines = text.splitlines(keepends=True)
    *function, row = blocks
    assert rows.end_lineno is not None
    lines.insert(rows.end_lineno - 1, row)
    lines[node.lineno - 1 : node.lineno - 1] = [f"{block}\n\n" for block in function]
    path.write_text("".join(lines))


def test_every_recipe_is_here() -> None:
    section = DOCUMENT.read_text().split("\n## How to add\n")[1].split("\n## ")[0]
    assert re.findall(r"^### (.*)$", section, re.MULTILINE) == list(RECIPES)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A copy of the package with all recipes in it, in a process of its own: what it answers, by recipe."""
    folder = tmp_path_factory.mktemp("recipes")
    copy = folder / "bleu_metric"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for heading, (table, *_) in RECIPES.items():
        module, blocks = _blocks(heading)
        _add(copy / module, table, blocks)
    environment = {**os.environ, "PYTHONPATH": str(folder), "HF_HOME": str(folder / "hf"), "HF_HUB_OFFLINE": "1"}
    use = [(kind, texts, options) for _, kind, texts, options, _ in RECIPES.values()]
    command = [sys.executable, "-c", USE, str(copy), json.dumps(use)]
    ran = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return dict(zip(RECIPES, json.loads(ran.stdout), strict=True))


@pytest.mark.parametrize("heading", RECIPES)
def test_recipe(heading: str, used: dict[str, Any]) -> None:
    _, kind, _, options, expected = RECIPES[heading]
    answers, name = used[heading], options[kind]
    assert answers["bleu"] == pytest.approx(expected, abs=1e-12)
    assert answers["signature reads back"]
    assert answers["evaluate"]
    assert f"(did you mean {name!r}?); accepted: " in answers["error"]
    assert repr(name) in answers["error"].split("accepted: ")[1]
    assert re.search(rf"\b{name}\b", answers["command line"])
