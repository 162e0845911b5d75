"""Results -> what a person reads in a terminal, and what a program reads from a pipe.

Text is in percent, as translators write BLEU; JSON and TSV are on a scale of 0 to 1, in full precision.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ._config import OPTIONS, BleuConfig
from ._lines import shown
from ._meaning import CAVEAT, meaning
from ._score import BleuScore

if TYPE_CHECKING:
    from ._significance import Interval

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
    lines += ["\t".join(shown(_plain(value)) for value in row.values()) for row in rows]
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


def shortened(name: str, width: int) -> str:
    """Make a name fit, and its control characters visible."""
    name = shown(name)
    half = width // 2
    return name if len(name) <= width else f"{name[: width - half - 1]}…{name[-half:]}"
