"""The command line: ``bleu-metric score hyp.txt ref.txt``.

Results go to standard output, all else to standard error. Exit status: 0, scored; 1, the files could not be read or
scored; 2, the command line was wrong; 130, interrupted.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from .._config import VERSION
from .._display import printable
from .commands import compare_command, dialects_command, explain_command, report_command, score_command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, message="bleu_metric %(version)s")
def cli() -> None:
    """BLEU, the number that your library gave, by name.

    Results go to standard output, all else to standard error. Exit status: 0, scored; 1, the files could not be read
    or scored; 2, the command line was wrong; 130, interrupted.
    """


for command in (score_command, compare_command, report_command, dialects_command, explain_command):
    cli.add_command(command)


def _open_what_is_closed() -> None:
    """Give the streams that the caller closed, as in ``2>&-``, somewhere to go; Python has None for them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (open until the end)


def run(arguments: list[str] | None = None) -> int:
    """Run a command line; the answer is its exit status."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli.main(arguments, prog_name="bleu-metric", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "bleu-metric"
        return _failed(2, f"{error.format_message()} (see {command} --help)")
    except click.ClickException as error:
        return _failed(1, error.format_message())
    except (KeyboardInterrupt, click.Abort):
        return _failed(130, "interrupted")
    except OSError as error:
        where = f"{printable(str(error.filename))}: " if error.filename else ""
        return _failed(1, f"{where}{error.strerror or error}")
    except MemoryError as error:
        return _failed(1, f"not enough memory: {error}")
    except (ImportError, NotImplementedError, TypeError, ValueError) as error:
        _leave_to_main(error)
        return _failed(1, str(error))
    return 0


def _leave_to_main(error: Exception) -> None:
    """Raise again where a package of the extra is missing: `__main__` says what to install."""
    if isinstance(error, ModuleNotFoundError) and error.name == "tabulate":
        raise error


def _failed(status: int, message: str) -> int:
    click.echo(f"bleu-metric: {printable(' '.join(message.splitlines()))}", err=True)
    return status
