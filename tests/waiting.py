"""Other threads, and whether work waits for them: told without a clock, so that a busy machine gives the same answer."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

# Seconds after which work is taken to hang. A busy machine may need minutes for one import.
HANGS = 1800


@contextlib.contextmanager
def no_waiting() -> Iterator[None]:
    """Raise where this thread sleeps: evaluate sleeps again and again while another holds the lock that it wants."""
    usual, thread = time.sleep, threading.get_ident()

    def sleep(seconds: float) -> None:
        if threading.get_ident() == thread:
            raise AssertionError(f"waited for {seconds} seconds")
        usual(seconds)

    time.sleep = sleep
    try:
        yield
    finally:
        time.sleep = usual


@contextlib.contextmanager
def meanwhile(change: Callable[[], object]) -> Iterator[None]:
    """Call a function again and again in another thread, and switch between threads often."""
    ends = threading.Event()

    def run() -> None:
        while not ends.is_set():
            change()

    thread, interval = threading.Thread(target=run), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()
        sys.setswitchinterval(interval)


def wait(until: Callable[[], Any], seconds: float = 300) -> Any:
    """Wait until something is true, and return it: long enough for a machine under load."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := until():
            return result
        time.sleep(0.1)
    raise TimeoutError(f"still not true after {seconds} seconds")
