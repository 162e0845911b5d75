"""Build the compiled kernel. The kernel is optional: if it cannot be compiled, plain Python counts.

All other settings of the build are in `pyproject.toml`. With BLEU_METRIC_PURE=1 in the environment, no kernel is built,
and the wheel fits every machine.
"""

import os
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError, CompileError

IS_PURE = os.environ.get("BLEU_METRIC_PURE") == "1"
# The limited API allows one wheel for Python 3.11 and all newer versions, except free-threaded Python, which has none.
IS_LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")
COMPILE_ARGS = [] if sys.platform == "win32" else ["-std=c11", "-O3"]


class BuildKernel(build_ext):
    """Build with this machine's C compiler. If it fails, use the one in the package ziglang: see build_backend.py."""

    def build_extension(self, ext):
        """Build the kernel. If this fails, raise an error; setuptools shows it as a warning for optional extensions."""
        try:
            super().build_extension(ext)
        except (BaseError, CCompilerError):
            if not find_spec("ziglang") or self.build_with_zig(ext):
                raise CompileError(
                    "no C compiler can compile the kernel, so bleu_metric counts in Python instead: the results are "
                    "the same, but it is slower. For the kernel, install a C compiler and Python's headers (Debian: "
                    "apt install gcc libc6-dev python3-dev), then install bleu_metric again"
                ) from None

    def build_with_zig(self, ext):
        """Compile with ziglang, whose caches are in a temporary folder. Return its exit status."""
        command = [sys.executable, "-m", "ziglang", "cc", "-shared", "-s"]
        command += ["-mcpu=baseline", *COMPILE_ARGS, *ext.sources]
        command += [f"-I{include}" for include in self.include_dirs]
        command += [f"-D{name}={value}" for name, value in ext.define_macros]
        command += ["-Wl,-undefined,dynamic_lookup"] if sys.platform == "darwin" else []
        target = Path(self.get_ext_fullpath(ext.name)).absolute()
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as folder:
            caches = {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
            return subprocess.run([*command, "-o", target], env=os.environ | caches, check=False).returncode


kernel = Extension(
    "_bleu_metric_kernel",
    ["bleu_metric/_kernel.c"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if IS_LIMITED else [],
    extra_compile_args=COMPILE_ARGS,
    py_limited_api=IS_LIMITED,
    optional=True,
)
setup(
    ext_modules=[] if IS_PURE else [kernel],
    cmdclass={"build_ext": BuildKernel},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if IS_LIMITED and not IS_PURE else {},
)
