"""What the scripts print, and what they answer when they are called in a wrong way."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from bleu_metric import DIALECTS, corpus_bleu

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


@pytest.mark.parametrize("width", [70, 80])
def test_the_quickstart_fits_a_screen(width: int, tmp_path: Path) -> None:
    """One score with its signature, every library, and a report: at most 40 lines at 80 columns."""
    screen = {"TTY_COMPATIBLE": "1", "COLUMNS": str(width), "PYTHONUTF8": "1", "TMPDIR": str(tmp_path)}
    command = [sys.executable, str(SCRIPTS / "quickstart.py")]
    text = subprocess.check_output(command, env={**os.environ, **screen}, encoding="utf-8", cwd=tmp_path)
    [page] = tmp_path.rglob("*.html")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).replace(str(page.parent), "/tmp/12345678").splitlines()
    assert len(lines) <= 40 or width < 80
    assert all(cell_len(line.rstrip()) <= width for line in lines[:-3]), "the last lines are to copy"
    rows = [json.loads(line) for line in (SCRIPTS / "sample.jsonl").read_text(encoding="utf-8").splitlines()]
    predictions, references = ([row[side] for row in rows] for side in ("prediction", "references"))
    score = corpus_bleu(predictions, references)
    assert lines[0].startswith(f"BLEU {100 * score.bleu:.1f} [")
    assert any(line.startswith(f"{100 * score.bleu:.2f}") and "sacrebleu" in line for line in lines)
    assert score.signature in "".join(line.strip() for line in lines)
    assert text.count("nrefs:") == 1
    assert set(DIALECTS) <= set(re.split(r" · |\s+", " ".join(lines)))


@pytest.mark.parametrize("name", ["benchmark_many.py", "reproduce_wmt.py", "significance.py"])
def test_a_wrong_folder_is_named(name: str, tmp_path: Path) -> None:
    done = run_script(name, str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert str(tmp_path) in done.stderr
    assert "must be a checkout of the WMT22 release" in done.stderr
