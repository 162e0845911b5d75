"""Read a command's files: systems, references, and columns such as groups.

Line n or row n of each file belongs to segment n.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from os.path import commonprefix
from pathlib import Path
from typing import Any, NamedTuple

import click

from .._corpus import StoredRows
from .._display import amount, printable
from .._validation import unknown_message, warn
from .files import DASH, content_suffix
from .kinds import check_kinds, join_by_ids
from .rows import TABLES, Column, read_columns, split_column

_MOST_LISTED = 3  # a note lists at most this many files


class InputFiles(NamedTuple):
    """The contents of the input files: `StoredRows` or lists, all of the same length."""

    systems: dict[str, Any]
    """A dict from the name of each system to its predictions."""
    references: Any
    """One or more references for each segment."""
    extra_columns: Sequence[Any]
    """Columns with one value per segment, such as its group; None for a file that was not given."""
    n_reference_files: int
    """The number of files of references."""
    note: str
    """A note with the number of segments and the names of the scored files."""

    def with_first(self, name: str) -> InputFiles:
        """Return the files with one system first, so that it is the baseline."""
        if name not in self.systems:
            raise click.UsageError(unknown_message("system for --baseline", name, self.systems))
        return self._replace(systems={name: self.systems[name], **self.systems})


def read_corpus(
    systems: Sequence[str],
    reference_files: Sequence[str],
    extra_files: Sequence[str | None] = (),
    output: str | None = None,
    num_refs: str | None = None,
    id_column: str | None = None,
) -> InputFiles:
    """Read the predictions of one or more systems, one or more references, and extra columns such as groups.

    Args:
        systems: one ``file``, ``file:column`` or ``name=file`` per system. `name` is the system's name.
        reference_files: one ``file`` or ``file:column`` per reference.
        extra_files: further columns with one value per segment, such as its group or its source text. Each entry is a
            ``file``, a ``file:column``, or None.
        output: the file that the command will write, which must not replace an input.
        num_refs: the number of references in each line, separated by tabs. "blocks" means one reference per line, and
            an empty line after each segment. None: each line is one reference.
        id_column: the name of the column whose values join the rows of all tables. None: row n is segment n.

    Returns:
        The contents of the files. Without given names, the systems out/A.txt and out/B.txt are called A and B.

    Raises:
        click.UsageError: a file or the name of a system is given twice, or `output` would replace an input file.
        OSError: a file does not exist or cannot be read.
        ValueError: the content of a file cannot be used, or files differ in length.
    """
    given_names, system_files = map(list, zip(*map(_split_name, systems), strict=True))
    other_files = [*reference_files, *filter(None, extra_files)]
    all_files = [*system_files, *other_files]

    if len(systems) == 1:
        refuse_repeated(all_files)
    else:
        # One of several systems may also be a reference, to show the maximum score. A single system may not
        refuse_repeated(system_files)
        refuse_repeated(other_files)
    names = [given or default for given, default in zip(given_names, _default_names(system_files), strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two systems are called {printable(name)}; give each a name of its own: NAME=FILE")
    if output:
        _refuse_overwriting(output, all_files)

    if id_column and num_refs:
        raise click.UsageError("--id joins the references of a segment, so it cannot be combined with --num-refs")
    read = read_columns(all_files, id_column)
    columns: dict[str, Any] = {file: column.values for file, column in read.items()}
    if id_column:
        columns |= _join_by_id(read, id_column, reference_files)
    else:
        scored = dict.fromkeys([*system_files, *reference_files])
        texts = {file: read[file].values for file in scored if read[file].is_text}
        check_kinds(texts)
        # With --num-refs, tabs separate references
        one_per_line = {file: lines for file, lines in texts.items() if not num_refs or file in system_files}
        columns |= join_by_ids(one_per_line, len(one_per_line) == len(scored), reference_files)
    predictions = [columns[file] for file in system_files]
    for file in reference_files:
        columns[file] = _split_references(columns[file], file, num_refs)
    _check_lengths(columns, extra_files)
    for file, texts_of_system in zip(system_files, predictions, strict=True):
        [first] = texts_of_system[:1]
        # A list of texts, not a text or a list of tokens
        if isinstance(first, list) and any(isinstance(text, str) and " " in text for text in first):
            name = printable(file)
            is_column = split_column(file)[1]
            advice = f"for the first text of each row, type {name}.0" if is_column else "write one text per row"
            raise ValueError(f"row 1 of {name} is a list of texts, but a system has one text per row; {advice}")

    references = _join_references([columns[file] for file in reference_files])
    return InputFiles(
        systems=dict(zip(names, predictions, strict=True)),
        references=references,
        extra_columns=[columns[file][:] if file else None for file in extra_files],
        n_reference_files=len(reference_files),
        note=_scored_note(len(references), reference_files, systems),
    )


def listed(files: Iterable[str]) -> str:
    """Return the names of files with commas between them, and with control characters escaped."""
    return ", ".join(map(printable, files))


def _scored_note(n_segments: int, reference_files: Sequence[str], systems: Sequence[str]) -> str:
    """Return a note with the number of segments and the scored files.

    >>> _scored_note(9, ["a.txt", "b.txt"], ["hyp.txt"])
    '9 segments of hyp.txt against 2 files of references: a.txt, b.txt'
    """
    references = _listed_or_counted(reference_files)
    if len(reference_files) > 1:
        references = f"{len(reference_files)} files of references: {references}"
    return f"{amount(n_segments, 'segment')} of {_listed_or_counted(systems)} against {references}"


def _listed_or_counted(files: Sequence[str]) -> str:
    """Return "a.txt, b.txt" or, for more than `_MOST_LISTED` files, "a.txt and 5 more"."""
    if len(files) <= _MOST_LISTED:
        return listed(files)
    return f"{printable(files[0])} and {len(files) - 1} more"


def refuse_repeated(names: Iterable[str | None]) -> None:
    """Raise ``click.UsageError`` if two names mean the same file or the same column. Skip names that are None."""
    name_of_input: dict[object, str] = {}
    for name in filter(None, names):
        path, column = split_column(name)
        key = _identity(path), column
        if key in name_of_input:
            is_whole_table = column is None and content_suffix(path) in TABLES
            advice = f"to read a column, type {printable(name)}:COLUMN" if is_whole_table else "type each file once"
            raise click.UsageError(f"the same input is given twice: {listed([name_of_input[key], name])}; {advice}")
        name_of_input[key] = name


def _refuse_overwriting(output: str, inputs: Sequence[str]) -> None:
    """Raise ``click.UsageError`` if `output` is standard output or an input file."""
    if output == DASH:
        raise click.UsageError("the output must be a file, e.g. report.html, not standard output (-)")
    for name in inputs:
        path, _ = split_column(name)
        if _identity(path) == _identity(output):
            raise click.UsageError(
                f"{printable(output)} would replace the input file {printable(path)}; write to another file"
            )


def _identity(path: str) -> object:
    """Return an equal key for all paths to the same file. If there is no such file, return `path`."""
    try:
        status = os.fstat(0) if path == DASH else Path(path).stat()
    except (OSError, ValueError):
        return path
    return status.st_dev, status.st_ino


def _split_references(column: Any, file: str, num_refs: str | None) -> Any:
    """Split each line into a list of references, one list per segment. `num_refs`: as for `read_corpus`.

    Return the column unchanged if `num_refs` is None. Raise ``ValueError`` if a line has another number of references.
    """
    if num_refs is None:
        return column
    if not all(isinstance(line, str) for line in column):
        raise ValueError(f"{printable(file)}: --num-refs splits texts, but the column has other values")
    if num_refs == "blocks":
        return _blocks(column[:], file)

    def split(first: int, last: int) -> list[list[str]]:
        lists = [line.split("\t") for line in column[first:last]]
        for line, texts in enumerate(lists, first + 1):
            if len(texts) != int(num_refs):
                found = amount(len(texts), "reference")
                raise ValueError(f"{printable(file)}: line {line} has {found}, but --num-refs is {num_refs}")
        return lists

    return StoredRows(len(column), split)


def _blocks(lines: Sequence[str], file: str) -> list[list[str]]:
    """Return one list of lines per segment. An empty line ends a segment.

    >>> _blocks(["a", "b", "", "c", ""], "ref.txt")
    [['a', 'b'], ['c']]
    """
    segments: list[list[str]] = [[]]
    for number, line in enumerate(lines, 1):
        if line:
            segments[-1].append(line)
        elif segments[-1]:
            segments.append([])
        else:
            raise ValueError(f"{printable(file)}: line {number} is empty, but there is no reference before it")
    return segments if segments[-1] else segments[:-1]


def _join_by_id(columns: Mapping[str, Column], id_column: str, reference_files: Sequence[str]) -> dict[str, list[Any]]:
    """Return file -> texts, in the order of the first file's ids. For references, each id has a list of texts.

    Raises:
        ValueError: a file is not a table; an id occurs twice outside of references; or a file lacks an id.
    """
    first_file, *_ = columns
    wanted = columns[first_file].ids or []
    is_tokenized = isinstance(columns[first_file].values[0], list)
    joined: dict[str, list[Any]] = {}
    for file, column in columns.items():
        if column.ids is None:
            raise click.UsageError(f"--id {id_column} joins tables, but {printable(file)} is not FILE:COLUMN")
        texts_of_id: dict[str, list[Any]] = {}
        for key, value in zip(column.ids, column.values, strict=True):
            texts = _texts_in(value, is_tokenized) if file in reference_files else [value]
            texts_of_id.setdefault(key, []).extend(texts)
        for key in wanted:
            if key not in texts_of_id:
                raise ValueError(
                    f"{printable(file)} has no row with the {id_column} {key!r} of {printable(first_file)}"
                )
        n_unused = len(texts_of_id) - len(set(wanted))
        if n_unused:
            unused = amount(n_unused, "value")
            warn(f"{printable(file)}: {unused} of {id_column} that {printable(first_file)} lacks are left out")
        if file in reference_files:
            joined[file] = [texts_of_id[key] for key in wanted]
            continue
        for key, texts in texts_of_id.items():
            if len(texts) > 1:
                raise ValueError(f"{printable(file)}: the {id_column} {key!r} occurs {len(texts)} times")
        joined[file] = [texts_of_id[key][0] for key in wanted]
    return joined


def _texts_in(references: Any, is_tokenized: bool) -> list[Any]:
    """Return the references in one row, which may be one text or a list of texts. A tokenized text is a list itself.

    >>> _texts_in("a b", False), _texts_in(["a b", "c"], False), _texts_in(["a", "b"], True)
    (['a b'], ['a b', 'c'], [['a', 'b']])
    """
    if not isinstance(references, list):
        return [references]
    is_one_text = is_tokenized and not any(isinstance(item, list) for item in references)
    return [references] if is_one_text else references


def _check_lengths(columns: Mapping[str, Any], label_files: Sequence[str | None]) -> None:
    """Raise ``ValueError`` if a file has more or fewer segments than the first file."""
    first_file, *other_files = columns
    for file in other_files:
        n_first, n_other = len(columns[first_file]), len(columns[file])
        if n_first == n_other:
            continue

        longer_file = first_file if n_first > n_other else file
        hint = "line n of each file must belong to segment n"
        if file not in label_files:
            hint += "; if your output has other segments, the package mweralign can split it into these"
        if not str(columns[longer_file][-1]):
            hint = f"line {max(n_first, n_other)} of {printable(longer_file)} is empty; if it is no segment, delete it"
        raise ValueError(
            f"{printable(first_file)} has {amount(n_first, 'segment')}, but {printable(file)} has {n_other:,}: {hint}"
        )


def _join_references(columns: Sequence[Any]) -> Any:
    """Join columns of references: ["a", "b"] and ["c", "d"] -> [("a", "c"), ("b", "d")].

    Lists of references become one list: ["a"] and ["b", "c"] -> ["a", "b", "c"]. Return a single column unchanged.
    """
    if len(columns) == 1:
        return columns[0]

    def read(first: int, last: int) -> list[Any]:
        rows = zip(*[rows[first:last] for rows in columns], strict=True)
        return [list(chain(*row)) if all(isinstance(item, list) for item in row) else row for row in rows]

    return StoredRows(len(columns[0]), read)


def _split_name(system: str) -> tuple[str | None, str]:
    """Split ``name=file`` into name and file. If `system` is only a file, the name is None.

    >>> _split_name("A=out/a.txt"), _split_name("runs/lr=0.1/a.txt")
    (('A', 'out/a.txt'), (None, 'runs/lr=0.1/a.txt'))
    """
    name, _, file = system.partition("=")
    is_name = name and "/" not in name and "\\" not in name
    path, _ = split_column(system)
    if is_name and file and not Path(path).exists():
        return name, file
    return None, system


def _default_names(files: Sequence[str]) -> list[str]:
    """Return a name for each system: the part of its path that differs from the other paths.

    >>> _default_names(["out/wmt22.A.en", "out/wmt22.B-2.en"])
    ['A', 'B-2']
    >>> _default_names(["run.txt", "run.beam5.txt"]), _default_names(["d.parquet:hyp", "d.parquet:hyp2"])
    (['run', 'run.beam5'], ['hyp', 'hyp2'])
    """
    if len(files) == 1:
        [file] = files
        return [Path(file).name or file]  # the path "." has no name

    # Split each path into words and separators: "a.txt" becomes ["a", ".", "txt"]
    paths = [re.split(r"([/\\.:])", file) for file in files]
    # Reverse the words of each path, and remove what is equal at the start of all paths, but keep a word of each
    for _end in ("end", "start"):
        paths = [path[::-1] for path in paths]
        n_equal = min(len(commonprefix(paths)), min(map(len, paths)) - 1)  # noqa: RUF071 # of lists
        paths = [path[n_equal:] for path in paths]
    return ["".join(path) for path in paths]
