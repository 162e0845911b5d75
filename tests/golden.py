"""Golden files: what the package shows, recorded in files that a reviewer reads."""

from __future__ import annotations

import os
import re
from pathlib import Path


def check_golden(path: Path, shown: str) -> None:
    """Compare with a golden file; ``UPDATE_GOLDEN=1 pytest`` writes the file anew.

    Versions are replaced, and numbers with many digits are rounded: the last ones depend on the machine.
    """
    shown = re.sub(r"\bversion:[\w.+-]+", "version:…", shown)
    shown = re.sub(r"\d\.\d{9,}", lambda number: f"{float(number[0]):.8f}", shown)
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(shown, encoding="utf-8", newline="\n")
    assert shown == path.read_text(encoding="utf-8")
