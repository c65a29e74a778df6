"""How agents act: one way for live play, evaluation, simulated episodes and what trainings measure.

The agent's card decides: with `"acts": "sampled"` its moves are drawn from its policy, otherwise they are its
best ones. Scripted players do what they choose. Instructions of a seat reach the policy here: as a prior on
the logits, or as a goal in games with goals, and as inputs of networks that read them, which is all that some
agents get (`reads_alone`). An agent's memory of a seat's game is kept here (`Player`, `remembered`). It is
computed from what the seat saw at its moves, whoever played it then, so that it follows from the game's log.
Not for learners, which explore by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from engine import games, language
from engine.agents.policy import Drawn, Policy, Worlds, check_fits, choose
from engine.simulation.simulation import Simulation

Programs = list[dict[str, Any]]

ANSWERS = "answers"  # a card's "hears": its network reads the prior, too, which isn't added then
ANSWER = 16.0  # logits of a prior that are one for networks


@dataclass(frozen=True)
class Heard:
    """The instructions of a seat, in each form in which they reach a policy; None if there are none. For n
    seats every array has one dimension more. `prior` (num_actions,) is added to the logits; in games with
    goals `goal` (goal_size,) replaces it. `instructions` (num_features,) are inputs of networks.
    """

    prior: np.ndarray | None = None
    goal: np.ndarray | None = None
    instructions: np.ndarray | None = None


NOTHING = Heard()


def draws(policy: Policy, greedy: bool | None = None) -> bool:
    """Whether an agent's moves are drawn: as its card says, unless `greedy` decides it."""
    if is_scripted(policy):
        return False
    return policy.card.get("acts") == "sampled" if greedy is None else not greedy


def is_scripted(policy: Policy) -> bool:
    """Whether an agent is a program: its best logit is the move that it chose."""
    return policy.card.get("kind") == "scripted"


def manner(policy: Policy, greedy: bool | None = None) -> str:
    """How the moves of an agent were chosen, for results and cards: "sampled" or "best"."""
    return "sampled" if draws(policy, greedy) else "best"


def hears(policy: Policy) -> bool:
    """Whether an agent's network has its seat's instructions among its inputs."""
    return "told_version" in policy.card


def reads_alone(policy: Policy) -> bool:
    """Whether these inputs are all that the agent gets of instructions: its card has `"hears": "reading"` or
    "answers".
    """
    return policy.card.get("hears") in ("reading", ANSWERS)


def answers(priors: np.ndarray) -> np.ndarray:
    """The instruction's answers for moves (n, num_actions), about -1 to 1, as inputs of networks."""
    return priors / ANSWER


def told_size(card: dict[str, Any]) -> int:
    """The number of inputs for instructions in the network of a card."""
    if "told_version" not in card:
        return 0
    spec = games.spec(card["game"])
    more = spec.num_actions(spec.validate(card.get("options", {}))) if card.get("hears") == ANSWERS else 0
    return language.num_features(card["game"]) + more


def act(
    policy: Policy,
    sims: Sequence[Simulation],
    seats: Sequence[int],
    rng: np.random.Generator | None = None,
    programs: Sequence[Programs] | None = None,
    greedy: bool | None = None,
) -> list[Any]:
    """The action of an agent in one seat of each game: an action id, or one choice per head. `programs`: the
    instructions of each seat, oldest first. Agents that draw need `rng`. Raises Refusal for a game that
    the agent can't play.
    """
    for sim in sims:
        check_fits(policy, sim.game, sim.options)
    programs = programs or [[]] * len(sims)
    reads = [
        language.together(policy.game, theirs) if hears(policy) and theirs else None for theirs in programs
    ]
    heard = [asked(*row) for row in zip(sims, seats, programs, reads, strict=True)]
    states = np.stack([sim.state for sim in sims])
    masks = np.stack([sim.legal(seat) for sim, seat in zip(sims, seats, strict=True)])
    worlds = [sim.world for sim in sims if sim.world is not None] or None
    with remembering(policy, sims, seats) as memory:
        return act_many(
            policy, states, np.asarray(seats), masks, rng, worlds, together(heard), greedy, memory
        )


def act_many(
    policy: Policy,
    states: np.ndarray,
    seats: np.ndarray,
    masks: np.ndarray,
    rng: np.random.Generator | Drawn | None = None,
    worlds: Worlds = None,
    heard: Heard = NOTHING,
    greedy: bool | None = None,
    memory: np.ndarray | None = None,
) -> list[Any]:
    """`act` from state records (n, state_size), seats (n,), masks (n, num_actions), the instructions of the
    seats, and their memories, float32 (n, M), which are updated; the agent must fit the game.
    """
    seats = seats.astype(np.int32)
    if reads_alone(policy):
        heard = Heard(instructions=_read(policy, heard))
    logits = policy.logits_many(states, seats, masks, worlds, heard.goal, heard.instructions, memory)
    heads = games.spec(policy.game).heads
    return choose(logits, heard.prior, greedy=not draws(policy, greedy), rng=rng, heads=heads)


def _read(policy: Policy, heard: Heard) -> np.ndarray | None:
    """The inputs for instructions of a network that gets nothing else of them: the features, and behind them,
    if it reads those, the answers for the moves of now.
    """
    if heard.instructions is None or policy.card["hears"] != ANSWERS:
        return heard.instructions
    prior = np.zeros(
        (len(heard.instructions), told_size(policy.card) - heard.instructions.shape[1]), np.float32
    )
    return np.concatenate(
        [heard.instructions, prior if heard.prior is None else answers(heard.prior)], axis=1
    )


class Player:
    """An agent in n games of a batch, with its memory of each seat: float32 (n, seats, M)."""

    def __init__(self, policy: Policy, games: int, seats: int) -> None:
        self.policy = policy
        self.memory = np.zeros((games, seats, policy.memory), np.float32)

    def begin(self, games: np.ndarray) -> None:
        """These games begin anew."""
        self.memory[games] = 0

    def act(
        self,
        games: np.ndarray,
        states: np.ndarray,
        seats: np.ndarray,
        masks: np.ndarray,
        *how: Any,
        **more: Any,
    ) -> list[Any]:
        """The actions in one seat of each of these games, as `act_many`."""
        memory = self.memory[games, seats]
        chosen = act_many(self.policy, states, seats, masks, *how, **more, memory=memory)
        self.memory[games, seats] = memory
        return chosen

    def logits(
        self, games: np.ndarray, states: np.ndarray, seats: np.ndarray, masks: np.ndarray, worlds: Worlds
    ) -> np.ndarray:
        """The logits (n, A) of one seat of each of these games; -inf for illegal actions."""
        memory = self.memory[games, seats]
        liked = self.policy.logits_many(states, seats.astype(np.int32), masks, worlds, memory=memory)
        self.memory[games, seats] = memory
        return liked


# What policies remember of live games: by seat, at a tick, before that tick's move and after it.
Memories = WeakKeyDictionary[Simulation, dict[int, tuple[int, np.ndarray, np.ndarray]]]
_memories: WeakKeyDictionary[Policy, Memories] = WeakKeyDictionary()


def remembered(policy: Policy, sim: Simulation, seat: int) -> np.ndarray:
    """An agent's memory (M,) of a seat's game before its next move. If the seat has made decisions without
    the agent since the agent last acted, the game is simulated again. If the game keeps no past, the memory
    starts empty.
    """
    each = sim.spec.decision_ticks
    nothing = -each, np.zeros(policy.memory, np.float32), np.zeros(policy.memory, np.float32)
    kept = _memories.setdefault(policy, WeakKeyDictionary()).get(sim, {})
    tick, before, after = kept.get(seat, nothing)
    if tick == sim.tick:
        return before
    missed = tick > sim.tick or any(mover in (-1, seat) for mover in sim.movers[tick + each :])
    return _recalled(policy, sim, seat) if missed and all(sim.actions) else after


@contextmanager
def remembering(
    policy: Policy, sims: Sequence[Simulation], seats: Sequence[int]
) -> Iterator[np.ndarray | None]:
    """Memories (n, M) of one seat of each game before its moves, which `act_many` updates; None for an agent
    without memory.
    """
    if not policy.memory:
        yield None
        return
    before = [remembered(policy, sim, seat) for sim, seat in zip(sims, seats, strict=True)]
    memory = np.stack(before)
    yield memory
    for sim, seat, was, after in zip(sims, seats, before, memory, strict=True):
        _memories[policy].setdefault(sim, {})[seat] = sim.tick, was, after


def _recalled(policy: Policy, sim: Simulation, seat: int) -> np.ndarray:
    """An agent's memory (M,) of a seat's decisions, computed from the beginning of the game."""
    past = Simulation(sim.game, sim.options, sim.seed, sim.deck or None)
    memory = np.zeros((1, policy.memory), np.float32)
    seats = np.array([seat], np.int32)
    for joint, moved in zip(sim.actions, sim.movers, strict=True):
        if moved in (-1, seat) and past.tick % past.spec.decision_ticks == 0:
            worlds = None if past.world is None else [past.world]
            # A copy that can be written to, like all that agents are shown: else all would be compiled again.
            states = np.stack([past.state])
            policy.logits_many(states, seats, past.legal(seat)[None], worlds, memory=memory)
        past.step(joint)
    return memory[0]


def asked(sim: Simulation, seat: int, programs: Programs, instructions: np.ndarray | None = None) -> Heard:
    """What a seat gets of its instructions in force, oldest first. `instructions`: the inputs of its
    network, if it has them (`hears`).
    """
    if not programs:
        return NOTHING
    if sim.spec.goal_size:
        return Heard(None, language.goals(sim.game, programs, sim, seat), instructions)
    return Heard(language.priors(sim.game, programs, sim, seat), None, instructions)


def together(rows: Sequence[Heard]) -> Heard:
    """The instructions of n seats in arrays, with zeros for seats that have none."""
    return Heard(
        _stacked([row.prior for row in rows]),
        _stacked([row.goal for row in rows]),
        _stacked([row.instructions for row in rows]),
    )


def _stacked(rows: list[np.ndarray | None]) -> np.ndarray | None:
    some = next((row for row in rows if row is not None), None)
    if some is None:
        return None
    return np.stack([np.zeros_like(some) if row is None else row for row in rows])
