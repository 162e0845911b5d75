"""Run the command line, such as ``bleu-metric score hyp.txt ref.txt``. `cli` describes the exit status."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import click

from .. import _validation
from .._config import VERSION
from .._counting import engine
from .._display import printable
from .commands import compare_command, dialects_command, explain_command, find_command, report_command, score_command
from .help import HelpfulGroup
from .many_commands import mbr_command, self_bleu_command
from .options import FailedCheckError, TypedSpelling
from .terminal import say

_SCORED, _FAILED, _WRONG_COMMAND_LINE, _FAILED_CHECK, _INTERRUPTED = 0, 1, 2, 3, 130

_COMMANDS = [score_command, compare_command, report_command, dialects_command, explain_command]
_COMMANDS += [find_command, self_bleu_command, mbr_command]
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}
_VERSION_HELP = "Show the version and the counting engine (native or python), and exit."


def _show_version(ctx: click.Context, _option: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        click.echo(f"bleu_metric {VERSION}, {engine()} engine")
        ctx.exit()


@click.group(cls=HelpfulGroup, commands=_COMMANDS, context_settings=_CONTEXT)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help=_VERSION_HELP)
def cli() -> None:
    """Compute BLEU exactly as the library that you name.

    Results go to standard output. Everything else goes to standard error. Exit status: 0, success; 1, the files could
    not be read, scored or written; 2, the command line was wrong; 3, a check such as --fail-under failed; 130,
    interrupted.

    Examples:
        bleu-metric score hyp.txt ref.txt
        bleu-metric compare base.txt new.txt -r ref.txt
        bleu-metric score --help
    """


def run(arguments: list[str] | None = None) -> int:
    """Run a command line.

    Args:
        arguments: the arguments after the name of the program. If None, they are read from ``sys.argv``.

    Returns:
        The exit status.
    """
    if sys.stdout is None:  # the caller closed it with >&-
        return _fail(_FAILED, "standard output is closed; to discard the result, redirect it to /dev/null")
    _open_closed_streams()
    _escape_what_cannot_be_encoded()

    completes = "_BLEU_METRIC_COMPLETE" in os.environ  # a shell asks for completion, without arguments
    if not completes and not (sys.argv[1:] if arguments is None else arguments):
        with click.Context(cli, info_name="bleu-metric") as context:
            click.echo(cli.get_help(context), err=True)
        return _WRONG_COMMAND_LINE

    python_spelling, _validation.spelling = _validation.spelling, TypedSpelling()
    try:
        with warnings.catch_warnings():
            # Show each warning only once
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = lambda message, *_details: say(str(message))
            cli.main(arguments, prog_name="bleu-metric", standalone_mode=False)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "bleu-metric"
        message = error.format_message().removesuffix(".")
        return _fail(_WRONG_COMMAND_LINE, f"{message} (see {command} --help)")
    except FailedCheckError as error:
        return _fail(_FAILED_CHECK, error.message)
    except (KeyboardInterrupt, click.Abort):
        return _fail(_INTERRUPTED, "interrupted")
    except OSError as error:
        message = error.strerror or str(error)
        if error.filename:
            message = f"{printable(str(error.filename))}: {message}"
        return _fail(_FAILED, message)
    except MemoryError as error:
        return _fail(_FAILED, f"not enough memory: {error}".removesuffix(": "))
    except (click.ClickException, ImportError, NotImplementedError, TypeError, ValueError) as error:
        return _fail(_FAILED, str(error))
    finally:
        _validation.spelling = python_spelling
    return _SCORED


def _open_closed_streams() -> None:
    """Open the null device for each stream that the caller closed, e.g. with ``2>&-``."""
    null = Path(os.devnull)
    # Both stay open until the process ends
    sys.stdin = sys.stdin or null.open(encoding="utf-8")
    sys.stderr = sys.stderr or null.open("w", encoding="utf-8")


def _escape_what_cannot_be_encoded() -> None:
    r"""Let the output streams escape characters that they cannot encode, e.g. as ``\u732b``."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _fail(status: int, message: str) -> int:
    say(message)
    return status
