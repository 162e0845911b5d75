"""Work in several threads, which an error or Ctrl-C ends at any moment."""

from __future__ import annotations

import _thread
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar, copy_context
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TypeVar

from ._validation import short_repr

Item = TypeVar("Item")
Answer = TypeVar("Answer")

# The event that asks the work of a thread to end. Long work that calls functions of users looks at it between two calls
STOP: ContextVar[threading.Event | None] = ContextVar("STOP", default=None)

_SECONDS = 0.1  # between two looks for Ctrl-C: on Windows, and once polars is imported, it ends no wait


def in_threads(  # noqa: C901 - every branch of the loop reads and sets its counters
    work: Callable[[Item], Answer], items: Iterable[Item], count: int
) -> Iterator[Answer]:
    """Yield the answers in the order of the items; up to `count` threads work ahead, also while the caller is busy.

    The first error is raised here and ends the others' work. Each item has a thread of its own, which shares no lock
    with the caller: those of `threading.Thread` and `concurrent.futures` stay locked for ever if Ctrl-C comes at the
    wrong moment.
    """
    stop = threading.Event()
    answers: dict[int, Answer] = {}
    errors: dict[int, BaseException] = {}
    begun: dict[int, object] = {}  # by the thread that came first: without memory, a new thread ends before it begins
    ended: list[int] = []
    signals: SimpleQueue[None] = SimpleQueue()

    def attempt(number: int, item: Item) -> None:
        own = object()
        if begun.setdefault(number, own) is not own:
            return
        try:
            STOP.set(stop)
            answers[number] = work(item)
        except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
            errors[number] = error
        ended.append(number)
        signals.put(None)

    waiting: dict[int, Item] = {}
    numbered = enumerate(items)
    started = number = 0
    try:
        while True:
            for ahead, item in islice(numbered, count - (started - len(ended))):
                waiting[ahead] = item
                _start(attempt, ahead, item)
                started += 1
            if number in errors:
                raise errors[number]
            if number in answers:
                yield answers.pop(number)
                del waiting[number]
                number += 1
            elif number == started:
                return
            elif _is_late(number, begun, signals):
                ended.append(number)
                answers[number] = work(waiting[number])
    finally:
        stop.set()
        while len(ended) < started:  # Ctrl-C may leave `started` too low, never too high
            ended += _claim(range(number, started), begun, signals) - {*ended}
            _wait(signals)


def _claim(numbers: Iterable[int], begun: dict[int, object], owner: object) -> set[int]:
    """Return the numbers that no thread has begun; none will begin them after this."""
    return {number for number in numbers if begun.setdefault(number, owner) is owner}


def _is_late(number: int, begun: dict[int, object], signals: SimpleQueue[None]) -> bool:
    """Wait; return whether no thread has begun an item, which is then the caller's."""
    return not _wait(signals) and bool(_claim([number], begun, signals))


def _start(work: Callable[..., object], *arguments: object) -> None:
    try:
        _thread.start_new_thread(work, arguments)
    except RuntimeError:  # there is no memory for another thread
        copy_context().run(work, *arguments)


def _wait(signals: SimpleQueue[None]) -> bool:
    """Return whether a signal came in time."""
    with suppress(Empty):
        signals.get(timeout=_SECONDS)
        return True
    return False


def thread_count() -> int:
    """Return how many threads count: all processors this process may use, or what BLEU_METRIC_THREADS names."""
    text = os.environ.get("BLEU_METRIC_THREADS", "")
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    is_number = text.isascii() and text.isdigit() and len(text) < 20  # Python reads no more than 4300 digits
    if not is_number or int(text) == 0:
        raise ValueError(
            f"the environment variable BLEU_METRIC_THREADS must be a whole number >= 1, got {short_repr(text)}"
        )
    return int(text)
