"""Whether this worker has a GPU for its jobs. The setting WORKER_DEVICE says "auto" (ask torch), "cuda", or
"cpu": then jobs see no GPU even where there is one. Not for what a job computes on (its program's setting).
"""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import cache

from django.conf import settings

_asking = threading.Lock()


def is_here() -> bool:
    """Whether this worker's jobs can compute on a GPU."""
    if settings.WORKER_DEVICE != "auto":
        return settings.WORKER_DEVICE == "cuda"
    with _asking:  # one thread asks, the others wait for the answer
        return usual_device().startswith("cuda")


@cache
def usual_device() -> str:
    """What a training with the device "auto" would compute on; asked once, in a process of its own, because
    workers don't import torch.
    """
    command = [sys.executable, "-m", "engine.learning.run.devices"]
    printed = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    return printed.stdout.strip() or "cpu"


def environment() -> dict[str, str]:
    """What jobs of this worker see besides its own environment."""
    return {"CUDA_VISIBLE_DEVICES": ""} if settings.WORKER_DEVICE == "cpu" else {}
