"""Run work in several threads, so that an error or Ctrl-C can stop it at any moment."""

from __future__ import annotations

import _thread
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ._validation import short_repr

Item = TypeVar("Item")
Answer = TypeVar("Answer")

# Each thread of `in_threads` must end its work once this event is set. In other threads, there is no event
_STOP: ContextVar[threading.Event | None] = ContextVar("_STOP", default=None)

# In seconds. It is short, because Ctrl-C cannot end a wait on Windows, or anywhere after polars is imported
_LONGEST_WAIT = 0.1


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], count: int) -> Iterator[Answer]:
    """Yield `work(item)` for each item, in the order of the items. Meanwhile up to `count` threads work on later items.

    If `count` is 1, or if memory is too short for so many threads, the caller's thread does the work. If `work` raises
    an error for an item, this error is raised instead of a result, and all threads stop.
    """
    todo = list(items)
    if min(count, len(todo)) <= 1:
        yield from map(work, todo)
        return

    stop = threading.Event()
    finished: SimpleQueue[Any] = SimpleQueue()  # a future for each item, in the order of the items, and then None
    running: list[None] = []  # has an entry while the pool exists

    # The pool has a thread of its own, because Ctrl-C in the caller's thread could leave the pool's locks locked
    def run_pool() -> None:
        running.append(None)
        # Without enough memory for a thread, the caller's thread does the work
        with suppress(RuntimeError, MemoryError):
            from concurrent.futures import ThreadPoolExecutor  # imported here, because it imports logging

            pool = ThreadPoolExecutor(count, initializer=_STOP.set, initargs=(stop,))
            try:
                for future in [pool.submit(work, item) for item in todo]:
                    future.exception()  # waits until the work is done
                    finished.put(future)
                    if stop.is_set():
                        break
            finally:
                pool.shutdown(cancel_futures=True)
        running.clear()
        finished.put(None)

    n_answers = 0
    try:
        try:
            _thread.start_new_thread(run_pool, ())
        except RuntimeError:  # there is too little memory for a thread
            finished.put(None)
        while (future := _next(finished)) is not None:
            yield future.result()
            n_answers += 1
        yield from map(work, todo[n_answers:])
    finally:
        stop.set()
        while running:
            _next(finished)


def _next(finished: SimpleQueue[Any]) -> Any:
    """Wait for the next entry, and return it."""
    while True:
        with suppress(Empty):
            return finished.get(timeout=_LONGEST_WAIT)


def end_if_stopped() -> None:
    """Raise ``InterruptedError`` in a thread that must end its work. Call this before each call of a slow function."""
    stop = _STOP.get()
    if stop is not None and stop.is_set():
        raise InterruptedError


def thread_count() -> int:
    """Return BLEU_METRIC_THREADS if it is set, otherwise the number of processors that this process may use.

    Raise ``ValueError`` if the variable is not an integer above 0.
    """
    text = os.environ.get("BLEU_METRIC_THREADS", "")
    # The pattern allows at most 18 digits, which fit into 64 bits
    if text and not re.fullmatch("0*[1-9][0-9]{0,17}", text):
        raise ValueError(
            f"the environment variable BLEU_METRIC_THREADS must be an integer >= 1, got {short_repr(text)}"
        )
    if text:
        return int(text)

    if hasattr(os, "sched_getaffinity"):  # on Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # `cpu_count` returns None if it does not know the number
