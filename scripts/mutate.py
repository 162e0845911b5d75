"""Plant faults in a copy of the package, one at a time: does the test suite catch each of them?

    python scripts/mutate.py                       # all faults of scripts/faults.py
    python scripts/mutate.py --only _score         # those whose file or meaning holds this word
    python scripts/mutate.py --sample 12 --seed 3  # some, drawn by this seed

For each fault the tests named beside it run first, then all the quick ones; the first that fails has caught it. A run
that does not end in time has caught it, too. At the end the tests that caught a fault have to pass without any. Exit
status 1 if a fault survives.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from faults import FAULTS, QUICK, Fault

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("bleu_metric", "tests", "scripts", "docs", "README.md", "metric_card.md", "pyproject.toml")
SECONDS = 120  # for the tests beside a fault, and five times that for all quick ones
FEW = ("--corpora=150", "--lines=1000")  # random ones: enough for a fault
# Imported once, in the process that those of the tests are forked from: it takes longer than most tests.
IMPORTED = (
    *("pytest", "hypothesis.strategies", "numpy", "pandas", "pyarrow.compute", "pyarrow.parquet", "evaluate"),
    *("datasets", "sacrebleu.significance", "nltk.translate.bleu_score", "torchmetrics.functional.text", "bleuscore"),
)


class Outcome(NamedTuple):
    """What became of a fault."""

    fault: Fault
    caught_by: str | None  # a test, or why there is none
    seconds: float


class Run(NamedTuple):
    """How a run of tests ended."""

    status: int  # pytest's: 0 all passed, 1 some failed; -1: not in time
    failed: str | None  # the first test that failed


def plant(text: str, fault: Fault) -> str:
    """Put the fault into the text of its module; ``ValueError`` if its place is not found exactly once."""
    found = text.count(fault.old)
    if found != 1:
        raise ValueError(f"{fault.module}: {fault.old!r} is found {found} times; the fault needs one place")
    return text.replace(fault.old, fault.new)


def _in_child(folder: str, tests: Sequence[str], told: str) -> None:
    """Run tests of the copy, in a process of its own; write which one failed."""
    os.setsid()  # so that what the tests started can be ended with them
    os.chdir(folder)
    output = os.open(f"{told}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ["PYTHONPATH"] = folder
    gc.freeze()  # what was imported before need not be looked through at each collection
    import pytest
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)  # a failure is enough, it need not be small
    settings.register_profile("mutate", deadline=None, phases=phases, database=None, derandomize=True)

    def tell(status: int, failed: str | None) -> None:
        Path(told).write_text(json.dumps([status, failed]), encoding="utf-8")
        os._exit(0)  # whatever a fault has left running

    class Recorder:
        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:
                print(report.longreprtext, flush=True)
                tell(1, report.nodeid)

        pytest_collectreport = pytest_runtest_logreport

    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=mutate"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning", *FEW]  # of what was imported before
    tell(int(pytest.main([*options, *tests], plugins=[Recorder()])), None)


def run_tests(folder: Path, tests: Sequence[str], seconds: float) -> Run:
    """Run tests in the copy until the first fails."""
    told = folder.with_name(f"{folder.name}.json")
    told.unlink(missing_ok=True)
    process = multiprocessing.get_context("forkserver").Process(target=_in_child, args=(str(folder), tests, str(told)))
    process.start()
    process.join(seconds)
    in_time = not process.is_alive()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid or 0, signal.SIGKILL)
    process.join()
    if not in_time:
        return Run(-1, "not done in time")
    return Run(*json.loads(told.read_text(encoding="utf-8"))) if told.exists() else Run(1, "the interpreter died")


def copy_project(folder: Path) -> Path:
    """Copy what the tests need."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, folder / name)
    return folder


def try_fault(copies: SimpleQueue[Path], beside: bool, numbered: tuple[int, Fault]) -> Outcome:
    """Plant one fault, and run tests until one fails."""
    number, fault = numbered
    folder, started = copies.get(), time.monotonic()
    path = folder / "bleu_metric" / fault.module
    before, stamp = path.read_text(encoding="utf-8"), path.stat().st_mtime
    try:
        path.write_text(plant(before, fault), encoding="utf-8")
        os.utime(path, (number, number))  # or Python would take the bytecode of the fault before for this one's
        ended = run_tests(folder, fault.tests, SECONDS)
        if ended.status == 0 and not beside:
            ended = run_tests(folder, [test for test in QUICK if test not in fault.tests], 5 * SECONDS)
    finally:
        path.write_text(before, encoding="utf-8")
        os.utime(path, (stamp, stamp))
        copies.put(folder)
    if ended.status > 1 and ended.failed is None:
        raise RuntimeError(
            f"{fault.module}: pytest ended with status {ended.status}; are its tests {fault.tests} there?"
        )
    return Outcome(fault, ended.failed, time.monotonic() - started)


def _tell(outcome: Outcome) -> None:
    fault, caught_by, seconds = outcome
    print(f"{'caught' if caught_by else 'SURVIVED':8} {seconds:6.1f} s  {fault.module}: {fault.meaning}", flush=True)
    print(f"{'':19}{caught_by or repr(fault.old) + ' -> ' + repr(fault.new)}", flush=True)


def chosen(only: str | None, sample: int | None, seed: int) -> list[Fault]:
    """Pick faults by a word, and draw some of them."""
    faults = [fault for fault in FAULTS if only is None or only in f"{fault.module}: {fault.meaning}"]
    return faults if sample is None else random.Random(seed).sample(faults, min(sample, len(faults)))


def check(faults: Sequence[Fault], jobs: int, beside: bool, work: Path) -> list[Outcome]:
    """Try every fault; then see that the tests which caught one pass where there is none."""
    copies: SimpleQueue[Path] = SimpleQueue()
    for job in range(jobs):
        (work / f"copy{job}").mkdir()
        copies.put(copy_project(work / f"copy{job}"))
    outcomes = []
    with ThreadPoolExecutor(jobs) as executor:
        for outcome in executor.map(partial(try_fault, copies, beside), enumerate(faults, 1)):
            _tell(outcome)
            outcomes.append(outcome)
    caught_by = sorted(set().union(*map(_to_repeat, outcomes)))
    ended = run_tests(copies.get(), caught_by, 10 * SECONDS) if caught_by else Run(0, None)
    if ended.status:
        log = (work / "copy0.json.log").read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"{log}\n{ended.failed} fails without any fault, too: it has caught none")
    print(f"without a fault, the {len(caught_by)} tests that caught one pass", flush=True)
    return outcomes


def _to_repeat(outcome: Outcome) -> set[str]:
    """The test that caught a fault; where none ended, all that may have."""
    if outcome.caught_by is None:
        return set()
    return {outcome.caught_by} if outcome.caught_by.startswith("tests/") else set(outcome.fault.tests)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="WORD", help="faults whose module or meaning holds this word")
    parser.add_argument("--sample", type=int, metavar="N", help="so many faults, drawn")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--beside", action="store_true", help="run only the tests named beside each fault")
    parser.add_argument("--jobs", type=int, default=1, help="faults tried at once")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes there, too")
    arguments = parser.parse_args()
    faults = chosen(arguments.only, arguments.sample, arguments.seed)
    if not faults:
        parser.error("no fault is chosen")
    with tempfile.TemporaryDirectory(prefix="mutate-") as name:
        os.environ["HF_HOME"] = str(Path(name) / "hf")  # evaluate keeps a copy of every metric it loads
        multiprocessing.set_forkserver_preload(list(IMPORTED))
        outcomes = check(faults, arguments.jobs, arguments.beside, Path(name))
    if arguments.json:
        rows = [{**one.fault._asdict(), "caught_by": one.caught_by, "seconds": one.seconds} for one in outcomes]
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    caught = sum(one.caught_by is not None for one in outcomes)
    print(f"{caught} of {len(faults)} caught, {sum(one.seconds for one in outcomes) / 60:.1f} min")
    return int(caught < len(faults))


if __name__ == "__main__":
    sys.exit(main())
