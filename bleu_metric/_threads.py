"""Work in several threads that an error or Ctrl-C can end at any moment."""

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

# The event that asks a thread to end its work. Long work checks it between two calls of a user's function
STOP: ContextVar[threading.Event | None] = ContextVar("STOP", default=None)

_LONGEST_WAIT = 0.1  # seconds: on Windows, and once polars is imported, Ctrl-C does not end a wait


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], count: int) -> Iterator[Answer]:
    """Yield the answers in the order of the items, while `count` threads work on the next items.

    An error is raised in its item's turn and ends the work of all threads. Neither `threading.Thread` nor
    `concurrent.futures` starts the threads, because their locks can stay locked forever after Ctrl-C at a bad moment.
    """
    stop = threading.Event()
    todo = deque(enumerate(items))
    total = len(todo)
    outcomes: dict[int, tuple[Answer | None, BaseException | None]] = {}
    begun: list[None] = []  # one entry per thread
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
                else:  # without memory, threads end before they begin
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
    """Wait for a signal; return False if none came in time."""
    try:
        signals.get(timeout=_LONGEST_WAIT)
    except Empty:
        return False
    return True


def thread_count() -> int:
    """Return the number of threads that count: BLEU_METRIC_THREADS, or all processors that this process may use."""
    text = os.environ.get("BLEU_METRIC_THREADS", "")
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    is_number = text.isascii() and text.isdigit() and len(text) < 20  # Python reads no more than 4300 digits
    if not is_number or int(text) == 0:
        raise ValueError(
            f"the environment variable BLEU_METRIC_THREADS must be a whole number >= 1, got {short_repr(text)}"
        )
    return int(text)
