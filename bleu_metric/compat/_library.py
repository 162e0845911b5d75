"""Let a compat module replace its whole library: names and submodules outside BLEU come from the library itself.

For example, ``bleu_metric.compat.nltk.tokenize`` is ``nltk.tokenize``. ``bleu_metric.compat.nltk.translate`` has all
names of ``nltk.translate``, but with the BLEU functions of `bleu_metric.compat.nltk`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from .._validation import short_repr

Function = TypeVar("Function", bound=Any)
Lookup = Callable[[str], Any]

_PREFIX = "bleu_metric.compat."
_PACKAGES = {"ignite": "pytorch-ignite"}  # import name -> name to install, if they differ
_BLEU_MODULES: dict[str, Sequence[str]] = {}  # import name of a library -> its modules that contain BLEU


@contextmanager
def needed(library: str, reason: str = "") -> Iterator[None]:
    """Wrap imports of a library. If an import fails, raise an ``ImportError`` that says what to install.

    `reason`: the beginning of the message, by default "bleu_metric.compat.nltk builds on nltk".
    """
    try:
        yield
    except Exception as error:  # with a current torch, importing torchtext raises many types of errors
        need = reason or f"{_PREFIX}{library} builds on {library}"
        package = _PACKAGES.get(library, library)
        raise ImportError(f"{need}, which cannot be imported ({error}): pip install {package}") from error


def pass_on(module: str, library: str, *submodules: str) -> Lookup:
    """Return a ``__getattr__`` for a compat module, which looks up missing names in the library.

    The compat module also becomes a package, whose submodules `_Finder` finds.

    Args:
        module: the ``__name__`` of the compat module.
        library: the library's import name. The first lookup of a name imports the library.
        submodules: the library's modules that contain BLEU, in the order of the search: ``""`` is the library itself,
            and ``"metrics"`` is the library's submodule. The compat module gets submodules of the same names, in which
            BLEU is replaced. All other submodules are the library's own.

    Returns:
        A function that looks up a name. The function raises ``AttributeError`` if the library lacks the name, or cannot
        be imported.
    """
    sys.modules[module].__path__ = []  # a module with a path is a package
    bleu_modules = [f"{library}.{submodule}".rstrip(".") for submodule in submodules]
    _BLEU_MODULES[library] = bleu_modules
    return partial(_find, library=library, modules=bleu_modules)


def _find(name: str, library: str, modules: Sequence[str]) -> Any:
    """Return the attribute `name`: ours for BLEU, otherwise that of the first of the library's modules that has it.

    Raise ``AttributeError`` if none has it.
    """
    ours = import_module(f"{_PREFIX}{library}")
    if name in ours.__all__:
        return getattr(ours, name)
    if name == "__all__":  # for ``import *`` from the replacement of the module
        with suppress(Exception):  # as in `needed`
            original = import_module(modules[0])
            return getattr(original, "__all__", [public for public in vars(original) if not public.startswith("_")])
        return ours.__all__
    missing = AttributeError(f"module '{_PREFIX}{library}' has no attribute {short_repr(name)}, nor is it in {library}")
    # Python asks for names such as __wrapped__, which concern only our module
    if name.startswith("__") and name not in ("__version__", "__description__"):
        raise missing

    replaced = _BLEU_MODULES[library]
    for module in modules:
        if f"{module}.{name}" in replaced:
            return import_module(f"{_PREFIX}{module}.{name}")
        try:
            found = getattr(import_module(module), name)
        except Exception as error:  # noqa: BLE001 - as in `needed`
            missing.__cause__ = error
            continue
        # A module can be an attribute of another package than its own: nltk.bleu_score is nltk.translate.bleu_score
        is_replaced = isinstance(found, ModuleType) and found.__name__ in replaced
        return import_module(f"{_PREFIX}{found.__name__}") if is_replaced else found
    raise missing


def with_names(function: Function, module: str, **names: Any) -> Function:
    """Return a copy of a library's function that uses `names` instead of the library's global names.

    For example, sacrebleu's `corpus_bleu` looks up the global name `BLEU`. A copy with ``BLEU=OurBleu`` uses `OurBleu`,
    and sacrebleu itself does not change. `module`: the module that the copy belongs to.
    """
    if not isinstance(function, FunctionType):  # a mock, because the documentation is built without the libraries
        return function
    global_names = {**function.__globals__, "__name__": module, **names}
    copied: Any = FunctionType(function.__code__, global_names, function.__name__, function.__defaults__)
    copied.__doc__ = function.__doc__
    copied.__annotations__ = function.__annotations__
    return copied


def overrides(instance: object, base: type, methods: Iterable[str]) -> bool:
    """Return whether an instance or its class overrides one of the `methods` of `base`."""
    for name in methods:
        is_set_on_instance = name in vars(instance)
        method_of_class = getattr(type(instance), name)
        if is_set_on_instance or method_of_class is not getattr(base, name):
            return True
    return False


def _original_of(name: str) -> tuple[str, str]:
    """Return the library and the library's module that a compat module replaces.

    >>> _original_of("bleu_metric.compat.nltk.translate.bleu_score")
    ('nltk', 'nltk.translate.bleu_score')
    """
    original = name.removeprefix(_PREFIX)
    library, *_ = original.split(".")
    return library, original


class _Finder(MetaPathFinder, Loader):
    """Import hook for submodules of compat modules: ``bleu_metric.compat.nltk.tokenize`` is ``nltk.tokenize``."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return an import specification, or ``None`` if `fullname` is not a submodule of a compat module."""
        library, original = _original_of(fullname)
        is_in_compat_module = fullname.startswith(_PREFIX) and library in _BLEU_MODULES
        # Python itself finds the compat module, such as ``bleu_metric.compat.nltk``
        if not is_in_compat_module or original == library:
            return None

        if original not in _BLEU_MODULES[library]:
            with needed(library, f"{original!r} needs {library}"):
                import_module(library)
            try:
                exists = find_spec(original) is not None
            except ModuleNotFoundError:  # a package above the module is missing
                exists = False
            if not exists:
                return None
        return ModuleSpec(fullname, self, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        """Set the ``__getattr__`` of a module with BLEU. Replace any other module with the library's own.

        After this call, Python takes the module from ``sys.modules``, so a replacement there takes effect.
        """
        library, original = _original_of(module.__name__)
        if original in _BLEU_MODULES[library]:
            vars(module)["__getattr__"] = partial(_find, library=library, modules=[original])
        else:
            sys.modules[module.__name__] = import_module(original)


sys.meta_path.insert(0, _Finder())
