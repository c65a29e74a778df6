"""Where a program computes: what its setting `device` means on this machine.

`python -m engine.learning.run.devices` prints what "auto" is here, for processes that don't import torch.
"""

from __future__ import annotations

import torch

from engine.refusal import NotNow


def chosen(wanted: str) -> torch.device:
    """The device for "auto" (CUDA where there is some), "cpu", "cuda" or "cuda:N"; raises NotNow."""
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if wanted == "auto":
        return torch.device("cuda", 0) if count else torch.device("cpu")
    device = torch.device(wanted)
    if device.type == "cuda":
        if not count:
            raise NotNow(f"The device {wanted!r} was asked for, but there is no CUDA GPU; set auto or cpu.")
        if (device.index or 0) >= count:
            known = ", ".join(f"cuda:{index}" for index in range(count))
            raise NotNow(f"The device {wanted!r} was asked for; there are cpu, {known}.")
    return device


def named(device: torch.device) -> str:
    """A device for people: "cpu", "cuda:0 (NVIDIA H200)"."""
    if device.type != "cuda":
        return str(device)
    return f"{device} ({torch.cuda.get_device_name(device)})"


if __name__ == "__main__":
    print(named(chosen("auto")))
