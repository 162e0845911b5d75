"""Build the compiled kernel, which is optional: where nothing can compile it, the package counts with NumPy alone.

Everything else is in `pyproject.toml`. With BLEU_METRIC_PURE=1, no kernel is built: the wheel is for every machine.
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
# One wheel for Python 3.11 and all newer ones. Python 3.10's limited API has no buffers, and a free-threaded Python has
# no limited API: they get wheels of their own.
IS_LIMITED = sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED")
COMPILE_ARGS = [] if sys.platform == "win32" else ["-std=c11", "-O3"]


class BuildKernel(build_ext):
    """Build with the C compiler of this machine or, on Linux and macOS, with the one in the package ziglang."""

    def build_extension(self, ext):
        """Build the kernel, or raise the error that setuptools prints as a warning, because the kernel is optional."""
        try:
            super().build_extension(ext)
        except (BaseError, CCompilerError):
            try:
                self.build_with_zig(ext)
            except OSError as reason:
                raise CompileError(
                    f"the C compiler is missing or fails, and {reason}. bleu_metric counts with NumPy instead: the "
                    "same results, slower. For the kernel, install a C compiler and Python's headers (Debian: "
                    "apt install gcc libc6-dev python3-dev), then install bleu_metric again"
                ) from None

    def build_with_zig(self, ext):
        """Compile in a temporary folder, which holds ziglang and its caches, 400 MB."""
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
                raise OSError("ziglang could not compile it")


def install_zig(folder):
    """Install ziglang from the registry that pip or uv is configured for; return the path of its compiler.

    It is no build requirement: pip would install nothing where the registry lacks it.
    """
    # A build is not told the options of pip and uv. Whoever names an index there, or none, wants no other one
    options = Path(f"/proc/{os.getppid()}/cmdline")
    if options.exists() and re.search(rb"\0(-i|--offline|--[a-z-]*index)", options.read_bytes()):
        raise OSError("ziglang was not asked for, because an option of pip or uv names the index")
    # Python -I leaves the isolated environment of the build, which has no pip
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
