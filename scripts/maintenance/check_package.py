"""Check that a built package has exactly the intended files.

    python scripts/maintenance/check_package.py dist

The folder is the output of ``python -m build``: a source distribution, and wheels with or without the compiled kernel.
The script prints a line for each file that is missing, unexpected or different from the source tree. If it prints
any, it exits with status 1.
"""

from __future__ import annotations

import argparse
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from email.parser import Parser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "bleu_metric"
FOLDERS = (".ci", ".github", "bleu_metric", "docs", "scripts", "tests")
TOP = (
    ".pre-commit-config.yaml",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "RELEASING.md",
    "SECURITY.md",
    "metric_card.md",
)
BUILD_FILES = ("MANIFEST.in", "biome.json", "build_backend.py", "pyproject.toml", "setup.py")
KERNEL = "_bleu_metric_kernel."
KERNEL_SOURCE = f"{NAME}/_kernel.c"
CACHES = ("__pycache__", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache")


def version() -> str:
    lines = (ROOT / NAME / "_config.py").read_text().splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("VERSION = "))


PURE_WHEEL = f"{NAME}-{version()}-py3-none-any.whl"


def source_files(folders: Iterable[str]) -> dict[str, bytes]:
    """Return the content of each file in these folders of the source tree, by its path in the source tree."""
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    paths = [path for path in paths if not set(CACHES) & set(path.parts)]
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}


def differences(what: str, found: dict[str, bytes], expected: dict[str, bytes]) -> Iterator[str]:
    for name in sorted({*found, *expected}):
        if name not in found:
            yield f"{what} lacks {name}"
        elif name not in expected:
            yield f"{what} holds {name}, which does not belong there"
        elif found[name] != expected[name]:
            yield f"{name} in {what} differs from the source tree"


def check_wheel(path: Path) -> Iterator[str]:
    with zipfile.ZipFile(path) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    about = f"{NAME}-{version()}.dist-info/"
    metadata = {name.removeprefix(about): found.pop(name) for name in list(found) if name.startswith(about)}
    is_pure = path.name == PURE_WHEEL
    kernels = [name for name in found if name.startswith(KERNEL)]
    if len(kernels) != (0 if is_pure else 1):
        yield f"{path.name} holds {len(kernels)} compiled kernels"
    for name in kernels:
        del found[name]
    expected = source_files([NAME])
    del expected[KERNEL_SOURCE]
    yield from differences("the wheel", found, expected)
    wanted = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}
    yield from differences("the wheel's metadata", dict.fromkeys(metadata, b""), dict.fromkeys(wanted, b""))
    yield from check_metadata({name: metadata.get(name, b"").decode() for name in wanted}, is_pure)


def check_metadata(metadata: dict[str, str], is_pure: bool) -> Iterator[str]:
    if metadata["licenses/LICENSE"] != (ROOT / "LICENSE").read_text():
        yield "the wheel's licence differs from the source tree's"
    if metadata["entry_points.txt"] != "[console_scripts]\nbleu-metric = bleu_metric.__main__:main\n":
        yield f"the wheel's entry points are {metadata['entry_points.txt']!r}"
    if ("Tag: py3-none-any" in metadata["WHEEL"]) != is_pure:
        yield "the tag of a wheel must be py3-none-any if the wheel has no kernel, and another tag if it has one"
    fields = Parser().parsestr(metadata["METADATA"])
    expected = {
        "Name": NAME,
        "Version": version(),
        "License-Expression": "Apache-2.0",
        "License-File": "LICENSE",
        "Requires-Python": ">=3.11",
        "Description-Content-Type": "text/markdown",
    }
    for field, value in expected.items():
        if fields[field] != value:
            yield f"the metadata's {field} is {fields[field]!r}, not {value!r}"
    if fields.get_payload() != (ROOT / "README.md").read_text():
        yield "the metadata's description is not README.md"
    needed = {line.split(">")[0] for line in fields.get_all("Requires-Dist", []) if "extra ==" not in line}
    if needed != {"click", "datasets", "evaluate", "jinja2", "numpy", "pyarrow"}:
        yield f"the package requires other packages than intended: {', '.join(sorted(needed))}"


def check_source(path: Path) -> Iterator[str]:
    top = f"{NAME}-{version()}/"
    with tarfile.open(path) as archive:
        members = {member.name.removeprefix(top): archive.extractfile(member) for member in archive if member.isfile()}
        found = {name: file.read() for name, file in members.items() if file is not None}
    made = [name for name in found if name in ("PKG-INFO", "setup.cfg") or name.startswith(f"{NAME}.egg-info/")]
    for name in made:  # setuptools always adds these files
        del found[name]
    expected = source_files(FOLDERS) | {name: (ROOT / name).read_bytes() for name in (*TOP, *BUILD_FILES)}
    yield from differences("the source distribution", found, expected)


def main(folder: Path) -> int:
    source = f"{NAME}-{version()}.tar.gz"
    present = {path.name for path in folder.glob("*")}
    wheels = sorted(name for name in present if name.startswith(f"{NAME}-{version()}-") and name.endswith(".whl"))
    faults = [f"{folder} holds {', '.join(sorted(present)) or 'nothing'}, not {source} and wheels of that version"]
    if wheels and present == {source, *wheels}:
        faults = [*check_source(folder / source)]
        for wheel in wheels:
            faults += check_wheel(folder / wheel)
    print("\n".join(faults) or f"{', '.join([*wheels, source])}: complete, without other files")
    return bool(faults)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder with the wheels and the source distribution")
    sys.exit(main(parser.parse_args().folder))
