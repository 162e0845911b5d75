"""The options of the command line: one for every field of `BleuConfig`, from the same tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from .._config import CHOICES, OPTIONS, BleuConfig
from .._dialects import DIALECTS, config_of
from .._validation import HIGHEST_ORDER, unknown_message

FILES = """\b
Files: text with one segment a line (.gz, .xz, .bz2 too), - for standard input, or a
column of a table, as data.jsonl:hypothesis or data.parquet:translation.en.
"""
_WORDS: dict[object, str] = {False: "no", True: "yes"}
_HELP = {
    "tokenizer": "How texts are cut into tokens.",
    "lowercase": "Lower-case before tokenizing (yes), after it, or A-Z alone.",
    "strip": "Drop white space at the end of a text first.",
    "whitespace": "What separates tokens.",
    "max_order": "Longest n-gram.",
    "weights": "One weight per order, e.g. 0.5,0.5; given several times: several scores.",
    "smoothing": "Formula for orders without a match.",
    "smoothing_value": "Epsilon, k or alpha of the smoothing.",
    "reference_length": "Which reference decides the brevity penalty.",
    "effective_order": "Leave out orders for which the text is too short.",
    "auto_reweigh": "NLTK's: other weights for texts below 4 tokens.",
    "average": "One score of the summed counts, or the mean of the sentences' scores.",
    "total_floor": "Where the number of n-grams is made at least 1.",
    "zero_score": "When the score is 0 whatever the smoothing.",
    "zero_precision": "What an order of precision 0 does to the score.",
    "weight_precision": "The type the weights are rounded to.",
}


class Named(click.Choice[str]):
    """One of some names; an unknown one is answered with those it is near to."""

    def __init__(self, what: str, names: Iterable[str]) -> None:
        super().__init__(list(names))
        self.what = what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Take a name as it is."""
        if value not in self.choices:
            self.fail(unknown_message(self.what, value, self.choices), param, ctx)
        return str(value)


class Weights(click.ParamType[tuple[float, ...]]):
    """Numbers with commas between them."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(float(number) for number in value.split(","))
        except ValueError:
            self.fail(f"{value!r} is no list of numbers, such as 0.25,0.25,0.25,0.25", param, ctx)


format_option = click.option(
    "--format", "-f", "form", type=Named("format", ("text", "json", "tsv")), default="text", help="How to print."
)
references_option = click.option(
    "--references", "-r", metavar="REF [REF...]", multiple=True, required=True, help="Files of references."
)


def _picture(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    if path is None:
        return None
    from ..reporting.plots import SUFFIXES

    if Path(path).suffix.lower() not in SUFFIXES:
        raise click.BadParameter(f"{path!r} must end in {', '.join(SUFFIXES)}")
    return path


plot_option = click.option("--plot", metavar="FILE", callback=_picture, help="Write pictures (.png, .svg or .pdf).")
_OF_REFERENCES = re.compile(r"--references(=.*)?|-r.*", re.DOTALL)  # the option, with a file or without


class FilesAfterOption(click.Command):
    """Takes several files after one ``--references``, up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its files."""
        repeated: list[str] = []
        after = False
        for argument in args:
            if argument.startswith("-") and argument != "-":
                after = bool(_OF_REFERENCES.fullmatch(argument))
                repeated += [] if argument in ("--references", "-r") else [argument]
            else:
                repeated += ["--references", argument] if after else [argument]
        return super().parse_args(ctx, repeated)


def resampling_options(confidence: float | None) -> Callable[[Any], Any]:
    """Add the options of bootstrap intervals; `confidence`: what it is when it is not given."""
    number, share = click.IntRange(min=1), click.FloatRange(0, 1, min_open=True, max_open=True)
    alone = confidence is None
    meant = "Show bootstrap intervals, e.g. 0.95." if alone else "Of the intervals."
    of_what = "Of the intervals." if alone else "Of the intervals, and of the bootstrap test."

    def add(command: Any) -> Any:
        command = click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True)(command)
        drawn = click.option("--resamples", type=number, default=1000, show_default=True, help=of_what)
        return click.option("--confidence", type=share, default=confidence, show_default=True, help=meant)(
            drawn(command)
        )

    return add


def refuse_unused(names: Iterable[str], needed: str) -> None:
    """Raise for an option that was typed and would do nothing without what is `needed`."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{_spelled(name)} does nothing without {needed}")


def scoring_options(with_dialect: bool = True) -> Callable[[Any], Any]:
    """Add ``--dialect`` and an option for every field of `BleuConfig` to a command."""

    def add(command: Any) -> Any:
        for option in reversed(OPTIONS):
            command = click.option(_spelled(option), option, help=_HELP[option], **_kind(option))(command)
        if with_dialect:
            dialect = click.option(
                "--dialect",
                "-d",
                type=Named("dialect", DIALECTS),
                default="default",
                show_default=True,
                help="Whose number.",
            )
            command = dialect(command)
        return command

    return add


def _spelled(option: str) -> str:
    return "--" + option.replace("_", "-")


def _kind(option: str) -> dict[str, Any]:
    if option == "weights":
        return {"type": Weights(), "multiple": True}
    if option == "max_order":
        return {"type": click.IntRange(1, HIGHEST_ORDER)}
    if option == "smoothing_value":
        return {"type": float}
    return {"type": Named(option, (_WORDS.get(value, str(value)) for value in CHOICES[option]))}


def choices_of(options: dict[str, Any]) -> dict[str, Any]:
    """Turn what was typed into arguments of `BleuConfig`; options that were not given are left out."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value not in (None, ())}
    for name, value in given.items():
        if name == "weights":
            given[name] = value[0] if len(value) == 1 else value
        elif name in CHOICES:
            given[name] = next(choice for choice in CHOICES[name] if _WORDS.get(choice, choice) == value)
    return given


def config_from(dialect: str, options: dict[str, Any]) -> BleuConfig:
    """Build the configuration; options that do not go together are an error of the command line."""
    try:
        return config_of(dialect, choices_of(options))
    except (TypeError, ValueError) as error:
        raise click.UsageError(str(error)) from None
