"""How agents play with people, estimated with human proxies: networks cloned from people, which are in no
training of agents, and which draw their moves as those people did. The proxy of a game is its alias `human`.
Not for what people themselves did with an agent and said about it: the site knows that.
"""

from __future__ import annotations

from typing import Any

from engine import games
from engine.agents.acting import manner
from engine.agents.catalogue import aliases, load
from engine.agents.policy import Policy, check_fits
from engine.evaluation.partners import with_partner
from engine.evaluation.told_games import MARK, parted
from engine.refusal import Refusal

HUMAN = "human"


def proxy(game: str, options: dict[str, Any], ref: str = HUMAN) -> Policy | None:
    """The human proxy for games with these options; None if the game's alias `human` points at nobody, or at
    a proxy for other options. Another ref that doesn't fit raises Refusal.
    """
    complete = games.spec(game).validate(dict(options))
    known = any(key.startswith(f"{game}/") and key.endswith(f"/{HUMAN}") for key in aliases())
    if ref == HUMAN and not known:
        return None
    policy = load(ref, game, complete)
    try:
        check_fits(policy, game, complete)
    except Refusal:
        if ref == HUMAN:
            return None
        raise
    return policy


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
    """`with_partner` for a human proxy, with the proxy's ref and the total number of games. Behind a |, `ref`
    may hold an instruction for the proxy ("hanabi/learner-1 | never discard"). Raises ValueError with a
    sentence if there is no proxy.
    """
    complete = games.spec(game).validate(dict(options or {}))
    ref, instruction = parted(ref)
    person = proxy(game, complete, ref)
    if person is None:
        raise ValueError(f"{game} has no human proxy (alias {HUMAN}) to judge agents with.")
    check_fits(policy, game, complete)
    result = with_partner(policy, person, complete, episodes, seed, seeds, greedy, instruction)
    return {
        **result,
        "proxy": f"{person.name}{MARK}{instruction}" if instruction else person.name,
        "acts": manner(policy, greedy),
        "game": game,
        "agent": policy.name,
        "options": complete,
        "episodes": episodes * seeds * len(result["by_seat"]),
        "seed": seed,
        "seeds": seeds,
    }
