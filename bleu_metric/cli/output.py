"""What a command prints: tables, views of scores and intervals, bars, JSON."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .._config import OPTIONS, BleuConfig
from .._display import CAVEAT, meaning, printable, shorten
from .._score import BleuScore, GroupScore

if TYPE_CHECKING:
    from .._bootstrap import Interval
    from ..comparison.result import Comparison

_STYLES = {"text": "simple", "markdown": "github", "latex": "latex_booktabs"}
FORMS = ("text", "json", "tsv", "markdown", "latex")
Row = dict[str, Any]
_MARKUP = re.compile(r"[\\`*<>\[\]|~&]|(?<![^\W_])_|_(?![^\W_])")  # in a word, an underscore means nothing


def scores_table(scores: Mapping[Any, BleuScore], what: str, form: str, terminal: Terminal) -> str:
    """Show a row per system, dialect or group; on a terminal the best is bold."""
    rows = [{what: name, **flat(score)} for name, score in scores.items()]
    if form == "json":
        return to_json([{what: name, **score.to_dict()} for name, score in scores.items()])
    if form == "tsv":
        return tsv(rows)
    bleu = {name: as_list(score.bleu)[0] for name, score in scores.items()}
    best = max(bleu.values())
    cells = [
        [
            _cell(str(name), terminal.width - 60, form),
            *([f"{score.segments:,}"] if hasattr(score, "segments") else []),
            click.style(percents(as_list(score.bleu), 2), bold=form == "text" and bleu[name] == best),
            percents(score.precisions, 1),
            f"{score.brevity_penalty:.3f}",
            f"{score.length_ratio:.3f}",
        ]
        for name, score in scores.items()
    ]
    heads = [what, *(["segments"] if len(cells[0]) > 5 else []), "BLEU", "precisions", "penalty", "ratio"]
    return _drawn(heads, cells, form)


def comparison_table(comparison: Comparison, scores: Mapping[str, BleuScore], form: str, terminal: Terminal) -> str:
    """Show a row per system, the baseline first, and below how they were compared."""
    if form == "json":
        about = comparison.to_dict()
        rows = about.pop("rows")
        return to_json({**about, "systems": [_merged(row, scores[row["name"]].to_dict()) for row in rows]})
    if form == "tsv":
        return tsv([_merged(row, flat(scores[row["name"]])) for row in comparison.rows()])
    cells = [
        [
            _cell(row["name"], terminal.width - 58, form),
            f"{100 * row['score']:.2f}",
            f"[{100 * row['low']:.1f}, {100 * row['high']:.1f}]",
            "" if row["delta"] is None else f"{100 * row['delta']:+.2f}",
            "" if row["p_value"] is None else f"{row['p_value']:.4f}",
            "" if row["p_adjusted"] is None else f"{row['p_adjusted']:.4f}",
        ]
        for row in comparison.rows()
    ]
    heads = ["system", "BLEU", f"{100 * comparison.confidence:g} % interval", "difference", "p", "p (Holm)"]
    return _drawn(heads, cells, form)


def _cell(name: str, width: int, form: str) -> str:
    """Make a name fit a terminal; what is pasted elsewhere keeps it whole."""
    escaped = printable(name)
    return shorten(escaped, max(12, width)) if form == "text" else escaped


def _merged(row: Row, score: Row) -> Row:
    """Everything about a system: its score, its interval, how it differs from the baseline."""
    return {"system": row["name"], **score, **{key: row[key] for key in row if key not in ("name", "score")}}


def as_note(text: str, form: str) -> str:
    """Put a line below a table, in the table's own language."""
    return {"markdown": f"\n{_as_code(text)}", "latex": f"% {text}"}.get(form, f"  {text}")


def _as_code(text: str) -> str:
    """Quote a text that may hold backticks by more of them."""
    marks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{marks} {text} {marks}" if "`" in text else f"`{text}`"


def _drawn(heads: Sequence[str], cells: Sequence[Sequence[str]], form: str) -> str:
    from tabulate import tabulate  # takes 0.1 s, and most commands print no table

    if form == "markdown":
        cells = [[_MARKUP.sub(r"\\\g<0>", row[0]), *row[1:]] for row in cells]  # names; the rest is numbers
    aligned = ["left" if head in (heads[0], "precisions") else "right" for head in heads]
    table: str = tabulate(cells, heads, _STYLES[form], disable_numparse=True, colalign=aligned)
    # Behind the end of a row, LaTeX takes [ for a length and * for a command's
    return re.sub(r"(?m)^ ?(?=[\[*])", " {}", table) if form == "latex" else table


_BAR = 24  # characters of a bar for 100 %


class Terminal(NamedTuple):
    """What standard output can show."""

    is_one: bool
    width: int
    bar: str  # what a bar is made of

    @classmethod
    def found(cls) -> Terminal:
        """Look at standard output: lines are as wide as the terminal, and not cut at all in a pipe."""
        is_one = sys.stdout.isatty()
        blocks = "utf" in (sys.stdout.encoding or "").lower()
        return cls(is_one, shutil.get_terminal_size().columns if is_one else 10_000, "█" if blocks else "#")


def echo(text: str) -> None:
    """Print with colours on a terminal that wants them."""
    try:
        click.echo(text, color=False if os.environ.get("NO_COLOR") else None)
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def score_text(score: BleuScore, segments: int, interval: Interval | None, terminal: Terminal) -> str:
    """Show one score, its parts, what it means, and how it was made."""
    lines = [headline(score.bleu, interval)]
    for order, (precision, matched, total) in enumerate(
        zip(score.precisions, score.counts, score.totals, strict=True), 1
    ):
        line = f"  {order}-grams  {100 * precision:6.2f} %  {matched:>11,} of {total:>11,}"
        bar = terminal.bar * round(_BAR * min(precision, 1)) if terminal.width >= len(line) + 2 + _BAR else ""
        lines.append(f"{line}  {click.style(bar, fg='cyan')}" if terminal.is_one and bar else line)
    length = f"{score.translation_length:,} tokens, reference {round(score.reference_length, 4):,}"
    lines += [
        f"  brevity penalty {score.brevity_penalty:.4f}: {length}, ratio {score.length_ratio:.4f}",
        f"  {segments:,} segment{'s' * (segments != 1)}",
        *_wrapped(f"  {CAVEAT}", terminal),
        signature_text(interval.signature if interval else score.signature, terminal),
    ]
    return "\n".join(lines)


def headline(bleu: float | list[float], interval: Interval | None = None) -> str:
    """Show the number with its interval, and its meaning where there is one number."""
    shown = [f"{100 * one:.2f}" for one in as_list(bleu)]
    if interval:
        ends = zip(as_list(interval.low), as_list(interval.high), strict=True)
        shown = [f"{one} [{100 * low:.2f}, {100 * high:.2f}]" for one, (low, high) in zip(shown, ends, strict=True)]
    title = click.style("BLEU " + "  ".join(shown), bold=True)
    return title if isinstance(bleu, list) else f"{title}  {meaning(bleu)}"


def _wrapped(text: str, terminal: Terminal) -> list[str]:
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(text.strip(), terminal.width, initial_indent=indent, subsequent_indent=indent)


def signature_text(signature: str, terminal: Terminal) -> str:
    """Break a signature before a bar, where it does not fit on a line."""
    lines = ["  "]
    for part in signature.split("|"):
        word = part if lines == ["  "] else f"|{part}"
        if len(lines[-1]) + len(word) > terminal.width and lines[-1].strip():
            lines.append("  ")
        lines[-1] += word
    return click.style("\n".join(lines), dim=True)


def sentences_text(scores: Sequence[Any]) -> str:
    """Show one line per segment: its number and its score, or scores, in percent."""
    width = len(str(len(scores)))
    return "\n".join(
        f"{number:>{width}}  " + "  ".join(f"{100 * one:6.2f}" for one in as_list(score))
        for number, score in enumerate(scores, 1)
    )


def choices_text(dialects: Mapping[str, BleuConfig], terminal: Terminal) -> str:
    """Show what each dialect chooses other than the default does."""
    width = max(map(len, dialects))
    lines = [f"{'dialect':<{width}}  choices (where they differ from those of default)"]
    for name, config in dialects.items():
        differing = _choices(config, [option for option in OPTIONS if getattr(config, option) != _default(option)])
        text = ", ".join(f"{option}={_plain(value)}" for option, value in (differing or _choices(config)).items())
        indent = " " * (width + 2)
        whole = f"{name:<{width}}  {text}"
        lines += textwrap.wrap(whole, terminal.width, subsequent_indent=indent, break_on_hyphens=False)
    return "\n".join(lines)


def _default(option: str) -> Any:
    return getattr(BleuConfig(), option)


def _choices(config: BleuConfig, options: Iterable[str] = OPTIONS) -> dict[str, Any]:
    return {option: getattr(config, option) for option in options if getattr(config, option) is not None}


def choices_rows(dialects: Mapping[str, BleuConfig]) -> list[dict[str, Any]]:
    """All choices of all dialects, a row each."""
    return [
        {"dialect": name, **{option: getattr(config, option) for option in OPTIONS}}
        for name, config in dialects.items()
    ]


def flat(score: BleuScore) -> dict[str, Any]:
    """Make one row of a table of a score: a column per order."""
    names = {"precisions": "precision", "counts": "count", "totals": "total"}
    row: dict[str, Any] = {}
    for key, value in score.to_dict().items():
        row.update(numbered(names.get(key, key), value))
    return row


def numbered(name: str, value: Any) -> dict[str, Any]:
    """Make one column of a value, or one for each entry of a list."""
    return {f"{name}_{place}": one for place, one in enumerate(value, 1)} if isinstance(value, list) else {name: value}


def tsv(rows: Sequence[Mapping[str, Any]], heads: Iterable[str] | None = None) -> str:
    """Write rows with a head, tabs between the columns; numbers in full precision."""
    lines = ["\t".join(rows[0] if heads is None else heads)]
    lines += ["\t".join(printable(_plain(value)) for value in row.values()) for row in rows]
    return "\n".join(lines)


def to_json(value: Any) -> str:
    """Write a value as indented JSON, Unicode as it is where standard output has it, but for control characters."""
    text = json.dumps(value, indent=2, ensure_ascii="utf" not in (sys.stdout.encoding or "").lower())
    if text.replace("\n", "").isprintable():
        return text
    return "".join(one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in text)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def as_list(value: Any) -> list[float]:
    """Take one number as a list of one."""
    return list(value) if hasattr(value, "__len__") else [value]


def percents(numbers: Iterable[float], digits: int) -> str:
    """Write shares in percent, with slashes between them."""
    return "/".join(f"{100 * number:.{digits}f}" for number in numbers)


class Result(NamedTuple):
    """The score of one system; what was not asked for is None."""

    system: str
    segments: int
    score: BleuScore
    interval: Interval | None
    sentences: list[Any] | None
    groups: Mapping[Any, GroupScore] | None

    def printed(self, form: str, terminal: Terminal) -> str:
        """Make the text, the JSON or the TSV of it."""
        return {"json": self._json, "tsv": self._tsv, "text": self._text}[form](terminal)

    def _json(self, _: Terminal) -> str:
        bleu = self.score.bleu
        about: dict[str, Any] = {"system": self.system, **self.score.to_dict(), "segments": self.segments}
        about["meaning"] = None if isinstance(bleu, list) else meaning(bleu)
        if self.interval is not None:
            about["interval"] = self.interval.to_dict()
            about["citation"] = None if isinstance(bleu, list) else self.score.citation(self.interval).sentence
        if self.groups is not None:
            about["groups"] = [{"group": label, **one.to_dict()} for label, one in self.groups.items()]
        return to_json(about if self.sentences is None else {**about, "sentence_bleu": self.sentences})

    def _tsv(self, terminal: Terminal) -> str:
        if self.sentences is not None:
            return tsv([{"line": line, **numbered("bleu", bleu)} for line, bleu in enumerate(self.sentences, 1)])
        if self.groups is not None:
            return scores_table(self.groups, "group", "tsv", terminal)
        row = {"system": self.system, **flat(self.score), "segments": self.segments}
        if self.interval is not None:
            for key in ("low", "high", "mean", "half_width"):
                row.update(numbered(key, getattr(self.interval, key)))
            row.update({key: getattr(self.interval, key) for key in ("confidence", "n_resamples", "seed")})
            row["interval_signature"] = self.interval.signature
        return tsv([row])

    def _text(self, terminal: Terminal) -> str:
        parts = [] if self.sentences is None else [sentences_text(self.sentences)]
        parts.append(score_text(self.score, self.segments, self.interval, terminal))
        if self.groups is not None:
            parts += ["", scores_table(self.groups, "group", "text", terminal)]
        return "\n".join(parts)
