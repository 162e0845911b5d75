"""Read text files and tables into columns, and check the files that the user named."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .._display import printable
from .compression import COMPRESSED_SUFFIXES, decompress_file
from .read_tables import TABLES, UTF8_MARK, TableColumn, decode_utf8, lines_of, read_table

if TYPE_CHECKING:
    import pyarrow as pa

STDIN = "-"
_ADVICE = {  # advice -> suffixes of refused files: not plain text, or with markup, which would be scored as words
    "save the table as CSV": (".xlsx", ".xls", ".ods"),
    "extract the segments first, one per line": (".sgm", ".sgml", ".html", ".htm", ".xhtml", ".tmx", ".xlf", ".xliff"),
    "extract the segments first, one per line; for WMT's files, use wmt-unwrap from "
    "https://github.com/wmt-conference/wmt-format-tools": (".xml",),
    "save the document as plain text, one segment per line": (".docx", ".doc", ".odt", ".rtf", ".pdf"),
    f"unpack it first; {', '.join(COMPRESSED_SUFFIXES)} are read as they are": (".zip", ".tar", ".tgz", ".7z", ".rar"),
    "save as JSON Lines or Parquet, or one text per line": (".npy", ".npz", ".pkl", ".pickle", ".arrow", ".feather"),
}
_NOT_READ = {suffix: advice for advice, suffixes in _ADVICE.items() for suffix in suffixes}
_SIGNS = {  # how the content of a file begins that is no plain text -> the suffix of such files
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\xfd7zXZ\0": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"PAR1": ".parquet",
    b"PK\x03\x04": ".zip",
    b"%PDF-": ".pdf",
    b"\xd0\xcf\x11\xe0": ".doc",
    b"{\\rtf": ".rtf",
    b"<?xml": ".xml",
    b"<!doctype html": ".html",
}


@dataclass(frozen=True)
class InputFiles:
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
    beside: Sequence[str | None] = (),
    output: str | None = None,
    model: str | None = None,
) -> InputFiles:
    """Read the predictions of one or more systems, one or more references, and columns beside them.

    Args:
        systems: one ``file``, ``file:column`` or ``name=file`` per system. `name` names the system.
        references: one ``file`` or ``file:column`` per reference.
        beside: a ``file`` or ``file:column`` each, with the group or the source text of each segment; None for none.
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
    given_names, system_paths = zip(*[_split_name(system) for system in systems], strict=True)
    paths = [*system_paths, *references, *filter(None, beside)]
    _check_repetitions(system_paths, paths[len(systems) :])
    names = _names_of_systems(given_names, system_paths)
    if output and output != STDIN:
        _refuse_overwriting(output, [*paths, *([model] if model else [])])
    columns = list(map(read_column, paths))
    _check_lengths(paths, columns)
    reference_columns = columns[len(systems) : len(systems) + len(references)]
    others = iter(columns[len(systems) + len(references) :])
    return InputFiles(
        systems=dict(zip(names, columns[: len(systems)], strict=True)),
        references=_join_references(references, reference_columns),
        beside=[next(others) if path else None for path in beside],
    )


def _check_repetitions(systems: Sequence[str], others: Sequence[str]) -> None:
    """Raise if a file is given twice. Exception: if there are several systems, one may also be a reference."""
    stdin = _identity(STDIN)
    names = [*systems, *others]
    by_role = [systems, others, [name for name in names if _identity(name) == stdin]]
    for group in by_role if len(systems) > 1 else [names]:
        refuse_repeated(group)


def refuse_repeated(names: Sequence[str | None]) -> None:
    """Raise if two of `names` are the same file or the same column of a file. An entry of None is ignored."""
    seen: dict[object, str] = {}
    for name in filter(None, names):
        path, column = _split_column(name)
        key = _identity(path), column
        if key in seen:
            other = seen[key]
            alias = "" if name == other else f": it is the same as {printable(other)}"
            is_stdin = STDIN in (name, other)
            once = "standard input (-) can be read once; give the name of a file for the other input"
            raise click.UsageError(once if is_stdin else f"{printable(name)} is given twice{alias}")
        seen[key] = name


def _refuse_overwriting(output: str, inputs: Sequence[str]) -> None:
    """Raise if writing a file would replace an input file, even through a link."""
    for name in inputs:
        path, _ = _split_column(name)
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
    other = next((index for index, size in enumerate(sizes) if size != sizes[0]), None)
    if other is None:
        return
    longer = max(0, other, key=sizes.__getitem__)
    has_empty_end = str(columns[longer][sizes[longer] - 1]) == ""
    hint = f"; line {sizes[longer]} of {printable(paths[longer])} is empty" if has_empty_end else ""
    raise ValueError(
        f"{printable(paths[0])} has {sizes[0]} segments, but {printable(paths[other])} has {sizes[other]}{hint}: "
        "line n of each file must belong to segment n"
    )


def _join_references(paths: Sequence[str], columns: Sequence[Any]) -> Any:
    """Return the references of all segments: the column of a single file unchanged, or a list of texts per segment."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, list) for column in columns) and {*map(type, chain(*columns))} == {str}:
        return list(zip(*columns, strict=True))
    from .._columns import zip_columns

    return zip_columns(paths, [_plain_texts(path, column) for path, column in zip(paths, columns, strict=True)])


def _plain_texts(path: str, column: Any) -> pa.Array:
    """Return a column as an array of large strings. Raise ``ValueError`` if its values are not texts."""
    import pyarrow as pa

    from .._arrow import one_array, without_encodings

    with _naming_file(path):
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
    name, equals, path = system.partition("=")
    is_path = not equals or not name or not path or "/" in name or "\\" in name
    if is_path or Path(system).exists() or Path(_split_column(system)[0]).exists():
        return None, system
    return name, path


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


def read_column(name: str) -> Any:
    """Read one file: the lines of a text, or a column of a table.

    Args:
        name: a path; ``path:column`` for a table; ``-`` for standard input.

    Returns:
        The lines of a text, or the column of a table as an Arrow array or a list.

    Raises:
        OSError: the file does not exist or cannot be read.
        ValueError: the content of the file cannot be used. The error names the file.
    """
    path, column = _split_column(name)
    suffix = _content_suffix(path)
    with _naming_file(path):
        if suffix in _NOT_READ:
            raise ValueError(f"texts are not read from {suffix} files; {_NOT_READ[suffix]}")
        content = _read_bytes(path)
        if suffix in TABLES:
            values, unit = read_table(content, TableColumn(path, suffix, column)), "row"
        else:
            _refuse_other_content(content)
            values, unit = lines_of(decode_utf8(content)), "line"
        if not len(values):
            raise ValueError(f"the file is empty; it must have one segment per {unit}")
    return values


def _refuse_other_content(content: bytes) -> None:
    """Raise ``ValueError`` if a text has the content of another kind of file, whatever the name of the file is."""
    start = content[:20].removeprefix(UTF8_MARK).lower()
    suffix = next((suffix for sign, suffix in _SIGNS.items() if start.startswith(sign.lower())), None)
    if suffix is None:
        return
    advice = _NOT_READ.get(suffix, f"decompress it first, or give the file a name that ends in {suffix}")
    if suffix in TABLES:
        advice = f"give the file a name that ends in {suffix}"
    raise ValueError(f"the content is not plain text but {suffix}; {advice}")


def _content_suffix(path: str) -> str:
    """Return the lower-cased suffix before any compression suffixes, e.g. ``.jsonl`` for ``a.jsonl.gz``."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    while suffixes and suffixes[-1] in COMPRESSED_SUFFIXES:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _split_column(name: str) -> tuple[str, str | None]:
    """Split ``data.parquet:hyp`` into path and column. The column is None if `name` is the path of a file."""
    if Path(name).exists():
        return name, None
    parts = name.split(":")
    for end in range(len(parts) - 1, 0, -1):  # try every colon: the name of a column may have colons
        path, column = ":".join(parts[:end]), ":".join(parts[end:])
        if _content_suffix(path) in (*TABLES, *_NOT_READ):
            return path, column
        if Path(path).is_file():
            raise ValueError(
                f"{printable(path)}: only tables ({', '.join(TABLES)}) have columns; there is no file {printable(name)}"
            )
    return name, None


@contextmanager
def _naming_file(path: str) -> Iterator[None]:
    """Convert an error about the content of a file to a ``ValueError`` that begins with the path of the file."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ValueError(f"{printable(path)}: {error}") from None


def _read_bytes(path: str) -> bytes:
    """Return the bytes of standard input or of a file, decompressed if the file has a compression suffix."""
    if path == STDIN:
        return sys.stdin.buffer.read()
    if Path(path).suffix.lower() in COMPRESSED_SUFFIXES:
        return decompress_file(path)
    return Path(path).read_bytes()


def split_lines(data: bytes, name: str) -> list[str]:
    r"""Split UTF-8 text at line feeds. A carriage return before a line feed is removed with it.

    Args:
        data: the content of a file.
        name: the name of the file in error messages.

    Returns:
        The lines. A line feed at the end does not begin another line.

    Raises:
        ValueError: the bytes are not UTF-8. The error names the position.

    >>> split_lines(b"one\r\n\r\ntwo", "file")
    ['one', '', 'two']
    """
    with _naming_file(name):
        return lines_of(decode_utf8(data))
