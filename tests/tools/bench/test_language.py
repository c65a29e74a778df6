"""The held-out sets are what their README says, and readers are scored on them as they should be."""

import numpy as np
import pytest

from engine.evaluation import instructions
from engine.games.arena.abstraction import SUBGOALS
from engine.games.hanabi.evaluation.readings import answers, paper
from engine.games.hanabi.language.table import actions, observations
from engine.games.overcooked.language.programs import INTENTS, KINDS, SIDES
from tools.bench import language as bench


@pytest.mark.parametrize("game", instructions.games())
def test_every_set_is_large_and_says_each_text_once_in_many_voices(game):
    items = instructions.load(game)
    good = [item for item in items if not item["refused"]]
    assert len(good) >= 300 and len(items) - len(good) >= 80
    assert len({item["text"].lower() for item in items}) == len(items)
    assert len({item["voice"] for item in good}) >= 12


def test_readings_use_the_names_of_their_game():
    for item in instructions.load("arena"):
        for name, value in {**item.get("goals", {}), **item.get("or", {})}.items():
            assert value in SUBGOALS[name]
    for item in instructions.load("overcooked"):
        for goal in [*item.get("subgoals", ()), *item.get("or", ())]:
            assert goal["intent"] in INTENTS and goal["who"] in ("me", "you", "both")
            place = goal["target"]
            assert place is None or (place["kind"] in KINDS and place["which"] in (*SIDES, None))


def test_the_papers_wordings_have_566_questions_to_be_answered_yes():
    for item in paper():
        assert answers(item).sum() == 566


def table(clauses, no=()):
    found = answers({"yes": clauses, "no": list(no)})
    rows, columns = [key for key, _ in observations()], [key for key, _ in actions()]
    return lambda seen: {move for move in columns if found[rows.index(seen), columns.index(move)]}


def test_a_clause_answers_what_it_says():
    yes = table(
        [{"after": ["hint_rank"], "value": 2, "touched": "many", "move": "play", "cards": "untouched_newest"}]
    )
    assert yes("hint_rank:2:A,E") == {"play:D"}
    assert yes("hint_rank:2:E") == yes("hint_rank:3:A,E") == yes("hint_color:red:A,E") == yes("null") == set()
    yes = table([{"after": ["*"], "move": "discard", "cards": "oldest"}, {"after": [None], "move": "hint"}])
    assert yes("null") == {"discard:A", "hint_color", "hint_rank"}
    assert yes("play:C") == {"discard:A"}
    not_red = [{"after": ["hint_color"], "value": "red", "move": "play", "cards": "any"}]
    yes = table([{"after": ["hint_color"], "move": "play", "cards": "touched"}], not_red)
    assert yes("hint_color:red:B") == set() and yes("hint_color:blue:B") == {"play:B"}


def test_hanabi_counts_a_refused_instruction_as_all_no():
    items = [item for item in instructions.load("hanabi") if not item["refused"] and "kind" not in item][:20]
    perfect = [{"refused": False, "meant": answers(item)} for item in items]
    assert bench.score("hanabi", items, perfect)["balanced"]["mean"] == 1
    found = bench.score("hanabi", items, [{"refused": True}] * 20)
    assert found["balanced"]["mean"] == 0.5 and found["good_refused"]["mean"] == 1
    assert (
        found["answered_right"]["mean"]
        == bench.score("hanabi", items, [{"refused": False, "meant": np.zeros((321, 12), bool)}] * 20)[
            "answered_right"
        ]["mean"]
    )


def test_sub_goals_are_counted_for_the_closer_of_two_right_readings():
    fetch, put = ({"intent": i, "who": "you", "negated": False} for i in ("fetch_onion", "put_onion_in_pot"))
    item = {"refused": False, "subgoals": [fetch], "or": [put]}
    read = {"refused": False, "meant": {"fetch_onion you do", "put_onion_in_pot you do"}}
    found = bench.score("overcooked", [item], [read])
    assert (found["precision"]["mean"], found["recall"]["mean"], found["exact"]["mean"]) == (0.5, 1, 0)
    assert (
        bench.score("overcooked", [item], [{"refused": False, "meant": {"put_onion_in_pot you do"}}])["f1"][
            "mean"
        ]
        == 1
    )


def test_arena_counts_names_apart_from_values():
    item = {"refused": False, "goals": {"Average velocity": "Fast", "Whether prone position": "False"}}
    said = {"refused": False, "meant": {"Average velocity=Slow", "Whether prone position=False"}}
    found = bench.score("arena", [item], [said])
    assert (found["f1"]["mean"], found["f1_choice"]["mean"]) == (0.5, 1)


def test_meaningless_texts_are_to_be_refused():
    items = [{"refused": True, "text": "hi"}] * 3 + [{"refused": False, "goals": {}}]
    said = [{"refused": True}, {"refused": True}, {"refused": False, "meant": set()}, {"refused": True}]
    found = bench.score("arena", items, said)
    assert found["meaningless_refused"]["mean"] == pytest.approx(2 / 3, abs=1e-3)
    assert found["good_refused"]["mean"] == 1


def test_the_nearest_phrasing_answers_as_the_bank_does(monkeypatch):
    rows = [
        {
            "text": "bring me an onion",
            "refused": False,
            "subgoals": [{"intent": "fetch_onion", "who": "you", "negated": False}],
        },
        {"text": "what a nice day", "refused": True},
    ]
    monkeypatch.setattr(bench, "bank", lambda game: rows)
    reader = bench.nearest("overcooked")
    assert reader("please bring an onoin")["meant"] == {"fetch_onion you do"}
    assert reader("a nice day it is")["refused"]


def test_an_unknown_game_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="there are none for 'chess'"):
        instructions.load("chess")
