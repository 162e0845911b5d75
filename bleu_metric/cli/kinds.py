"""Recognize what a file is: plain text with one segment per line, a text whose lines have ids, or another kind.

`KINDS` is the table of the other kinds. `refuse_other_formats` looks at the name and the first bytes of a file,
`check_kinds` at the first lines of texts, and `join_by_ids` at all lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from .._display import amount, printable
from .._validation import short_repr, warn
from .compression import CODECS
from .files import DASH

_SAMPLE = 100  # lines
Lines = Sequence[str]

# --- Kinds of files --------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of file that is not plain text."""

    name: str
    advice: str
    suffixes: tuple[str, ...] = ()
    """Files with these suffixes are refused, whatever they contain."""
    starts: tuple[bytes, ...] = ()
    """The first bytes of such files, in lower case."""
    fits: Callable[[Lines], bool] = lambda lines: False
    """Return whether the first lines of a text show this kind. Blank lines are left out."""
    may_be_output: bool = False
    """Whether systems may write such texts. Then they are scored if all files are of this kind."""


def _start(pattern: str) -> Callable[[Lines], bool]:
    return lambda lines: bool(re.match(pattern, "\n".join(lines[:2]), re.IGNORECASE))


def _any_line(pattern: str) -> Callable[[Lines], bool]:
    return lambda lines: any(re.match(pattern, line) for line in lines)


def _each_line(pattern: str) -> Callable[[Lines], bool]:
    return lambda lines: all(re.match(pattern, line) for line in lines)


def _names_in_json(line: str) -> list[str]:
    """Return the names in a line that is a JSON object, else []."""
    try:
        row = json.loads(line) if line.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return []
    return list(row) if isinstance(row, dict) else []


def _is_json(lines: Lines) -> bool:
    """Return whether lines are JSON Lines, or the first lines of a JSON array or object."""
    if all(map(_names_in_json, lines)):
        return True
    if re.match(r'\s*(\[\s*)?\{\s*"[^"]*"\s*:', "\n".join(lines)):
        return len(lines) == 1 or not _names_in_json(lines[0])  # one of several outputs may be JSON
    first, second, *_ = [*map(str.strip, lines), ""]
    is_printed_on_one_line = not second and first.startswith(("[[", '["')) and first.endswith("]")
    return is_printed_on_one_line or (first == "[" and second.startswith(("[", '"')))


def _is_csv(lines: Lines) -> bool:
    """Return whether lines have equal numbers of cells, at least three. In texts, a space follows most commas."""
    return len(lines) > 1 and len({line.count(",") for line in lines}) == 1 and all(map(_CELLS.match, lines))


def _is_log_of_fairseq(lines: Lines) -> bool:
    """Return whether lines are of several kinds, such as "S-7<TAB>source" and "D-7<TAB>-0.5<TAB>output"."""
    kinds = [re.match(r"([STHDPAE])-\d+\t", line) for line in lines]
    return len({match[1] for match in kinds if match}) > 2


_DOCUMENT = "save the document as plain text, one segment per line"
_UNPACK = f"unpack it first, e.g. with xz -d or unzip; {', '.join(CODECS)} are read as they are"
_EXTRACT = (
    "extract the segments first, one per line; for WMT's files, use wmt-unwrap from "
    "https://github.com/wmt-conference/wmt-format-tools"
)
_TIMED = "extract the texts without numbers and times, one segment per line"
_FIRST_TEXTS = "for the first text of each segment: awk -F ' [|][|][|] ' '!seen[$1]++ {print $2}' FILE > NEW_FILE"
_FIELDS = r".* \|\|\| "
_FIRST_FIELD = "awk -F ' [|][|][|] ' '{print $1}' FILE > NEW_FILE"
_GREP = "for the outputs: grep ^D- FILE | cut -f 1,3 > HYP; for the references: grep ^T- FILE > REF"
_CELL = r'("[^"]*"|[^\s,"][^,]*|)'
_CELLS = re.compile(rf"{_CELL}(,{_CELL}){{2,}}$")
_NAMES = "html|head|body|tmx|xliff|(src|ref|tst)set|mteval|dataset|doc|seg|talkid|url|keywords"
# The last case: the first line is a tag, and the second line begins with another one, unlike two lines of <unk>
_TAG = rf"\s*<([!?][a-z-]|({_NAMES})\b|(?P<tag>[a-z][\w:.-]*)(\s+[\w:.-]+\s*=\s*[\"']|>\s*\n\s*<(?!(?P=tag)>)))"
_CUE = r"(\d+:)?\d\d?:\d\d[,.]\d{3}( +--> |,\d+:\d\d:\d\d\.\d)|\[\d\d:\d\d\.\d\d\d?\]"
_STM = r";;|(?=\S*[^\W\d])\S+ +\S+ +\S+( +\d+(\.\d+)?){2} "
_CTM = r";;|(?=\S*[^\W\d])\S+ +\S+( +\d+\.\d+){2} +\S+( +[\d.]+)?$"  # begins with a name, unlike a matrix of numbers

_DOCUMENTS = (".docx", ".doc", ".odt", ".pdf", ".rtf")
_PACKED = (".xz", ".zip", ".tar", ".tgz", ".7z", ".rar")
_ARRAYS = (".npy", ".npz", ".pkl", ".pickle", ".arrow", ".feather")
_MARKUP = (".xml", ".sgm", ".sgml", ".html", ".htm", ".xhtml", ".tmx", ".xlf", ".xliff")
_SUBTITLES = (".srt", ".vtt", ".sbv", ".ass", ".ssa")

JSON = Kind("JSON", "name a column, as in FILE:COLUMN", fits=_is_json, may_be_output=True)
N_BEST = Kind("an n-best list", f"its second field is the text; {_FIRST_TEXTS}", fits=_each_line(r"\d+ +\|\|\| "))
KINDS = (
    Kind("a spreadsheet", "save the table as CSV", (".xlsx", ".xls", ".ods")),
    Kind("a document", _DOCUMENT, _DOCUMENTS, (b"%pdf-", b"{\\rtf")),
    Kind("a packed file", _UNPACK, _PACKED, (b"\xfd7zxz\0", b"pk\3\4")),
    Kind("a file of arrays", "save as JSON Lines or Parquet, or one text per line", _ARRAYS),
    Kind("SGML, XML or HTML", _EXTRACT, _MARKUP, fits=_start(_TAG), may_be_output=True),
    Kind("a file of subtitles", _TIMED, _SUBTITLES, (b"webvtt", b"[script info]"), _any_line(_CUE)),
    Kind("an STM file", _TIMED, (".stm",), fits=_each_line(_STM)),
    Kind("a CTM file", _TIMED, (".ctm",), fits=_each_line(_CTM)),
    Kind("a log of fairseq", _GREP, fits=_is_log_of_fairseq),
    N_BEST,
    Kind(
        "a parallel text",
        f"its fields are separated by |||; for the first field: {_FIRST_FIELD}",
        fits=_each_line(_FIELDS),
    ),
    Kind("a PO file", "extract the translations, one segment per line", (".po", ".pot"), fits=_any_line(r'msgid "')),
    Kind("CSV", "name the file .csv, and a column, as in FILE.csv:COLUMN", fits=_is_csv),
    JSON,
)
SUFFIXES = tuple(suffix for kind in KINDS for suffix in kind.suffixes)


def refuse_other_formats(suffix: str = "", start: bytes = b"") -> None:
    """Raise ``ValueError`` if files with this suffix, or files that begin with these bytes, are not plain text."""
    first_bytes = start.removeprefix(b"\xef\xbb\xbf").lower()
    for kind in KINDS:
        if suffix in kind.suffixes or first_bytes.startswith(kind.starts):
            raise ValueError(f"this is {kind.name}, not plain text; {kind.advice}")


def kind_of(lines: Lines) -> Kind | None:
    """Return what a text file is, by its first lines; None for plain text."""
    sample = [line for line in lines[:_SAMPLE] if line.strip()]
    return next((kind for kind in KINDS if sample and kind.fits(sample)), None)


def check_kinds(texts: Mapping[str, Lines]) -> None:
    """Raise ``ValueError`` for the first file that is not plain text. Warn if all files may be outputs of one kind.

    `texts`: file -> lines, for all files that were read without a column.
    """
    kinds = {file: kind_of(lines) for file, lines in texts.items()}
    for file, kind in kinds.items():
        if kind is None:
            continue
        advice = kind.advice
        if kind is JSON and (names := _names_in_json(texts[file][0])):
            listed = ", ".join(map(printable, names))
            path = "/dev/stdin" if file == DASH else printable(file)
            advice = f"name a column, as in {path}:{printable(names[0])}; the columns are {listed}"
        if kind.may_be_output and len(kinds) > 1 and set(kinds.values()) == {kind}:
            warn(f"all files are {kind.name}, which is scored as text; if they contain texts, {advice}")
            return
        raise ValueError(f"{printable(file)}: this is {kind.name}, not plain text; {advice}")


# --- Ids in each line, and tabs --------------------------------------------------------------------------------------


class _Form(NamedTuple):
    """Where each line of a text has its id."""

    pattern: re.Pattern[str]
    """A pattern with the groups "id" and "text". Its time must be linear, because lines may be long."""
    where: str
    removal: str
    """A command that removes the ids."""
    is_never_text: bool = True
    """Whether lines are joined by such ids. The first word of "7 eggs" may belong to the text."""


_KEY = r"(?P<id>[^\s\d]{0,99}\d\S{0,99})"
_BEFORE_TAB = _Form(
    re.compile(rf"{_KEY}(?:\t(?:-?\d+\.\d+\t)?(?P<text>.*)|$)"),  # fairseq writes a score between the id and the text
    "before a tab",
    "cut -f 2-",
)
_IN_BRACKETS = _Form(re.compile(rf"(?P<text>.*) \({_KEY}\)$"), "in brackets at its end", "sed 's/ ([^()]*)$//'")
# Such as 17, [17], utt-17, BAC009S0764 and 9f86d081884c7d65, but not 1.5 and 15.03.2020
_WORD = r"[(\[#]?(?P<id>\d{1,99}|(?![\d.]+ )[^\s\-_./]+[-_./][^\s\d]*\d\S*|(?=[^\s\d]*\d)\w{8,})[.:)\]]{0,2}"
_FIRST_WORD = _Form(
    re.compile(rf"{_WORD}(?: (?P<text>.*)|$)"), "as its first word", "sed 's/^[^ ]* *//'", is_never_text=False
)
_FORMS = (_BEFORE_TAB, _IN_BRACKETS, _FIRST_WORD)


def join_by_ids(
    files: Mapping[str, Lines], may_join: bool = False, references: Sequence[str] = ()
) -> dict[str, list[str]]:
    """Join text files whose lines have ids, such as "7<TAB>text". Return file -> texts, in the first file's order.

    Return {} if the lines stay as they are, because a file has no ids or the ids may be text. Then warn of ids, and of
    tabs that may separate texts.

    Args:
        files: file -> lines.
        may_join: whether these are all files whose lines belong together.
        references: the files of references, whose lines may have several texts.

    Raises:
        ValueError: all files have ids, but one id is not in all of them.
    """
    found = {file: ids for file, lines in files.items() if (ids := _ids_of(lines))}
    tables = {file: dict(pairs) for file, (_, pairs) in found.items()}
    are_joinable = all(form.is_never_text and len(tables[file]) == len(pairs) for file, (form, pairs) in found.items())
    if may_join and 1 < len(found) == len(files) and are_joinable:
        return _join_tables(tables)

    order_differs = len({tuple(table) for table in tables.values()}) > 1
    for file, (form, pairs) in found.items():
        keys = [key for key, _ in pairs]
        warn(
            f"{printable(file)}: each line has an id {form.where}, such as {short_repr(keys[0])}, which is scored as "
            f"text; {_advice_on_ids(form, keys, order_differs)}"
        )
    for file, lines in files.items():
        if file not in found:
            _warn_of_tabs(file, lines, file in references)
    return {}


def _join_tables(tables: Mapping[str, dict[str, str]]) -> dict[str, list[str]]:
    """Join files by ids. `tables`: file -> id -> text."""
    first_file, *other_files = tables
    for file in other_files:
        if different := tables[first_file].keys() ^ tables[file].keys():
            raise ValueError(
                f"each line of {printable(first_file)} and {printable(file)} has an id, but only one of the files has "
                f"a line with the id {short_repr(min(different))}"
            )
    listed = ", ".join(map(printable, tables))
    example = short_repr(next(iter(tables[first_file])))
    warn(f"each line of {listed} has an id, such as {example}: the lines are joined by their ids, which are not scored")
    return {file: [table[key] for key in tables[first_file]] for file, table in tables.items()}


def _ids_of(lines: Lines) -> tuple[_Form, list[tuple[str, str]]] | None:
    """Return the form of the ids of lines that all have an id, and the id and the text of each line, else None."""
    for form in _FORMS:
        if not all(map(form.pattern.match, lines[:_SAMPLE])):
            continue
        matches = (form.pattern.match(line) for line in lines)
        pairs = [(match["id"], match["text"]) for match in matches if match]
        if len(pairs) < len(lines) or pairs[0][1] is None:
            continue
        # fairseq writes the same number as H-7, D-7 and T-7
        pairs = [(re.sub(r"^[A-Z]-(?=\d+$)", "", key), text or "") for key, text in pairs]
        if form is _BEFORE_TAB or _are_numbered([key for key, _ in pairs]):
            return form, pairs
    return None


def _are_numbered(keys: Sequence[str]) -> bool:
    """Return whether words are ids: all different, and numbers without a gap, unlike years or amounts in texts."""
    numbers = sorted(int(key) for key in keys if key.isdecimal())
    has_gap = any(second != first + 1 for first, second in pairwise(numbers))
    return len(set(keys)) == len(keys) > 2 and not has_gap


def _advice_on_ids(form: _Form, keys: Sequence[str], order_differs: bool) -> str:
    """Return what to type. Removing ids is right only if all files have the same order."""
    if order_differs:
        how = "put a tab after each id" if not form.is_never_text else "give each line an id of its own"
        return f"the ids of the files differ or have another order: {how}, so that the lines are joined by their ids"
    numbers = [int(key) for key in keys if key.isdecimal()]
    source = "" if numbers == sorted(numbers) else "sort -V FILE | "
    if source and form is _IN_BRACKETS:
        return "the ids are not in order: sort the lines by their ids before you remove the ids"
    return f"remove the ids with: {source}{form.removal}{'' if source else ' FILE'} > NEW_FILE"


def _warn_of_tabs(file: str, lines: Lines, is_reference: bool) -> None:
    """Warn if each line has the same number of tabs, which may separate references or columns."""
    numbers_of_tabs = {line.count("\t") for line in lines[:_SAMPLE]}
    if len(numbers_of_tabs) != 1 or numbers_of_tabs == {0}:
        return
    [n_tabs] = numbers_of_tabs
    advice = f"--num-refs {n_tabs + 1}" if is_reference else f"{printable(file)}:1"
    warn(
        f"each line of {printable(file)} has {amount(n_tabs, 'tab')}, and is one text; if tabs separate texts, type "
        f"{advice}"
    )
