"""Let a compat module replace its whole library: names and submodules outside BLEU come from the library itself.

For example, ``bleu_metric.compat.nltk.tokenize`` is ``nltk.tokenize``. ``bleu_metric.compat.nltk.translate`` has all
names of ``nltk.translate``, but the BLEU functions in it are those of `bleu_metric.compat.nltk`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
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

_PREFIX = "bleu_metric.compat."
_PACKAGES = {"ignite": "pytorch-ignite"}  # import name -> pip name, if they differ
_HOMES: dict[str, Sequence[str]] = {}  # library -> its modules with BLEU


@contextmanager
def needed(library: str, reason: str = "") -> Iterator[None]:
    """Wrap imports of a library. If they fail, raise an ``ImportError`` with the reason and the package to install."""
    try:
        yield
    except Exception as error:  # with a current torch, importing torchtext raises many types of errors
        reason = reason or f"{_PREFIX}{library} builds on {library}"
        package = _PACKAGES.get(library, library)
        raise ImportError(f"{reason}, which cannot be imported ({error}): pip install {package}") from error


def pass_on(library: str, *homes: str) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a compat module. It looks up in the library each name that the module lacks.

    Args:
        library: the library's import name. The library is imported when a name is looked up in it.
        homes: the library's modules that contain BLEU, in the order in which to search them: ``""`` is the library
            itself, and ``"metrics"`` is its submodule. The compat module gets submodules of the same names in which
            BLEU is replaced. All other submodules are the library's own.

    Returns:
        A function that looks up a name. It raises ``AttributeError`` if the library does not have the name, and
        ``ImportError`` if the library cannot be imported.
    """
    _HOMES[library] = [f"{library}.{home}".rstrip(".") for home in homes]
    return partial(_find, library=library, homes=_HOMES[library])


def _find(name: str, library: str, homes: Sequence[str]) -> Any:
    """Return the object called `name` from the first module in `homes` that has it."""
    missing = AttributeError(f"module '{_PREFIX}{library}' has no attribute {short_repr(name)}, nor has {library}")
    if name.startswith("__") and name != "__version__":
        raise missing
    try:
        with needed(library, f"{name!r} is looked up in {library}"):
            import_module(library)
    except ImportError as error:
        if name.startswith(("_", "pytest")):  # tools such as pytest probe for names that no library has
            raise missing from error
        raise
    for home in homes:
        with suppress(ImportError, AttributeError):
            return getattr(import_module(home), name)
    raise missing


def with_names(function: Function, module: str, **names: Any) -> Function:
    """Return a copy of a library's function that uses `names` instead of the library's global names.

    `module` is the module that the copy belongs to.
    """
    if not isinstance(function, FunctionType):  # a mock, because the documentation is built without the libraries
        return function
    known = {**function.__globals__, "__name__": module, **names}
    copied: Any = FunctionType(function.__code__, known, function.__name__, function.__defaults__)
    copied.__doc__, copied.__annotations__ = function.__doc__, function.__annotations__
    return copied  # type: ignore[no-any-return]


class _Mirror(ModuleType):
    """A replacement for a library's submodule: BLEU comes from the compat module, all other names from the library."""

    def __getattr__(self, name: str) -> Any:
        library, theirs = _split(self.__name__)
        ours = import_module(f"{_PREFIX}{library}")
        if name == "__all__":
            return [*dict.fromkeys([*ours.__all__, *_public_names(theirs)])]
        if name in ours.__all__:
            return getattr(ours, name)
        return _find(name, library, [theirs])


def _split(name: str) -> tuple[str, str]:
    """Return the library's name, and the full name of the library's module that a compat module replaces.

    >>> _split("bleu_metric.compat.nltk.translate.bleu_score")
    ('nltk', 'nltk.translate.bleu_score')
    """
    theirs = name.removeprefix(_PREFIX)
    return theirs.partition(".")[0], theirs


def _public_names(module: str) -> list[str]:
    """Return the names that ``import *`` takes from a library's module. If the module cannot be imported, return []."""
    try:
        theirs = import_module(module)
    except Exception:  # noqa: BLE001 - as in `needed`
        return []
    names = [name for name in vars(theirs) if not name.startswith("_")]
    return list(getattr(theirs, "__all__", names))


class _Finder(MetaPathFinder, Loader):
    """Import hook for submodules of compat modules: ``bleu_metric.compat.nltk.tokenize`` is ``nltk.tokenize``."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return an import specification, or ``None`` if `fullname` is not a submodule of a library in `_HOMES`."""
        if not fullname.startswith(_PREFIX):
            return None
        library, theirs = _split(fullname)
        if library not in _HOMES or library == theirs:
            return None
        if theirs in _HOMES[library] or _exists(library, theirs):
            return ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return a `_Mirror` if the module contains BLEU, else ``None``, which lets Python create the module."""
        library, theirs = _split(spec.name)
        return _Mirror(spec.name) if theirs in _HOMES[library] else None

    def exec_module(self, module: ModuleType) -> None:
        """Replace a module that is not a `_Mirror` with the library's own module."""
        if not isinstance(module, _Mirror):
            _, theirs = _split(module.__name__)
            sys.modules[module.__name__] = import_module(theirs)


def _exists(library: str, module: str) -> bool:
    """Return whether a library has a module. Raise ``ImportError`` if the library cannot be imported."""
    with needed(library, f"{module} is a module of {library}"):
        import_module(library)
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a package above the module is missing
        return False


def find_submodules() -> None:
    """Register the import hook with which Python finds the submodules of compat modules."""
    sys.meta_path.insert(0, _Finder())
