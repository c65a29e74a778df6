"""How well an agent foretells what people do: nats and accuracy on recorded games of people.

The distribution is the one that the agent draws its moves from; for one that takes its best moves, those have
probability 1. People's actions only. Reading the games is each game's own (engine.games.people). Not for how
well it plays with people (engine.evaluation.self_play with proxies).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine import games
from engine.agents.acting import draws, manner
from engine.agents.policy import Policy, Unsupported, check_fits
from engine.games import people
from engine.simulation.log import EpisodeLog, LogError, begin, read_lines, words_by_step
from engine.simulation.simulation import Simulation
from engine.simulation.spec import IllegalAction

LEAST = 10  # actions of a person who counts among people
ENOUGH = 2000  # moves of people, below which a proxy of them knows little


@dataclass(frozen=True)
class Recorded:
    """A game of people: `states` (T, state_size) before each step and `actions` (T, seats); `moves`
    (T, seats) says who was a person and moved then. `people` are the persons by seat, None for agents.
    """

    kind: str
    options: dict[str, Any]
    states: np.ndarray
    actions: np.ndarray
    moves: np.ndarray
    masks: np.ndarray
    scores: np.ndarray  # (T,) after each step
    people: list[str | None]
    survey: dict[str, str]

    @property
    def names(self) -> list[str]:
        """Its people."""
        return [who for who in self.people if who is not None]


def recorded(game: str, path: Path | str) -> tuple[list[Recorded], int]:
    """The games in a file of people's games or a snapshot's folder, and how many couldn't be played again;
    raises ValueError with a sentence where there are none, OSError for what can't be read.
    """
    if Path(path).is_dir():
        return logged(game, Path(path))
    forms = [form for name, form in people.formats().values() if name == game]
    if not forms:
        known = sorted({name for name, _ in people.formats().values()})
        raise ValueError(f"There are no recorded games of people in {game}, only in {' and '.join(known)}.")
    skipped = 0
    for form in forms:
        found: list[Recorded] = []
        refused: list[str] = []
        for row in form.games_of(path, refused.append):
            try:
                found.append(_from_source(people.replayed(form, row)))
            except people.BadRow as problem:
                refused.append(str(problem))
        if found:
            return found, len(refused)
        skipped += len(refused)
    formats = " or ".join(form.name for form in forms)
    raise ValueError(f"There is no game of people in {path} (format {formats}; {skipped} rows were refused).")


def logged(game: str, folder: Path) -> tuple[list[Recorded], int]:
    """The same from the episode logs of a snapshot in which people moved: those whom its header names."""
    found, skipped = [], 0
    for path in sorted((folder / "episodes").glob("*.jsonl")):
        try:
            one = of_log(read_lines(path.read_bytes()))
        except LogError:
            skipped += 1
            continue
        if one is not None and one[0] == game:
            found.append(one[1])
    if not found:
        raise ValueError(f"Nobody has played {game} in {folder} ({skipped} logs can't be played again).")
    return found, skipped


def of_log(log: EpisodeLog) -> tuple[str, Recorded] | None:
    """The game that a log is of, and what people did in it, None if they did nothing; raises LogError. What
    a seat's person didn't do (an agent or a co-pilot in their place, nobody) isn't theirs.
    """
    sim, seats = begin(log), log.header["seats"]
    persons = [_name(seat) if seat.get("kind") == "person" else None for seat in seats]
    by = np.array([[word == "person" for word in words] for _, words, _ in words_by_step(log)])
    if not by.size or not (by & np.array([who is not None for who in persons])).any():
        return None
    variant = games.spec(sim.game).variant
    kind = variant(sim.options) if variant else ""
    return sim.game, _recorded(kind, sim, log.steps, persons, {}, by)


def _name(seat: dict[str, Any]) -> str:
    return str(seat.get("pseudonym") or seat.get("name"))


def _from_source(one: people.Played) -> Recorded:
    last = one.simulation
    sim = Simulation(last.game, last.options, last.seed, last.deck or None)
    persons = [seat["name"] if seat["kind"] == "person" else None for seat in one.seats]
    return _recorded(one.kind, sim, last.actions, persons, one.survey)


def _recorded(
    kind: str,
    sim: Simulation,
    joints: Sequence[Sequence[int]],
    persons: list[str | None],
    survey: dict[str, str],
    by: np.ndarray | None = None,
) -> Recorded:
    """A game played again from its beginning; `by` (T, seats) says where a seat's person moved, None: always.
    Raises LogError for a step that the rules refuse.
    """
    states, moves, masks, scores = [], [], [], []
    for joint in joints:
        states.append(np.array(sim.state))
        moves.append([who is not None and sim.current in (None, seat) for seat, who in enumerate(persons)])
        masks.append([sim.legal(seat) for seat in range(sim.seats)])
        try:
            sim.step(joint)
        except IllegalAction as error:
            raise LogError(f"Step {sim.tick + 1} isn't legal: {error}") from None
        scores.append(sim.score)
    moved = np.array(moves) if by is None else np.array(moves) & by
    arrays = np.stack(states), np.array(joints), moved, np.array(masks), np.array(scores)
    return Recorded(kind, sim.options, *arrays, persons, survey)


def together(tables: Sequence[Sequence[str]]) -> list[str]:
    """The group of each game by who sat in it: those who ever played together are in one, which is called by
    the first of their names.
    """
    group: dict[str, str] = {}

    def head(name: str) -> str:
        while group.setdefault(name, name) != name:
            name = group[name]
        return name

    for names in tables:
        for other in names:
            low, high = sorted((head(names[0]), head(other)))
            group[high] = low
    return [head(names[0]) for names in tables]


def too_few(tables: Sequence[Sequence[str]], divide: int) -> str:
    """Why those who played can't be divided, in a sentence; "" if they can."""
    groups = len(set(together(tables)))
    if groups >= divide:
        return ""
    return (
        f"{divide} people or pairs who never played together are needed, so that one can be held out; "
        f"in these games there {'is' if groups == 1 else 'are'} {groups or 'none'}."
    )


def little(moves: int) -> str:
    """That so many moves of people are little to learn from, in a sentence; "" if they aren't."""
    if moves >= ENOUGH:
        return ""
    return f"There are {moves:,} moves of people, which is little ({ENOUGH:,} or more are better)."


def steps(found: Sequence[Recorded]) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(games, seats, ticks), each (n,), of people's moves, tick by tick through all games at once."""
    for tick in range(max(len(one.states) for one in found)):
        rows = [
            (index, seat)
            for index, one in enumerate(found)
            if tick < len(one.states)
            for seat in np.flatnonzero(one.moves[tick])
        ]
        if rows:
            which, seats = np.array(rows).T
            yield which, seats.astype(np.int32), np.full(len(rows), tick)


def log_probs(policy: Policy, logits: np.ndarray, greedy: bool | None = None) -> np.ndarray:
    """The logarithms (n, A) of the probabilities with which an agent takes each action."""
    logits = logits.astype(np.float64)
    if not draws(policy, greedy):
        best = logits.argmax(1)[:, None] == np.arange(logits.shape[1])
        return np.where(best, 0.0, -np.inf)
    top = logits.max(1, keepdims=True)
    return logits - top - np.log(np.exp(logits - top).sum(1, keepdims=True))


def imitation(
    policy: Policy, game: str, found: Sequence[Recorded], greedy: bool | None = None
) -> dict[str, Any]:
    """{"nats", "accuracy", "actions", "not_stay_accuracy", "by": {kind: the same}, "people", …}.

    `nats`: mean of -log p of what people did, None where the agent would never have done one of them;
    `accuracy`: how often its likeliest action was theirs; `not_stay_accuracy`: the same where they did
    something (in games whose no-op is an action). `people`: means with each person of ten actions or more
    counted alike. Games that the agent can't play are left out; raises Unsupported if it can play none.
    """
    found, unfit = _fitting(policy, game, found)
    memory = np.zeros((len(found), found[0].actions.shape[1], policy.memory), np.float32)
    rows = []
    for which, seats, ticks in steps(found):
        at = list(zip(which, ticks, strict=True))
        own = memory[which, seats]
        states = np.stack([found[g].states[t] for g, t in at])
        masks = np.stack([found[g].masks[t, s] for (g, t), s in zip(at, seats, strict=True)])
        logits = policy.logits_many(states, seats, masks, memory=own)
        memory[which, seats] = own
        logp = log_probs(policy, logits, greedy)
        did = np.array([found[g].actions[t, s] for (g, t), s in zip(at, seats, strict=True)])
        rows.append(np.stack([which, seats, did, logp.argmax(1), -logp[np.arange(len(did)), did]], 1))
    which, seats, did, best, nats = np.concatenate(rows).T
    kinds = np.array([one.kind for one in found])[which.astype(int)]
    who = np.array([found[int(g)].people[int(s)] for g, s in zip(which, seats, strict=True)])
    spec = games.spec(game)
    acted = did != (spec.num_actions(found[0].options) - 1 if spec.no_op is None else spec.no_op)
    right = best == did
    return {
        **_means(nats, right, acted),
        "by": {kind: _means(*(x[kinds == kind] for x in (nats, right, acted))) for kind in _sorted(kinds)},
        "people": _by_person(who, nats, right),
        "game": game,
        "agent": policy.name,
        "games": len(found),
        "left_out": unfit,
        "acts": manner(policy, greedy),
    }


def _fitting(policy: Policy, game: str, found: Sequence[Recorded]) -> tuple[list[Recorded], int]:
    """The games that an agent can play, and how many it can't."""
    fits, problem = [], None
    for one in found:
        try:
            check_fits(policy, game, one.options)
            fits.append(one)
        except Unsupported as error:
            problem = error
    if problem is not None and not fits:
        raise problem
    return fits, len(found) - len(fits)


def _sorted(names: np.ndarray) -> list[str]:
    return sorted({str(name) for name in names})


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _means(nats: np.ndarray, right: np.ndarray, acted: np.ndarray) -> dict[str, Any]:
    return {
        "nats": _finite(nats.mean()),
        "accuracy": float(right.mean()),
        "actions": len(nats),
        "not_stay_accuracy": float(right[acted].mean()) if acted.any() else None,
    }


def _by_person(who: np.ndarray, nats: np.ndarray, right: np.ndarray) -> dict[str, Any]:
    """Means over people, with the 95 % interval of the nats over people."""
    each = [(nats[who == name].mean(), right[who == name].mean()) for name in _sorted(who)
            if (who == name).sum() >= LEAST]  # fmt: skip
    if not each:
        return {"people": 0, "nats": None, "accuracy": None, "interval": None}
    costs, shares = np.array(each).T
    interval = None
    if len(each) > 1 and np.isfinite(costs).all():
        spread = 1.96 * costs.std(ddof=1) / math.sqrt(len(each))
        interval = [float(costs.mean() - spread), float(costs.mean() + spread)]
    return {
        "people": len(each),
        "nats": _finite(costs.mean()),
        "accuracy": float(shares.mean()),
        "interval": interval,
    }


def lines(found: dict[str, Any]) -> list[str]:
    """What was found, for people to read."""

    def words(one: dict[str, Any]) -> str:
        nats = "never does what they did" if one["nats"] is None else f"{one['nats']:.3f} nats"
        acted = one["not_stay_accuracy"]
        rest = "" if acted is None else f", {acted:.3f} where they did something"
        return f"{nats}, accuracy {one['accuracy']:.3f}{rest}, {one['actions']:,} actions"

    unfit = f"; it can't play {found['left_out']} others" if found["left_out"] else ""
    return [
        f"{found['agent']} ({found['acts']} moves): {words(found)} in {found['games']} games{unfit}",
        *(f"  {kind}: {words(one)}" for kind, one in found["by"].items()),
    ]
