"""An interrupt at any moment leaves no wrong number, no lock and no file."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from faulty_runs import FOLDER, run
from waiting import HANGS

pytestmark = pytest.mark.heavy

COMMAND = """
import contextlib, os, signal, sys
from pathlib import Path
from bleu_metric.cli.main import run

interrupted_at, report, command = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
    run(command)  # loads all modules: an interrupt while C code of others is loaded is theirs
report.write_text("old")
calls = 0

def count(frame, event, argument):
    global calls
    calls += 1
    if calls == interrupted_at:
        os.kill(os.getpid(), signal.SIGINT)

sys.setprofile(count)
status = run(command)
sys.setprofile(None)
if not interrupted_at:
    print(calls)
sys.exit(status)
"""


def test_interrupts_of_the_command_line(tmp_path: Path) -> None:
    """After so many calls of functions, which are as many on any machine: status 130, one line, the old file, no draft."""
    texts, same, report = tmp_path / "texts", tmp_path / "same", tmp_path / "report.html"
    for path in (texts, same):
        path.write_text("".join(f"a b c w{n} d e f g\n" for n in range(6_000)))
    arguments = [str(report), "report", str(texts), "-r", str(same), "-o", str(report)]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "BLEU_METRIC_THREADS": "2"}

    def ran(moment: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", COMMAND, str(moment), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=HANGS, check=False)

    calls, draw = int(ran(0).stdout.split()[-1]), random.Random(1)
    for moment in [1000, *(int(calls * draw.uniform(0.01, 0.95)) for _ in range(3))]:
        interrupted = ran(moment)
        assert (interrupted.returncode, interrupted.stdout) == (130, ""), (moment, calls, interrupted.stderr)
        assert interrupted.stderr.strip() == "bleu-metric: interrupted"
        assert report.read_text() == "old"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "same", "texts"]


EVERY_MOMENT = """
import _thread
import pytest
from corpora import long_corpus
from inner_doors import limit_batches
from bleu_metric import bootstrap, corpus_bleu, corpus_statistics

limit_batches(pytest.MonkeyPatch(), 40)  # so that there are several
texts, references_of_texts = long_corpus(200)
calls, interrupted_at = 0, 0

metric = load()

def work():
    corpus_bleu(texts, references_of_texts)
    metric.compute(predictions=texts, references=references_of_texts)
    return bootstrap(corpus_statistics(texts, references_of_texts, tokenizer=lambda text: text.split()), n_resamples=40)

def interrupt(frame, event, argument):
    global calls
    calls += 1
    if calls == interrupted_at:
        os.kill(os.getpid(), signal.SIGINT)

def traced():
    global calls
    calls = 0
    sys.setprofile(interrupt)
    try:
        work()
    finally:
        sys.setprofile(None)

right_answer = work()
fewest = 10**9  # calls: on a busy machine, a thread that waits makes more of them
for _ in range(5):
    traced()
    fewest = min(fewest, calls)
moments, interrupted = range(1, fewest, fewest // 100), 0
for interrupted_at in moments:
    try:
        traced()
    except KeyboardInterrupt:
        interrupted += 1
assert interrupted > len(moments) * 0.9, interrupted  # Python drops those within callbacks of weak references
assert work() == right_answer
right(metric)
assert left() == [], left()
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
ends = time.monotonic() + HANGS
while _thread._count() and time.monotonic() < ends:
    time.sleep(0.001)
assert _thread._count() == 0
print("interrupted")
"""


def test_an_interrupt_at_any_call_leaves_no_thread_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_METRIC_THREADS", "2")
    assert "interrupted" in run(EVERY_MOMENT, tmp_path / "cache")
