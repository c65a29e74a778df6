"""How agents do with people, as far as human proxies can tell: networks that were cloned from people,
with whom nobody trained, and that draw their moves as those did. A game's proxy is its alias `human`. Not for
what people themselves did and said of an agent: the site knows that.
"""

from __future__ import annotations

from typing import Any

from engine import games
from engine.agents.acting import manner
from engine.agents.catalogue import aliases, load
from engine.agents.policy import Policy, Unsupported, check_fits
from engine.evaluation.partners import with_partner
from engine.evaluation.told_games import MARK, parted

HUMAN = "human"


def proxy(game: str, options: dict[str, Any], ref: str = HUMAN) -> Policy | None:
    """The human proxy for games with these options; None where the game's alias `human` means nobody, or
    nobody who plays them. Another ref that doesn't raises BadAgent or Unsupported.
    """
    complete = games.spec(game).validate(dict(options))
    known = any(key.startswith(f"{game}/") and key.endswith(f"/{HUMAN}") for key in aliases())
    try:
        if ref == HUMAN and not known:
            return None
        found = load(ref, game, complete)
        check_fits(found, game, complete)
    except Unsupported:
        if ref == HUMAN:
            return None
        raise
    return found


def evaluate_people(
    policy: Policy,
    game: str,
    options: dict[str, Any] | None = None,
    episodes: int = 20,
    seed: int = 0,
    seeds: int = 5,
    greedy: bool | None = None,
    ref: str = HUMAN,
) -> dict[str, Any]:
    """`with_partner` for a human proxy, who it was and how many games in all. Behind a |, `ref` may say
    what the proxy is told ("hanabi/learner-1 | never discard"). Raises ValueError with a sentence where there
    is no proxy.
    """
    complete = games.spec(game).validate(dict(options or {}))
    ref, told = parted(ref)
    person = proxy(game, complete, ref)
    if person is None:
        raise ValueError(f"{game} has no human proxy (alias {HUMAN}) to judge agents with.")
    check_fits(policy, game, complete)
    found = with_partner(policy, person, complete, episodes, seed, seeds, greedy, told)
    return {
        **found,
        "proxy": f"{person.name}{MARK}{told}" if told else person.name,
        "acts": manner(policy, greedy),
        "game": game,
        "agent": policy.name,
        "options": complete,
        "episodes": episodes * seeds * len(found["by_seat"]),
        "seed": seed,
        "seeds": seeds,
    }
