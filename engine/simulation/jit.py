"""The one way in which Coplay compiles: `njit` with a disk cache that notices every edit.

Numba's own cache looks only at the file that holds a function, not at the functions that it calls, and a
folder shared by machines may hold code for another CPU. So the cache folder's name carries a hash of every
source file of the engine that is compiled, of the numba version and of the CPU model; a changed rule means
another folder.

Not for choosing what is compiled: rule functions say that themselves with `@njit`.

`NUMBA_DISABLE_JIT=1` leaves every function plain Python. The folder is `$COPLAY_VAR/numba/<hash>`, by default
`var/numba/<hash>` in the repository; `NUMBA_CACHE_DIR` set by the user wins.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba

ROOT = Path(__file__).resolve().parents[2]


def var_folder() -> Path:
    """The folder for everything that may be rebuilt: `$COPLAY_VAR`, by default `var` in the repository."""
    return Path(os.environ.get("COPLAY_VAR") or ROOT / "var")


def source_hash() -> str:
    """A hash (16 hex digits) of every engine source that mentions jit, the numba version and the CPU model."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "engine").rglob("*.py")):
        text = path.read_bytes()
        if b"jit" in text:
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + text + b"\0")
    cpu = llvm.get_host_cpu_name() + llvm.get_host_cpu_features().flatten()
    digest.update(f"{numba.__version__} {cpu}".encode())
    return digest.hexdigest()[:16]


def _choose_cache_folder() -> Path:
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    name = source_hash()
    for parent in (var_folder(), Path(tempfile.gettempdir()) / f"coplay-{os.getuid()}"):
        folder = parent / "numba" / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return folder


CACHE_FOLDER = _choose_cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """`numba.njit(nogil=True, cache=True)`: as a decorator alone, or with numba's options
    (`inline="always"`).
    """
    settings: dict[str, Any] = {"nogil": True, "cache": True, **options}
    if function is None:
        return numba.njit(**settings)
    return numba.njit(**settings)(function)
