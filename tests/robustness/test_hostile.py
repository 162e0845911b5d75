"""Whatever is passed to whatever is public ends in the right number, or in one clear error; nothing is left behind.

    pytest tests/robustness/test_hostile.py --more-cases 300

Every entry of `ENTRIES` draws one case, asks the package, judges the answer by itself, and says how it ended. An error
is clear if a `raise` of the package made it, with a short text that names the row at fault (`hostile.refusal`).
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile_arguments import (
    ask_a_function,
    ask_for_a_signature,
    ask_with_options,
)
from hostile_corpora import Draw, OneMetric, ask_for_a_corpus, ask_for_sentences
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ENTRIES: dict[str, tuple[int, Callable[[Path], Callable[[Draw], str]]]] = {
    "sentences": (8, lambda _: ask_for_sentences),
    "options": (15, lambda _: ask_with_options),
    "signatures": (8, lambda _: ask_for_a_signature),
    "functions": (27, lambda _: ask_a_function),
    "metric object": (2, lambda folder: OneMetric(folder).ask),
    "corpora": (30, lambda _: ask_for_a_corpus),
}


_BLOCK = 1000  # cases drawn by one run of Hypothesis, which keeps all of them


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


@pytest.mark.parametrize("entry", ENTRIES)
def test_hostile(entry: str, cases: Callable[[int], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    share, build = ENTRIES[entry]
    ended, ask = Counter[str](), build(tmp_path)
    before = _open_files(), threading.active_count()

    wanted = max(1, cases(350) * share // sum(share for share, _ in ENTRIES.values()))

    @settings(
        max_examples=min(wanted, _BLOCK),
        deadline=None,
        database=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        ended[ask(data.draw)] += 1

    while ended.total() < wanted:
        run()
    assert _open_files() <= before[0] + 3, "files are left open"
    assert threading.active_count() <= before[1] + 2, "threads are left"
    with capsys.disabled():
        print(f"\n  {entry}: {ended.total():,} cases: {dict(sorted(ended.items()))}")
