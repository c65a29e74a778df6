"""How functions are compiled that compiled code calls: as code to link, optimized and assembled once, in
each function that Python calls.

Numba optimizes and assembles every function with all that it calls, and then again as a part of each of its
callers: a rule that lies ten calls deep is optimized ten times. Here a function that compiled code calls is a
`Linked` library, its own code alone. The function that Python calls (`Whole`) links all of them, and only
that is optimized as a whole and assembled. Python and compiled code may call the same function: it is
compiled for each, once that one asks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from operator import attrgetter
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature

ENVIRONMENT = "_ZN08NumbaEnv"  # how numba calls the globals by which code finds its environment

Place = tuple[str, str, tuple[Any, ...], str]
"""Module and name of a function, the types of its arguments, and the symbol of its code."""


class Linked(JITCodeLibrary):
    """A function's own code, for others to link together with what it calls (`_linking_libraries`)."""

    place: Place | None = None

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            if not isinstance(library, Linked):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        # Environments are set when there is code, and here is none: their globals alone are.
        empty = self._codegen._create_empty_module(f"{self.name}.environments")
        for known in self._final_module.global_variables:
            if known.name.startswith(ENVIRONMENT):
                variable = ir.GlobalVariable(empty, cgutils.voidptr_t, name=known.name)
                variable.linkage = "common"
                variable.initializer = cgutils.get_null_value(cgutils.voidptr_t)
        self._codegen._add_module(llvm.parse_assembly(str(empty)))
        self._codegen._engine.finalize_object()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # nothing that could be called

    def places(self) -> list[Place | None]:
        """Which functions have to be linked with it."""
        return [code.place for code in dict.fromkeys(self._linking_libraries) if isinstance(code, Linked)]

    def serialize_using_object_code(self) -> tuple[str, str, Any]:
        return self.name, "linked", (self._get_module_for_linking().as_bitcode(), self.places())

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, str, Any]) -> Linked:
        name, _, (bitcode, libraries) = state
        self = cls(codegen, name)
        self._final_module = self._shared_module = llvm.parse_bitcode(bitcode)
        self._linking_libraries = libraries
        self._finalize_final_module()
        return self


class Whole(JITCodeLibrary):
    """A function that Python calls, with all that it calls in it."""

    def finalize(self) -> None:
        libraries = dict.fromkeys(self._linking_libraries)
        waiting = list(libraries)
        for library in waiting:
            if isinstance(library, Linked):
                new = [
                    other
                    for other in library._linking_libraries
                    if isinstance(other, Linked) and other not in libraries
                ]
                libraries.update(dict.fromkeys(new))
                waiting += new
        self._linking_libraries = list(libraries)
        super().finalize()

    def _verify_declare_only_symbols(self) -> None:
        super()._verify_declare_only_symbols()
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith("_ZN"):
                raise AssertionError(f"{self.name} calls {function.name}, which isn't linked")


class _WholeCompiler(Compiler):
    library_class: type[JITCodeLibrary] = Whole

    def define_pipelines(self) -> Any:
        state = self.state
        state.library = self.library_class(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


class _LinkedCompiler(_WholeCompiler):
    library_class = Linked


class Compiled(CPUDispatcher):
    """A function as `engine.simulation.jit.njit` returns it."""

    widen: Callable[[types.Type], types.Type] | None = None
    """For which type it is compiled where compiled code calls it with a type; None: for that one."""
    has_door = True
    """Whether Python calls the compiled function, or the plain one."""

    _cache: Any
    _compiler: Any

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class=_WholeCompiler)
        bare = {**self.targetoptions, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self._for_python = self._compiler
        compiler = type(self._compiler)
        self._for_code = compiler(py_func, self.targetdescr, bare, self.locals, _LinkedCompiler)

    @property
    def is_for_code(self) -> bool:
        """Whether it is compiled for compiled code just now."""
        return self._compiler is self._for_code

    @contextmanager
    def _called_by_code(self) -> Iterator[None]:
        with global_compiler_lock:
            before, self._compiler = self._compiler, self._for_code
            try:
                yield
            finally:
                self._compiler = before

    def get_call_template(self, args: Any, kws: Any) -> Any:
        if self.widen is not None:
            args = tuple(map(self.widen, args))
            kws = {name: self.widen(kind) for name, kind in kws.items()}
        with self._called_by_code():
            return super().get_call_template(args, kws)

    def library(self, args: tuple[types.Type, ...]) -> JITCodeLibrary:
        """The code for these types of arguments, for compiled code to call."""
        with self._called_by_code():
            self.compile(args)
            compiled: Any = self.overloads[args]
            return compiled.library

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock:
            if not self.is_for_code:
                args = tuple(normalize_signature(sig)[0])
                compiled: Any = self.overloads.get(args)
                if compiled is not None and isinstance(compiled.library, Linked):
                    del self.overloads[args]  # Python can't call that one
            return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        args = tuple(cres.signature.args)
        symbol = cres.fndesc.mangled_name
        cres.library.place = (self.py_func.__module__, self.py_func.__qualname__, args, symbol)
        if isinstance(cres.library, Linked):
            self.overloads[args] = cres
        else:
            super().add_overload(cres)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        return super()._compile_for_args(*args, **kws) if self.has_door else self.py_func


def linked(place: Place) -> JITCodeLibrary | None:
    """The code of a place; None where the function has other code by now, or isn't found."""
    called = named(place)
    library: Any = called and called.library(place[2])
    return library if library and library.place == place else None


def named(place: Place | None) -> Compiled | None:
    """The function of a place, None where it isn't found by its name."""
    try:
        named = attrgetter(place[1])(sys.modules.get(place[0]) or import_module(place[0])) if place else None
    except (AttributeError, ImportError):
        return None
    return named if isinstance(named, Compiled) else None
