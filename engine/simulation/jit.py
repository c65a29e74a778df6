"""The one way in which Coplay compiles: `njit` with a disk cache that notices every edit.

Numba's own cache looks only at the file that holds a function, not at the functions that it calls, and a
folder shared by machines may hold code for another CPU. So the cache folder's name carries a hash of every
source file of the engine that is compiled, of the numba version and of the CPU model; a changed rule means
another folder.

Not for choosing what is compiled: rule functions say that themselves with `@rule`.

`NUMBA_DISABLE_JIT=1` leaves every function plain Python. The folder is `$COPLAY_VAR/numba/<hash>`, by default
`var/numba/<hash>` in the repository; `NUMBA_CACHE_DIR` set by the user wins.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import types
from numba.core.caching import IndexDataCacheFile

ROOT = Path(__file__).resolve().parents[2]


def var_folder() -> Path:
    """The folder for everything that may be rebuilt: `$COPLAY_VAR`, by default `var` in the repository."""
    return Path(os.environ.get("COPLAY_VAR") or ROOT / "var")


def source_hash() -> str:
    """A hash (16 hex digits) of all engine sources that mention jit, the numba version and the CPU model."""
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
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]


_save = IndexDataCacheFile.save


def _save_alone(file: IndexDataCacheFile, key: Any, data: Any) -> None:
    """One process writes at a time: two that add to one index at once could each name the other's code."""
    with open(os.path.join(file._cache_path, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _save(file, key, data)


IndexDataCacheFile.save = _save_alone  # type: ignore[method-assign]


@contextmanager
def cache_in(name: str) -> Iterator[None]:
    """Cache what is decorated inside in a sub-folder: numba can't tell two modules made of one file apart."""
    numba.config.CACHE_DIR = str(CACHE_FOLDER / name)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]


def njit(function: Callable[..., Any] | None = None, literals: bool = False, **options: Any) -> Any:
    """`numba.njit` that caches, releases the GIL and doesn't check for division by zero; or with more
    options. `literals`: a function that is called with numbers as they stand in the source is compiled for
    these numbers alone, as faster code.
    """
    settings: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", **options}
    if function is None:
        return lambda function: njit(function, literals=literals, **options)
    compiled = numba.njit(**settings)(function)
    if not literals and hasattr(compiled, "get_call_template"):
        template = compiled.get_call_template

        def called(args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
            return template(tuple(map(_plain, args)), {name: _plain(kind) for name, kind in kws.items()})

        compiled.get_call_template = called
    return compiled


def _plain(kind: types.Type) -> types.Type:
    """One type for signed integers of all widths (arithmetic is in 64 bits anyway) and for every literal, one
    for arrays that may be written to and for others: numba would compile a function, and all that it calls,
    once for each. So a function that is called with an array that may not be written to has to keep to that
    by itself.
    """
    kind = types.unliteral(kind)
    if kind in types.signed_domain:
        return types.int64
    if isinstance(kind, types.Array) and not kind.mutable:
        return kind.copy(readonly=False)
    return kind


def rule(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """`njit` for functions that allocate nothing: without reference counts, which cost more than a rule does.

    Such a function may take views of its array arguments, but may neither make nor return an array.
    """
    return njit(function, _nrt=False, **options)


def inner(function: Callable[..., Any]) -> Any:
    """`rule` for functions that only compiled code calls: without what Python needs to call them, which takes
    longer to compile than most of them. From Python they run as plain Python.
    """
    compiled = rule(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    if hasattr(compiled, "get_call_template"):
        # Numba would call the wrapper that isn't there. What it doesn't know as compiled it asks for.
        compiled._insert = lambda *_: None
        compiled._compile_for_args = lambda *_, **__: function
    return compiled
