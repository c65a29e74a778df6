"""Whole games between policies, with each game's score and what a reward model gives every seat for it.

Not for scores alone: engine.evaluation.self_play and cross_play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import games
from engine.agents.acting import NOTHING, Player, draws
from engine.agents.features import reward_inputs_for
from engine.agents.policy import Policy
from engine.evaluation.measures import Measure, MeasuredGames
from engine.evaluation.told_games import ToldGames
from engine.language import Reading
from engine.simulation.batch import Batch

if TYPE_CHECKING:
    from engine.agents.utility import OnlineUtility, RewardModel


@dataclass(frozen=True)
class Played:
    """n games: `scores` (n,); `utilities` (n, seats): U(T) - U(0) of each seat, 0 without a model, for
    several models (n, seats, models); `told`: the seats with the instruction.
    """

    scores: np.ndarray
    utilities: np.ndarray
    told: list[int]


def play_rewarded(
    policies: Sequence[Policy],
    game: str,
    options: dict[str, Any],
    episodes: int,
    seed: int = 0,
    reward_model: RewardModel | Measure | Sequence[RewardModel | Measure] | None = None,
    check: Callable[[], None] = lambda: None,
    told: str | Reading = "",
    hearers: Sequence[int] | None = None,
    ticks: int | None = None,
    arrange: Callable[[np.ndarray], None] = lambda states: None,
    greedy: bool | None = None,
    firmness: float = 1.0,
    watch: Callable[[np.ndarray, np.ndarray], None] = lambda rows, actions: None,
) -> Played:
    """Games with policies[s] in seat s. The same seed deals the same games, whatever agents play with
    whatever instruction. Agents act as their cards say, or as `greedy` does (engine.agents.acting). `told`:
    the instruction that the player in seat 0 gives the others of its side at the start, as in live play, or,
    with `hearers`, that these seats have all the time; the reward model gets it, too. `check` is called
    before every move and may raise, to stop. After `ticks` all games are left, with the score that they have.
    `arrange` may change the records at which they begin. `firmness` is that of the instruction
    (`language.softened`). `watch` is called with the games that go on and the actions of all. Raises
    ValueError for an instruction that can't be followed.
    """
    spec = games.spec(game)
    batch = Batch(spec, options, episodes, observations="none", seed=seed)
    arrange(batch.states)
    batch.look()
    models = (len(reward_model),) if isinstance(reward_model, Sequence) else ()
    scores, utilities = np.zeros(episodes), np.zeros((episodes, len(policies), *models))
    running, every = np.ones(episodes, bool), np.arange(episodes)
    rng = np.random.default_rng(seed)
    world = batch.world if spec.world else None
    reached = batch.states.copy()
    heard = ToldGames(game, options, batch.states, told, hearers, firmness) if told else None
    online: OnlineUtility | MeasuredGames | Several | None = None
    if reward_model is not None:
        meant = heard.features if heard else None
        place = game, options, batch.states, len(policies), meant, world
        if isinstance(reward_model, Sequence):
            online = Several([read_in(model, *place) for model in reward_model])
        else:
            online = read_in(reward_model, *place)
        online.begin(batch.states, every)
    players = [
        (Player(policy, episodes, len(policies)), np.array([other is policy for other in policies]))
        for policy in {id(policy): policy for policy in policies}.values()
    ]
    while running.any() and (ticks is None or batch.ticks < ticks):
        check()
        actions = np.zeros_like(batch.actions) if spec.heads else batch.masks.argmax(-1)
        moves = moving(batch, len(policies))
        for player, seats_of in players:
            rows, seats = np.nonzero(moves & seats_of & running[:, None])
            if len(rows):
                to = rows if spec.turn_based else (rows, seats)
                heard_now = heard.heard(player.policy, rows, seats) if heard else NOTHING
                states, masks = batch.states[rows], batch.masks[to]
                actions[to] = player.act(rows, states, seats, masks, rng, world, heard_now, greedy)
        playing = np.flatnonzero(running)
        watch(playing, actions)
        for _ in range(spec.decision_ticks):
            batch.step(actions)
            ended = running & (batch.dones != 0)
            scores[ended] = batch.scores[ended]
            reached[ended] = batch.finals[ended]
            if online is not None:
                rows = np.flatnonzero(running)
                online.tick(np.where(ended[rows, None], batch.finals[rows], batch.states[rows]), rows)
            running &= ~ended
            if heard is not None:
                rows = np.flatnonzero(running)
                heard.follow(rows, batch.states[rows])
        reached[running] = batch.states[running]
        if online is not None:
            utilities[playing] += online.add(reached[playing], playing)
    scores[running] = [spec.score(state) for state in batch.states[running]]
    return Played(scores, utilities, heard.audience if heard else [])


class Several:
    """Reward models, or measures, in the same games: what each adds is (len(rows), seats, models)."""

    def __init__(self, each: Sequence[OnlineUtility | MeasuredGames]) -> None:
        self.each = each

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        for model in self.each:
            model.begin(states, rows)

    def tick(self, states: np.ndarray, rows: np.ndarray) -> None:
        for model in self.each:
            model.tick(states, rows)

    def add(self, states: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return np.stack([model.add(states, rows) for model in self.each], axis=-1)


def read_in(
    model: RewardModel | Measure,
    game: str,
    options: dict[str, Any],
    states: np.ndarray,
    seats: int,
    told: np.ndarray | None = None,
    world: np.ndarray | None = None,
) -> OnlineUtility | MeasuredGames:
    """A reward model, or a scripted measure in its place, in n games with records `states` (n, state_size),
    in which all seats have an instruction, features (F,), or each its own, (n, seats, F). Raises ValueError
    for a model of games with other options.
    """
    if isinstance(model, Measure):
        return MeasuredGames(model, len(states), seats, states[0], told)
    # Reward models are torch's, which takes seconds to import: a web process asks for proxies' scores alone.
    from engine.agents.utility import OnlineUtility, can_read

    inputs = reward_inputs_for(game, options, model.reads)
    if not can_read(model, game, options):
        raise ValueError("The reward model was trained on games with other options than these.")
    told = np.zeros(model.sizes["instruction_size"]) if told is None else told
    return OnlineUtility(model, inputs, len(states), seats, told, world)


def measured(
    policy: Policy, table: Sequence[Policy], options: dict[str, Any], episodes: int, **how: Any
) -> dict[str, float]:
    """Mean "score", and mean "utility" per game and seat of the policy's, over games of the agents at a
    `table`; `how` is as in `play_rewarded`, where the policy's seats have the instruction `told`.
    """
    options = fair_options(policy.game, options, [policy])
    mine = np.flatnonzero([player is policy for player in table])
    played = play_rewarded(table, policy.game, options, episodes, hearers=mine.tolist(), **how)
    return {"score": float(played.scores.mean()), "utility": float(played.utilities[:, mine].mean())}


def varied(game: str) -> dict[str, Any]:
    """Options under which greedy games of the same agents differ: if nothing is dealt, a random start."""
    return {"start": "random"} if "start" in games.spec(game).options else {}


def fair_options(game: str, options: dict[str, Any], policies: Sequence[Policy]) -> dict[str, Any]:
    """The options for comparing these agents: the usual ones; but if nothing is dealt and one of them always
    takes its best moves, games begin in random states, or all of its games would be the same.
    """
    return options if all(draws(policy) for policy in policies) else {**options, **varied(game)}


def moving(batch: Batch, seats: int) -> np.ndarray:
    """Which seats act now, bool (n, seats)."""
    if batch.spec.turn_based:
        return batch.seats[:, None] == np.arange(seats)
    return np.ones((batch.n, seats), bool)
