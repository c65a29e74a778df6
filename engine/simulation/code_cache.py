"""Compiled code on disk, found by what it is made of.

Numba's own cache goes by a file's path, line numbers and bytes, and doesn't look at the functions that a
function calls. Here the key of a function is a hash over all that its code depends on: its byte code, the
values of the globals that it names (numbers, tuples, arrays wherever they were read from, modules' members),
and the same of every function that it calls. So a comment, a docstring or a moved checkout compiles nothing
again, and a changed rule compiles what calls it. Numba adds its own version and the CPU.

The folder has one for each module. It is `$COPLAY_VAR/numba` where that is set, else one that all checkouts
of a user share (`~/.cache/coplay/numba`); `NUMBA_CACHE_DIR` set by the user wins. Not for GPUs: their code
isn't kept.
"""

from __future__ import annotations

import dis
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import EnumType
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.dispatcher import Dispatcher

from engine.simulation.linking import Compiled, Linked, linked, named

ROOT = Path(__file__).resolve().parents[2]
KEPT = 3  # versions of a function's code for one signature: a rule that is tried out both ways stays compiled
FORM = "2"  # of what is kept: code of another form is never loaded
UNUSED_DAYS = 30  # after which a module's code is thrown away
# Packages whose functions numba compiles by its own rules, if at all: their version is numba's affair.
KNOWN = {"numpy", "numba", *sys.stdlib_module_names}


def _folders() -> Iterator[Path]:
    """Where the code may be kept, the best first."""
    if folder := os.environ.get("COPLAY_VAR"):
        yield Path(folder)
    else:
        with suppress(RuntimeError):  # a user without a home
            yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "coplay"
        yield ROOT / "var"
    yield Path(tempfile.gettempdir()) / f"coplay-{os.getuid()}"


def _choose_folder() -> Path:
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    for parent in _folders():
        folder = parent / "numba"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return folder


CACHE_FOLDER = _choose_folder()


def made_of(function: Any) -> str:
    """A hash (hex) over all that the code of a function, compiled or plain, depends on."""
    digest = hashlib.sha256()
    numbers = {id(function): 0}
    waiting = [function]
    for reached in waiting:
        text, calls = _parts(reached)
        for called in calls:
            if id(called) not in numbers:
                numbers[id(called)] = len(waiting)
                waiting.append(called)
        digest.update(f"{text} {[numbers[id(called)] for called in calls]}\0".encode())
    return digest.hexdigest()


def _parts(function: Any) -> tuple[str, list[Any]]:
    """What a function is made of by itself, and the functions that it calls."""
    calls: list[Any] = []
    python, how = function, ""
    if isinstance(function, Dispatcher):
        python = function.py_func
        widen = getattr(function, "widen", None)
        how = f"{sorted(function.targetoptions.items())} {_value(widen, calls)}"
    code = python.__code__
    cells = (cell.cell_contents for cell in python.__closure__ or ())
    there = {**python.__globals__, **dict(zip(code.co_freevars, cells, strict=True))}
    names = list(dict.fromkeys([*_names(code), *code.co_freevars]))
    values = [f"{name} = {_member(there[name], names, calls)}" for name in names if name in there]
    defaults = _value((python.__defaults__, tuple(sorted((python.__kwdefaults__ or {}).items()))), calls)
    return f"{python.__module__}.{python.__qualname__} {how} {defaults} {_code(code)} {values}", calls


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _member(value: Any, names: list[str], calls: list[Any]) -> str:
    """A value; of a module of ours the members that a function may mean, by the names that it uses."""
    if not isinstance(value, ModuleType) or _is_known(value.__name__):
        return _value(value, calls)
    mine = vars(value)
    return f"{value.__name__} {[f'{n} = {_member(mine[n], names, calls)}' for n in names if n in mine]}"


def _is_known(module: str | None) -> bool:
    return (module or "builtins").partition(".")[0] in KNOWN


def _value(value: Any, calls: list[Any]) -> str:
    """A text that two values share only if they compile to the same code."""
    if isinstance(value, tuple):
        return f"{type(value).__qualname__}({', '.join(_value(part, calls) for part in value)})"
    if isinstance(value, np.ndarray):
        order = (value.flags.c_contiguous, value.flags.f_contiguous)
        return f"array {value.dtype!r} {value.shape} {order} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic):
        return f"{type(value).__qualname__} {value!r}"
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, Dispatcher) or isinstance(value, FunctionType) and not _is_known(value.__module__):
        calls.append(value)
        return "function"
    if isinstance(value, EnumType):
        return repr(list(value))
    if isinstance(value, FunctionType | BuiltinFunctionType | type):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, np.ufunc | np.dtype | types.Type):
        return repr(value)
    return type(value).__qualname__  # numba takes no such constant, so that name means something else there


def _code(code: CodeType) -> str:
    """Byte code with its constants in place: a docstring is a constant too, but nothing loads it."""
    loads = []
    far = 0
    for place in range(0, len(code.co_code), 2):
        operation, argument = code.co_code[place], code.co_code[place + 1] | far
        far = argument << 8 if operation == dis.EXTENDED_ARG else 0
        if operation in dis.hasconst:
            loads.append((operation, _constant(code.co_consts[argument])))
        else:
            loads.append((operation, str(argument)))
    head = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & 0x0F)
    return f"{head} {code.co_names} {code.co_varnames} {code.co_exceptiontable!r} {loads}"


def _constant(value: Any) -> str:
    if isinstance(value, CodeType):
        return _code(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_constant, value)))}}}"
    return repr(value)


class _Locator(_CacheLocator):
    """A folder for each module, whatever file it came from; nothing is written before there is code."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._folder = CACHE_FOLDER / function.__module__

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator:
        return cls(py_func)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return FORM  # the key says all else

    def get_disambiguator(self) -> str:
        return ""


class _Impl(CompileResultCacheImpl):
    _locator_classes: Any = [_Locator]

    def check_cachable(self, result: Any) -> bool:
        library = result.library
        if isinstance(library, Linked) and not all(map(named, library.places())):
            return False  # what has to be linked with it couldn't be found again
        return super().check_cachable(result)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        (name, kind, data), *rest = payload
        if kind != "linked":
            return super().rebuild(target_context, payload)
        libraries = [linked(place) for place in data[1]]
        if not all(libraries):
            return None  # it calls code that was compiled again, and is itself
        codegen = target_context.codegen()
        usual, codegen._library_class = codegen._library_class, Linked
        try:
            return super().rebuild(target_context, ((name, kind, (data[0], libraries)), *rest))
        finally:
            codegen._library_class = usual


class _Files(IndexDataCacheFile):
    """A function's index and data files. An index keeps the newest versions only."""

    def save(self, key: Any, data: Any) -> None:
        # One process writes at a time: two that add to one index at once could each name the other's code.
        with open(os.path.join(self._cache_path, "lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            super().save(key, data)
            index = self._load_index()
            versions = [other for other in index if other[:2] == key[:2]]
            for old in versions[:-KEPT]:
                Path(self._data_path(index.pop(old))).unlink(missing_ok=True)
            if len(versions) > KEPT:
                self._save_index(index)

    def load(self, key: Any) -> Any:
        code = super().load(key)
        if code is not None:
            with suppress(OSError):  # a folder that is only read from
                os.utime(self._cache_path)  # in use
        return code


class CodeCache(FunctionCache):
    """The cache object that numba reads a function's code from and writes it to."""

    _impl_class = _Impl

    def __init__(self, compiled: Compiled) -> None:
        super().__init__(compiled.py_func)
        self._compiled = compiled
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, FORM)

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        # Asked for when the function is called: by then all that it names is there.
        return (sig, self._compiled.is_for_code), codegen.magic_tuple(), made_of(self._compiled)


def prune(folder: Path = CACHE_FOLDER) -> None:
    """Delete the code of modules that haven't been used for some time."""
    for module in folder.iterdir():
        if module.is_dir() and time.time() - module.stat().st_mtime > UNUSED_DAYS * 86400:
            shutil.rmtree(module, ignore_errors=True)
