"""Build the package with setuptools. On Linux and macOS without a working C compiler, the build requires ziglang."""

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - the functions of a build backend

ZIGLANG = "ziglang==0.15.2"  # has a C compiler: 90 MB to download, 400 MB on the disk until the build ends
PROGRAM = "#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n"


def get_requires_for_build_wheel(config_settings=None):
    """Return what pip installs into the build's own environment."""
    return build_meta.get_requires_for_build_wheel(config_settings) + _compiler()


def get_requires_for_build_editable(config_settings=None):
    """Return what pip installs into the build's own environment."""
    return build_meta.get_requires_for_build_editable(config_settings) + _compiler()


def _compiler():
    """Return the requirement of a C compiler, if the kernel is wanted and lacks nothing else."""
    has_headers = Path(sysconfig.get_path("include"), "Python.h").exists()
    if os.environ.get("BLEU_METRIC_PURE") == "1" or sys.platform == "win32" or not has_headers or _has_compiler():
        return []
    print(f"no C compiler works, so the build needs {ZIGLANG}; BLEU_METRIC_PURE=1 builds without it", file=sys.stderr)
    return [ZIGLANG]


def _has_compiler():
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    command = [*compiler, "-x", "c", "-fsyntax-only", "-"]
    try:
        return not subprocess.run(command, input=PROGRAM, text=True, capture_output=True, check=False).returncode
    except OSError:
        return False
