"""What the scripts print, and what they answer when they are called in a wrong way."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bleu_metric import DIALECTS, corpus_bleu

pytestmark = pytest.mark.heavy
SCRIPTS = Path(__file__).parents[2] / "scripts"


def test_the_quickstart_prints_a_score_every_library_and_a_report(tmp_path: Path) -> None:
    screen = {"TTY_COMPATIBLE": "1", "COLUMNS": "120", "PYTHONUTF8": "1", "TMPDIR": str(tmp_path)}
    command = [sys.executable, str(SCRIPTS / "quickstart.py")]
    text = subprocess.check_output(command, env={**os.environ, **screen}, encoding="utf-8", cwd=tmp_path)
    assert [*tmp_path.rglob("*.html")]
    rows = [json.loads(line) for line in (SCRIPTS / "sample.jsonl").read_text(encoding="utf-8").splitlines()]
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    predictions, references = ([row[side] for row in rows] for side in ("prediction", "references"))
    score = corpus_bleu(predictions, references)
    assert lines[0].startswith(f"BLEU {100 * score.bleu:.1f} [")
    assert any(line.startswith(f"{100 * score.bleu:.2f}") and "sacrebleu" in line for line in lines)
    assert score.signature in "".join(line.strip() for line in lines)
    assert text.count("nrefs:") == 1
    assert set(DIALECTS) <= set(re.split(r" · |\s+", " ".join(lines)))


@pytest.mark.parametrize("name", ["reproduce_wmt.py", "significance.py"])
def test_a_wrong_folder_is_named(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPTS / name), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert str(tmp_path) in done.stderr


def test_the_measurements_of_significance_run(tmp_path: Path) -> None:
    texts = {
        "system-outputs/generaltest2022.en-de.hyp.one.de": ["the cat sat on the mat", "a dog ran off", "so it is"],
        "system-outputs/generaltest2022.en-de.hyp.other.de": ["the cat sat on a mat", "a dog ran away", "so is it"],
        "system-outputs/generaltest2022.en-de.hyp.third.de": ["the cat sat on a mat", "a dog ran off", "so is it"],
        "references/generaltest2022.en-de.ref.A.de": ["the cat sat on a mat", "the dog ran away", "so it is"],
    }
    for name, segments in texts.items():
        path = tmp_path / "txt" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(segments * 20) + "\n")
    command = [sys.executable, str(SCRIPTS / "significance.py"), str(tmp_path), "speed", "same", "best"]
    text = subprocess.check_output(command, encoding="utf-8")
    assert "10,000 trials, p-values equal" in text
    assert "seed 12345: bootstrap 2 equal, randomization 2 equal" in text
    assert "2 differ from the best of their pair" in text
