"""Clones of people in games without features of people, for any number of seats, with or without sides."""

from __future__ import annotations

import io

import numpy as np
import pytest

from engine import games
from engine.agents.catalogue import load
from engine.agents.people import KIND
from engine.agents.policy import NetworkPolicy
from engine.evaluation.imitation import imitation, recorded
from engine.evaluation.people import evaluate_people
from engine.evaluation.self_play import play
from engine.learning.algorithms.clone_people import CloningPeople, Settings
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal
from tests.engine import made_people

KITCHEN = "XXPXX\nO123O\nX   X\nXDXSX\n"
SMALL = {"divide": 3, "clones": 1, "epochs": 4, "updates": 1, "games": 4, "steps": 12, "minibatch": 50}
# Who plays for people, in which games, in which seats people sit.
GAMES = {
    "arena": ("arena/middle", {"teams": 2, "team_size": 2, "pace": "short"}, (0, 3)),
    "hanabi": ("hanabi/random", {"players": 4}, (1, 2)),
    "say_select": ("say_select/beginner", {}, (0,)),
}


def proxy_of(game, tmp_path, **more):
    bot, options, seats = GAMES[game]
    folder = made_people.logs(tmp_path / "games", bot, 4, seats, options=options)
    training = CloningPeople(Settings(game=game, file=str(folder), **(SMALL | more)))
    return training, training.run(tmp_path / "out", Reporter(io.StringIO()))


@pytest.mark.parametrize("game", GAMES)
def test_a_proxy_comes_out_of_every_game_and_is_measured_on_people_held_out(game, tmp_path):
    training, result = proxy_of(game, tmp_path)
    options = games.spec(game).validate(GAMES[game][1])
    policy = load(result["folder"], game, options)
    assert isinstance(policy, NetworkPolicy) and policy.card["kind"] == KIND
    assert policy.card["acts"] == "sampled" and 0 < result["held_out"]["nats"] < 20
    names = {name for one in training.others for name in one.names}
    assert names and not names & {name for one in training.own for name in one.names}
    found = imitation(policy, game, recorded(game, tmp_path / "games")[0])
    assert {"nats", "accuracy", "actions", "not_stay_accuracy", "by"} <= set(found)
    assert found["actions"] > 0 and found["people"]["people"] in (0, 4 * len(GAMES[game][2]))
    assert len(play([policy], game, {**options, **({"pace": "short"} if game == "arena" else {})}, 2)) == 2


def test_what_people_do_is_learned_head_by_head(tmp_path):
    training, _ = proxy_of("arena", tmp_path, epochs=1, updates=0)
    first = training.epoch(training.adams[0], lambda rows: training.as_people_did(training.crowd[0], rows))
    for _ in range(20):
        last = training.epoch(training.adams[0], lambda rows: training.as_people_did(training.crowd[0], rows))
    assert last < 0.7 * first and training.moves.actions.shape[1] == 6


def test_earnings_are_of_a_seats_own_side(tmp_path):
    bot, options, _ = GAMES["arena"]
    folder = made_people.logs(tmp_path / "games", bot, 3, (0, 2), steps=600, options=options)
    found = recorded("arena", folder)[0]
    sums = np.array([one.earned[-1] for one in found])
    assert (np.ptp(sums, axis=1) > 0).all(), "two squads that shoot at each other don't earn alike"
    training = CloningPeople(Settings(game="arena", file=str(folder), **SMALL))
    own = [one.earned[-1, [0, 2]].mean() for one in training.own]
    assert training.aims == [pytest.approx(np.mean(own))]
    training.update = training.answering
    training.net.load_state_dict(training.crowd[0].state_dict())
    training.step()
    table = training.tables[0]
    rows = training.rows_of(0, table)
    assert rows["returns"].std() > 0 and rows["actions"].shape[1] == 6


def test_a_proxy_leads_a_squad(tmp_path):
    _, result = proxy_of("arena", tmp_path)
    policy = load("arena/weak", "arena")
    options = {"teams": 2, "team_size": 2, "pace": "short"}
    found = evaluate_people(policy, "arena", options, 1, seeds=1, ref=result["folder"])
    assert 0 <= found["mean"] <= 100


def test_three_cooks_are_cloned_in_their_kitchen_alone(tmp_path):
    options = {"layout": KITCHEN, "players": 3, "horizon": 40}
    folder = made_people.logs(tmp_path / "games", "overcooked/greedy", 4, (0, 2), 40, options)
    given = SMALL | {"variants": [options]}
    training = CloningPeople(Settings(game="overcooked", file=str(folder), **given))
    result = training.run(tmp_path / "out", Reporter(io.StringIO()))
    policy = load(result["folder"], "overcooked", options)
    assert policy.players == (3,) and len(play([policy], "overcooked", options, 2)) == 2
    two = {**options, "players": 2}
    with pytest.raises(Refusal, match="games of one kind.*plays with 3 players, not 2"):
        CloningPeople(Settings(game="overcooked", file=str(folder), **(given | {"variants": [options, two]})))
