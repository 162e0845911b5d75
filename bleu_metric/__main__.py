"""Entry point of the commands ``python -m bleu_metric`` and ``bleu-metric``."""

from __future__ import annotations

import io
import os
import sys

from .cli.main import run


def main() -> None:
    """Run the command line and exit with its status."""
    # Standard output has no buffer if PYTHONUNBUFFERED is set. Python then silently loses the end of the output if the
    # disk is full
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        encoding, errors = sys.stdout.encoding, sys.stdout.errors
        sys.stdout = open(sys.stdout.fileno(), "w", encoding=encoding, errors=errors, closefd=False)  # noqa: SIM115
    status = run()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        # `run` has already reported this error. Without the next line, Python would fail again at exit, and change the
        # exit status to 120.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


if __name__ == "__main__":
    main()
