"""Every Python block of the documents runs and prints what stands below it; their tables tell the truth."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from inner_doors import OPTIONS

EXTRAS = [
    "target_language",
    "all_orders",
    "sentence_scores",
    "groups",
    "documents",
    "confidence",
    "n_resamples",
    "seed",
]

pytestmark = pytest.mark.heavy
ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "metric_card.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}  # the package is found from an empty folder, as if installed
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
ALL_BLOCKS = [(_name(path), *match.groups()) for path in DOCUMENTS for match in BLOCK.finditer(path.read_text())]
FRAMEWORK = re.compile(r"(?:from|import) (lighteval|ray|pyspark)\b")
# Framework -> the block about it, and its output. They run where the framework is installed (tests/frameworks), or in a
# cluster that has started (tests/scale)
FRAMEWORK_BLOCKS = {found[1]: (code, text) for _, code, text in ALL_BLOCKS if (found := FRAMEWORK.search(code))}


def block_with(text: str) -> str:
    """Return the only block of the documents that contains a text, as a user copies it."""
    (code,) = (code for _, code, _ in ALL_BLOCKS if text in code)
    return code


BLOCKS = [block for block in ALL_BLOCKS if not FRAMEWORK.search(block[1])]


INSTALLS_OF_LIBRARIES = dict.fromkeys(("torchmetrics", "ignite", "mweralign"), "--group test-all")
EXTRAS_OF_LIBRARIES = {"transformers": "trainer", "MeCab": "sacrebleu"}
INSTALLS_OF_LIBRARIES |= {library: f"'.[{extra}]'" for library, extra in EXTRAS_OF_LIBRARIES.items()}


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_rows_of_tables_stand_alone(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert not [line for line in lines if "| --- |" in line and not re.fullmatch(r"\s*(\| -+:? ?)+\|", line)]


@pytest.mark.parametrize(("name", "code", "output"), BLOCKS, ids=[f"{name}-{i}" for i, (name, *_) in enumerate(BLOCKS)])
def test_block(
    name: str,
    code: str,
    output: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for library, packages in INSTALLS_OF_LIBRARIES.items():
        if re.search(rf"(from (bleu_metric\.compat\.)?|import |# ){library}\b", code):
            pytest.importorskip(library, reason=f"pip install {packages}")
    monkeypatch.chdir(tmp_path)
    if "load_dataset" in code:  # instead of the Hub, it reads folders of the same names
        shutil.copytree(ROOT / "tests/project/hub", tmp_path, dirs_exist_ok=True)
    if "transformers" in code:  # it leaves threads behind
        printed = subprocess.check_output([sys.executable, "-c", code], env=ENVIRONMENT, text=True)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(code, f"<{name}>", "exec"), {"__name__": "__main__"})
        printed = capsys.readouterr().out
    assert printed == (output or "")


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if "<!-- end -->" in path.read_text()], ids=_name)
def test_tables_are_those_of_the_package(path: Path) -> None:
    """If not, run scripts/maintenance/fill_outputs.py with the path."""
    sys.path.insert(0, str(ROOT / "docs"))
    from tables import with_tables

    text = path.read_text()
    assert text == with_tables(text)


SHELL = re.compile(r"```sh\n((?:bleu-metric|printf) .*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
COMMANDS = {_name(path): found for path in DOCUMENTS if (found := SHELL.findall(path.read_text()))}
FILES = {"hyp.txt": "the cat sat on the mat\n", "ref.txt": "the cat sat on a mat\n"}  # what a reader has


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str, tmp_path: Path) -> None:
    """The commands of a document run in order in one folder."""
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    for command, output in COMMANDS[name]:
        whole = command.replace("bleu-metric ", f"{sys.executable} -m bleu_metric ")
        ran = subprocess.run(
            ["bash", "-c", whole], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        if output:
            assert ran.stdout == output


def _first_column(text: str, heading: str) -> list[str]:
    table = text.split(heading, 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)


def test_card_names_every_option() -> None:
    card = (ROOT / "metric_card.md").read_text()
    others = re.findall(r"`(\w+)`", card.split(" more [options]")[1].split("\n\n")[0])
    assert {*_first_column(card, "| option | default |"), *others} == {*OPTIONS, *EXTRAS}
