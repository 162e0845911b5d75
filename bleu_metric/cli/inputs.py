"""Read a command's files: systems, references, and columns such as groups.

Line n or row n of each file belongs to segment n.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from .._display import amount, printable
from .files import DASH, read_column, split_column


class InputFiles(NamedTuple):
    """The contents of the input files, as Arrow columns or lists of equal length."""

    systems: dict[str, Any]
    """A dict from the name of each system to its predictions."""
    references: Any
    """One or more references for each segment."""
    beside: Sequence[Any]
    """Further columns with one value per segment, such as its group. A file that was not given has None instead."""
    reference_files: int
    """The number of files of references."""
    note: str
    """A note with the number of segments and the names of the scored files."""

    @property
    def segments(self) -> int:
        """Return the number of segments."""
        return len(self.references)


def read_corpus(
    systems: Sequence[str], references: Sequence[str], beside: Sequence[str | None] = (), output: str | None = None
) -> InputFiles:
    """Read the predictions of one or more systems, one or more references, and further columns such as groups.

    Args:
        systems: one ``file``, ``file:column`` or ``name=file`` per system. `name` is the system's name.
        references: one ``file`` or ``file:column`` per reference.
        beside: further columns with one value per segment, such as its group or its source text. Each entry is a
            ``file``, a ``file:column``, or None.
        output: the file that the command will write, which must not replace an input.

    Returns:
        The contents of the files. A system without a given name is named after the part of its path that differs from
        the paths of the other systems.

    Raises:
        click.UsageError: a file or the name of a system is given twice, or `output` would replace an input file.
        OSError: a file does not exist or cannot be read.
        ValueError: the content of a file cannot be used, or files differ in length; the error names file and line.
    """
    given_names, system_paths = zip(*map(_split_name, systems), strict=True)
    others = [*references, *filter(None, beside)]
    # One of several systems may also be a reference
    groups = [system_paths, others] if len(systems) > 1 else [[*system_paths, *others]]
    for group in groups:
        refuse_repeated(group)
    names = _names_of_systems(given_names, system_paths)
    paths = [*system_paths, *others]
    if output:
        _refuse_overwriting(output, paths)

    columns = {path: read_column(path) for path in dict.fromkeys(paths)}  # each file once, e.g. standard input
    _check_lengths(columns)
    predictions = [columns[path] for path in system_paths]
    return InputFiles(
        systems=dict(zip(names, predictions, strict=True)),
        references=_join_references([columns[path] for path in references]),
        beside=[columns[path] if path else None for path in beside],
        reference_files=len(references),
        note=_scored_note(len(predictions[0]), references, systems),
    )


def listed(files: Iterable[str]) -> str:
    """Return the names of files as one line, with commas between them and control characters escaped."""
    return ", ".join(map(printable, files))


def _scored_note(segments: int, references: Sequence[str], systems: Sequence[str]) -> str:
    """Return a note with the number of segments and the names of the scored files.

    >>> _scored_note(9, ["a.txt", "b.txt"], ["hyp.txt"])
    '9 segments of hyp.txt against 2 files of references: a.txt, b.txt'
    """
    against = listed(references)
    if len(references) > 1:
        against = f"{len(references)} files of references: {against}"
    return f"{amount(segments, 'segment')} of {listed(systems)} against {against}"


def refuse_repeated(names: Iterable[str | None]) -> None:
    """Raise ``click.UsageError`` if two names mean the same file or the same column. Skip names that are None."""
    seen: dict[object, str] = {}
    for name in filter(None, names):
        path, column = split_column(name)
        key = _identity(path), column
        if key in seen:
            raise click.UsageError(f"the same input is given twice: {listed([seen[key], name])}")
        seen[key] = name


def _refuse_overwriting(output: str, inputs: Sequence[str]) -> None:
    """Raise ``click.UsageError`` if `output` is standard output, an input file, or a link to an input file."""
    if output == DASH:
        raise click.UsageError("the output must be a file, e.g. report.html, not standard output (-)")
    for name in inputs:
        path, _ = split_column(name)
        if _identity(path) == _identity(output):
            shown = f"{printable(output)} would replace the input file {printable(path)}"
            raise click.UsageError(f"{shown}; write to another file")


def _identity(path: str) -> object:
    """Return a key that is equal for all paths to the same file. If the file does not exist, return the path."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return path
    return status.st_dev, status.st_ino


def _check_lengths(columns: Mapping[str, Any]) -> None:
    """Raise ``ValueError`` if a file has more or fewer segments than the first file."""
    first, *others = columns
    for other in others:
        if len(columns[other]) != len(columns[first]):
            raise ValueError(_unequal_message(first, other, columns))


def _unequal_message(first: str, other: str, columns: Mapping[str, Any]) -> str:
    """Return the error message for two files with different numbers of segments."""
    of_first, of_other = len(columns[first]), len(columns[other])
    longer = first if of_first > of_other else other
    last_text = str(columns[longer][-1])
    hint = ""
    if not last_text:
        hint = f"; line {max(of_first, of_other)} of {printable(longer)} is empty"
    return (
        f"{printable(first)} has {of_first} segments, but {printable(other)} has {of_other}{hint}: "
        "line n of each file must belong to segment n; if your output has other segments, align it with mweralign"
    )


def _join_references(columns: Sequence[Any]) -> Any:
    """Join columns of references into one column of tuples, one per segment. Return a single column unchanged."""
    if len(columns) == 1:
        return columns[0]
    # Columns of Parquet files are Arrow columns, not lists
    lists = [column if isinstance(column, list) else column.to_pylist() for column in columns]
    return list(zip(*lists, strict=True))


def _split_name(system: str) -> tuple[str | None, str]:
    """Split ``name=path`` into name and path. If `system` is only a path, which may contain "=", the name is None.

    >>> _split_name("A=out/a.txt"), _split_name("runs/lr=0.1/a.txt")
    (('A', 'out/a.txt'), (None, 'runs/lr=0.1/a.txt'))
    """
    name, _, path = system.partition("=")
    is_name = name and "/" not in name and "\\" not in name
    file, _ = split_column(system)
    if is_name and path and not Path(file).exists():
        return name, path
    return None, system


def _names_of_systems(given: Sequence[str | None], paths: Sequence[str]) -> list[str]:
    """Return the given name of each system or, if it is None, a name from `_system_names`.

    Raise ``click.UsageError`` if two names are equal.
    """
    defaults = _system_names(paths)
    names = [name or default for name, default in zip(given, defaults, strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two systems are called {printable(name)}; give each a name of its own: NAME=FILE")
    return names


def _system_names(paths: Sequence[str]) -> list[str]:
    """Return a name for each system: the part of its path that differs from the other paths.

    >>> _system_names(["out/wmt22.A.en", "out/wmt22.B-2.en"])
    ['A', 'B-2']
    >>> _system_names(["run.txt", "run.beam5.txt"]), _system_names(["d.parquet:hyp", "d.parquet:hyp2"])
    (['run', 'run.beam5'], ['hyp', 'hyp2'])
    """
    if len(paths) == 1:
        return [Path(paths[0]).name or paths[0]]
    # Split each path into parts: "a.txt" becomes ["a", ".", "txt"]
    names = [re.split(r"([/\\.:])", path) for path in paths]
    for end in (-1, 0):  # remove equal parts at the end, then at the start
        while all(len(parts) > 1 and parts[end] == names[0][end] for parts in names):
            for parts in names:
                parts.pop(end)
    return list(map("".join, names))
