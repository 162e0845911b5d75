"""Run tests on a build of the compiled kernel that stops at the first invalid access or undefined operation.

    python scripts/maintenance/sanitize_kernel.py [TESTS AND OPTIONS OF PYTEST]

The script needs GCC with its sanitizers (libasan, libubsan). Without arguments, it runs `TESTS`: the tests of counting
and of hostile inputs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = [
    "tests/core/test_kernel.py",
    "tests/core/test_lists.py",
    "tests/core/test_counting.py",
    "tests/core/test_ngrams.py",
    "tests/robustness/test_hostile.py",
]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
FLAGS = ["-std=c11", "-O1", "-g", *WARNINGS, "-fPIC", "-shared", "-fno-sanitize-recover=all"]


def build(folder: Path) -> None:
    target = folder / "_bleu_metric_kernel.so"
    include = sysconfig.get_path("include")
    source = ROOT / "bleu_metric" / "_kernel.c"
    sanitizers = "-fsanitize=address,undefined"
    subprocess.run(["gcc", *FLAGS, sanitizers, f"-I{include}", str(source), "-o", str(target)], check=True)


def libraries() -> str:
    """Return the paths of the sanitizers' libraries, which must be loaded before Python starts."""
    names = ["libasan.so", "libubsan.so"]
    paths = [subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True).strip() for name in names]
    return " ".join(paths)


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        path = os.pathsep.join([folder, str(ROOT), os.environ.get("PYTHONPATH", "")])
        environment = {
            **os.environ,
            "LD_PRELOAD": libraries(),
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",  # Python itself leaks memory
            "PYTHONPATH": path,
            "BLEU_METRIC_ENGINE": "native",
        }
        # Leaves out the tests that limit the address space, because a sanitizer reserves terabytes of it
        command = [sys.executable, "-m", "pytest", "-q", "--heavy", "-k", "not no_memory", *(arguments or TESTS)]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
