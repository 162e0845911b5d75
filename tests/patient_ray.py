"""Start Ray on a busy machine: Ray waits 30 seconds for its processes, and no setting changes this limit."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from waiting import HANGS

STARTS = 20


def patient(init: Callable[..., Any]) -> Callable[..., Any]:
    """Return `ray.init`, which starts again where it fails, and raises only the error of the last of 20 starts."""
    import ray

    # These limits have settings, which the processes of Ray inherit
    for limit in ("RAY_gcs_server_port_wait_time_s", "RAY_worker_register_timeout_seconds"):
        os.environ[limit] = str(HANGS)

    @functools.wraps(init)
    def start(**settings: Any) -> Any:
        for _ in range(STARTS - 1):
            try:
                return init(**settings)
            except Exception:  # noqa: BLE001 - what Ray raises has no type of its own
                ray.shutdown()
        return init(**settings)

    return start
