"""Instructions in the kitchen: read, told back, and turned into a prior over a cook's actions.

Reading, in this order: `spelling` (plain words), `idioms` and `manners` (whole ways of saying one thing; what
is said around a wish), `phrases` and `vocabulary` (the words), `lexicon` (tags them), `clauses` (cuts
sentences up), `named` and `verbs` (what a clause names and asks for), `intents`, `say` (tells goals back).

Following: `standing` says which goals still stand, `coded` turns them into numbers; `cook` is what an obeying
cook sees, `ends` which goals are done, `tasks`, `counters` and `places` what it does next for one, `ways` how
it gets there, `follow` the prior in games, `sense` what of it is of no use now and rests.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Following": "sense",
    "prior": "sense",
    "priors": "sense",
    "progress": "sense",
    "progresses": "sense",
    "questions": "table",
    "read": "reader",
    "remaining": "standing",
}
__all__ = ["Following", "prior", "priors", "progress", "progresses", "questions", "read", "remaining"]


def __getattr__(name: str) -> Any:
    """Loaded when it is first asked for: reading needs neither the game nor a compiler."""
    if name not in _HOMES:
        raise AttributeError(f"engine.games.overcooked.language has no {name!r}.")
    return getattr(import_module(f"engine.games.overcooked.language.{_HOMES[name]}"), name)
