"""Instructions obeyed in live kitchens, over a policy that knows nothing (random logits)."""

from itertools import pairwise

import numpy as np
import pytest

from engine import language
from engine.games.overcooked import rules
from engine.games.overcooked.language.carried import carried
from engine.games.overcooked.language.declared import DECLARED
from engine.games.overcooked.layouts import CLASSIC
from engine.language.decide import decide
from engine.language.declared import parse
from engine.language.following import following
from engine.simulation.simulation import Simulation

STAY = rules.STAY
THREE = """
XXPXXXX
O  1  O
X2   3X
XDXSXXX"""


def program(notation: str, tick: int = 0, **more) -> dict:
    made = carried(parse(DECLARED, notation))
    assert made.program and not made.left, made.left
    return {**made.program, "since_tick": tick, **more}


def kitchen(layout: str = "cramped_room", **options) -> Simulation:
    sim = Simulation("overcooked", {"layout": layout, **options}, seed=1)
    if layout == "cramped_room":
        put(sim, 0, (1, 1))  # not in front of the plates
    return sim


def play(
    sim: Simulation, programs: list[dict], ticks: int, seat: int = 1, partner: str = "stay"
) -> list[dict]:
    """Step with random logits under the instructions; returns what the seat did, as events."""
    rng = np.random.default_rng(5)
    first = sim.tick
    for _ in range(ticks):
        joint = [STAY if partner == "stay" else int(rng.integers(6)) for _ in range(sim.seats)]
        logits = rng.uniform(-10, 10, 6) + language.priors("overcooked", programs, sim, seat)
        joint[seat] = int(logits.argmax())
        sim.step(joint)
    return [event for event in sim.events if event["seat"] == seat and event["tick"] > first]


def kinds(events: list[dict]) -> list[str]:
    return [event["kind"] for event in events]


def state(programs: list[dict], sim: Simulation, seat: int = 1) -> list[str]:
    return [found["state"] for found in language.progresses("overcooked", programs, sim, seat)]


def put(
    sim: Simulation, seat: int, cell: tuple[int, int] | None = None, facing: int | None = None, held: int = 0
):
    """Place a cook."""
    record = sim._state
    if cell is not None:
        record[rules.POSITION + seat] = cell[1] * int(record[rules.WIDTH]) + cell[0]
    if facing is not None:
        record[rules.FACING + seat] = facing
    record[rules.HELD + seat] = held


def test_every_shortest_way_gets_the_same_preference_and_no_other_any():
    sim = kitchen()
    put(sim, 0, (2, 2))
    put(sim, 1, (2, 1), rules.NORTH)
    wanted = language.prior("overcooked", program("fetch what=onion times=1"), sim, 1)
    assert [float(value) for value in wanted] == [0, 0, 100, 100, 0, 0]  # dispensers to the left and right


@pytest.mark.parametrize("layout", sorted(set(CLASSIC) - {"asymmetric_advantages"}))
def test_a_plate_is_brought_to_a_counter_that_the_player_reaches(layout):
    sim = kitchen(layout)
    told = [program("fetch what=dish to=me times=1")]
    seat = 1
    events = play(sim, told, 40, seat)
    assert kinds(events)[:2] == ["pick", "place_counter"]
    lies = events[1]["y"] * int(sim.state[rules.WIDTH]) + events[1]["x"]
    at = int(sim.state[rules.POSITION])
    regions = {rules.region(sim._state, n) for n in (lies - 1, lies + 1) if rules.terrain(sim._state, n) == 0}
    regions |= {
        rules.region(sim._state, n)
        for n in (lies - int(sim.state[rules.WIDTH]), lies + int(sim.state[rules.WIDTH]))
        if 0 <= n < 60 and rules.terrain(sim._state, n) == 0
    }
    assert rules.region(sim._state, at) in regions
    assert state(told, sim, seat) == ["done"]
    assert not language.priors("overcooked", told, sim, seat).any()


def test_bring_me_plates_goes_on_until_some_wait_and_leaves_those_alone():
    sim = kitchen("forced_coordination")
    told = [program("fetch what=dish to=me")]
    events = play(sim, told, 100)
    placed = [e for e in events if e["kind"] == "place_counter" and e["item"]["kind"] == "dish"]
    assert len(placed) >= 2
    assert "pick_counter" not in kinds(events)
    assert state(told, sim) == ["waiting"]


def test_a_role_is_kept_to_one_pot_and_never_serves():
    sim = kitchen("counter_circuit_o_1order")
    events = play(sim, [program("fill what=onion side=left ; by=me serve")], 120)
    assert kinds(events)[:6] == ["pick", "put_pot"] * 3
    assert {(e["x"], e["y"]) for e in events if e["kind"] == "put_pot"} == {(3, 0)}
    assert not {"deliver", "pick_soup"} & set(kinds(events))


def test_a_cook_with_nothing_to_do_waits_near_the_pot_and_not_in_front_of_it():
    sim = kitchen()
    told = [program("fill what=onion")]
    play(sim, told, 60)
    place = int(sim.state[rules.POSITION + 1])
    assert (place % 5, place // 5) == (2, 2)  # the one cell that no station needs
    found = language.progress("overcooked", told[0], sim, 1)
    assert found == {"state": "obeying", "text": "waiting until the pot is free"}


def test_you_serve_does_the_whole_chain():
    sim = kitchen()
    sim._state[rules.ITEM + 2] = rules.SOUP + 12
    sim._state[rules.TIMER + 2] = 20
    events = play(sim, [program("serve")], 20)
    assert kinds(events)[:3] == ["pick", "pick_soup", "deliver"]
    assert sim.score == 20


KITCHENS = [(layout, 2) for layout in sorted(CLASSIC)] + [(THREE, 3)]


def fill(sim: Simulation, timer: int = rules.IDLE, item: int = 0) -> list[int]:
    """Put the same into every pot; the pots' cells."""
    cells = int(sim.state[rules.WIDTH]) * int(sim.state[rules.HEIGHT])
    pots = [cell for cell in range(cells) if rules.terrain(sim._state, cell) == rules.POT]
    for pot in pots:
        sim._state[rules.ITEM + pot], sim._state[rules.TIMER + pot] = item, timer
    return pots


def wanted(notation: str, sim: Simulation, seat: int) -> bool:
    return bool(language.priors("overcooked", [program(notation)], sim, seat).any())


@pytest.mark.parametrize(("layout", "seats"), KITCHENS)
def test_onions_are_brought_while_a_pot_takes_some_and_it_is_not_forgotten(layout, seats):
    sim, told = kitchen(layout), [program("fetch what=onion to=me")]
    assert sim.seats == seats
    for seat in range(1, seats):
        before = language.progresses("overcooked", told, sim, seat)
        pots = fill(sim, timer=3, item=rules.SOUP + 12)
        assert not wanted("fetch what=onion to=me", sim, seat)
        assert language.progresses("overcooked", told, sim, seat) == [
            {"state": "waiting", "text": "the pots are full"}
        ]
        held = int(sim.state[rules.HELD + seat])
        sim._state[rules.HELD + seat] = rules.ONION
        assert language.progresses("overcooked", told, sim, seat)[0]["text"] != "the pots are full"
        sim._state[rules.HELD + seat] = held
        sim._state[rules.ITEM + pots[0]], sim._state[rules.TIMER + pots[0]] = 0, rules.IDLE
        assert language.progresses("overcooked", told, sim, seat) == before, "it goes on where it was"


@pytest.mark.parametrize(("layout", "seats"), KITCHENS)
@pytest.mark.parametrize("held", [rules.NOTHING, rules.DISH, rules.ONION])
def test_who_is_to_serve_is_free_until_a_soup_cooks(layout, seats, held):
    sim, told = kitchen(layout), [program("serve")]
    for seat in range(seats):
        fill(sim)
        sim._state[rules.HELD + seat] = held
        assert not wanted("serve", sim, seat), "its own policy goes on, with a plate in the hand, too"
        assert language.progresses("overcooked", told, sim, seat) == [
            {"state": "waiting", "text": "no soup is cooking yet"}
        ]
        fill(sim, timer=3, item=rules.SOUP + 12)
        assert language.progresses("overcooked", told, sim, seat)[0]["text"] != "no soup is cooking yet"
        fill(sim)
        sim._state[rules.HELD + seat] = rules.SOUP + 12
        served = language.progresses("overcooked", told, sim, seat)[0]["text"]
        assert "serving" in served or "passing" in served or "can't reach" in served
        sim._state[rules.HELD + seat] = rules.NOTHING


def test_who_is_to_serve_one_soup_gets_ready_for_it():
    sim = kitchen()
    assert wanted("serve times=1", sim, 1) and not wanted("serve", sim, 1)


def test_games_side_by_side_rest_each_by_itself():
    full, empty = kitchen(), kitchen()
    fill(full, timer=3, item=rules.SOUP + 12)
    many = following("overcooked", {"layout": "cramped_room"}, 2)
    many.begin(np.stack([full.state, empty.state]), np.arange(2))
    for notation, free in (("fetch what=onion to=me", 0), ("serve", 1)):
        asked = many.asked([program(notation)], np.arange(2), np.array([1, 1]))
        assert not asked[free].any() and asked[1 - free].any()


def test_stop_freezes_and_go_on_ends_it():
    sim = kitchen()
    told = [program("stop")]
    place = int(sim.state[rules.POSITION + 1])
    play(sim, told, 20, partner="random")
    assert all(joint[1] == STAY for joint in sim.actions)
    assert int(sim.state[rules.POSITION + 1]) == place
    told.append(program("continue", sim.tick))
    assert not language.priors("overcooked", told, sim, 1).any()
    assert state(told, sim) == ["replaced", "done"]


def test_a_role_outlasts_stop_and_go_on():
    sim = kitchen()
    told = [program("fill what=onion"), program("stop", 5), program("continue", 9)]
    assert state(told, sim)[0] == "obeying"
    assert "pick" in kinds(play(sim, told, 10))


def test_a_new_wish_ends_stop_and_replaces_a_role():
    sim = kitchen()
    told = [program("fill what=onion"), program("stop"), program("fetch what=dish")]
    assert state(told, sim) == ["replaced", "replaced", "obeying"]
    found = language.progresses("overcooked", told, sim, 1)[0]
    assert found["text"] == "replaced by a later instruction"
    assert play(sim, told, 10)[0]["item"] == {"kind": "dish"}


def test_a_task_interrupts_a_role_which_then_goes_on():
    sim = kitchen()
    told = [program("fill what=onion"), program("fetch what=dish to=me times=1")]
    events = play(sim, told, 40)
    assert [e["item"]["kind"] for e in events[:4]] == ["dish", "dish", "onion", "onion"]
    assert kinds(events)[:4] == ["pick", "place_counter", "pick", "put_pot"]


def test_never_mind_ends_everything():
    sim = kitchen()
    told = [program("fill what=onion ; by=me serve"), program("cancel")]
    assert not language.priors("overcooked", told, sim, 1).any()


def test_waiting_by_the_window_is_standing_next_to_it():
    sim = kitchen()
    play(sim, [program("wait at=serve")], 12)
    place = int(sim.state[rules.POSITION + 1])
    assert (place % 5, place // 5) == (3, 2)
    assert [joint[1] for joint in sim.actions[-4:]] == [STAY] * 4


def test_onions_land_on_the_counters_in_the_middle():
    sim = kitchen("counter_circuit_o_1order")
    events = play(sim, [program("lay what=onion side=middle")], 60)
    placed = [(e["x"], e["y"]) for e in events if e["kind"] == "place_counter"]
    assert len(placed) >= 3
    assert all(2 <= x <= 5 and y == 2 for x, y in placed)


def test_full_hands_are_emptied_on_a_counter_first():
    sim = kitchen()
    put(sim, 1, held=rules.DISH)
    events = play(sim, [program("fetch what=onion times=2")], 25)
    assert [(e["kind"], e["item"]["kind"]) for e in events[:2]] == [
        ("place_counter", "dish"),
        ("pick", "onion"),
    ]


def test_what_is_held_already_counts():
    sim = kitchen()
    put(sim, 1, held=rules.ONION)
    told = [program("fetch what=onion times=1")]
    assert state(told, sim) == ["done"]
    assert kinds(play(sim, [program("fill what=onion times=1")], 12))[0] == "put_pot"


def test_tasks_are_done_one_after_the_other():
    sim = kitchen()
    told = [program("fill what=onion times=2 then go at=dish")]
    events = play(sim, told, 30)
    assert kinds(events) == ["pick", "put_pot"] * 2
    place = int(sim.state[rules.POSITION + 1])
    assert (place % 5, place // 5) == (1, 2)


def test_who_was_sent_somewhere_is_free_again_after_a_while():
    sim = kitchen()
    told = program("go at=dish")
    assert language.prior("overcooked", told, sim, 1).any()
    play(sim, [told], 45)
    assert state([told], sim) == ["done"]


def test_an_unreachable_station_is_said_and_nothing_is_done_about_it():
    sim = kitchen("forced_coordination")
    for notation, seat, sentence in [
        ("fill what=onion times=1", 1, "I can't reach the pot"),
        ("fetch what=dish to=me times=1", 0, "I can't reach the plates"),
        ("wait at=onion", 0, "I can't reach the onions"),
    ]:
        told = program(notation)
        assert language.progress("overcooked", told, sim, seat) == {"state": "waiting", "text": sentence}
        assert not language.prior("overcooked", told, sim, seat).any()


def test_who_can_reach_no_pot_passes_onions_over_the_counter():
    sim = kitchen("forced_coordination")
    events = play(sim, [program("fill what=onion")], 30)
    assert {(e["x"]) for e in events if e["kind"] == "place_counter"} == {2}
    assert [e["item"]["kind"] for e in events] == ["onion"] * len(events)


@pytest.mark.parametrize("notation", ["fetch what=dish", "fill what=onion"])
def test_who_passes_things_on_leaves_a_counter_free_for_others(notation):
    sim = kitchen("forced_coordination")
    told = [program(notation)]
    while kinds(sim.events).count("place_counter") < 2 and sim.tick < 100:
        play(sim, told, 1)
    text = language.progress("overcooked", told[0], sim, 1)["text"]
    assert text.endswith("are waiting for you on the counter") and state(told, sim) == ["waiting"]
    assert language.prior("overcooked", told[0], sim, 1).max() == 0


def test_who_only_does_plates_takes_no_onions_that_the_player_claims():
    sim = kitchen("forced_coordination")
    told = [program("fetch what=dish ; by=me fill what=onion")]
    events = play(sim, told, 150)
    assert "dish" in {event["item"]["kind"] for event in events if event["kind"] == "pick"}
    assert "onion" not in {event["item"]["kind"] for event in events if event["kind"] == "pick"}
    # Who is to bring onions takes them, whoever puts them in.
    brings = [program("fetch what=onion to=me ; by=me fill what=onion")]
    assert "pick" in kinds(play(kitchen("forced_coordination"), brings, 40))


def test_what_the_player_claims_is_left_to_them():
    sim = kitchen()
    put(sim, 1, (3, 2), rules.SOUTH, held=rules.SOUP + 12)
    told = [program("by=me serve")]
    assert language.priors("overcooked", told, sim, 1)[rules.INTERACT] <= 0
    assert "deliver" not in kinds(play(sim, told, 60))
    assert state(told, sim) == ["obeying"]


@pytest.mark.parametrize(
    ("notation", "never"),
    [
        ("not serve", "deliver"),
        ("not fill what=onion", "put_pot"),
        ("not fetch what=dish ; not serve", "deliver"),
    ],
)
def test_what_is_forbidden_is_not_done(notation, never):
    sim = kitchen(horizon=400)
    assert never not in kinds(play(sim, [program(notation)], 300, partner="random"))


def test_away_from_the_window_is_kept():
    sim = kitchen()
    play(sim, [program("not go at=serve")], 100)
    places = set()
    for _ in range(60):
        play(sim, [program("not go at=serve")], 1)
        places.add(int(sim.state[rules.POSITION + 1]))
    assert 2 * 5 + 3 not in places


def test_the_way_is_cleared():
    sim = kitchen()
    put(sim, 0, (1, 1))
    put(sim, 1, (2, 1))
    told = [program("clear")]
    play(sim, told, 6)
    place = int(sim.state[rules.POSITION + 1])
    assert abs(place % 5 - 1) + abs(place // 5 - 1) >= 2
    play(sim, told, 8)
    assert state(told, sim) == ["done"]


def test_swapped_roles_change_hands():
    sim = kitchen()
    told = [program("fill what=onion ; by=me serve"), program("swap")]
    assert state(told, sim) == ["replaced", "waiting"], "no soup cooks yet"
    assert play(sim, told, 12)[0]["item"] == {"kind": "dish"}


def test_a_partner_in_the_way_is_walked_round():
    sim = kitchen("counter_circuit_o_1order")
    put(sim, 1, (1, 1))
    put(sim, 0, (1, 2))  # stands in the left passage for good
    events = play(sim, [program("fetch what=onion times=1")], 40)
    assert kinds(events)[0] == "pick"


def test_two_who_are_told_to_pass_each_other_do():
    sim = kitchen("coordination_ring")
    told = {0: program("go at=onion"), 1: program("fill what=onion times=1")}
    for _ in range(60):
        joint = [int(language.prior("overcooked", told[seat], sim, seat).argmax()) for seat in (0, 1)]
        sim.step(joint)
    assert any(e["kind"] == "put_pot" and e["seat"] == 1 for e in sim.events)


def test_a_pot_is_started_in_the_new_dynamics_and_said_to_start_itself_in_the_old():
    sim = kitchen(dynamics="new")
    told = program("start")
    assert language.progress("overcooked", told, sim, 1)["state"] == "waiting"
    sim._state[rules.ITEM + 2] = rules.SOUP + 8
    assert kinds(play(sim, [told], 12))[0] == "start_pot"
    assert state([told], sim) == ["done"]
    assert "by themselves" in language.progress("overcooked", told, kitchen(), 1)["text"]


def test_the_onion_role_starts_full_pots_in_the_new_dynamics():
    events = play(kitchen(dynamics="new"), [program("fill what=onion")], 40)
    assert kinds(events)[:7] == ["pick", "put_pot"] * 3 + ["start_pot"]


def test_with_three_cooks_things_are_brought_to_who_asked():
    sim = Simulation("overcooked", {"layout": THREE}, seed=0)
    events = play(sim, [program("fetch what=onion to=me times=1", from_seat=2)], 40, seat=0)
    assert kinds(events)[:2] == ["pick", "place_counter"]
    assert events[1]["x"] >= 4  # seat 2 stands on the right


def test_waiting_until_the_soup_is_done_ends_when_it_is():
    sim = kitchen()
    told = program("wait at=pot until=ready")
    assert language.progress("overcooked", told, sim, 1)["state"] == "obeying"
    sim._state[rules.ITEM + 2], sim._state[rules.TIMER + 2] = rules.SOUP + 12, 20
    assert language.progress("overcooked", told, sim, 1)["state"] == "done"


def test_an_instruction_wins_over_any_logits_of_a_policy():
    sim = kitchen()
    wanted = language.prior("overcooked", program("stop"), sim, 1)
    against = np.full(6, 10.0)
    against[STAY] = -60.0
    assert (wanted + against).argmax() == STAY


def test_features_tell_different_instructions_apart():
    size = language.num_features("overcooked")
    assert language.features("overcooked", None).shape == (size,)
    notations = [
        "fetch what=dish to=me",
        "fetch what=dish",
        "not fetch what=dish",
        "fetch what=dish times=1",
        "by=me fetch what=dish",
        "wait at=pot",
    ]
    rows = [language.features("overcooked", program(notation)) for notation in notations]
    assert all(row.shape == (size,) and row.any() for row in rows)
    assert all((one != two).any() for one, two in pairwise(rows))


def test_every_kind_of_goal_is_a_question():
    asked = language.questions("overcooked")
    assert {q["action_key"] for q in asked} >= {"fetch_onion", "serve_soup", "stop", "clear_the_way"}
    assert all(q["question"].endswith("?") for q in asked)
    said = decide({"game": "overcooked", "instruction": "bring me plates, I serve"}, asked)
    assert [q["action_key"] for q, yes in zip(asked, said, strict=True) if yes] == ["fetch_dish"]
