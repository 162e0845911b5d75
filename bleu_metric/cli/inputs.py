"""Read the files of a command together: systems, references, and columns beside them. All have the same segments."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .._display import printable
from .files import STDIN, naming_file, read_column, split_column

if TYPE_CHECKING:
    import pyarrow as pa


class InputFiles(NamedTuple):
    """The contents of the input files, as Arrow columns or lists of equal length."""

    systems: dict[str, Any]
    """A dict from the name of each system to its predictions."""
    references: Any
    """One or more references for each segment."""
    beside: Sequence[Any] = ()
    """Further columns with a value for each segment, such as its group; None for a file that was not given."""

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(self.references)


def read_corpus(
    systems: Sequence[str],
    references: Sequence[str],
    beside: Sequence[str | list[str] | None] = (),
    output: str | None = None,
    model: str | None = None,
) -> InputFiles:
    """Read the predictions of one or more systems, one or more references, and columns beside them.

    Args:
        systems: one ``file``, ``file:column`` or ``name=file`` per system. `name` names the system.
        references: one ``file`` or ``file:column`` per reference.
        beside: a ``file`` or ``file:column`` each, with the group or the source text of each segment. It may also be a
            list of the groups, or None.
        output: the file that will be written. It must not be one of the files that are read. - is standard output.
        model: the file of the tokenizer's model.

    Returns:
        The contents of the files. A system that was given no name is named after the part of its path in which it
        differs from the other systems.

    Raises:
        click.UsageError: a file or the name of a system is given twice, or `output` would replace an input file.
        OSError: a file does not exist or cannot be read.
        ValueError: the content of a file cannot be used, or files differ in length; the error names file and line.
    """
    given_names, system_paths = zip(*map(_split_name, systems), strict=True)
    others = [*references, *(path for path in beside if isinstance(path, str))]
    _check_repetitions(system_paths, others)
    names = _names_of_systems(given_names, system_paths)
    paths = [*system_paths, *others]
    if output and output != STDIN:
        _refuse_overwriting(output, [*paths, *filter(None, [model])])
    of_systems = list(map(read_column, system_paths))
    of_references = list(map(read_column, references))
    of_others = [read_column(path) if isinstance(path, str) else path for path in beside]
    files_beside = [column for path, column in zip(beside, of_others, strict=True) if isinstance(path, str)]
    _check_lengths(paths, [*of_systems, *of_references, *files_beside])
    return InputFiles(
        systems=dict(zip(names, of_systems, strict=True)),
        references=_join_references(references, of_references),
        beside=of_others,
    )


def _check_repetitions(systems: Sequence[str], others: Sequence[str]) -> None:
    """Raise if a file is given twice, except if there are several systems: one may also be a reference."""
    names = [*systems, *others]
    if len(systems) == 1:
        refuse_repeated(names)
        return
    stdin = _identity(STDIN)
    refuse_repeated(systems)
    refuse_repeated(others)
    refuse_repeated([name for name in names if _identity(name) == stdin])


def refuse_repeated(names: Sequence[str | None]) -> None:
    """Raise if two of `names` are the same file or the same column of a file. An entry of None is ignored."""
    seen: dict[object, str] = {}
    for name in filter(None, names):
        path, column = split_column(name)
        key = _identity(path), column
        other = seen.get(key)
        seen[key] = name
        if other is None:
            continue
        if STDIN in (name, other):
            raise click.UsageError("standard input (-) can be read once; give the name of a file for the other input")
        alias = "" if name == other else f": it is the same as {printable(other)}"
        raise click.UsageError(f"{printable(name)} is given twice{alias}")


def _refuse_overwriting(output: str, inputs: Sequence[str]) -> None:
    """Raise if writing a file would replace an input file, even through a link."""
    for name in inputs:
        path, _ = split_column(name)
        if _identity(path) == _identity(output):
            shown = f"{printable(output)} would replace the input file {printable(path)}"
            raise click.UsageError(f"{shown}; write to another file")


def _identity(path: str) -> object:
    """Return a key that is equal for all paths of one file. If the file does not exist, return the path."""
    try:
        found = os.fstat(sys.stdin.fileno()) if path == STDIN else Path(path).stat()
    except (OSError, ValueError):
        return path
    return found.st_dev, found.st_ino


def _check_lengths(paths: Sequence[str], columns: Sequence[Any]) -> None:
    """Raise ``ValueError`` if a file has more or fewer segments than the first file."""
    sizes = list(map(len, columns))
    names = list(map(printable, paths))
    others = [index for index, size in enumerate(sizes) if size != sizes[0]]
    if not others:
        return
    other = others[0]
    longer = other if sizes[other] > sizes[0] else 0
    last = sizes[longer] - 1
    has_empty_end = str(columns[longer][last]) == ""
    hint = f"; line {sizes[longer]} of {names[longer]} is empty" if has_empty_end else ""
    raise ValueError(
        f"{names[0]} has {sizes[0]} segments, but {names[other]} has {sizes[other]}{hint}: "
        "line n of each file must belong to segment n; to align output with other segments, try mweralign"
    )


def _join_references(paths: Sequence[str], columns: Sequence[Any]) -> Any:
    """Return the references of all segments: the column of a single file unchanged, or a list of texts per segment."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, list) for column in columns) and {*map(type, chain(*columns))} == {str}:
        return list(zip(*columns, strict=True))
    from .._columns import zip_columns

    return zip_columns(paths, list(map(_plain_texts, paths, columns)))


def _plain_texts(path: str, column: Any) -> pa.Array:
    """Return a column as an Arrow array of the type large_string. Raise ``ValueError`` if its values are not texts."""
    import pyarrow as pa

    from .._arrow import one_array, without_encodings

    with naming_file(path):
        array = pa.array(column) if isinstance(column, list) else column
        texts = without_encodings(one_array(array) if isinstance(array, pa.ChunkedArray) else array)
        if texts.type not in (pa.string(), pa.large_string()):
            raise ValueError(f"each of several files of references must have one text per row, not {texts.type}")
    return texts.cast(pa.large_string())


def _split_name(system: str) -> tuple[str | None, str]:
    """Return the name and the path in ``name=path``. If the equals sign is part of the path, the name is None.

    >>> _split_name("A=out/a.txt"), _split_name("runs/lr=0.1/a.txt")
    (('A', 'out/a.txt'), (None, 'runs/lr=0.1/a.txt'))
    """
    name, _, path = system.partition("=")
    is_named = bool(name and path) and not {"/", "\\"} & set(name)
    whole_path, _ = split_column(system)
    if is_named and not Path(whole_path).exists():
        return name, path
    return None, system


def _names_of_systems(given: Sequence[str | None], paths: Sequence[str]) -> list[str]:
    """Return a name per system: the given one, or one built from its path. Raise if two systems share a name."""
    names = [name or made for name, made in zip(given, _system_names(paths), strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two systems are called {printable(name)}; give each a name of its own: NAME=FILE")
    return names


def _system_names(paths: Sequence[str]) -> list[str]:
    """Name each system after the part of its path that differs from the other paths.

    >>> _system_names(["out/wmt22.A.en", "out/wmt22.B-2.en"])
    ['A', 'B-2']
    >>> _system_names(["run.txt", "run.beam5.txt"]), _system_names(["d.parquet:hyp", "d.parquet:hyp2"])
    (['run', 'run.beam5'], ['hyp', 'hyp2'])
    """
    if len(paths) == 1:
        return [Path(paths[0]).name or paths[0]]
    common_end = _common_start([path[::-1] for path in paths])
    without_end = [path[: len(path) - common_end] for path in paths]
    common_start = _common_start(without_end)
    return [path[common_start:] for path in without_end]


def _common_start(texts: Sequence[str]) -> int:
    """Return the length of the common prefix up to its last separator. It is shorter than each of the texts."""
    shared = os.path.commonprefix([text[:-1] for text in texts])  # noqa: RUF071 (characters, not folders)
    return 1 + max(shared.rfind(separator) for separator in "/\\.:")
