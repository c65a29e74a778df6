"""How well an agent predicts what people do: nats and accuracy on recorded games of people.

The probabilities are those from which the agent draws its moves; if it takes its best move, that move has
probability 1. Only people's actions count, also those that a person made in an agent's seat. If agents keep a
choice for several ticks, what a person did in those ticks is one decision (a game's `people.decided`). Each
game reads its own files (engine.games.people). Not for how well an agent plays with people
(engine.evaluation.people).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, games
from engine.agents.acting import draws, manner
from engine.agents.pace import at_pace
from engine.agents.policy import Policy, Worlds, check_fits
from engine.evaluation.intervals import interval_of_mean
from engine.games import people
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, begin, words_by_step
from engine.simulation.simulation import Simulation
from engine.simulation.spec import GameSpec
from engine.snapshots import Snapshot

LEAST = 10  # actions of a person who counts among people
ENOUGH = 2000  # moves of people, below which a proxy of them knows little


@dataclass(frozen=True)
class Recorded:
    """A game of people, D decisions: `states` (D, state_size) before each, `actions` (D, seats), with heads
    (D, seats, heads), what was allowed (`masks` (D, seats, A), of seats in which people sat), and `who`
    (D, seats) made it, "" where no person did. `earned` (D, seats): points after it.
    """

    kind: str
    options: dict[str, Any]
    states: np.ndarray
    actions: np.ndarray
    who: np.ndarray
    masks: np.ndarray
    earned: np.ndarray
    survey: dict[str, str]
    world: np.ndarray | None = None  # the ground, in games that have one
    tick_ms: float | None = None  # how long a tick was, where a clock ran

    @property
    def names(self) -> list[str]:
        """The people in it."""
        return sorted(set(self.who.ravel().tolist()) - {""})


def recorded(game: str, path: Path | str) -> tuple[list[Recorded], int]:
    """The games in a file of people's games or in a snapshot's folder, and how many of them couldn't be
    replayed. Raises ValueError with a sentence if there are none, OSError for a file that can't be read.
    """
    if Path(path).is_dir():
        return logged(game, Path(path))
    forms = [form for name, form in people.formats().values() if name == game]
    if not forms:
        known = sorted({name for name, _ in people.formats().values()})
        raise ValueError(f"There are no recorded games of people in {game}, only in {' and '.join(known)}.")
    skipped = 0
    for form in forms:
        games: list[Recorded] = []
        refused: list[str] = []
        for row in form.games_of(path, refused.append):
            try:
                games.append(_from_source(people.replayed(form, row)))
            except Refusal as problem:
                refused.append(str(problem))
        if games:
            return games, len(refused)
        skipped += len(refused)
    formats = " or ".join(form.name for form in forms)
    raise ValueError(f"There is no game of people in {path} (format {formats}; {skipped} rows were refused).")


def logged(game: str, folder: Path) -> tuple[list[Recorded], int]:
    """The same from the episode logs of a snapshot in which people moved."""
    games, skipped, snapshot = [], 0, Snapshot(folder)
    for episode in snapshot.episodes:
        try:
            logged_game = of_log(snapshot.log(episode))
        except Refusal:
            skipped += 1
            continue
        if logged_game is not None and logged_game[0] == game:
            games.append(logged_game[1])
    if not games:
        raise ValueError(f"Nobody has played {game} in {folder} ({skipped} logs can't be played again).")
    return games, skipped


def of_log(log: EpisodeLog) -> tuple[str, Recorded] | None:
    """The game of a log and what people did in it, None if nothing; raises Refusal. What others did in a
    person's seat isn't the person's; what a person did in an agent's seat is.
    """
    sim, seats = begin(log), log.header["seats"]
    who = [
        [_mover(*place) for place in zip(words, controllers, seats, strict=False)]
        for _, words, controllers in words_by_step(log)
    ]
    if not any(map(any, who)):
        return None
    variant, clock = games.spec(sim.game).variant, log.header.get("ticks_per_second")
    kind = variant(sim.options) if variant else ""
    recorded = _recorded(kind, sim, log.steps, who, {}, 1000 / clock if clock else None)
    return (sim.game, recorded) if recorded.names else None


def _mover(word: str, controller: dict[str, Any], seat: dict[str, Any]) -> str:
    """The name of the person who moved, from the word of a step, whoever controls the seat, and the seat in
    the header; "" if no person moved or the person is unknown.
    """
    if word not in ("person", "copilot"):
        return ""
    seat_then = [seat] if word == seat.get("kind") == "person" else []
    for controller_of in (controller if controller.get("kind") == word else {}, *seat_then):
        if name := controller_of.get("pseudonym") or controller_of.get("name"):
            return str(name)
    return ""


def _from_source(played: people.Played) -> Recorded:
    last = played.simulation
    sim = Simulation(last.game, last.options, last.seed, last.deck or None)
    persons = [seat["name"] if seat["kind"] == "person" else "" for seat in played.seats]
    clock = sim.spec.clock(sim.options)
    who = [persons] * len(last.actions)
    return _recorded(played.kind, sim, last.actions, who, played.survey, 1000 / clock if clock else None)


def _recorded(
    kind: str,
    sim: Simulation,
    joints: Sequence[Sequence[Any]],
    who: Sequence[Sequence[str]],
    survey: dict[str, str],
    tick_ms: float | None,
) -> Recorded:
    """A game replayed from its beginning; `who` says for each step and seat which person moved, if any.
    Raises Refusal for a step that the rules refuse.
    """
    spec, training = sim.spec, brings.Training.of(sim.game)
    rewards, out = training.rewards, training.out
    persons = np.flatnonzero(np.array([[name != "" for name in row] for row in who]).any(0)).tolist()
    points, rows = np.zeros(sim.seats), []
    for first in range(0, len(joints), spec.decision_ticks):
        ticks = range(first, min(first + spec.decision_ticks, len(joints)))
        state, mask = np.array(sim.state), np.zeros((sim.seats, sim.num_actions), np.int8)
        gone = np.zeros(sim.seats, bool) if out is None else out(state[None])[0]
        named = [""] * sim.seats
        for seat in persons:
            mask[seat] = sim.legal(seat)
            if sim.current in (None, seat) and not gone[seat] and len({who[at][seat] for at in ticks}) == 1:
                named[seat] = who[first][seat]
        for at in ticks:
            try:
                reward = sim.step(joints[at])
            except Refusal as error:
                raise Refusal(f"Step {sim.tick + 1} isn't legal: {error}") from None
            points += reward if rewards is None else rewards(np.array(sim.state)[None], {})[0].sum(-1)
        did = [joints[at] for at in ticks]
        choices = np.array(_decided(sim, state, did) if spec.heads else did[0])
        for head, start in enumerate(np.cumsum((0, *spec.heads))[:-1]):
            mask[persons, start + choices[persons, head]] = 1  # a choice may be kept where it does nothing
        rows.append((state, np.array(choices), np.array(named), mask, points.copy()))
    states, actions, named_, masks, earned = (np.stack(column) for column in zip(*rows, strict=True))
    arrays = states, actions, named_, masks, earned
    return Recorded(kind, sim.options, *arrays, survey, sim.world, tick_ms)


def _decided(sim: Simulation, state: np.ndarray, did: Sequence[Sequence[Any]]) -> list[list[int]]:
    """The heads of the decision of each seat made in `state`, from what it did in the ticks until the next
    one.
    """
    decided = brings.Recorded.of(sim.game).decided
    if decided is None:
        return [list(record[: len(sim.spec.heads)]) for record in did[0]]
    return [decided(state, seat, np.array([joint[seat] for joint in did])) for seat in range(sim.seats)]


def together(tables: Sequence[Sequence[str]]) -> list[str]:
    """The group of each game: people who ever played together are in one group, named after the first of
    them.
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


def divided(recorded: Sequence[Recorded], divide: int) -> list[int]:
    """The part of each game: people who ever played together are in one part, in the order of their names."""
    groups = together([game.names for game in recorded])
    order = {name: index for index, name in enumerate(sorted(set(groups)))}
    return [order[name] % divide for name in groups]


def held_out(recorded: Sequence[Recorded], card: dict[str, Any]) -> list[Recorded]:
    """The games of those people from whom the proxy with this card didn't learn, out of the games that it was
    made with; raises ValueError with a sentence if there are none.
    """
    made = card.get("hyperparameters", {})
    if "divide" not in made or "parts" not in made:
        raise ValueError(f"{card.get('name')} wasn't made from people, so nobody was held out.")
    learned = made["parts"] or range(made["divide"] - 1)
    parts = divided(recorded, made["divide"])
    others = [game for game, part in zip(recorded, parts, strict=True) if part not in learned]
    if not others:
        raise ValueError(f"{card.get('name')} learned from all people in this file.")
    return others


def too_few(tables: Sequence[Sequence[str]], divide: int) -> str:
    """Why the people can't be divided, in a sentence; "" if they can."""
    groups = len(set(together(tables)))
    if groups >= divide:
        return ""
    return (
        f"{divide} people or pairs who never played together are needed, so that one can be held out; "
        f"in these games there {'is' if groups == 1 else 'are'} {groups or 'none'}."
    )


def little(moves: int) -> str:
    """A warning that there are few moves to learn from, in a sentence; "" if there are enough."""
    if moves >= ENOUGH:
        return ""
    return f"There are {moves:,} moves of people, which is little ({ENOUGH:,} or more are better)."


def steps(recorded: Sequence[Recorded]) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(games, seats, decisions), each (n,), of people's moves: first the first decisions of all games, then
    the next.
    """
    for tick in range(max(len(game.states) for game in recorded)):
        rows = [
            (index, seat)
            for index, game in enumerate(recorded)
            if tick < len(game.states)
            for seat in np.flatnonzero(game.who[tick] != "")
        ]
        if rows:
            which, seats = np.array(rows).T
            yield which, seats.astype(np.int32), np.full(len(rows), tick)


def rows_at(
    recorded: Sequence[Recorded], which: np.ndarray, seats: np.ndarray, ticks: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Worlds]:
    """States (n, state_size), masks (n, A), actions (n,) or (n, heads) and grounds of these moves."""
    at = [(recorded[game], tick, seat) for game, tick, seat in zip(which, ticks, seats, strict=True)]
    worlds = [game.world for game, *_ in at if game.world is not None] or None
    rows = [(game.states[t], game.masks[t, s], game.actions[t, s]) for game, t, s in at]
    states, masks, actions = (np.stack(column) for column in zip(*rows, strict=True))
    return states, masks, actions, worlds


def log_probs(
    policy: Policy, logits: np.ndarray, greedy: bool | None = None, heads: tuple[int, ...] = ()
) -> np.ndarray:
    """The logarithms (n, A) of an agent's probabilities for each action, or for each head's choices."""
    parts = np.split(logits.astype(np.float64), np.cumsum(heads)[:-1], 1) if heads else [logits.astype(float)]
    values = []
    for part in parts:
        if draws(policy, greedy):
            top = part.max(1, keepdims=True)
            values.append(part - top - np.log(np.exp(part - top).sum(1, keepdims=True)))
        else:
            best = part.argmax(1)[:, None] == np.arange(part.shape[1])
            values.append(np.where(best, 0.0, -np.inf))
    return np.concatenate(values, 1)


def imitation(
    policy: Policy, game: str, recorded: Sequence[Recorded], greedy: bool | None = None
) -> dict[str, Any]:
    """{"nats", "accuracy", "actions", "not_stay_accuracy", "by": {kind: the same}, "people", …}. `nats`: mean
    of -log p of what people did, None if the agent would never have done one of them. `accuracy`: how often
    its likeliest action, with all heads, was theirs. `not_stay_accuracy`: the same without no-ops (in games
    in which one can do nothing). `people`: means over people with ten actions or more, each weighted alike.
    Games that the agent can't play are left out; raises Refusal if it can play none. A human proxy is
    asked with ticks of the length that it was made from.
    """
    policy = at_pace(policy, policy.card.get("tick_ms"))
    recorded, unfit = _fitting(policy, game, recorded)
    spec = games.spec(game)
    seats_of = max(game.who.shape[1] for game in recorded)
    memory = np.zeros((len(recorded), seats_of, policy.memory), np.float32)
    firsts, rows, people_ = np.cumsum((0, *spec.heads))[:-1] if spec.heads else np.zeros(1, int), [], []
    for which, seats, ticks in steps(recorded):
        remembered = memory[which, seats]
        states, masks, did, worlds = rows_at(recorded, which, seats, ticks)
        logits = policy.logits_many(states, seats, masks, worlds, memory=remembered)
        memory[which, seats] = remembered
        logp = log_probs(policy, logits, greedy, spec.heads)
        did = did.reshape(len(did), -1)
        best = np.stack([part.argmax(1) for part in np.split(logp, firsts[1:], 1)], 1)
        nats = -np.take_along_axis(logp, firsts + did, 1).sum(1)
        acted = (did != _nothing(spec, recorded, which, seats, states)).any(1)
        rows.append(np.stack([which, nats, (best == did).all(1), acted], 1))
        people_ += [recorded[g].who[t, s] for g, t, s in zip(which, ticks, seats, strict=True)]
    which, nats, right, acted = np.concatenate(rows).T
    right, acted = right.astype(bool), acted.astype(bool)
    kinds = np.array([game.kind for game in recorded])[which.astype(int)]
    who = np.array(people_)
    return {
        **_means(nats, right, acted),
        "by": {kind: _means(*(x[kinds == kind] for x in (nats, right, acted))) for kind in _sorted(kinds)},
        "people": _by_person(who, nats, right),
        "game": game,
        "agent": policy.name,
        "games": len(recorded),
        "left_out": unfit,
        "acts": manner(policy, greedy),
    }


def _nothing(
    spec: GameSpec, recorded: Sequence[Recorded], which: np.ndarray, seats: np.ndarray, states: np.ndarray
) -> np.ndarray:
    """(n, heads) or (1, 1): what a seat does that does nothing."""
    if spec.heads and spec.idle is not None:
        idle = [spec.idle(state, int(seat)) for state, seat in zip(states, seats, strict=True)]
        return np.array(idle)[:, : len(spec.heads)]
    last = spec.num_actions(recorded[int(which[0])].options) - 1
    return np.array([[last if spec.no_op is None else spec.no_op]])


def _fitting(policy: Policy, game: str, recorded: Sequence[Recorded]) -> tuple[list[Recorded], int]:
    """The games that an agent can play, and how many it can't."""
    fits, problem = [], None
    for game_of in recorded:
        try:
            check_fits(policy, game, game_of.options)
            fits.append(game_of)
        except Refusal as error:
            problem = error
    if problem is not None and not fits:
        raise problem
    return fits, len(recorded) - len(fits)


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
    return {
        "people": len(each),
        "nats": _finite(costs.mean()),
        "accuracy": float(shares.mean()),
        "interval": interval_of_mean(costs) if np.isfinite(costs).all() else None,
    }


def lines(result: dict[str, Any]) -> list[str]:
    """The result as text."""

    def words(figures: dict[str, Any]) -> str:
        nats = "never does what they did" if figures["nats"] is None else f"{figures['nats']:.3f} nats"
        acted = figures["not_stay_accuracy"]
        rest = "" if acted is None else f", {acted:.3f} where they did something"
        return f"{nats}, accuracy {figures['accuracy']:.3f}{rest}, {figures['actions']:,} actions"

    unfit = f"; it can't play {result['left_out']} others" if result["left_out"] else ""
    return [
        f"{result['agent']} ({result['acts']} moves): {words(result)} in {result['games']} games{unfit}",
        *(f"  {kind}: {words(figures)}" for kind, figures in result["by"].items()),
    ]
