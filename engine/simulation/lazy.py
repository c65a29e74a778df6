"""What is imported when it is first needed: reading what somebody typed needs no compiler, and a match no
pygame.

Not for breaking circles: there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any


@cache  # asked for at every move
def module_of(name: str) -> ModuleType:
    """A module by its full name."""
    return import_module(name)


def later(module: str, name: str) -> Callable[..., Any]:
    """A function of a module, which its first call imports."""

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(module_of(module), name)(*arguments, **named)

    return call


def names_of(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names {name: module in it} are imported when they are asked
    for.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"{package} has no {name!r}.")
        return getattr(module_of(f"{package}.{homes[name]}"), name)

    return find
