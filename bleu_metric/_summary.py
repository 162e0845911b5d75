"""How results show themselves: `repr` on one line, `print` as text, a notebook as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ._display import escape_controls, printable

_INDENT = "  "


class Summary(NamedTuple):
    """What a result says about itself; all of it is text, not markup."""

    line: str
    """The most important on one line."""
    headline: str
    notes: Sequence[str]
    """Below the table; the signature comes last."""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    """Of a table: names in the first column, numbers in the others."""

    def to_text(self) -> str:
        """Write lines for a terminal.

        >>> print(Summary("", "BLEU 50.00", ["made up"], ["system", "BLEU"], [["A", "50.00"], ["B", "9.00"]]).to_text())
        BLEU 50.00
          system   BLEU
          A       50.00
          B        9.00
          made up
        """
        table = align([self.heads, *self.rows]) if self.rows else []
        return "\n".join([printable(self.headline), *(_INDENT + printable(line) for line in (*table, *self.notes))])

    def to_html(self) -> str:
        """Write a piece of a page that takes its colours and fonts from the page around it.

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


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write rows as lines: the first column begins at the left, the others end at the right.

    >>> align([["a", "10"], ["long", "5"]])
    ['a     10', 'long   5']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *numbers in rows:
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join([name.ljust(widths[0]), *cells]).rstrip())
    return lines


def _html_row(texts: Sequence[str], scope: str) -> str:
    """Write a row whose first cell heads it, or a row of heads, as `scope` says."""
    name, *others = map(_escaped, texts)
    start, end = ('<th scope="col">', "</th>") if scope == "col" else ("<td>", "</td>")
    cells = "".join(f"{start}{other}{end}" for other in others)
    return f'<tr><th scope="{scope}" style="text-align: left">{name}</th>{cells}</tr>'


def _escaped(text: str) -> str:
    from html import escape  # here, as most programs show no HTML

    return escape(escape_controls(text))


class Readable:
    """A result that can be read wherever it is shown."""

    def _summary(self) -> Summary:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {printable(self._summary().line)}>"

    def __str__(self) -> str:
        return self._summary().to_text()

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        return self._summary().to_html()
