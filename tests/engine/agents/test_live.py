"""The games that agents of real-time matches keep: stepped on by what is new, asked for when forgotten."""

import numpy as np
import pytest

from engine import language
from engine.agents.serve import Server
from engine.games.arena import state as s
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
    sim = Simulation("overcooked")
    program = {**language.read("overcooked", TEXT).program, "since_tick": 0}
    request = full(sim)
    request["ask"][0]["programs"] = [{"id": "a", "program": program}]
    (reply,) = server.answer([request])
    assert reply["goals"]["1"]["a"]["state"] in ("waiting", "obeying")


def test_instructions_that_have_not_changed_need_not_be_brought_again(server):
    sim = Simulation("overcooked")
    program = {**language.read("overcooked", TEXT).program, "since_tick": 0}
    request = full(sim)
    request["ask"][0]["programs"] = [{"id": "a", "program": program}]
    server.answer([request])
    again = {"id": 2, "match": "m", "from": 0, "actions": [], "ask": [{"seat": 1, "agent": COOK}]}
    (reply,) = server.answer([again])
    assert list(reply["goals"]["1"]) == ["a"]
    again["ask"][0]["programs"] = []
    server.answer([again])
    del again["ask"][0]["programs"]
    (reply,) = server.answer([again])
    assert reply["goals"] == {}, "it was taken back"


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


def told(sim: Simulation, *texts: str, since: int = 0) -> list[dict]:
    """Instructions as a match sends them."""
    own = {"since_tick": since, "from_seat": 0}
    return [{"id": text, "program": {**language.read(sim.game, text).program, **own}} for text in texts]


def asking(agent: str, seat: int, programs: list[dict]) -> dict:
    return {"ask": [{"seat": seat, "agent": agent, "programs": programs}]}


def test_a_move_that_an_instruction_changed_names_it_and_what_it_would_have_been(server):
    sim = Simulation("overcooked")
    (plain,) = server.answer([full(sim, **asking("overcooked/greedy", 1, []))])
    (reply,) = server.answer([full(sim, **asking("overcooked/greedy", 1, told(sim, "stop")))])
    assert plain["reasons"] == []
    (reason,) = reply["reasons"]
    assert (reason["seat"], reason["id"], reason["kind"]) == (1, "stop", "because")
    assert reason["instead"] == plain["actions"]["1"] != reply["actions"]["1"]
    assert reason["what"] == "standing still"


def test_an_agent_that_draws_would_have_drawn_the_same_without_an_instruction_about_nothing_now(server):
    """Two draws of one policy differ all the time; no instruction is to be blamed for that."""
    sims = [Simulation("overcooked") for _ in range(30)]
    waits = told(sims[0], "when the soup is done, serve it")
    requests = [full(sim, id=n, match=str(n), **asking(COOK, 1, waits)) for n, sim in enumerate(sims)]
    assert [reply["reasons"] for reply in server.answer(requests)] == [[]] * len(sims)
    stop = [
        full(sim, id=n, match=str(n), **asking(COOK, 1, told(sims[0], "stop"))) for n, sim in enumerate(sims)
    ]
    assert any(reply["reasons"] for reply in server.answer(stop))


def test_what_cannot_be_done_now_is_said_by_the_game(server):
    sim = Simulation("overcooked")
    (reply,) = server.answer([full(sim, **asking("overcooked/greedy", 1, told(sim, "you do the serving")))])
    assert [(one["kind"], one["what"]) for one in reply["reasons"]] == [("blocked", "no soup is cooking yet")]


def test_of_several_instructions_the_one_that_makes_the_difference_is_named(server):
    sim = Simulation("overcooked")
    both = told(sim, "when the soup is done, serve it", "stop")
    (reply,) = server.answer([full(sim, **asking("overcooked/greedy", 1, both))])
    assert {one["id"] for one in reply["reasons"]} == {"stop"}


def test_what_keeps_an_agent_from_saying_why_keeps_it_from_no_move_and_is_logged_once(
    server, monkeypatch, caplog
):
    sim = Simulation("overcooked")
    request = full(sim, **asking(COOK, 1, told(sim, "stop")))
    policy = server.policy(COOK, "overcooked")
    kept = policy.logits_many

    def one_row(states, *given, **more):
        if len(states) > 1:
            raise ValueError("too many rows")
        return kept(states, *given, **more)

    monkeypatch.setattr(policy, "logits_many", one_row)
    for _ in range(3):
        (reply,) = server.answer([request])
        assert (list(reply["actions"]), reply["errors"], reply["reasons"]) == (["1"], {}, [])
    assert len(caplog.records) == 1 and "too many rows" in caplog.text


def test_squad_mates_say_each_for_themselves_why_they_move_so_or_cannot(server):
    sim = Simulation("arena", {"teams": 2, "team_size": 3, "map_seed": 7})
    attack, follow = told(sim, "attack"), told(sim, "follow me")
    ask = [
        {"seat": 1, "agent": "arena/squad", "programs": attack},
        {"seat": 2, "agent": "arena/squad", "programs": follow},
        {"seat": 3, "agent": "arena/squad", "programs": []},
    ]
    (reply,) = server.answer([full(sim, ask=ask)])
    (untold,) = server.answer([full(sim, ask=[{**one, "programs": []} for one in ask])])
    said = {one["seat"]: one for one in reply["reasons"]}
    assert said[1]["kind"] == "blocked" and said[1]["what"] == "I see no enemy to attack"
    assert said[2]["kind"] == "because" and said[2]["instead"] == untold["actions"]["2"]
    assert 3 not in said and reply["actions"]["3"] == untold["actions"]["3"]


def test_what_a_mate_does_untold_is_no_instruction_but_carried_out_like_one(server):
    sim = Simulation("arena", {"teams": 2, "team_size": 3, "map_seed": 7, "monsters": 0})
    sim.step([sim.idle(seat) for seat in range(6)])
    default = [one["program"] for one in told(sim, "hold here")]
    ask = {"seat": 1, "agent": "arena/strong", "programs": []}
    (plain,) = server.answer([full(sim, id=1, match="a", ask=[ask])])
    (stays,) = server.answer([full(sim, id=2, match="b", ask=[{**ask, "default": default}])])
    assert stays["goals"] == {} and stays["reasons"] == [] and stays["errors"] == {}
    assert stays["actions"] != plain["actions"]
    follow = told(sim, "follow me")
    (both,) = server.answer(
        [full(sim, id=3, match="c", ask=[{**ask, "programs": follow, "default": default}])]
    )
    assert list(both["goals"]["1"]) == ["follow me"]


def test_a_condition_knows_what_happened_between_two_requests(server):
    sim = Simulation("arena", {"teams": 2, "team_size": 3, "map_seed": 7, "monsters": 0})
    ask = asking("arena/squad", 1, told(sim, "when I shoot, lie down"))
    (before,) = server.answer([full(sim, **ask)])
    for _ in range(language.look_every("arena")):
        joint = [sim.idle(seat) for seat in range(6)]
        joint[0][s.BASIC], joint[0][s.SWITCH] = s.FIRE, s.KEEP
        sim.step(joint)
    assert any(event["kind"] == "shot" for event in sim.events)
    (after,) = server.answer([{"id": 2, "match": "m", "from": 0, "actions": sim.actions, **ask}])
    states = [reply["goals"]["1"]["when I shoot, lie down"]["text"] for reply in (before, after)]
    assert states == ["until you attack", "not lying yet"]


def test_how_far_a_seat_has_got_is_looked_at_twice_a_second_and_at_once_when_it_is_told_more(server):
    sim = Simulation("arena", {"teams": 2, "team_size": 3, "map_seed": 7, "monsters": 0})
    follow = told(sim, "follow me")
    request, looks = full(sim, **asking("arena/squad", 1, follow)), []
    for tick in range(0, 40, 3):
        (reply,) = server.answer([request])
        assert list(reply["actions"]) == ["1"], "it moves at each decision"
        assert {one["seat"] for one in reply["reasons"]} <= {*map(int, reply["goals"])}
        looks += [tick] if reply["goals"] else []
        for _ in range(3):
            sim.step([sim.idle(seat) for seat in range(6)])
        request = {"id": 2, "match": "m", "from": tick, "actions": sim.actions[tick:]}
        request["ask"] = [{"seat": 1, "agent": "arena/squad"}]
        if tick == 27:
            request["ask"][0]["programs"] = [*follow, *told(sim, "hold your fire")]
    assert looks == [0, 9, 18, 27, 30, 39]
