"""Instructions followed in many games at once: what one live game says, row by row, in every game."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from engine import games, language
from engine.language.following import Beside, following
from engine.simulation.batch import Batch
from engine.simulation.simulation import Simulation

TEXTS = {
    "hanabi": [
        "if I hint a colour, play those cards",
        "when I hint one card, play it; when I hint several, keep them",
        "if I give you a red hint discard the oldest of those cards",
        "colour hints mean play, rank hints mean save",
        "after I play, hint ranks",
        "if I do nothing yet, hint colours",
        "play your newest card unless it's a five",
        "discard your oldest unhinted card",
        "never discard cards I told you about",
        "always discard the card in slot B",
        "hint cards that I can play",
        "tell me about fives",
        "don't hint ranks",
        "hint my critical cards",
        "save what is critical",
        "hint fives early",
    ],
    "overcooked": [
        "you do onions",
        "you serve, I cook",
        "don't serve",
        "get two plates and bring them to me",
        "put an onion in the left pot",
        "wait by the pot until the soup is done",
        "put a plate on the counter near the pot",
        "take the onion from the counter",
        "when the soup is done, fetch a plate",
        "bring me soup",
        "stay away from the pots",
        "get out of my way",
        "let's swap roles",
        "come here",
        "start the pot",
        "stop",
    ],
}
# What rests until the kitchen is ready for it: in the product's readings alone.
RESTING = ["you serve", "bring me onions"]
OPTIONS = {
    "hanabi": [{"players": 2}, {"players": 4}],
    "overcooked": [
        {"layout": "cramped_room", "horizon": 60},
        {"layout": "forced_coordination", "dynamics": "new", "start": "random", "horizon": 60},
    ],
}
# What the product asked of these games on the day it was written down, rest and all.
DIGESTS = {
    "hanabi": "0a657ba1cfb63ea7a4edd0e1ff043374ed9296684442cb4ad4d5b270f3a7566f",
    "overcooked": "acede0119bc6fcce36eac0d5709beeac2ff3429de1425c11da9b7d66fd0bb309",
}


def programs(game: str) -> list[dict]:
    found = [language.by_grammar(game, text) for text in TEXTS[game]]
    assert not [one.text for one in found if one.program is None]
    return [one.program for one in found]


def batches(game: str):
    """(options, three games) of each kind."""
    for options in OPTIONS[game]:
        complete = games.spec(game).validate(options)
        batch = Batch(games.spec(game), complete, 3, observations="none", seed=7)
        yield complete, batch


@pytest.mark.parametrize("game", list(TEXTS))
def test_rows_of_a_batch_hear_what_live_games_do(game):
    said = programs(game) + [language.read(game, text).program for text in RESTING if game == "overcooked"]
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


@pytest.mark.parametrize("game", list(TEXTS))
def test_the_prior_is_what_it_always_was(game):
    digest, said = hashlib.sha256(), programs(game)
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
                digest.update(repr([{**some, "state": str(some["state"])} for some in progresses]).encode())
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
