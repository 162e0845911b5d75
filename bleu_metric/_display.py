"""Display results: format numbers, and show results as one line, text, HTML, Markdown or LaTeX.

Callers pass plain text. This module escapes control characters and the special characters of each format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, NamedTuple
from unicodedata import category, east_asian_width

# Invisible characters that are escaped in HTML and pictures. Not here: joiners (U+200C, U+200D) and direction marks
# (U+200E, U+200F), which texts in Persian, Arabic and Indic scripts need
_HIDDEN = [
    *range(0x80, 0xA0),  # C1 controls
    *(0x200B, 0x2060, 0xFEFF),  # zero-width space, word joiner, byte order mark
    *(0x2028, 0x2029),  # line separator, paragraph separator
    *range(0x202A, 0x202F),  # embeddings and overrides, which change the direction of text
    *range(0x2066, 0x206A),  # isolates, which also change the direction of text
    *range(0xD800, 0xE000),  # surrogates, which UTF-8 cannot encode
    *(0xFFFE, 0xFFFF),  # not allowed in SVG
]
_ESCAPES = {code: f"[U+{code:04X}]" for code in _HIDDEN}
_ESCAPES |= {code: chr(0x2400 + code) for code in range(0x20)}  # ␀ to ␟
_ESCAPES[0x7F] = "\u2421"  # ␡

_MOST_JOINED = 10  # number of texts that `join_first` shows


def escape_controls(text: str) -> str:
    r"""Replace the control characters of a text with visible signs, for HTML or a picture.

    >>> escape_controls("a\x00b" + chr(0x202e))
    'a␀b[U+202E]'
    """
    return text.translate(_ESCAPES)


def printable(text: str) -> str:
    r"""Replace unprintable characters with Python escapes, so that the text cannot control a terminal.

    For HTML, use `escape_controls`, which escapes fewer characters.

    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    """
    escapes = {ord(character): repr(character).strip("'") for character in text if not character.isprintable()}
    return text.translate(escapes)


def shorten(text: str, width: int) -> str:
    """Shorten a text to at most `width` characters. Cut the middle, because names often differ at the ends.

    >>> shorten("checkpoint-12000", 9), shorten("checkpoint-12000", 1)
    ('chec…2000', '…')
    """
    if len(text) <= width:
        return text
    n_at_end = width // 2
    n_at_start = width - n_at_end - len("…")
    # Not text[-n_at_end:], which would be the whole text if n_at_end is 0
    return f"{text[:n_at_start]}…{text[len(text) - n_at_end :]}"


def terminal_width(text: str) -> int:
    """Return the width of a text in a terminal: 2 columns for a wide character, 0 for a combining character.

    >>> terminal_width("a猫"), terminal_width("e" + chr(0x301))
    (3, 1)
    """
    if text.isascii():
        return len(text)
    invisible = ("Mn", "Me", "Cf")
    return sum((category(sign) not in invisible) + (east_asian_width(sign) in ("W", "F")) for sign in text)


def percents(numbers: Iterable[float], digits: int) -> str:
    """Return numbers in percent, separated by slashes.

    >>> percents([0.5, 0.25], 1)
    '50.0/25.0'
    """
    return "/".join(percent(number, digits) for number in numbers)


def percent(number: float, digits: int = 1, scale: float = 100) -> str:
    """Return ``scale * number`` as text. The default is percent, without a percent sign.

    >>> percent(0.25), percent(0.25, 2)
    ('25.0', '25.00')
    """
    return f"{scale * number:.{digits}f}"


def level_text(confidence: float) -> str:
    """Return a confidence level in percent, with a percent sign.

    >>> level_text(0.95), level_text(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * confidence:g} %"


def brackets(low: float, high: float, digits: int = 1, scale: float = 100) -> str:
    """Return the bounds of an interval in percent, in square brackets, with the minus sign "−" (U+2212).

    >>> brackets(0.25, 0.5), brackets(-0.004, 0.5)
    ('[25.0, 50.0]', '[−0.4, 50.0]')
    """
    bounds = f"[{percent(low, digits, scale)}, {percent(high, digits, scale)}]"
    return bounds.replace("-", "−")


def signed_percent(number: float, digits: int = 1, scale: float = 100) -> str:
    """Return a difference in percent, with "+" or the minus sign "−" (U+2212). 0 has no sign.

    >>> signed_percent(0.0121), signed_percent(-0.009), signed_percent(-0.0004)
    ('+1.2', '−0.9', '0.0')
    """
    rounded = f"{scale * number:z.{digits}f}"  # "z" removes the sign of -0.0
    plus = "+" if float(rounded) > 0 else ""
    return plus + rounded.replace("-", "−")


def significance_level(confidence: float) -> str:
    """Return the level below which a p-value is significant: 1 - confidence.

    >>> significance_level(0.95), significance_level(0.999)
    ('0.05', '0.001')
    """
    return f"{1 - confidence:.2g}"


def p_value_text(p_value: float) -> str:
    """Return a p-value with three decimals, or "< 0.001" for values below 0.0005.

    Return four decimals if three decimals would round the p-value up to 0.1, 0.05 or 0.01.

    >>> p_value_text(0.00899), p_value_text(0.00099), p_value_text(0.0001), p_value_text(0.0496)
    ('0.009', '0.001', '< 0.001', '0.0496')
    """
    is_rounded_up = any(level - 0.0005 <= p_value < level for level in (0.1, 0.05, 0.01))
    return "< 0.001" if p_value < 0.0005 else f"{p_value:.{4 if is_rounded_up else 3}f}"


def equation(p_value: float) -> str:
    """Return a p-value with "=" or "<" in front, to follow the letter p.

    >>> equation(0.00899), equation(0.0001)
    ('= 0.009', '< 0.001')
    """
    text = p_value_text(p_value)
    return text if text.startswith("<") else f"= {text}"


class Metric(NamedTuple):
    """A metric: its name, how its scores are shown, and whether the lowest score is the best."""

    name: str = "BLEU"
    scale: float = 100
    """The factor by which shown scores are multiplied: 100 for percent."""
    lower_is_better: bool = False
    more_digits: int = 0
    """Number of digits after the decimal point in addition to the digits of BLEU."""

    def text(self, score: float, digits: int = 1) -> str:
        """Return a score as displayed text.

        >>> Metric().text(0.385), Metric("comet", scale=1, more_digits=2).text(0.385)
        ('38.5', '0.385')
        """
        return percent(score, digits + self.more_digits, self.scale).replace("-", "−")

    def signed(self, difference: float, digits: int = 1) -> str:
        """Return a difference of two scores with a sign, as `signed_percent` does."""
        return signed_percent(difference, digits + self.more_digits, self.scale)

    def brackets(self, low: float, high: float, digits: int = 1) -> str:
        """Return the bounds of an interval, as the function `brackets` does."""
        return brackets(low, high, digits + self.more_digits, self.scale)

    def is_better(self, difference: float) -> bool:
        """Return whether system A is better than system B. `difference`: score of A - score of B."""
        return difference < 0 if self.lower_is_better else difference > 0


BLEU = Metric()


def amount(number: int, noun: str) -> str:
    """Return a number and a noun in the singular or plural.

    >>> amount(1, "segment"), amount(1000, "label")
    ('1 segment', '1,000 labels')
    """
    ending = "" if number == 1 else "s"
    return f"{number:,} {noun}{ending}"


def join_words(words: Sequence[str]) -> str:
    """Join words with commas, and the last two with "and".

    >>> join_words(["A", "B", "C"]), join_words(["A"])
    ('A, B and C', 'A')
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def join_first(texts: Sequence[str]) -> str:
    """Join texts with slashes. Replace all texts after the tenth with "…".

    >>> join_first(["1"] * 12)
    '1/1/1/1/1/1/1/1/1/1/…'
    """
    joined = "/".join(texts[:_MOST_JOINED])
    return f"{joined}/…" if len(texts) > _MOST_JOINED else joined


# --- Tables, and results in several formats -------------------------------------------------------------------------

# An underscore inside a word needs no escape
_MARKDOWN = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = {ord(character): f"\\{character}" for character in "&%$#_{}"}
_LATEX |= {ord(sign): rf"\ensuremath{{{sign}}}" for sign in "<>"}
_LATEX |= {ord("−"): r"\ensuremath{-}", ord("^"): r"\^{}"}
_LATEX |= {ord("~"): r"\textasciitilde{}", ord("\\"): r"\textbackslash{}"}

Escape = Callable[[str], str]  # escapes the special characters of a cell


class Table(NamedTuple):
    """A table of plain text. Each row has one cell per column."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left_aligned: Collection[int] = (0,)
    """Indices of the left-aligned columns, which contain words. All other columns are right-aligned."""
    bold_cells: Collection[tuple[int, int]] = ()
    """The (row, column) positions of bold cells."""
    optional_heads: Sequence[str] = ()
    """Headings of the columns to drop, in this order, until the table fits into a narrow terminal."""

    def with_columns(self, names: Collection[str]) -> Table:
        """Return a table of the first column and of the columns with the headings `names`, in the order of `names`.

        Names without a column are ignored. A column of stars has no heading; it is kept with a difference or a p-value.

        Some headings occur once per metric, such as "difference". The names ["difference"] return the columns "BLEU
        difference" and "chrF difference". The names ["chrF", "difference"] return only the difference of chrF. If
        several kept columns have the same heading, all columns keep their order.

        >>> Table(["system", "BLEU", "ratio"], [["A", "50.0", "1.0"]]).with_columns(["ratio", "BLEU"]).rows
        [['A', '1.0', '50.0']]
        """
        has_stars = not {"difference", "over the next", "p (Holm)"}.isdisjoint(names)
        chosen = [column for column, head in enumerate(self.heads) if head in names or (has_stars and not head)]
        repeated = [column for column in chosen if self.heads.count(self.heads[column]) > 1]
        metric_of = {column: self._unrepeated_head(column) for column in repeated}
        has_metrics = not set(metric_of.values()).isdisjoint(names)
        if has_metrics:
            chosen = [column for column in chosen if column not in metric_of or metric_of[column] in names]
        heads = [self.heads[column] for column in chosen]
        if len(set(heads)) == len(heads):
            # A column of stars has the place of the column before it
            order = {name: place for place, name in enumerate(names)}
            places = [
                order.get(head, order.get(self.heads[column - 1], len(order)))
                for column, head in zip(chosen, heads, strict=True)
            ]
            chosen = [column for _, column in sorted(zip(places, chosen, strict=True))]
        kept = list(dict.fromkeys([0, *chosen]))
        return self._replace(
            heads=[
                f"{metric_of[column]} {self.heads[column]}"
                if column in metric_of and self.heads[column] and not has_metrics
                else self.heads[column]
                for column in kept
            ],
            rows=[[row[column] for column in kept] for row in self.rows],
            left_aligned=[place for place, column in enumerate(kept) if column in self.left_aligned],
            bold_cells=[(row, kept.index(column)) for row, column in self.bold_cells if column in kept],
        )

    def _unrepeated_head(self, column: int) -> str:
        """Return the metric of a column whose heading is repeated: ["rank", "BLEU", "difference"] -> "BLEU".

        The heading of a metric occurs once. The rank precedes the metric, and all other columns follow the metric.
        """
        step = 1 if self.heads[column] == "rank" else -1
        while self.heads.count(self.heads[column]) > 1:
            column += step
        return self.heads[column]

    def to_lines(self) -> list[str]:
        """Return the table as lines of text, with "-" instead of "−" (U+2212), which some terminals cannot show.

        >>> Table(["system", "BLEU"], [["A", "50.0"]]).to_lines()
        ['system  BLEU', 'A       50.0']
        """
        if not self.rows:
            return []
        lines = align([self.heads, *self.rows], self.left_aligned)
        return [line.replace("−", "-") for line in lines]

    def to_html(self) -> str:
        """Return the table as HTML, or "" if it has no rows."""
        if not self.rows:
            return ""
        head = _html_row(self.heads, "col")
        rows = "".join(_html_row(row, "row") for row in self.rows)
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def to_markdown(self) -> str:
        r"""Return the table as Markdown.

        >>> print(Table(["system", "BLEU"], [["a_", "9.1"], ["b", "10.0"]], bold_cells=[(1, 1)]).to_markdown())
        | system |     BLEU |
        |--------|---------:|
        | a\_    |      9.1 |
        | b      | **10.0** |
        """
        # Numbers, such as [1.0, 2.0], need no escapes
        rows = self._source_cells(lambda word: _MARKDOWN.sub(r"\\\g<0>", word), str, bold_format="**{}**")
        rule = "|"
        for column, head in enumerate(rows[0]):
            end = "-" if column in self.left_aligned else ":"  # ":" right-aligns the column
            rule += "-" * len(head) + f"-{end}|"
        head_line, *row_lines = [f"| {' | '.join(cells)} |" for cells in rows]
        return "\n".join([head_line, rule, *row_lines])

    def to_latex(self, caption: str = "") -> str:
        r"""Return the table as LaTeX for the package booktabs. With a caption, the table is a float.

        >>> print(Table(["system", "BLEU"], [["a_", "9.1"], ["b", "10.0"]], bold_cells=[(1, 1)]).to_latex())
        \begin{tabular}{lr}
        \toprule
         system &          BLEU \\
        \midrule
         a\_    &           9.1 \\
         b      & \textbf{10.0} \\
        \bottomrule
        \end{tabular}
        """
        rows = self._source_cells(_escape_latex_word, _escape_latex, bold_format=r"\textbf{{{}}}")
        alignment = "".join("l" if column in self.left_aligned else "r" for column in range(len(self.heads)))
        head_line, *row_lines = [f" {' & '.join(cells)} \\\\" for cells in rows]
        lines = [
            r"\begin{tabular}{" + alignment + "}",
            r"\toprule",
            head_line,
            r"\midrule",
            *row_lines,
            r"\bottomrule",
            r"\end{tabular}",
        ]
        if caption:
            words = map(_escape_latex, caption.split(" "))
            # A line may break after each setting of a signature
            escaped = " ".join(words).replace("|", r"\textbar\allowbreak{}")
            before = ["% needs \\usepackage{booktabs}", r"\begin{table}", r"\centering"]
            lines = [*before, *lines, rf"\caption{{{escaped}}}", r"\end{table}"]
        return "\n".join(lines)

    def _source_cells(self, escape_word: Escape, escape_number: Escape, bold_format: str) -> list[tuple[str, ...]]:
        """Return the headings and the rows, with escaped and padded cells.

        `escape_word`: escapes the headings and the cells of left-aligned columns. `escape_number`: escapes all other
        cells. `bold_format`: the format of bold cells, such as "**{}**".
        """
        rows = [[escape_word(head) for head in self.heads]]
        for row, texts in enumerate(self.rows):
            cells = []
            for column, text in enumerate(texts):
                escape = escape_word if column in self.left_aligned else escape_number
                cell = escape(printable(text).strip())
                if (row, column) in self.bold_cells:
                    cell = bold_format.format(cell)
                cells.append(cell)
            rows.append(cells)
        return pad_cells(rows, self.left_aligned)


def _escape_latex(cell: str) -> str:
    """Escape the special characters of LaTeX."""
    escaped = cell.translate(_LATEX)
    # LaTeX reads [ or * at the start of a row as an argument of the row break
    return "{}" + escaped if cell.startswith(("[", "*")) else escaped


def _escape_latex_word(cell: str) -> str:
    """Escape a word for LaTeX, which would print two hyphens as a dash."""
    return _escape_latex(cell).replace("--", "-{}-")


def _html_row(texts: Sequence[str], scope: Literal["col", "row"]) -> str:
    """Return a row of an HTML table. `scope`: "col" if all cells are headers, "row" if only the first cell is."""
    first, *others = map(_escape_html, texts)
    cells = [f'<th scope="{scope}" style="text-align: left">{first}</th>']
    for text in others:
        if scope == "col" and text:  # an empty cell is not a header
            cells.append(f'<th scope="col">{text}</th>')
        else:
            cells.append(f"<td>{text}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def _escape_html(text: str) -> str:
    from html import escape  # imported here, because most programs show no HTML

    return escape(escape_controls(text))


class Summary(NamedTuple):
    """The parts of a result's display, as plain text."""

    line: str
    """The main result on one line."""
    headline: str
    notes: Sequence[str]
    """Lines below the table; the signature comes last."""
    table: Table = Table(heads=(), rows=())  # no table

    def to_text(self) -> str:
        """Return the display as text for a terminal.

        >>> print(Summary("", "BLEU 50.00", ["made up"], Table(["system", "BLEU"], [["A", "50.0"]])).to_text())
        BLEU 50.00
          system  BLEU
          A       50.0
          made up
        """
        lines = [self.headline, *self.table.to_lines(), *self.notes]
        return "\n  ".join(map(printable, lines))

    def to_html(self) -> str:
        """Return the display as HTML, without colours and fonts of its own.

        >>> Summary("", "BLEU 50.00", ["a < b"]).to_html()
        '<div><p><strong>BLEU 50.00</strong></p><p><small>a &lt; b</small></p></div>'
        """
        headline = f"<p><strong>{_escape_html(self.headline)}</strong></p>"
        notes = "<br>".join(map(_escape_html, self.notes))
        return f"<div>{headline}{self.table.to_html()}<p><small>{notes}</small></p></div>"


class Readable:
    """The base class of results: `repr` shows one line, `print` shows text, and notebooks show HTML."""

    def _summary(self) -> Summary:
        """Return the parts of the display. Each subclass overrides this method."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {printable(self._summary().line)}>"

    def __str__(self) -> str:
        return self._summary().to_text()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return self._summary().to_html()


class Tabular(Readable):
    """The base class of results that have one row per system or group."""

    def _table(self, digits: int) -> Table:
        """Return the table. Each subclass overrides this method. `digits`: digits of scores after the decimal point."""
        raise NotImplementedError

    def to_markdown(self, digits: int = 1) -> str:
        """Return the table as Markdown. If the rows are systems, the best score is bold.

        Args:
            digits: number of digits after the decimal point of scores.

        >>> from bleu_metric import corpus_statistics, score_groups
        >>> statistics = corpus_statistics(["a b", "c"], ["a b", "d"], max_order=1)
        >>> print(score_groups(statistics, ["news", "chat"]).to_markdown())
        | group | segments |  BLEU | precisions | penalty | ratio |
        |-------|---------:|------:|------------|--------:|------:|
        | news  |        1 | 100.0 | 100.0      |   1.000 | 1.000 |
        | chat  |        1 |   0.0 | 0.0        |   1.000 | 1.000 |
        """
        return self._table(digits).to_markdown()

    def to_latex(self, digits: int = 1) -> str:
        r"""Return the table as LaTeX for the package booktabs. If the rows are systems, the best score is bold.

        Args:
            digits: number of digits after the decimal point of scores.

        >>> from bleu_metric import corpus_statistics, score_groups
        >>> statistics = corpus_statistics(["a b"], ["a b"], max_order=1)
        >>> print(score_groups(statistics, ["news"]).to_latex().splitlines()[4])
         news  &        1 & 100.0 & 100.0      &   1.000 & 1.000 \\
        """
        return self._table(digits).to_latex()


def align(rows: Sequence[Sequence[str]], left_aligned: Collection[int] = (0,)) -> list[str]:
    """Return one line per row. `left_aligned`: indices of columns; all other columns are right-aligned.

    >>> align([["a", "10"], ["long", "5"]])
    ['a     10', 'long   5']
    """
    return ["  ".join(cells).rstrip() for cells in pad_cells(rows, left_aligned)]


def pad_cells(rows: Sequence[Sequence[str]], left_aligned: Collection[int]) -> list[tuple[str, ...]]:
    """Pad all cells of a column to one width. `left_aligned`: indices of columns; all other columns are right-aligned.

    >>> pad_cells([["a", "10"], ["long", "5"]], [0])
    [('a   ', '10'), ('long', ' 5')]
    """
    columns = zip(*rows, strict=True)
    padded_columns = []
    for index, column in enumerate(columns):
        width = max(map(terminal_width, column))
        spaces = [" " * (width - terminal_width(cell)) for cell in column]
        pairs = zip(column, spaces, strict=True)
        padded_columns.append([cell + space if index in left_aligned else space + cell for cell, space in pairs])
    return list(zip(*padded_columns, strict=True))
