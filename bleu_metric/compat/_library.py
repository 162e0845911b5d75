"""Let a compat module replace its whole library: names and submodules outside BLEU come from the library itself.

For example, ``bleu_metric.compat.nltk.tokenize`` is ``nltk.tokenize``. ``bleu_metric.compat.nltk.translate`` has all
names of ``nltk.translate``, but the BLEU functions in it are those of `bleu_metric.compat.nltk`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
_PACKAGES = {"ignite": "pytorch-ignite"}  # import name -> name to install, if they differ
_HOMES: dict[str, Sequence[str]] = {}  # import name of a library -> its modules that contain BLEU


@contextmanager
def needed(library: str, reason: str = "") -> Iterator[None]:
    """Wrap imports of a library. If they fail, raise an ``ImportError`` that says what to install.

    `reason`: the beginning of the message. By default, it says that the compat module builds on the library.
    """
    try:
        yield
    except Exception as error:  # with a current torch, importing torchtext raises many types of errors
        need = reason or f"{_PREFIX}{library} builds on {library}"
        package = _PACKAGES.get(library, library)
        raise ImportError(f"{need}, which cannot be imported ({error}): pip install {package}") from error


def pass_on(module: str, library: str, *homes: str) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a compat module. It looks up in the library each name that the module lacks.

    The compat module also becomes a package, whose submodules `_Finder` finds.

    Args:
        module: the ``__name__`` of the compat module.
        library: the library's import name. The library is imported when a name is looked up in it.
        homes: the library's modules that contain BLEU, in the order in which to search them: ``""`` is the library
            itself, and ``"metrics"`` is its submodule. The compat module gets submodules of the same names in which
            BLEU is replaced. All other submodules are the library's own.

    Returns:
        A function that looks up a name. It raises ``AttributeError`` if the library does not have the name, or cannot
        be imported.
    """
    sys.modules[module].__path__ = []
    _HOMES[library] = [f"{library}.{home}".rstrip(".") for home in homes]
    return partial(_find, library=library, homes=_HOMES[library])


def _find(name: str, library: str, homes: Sequence[str]) -> Any:
    """Return the object called `name` from the first module in `homes` that has it.

    Raise ``AttributeError`` if no module has it. If a module cannot be imported, the error of the import is the cause.
    """
    missing = AttributeError(f"module '{_PREFIX}{library}' has no attribute {short_repr(name)}, nor is it in {library}")
    if name.startswith("__") and name != "__version__":  # Python's own names, such as __wrapped__
        raise missing
    for home in homes:
        try:
            return getattr(import_module(home), name)
        except Exception as error:  # noqa: BLE001 - as in `needed`
            missing.__cause__ = error
    raise missing


def with_names(function: Function, module: str, **names: Any) -> Function:
    """Return a copy of a library's function that uses `names` instead of the library's global names.

    For example, sacrebleu's `corpus_bleu` looks up the global name `BLEU`. A copy that is made with ``BLEU=OurBleu``
    uses `OurBleu`, and sacrebleu itself does not change. `module` is the module that the copy belongs to.
    """
    if not isinstance(function, FunctionType):  # it is a mock, because the documentation is built without the libraries
        return function
    global_names = {**function.__globals__, "__name__": module, **names}
    copied: Any = FunctionType(function.__code__, global_names, function.__name__, function.__defaults__)
    copied.__doc__ = function.__doc__
    copied.__annotations__ = function.__annotations__
    return copied  # type: ignore[no-any-return]


def _find_in_home(name: str, library: str, home: str) -> Any:
    """Return an attribute of the module that replaces `home`: BLEU from our module, other names from the library."""
    compat_module = import_module(f"{_PREFIX}{library}")
    replaced = compat_module.__all__
    if name == "__all__":
        names = [*replaced, *_public_names(home)]
        return list(dict.fromkeys(names))  # without duplicates
    if name in replaced:
        return getattr(compat_module, name)
    return _find(name, library, [home])


def _split(name: str) -> tuple[str, str]:
    """Return the library's name, and the full name of the library's module that a compat module replaces.

    >>> _split("bleu_metric.compat.nltk.translate.bleu_score")
    ('nltk', 'nltk.translate.bleu_score')
    """
    original = name.removeprefix(_PREFIX)
    library, *_ = original.split(".")
    return library, original


def _public_names(module: str) -> list[str]:
    """Return the names that ``import *`` takes from a library's module. If the module cannot be imported, return []."""
    try:
        original = import_module(module)
    except Exception:  # noqa: BLE001 - as in `needed`
        return []
    names = [name for name in vars(original) if not name.startswith("_")]
    return list(getattr(original, "__all__", names))


class _Finder(MetaPathFinder, Loader):
    """Import hook for submodules of compat modules: ``bleu_metric.compat.nltk.tokenize`` is ``nltk.tokenize``."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return an import specification, or ``None`` if `fullname` is not a submodule of a library in `_HOMES`."""
        library, original = _split(fullname)
        is_ours = fullname.startswith(_PREFIX) and library in _HOMES
        if not is_ours or original == library:  # the compat module itself is a file, which Python finds
            return None
        if original in _HOMES[library] or _exists(library, original):
            return ModuleSpec(fullname, self, is_package=True)
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Let the new module look up names if it replaces a module with BLEU. Otherwise, use the library's own module.

        After this call, Python takes the module from ``sys.modules``, so another module can be put there.
        """
        library, original = _split(module.__name__)
        if original in _HOMES[library]:
            vars(module)["__getattr__"] = partial(_find_in_home, library=library, home=original)
        else:
            sys.modules[module.__name__] = import_module(original)


def _exists(library: str, module: str) -> bool:
    """Return whether a library has a module. Raise ``ImportError`` if the library cannot be imported."""
    with needed(library, f"{module!r} needs {library}"):
        import_module(library)
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a package above the module is missing
        return False


sys.meta_path.insert(0, _Finder())
