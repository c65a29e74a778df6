"""The games that agents of real-time matches keep: stepped on by what is new, asked for when forgotten."""

import numpy as np
import pytest

from engine.agents.serve import Server
from engine.simulation.simulation import Simulation

COOK = "overcooked/self_play-cramped_room"
TEXT = "bring me a dish"


@pytest.fixture
def server() -> Server:
    return Server()


def full(sim: Simulation, **fields) -> dict:
    return {
        "id": 1,
        "match": "m",
        "game": sim.game,
        "options": sim.options,
        "seed": sim.seed,
        "deck": sim.deck,
        "from": 0,
        "actions": sim.actions,
        "ask": [{"seat": 1, "agent": COOK, "programs": []}],
        **fields,
    }


def test_a_tick_brings_only_what_is_new_and_means_the_same(server):
    sim = Simulation("overcooked")
    ask = [{"seat": 1, "agent": "overcooked/greedy", "programs": []}]
    (first,) = server.answer([full(sim, ask=ask)])
    assert (first["tick"], list(first["actions"])) == (0, ["1"])
    for tick in range(5):
        sim.step([2, first["actions"]["1"]])
        (first,) = server.answer(
            [{"id": 2, "match": "m", "from": tick, "actions": sim.actions[tick:], "ask": ask}]
        )
        (whole,) = Server().answer([full(sim, ask=ask)])
        assert (first["tick"], first["actions"]) == (tick + 1, whole["actions"])


def test_a_game_that_is_not_here_is_asked_for(server):
    request = {"id": 2, "match": "m", "from": 3, "actions": [], "ask": []}
    assert server.answer([request]) == [{"id": 2, "forgotten": True}]
    sim = Simulation("overcooked")
    server.answer([full(sim)])
    assert server.answer([request]) == [{"id": 2, "forgotten": True}], "it is here, but at another tick"


def test_what_fails_for_one_seat_touches_no_other(server):
    sim = Simulation("overcooked", {"layout": "coordination_ring"})
    good = Simulation("overcooked")
    unknown = {"seat": 0, "agent": "overcooked/nobody", "programs": []}
    other = full(sim, id=7, match="other")
    here = full(good, id=8)
    here["ask"].append(unknown)
    by_id = {reply["id"]: reply for reply in server.answer([other, here])}
    assert "coordination_ring" in by_id[7]["errors"]["1"] and by_id[7]["actions"] == {}
    assert list(by_id[8]["actions"]) == ["1"] and "no agent" in by_id[8]["errors"]["0"]


def test_progress_is_told_by_instruction(server):
    from engine import language

    sim = Simulation("overcooked")
    program = {**language.read("overcooked", TEXT).program, "since_tick": 0}
    request = full(sim)
    request["ask"][0]["programs"] = [{"id": "a", "program": program}]
    (reply,) = server.answer([request])
    assert reply["goals"]["1"]["a"]["state"] in ("waiting", "obeying")


def test_a_network_that_learned_by_drawing_draws_its_moves(server):
    policy = server.policy(COOK, "overcooked")
    assert policy.card["acts"] == "sampled"
    sims = [Simulation("overcooked", {"start": "random"}, seed=seed) for seed in range(40)]
    logits = policy.logits(sims, [1] * len(sims))
    chances = np.exp(logits - logits.max(1, keepdims=True))
    unsure = sims[int((chances.max(1) / chances.sum(1)).argmin())]
    requests = [full(unsure, id=number, match=str(number)) for number in range(60)]
    drawn = {reply["actions"]["1"] for reply in server.answer(requests)}
    assert len(drawn) > 1
