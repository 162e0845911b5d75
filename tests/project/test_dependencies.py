"""Each dependency is declared with its reason, and CI tests the oldest versions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _declared() -> dict[tuple[str, str], set[str]]:
    """Package and bound -> what it is for, from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared: dict[tuple[str, str], set[str]] = {}
    for extra, packages in {"always": project["dependencies"], **project["optional-dependencies"]}.items():
        for package in packages:
            name, bound = re.fullmatch(r"([\w.-]+(?:\[[\w,]+\])?)(.*)", package).groups()  # type: ignore[union-attr]
            declared.setdefault((name, bound), set()).add(extra)
    return declared


def test_every_dependency_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    with_reason = {*re.findall(r'^    "([^"]+)", # \w', text, re.MULTILINE)}
    assert {f"{name}{bound}" for name, bound in _declared()} == with_reason


def test_ci_tests_the_oldest_versions() -> None:
    """Each package that is always needed is pinned at its lower bound."""
    pinned = dict(
        line.split()[0].split("==") for line in (ROOT / ".ci/oldest.txt").read_text().splitlines() if "==" in line
    )
    bounds = {name: bound.removeprefix(">=") for (name, bound), extras in _declared().items() if "always" in extras}
    assert {name: pinned[name][: len(bound)] for name, bound in bounds.items()} == bounds
