"""Work in other threads that an error or Ctrl-C can end at any moment."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from ._validation import short_repr

Answer = TypeVar("Answer")
Progress = Callable[[int, int], object]  # called with the work done and all work

# The event that asks the work of a thread to end. Long work that calls functions of users looks at it between two calls
STOP: ContextVar[threading.Event | None] = ContextVar("STOP", default=None)

_SECONDS = 0.1  # between two looks for Ctrl-C: on Windows, and once polars is imported, it ends no wait


class Threads:
    """A number of threads, used in a ``with`` block. Its end asks running work to stop and starts no other work.

    Locks in Python's own `concurrent.futures` stay locked for ever if Ctrl-C comes at the wrong moment, and then other
    threads and the end of the program wait for them. So interrupts are held back while this class uses such locks.
    """

    def __init__(self, count: int) -> None:
        """Take up to so many threads; they start with the first work."""
        self._stop = threading.Event()
        self._executor = ThreadPoolExecutor(count)
        self._unread: set[Future[Any]] = set()

    def __enter__(self) -> Threads:
        return self

    def start(self, work: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        """Let the next free thread do the work."""

        def until_stopped() -> Answer:
            STOP.set(self._stop)
            return work(*arguments)

        with _interrupts_held_back():
            future = self._executor.submit(until_stopped)
            self._unread.add(future)
        return future

    def result(self, future: Future[Answer]) -> Answer:
        """Wait for the answer of work that was started, or raise its error."""
        while self._is_running(future):
            pass
        with _interrupts_held_back():
            self._unread.discard(future)
            return future.result()

    def __exit__(self, *_: object) -> None:
        with _interrupts_held_back():
            self._stop.set()
            self._executor.shutdown(wait=False, cancel_futures=True)
            unread = [future for future in self._unread if not future.cancelled()]
        for future in unread:
            while self._is_running(future):  # a second Ctrl-C ends the wait for a function that does not return
                pass
        with _interrupts_held_back():
            self._executor.shutdown()

    def _is_running(self, future: Future[Answer]) -> bool:
        """Wait a moment for the end of work, and say whether it still runs. Ctrl-C comes after that moment."""
        with _interrupts_held_back():
            return bool(wait([future], _SECONDS).not_done)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let Ctrl-C wait until the block ends.

    Its handler is replaced. A mask of signals would not do: another thread of the process would take the signal.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield  # Ctrl-C interrupts the main thread alone, and nothing if it is ignored
        return
    held_back: list[tuple[object, ...]] = []
    signal.signal(signal.SIGINT, lambda *interrupt: held_back.append(interrupt))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held_back:
            handler(*held_back[0])  # type: ignore[arg-type]


def thread_count() -> int:
    """How many threads count: all processors this process may use, or what BLEU_METRIC_THREADS says."""
    text = os.environ.get("BLEU_METRIC_THREADS", "")
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    is_number = text.isascii() and text.isdigit() and len(text) < 20  # Python reads no more than 4300 digits
    if not is_number or int(text) == 0:
        raise ValueError(
            f"the environment variable BLEU_METRIC_THREADS must be a whole number >= 1, got {short_repr(text)}"
        )
    return int(text)
