"""The declared languages of all games that have one, and which of them a model knows."""

from __future__ import annotations

from engine import brings
from engine import games as registry
from engine.language import bank
from engine.language.declared import Declared
from engine.language.vocabulary import Vocabulary


def declared_languages() -> list[Declared]:
    found = (brings.Language.brought(game) for game in registry.names())
    return [own.DECLARED for own in found if own is not None]


def unlearned(vocabulary: Vocabulary) -> list[str]:
    """The games with phrasings whose language a model with this vocabulary hasn't learned."""
    games = (declared.game for declared in declared_languages())
    return [game for game in games if game not in vocabulary.languages and bank.programs(game)]
