"""Compare with NLTK. This script runs `compare_with.py nltk`, which explains the options.

python scripts/compare_with_nltk.py [--predictions FILE --references FILE [FILE ...]] [--generated N] [--json]
"""

from __future__ import annotations

import sys

from compare_with import main

if __name__ == "__main__":
    sys.exit(main("nltk"))
