"""Parallel work in several threads. An error or Ctrl-C can end it at any moment."""

from __future__ import annotations

import _thread
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from typing import TypeVar, cast

from ._validation import short_repr

Item = TypeVar("Item")
Answer = TypeVar("Answer")

# Once this event is set, a thread must end its work. Code that calls a user's slow function checks it between calls
STOP: ContextVar[threading.Event | None] = ContextVar("STOP", default=None)

_LONGEST_WAIT = 0.1  # seconds; short, because Ctrl-C cannot end a wait on Windows, or anywhere once polars is imported


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], count: int) -> Iterator[Answer]:
    """Yield `work(item)` for each item, in the order of the items. Meanwhile `count` threads work on later items.

    If `work` fails for an item, its error is raised instead of a result, and all threads stop. `threading.Thread` and
    `concurrent.futures` are not used, because Ctrl-C at a bad moment can leave their locks locked forever.
    """
    stop = threading.Event()
    todo = deque(enumerate(items))
    total = len(todo)
    outcomes: dict[int, tuple[Answer | None, BaseException | None]] = {}
    begun: list[None] = []  # one entry per thread that has called `run`
    ended: list[None] = []
    signals: SimpleQueue[None] = SimpleQueue()

    def attempt_next() -> None:
        with suppress(IndexError):  # another thread took the last item
            number, item = todo.popleft()
            try:
                outcomes[number] = work(item), None
            except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
                outcomes[number] = None, error
            signals.put(None)

    def run() -> None:
        begun.append(None)
        STOP.set(stop)
        while todo and not stop.is_set():
            attempt_next()
        ended.append(None)
        signals.put(None)

    try:
        is_alone = not sum(_starts(run) for _ in range(count))
        for number in range(total):
            while number not in outcomes:
                if is_alone:
                    attempt_next()
                else:  # if memory is short, a thread may start and end without calling `run`
                    is_alone = not (_wait(signals) or begun)
            answer, error = outcomes.pop(number)
            if error is not None:
                raise error
            yield cast(Answer, answer)
    finally:
        stop.set()
        while len(ended) < len(begun):
            _wait(signals)


def _starts(work: Callable[[], None]) -> bool:
    """Start a thread; return False if there is no memory for one."""
    try:
        _thread.start_new_thread(work, ())
    except RuntimeError:
        return False
    return True


def _wait(signals: SimpleQueue[None]) -> bool:
    """Wait for a signal. Return False if none came within `_LONGEST_WAIT`."""
    try:
        signals.get(timeout=_LONGEST_WAIT)
    except Empty:
        return False
    return True


def thread_count() -> int:
    """Return BLEU_METRIC_THREADS if it is set, otherwise the number of processors that this process may use."""
    text = os.environ.get("BLEU_METRIC_THREADS", "")
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    is_number = text.isascii() and text.isdigit() and len(text) < 20  # `int` fails for more than 4300 digits
    if not is_number or int(text) == 0:
        raise ValueError(
            f"the environment variable BLEU_METRIC_THREADS must be an integer >= 1, got {short_repr(text)}"
        )
    return int(text)
