"""``python -m bleu_metric`` and ``bleu-metric``."""

from __future__ import annotations

import sys

from .cli.main import run


def main() -> None:
    """Run the command line."""
    sys.exit(run())


if __name__ == "__main__":
    main()
