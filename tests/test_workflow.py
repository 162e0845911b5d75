"""The workflow for a public host runs what .ci/run and .ci/hosts run, on the same Python versions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
HOSTS = (ROOT / ".ci" / "hosts").read_text()
PROJECT = (ROOT / "pyproject.toml").read_text()


@pytest.fixture(scope="module")
def workflow() -> dict[Any, Any]:
    return yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())


def test_python_versions(workflow: dict[Any, Any]) -> None:
    versions = re.search(r"for version in \$\{3:-([\d. ]+)\}", HOSTS)[1].split()
    assert len(versions) == 4
    assert workflow["jobs"]["hosts"]["strategy"]["matrix"]["python"] == versions
    assert re.findall(r'"Programming Language :: Python :: (3\.\d+)"', PROJECT) == versions
    assert f'requires-python = ">={versions[0]}"' in PROJECT


def test_oldest_versions(workflow: dict[Any, Any]) -> None:
    (included,) = workflow["jobs"]["hosts"]["strategy"]["matrix"]["include"]
    assert included == {"python": re.search(r"check (\S+) oldest", HOSTS)[1], "versions": "oldest"}


def test_commands(workflow: dict[Any, Any]) -> None:
    hosts, everything = (workflow["jobs"][job]["steps"] for job in ("hosts", "everything"))
    assert hosts[-1]["run"] == '.ci/hosts dist/*.whl "${{ matrix.versions }}" "${{ matrix.python }}"'
    assert everything[-1]["run"] == ".ci/run"
    for script in (".ci/hosts", ".ci/run"):
        assert (ROOT / script).stat().st_mode & 0o111, f"{script} is not executable"


def test_it_can_only_read_and_ends(workflow: dict[Any, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert 0 < job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert "uses" not in step or re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
