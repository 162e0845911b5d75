"""Look up names that a compat module does not define, such as sacrebleu's ``CHRF``, in the original library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

_CHANGED = ("METRICS",)  # the library's names whose value the compat module changes
_MUCH_IN_USE = (
    *("CHRF", "TER", "METRICS", "corpus_chrf", "corpus_ter", "sentence_chrf", "sentence_ter", "DATASETS"),
    *("get_reference_files", "get_source_file", "BleuScorer", "ngrams", "word_tokenize"),
)
_PACKAGES = {"ignite": "pytorch-ignite"}  # import name -> pip name, if they differ


class _Submodule(ModuleType):
    """A submodule of a compat module. BLEU's names are the compat module's. All other names are the library's."""

    def __init__(self, name: str, ours: ModuleType, theirs: str) -> None:
        super().__init__(name, f"The names of {theirs}. BLEU's names come from `{ours.__name__}`.")
        self._ours = ours
        self._theirs = theirs

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return self._public_names()
        if name in (*self._ours.__all__, *_CHANGED):
            return getattr(self._ours, name)
        return _find(name, self.__name__, [self._theirs])

    def _public_names(self) -> list[str]:
        """Return the names for ``import *``: the compat module's, and the library's if the library is installed."""
        try:
            theirs = import_module(self._theirs)
        except Exception:  # noqa: BLE001 - as in `_find`
            return [*self._ours.__all__]
        names = getattr(theirs, "__all__", [name for name in vars(theirs) if not name.startswith("_")])
        return [*dict.fromkeys([*self._ours.__all__, *names])]


def pass_on(module: str, library: str, *submodules: str, first: str = "") -> Callable[[str], Any]:
    """Build the ``__getattr__`` of a compat module. It looks up names in the library that the module does not define.

    Args:
        module: the compat module's name.
        library: the library's name. It is imported when one of its names is accessed.
        submodules: the library's submodules that contain BLEU. A parent precedes its children. The compat module gets
            submodules of the same names, so that ``from bleu_metric.compat.nltk.translate.bleu_score import …`` works.
        first: the submodule that is searched before the library itself.

    Returns:
        A function that looks up a name. It raises ``AttributeError`` if the library does not have the name or cannot be
        imported. If it cannot be imported, frequently used names raise ``ImportError`` instead: Python shows the text
        of an ``ImportError`` in ``from … import``, but not the text of an ``AttributeError``.
    """
    for path in submodules:
        full_name = f"{module}.{path}"
        submodule = _Submodule(full_name, sys.modules[module], f"{library}.{path}")
        sys.modules[full_name] = submodule
        parent, _, name = full_name.rpartition(".")
        setattr(sys.modules[parent], name, submodule)
    homes = [f"{library}.{path}".rstrip(".") for path in dict.fromkeys((first, "", *submodules))]
    return partial(_find, module=module, homes=homes)


def _find(name: str, module: str, homes: Sequence[str]) -> Any:
    """Return the library's object `name`. The modules in `homes` are searched in their order."""
    library = homes[0].partition(".")[0]
    missing = AttributeError(f"module {module!r} has no attribute {name!r}, nor has {library}")
    if name.startswith("__") and name != "__version__":
        raise missing
    try:
        import_module(library)
    except Exception as error:  # with a current torch, importing torchtext raises many types of errors
        error_type = ImportError if name in _MUCH_IN_USE else AttributeError
        raise error_type(
            f"{module} has only BLEU; {name!r} is looked up in {library}, which cannot be imported ({error}): "
            f"pip install {_PACKAGES.get(library, library)}"
        ) from error
    for home in homes:
        with suppress(ImportError, AttributeError):
            return getattr(import_module(home), name)
    raise missing
