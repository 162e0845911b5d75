"""What a file is, by its name and its first lines: a text with one segment per line, or something else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .._display import amount, printable
from .._validation import short_repr, warn
from .compression import CODECS

_SAMPLE = 100  # lines
Lines = Sequence[str]


def _first(pattern: str) -> Callable[[Lines], bool]:
    return lambda lines: bool(re.match(pattern, lines[0], re.IGNORECASE))


def _each(pattern: str) -> Callable[[Lines], bool]:
    return lambda lines: all(re.match(pattern, line) for line in lines)


def _are_json_lines(lines: Lines) -> bool:
    try:
        return all(line.lstrip()[0] == "{" and isinstance(json.loads(line), dict) for line in lines)
    except (ValueError, RecursionError):
        return False


class Kind(NamedTuple):
    """A kind of file that is not plain text."""

    name: str
    advice: str
    suffixes: tuple[str, ...] = ()  # files with these names are refused unread
    start: bytes = b"\xff\xff"  # first bytes, in lower case
    fits: Callable[[Lines], bool] = lambda lines: False  # does it describe the first lines of a text?
    may_be_output: bool = False  # systems may write it, so that it is scored if all files have it


_EXTRACT = "extract the segments first, one per line"
_WMT = f"{_EXTRACT}; for WMT's files, use wmt-unwrap from https://github.com/wmt-conference/wmt-format-tools"
_DOCUMENT = "save the document as plain text, one segment per line"
_UNPACK = f"unpack it first, e.g. with xz -d or unzip; {', '.join(CODECS)} are read as they are"
_TIMED = "take the texts without numbers and times, one segment per line"
_TAGS = r"\s*<(\?xml|!doctype|html|tmx|xliff|(src|ref|tst)set|mteval|dataset|doc|seg|talkid|url)\b[^<>]*>"
JSON = Kind(
    "JSON",
    "name a column, as in FILE:COLUMN",
    fits=lambda lines: _are_json_lines(lines) or _starts_json(lines),
    may_be_output=True,
)
KINDS = (
    Kind("a table", "save the table as CSV", (".xlsx", ".xls", ".ods")),
    Kind("a .pdf file", _DOCUMENT, (".docx", ".doc", ".odt", ".pdf"), b"%pdf-"),
    Kind("a .rtf file", _DOCUMENT, (".rtf",), b"{\\rtf"),
    Kind("a .xz file", _UNPACK, (".xz", ".tar", ".tgz", ".7z", ".rar"), b"\xfd7zxz\0"),
    Kind("a .zip file", _UNPACK, (".zip",), b"pk\3\4"),
    Kind("arrays", "save as JSON Lines or Parquet, or one text per line", (".npy", ".npz", ".pkl", ".pickle", ".arrow", ".feather")),
    Kind("a .xml file", _WMT, (".xml",), b"<?xml"),
    Kind("a .html file", _EXTRACT, (".html", ".htm", ".xhtml"), b"<!doctype html"),
    Kind("SGML, XML or HTML", _WMT, (".sgm", ".sgml", ".tmx", ".xlf", ".xliff"), fits=_first(_TAGS), may_be_output=True),
    Kind(
        "subtitles", _TIMED, (".srt", ".vtt"), b"webvtt",
        lambda lines: any(re.match(r"(\d+:)?\d\d:\d\d[,.]\d{3} --> ", line) for line in lines),
    ),
    Kind("a .stm file", _TIMED, (".stm",), fits=_each(r";;|\S+ \S+ \S+ \d+\.\d+ \d+\.\d+ ")),
    Kind("a .ctm file", _TIMED, (".ctm",), fits=_each(r";;|\S+ \S+ \d+\.\d+ \d+\.\d+ \S+( [\d.]+)?$")),
    Kind(
        "an n-best list", r"its second field is the text; take the first of each segment: awk -F ' [|][|][|] ' "
        "'!seen[$1]++ {print $2}' FILE > NEW_FILE", fits=_each(r"\d+ \|\|\| ")
    ),
    JSON,
)  # fmt: skip


def _starts_json(lines: Lines) -> bool:
    """Return whether lines are the start of a JSON array or object that is printed on one line or on several."""
    second = lines[1].lstrip()[:1] if len(lines) > 1 else ""
    return bool(re.match(r'\s*\[\s*[{"\[].*\]\s*$', lines[0])) or (
        lines[0].strip() in ("[", "{", "[{") and second in '{"['
    )


def refuse_by_name(suffix: str) -> None:
    """Raise ``ValueError`` if files with this suffix are not read."""
    for kind in KINDS:
        if suffix in kind.suffixes:
            raise ValueError(f"texts are not read from {suffix} files; {kind.advice}")


def refuse_by_start(start: bytes) -> None:
    """Raise ``ValueError`` if the first bytes are those of a file that is not text."""
    for kind in KINDS:
        if start.removeprefix(b"\xef\xbb\xbf").lower().startswith(kind.start):
            raise ValueError(f"this is {kind.name}, not plain text; {kind.advice}")


def kind_of(lines: Lines) -> Kind | None:
    """Return what a text file is, by its first lines; None for plain text."""
    sample = [line for line in lines[:_SAMPLE] if line.strip()]
    return next((kind for kind in KINDS if sample and kind.fits(sample)), None)


def check_kinds(texts: Mapping[str, Lines]) -> None:
    """Raise ``ValueError`` for the first file that is no plain text, or warn if all files may be outputs of its kind.

    `texts`: the name and the lines of each file that is read as text. The other files have columns.
    """
    kinds = {file: kind_of(lines) for file, lines in texts.items()}
    for file, kind in kinds.items():
        if kind is None:
            continue
        names = list(json.loads(texts[file][0])) if kind is JSON and _are_json_lines(texts[file][:1]) else ["COLUMN"]
        advice = kind.advice.replace("COLUMN", printable(names[0]))
        if len(names) > 1:
            advice += f"; the columns are {', '.join(map(printable, names))}"
        if kind.may_be_output and len(kinds) > 1 and set(kinds.values()) == {kind}:
            warn(f"all files are {kind.name}, which is scored as text; if they hold texts, {advice}")
            return
        raise ValueError(f"{printable(file)}: this is {kind.name}, not plain text; {advice}")


# --- Ids in each line, and tabs --------------------------------------------------------------------------------------


class _Ids(NamedTuple):
    pattern: re.Pattern[str]  # with the groups "id" and "text"
    what: str
    removal: str
    joins: bool = True  # the first word of "7 eggs" or "covid-19 spread" may also be text


_IDS = (
    _Ids(re.compile(r"(?P<id>\S*\d\S*)(?:\t(?P<text>.*)|$)"), "begins with {} and a tab", "cut -f 2-"),
    _Ids(re.compile(r"(?P<text>.*) \((?P<id>\S*\d\S*)\)$"), "ends with {} in brackets", "sed 's/ ([^()]*)$//'"),
    _Ids(
        re.compile(r"(?P<id>\S+[-_./]\S*\d\S*|\d+)(?: (?P<text>.*)|$)"),
        "begins with {}",
        "sed 's/^[^ ]* *//'",
        joins=False,
    ),
)


def _ids_of(lines: Any) -> tuple[_Ids, list[str], list[str]] | None:
    """Return the form of the ids that all lines have, the ids, and the texts. Return None if a line has no id."""
    for form in _IDS:
        sample = [form.pattern.match(line) for line in lines[:_SAMPLE]]
        if not (all(sample) and sample[0]["text"] is not None):
            continue
        found = [form.pattern.match(line) for line in lines]
        if not all(found):
            continue
        ids = [match["id"] for match in found]
        numbers = sorted(int(key) for key in ids if key.isdecimal())
        follow_one_another = not numbers or numbers == list(range(numbers[0], numbers[0] + len(ids)))
        # A tab is no text. Other ids must be different, and numbers must follow one another
        is_id = form is _IDS[0] or (len(set(ids)) == len(ids) > 2 and follow_one_another)
        if is_id:
            return form, ids, [match["text"] or "" for match in found]
    return None


def join_lines(
    texts: Mapping[str, Any], can_join: bool = False, references: Sequence[str] = ()
) -> dict[str, list[str]]:
    """Join text files whose lines have ids. Return file -> texts, in the order of the first file's ids.

    If only some files have ids, or if an id is repeated, warn and return {}. Also warn of tabs that may separate texts.

    Raises:
        ValueError: all files have ids, but one id is not in all of them.
    """
    found = {file: ids for file, lines in texts.items() if (ids := _ids_of(lines))}
    # fairseq writes the same number as H-7, D-7 and T-7
    by_id = {
        file: {re.sub(r"^[A-Z]-(?=\d+$)", "", key): text for key, text in zip(ids, lines, strict=True)}
        for file, (_, ids, lines) in found.items()
    }
    are_ids = all(form.joins and len(by_id[file]) == len(ids) for file, (form, ids, _) in found.items())
    if can_join and 1 < len(found) == len(texts) and are_ids:
        first_file, *_ = by_id
        both = ", ".join(map(printable, by_id))
        for texts_of_file in by_id.values():
            for key in by_id[first_file].keys() ^ texts_of_file.keys():
                raise ValueError(
                    f"each line of the files {both} has an id, but only some of them have a line with the id {key}"
                )
        warn(
            f"each line of {both} has an id such as {short_repr(found[first_file][1][0])}: joined by the ids, which are not scored"
        )
        return {file: [texts_of_file[key] for key in by_id[first_file]] for file, texts_of_file in by_id.items()}

    for file, (form, ids, _) in found.items():
        numbers = [int(re.sub(r"\D", "", key)) for key in ids]
        order = "" if numbers == sorted(numbers) else "their order is not that of the numbers: sort -V FILE first; "
        warn(
            f"{printable(file)}: each line {form.what.format('an id such as ' + short_repr(ids[0]))}, which is scored "
            f"as text; {order}remove them with: {form.removal} FILE > NEW_FILE"
        )
    for file in texts.keys() - found.keys():
        n_tabs, *others = {line.count("\t") for line in texts[file][:_SAMPLE]}
        if n_tabs and not others:
            each = f"each line of {printable(file)} has {amount(n_tabs, 'tab')}"
            advice = f"--num-refs {n_tabs + 1}" if file in references else f"{printable(file)}:1"
            warn(f"{each}, which does not separate texts; if it should, type {advice}")
    return {}
