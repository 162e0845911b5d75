"""``python -m bleu_metric`` and ``bleu-metric``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line, if what it needs is installed."""
    try:
        from .cli.main import run

        sys.exit(run())
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        print('bleu-metric: click is not installed; type: pip install "bleu_metric[cli]"', file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
