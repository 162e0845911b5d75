"""Files written whole or not at all: a draft beside the goal, that takes its place."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any


def write_whole(path: str | os.PathLike[str], content: Any) -> None:
    """Write bytes, so that a reader never meets half a file; a file of that name is replaced, and its mode kept.

    Of a link, the target is written. What is no regular file, such as a pipe, is written into. Raises ``OSError`` that
    names the goal, and then nothing is left behind.
    """
    goal = Path(os.path.realpath(path))
    status = _status(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "This is a folder; give the name of a file", str(goal))
    if status is None and not goal.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "No such folder", str(goal.parent))
    if status is None or (stat.S_ISREG(status.st_mode) and goal.exists()):  # /dev/stdout may be a file without a name
        _replace(goal, content, None if status is None else stat.S_IMODE(status.st_mode))
    else:
        Path(path).write_bytes(content)


def _status(path: str | os.PathLike[str]) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None


def _replace(goal: Path, content: Any, mode: int | None) -> None:
    # No `secrets`, whose import takes longer than that of this package's own modules
    draft = goal.with_name(f".bleu_metric-{os.getpid()}-{os.urandom(4).hex()}.part")
    try:
        with draft.open("xb") as file:
            if mode is not None:
                draft.chmod(mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(goal)
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), str(goal)) from error
    finally:
        draft.unlink(missing_ok=True)
