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

_LONGEST_WAIT = 0.1  # seconds: on Windows, and once polars is imported, Ctrl-C does not end a wait


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], count: int) -> Iterator[Answer]:
    """Yield the answers in the order of the items; up to `count` threads work ahead, also while the caller is busy.

    An error is raised when it is its item's turn, and ends the others' work. Each item has a thread of its own. It is
    not started by `threading.Thread` or `concurrent.futures`, whose locks can stay locked for ever if Ctrl-C comes at
    the wrong moment.
    """
    stop = threading.Event()
    answers: dict[int, Answer] = {}
    errors: dict[int, BaseException] = {}
    ended: list[int] = []
    signals: SimpleQueue[None] = SimpleQueue()

    def attempt(number: int, item: Item) -> None:
        STOP.set(stop)
        try:
            answers[number] = work(item)
        except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
            errors[number] = error
        ended.append(number)
        signals.put(None)

    numbered = enumerate(items)
    started = number = 0
    try:
        while True:
            for ahead, item in islice(numbered, count - (started - len(ended))):
                _start(attempt, ahead, item)
                started += 1
            if number in errors:
                raise errors[number]
            if number in answers:
                yield answers.pop(number)
                number += 1
            elif number == started:
                return
            else:
                _wait(signals)
    finally:
        stop.set()
        while len(ended) < started:  # Ctrl-C may leave `started` too low, never too high
            _wait(signals)


def _start(work: Callable[..., object], *arguments: object) -> None:
    try:
        _thread.start_new_thread(work, arguments)
    except RuntimeError:  # there is no memory for another thread
        copy_context().run(work, *arguments)  # so that the caller keeps its own STOP


def _wait(signals: SimpleQueue[None]) -> None:
    with suppress(Empty):
        signals.get(timeout=_LONGEST_WAIT)


def thread_count() -> int:
    """Return how many threads to count with: BLEU_METRIC_THREADS, or all processors this process may use."""
    text = os.environ.get("BLEU_METRIC_THREADS", "")
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    is_number = text.isascii() and text.isdigit() and len(text) < 20  # Python reads no more than 4300 digits
    if not is_number or int(text) == 0:
        raise ValueError(
            f"the environment variable BLEU_METRIC_THREADS must be a whole number >= 1, got {short_repr(text)}"
        )
    return int(text)
