"""Run work in several threads, so that an error or Ctrl-C can stop it at any moment."""

from __future__ import annotations

import _thread
import os
import re
import threading
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from contextvars import ContextVar
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from ._validation import short_repr

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Answer = TypeVar("Answer")

# When this event is set, the threads of `in_threads` stop. In other threads, the value is None
_STOP: ContextVar[threading.Event | None] = ContextVar("_STOP", default=None)

# In seconds; short, because Ctrl-C cannot end a wait on Windows, or anywhere after polars is imported
_LONGEST_WAIT = 0.1


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], count: int) -> list[Answer]:
    """Return `work(item)` for each item, in the order of the items, with up to `count` threads.

    If `count` is 1 or memory is too short for threads, the caller's thread does the work. If `work` raises an error,
    all threads stop, and `in_threads` raises this error.
    """
    todo = list(items)
    if min(count, len(todo)) <= 1:
        return [work(item) for item in todo]

    stop = threading.Event()
    finished: SimpleQueue[list[Future[Answer]]] = SimpleQueue()  # gets one list, which is empty without threads
    running: list[None] = []  # has an entry while the pool exists

    def work_unless_stopped(item: Item) -> Answer:
        end_if_stopped()
        return work(item)

    # The pool has its own thread, because Ctrl-C in the caller's thread could leave the pool's locks locked
    def run_pool() -> None:
        running.append(None)
        futures: list[Future[Answer]] = []
        # Without enough memory for a thread, the caller's thread does the work
        with suppress(RuntimeError, MemoryError):
            # Imported here, because concurrent.futures imports logging
            from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

            pool = ThreadPoolExecutor(count, initializer=_STOP.set, initargs=(stop,))
            try:
                futures = [pool.submit(work_unless_stopped, item) for item in todo]
                wait(futures, return_when=FIRST_EXCEPTION)
            finally:
                pool.shutdown(cancel_futures=True)
        running.clear()
        finished.put(futures)

    try:
        _thread.start_new_thread(run_pool, ())
        futures = _next(finished)
    except RuntimeError:  # there is too little memory for a thread
        futures = []
    finally:
        stop.set()
        while running:
            _next(finished)
    return [future.result() for future in futures] or [work(item) for item in todo]


def _next(finished: SimpleQueue[Answer]) -> Answer:
    """Return the next entry. Wait in short steps, because Ctrl-C cannot end a wait on every system."""
    while True:
        with suppress(Empty):
            return finished.get(timeout=_LONGEST_WAIT)


def lock_of_module() -> threading.RLock:
    """Return a lock that stays usable in forked processes, for every lock that outlives a call.

    A fork waits for the lock, because the child could never get a lock that another thread holds. Call
    `lock_of_module` only when a module is imported, because the hooks are never removed.
    """
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(before=lock.acquire, after_in_child=lock.release, after_in_parent=lock.release)
    return lock


class computed_once(cached_property[Answer]):  # noqa: N801 - the name of a decorator
    """A `cached_property` without the lock of Python 3.11, because a fork could copy a locked lock."""

    def __init__(self, function: Callable[[Any], Answer]) -> None:
        super().__init__(function)
        self.lock: object = nullcontext()


def end_if_stopped() -> None:
    """Raise ``InterruptedError`` if `in_threads` has stopped this thread. Call this before each slow step."""
    stop = _STOP.get()
    if stop is not None and stop.is_set():
        raise InterruptedError


def thread_count() -> int:
    """Return BLEU_METRIC_THREADS if it is set, otherwise the number of processors that this process may use.

    Raise ``ValueError`` if the variable is not an integer above 0.
    """
    text = os.environ.get("BLEU_METRIC_THREADS", "")
    # Numbers of 18 digits fit into 64 bits
    if text and not re.fullmatch("0*[1-9][0-9]{0,17}", text):
        raise ValueError(
            f"the environment variable BLEU_METRIC_THREADS must be an integer >= 1, got {short_repr(text)}"
        )
    if text:
        return int(text)

    if hasattr(os, "sched_getaffinity"):  # on Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # `cpu_count` returns None if the number is unknown
