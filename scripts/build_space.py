"""Assemble a Hugging Face Space of the metric: ``python scripts/build_space.py OUT``.

The folder OUT gets the files of the package, the metric card as README.md with the pages that it links to, and a web
page as app.py. ``python OUT/app.py`` serves the page on this machine. ``evaluate.load("OUT/bleu_metric.py")`` loads the
metric. To publish the metric, push the folder to a Space with the name bleu_metric: evaluate looks for a file of this
name.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GRADIO = "6.31.0"  # the version that the page is tested with
_NO_PAGES = shutil.ignore_patterns("__pycache__", "*.py", "*.toml", "_static", "notebooks")
_FILES_OF_A_NEW_CLONE = {".git", ".gitattributes", ".gitignore", "README.md"}
FRONT_MATTER = f"""\
---
title: BLEU (bleu_metric)
emoji: 📏
colorFrom: blue
colorTo: gray
sdk: gradio
sdk_version: {GRADIO}
python_version: "3.12"
app_file: app.py
pinned: false
license: apache-2.0
tags:
- evaluate
- metric
short_description: BLEU exactly as your library computes it
description: >-
  BLEU measures how many n-grams a translation shares with its references. This metric computes it exactly as NLTK,
  sacrebleu, torchmetrics and a dozen other libraries do, and returns a signature with every setting.
---

"""
# In the card: an example that needs the package, and what to type where only the Space is
_EXAMPLE = "import bleu_metric\nimport evaluate\n\nbleu = evaluate.load(bleu_metric.PATH)"
_EXAMPLE_OF_SPACE = 'import evaluate\n\nbleu = evaluate.load("user/bleu_metric")  # the name of this Space'
_NAMES = {_EXAMPLE: _EXAMPLE_OF_SPACE, "evaluate.load(bleu_metric.PATH": 'evaluate.load("user/bleu_metric"'}


def build(out: Path) -> None:
    """Write the Space into a new or empty folder, or over an older Space."""
    _check(out)
    needed = requirements()  # before anything is written, because bleu_metric may not be installed
    out.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "bleu_metric", out, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs", out / "docs", dirs_exist_ok=True, ignore=_NO_PAGES)
    shutil.copy(ROOT / "scripts" / "space" / "app.py", out)
    shutil.copy(ROOT / "LICENSE", out)
    card = (ROOT / "metric_card.md").read_text(encoding="utf-8")
    for installed, of_space in _NAMES.items():
        card = card.replace(installed, of_space)
    (out / "README.md").write_text(FRONT_MATTER + card, encoding="utf-8")
    (out / "requirements.txt").write_text("".join(f"{line}\n" for line in needed), encoding="utf-8")


def _check(out: Path) -> None:
    """Raise ``ValueError`` if writing a Space into this folder could overwrite other files, such as this project's."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is not a folder")
    place = out.resolve()
    if place == ROOT or ROOT in place.parents or place in ROOT.parents:
        raise ValueError(f"{out} is inside this project or contains it: pass a folder outside it")
    card = out / "README.md"
    is_space = card.exists() and card.read_text(encoding="utf-8").startswith(FRONT_MATTER.partition("sdk_version")[0])
    if not is_space and out.exists() and not {path.name for path in out.iterdir()} <= _FILES_OF_A_NEW_CLONE:
        raise ValueError(
            f"{out} is not empty and not a Space of this metric: pass a new folder or a clone of your Space"
        )


def requirements() -> list[str]:
    """Return the requirements of the metric and the page. Gradio is left out, because `FRONT_MATTER` names it."""
    try:
        lines = importlib.metadata.requires("bleu_metric") or []
    except importlib.metadata.PackageNotFoundError:
        raise ValueError("bleu_metric is not installed: first run pip install . in the checkout") from None
    return [line for line in lines if "extra ==" not in line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to write")
    out = parser.parse_args().out
    try:
        build(out)
    except (OSError, ValueError) as error:
        sys.exit(f"build_space: {error}")
    print(f"{out}: {len([*out.iterdir()])} files; serve it with: python {out / 'app.py'}")


if __name__ == "__main__":
    main()
