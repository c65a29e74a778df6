"""One module that a game may bring, with the type of every name in it: what engine/brings.py declares is made
of these. Not for what there is to bring.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from engine.simulation import registry

if TYPE_CHECKING:
    from typing import Self

Program = dict[str, Any]


class _Name:
    """A name of a module, looked up when it is asked for, as some load what they hold only then; `instead`:
    its value in a module that leaves it out.
    """

    def __init__(self, name: str, *instead: Any) -> None:
        self.name, self.instead = name, instead

    def __get__(self, part: Part | None, owner: type[Part]) -> Any:
        found = self if part is None else getattr(part.module, self.name, self)
        if found is not self:
            return found
        if not self.instead:
            raise AttributeError(f"{owner.__name__}.{self.name} is needed, and there is none.")
        return self.instead[0]


class Part:
    """One module of a game's folder; its attributes are the names in it."""

    MODULE: ClassVar[str]
    """Its name, in the game's folder or in the folder of the ROOM that asks for it; "" is that folder."""
    ROOM: ClassVar[str] = "games"
    WITHOUT: ClassVar[str]
    """What holds where a game doesn't bring it."""

    @classmethod
    def names(cls) -> list[str]:
        return [name for name in cls.__annotations__ if name not in Part.__annotations__]

    def __init__(self, module: ModuleType | None = None) -> None:
        self.module = module

    def __init_subclass__(cls) -> None:
        for name in cls.names():
            setattr(cls, name, _Name(name, *([vars(cls)[name]] if name in vars(cls) else [])))

    @classmethod
    def of(cls, game: str) -> Self:
        """What a game brings of it, with the values here for what it leaves out."""
        return cls(registry.part(game, cls.MODULE, cls.ROOM))

    @classmethod
    def brought(cls, game: str) -> Self | None:
        """The same, None where the game brings no such module."""
        own = cls.of(game)
        return None if own.module is None else own

    @classmethod
    def games(cls) -> list[str]:
        """The games that bring it; none of them is imported."""
        return [name for name in registry.names() if registry.brings(name, cls.MODULE, cls.ROOM)]

    @classmethod
    def needed(cls, game: str, what: str) -> Self:
        """What a game brings of it; raises ValueError where there is none: `what` there is only elsewhere."""
        if own := cls.brought(game):
            return own
        raise ValueError(f"{what} in {', '.join(cls.games())}, not in {game}.")
