"""The page for users of other libraries: each block prints the same with the library's own import."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "coming_from.md").read_text()
BLOCK = re.compile(r"```diff\n-([^\n]*)\n\+([^\n]*)\n```\n\n```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
BLOCKS = {re.split(r"[ .]", match[1])[1]: match.groups() for match in BLOCK.finditer(PAGE)}
_NOT_RUN = {"bleu", "="}  # a file that people copy, and evaluate's metrics, which are downloaded
# torchtext is imported beside a torch newer than its native library, which only `_extension` loads
BEFORE = {"torchtext": "import sys, types; sys.modules['torchtext._extension'] = types.ModuleType('_extension')\n"}


def test_every_library_has_a_block() -> None:
    assert len(BLOCKS) == PAGE.count("```diff") == PAGE.count("```python") == 9


@pytest.mark.parametrize("library", sorted(BLOCKS.keys() - _NOT_RUN))
def test_the_library_prints_the_same(library: str, tmp_path: Path) -> None:
    """`test_documents.py` runs the blocks as they stand."""
    before, after, code, output = BLOCKS[library]
    assert code.startswith(f"{after}\n")
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed: pip install '.[test-all]'")
    code = BEFORE.get(library, "") + code.replace(after, before, 1)
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, output), ran.stderr
