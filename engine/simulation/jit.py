"""The one way in which Coplay compiles: `njit` with a disk cache that notices every change
(`engine.simulation.code_cache`), and with less work than numba makes of it (`engine.simulation.linking`).

Not for choosing what is compiled: rule functions say that themselves with `@rule`.

`NUMBA_DISABLE_JIT=1` leaves every function plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types

from engine.simulation.code_cache import CodeCache
from engine.simulation.linking import Compiled


def njit(
    function: Callable[..., Any] | None = None, literals: bool = False, cache: bool = True, **options: Any
) -> Any:
    """`numba.njit` that caches, releases the GIL and doesn't check for division by zero; or with more
    options. `literals`: a function that is called with numbers as they stand in the source is compiled for
    these numbers alone, as faster code.
    """
    if function is None:
        return lambda function: njit(function, literals=literals, cache=cache, **options)
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    settings = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}
    compiled = Compiled(function, targetoptions=settings)
    compiled.widen = None if literals else _plain
    if cache:
        compiled._cache = CodeCache(compiled)
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
    """`rule` for functions that only compiled code calls: from Python they run as plain Python."""
    compiled = rule(function)
    if isinstance(compiled, Compiled):
        compiled.has_door = False
    return compiled
