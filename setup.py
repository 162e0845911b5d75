"""Build the compiled kernel, which is optional: without a C compiler the package counts with NumPy alone.

Everything else is in `pyproject.toml`. With BLEU_METRIC_PURE=1, no kernel is built: the wheel is for every machine.
"""

import os
import sys
import sysconfig

from setuptools import Extension, setup

IS_PURE = os.environ.get("BLEU_METRIC_PURE") == "1"
# One wheel for Python 3.11 and all newer ones. Python 3.10's limited API has no buffers, and a free-threaded Python has
# no limited API: they get wheels of their own.
IS_LIMITED = sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED")

kernel = Extension(
    "_bleu_metric_kernel",
    ["bleu_metric/_kernel.c"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if IS_LIMITED else [],
    extra_compile_args=[] if sys.platform == "win32" else ["-std=c11", "-O3"],
    py_limited_api=IS_LIMITED,
    optional=True,
)
setup(
    ext_modules=[] if IS_PURE else [kernel],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if IS_LIMITED and not IS_PURE else {},
)
