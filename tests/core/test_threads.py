"""Work in several threads: its order, its errors, Ctrl-C, and a machine without memory for another thread."""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from inner_doors import in_threads, limit_batches
from waiting import HANGS

from bleu_metric import corpus_bleu

TEXTS = [f"the cat sat on mat {row}" for row in range(200)]


@pytest.fixture(autouse=True)
def two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_METRIC_THREADS", "2")
    limit_batches(monkeypatch, 40)


def assert_threads_ended(before: int) -> None:
    """A thread that has handed over its answer takes another moment to end."""
    ends = time.monotonic() + HANGS
    while _thread._count() > before and time.monotonic() < ends:
        time.sleep(0.001)
    assert _thread._count() == before


@pytest.mark.parametrize("count", [1, 2, 7])
def test_answers_are_in_the_order_of_the_items(count: int) -> None:
    gates = [threading.Event() for _ in range(20)]

    def work(item: int) -> int:
        if count > 1 and item % 2 == 0 and item < 19:
            gates[item + 1].wait(5)  # the next item ends first
        gates[item].set()
        return item

    assert [*in_threads(work, range(20), count)] == [*range(20)]
    assert [*in_threads(work, [], count)] == []


def test_the_first_error_is_raised_and_ends_the_work() -> None:
    done = []

    def work(item: int) -> int:
        if item == 3:
            raise KeyError("three")
        done.append(item)
        return item

    before = _thread._count()
    with pytest.raises(KeyError, match="three"):
        list(in_threads(work, range(1000), 2))
    assert {0, 1, 2} <= {*done}
    assert_threads_ended(before)


def test_ctrl_c_ends_a_slow_tokenizer() -> None:
    calls = []

    def slow(text: str) -> list[str]:
        calls.append(text)
        if len(calls) == 10:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        return text.split()

    with pytest.raises(KeyboardInterrupt):
        corpus_bleu(TEXTS, TEXTS[::-1], tokenizer=slow)
    assert len(calls) < len(TEXTS)


def limit_threads(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Let a thread start only while fewer than so many others run, as where no memory is left for more."""
    before = _thread._count()

    def limited(start: Callable[..., Any]) -> Callable[..., Any]:
        def start_or_fail(*arguments: Any) -> Any:
            if _thread._count() - before >= most:
                raise RuntimeError("can't start new thread")
            return start(*arguments)

        return start_or_fail

    monkeypatch.setattr(_thread, "start_new_thread", limited(_thread.start_new_thread))
    monkeypatch.setattr(threading.Thread, "start", limited(threading.Thread.start))


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_without_memory_for_so_many_threads_the_caller_counts(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = corpus_bleu(TEXTS, TEXTS[::-1])
    before = _thread._count()
    limit_threads(monkeypatch, threads)
    for _ in range(2):
        assert corpus_bleu(TEXTS, TEXTS[::-1]) == expected
        assert_threads_ended(before)
