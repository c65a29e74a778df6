"""How well agents foretell people: on made-up games, where it can be said beforehand."""

import json
import math

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.imitation import held_out, imitation, lines, log_probs, of_log, recorded
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, decode_line
from tests.engine import made_people


@pytest.fixture(scope="module")
def cooks(tmp_path_factory):
    return recorded("overcooked", made_people.overcooked(tmp_path_factory.mktemp("games") / "cooks.gz"))[0]


@pytest.fixture(scope="module")
def players(tmp_path_factory):
    return recorded("hanabi", made_people.hanabi_games(tmp_path_factory.mktemp("games") / "players.gz"))[0]


def test_every_action_of_a_person_counts_and_no_one_elses(cooks, players):
    found = imitation(load("overcooked/greedy", "overcooked"), "overcooked", cooks)
    assert found["actions"] == 3 * 2 * 60
    assert list(found["by"]) == ["cramped_room"] and found["people"]["people"] == 6
    own = imitation(load("hanabi/grounded-bot"), "hanabi", players)
    assert own["actions"] == sum(len(one.states) // 2 for one in players)


def test_who_does_what_people_did_foretells_it(players):
    own = imitation(load("hanabi/grounded-bot"), "hanabi", players)
    assert own["accuracy"] == 1.0 and own["nats"] == 0.0
    other = imitation(load("hanabi/random"), "hanabi", players)
    assert other["accuracy"] < 0.5 and other["nats"] is None
    assert "never does what they did" in lines(other)[0]


def test_staying_counts_apart(cooks):
    found = imitation(load("overcooked/stay", "overcooked"), "overcooked", cooks)
    assert 0.4 < found["accuracy"] < 0.8 and found["not_stay_accuracy"] == 0.0


def test_the_distribution_is_the_one_that_is_drawn_from(players):
    policy = load("hanabi/learner-1")
    drawn = imitation(policy, "hanabi", players, greedy=False)
    assert 0.1 < drawn["nats"] < 10 and drawn["acts"] == "sampled"
    logits = np.array([[1.0, 0.0, -np.inf]])
    assert log_probs(policy, logits, greedy=False)[0] == pytest.approx(
        [-math.log(1 + math.exp(-1)), -math.log(1 + math.e), -np.inf]
    )
    assert log_probs(policy, logits, greedy=True).tolist() == [[0.0, -np.inf, -np.inf]]


def test_agents_of_another_kitchen_and_files_of_another_game_are_refused(cooks, tmp_path):
    with pytest.raises(Refusal, match="can't play"):
        imitation(load("overcooked/self_play-forced_coordination", "overcooked"), "overcooked", cooks)
    with pytest.raises(ValueError, match="no game of people"):
        recorded("hanabi", made_people.overcooked(tmp_path / "cooks.gz", 1))
    with pytest.raises(ValueError, match="only in hanabi and overcooked"):
        recorded("arena", tmp_path / "cooks.gz")


def test_a_proxy_is_asked_at_the_pace_of_those_it_was_made_from(cooks):
    proxy, slow = (load("overcooked/human", "overcooked", {"tick_length": ms}) for ms in (0, 250))
    assert imitation(proxy, "overcooked", cooks)["nats"] == imitation(slow, "overcooked", cooks)["nats"]


def test_only_people_held_out_are_asked_about(cooks):
    tables = {one.names[0] for one in cooks}
    made = {"name": "proxy", "hyperparameters": {"divide": 3, "parts": []}}
    first, last = (held_out(cooks, {**made, "hyperparameters": {"divide": 3, "parts": parts}})
                   for parts in ([1, 2], []))  # fmt: skip
    assert [len(first), len(last)] == [1, 1]
    assert first[0].names[0] == min(tables) and last[0].names[0] == max(tables)
    with pytest.raises(ValueError, match="proxy learned from all people"):
        held_out(cooks, {**made, "hyperparameters": {"divide": 1, "parts": [0]}})
    with pytest.raises(ValueError, match="greedy wasn't made from people"):
        held_out(cooks, load("overcooked/greedy", "overcooked").card)


def log_of(folder, name="table0"):
    lines_ = (folder / "episodes" / f"{name}.jsonl").read_text().splitlines()
    records = [decode_line(line) for line in lines_]
    return EpisodeLog(records[0], records[1:])


def test_who_takes_over_an_agents_seat_counts_as_themselves_from_then_on(tmp_path):
    log = log_of(made_people.logs(tmp_path, "overcooked/greedy", 1, (0,), 30))
    steps_ = [one for one in log.records if one["type"] == "step"]
    taken = {"kind": "copilot", "name": "Ann", "pseudonym": "A-1"}
    control = {"type": "control", "tick": 10, "seat": 1, "controller": taken}
    back = {"type": "control", "tick": 20, "seat": 1, "controller": {"kind": "agent", "name": "greedy"}}
    for one in steps_[10:20]:
        one["by"] = ["person", "copilot"]
    for one in steps_[25:]:
        one["by"] = ["agent", "agent"]
    records = [*steps_[:10], control, *steps_[10:20], back, *steps_[20:]]
    _, found = of_log(EpisodeLog(log.header, records))
    assert found.names == ["A-1", "P-0-0"]
    assert (found.who[:, 1] == "A-1").nonzero()[0].tolist() == list(range(10, 20))
    assert (found.who[:, 0] == "P-0-0").nonzero()[0].tolist() == list(range(25))
    # Of a log that doesn't tell who it was, nobody is credited.
    control["controller"] = {"kind": "copilot"}
    assert of_log(EpisodeLog(log.header, records))[1].names == ["P-0-0"]


def test_a_person_who_comes_back_is_the_headers_again(tmp_path):
    log = log_of(made_people.logs(tmp_path, "overcooked/greedy", 1, (0,), 30))
    steps_ = [one for one in log.records if one["type"] == "step"]
    for one in steps_[5:15]:
        one["by"] = ["agent", "agent"]
    away = {"type": "control", "tick": 5, "seat": 0, "controller": {"kind": "agent", "name": "stay"}}
    back = {"type": "control", "tick": 15, "seat": 0, "controller": {"kind": "person"}}
    records = [*steps_[:5], away, *steps_[5:15], back, *steps_[15:]]
    _, found = of_log(EpisodeLog(log.header, records))
    assert (found.who[:, 0] == "P-0-0").nonzero()[0].tolist() == [*range(5), *range(15, 30)]


def test_in_arena_a_decision_is_what_was_done_until_the_next_one(tmp_path):
    options = {"teams": 2, "team_size": 2, "pace": "short"}
    folder = made_people.logs(tmp_path, "arena/middle", 1, (1,), 60, options)
    log = log_of(folder)
    _, found = of_log(log)
    assert found.states.shape[0] == 20 and found.actions.shape[1:] == (4, 6)
    assert set(found.who[:, 1]) <= {"P-0-1", ""} and (found.who[:, 1] == "P-0-1").sum() > 15
    # Scripted squads hold a choice for these ticks, so it comes out again, but for how far they turned.
    steps_ = [one for one in log.records if one["type"] == "step"]
    held = np.array([[record[:6] for record in one["actions"]] for one in steps_[::3]])
    feet = [0, 3, 4]
    assert (found.actions[:, 1][:, feet] == held[:, 1][:, feet]).mean() > 0.95
    # A tick of somebody else's in it, and it is nobody's.
    steps_[4]["by"] = ["agent", "late", "agent", "agent"]
    assert of_log(EpisodeLog(log.header, steps_))[1].who[1, 1] == ""
    told = imitation(load("arena/middle", "arena"), "arena", [found])
    assert told["actions"] == (found.who != "").sum() and 0 <= told["accuracy"] <= 1
    assert json.dumps(told)


def test_a_passing_press_in_arena_counts_in_whichever_tick_it_was():
    from engine.games.arena import state as s
    from engine.games.arena.people import decided

    state = np.zeros(s.STATE_SIZE, s.STATE_DTYPE)
    rest = [4, 0, 1, s.B_NONE, s.PICK, 0, 0, 0, 0]  # the slot in hand is 0: hands rest
    jump = [4, 3, 1, s.B_JUMP, s.FIRE, s.KEEP, 0, 0, 0]
    assert decided(state, 0, np.array([rest, jump, rest])) == [4, 1, 1, s.B_JUMP, s.FIRE, s.KEEP]
    assert decided(state, 0, np.array([rest, rest, rest])) == rest[:6]
    left = [4, 14, 1, s.B_NONE, s.PICK, 0, 0, 0, 0]
    assert decided(state, 0, np.array([left, left, rest]))[1] == 15, "a turn of -2, -2 and 0 is one of -1"
