"""Why an agent that was told something moved so: from its own numbers, and nothing where they don't say."""

import numpy as np
import pytest

from engine import language
from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.agents.reasons import reasons
from engine.games.hanabi import rules
from engine.language import reasons as sentences
from engine.simulation.simulation import Simulation
from engine.simulation.told import Span

NO_OP = 20


class Numbers:
    """A policy of Hanabi with these logits, whatever it sees."""

    memory, game = 0, "hanabi"

    def __init__(self, **card) -> None:
        self.card = card
        self.own = np.zeros(NO_OP + 1, np.float32)

    def logits_many(self, states, seats, masks, worlds=None, goals=None, instructions=None, memory=None):
        return np.where(masks != 0, self.own, -np.inf).astype(np.float32)


def game(moves=()) -> Simulation:
    sim = Simulation("hanabi", {"players": 2}, seed=3)
    for move in moves:
        sim.act(sim.current, int(move))
    return sim


def told(*texts: str) -> list[dict]:
    return [language.read("hanabi", text).program for text in texts]


def always(cards: str) -> dict:
    """To discard these cards, not only where a discard is due."""
    return {
        "game": "hanabi",
        "version": 1,
        "rules": [{"then": {"action": "discard", "cards": cards}, "weight": 1.0}],
    }


def hint(sim: Simulation) -> int:
    return int(np.flatnonzero(sim.legal(sim.current))[-1])


def says(policy, sim, programs, action) -> list[dict]:
    return reasons(policy, sim, sim.current, programs, action)


def test_a_move_that_an_instruction_changed_names_it_and_the_other_move():
    policy, sim = Numbers(), game([hint(game())])
    policy.own[7] = 3  # it would play its third card
    programs = [*told("When I discard, hint colours"), always("oldest")]
    assert says(policy, sim, programs, 0) == [{"program": 1, "kind": "because", "instead": 7}]


def test_what_asks_for_a_move_goes_before_what_only_speaks_against_another():
    sim = game([hint(game())])
    policy = Numbers()
    rank = next(
        a
        for a in np.flatnonzero(sim.legal(sim.current))
        if rules.action_kind(sim.state, a) == rules.HINT_RANK
    )
    policy.own[rank] = 3
    programs = told("only hint colours", "discard your oldest card")
    against, asked = (language.prior("hanabi", one, sim, sim.current) for one in programs)
    assert asked[0] > 0 >= against[0] and against[0] - against[rank] > asked[0] - asked[rank]
    legal = np.flatnonzero(sim.legal(sim.current))
    instead = int(legal[(policy.own + against)[legal].argmax()])
    assert says(policy, sim, programs, 0) == [{"program": 1, "kind": "because", "instead": instead}]


def test_where_two_ask_for_the_same_neither_is_the_cause():
    policy, sim = Numbers(), game([hint(game())])
    policy.own[5] = 1
    assert says(policy, sim, [always("oldest")], 0) == [{"program": 0, "kind": "because", "instead": 5}]
    assert says(policy, sim, [always("oldest"), always("oldest")], 0) == []


def test_what_it_would_have_done_anyway_and_what_nobody_asked_needs_no_reason():
    policy, sim = Numbers(), game([hint(game())])
    policy.own[0] = 3
    assert says(policy, sim, [always("oldest")], 0) == []
    assert says(policy, sim, [], 0) == []


def test_a_forbidden_move_is_owned_up_to_where_no_other_was_left():
    policy, sim = Numbers(), game()
    everything = [
        {"then": {"action": "play", "cards": "any"}, "weight": -1.0},
        {"then": {"action": "hint"}, "weight": -1.0},
    ]
    program = {
        "game": "hanabi",
        "version": 1,
        "rules": everything,
    }  # eight hints are there: nobody may discard
    assert not sim.legal(0)[:5].any()
    assert says(policy, sim, [program], 5) == [{"program": 0, "kind": "only"}]


def test_two_instructions_that_pull_apart_name_each_other():
    policy, sim = Numbers(), game([hint(game())])
    policy.own[5] = 1
    programs = [always("newest"), always("oldest")]
    programs[1]["rules"][0]["weight"] = 2.0
    found = says(policy, sim, programs, 0)
    assert {"program": 0, "kind": "other", "by": 1} in found
    assert {"program": 1, "kind": "because", "instead": 4} in found, "as the other instruction asks"


def test_its_own_numbers_are_said_to_have_decided_only_where_they_did():
    policy, sim = Numbers(), game([hint(game())])
    policy.own[5] = 40
    programs = [always("oldest")]
    assert says(policy, sim, programs, 5) == [{"program": 0, "kind": "own"}]
    assert says(policy, sim, programs, 7) == [], "these numbers don't explain that move"


def test_nothing_is_said_of_moves_that_are_drawn_and_in_games_without_reasons():
    drawn = Numbers(acts="sampled")
    assert says(drawn, game([hint(game())]), [always("oldest")], 0) == []
    kitchen = Simulation("overcooked", {"layout": "cramped_room"}, seed=1)
    program = language.read("overcooked", "you serve").program
    assert reasons(load("overcooked/greedy", "overcooked"), kitchen, 1, [program], 4) == []


def test_the_partner_that_reads_instructions_says_because_of_what_they_ask_for_alone():
    """Its network does other things, too, when it is told anything."""
    policy, programs, changed, said = load("hanabi/told", "hanabi"), told("Hint fives early"), 0, 0
    sim = Simulation("hanabi", {"players": 2}, seed=0)
    while not sim.over:
        seat = sim.current
        own = programs if seat == 1 else []
        action = act(policy, [sim], [seat], programs=[own])[0]
        changed += bool(own) and act(policy, [sim], [seat])[0] != action
        for reason in reasons(policy, sim, seat, own, action):
            wish, said = language.prior("hanabi", programs[0], sim, seat), said + 1
            assert reason["kind"] == "because" and wish[action] > wish[reason["instead"]]
        sim.act(seat, action)
    assert changed > said > 0


@pytest.mark.parametrize("ref", ["hanabi/learner-1", "hanabi/grounded-bot"])
def test_reasons_of_real_agents_are_true(ref):
    """Whenever one says "because", the same agent untold does what it says it would have done."""
    policy, programs, said = load(ref, "hanabi"), [always("oldest")], 0
    sim = Simulation("hanabi", {"players": 2}, seed=5)
    while not sim.over:
        seat = sim.current
        own = programs if seat == 1 else []
        action = act(policy, [sim], [seat], programs=[own])[0]
        for reason in reasons(policy, sim, seat, own, action):
            untold = act(policy, [sim], [seat])[0]
            is_discard = rules.action_kind(sim.state, action) == rules.DISCARD
            if reason["kind"] == "own":
                assert untold == action and not is_discard
            else:
                said += 1
                assert reason["kind"] == "because" and is_discard
                assert reason["instead"] == untold != action
        sim.act(seat, action)
    assert said > 3


def test_a_record_has_the_sentence_with_the_speakers_words():
    spans = [Span("a", 1, 0, "discard your oldest", {}, 0), Span("b", 1, 2, "x" * 90, {}, 0)]
    because = sentences.record({"program": 0, "kind": "because", "instead": 5}, spans, 4, 1)
    assert because["text"] == "Because Player 1 asked: “discard your oldest”."
    assert (because["id"], because["tick"], because["seat"], because["instead"]) == ("a", 4, 1, 5)
    other = sentences.record({"program": 0, "kind": "other", "by": 1}, spans, 4, 1)
    assert other["by"] == "b" and other["text"].startswith(
        "Not what Player 1 asked: “discard your oldest”. Player 3"
    )
    assert other["text"].endswith("…”.")
