"""CI tests the oldest versions of the packages that are always needed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_ci_tests_the_oldest_versions() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    pinned = re.findall(r"^(\S+)==(\S+)", (ROOT / ".ci/oldest.txt").read_text(), re.MULTILINE)
    for name, bound in (package.split(">=") for package in needed):
        assert dict(pinned)[name].startswith(bound), name
