"""Tables of the site that are made from the package: its dialects and its options."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bleu_metric import DIALECTS
from bleu_metric._options import CHOICES, OPTIONS

# Values of options that are no names
_VALUES = {
    "max_order": "a whole number from 1 to 10,000",
    "weights": "one number per order, or a list of such lists",
    "smoothing_value": "a number; `None`: the default of the source",
}


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(value: Any) -> str:
    """Write a value of an option as Python code."""
    return f"`{value!r}`".replace("'", '"')


def dialect_table() -> str:
    """Return one row per dialect, one column per option that some dialect changes; an empty cell is the default."""
    default = DIALECTS["default"]
    changed = [
        option
        for option in OPTIONS
        if any(
            getattr(config, option) != getattr(default, option)
            for config in DIALECTS.values()
        )
    ]
    rows = [
        ["`default`", *(code(getattr(default, option)) for option in changed)]
    ]
    for dialect, config in DIALECTS.items():
        if dialect != "default":
            values = [
                (getattr(config, option), getattr(default, option))
                for option in changed
            ]
            rows.append(
                [
                    f"`{dialect}`",
                    *(
                        "" if value == usual else code(value)
                        for value, usual in values
                    ),
                ]
            )
    return markdown_table(
        ["dialect", *(f"`{option}`" for option in changed)], rows
    )


def dialect_sections() -> str:
    """Return a heading per dialect, which can be linked and searched, with its options and signature."""
    default = DIALECTS["default"]
    sections = []
    for dialect, config in DIALECTS.items():
        changed = [
            option
            for option in OPTIONS
            if getattr(config, option) != getattr(default, option)
        ]
        options = "\n".join(
            f"* `{option}={getattr(config, option)!r}`".replace("'", '"')
            for option in changed
        )
        sections.append(
            f"## {dialect}\n\n{options or 'All options have their defaults.'}\n\n```text\n{config.signature()}\n```\n"
        )
    return "\n".join(sections)


def option_table() -> str:
    """Return one row per option: its default, and the values that it accepts."""
    default = DIALECTS["default"]
    rows = [
        [
            f"`{option}`",
            code(getattr(default, option)),
            ", ".join(map(code, CHOICES.get(option, ()))) or _VALUES[option],
        ]
        for option in OPTIONS
    ]
    return markdown_table(["option", "default", "names and values"], rows)


# Mark in a page -> function that returns the table in its place
TABLES: dict[str, Callable[[], str]] = {
    "<!-- table of dialects -->": dialect_table,
    "<!-- sections of dialects -->": dialect_sections,
    "<!-- table of options -->": option_table,
}
