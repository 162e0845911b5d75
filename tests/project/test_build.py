"""The build of the compiled kernel where the C compiler is missing or fails. No test here uses a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NO_KERNEL = "bleu_metric counts in Python instead"

pytest.importorskip("setuptools", "77")
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(sys.platform == "win32", reason="ziglang is not used on Windows"),
    pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="no source tree"),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Copy what a build reads."""
    folder = tmp_path / "source"
    names = "build_backend.py setup.py pyproject.toml README.md LICENSE bleu_metric/_config.py bleu_metric/_kernel.c"
    for name in names.split():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def run(source: Path, *arguments: str, **environment: str) -> str:
    """Run Python in the folder; the C compiler fails unless `environment` has another."""
    settings = {**os.environ, "CC": "false", **environment}
    command = [sys.executable, *arguments]
    result = subprocess.run(command, cwd=source, env=settings, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout + result.stderr


def build(source: Path, **environment: str) -> tuple[str, list[str]]:
    """Build the extension; return the output and the names of what was built."""
    output = run(source, "setup.py", "build_ext", "--build-lib", "built", **environment)
    return output, sorted(path.name for path in (source / "built").rglob("*") if path.is_file())


def put_zig(folder: Path, script: str) -> str:
    """Write a package that stands for ziglang; return the folder to import it from."""
    package = folder / "packages" / "ziglang"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(script)
    return str(package.parent)


@pytest.mark.parametrize(
    ("kind", "environment", "is_needed"),
    [
        ("wheel", {}, True),
        ("editable", {"CC": "no-such-compiler -pthread"}, True),
        ("wheel", {"CC": "true"}, False),
        ("wheel", {"BLEU_METRIC_PURE": "1"}, False),
    ],
)
def test_the_build_requires_ziglang_where_no_compiler_works(
    source: Path, kind: str, environment: dict[str, str], is_needed: bool
) -> None:
    code = f"import build_backend; print('required:', *build_backend.get_requires_for_build_{kind}())"
    output = run(source, "-c", code, **environment)
    (required,) = [line for line in output.splitlines() if line.startswith("required:")]
    assert (" ziglang==" in required) == is_needed
    assert ("BLEU_METRIC_PURE=1 builds without it" in output) == is_needed


def test_ziglang_compiles_where_the_compiler_fails(source: Path, tmp_path: Path) -> None:
    zig = put_zig(tmp_path, "import sys; open(sys.argv[-1], 'w').write(' '.join(sys.argv[1:]))")
    output, built = build(source, PYTHONPATH=zig)
    assert NO_KERNEL not in output
    (kernel,) = built
    assert kernel.startswith("_bleu_metric_kernel.")
    arguments = (source / "built" / kernel).read_text().split()
    assert arguments[0] == "cc"
    assert {"-O3", "-mcpu=baseline", "bleu_metric/_kernel.c"} <= set(arguments)
    assert ("-DPy_LIMITED_API=0x030B0000" in arguments) == ("abi3" in kernel)


@pytest.mark.parametrize("script", ["raise SystemExit(1)", None])
def test_without_any_compiler_one_line_says_what_to_do(source: Path, tmp_path: Path, script: str | None) -> None:
    output, built = build(source, **({"PYTHONPATH": put_zig(tmp_path, script)} if script else {}))
    assert built == []
    (line,) = [line for line in output.splitlines() if NO_KERNEL in line]
    assert "install a C compiler" in line
    output, built = build(source, BLEU_METRIC_PURE="1")  # whoever declines the kernel reads nothing of it
    assert built == []
    assert NO_KERNEL not in output
