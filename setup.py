"""Build the compiled kernel. The kernel is optional: if it cannot be compiled, the package counts with NumPy alone.

All other settings of the build are in `pyproject.toml`. With BLEU_METRIC_PURE=1 in the environment, no kernel is built,
and the wheel fits every machine.
"""

import os
import re
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
    """Build with this machine's C compiler. If it fails on Linux or macOS, use the compiler in the package ziglang."""

    def build_extension(self, ext):
        """Build the kernel. If this fails, raise an error; setuptools shows it as a warning for optional extensions."""
        try:
            super().build_extension(ext)
        except (BaseError, CCompilerError):
            try:
                self.build_with_zig(ext)
            except OSError as reason:
                raise CompileError(
                    f"the C compiler is missing or fails, and {reason}. bleu_metric counts with NumPy instead: the "
                    "results are the same, but it is slower. For the kernel, install a C compiler and Python's "
                    "headers (Debian: apt install gcc libc6-dev python3-dev), then install bleu_metric again"
                ) from None

    def build_with_zig(self, ext):
        """Compile with ziglang. A temporary folder holds its caches and, if it is not installed, ziglang: 400 MB."""
        if sys.platform == "win32":
            raise OSError("ziglang is not used on Windows")
        if not any(Path(include, "Python.h").exists() for include in self.include_dirs):
            raise OSError("Python.h is missing")
        command = ["cc", "-shared", "-s", "-mcpu=baseline", *COMPILE_ARGS, *ext.sources]
        command += [f"-I{include}" for include in self.include_dirs]
        command += [f"-D{name}={value}" for name, value in ext.define_macros]
        command += ["-Wl,-undefined,dynamic_lookup"] if sys.platform == "darwin" else []
        target = Path(self.get_ext_fullpath(ext.name)).absolute()
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as folder:
            found = find_spec("ziglang")
            zig = Path(found.origin).with_name("zig") if found and found.origin else install_zig(folder)
            environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
            if subprocess.run([zig, *command, "-o", target], env=environment, check=False).returncode:
                raise OSError("ziglang could not compile the kernel")


def install_zig(folder):
    """Install ziglang from the registry that pip or uv is configured for; return the path of its compiler.

    ziglang is not a build requirement, because pip would then fail if the registry does not have ziglang.
    """
    # pip and uv do not pass their options to a build. A user who names an index in the options, or forbids all indexes,
    # does not want ziglang from another index.
    options = Path(f"/proc/{os.getppid()}/cmdline")
    if options.exists() and re.search(rb"\0(-i|--offline|--[a-z-]*index)", options.read_bytes()):
        raise OSError("ziglang was not installed, because an option of pip or uv names the index")
    # The build's isolated environment has no pip. Python -I ignores this environment.
    command = [os.environ["UV"]] if "UV" in os.environ else [sys.executable, "-I", "-m"]
    command += ["pip", "install", "-q", "--no-deps", "--no-cache-dir", "--only-binary=:all:", f"--target={folder}"]
    no_waits = {"PIP_RETRIES": "0", "PIP_TIMEOUT": "5", "UV_HTTP_RETRIES": "0", "UV_HTTP_TIMEOUT": "5"}
    environment = {**os.environ, **no_waits, "PIP_USER": "0", "UV_PYTHON": sys.executable}
    if subprocess.run([*command, "ziglang>=0.13,<0.18"], env=environment, check=False).returncode:
        raise OSError("ziglang could not be installed")
    return Path(folder, "ziglang", "zig")


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
