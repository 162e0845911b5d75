"""Files for the commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import HYP, OTHER, REF


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with hyp.txt, ref.txt and ref2.txt."""
    monkeypatch.chdir(tmp_path)
    for name, lines in {"hyp": HYP, "ref": REF, "ref2": OTHER}.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path
