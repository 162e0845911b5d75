"""Displays of results: a one-line `repr`, text for `print`, and HTML for notebooks. Control characters are escaped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

# Invisible characters that are escaped in HTML and pictures. Joiners (U+200C, U+200D) and direction marks (U+200E,
# U+200F) are not in this list: texts in Persian, Arabic and Indic scripts need them.
_HIDDEN = [
    *range(0x80, 0xA0),  # C1 controls
    0x200B,  # zero-width space
    0x2028,  # line separator
    0x2029,  # paragraph separator
    *range(0x202A, 0x202F),  # embeddings and overrides, which change the direction of the text after them
    0x2060,  # word joiner
    *range(0x2066, 0x206A),  # isolates, which also change the direction of the text after them
    *range(0xD800, 0xE000),  # surrogates, which UTF-8 cannot encode
    0xFEFF,  # byte order mark
    0xFFFE,  # not allowed in SVG
    0xFFFF,  # not allowed in SVG
]
_ESCAPES = {code: f"[U+{code:04X}]" for code in _HIDDEN}
_ESCAPES |= {code: chr(0x2400 + code) for code in range(0x20)}  # ␀ to ␟
_ESCAPES[0x7F] = "\u2421"  # ␡


def escape_controls(text: str) -> str:
    r"""Return a text for HTML or a picture, with control characters replaced by visible signs.

    >>> escape_controls("a\x00b" + chr(0x202e))
    'a␀b[U+202E]'
    """
    return text.translate(_ESCAPES)


def printable(text: str) -> str:
    r"""Return a text with its unprintable characters as Python escapes, so that it cannot control a terminal.

    For HTML, use `escape_controls`, which escapes fewer characters.

    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    """
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def shorten(text: str, width: int) -> str:
    """Shorten a longer text to `width` characters: "…" replaces its middle, because names often differ at their ends.

    >>> shorten("checkpoint-12000", 9)
    'chec…2000'
    """
    if len(text) <= width:
        return text
    end = width // 2
    start = width - end - 1
    return f"{text[:start]}…{text[-end:]}"


def percents(numbers: Iterable[float], digits: int) -> str:
    """Return numbers in percent as one text, with slashes between them.

    >>> percents([0.5, 0.25], 1)
    '50.0/25.0'
    """
    return "/".join(percent(number, digits) for number in numbers)


def percent(number: float, digits: int = 1) -> str:
    """Return a number in percent, without the sign %.

    >>> percent(0.25), percent(0.25, 2)
    ('25.0', '25.00')
    """
    return f"{100 * number:.{digits}f}"


def level_text(confidence: float) -> str:
    """Return a confidence level in percent.

    >>> level_text(0.95), level_text(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * confidence:g} %"


def brackets(low: float, high: float, digits: int = 1) -> str:
    """Return the bounds of an interval in percent.

    >>> brackets(0.25, 0.5), brackets(-0.004, 0.5)
    ('[25.0, 50.0]', '[−0.4, 50.0]')
    """
    bounds = f"[{percent(low, digits)}, {percent(high, digits)}]"
    return bounds.replace("-", "−")


def signed_percent(number: float, digits: int = 1) -> str:
    """Return a difference in percent, with "+" or the minus sign "−" (U+2212); 0 has no sign.

    >>> signed_percent(0.0121), signed_percent(-0.009), signed_percent(-0.0004)
    ('+1.2', '−0.9', '0.0')
    """
    shown = f"{100 * number:+.{digits}f}"
    return shown.replace("-", "−") if float(shown) else shown[1:]


def p_value_text(p_value: float) -> str:
    """Return a p-value with three decimals, or "< 0.001" if it is below 0.001.

    >>> p_value_text(0.00899), p_value_text(0.00099)
    ('0.009', '< 0.001')
    """
    return f"{p_value:.3f}" if p_value >= 0.001 else "< 0.001"


def equation(p_value: float) -> str:
    """Return a p-value as the second half of an equation, to be written after the letter p.

    >>> equation(0.00899), equation(0.00099)
    ('= 0.009', '< 0.001')
    """
    shown = p_value_text(p_value)
    return shown if shown.startswith("<") else f"= {shown}"


def amount(number: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless the number is 1.

    >>> amount(1, "segment"), amount(1000, "label")
    ('1 segment', '1,000 labels')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def segments_note(segments: int) -> str:
    """Return "1 segment", "2 segments" and so on."""
    return amount(segments, "segment")


def join_first(texts: Sequence[str]) -> str:
    """Join texts with slashes. If there are more than ten, keep the first ten and add "…".

    >>> join_first(["1"] * 12)
    '1/1/1/1/1/1/1/1/1/1/…'
    """
    return "/".join([*texts[:10], *(["…"] if len(texts) > 10 else [])])


def as_list(value: Any) -> list[float]:
    """Return numbers as a list; a single number becomes a list with one element."""
    return list(value) if hasattr(value, "__len__") else [value]


class Summary(NamedTuple):
    """The parts of a result's display. All strings are plain text, which `to_html` escapes."""

    line: str
    """The main result on one line."""
    headline: str
    notes: Sequence[str]
    """Lines below the table; the signature comes last."""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    """Rows of a table."""
    left: Collection[int] = (0,)
    """The columns of words. All others are of numbers, and right-aligned."""

    def to_text(self) -> str:
        """Return the display as text for a terminal.

        >>> print(Summary("", "BLEU 50.00", ["made up"], ["system", "BLEU"], [["A", "50.00"], ["B", "9.00"]]).to_text())
        BLEU 50.00
          system   BLEU
          A       50.00
          B        9.00
          made up
        """
        rows = [[cell.replace("−", "-") for cell in row] for row in self.rows]  # not all terminals can show "−"
        table = align([self.heads, *rows], self.left) if rows else []
        lines = [printable(line) for line in (self.headline, *table, *self.notes)]
        return "\n  ".join(lines)

    def to_html(self) -> str:
        """Return the display as HTML. It inherits the colours and fonts of the page.

        >>> Summary("", "BLEU 50.00", ["a < b"]).to_html()
        '<div><p><strong>BLEU 50.00</strong></p><p><small>a &lt; b</small></p></div>'
        """
        table = ""
        if self.rows:
            head = _html_row(self.heads, "col")
            rows = "".join(_html_row(row, "row") for row in self.rows)
            table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
        notes = "<br>".join(map(_escaped, self.notes))
        return f"<div><p><strong>{_escaped(self.headline)}</strong></p>{table}<p><small>{notes}</small></p></div>"


def align(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """Return one line per row. The columns `left` are aligned left, the other columns are aligned right.

    >>> align([["a", "10"], ["long", "5"]])
    ['a     10', 'long   5']
    """
    return ["  ".join(cells).rstrip() for cells in pad_cells(rows, left)]


def pad_cells(rows: Sequence[Sequence[str]], left: Collection[int]) -> list[tuple[str, ...]]:
    """Return the rows with spaces that make all cells of a column equally wide. The columns `left` are aligned left.

    >>> pad_cells([["a", "10"], ["long", "5"]], [0])
    [('a   ', '10'), ('long', ' 5')]
    """
    columns = []
    for number, column in enumerate(zip(*rows, strict=True)):
        width = max(map(len, column))
        pad = str.ljust if number in left else str.rjust
        columns.append([pad(cell, width) for cell in column])
    return list(zip(*columns, strict=True))


def _html_row(texts: Sequence[str], scope: str) -> str:
    """Return an HTML table row. `scope` is "row" if only the first cell is a header, "col" if all texts are headers."""
    name, *others = map(_escaped, texts)
    first = f'<th scope="{scope}" style="text-align: left">{name}</th>'
    cells = [_html_cell(other, is_header=scope == "col") for other in others]
    return f"<tr>{first}{''.join(cells)}</tr>"


def _html_cell(text: str, is_header: bool) -> str:
    if is_header and text:  # an empty header would be a header of nothing
        return f'<th scope="col">{text}</th>'
    return f"<td>{text}</td>"


def _escaped(text: str) -> str:
    from html import escape  # imported only when needed: most programs show no HTML

    return escape(escape_controls(text))


class Readable:
    """The base class of results. It displays a result as a one-line `repr`, as text for `print` and as HTML."""

    def _summary(self) -> Summary:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {printable(self._summary().line)}>"

    def __str__(self) -> str:
        return self._summary().to_text()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return self._summary().to_html()
