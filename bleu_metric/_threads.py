"""Run work in several threads, so that an error or Ctrl-C can stop it at any moment."""

from __future__ import annotations

import _thread
import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from contextvars import ContextVar
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar, cast

from ._validation import short_repr

Item = TypeVar("Item")
Answer = TypeVar("Answer")

# Each thread of `in_threads` must end its work once this event is set. In other threads, there is no event
_STOP: ContextVar[threading.Event | None] = ContextVar("_STOP", default=None)

# In seconds. It is short, because Ctrl-C cannot end a wait on Windows, or anywhere after polars is imported
_LONGEST_WAIT = 0.1


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], count: int) -> Iterator[Answer]:
    """Yield `work(item)` for each item, in the order of the items. Meanwhile up to `count` threads work on later items.

    If `count` is 1, the caller's thread does the work. If `work` raises an error for an item, this error is raised
    instead of a result, and all threads stop. `threading.Thread` and `concurrent.futures` are not used, because
    Ctrl-C at a bad moment can leave their locks locked forever.
    """
    workers = _Workers(work, items)
    numbers = range(len(workers.todo))  # before the threads remove items from `todo`
    try:
        workers.start(count)
        for number in numbers:
            yield workers.answer(number)
    finally:
        workers.end()


class _Workers(Generic[Item, Answer]):
    """Threads that work on the items of a list, and the outcomes of their work."""

    def __init__(self, work: Callable[[Item], Answer], items: Iterable[Item]) -> None:
        self.work = work
        self.todo = deque(enumerate(items))  # (number, item) of each item on which no thread works yet
        # This dict is: number of the item -> outcome, which is an answer or an error
        self.outcomes: dict[int, tuple[Answer | None, BaseException | None]] = {}
        self.stop = threading.Event()
        # `signals` gets one entry for each outcome and for each thread that ended
        self.signals: SimpleQueue[None] = SimpleQueue()
        # `started` has one entry per thread that began `_run`. It is a list, because `append` is atomic
        self.started: list[None] = []
        self.ended: list[None] = []  # one entry per thread that finished `_run`
        # Whether the caller's thread does the work, as it does until another thread starts
        self.uses_caller = True

    def start(self, count: int) -> None:
        """Start a thread for each item, but at most `count`, and fewer if memory is short.

        If there would be only one thread, start none.
        """
        n_threads = min(count, len(self.todo))
        if n_threads == 1:
            return  # the caller's thread would only wait for it
        # The error means that there is too little memory for a thread, or for a further one
        with suppress(RuntimeError):
            for _ in range(n_threads):
                _thread.start_new_thread(self._run, ())
                self.uses_caller = False

    def _run(self) -> None:
        """Work on items until none is left or `stop` is set. Each thread calls this method."""
        self.started.append(None)
        _STOP.set(self.stop)
        while self.todo and not self.stop.is_set():
            self._attempt_next()
        self.ended.append(None)
        self.signals.put(None)

    def _attempt_next(self) -> None:
        """Work on the next item, and store its outcome: an answer or an error."""
        try:
            number, item = self.todo.popleft()
        except IndexError:  # another thread took the last item
            return

        try:
            self.outcomes[number] = self.work(item), None
        except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
            self.outcomes[number] = None, error
        self.signals.put(None)

    def answer(self, number: int) -> Answer:
        """Wait until the item with this number is done. Return its answer, or raise its error."""
        while number not in self.outcomes:
            if self.uses_caller:
                self._attempt_next()
            elif not _wait(self.signals) and not self.started:
                # No thread has called `_run`, which can happen if memory is short
                self.uses_caller = True

        answer, error = self.outcomes.pop(number)
        if error is not None:
            raise error
        return cast(Answer, answer)

    def end(self) -> None:
        """Stop all threads, and wait until they have ended."""
        self.stop.set()
        while len(self.ended) < len(self.started):
            _wait(self.signals)


def lock_of_module() -> threading.RLock:
    """Return a lock that stays usable in forked processes. Use it for every lock that outlives a call.

    A fork waits until no other thread holds the lock. Otherwise the child, which has only the forking thread, would
    wait for ever. Call this function only when a module is imported, because the hooks are never removed.
    """
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(before=lock.acquire, after_in_child=lock.release, after_in_parent=lock.release)
    return lock


class computed_once(cached_property[Answer]):  # noqa: N801 - the name of a decorator
    """A `cached_property` without the lock that it has in Python 3.11, because a fork could copy the lock locked."""

    def __init__(self, function: Callable[[Any], Answer]) -> None:
        super().__init__(function)
        self.lock = nullcontext()


def end_if_stopped() -> None:
    """Raise ``CancelledError`` in a thread that must end its work. Call this before each call of a slow function."""
    stop = _STOP.get()
    if stop is not None and stop.is_set():
        from concurrent.futures import CancelledError  # imported here, because it imports logging

        raise CancelledError


def _wait(signals: SimpleQueue[None]) -> bool:
    """Wait for a signal. Return False if none arrives within `_LONGEST_WAIT` seconds."""
    try:
        signals.get(timeout=_LONGEST_WAIT)
    except Empty:
        return False
    return True


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
