"""CI tests the oldest versions of the packages that are always needed, and most works without the large ones."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_ci_tests_the_oldest_versions() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    pinned = re.findall(r"^(\S+)==(\S+)", (ROOT / ".ci/oldest.txt").read_text(), re.MULTILINE)
    for name, bound in (package.split(">=") for package in needed):
        assert dict(pinned)[name].startswith(bound), name


LIGHT = """
import sys
sys.modules.update(dict.fromkeys(["datasets", "evaluate", "matplotlib", "pyarrow"]))  # as if they were not installed
import numpy as np
import bleu_metric as bm
from bleu_metric.cli.main import run

texts = ["the cat sat", "a dog barks"]
counts = bm.corpus_statistics(texts, texts)
bm.paired_bootstrap(counts, counts, n_resamples=40), bm.self_bleu(texts), bm.mbr(texts), bm.pairwise_bleu(texts)
bm.score_groups(counts, np.array([1, 2])), bm.explain_difference(texts, texts, "nltk", "evaluate")
bm.Accumulator("nltk").update(texts, texts), bm.reward("answer"), bm.remove_padding([[1, 2]], pad_id=2)
for command in ("score", "dialects"):
    assert run([command, "hyp.txt", "ref.txt"]) == 0
assert run(["report", "hyp.txt", "-r", "ref.txt", "-o", "page.html"]) == 0
assert run(["mbr", "hyp.txt", "-n", "2"]) == run(["self-bleu", "hyp.txt"]) == 0

for needed, call in {
    "evaluate": lambda: bm.load("nltk"),
    "pyarrow": lambda: counts.save("counts.parquet"),
}.items():
    try:
        call()
    except ImportError as error:
        assert 'this needs {0}: pip install {0} '.format(needed) in str(error), error
    else:
        raise AssertionError(needed)
for name in ("hyp.txt.bz2", "hyp.txt.zst", "hyp.parquet:a"):
    assert run(["score", name, "ref.txt"]) == 1
"""


def test_what_works_without_the_large_packages(files: Path) -> None:
    """As after ``pip install --no-deps bleu_metric`` and NumPy, click and jinja2."""
    for name in ("hyp.txt.bz2", "hyp.txt.zst", "hyp.parquet"):
        (files / name).write_bytes((files / "hyp.txt").read_bytes())
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", LIGHT], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("this needs pyarrow: pip install pyarrow") == 3
