"""What the scripts answer when they are called in a wrong way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
NEEDED = {"benchmark_many.py": ("fast_bleu", 'pip install ".[test-all]"')}


def run_script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    if name in NEEDED:
        module, hint = NEEDED[name]
        pytest.importorskip(module, reason=hint)
    command = [sys.executable, str(SCRIPTS / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["benchmark_many.py", "quickstart.py"])
def test_help_says_what_a_script_does(name: str) -> None:
    done = run_script(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {name}")


@pytest.mark.parametrize("name", ["benchmark_many.py", "reproduce_wmt.py", "significance.py"])
def test_a_wrong_folder_is_named(name: str, tmp_path: Path) -> None:
    done = run_script(name, str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert str(tmp_path) in done.stderr
    assert "must be a checkout of the WMT22 release" in done.stderr
