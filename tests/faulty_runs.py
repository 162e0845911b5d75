"""Scripts that run in a process of their own, for faults that a test could not survive."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from waiting import HANGS

import bleu_metric

FOLDER = Path(bleu_metric.__file__).parent


PATHS = os.pathsep.join([str(FOLDER.parent), str(Path(__file__).parent)])  # of the package and of `waiting`

# What the scripts start with. `right` scores with an object after a fault: the right number, and without waiting.
START = """
import os, resource, signal, sys, threading, time
sys.dont_write_bytecode = True  # a limit of the size of files would cut these off, too
from pathlib import Path
sys.modules["transformers"] = None  # evaluate would import it, which takes seconds
import evaluate
import bleu_metric
del sys.modules["transformers"]  # datasets imports it if the name is there
from corpora import metric_result
from waiting import HANGS, no_waiting
folder, cache = sys.argv[1:3]
predictions = ["the cat sat on the mat .", "a dog was here", "hello there , general kenobi"]
references = [["the cat sat on a mat .", "a cat was on the mat ."], ["the dog was here"], ["hello there , general"]]
expected = metric_result(predictions, references)

def load(**options):
    return evaluate.load(folder, cache_dir=cache, **options)

def right(metric):
    with no_waiting():
        assert metric.compute(predictions=predictions, references=references) == expected

def left():
    "Files in the cache but the locks that evaluate leaves for the next run of several processes."
    return [path.name for path in Path(cache).rglob("*") if path.is_file() and path.suffix != ".lock"]

def limited(limit, work):
    "Do the work under a limit of the system; the error that it ends in."
    soft, hard = resource.getrlimit(limit[0])
    resource.setrlimit(limit[0], (limit[1], hard))
    try:
        work()
    except Exception as error:
        return error
    finally:
        resource.setrlimit(limit[0], (soft, hard))
"""


def start(code: str, cache: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a script in a process of its own."""
    command = [sys.executable, "-c", START + code, str(FOLDER), str(cache), *arguments]
    environment = {**os.environ, "PYTHONPATH": PATHS, "HF_HOME": str(cache.parent / "home")}
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, cwd=cache.parent, **pipes)  # not a folder with the package


def run(code: str, cache: Path, *arguments: str) -> str:
    """Run a script in a process of its own: what it printed."""
    process = start(code, cache, *arguments)
    out, err = process.communicate(timeout=HANGS)
    assert process.returncode == 0, err[-3000:]
    return out


def together(work: Callable[[int], Any], workers: int) -> list[Any]:
    """Do the work in threads that start at the same moment."""
    barrier = threading.Barrier(workers, timeout=HANGS)

    def started(worker: int) -> Any:
        barrier.wait()
        return work(worker)

    with ThreadPoolExecutor(workers) as executor:
        return list(executor.map(started, range(workers)))
