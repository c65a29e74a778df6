"""Declared programs told back, carried out by goals of version 1, and read from such goals."""

import json
from itertools import combinations, product

import pytest

from engine import language
from engine.games.overcooked import rules
from engine.games.overcooked.language import saying
from engine.games.overcooked.language.carried import ALWAYS, carried, of_version_1
from engine.games.overcooked.language.declared import DECLARED
from engine.games.overcooked.language.programs import INTENTS
from engine.language import bank
from engine.language.declared import CONDITIONS, SPEECH, Clause, acts, checked, notation, parse, same, values
from engine.simulation.simulation import Simulation

CARRIED = """
fetch what=onion | fetch what=tomato times=1 | fetch what=dish to=me times=2 | by=both fetch what=onion to=me
fetch what=onion side=left times=1 | fetch what=dish to=me side=right | fetch what=dish times=1 when=full
fetch what=onion side=nearest | not fetch what=dish | not fetch what=onion side=top
by=me fetch what=dish times=1
fill what=onion | fill what=tomato side=left times=2
 fill what=onion side=nearest | fill what=onion when=empty
not fill what=onion side=right | by=me fill what=onion | by=both not fill what=tomato
lay what=dish | lay what=onion side=middle times=2 | lay what=held times=1 | lay what=soup near=serve times=1
lay what=dish to=me times=1 | lay what=dish when=ready | not lay what=held | not lay what=onion side=left
take what=onion times=1 | take | take what=soup side=right when=ready | not take | by=me take
plate | plate side=bottom times=1 | plate to=me | plate when=ready | not plate | by=me plate side=left
serve | serve side=right times=1 | serve when=ready | not serve | by=me serve when=ready
start times=1 | start side=left when=full | not start side=top | by=me start times=1
wait | wait at=pot until=ready | wait to=me | wait at=dish side=left | by=both wait at=pot
go at=serve | go to=me | go at=counter side=middle | not go at=pot | by=me go at=dish
stop | by=both stop | continue | divide | swap | clear | cancel
lay what=held times=1 ; clear ; by=me serve | not plate ; by=me plate ; fill what=onion side=left
serve when=i_bring | fill what=onion unless=i_busy until=late | by=me serve unless=you_free | stop when=i_come
not plate when=cooking | go at=dish when=laid when=you_served until=i_leave | plate when=ready unless=i_plate
wait until=i_plate then fill what=onion | fetch what=dish times=1 when=cooking then serve
continue when=i_leave | swap until=late | wait until=full
"""
BARE = """
cannot | by=other serve | by=2 serve | by=me by=other serve | by=me swap | by=me divide | not cancel
not continue | not divide | not swap | not clear | not go | not go to=me | not wait at=pot | not wait to=me
go | go side=left | go at=here | go at=pot to=me | wait side=top | wait at=serve to=me | go at=pot at=serve
serve side=other | fill side=other times=1 | wait at=pot side=other | not serve side=nearest
by=me start side=nearest
fetch | fetch to=me | fetch what=held | fetch what=onion at=serve | fetch what=dish at=counter to=me
fetch what=onion side=left | fetch what=onion to=me at=pot | not fetch what=dish to=me
by=me fetch what=dish to=me
fill what=soup | fill what=held | fill what=dish times=1 | fill times=0 | by=me fill times=2
not fill times=2
lay what=dish near=here | lay what=held to=me | lay what=dish to=me near=pot | lay what=dish to=me side=left
not lay what=dish near=pot | not lay what=dish to=me | take what=held | not take what=soup
by=me take what=onion
not plate to=me | now not serve | go at=pot times=3 | stop times=2 | fetch what=onion what=dish times=3
"""
KITCHENS = ("cramped_room", "forced_coordination", "counter_circuit_o_1order")


def listed(text: str) -> list[str]:
    return [one.strip() for one in text.replace("\n", "|").split("|") if one.strip()]


def clauses(text: str) -> list[Clause]:
    return parse(DECLARED, text)


def goals(text: str) -> list[dict]:
    """The goals of a notation that is carried out whole."""
    made = carried(clauses(text))
    assert made.program is not None and not made.left, made.left
    return made.program["goals"]


def told(text: str) -> list[tuple]:
    return [(goal["intent"], goal["count"]) for goal in goals(text)]


def every_clause(**flags: object) -> list[Clause]:
    """A clause of each act with each value of each slot, alone and beside each value of another one."""
    found: list[Clause] = []
    for act in acts(DECLARED):
        slots = {name: DECLARED.slot(name) for name in DECLARED.slots_of(act)}
        said = {name: [*slot.values, *range(3 * slot.number)] for name, slot in slots.items()}
        found += [{"act": act}, *({"act": act, name: one} for name in said for one in said[name])]
        for name, other in combinations(said, 2):
            found += [{"act": act, name: one, other: two} for one, two in product(said[name], said[other])]
    return [checked(DECLARED, [{**one, **flags}])[0] for one in found]


def test_every_act_is_carried_out_and_comes_back():
    assert {clauses(text)[0]["act"] for text in listed(CARRIED)} == {*acts(DECLARED)} - {*SPEECH} | {"cancel"}
    for text in listed(CARRIED):
        program = {"game": "overcooked", "version": 1, "goals": goals(text)}
        assert carried(clauses(text)).program == program
        back = of_version_1(program)
        assert carried(back).program == program
        # A side of things is one of the crates that they are in.
        crates = [
            {**one, "at": one["what"]} if one["act"] == "fetch" and "side" in one else one
            for one in clauses(text)
        ]
        assert same(DECLARED, back, crates)
        assert {goal["intent"] for goal in program["goals"]} <= set(INTENTS)


@pytest.mark.parametrize("text", listed(BARE))
def test_what_goals_cannot_say_is_left_and_told(text):
    made = carried(clauses(text))
    assert made.program is None and len(made.left) == 1
    assert text == "cannot" or made.left[0].endswith(f": {saying.clause(clauses(text)[0])}.")


def test_a_condition_is_kept_or_its_clause_is_left():
    kept, told_of = set(), set()
    for flags in ({}, {"not": True}, {"by": "me"}):
        for clause in every_clause(**flags):
            made, names = carried([clause]), [name for name in CONDITIONS if name in clause]
            for name in names if made.program else ():
                said = f"{clause['act']} {name} {clause[name]}"
                if said in ALWAYS and not clause.get("not"):
                    continue
                if clause.get("at") == "counter" and said.replace("fetch", "take") in ALWAYS:
                    continue
                for goal in made.program["goals"]:
                    assert values(goal.get("if", goal), name) == [clause[name]], clause
                    (told_of if "if" in goal else kept).add((name, clause[name]))
            assert made.program or made.left or not names or flags == {"by": "me"}
    assert kept == {("when", "ready"), ("when", "full"), ("when", "empty"), ("until", "ready")}
    assert told_of == {(name, event) for name in CONDITIONS for event in DECLARED.events if event != "signal"}


def test_of_several_events_any_will_do_and_none_is_left_out():
    assert goals("serve when=ready when=full")[0]["if"] == {"when": ["ready", "full"]}
    assert goals("fill until=full until=late")[0]["if"] == {"until": ["full", "late"]}
    for text in ("wait until=ready until=signal", "stop until=signal", "serve when=late unless=signal"):
        made = carried(clauses(text))
        assert made.program is None and "your signal" in made.left[0]


def test_what_follows_a_condition_has_its_place_in_the_chain():
    chain = goals("wait until=i_come then fill times=1 ; clear then serve")
    assert [goal.get("after", 0) for goal in chain] == [0, 1, 1, 2]
    assert all("after" not in goal for goal in goals("fill times=1 then serve"))
    assert told("fill until=full then go at=dish") == [("put_onion_in_pot", None), ("go_to", None)]
    assert "if" not in goals("fill until=full then plate")[0], "it goes on by the rules"
    assert goals("go at=pot when=way_free then plate")[0]["count"] == 1, "it comes to an end"


def test_a_ban_never_asks_and_a_claim_is_the_speakers():
    for clause in every_clause(**{"not": True}):
        for goal in (carried([clause]).program or {"goals": []})["goals"]:
            going_on = goal["intent"] == "continue" and clause["act"] in ("stop", "wait")
            assert going_on and len(clause) == 2 or goal["negated"] and goal["who"] == "you", clause
    for clause in every_clause(by="me"):
        made = carried([clause])
        assert all(goal["who"] == "me" for goal in (made.program or {"goals": []})["goals"]), clause
    assert [goal["intent"] for goal in goals("not fill side=left")] == [
        "put_onion_in_pot",
        "put_tomato_in_pot",
    ]
    assert told("not fill ; fill side=left")[-1] == ("put_onion_in_pot", None)


def test_others_are_information_beside_something_else():
    made = carried(clauses("by=other serve ; fill what=onion"))
    assert made.program == carried(clauses("fill what=onion")).program and not made.left
    assert carried(clauses("by=other serve ; by=other fill")).program is None
    assert carried(clauses("by=me go at=pot when=signal ; serve")) == carried(clauses("serve"))


def test_talk_asks_for_nothing_and_cannot_is_told():
    for text in ("talk kind=thanks", "undo", "again", "redirect"):
        assert carried(clauses(text)) == carried(clauses(f"{text} ; {text}"))
        assert carried(clauses(text)).program is None and not carried(clauses(text)).left
        assert told(f"{text} ; serve") == [("serve_soup", None)]
    assert carried(clauses("serve ; cannot")).left == ("There is one part I have no move for.",)


def test_cancel_goes_on_without_roles_and_claims():
    assert [(goal["intent"], goal["all"]) for goal in goals("cancel")] == [("continue", True)]
    assert told("cancel ; fill what=onion") == [("continue", None), ("put_onion_in_pot", None)]


def test_how_often_is_said_or_follows_from_the_act():
    assert told("serve") == [("serve_soup", None)] and told("now serve") == [("serve_soup", 1)]
    assert told("now fill side=left") == [("put_onion_in_pot", None)]
    assert told("lay what=held") == [("put_on_counter", 1)], "what is held is one thing"
    assert told("start") == [("start_pot", 1)], "else it would start every pot that has an onion in it"
    assert told("start when=full") == [("start_pot", None)]
    assert told("fill ; start") == [("put_onion_in_pot", None), ("start_pot", None)]
    assert told("not serve times=1") == [("serve_soup", None)]


def test_things_of_a_list_are_all_meant():
    assert told("fetch what=onion what=dish") == [("fetch_onion", None), ("fetch_dish", None)]
    assert len(goals("not go at=pot at=serve")) == 2
    assert told("fetch what=dish at=counter times=1") == told("take what=dish times=1")
    assert told("fetch what=soup at=pot to=me") == told("plate to=me")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (
            "fetch what=dish then plate then serve",
            [("fetch_dish", 1), ("pick_up_soup", 1), ("serve_soup", None)],
        ),
        ("lay what=held then clear", [("put_on_counter", 1), ("clear_the_way", None)]),
        (
            "fill what=onion times=3 then wait at=pot until=ready",
            [("put_onion_in_pot", 3), ("wait_at", None)],
        ),
        (
            "fill then plate then serve",
            [("put_onion_in_pot", None), ("pick_up_soup", None), ("serve_soup", None)],
        ),
        ("fill then start", [("put_onion_in_pot", None), ("start_pot", None)]),
        ("plate side=left then plate side=right", [("pick_up_soup", 1), ("pick_up_soup", None)]),
        ("serve times=1 then stop", [("serve_soup", 1), ("stop", None)]),
        (
            "by=me plate ; fetch what=dish then fill",
            [("pick_up_soup", None), ("fetch_dish", 1), ("put_onion_in_pot", None)],
        ),
    ],
)
def test_what_follows_comes_after_what_has_an_end(text, made):
    assert told(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("wait until=signal then serve", 0),  # or it would serve at once
        ("wait at=dish then plate", 1),
        ("stop then serve", 1),
        ("cannot then serve", 0),
        ("fill then fetch what=dish times=1", 1),  # what has a number comes first
        ("fill then go at=dish", 1),
        ("by=other fill then serve", 0),
        ("serve times=1 then not serve", 1),  # bans hold at once
        (
            "fetch what=dish times=1 then serve times=1 then fetch what=dish times=1",
            2,
        ),  # counted from the beginning
        ("take what=soup when=signal then serve then clear", 0),
    ],
)
def test_what_follows_something_without_a_known_end_is_left(text, made):
    found = carried(clauses(text))
    assert len(found.program["goals"] if found.program else ()) == made
    assert len(found.left) == len(clauses(text)) - made - ("by=other" in text)
    assert "I can't" in found.left[-1]


def test_programs_that_differ_are_told_differently():
    seen: dict[str, str] = {}
    for flags in (
        {},
        {"not": True},
        {"by": "me"},
        {"by": "both"},
        {"by": "other"},
        {"by": 2},
        {"rather": True},
        {"now": True},
    ):
        for clause in every_clause(**flags):
            text = notation(DECLARED, [clause])
            assert seen.setdefault(saying.sentence([clause]), text) == text
    assert saying.sentence(clauses("serve ; clear")) != saying.sentence(clauses("serve then clear"))


TOLD = {
    "fetch what=onion to=me times=1 ; by=me serve": "I fetch an onion and bring it to you; you serve soup.",
    "rather not fill side=left unless=signal": "If possible, I don't fill the left pot unless you say so.",
    "fill what=onion times=2 then wait at=pot until=ready": (
        "I put two onions into a pot; then I wait by the pot until a soup is done."
    ),
    "by=other lay what=dish near=serve": (
        "Another cook is to put plates down on a counter near the serving window."
    ),
    "now serve ; cannot": "I serve soup right now; something I can't do.",
}


@pytest.mark.parametrize(("text", "sentence"), TOLD.items())
def test_it_is_told_in_plain_english(text, sentence):
    assert saying.sentence(clauses(text)) == sentence


def test_what_people_say_comes_back():
    said = {program for _, programs, _ in bank.programs("overcooked") for program in programs.split(" || ")}
    said = {text for text in said if "then by=me" not in text}  # when the speaker's turn comes isn't kept
    whole = [found for text in sorted(said) if not (found := carried(clauses(text))).left]
    made = [found.program for found in whole if found.program]
    assert all(carried(of_version_1(program)).program == program for program in made) and len(made) > 2000


@pytest.mark.parametrize("layout", KITCHENS)
def test_all_that_is_carried_is_followed(layout):
    sim = Simulation("overcooked", {"layout": layout}, seed=1)
    told = [
        carried([clause]).program
        for flags in ({}, {"not": True}, {"by": "me"})
        for clause in every_clause(**flags)
    ]
    distinct = {json.dumps(program): program for program in told if program}
    plain = [program for text, program in distinct.items() if '"if"' not in text]
    for program in [*plain, *list(distinct.values())[::11]]:
        logits = language.prior("overcooked", program, sim, 1)
        assert logits.shape == (rules.NUM_ACTIONS,)
        assert language.progress("overcooked", program, sim, 1)["text"]
    assert len(distinct) > 100


def played(text: str, ticks: int) -> list[str]:
    """What the agent does by itself for a program, standing still where it asks for nothing."""
    sim = Simulation("overcooked", {"layout": "cramped_room"}, seed=1)
    sim._state[rules.POSITION] = int(sim.state[rules.WIDTH]) + 1  # not in front of the plates
    program = carried(clauses(text)).program
    for _ in range(ticks):
        wanted = language.prior("overcooked", program, sim, 1) if program else []
        sim.step([rules.STAY, int(wanted.argmax()) if any(wanted) else rules.STAY])
    return [event["kind"] for event in sim.events if event["seat"] == 1]


def test_carried_programs_do_what_they_say():
    assert played("fill what=onion times=2 then lay what=dish times=1", 60) == ["pick", "put_pot"] * 2 + [
        "pick",
        "place_counter",
    ]
    assert played("fill then plate then serve", 90)[:6] == ["pick", "put_pot"] * 3
    assert "deliver" in played("fill then plate then serve", 90)
    assert played("fetch what=onion times=1", 20) == ["pick"]
    assert played("wait until=ready", 20) == played("not fill what=onion ; stop", 20) == []


def test_same_programs_are_carried_alike():
    one, other = clauses("by=me serve ; fill what=onion"), clauses("fill what=onion ; by=me serve")
    assert same(DECLARED, one, other)
    found = [carried(each).program["goals"] for each in (one, other)]
    assert sorted(map(str, found[0])) == sorted(map(str, found[1]))
    assert all(values(clause, "then") == [] for clause in of_version_1({"goals": found[0]}))
