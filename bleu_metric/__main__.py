"""Entry point of the commands ``python -m bleu_metric`` and ``bleu-metric``."""

from __future__ import annotations

import os
import sys

from .cli.main import run


def main() -> None:
    """Run the command line and exit with its status."""
    status = run()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:  # `run` has reported this error. Python would flush again at exit and change the status to 120
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


if __name__ == "__main__":
    main()
