"""Instructions followed in many games at once: what one live game says, row by row, in every game."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from engine import games, language
from engine.language.following import Beside, following
from engine.simulation.batch import Batch
from engine.simulation.simulation import Simulation

# Programs as logs have them: 16 of each game, and two kitchens' that rest until there is something to do.
FOLLOWED = [
    json.loads(line)
    for line in Path(__file__).with_name("followed.jsonl").read_text(encoding="utf-8").splitlines()
]
OPTIONS = {
    "hanabi": [{"players": 2}, {"players": 4}],
    "overcooked": [
        {"layout": "cramped_room", "horizon": 60},
        {"layout": "forced_coordination", "dynamics": "new", "start": "random", "horizon": 60},
    ],
}
# What was asked of these games before the model read texts, by the same programs.
DIGESTS = {
    "hanabi": "a918b40f2c680449fa99a12dd841904f1dd4a99aeacab17cb6c4d97b8cdeba9b",
    "overcooked": "45a2cd803a144a51ace8ca6bc4cfc63ebb7dcd2ba404bf3b5d138db6b0761c49",
}


def programs(game: str) -> list[dict]:
    return [program for program in FOLLOWED if program["game"] == game]


def batches(game: str):
    """(options, three games) of each kind."""
    for options in OPTIONS[game]:
        complete = games.spec(game).validate(options)
        batch = Batch(games.spec(game), complete, 3, observations="none", seed=7)
        yield complete, batch


@pytest.mark.parametrize("game", list(OPTIONS))
def test_rows_of_a_batch_hear_what_live_games_do(game):
    said = programs(game)
    for options, batch in batches(game):
        many, beside = following(game, options, 3), Beside(game, options)
        every = np.arange(3)
        for one in (many, beside):
            one.begin(batch.states, every)
        for step in range(50):
            together = [said[step % len(said)], said[(3 * step + 1) % len(said)]]
            for seat in range(games.spec(game).seats(options)):
                seats = np.full(3, seat)
                for some in (together[:1], together):
                    expected = beside.asked(some, every, seats)
                    assert np.array_equal(many.asked(some, every, seats), expected)
                done = beside.done(together[0], every, seats)
                assert np.array_equal(many.done(together[0], every, seats), done)
            batch.step(batch.choose_random())
            ended = np.flatnonzero(batch.dones)
            going = np.flatnonzero(batch.dones == 0)
            for one in (many, beside):
                one.follow(batch.states[going], going)
                one.begin(batch.states[ended], ended)


@pytest.mark.parametrize("game", list(OPTIONS))
def test_the_prior_is_what_it_always_was(game):
    digest, said = hashlib.sha256(), programs(game)[:16]
    for number, options in enumerate(OPTIONS[game]):
        sim, rng = Simulation(game, options, seed=number), np.random.default_rng(number)
        while not sim.over:
            joint = []
            for seat in range(sim.seats):
                since = int(rng.integers(sim.tick + 1))
                told = [{**said[i], "since_tick": since} for i in rng.integers(len(said), size=2)]
                priors = [language.prior(game, one, sim, seat) for one in said]
                priors.append(language.priors(game, told, sim, seat))
                digest.update(np.stack(priors).tobytes())
                progresses = language.progresses(game, told, sim, seat)
                digest.update(" ".join(some["state"] for some in progresses).encode())
                liked = rng.uniform(-10, 10, sim.num_actions) + priors[-1]
                joint.append(int(np.where(sim.legal(seat) != 0, liked, -np.inf).argmax()))
            sim.step(joint)
    assert digest.hexdigest() == DIGESTS[game]


def test_games_that_bring_nothing_have_a_game_beside_each_row():
    options = games.spec("say_select").validate({})
    batch = Batch(games.spec("say_select"), options, 2, observations="none", seed=1)
    found = following("say_select", options, 2)
    found.begin(batch.states, np.arange(2))
    asked = found.asked([{}], np.arange(2), np.array([0, 1]))
    assert asked.shape == (2, games.spec("say_select").num_actions(options)) and not asked.any()
    assert not found.done({}, np.arange(2), np.zeros(2, int)).any()
