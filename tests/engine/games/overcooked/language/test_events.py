"""Conditions of instructions: the events that they are about, and acts done only while they hold."""

import numpy as np
import pytest

from engine import language
from engine.agents import acting, catalogue
from engine.games.overcooked import rules
from engine.games.overcooked.language.carried import carried
from engine.games.overcooked.language.declared import DECLARED
from engine.games.overcooked.language.events import HAPPENS, HOLDS, LATE, Memory, Seen, has_been, speaker
from engine.games.overcooked.language.sense import Following
from engine.language.declared import parse
from engine.language.following import following
from engine.simulation.simulation import Simulation

NORTH, SOUTH, EAST, WEST, STAY, INTERACT = range(6)
SPEAKER, AGENT = 0, 1
POT, COUNTER = 2, 1  # cells of the kitchen
SOUP = rules.SOUP + 12  # of three onions


def told(notation: str, since: int = 0) -> dict:
    made = carried(parse(DECLARED, notation))
    assert made.program and not made.left, made.left
    return {**made.program, "since_tick": since, "from_seat": SPEAKER}


def kitchen(pot: int = 0, timer: int = rules.IDLE, **more: int) -> Simulation:
    """The cramped room: an onion crate left and right, the pot at the top, plates and the window below.
    `more`: what the cooks hold and where they stand, what lies on the counter, the tick.
    """
    sim = Simulation("overcooked", {"layout": "cramped_room"}, seed=1)
    places = {
        "me": rules.HELD,
        "you": rules.HELD + AGENT,
        "my": rules.POSITION,
        "your": rules.POSITION + AGENT,
    }
    places |= {"lies": rules.ITEM + COUNTER, "tick": rules.TICK}
    more = {"my": 6, "your": 13, **more}
    sim._state[rules.ITEM + POT], sim._state[rules.TIMER + POT] = pot, timer
    for name, value in more.items():
        sim._state[places[name]] = value
    return sim


def holds(event: str, sim: Simulation, intent: str = "stop") -> bool:
    goal = {"intent": intent, "target": None, "since_tick": 0}
    game = Following.of(sim)
    seen = Seen(game.states[0], game.events[0, : game.counts[0]], Memory(), AGENT, SPEAKER, goal)
    assert not (event in HAPPENS and has_been(event, seen, 0)), "a state alone has no past"
    return HOLDS[event](seen)


POSITIONS = [
    ("ready", {"pot": SOUP, "timer": 20}, {"pot": SOUP, "timer": 19}),
    ("cooking", {"pot": SOUP, "timer": 19}, {"pot": SOUP, "timer": 20}),
    ("cooking", {"pot": SOUP, "timer": 1}, {"pot": rules.SOUP + 8}),
    ("full", {"pot": SOUP, "timer": 3}, {"pot": rules.SOUP + 8}),
    ("empty", {}, {"pot": rules.SOUP + 4}),
    ("room", {"pot": rules.SOUP + 8}, {"pot": SOUP, "timer": 3}),
    ("i_fill", {"me": rules.ONION}, {"me": rules.DISH}),
    ("i_plate", {"me": rules.DISH}, {"me": rules.ONION}),
    ("i_plate", {"me": SOUP}, {"you": SOUP}),
    ("i_serve", {"me": SOUP}, {"me": rules.DISH}),
    ("i_bring", {"me": rules.ONION}, {}),
    ("i_busy", {"me": rules.DISH}, {"you": rules.DISH}),
    ("i_come", {"my": 7, "your": 13}, {"my": 6, "your": 13}),
    ("i_leave", {"my": 6, "your": 13}, {"my": 7, "your": 13}),
    ("you_free", {"me": rules.DISH}, {"you": rules.DISH}),
    ("laid", {"lies": rules.ONION}, {"pot": rules.SOUP + 4, "me": rules.ONION}),
    ("way_free", {"my": 6, "your": 13}, {"my": 12, "your": 13}),
    ("late", {"tick": 400 - LATE}, {"tick": 399 - LATE}),
]


@pytest.mark.parametrize(("event", "yes", "no"), POSITIONS)
def test_an_event_holds_in_one_position_and_not_in_another(event, yes, no):
    assert holds(event, kitchen(**yes)) and not holds(event, kitchen(**no))


def test_every_event_is_told_but_the_signal():
    assert set(HOLDS) == set(DECLARED.events) - {"signal"}
    assert {one[0] for one in POSITIONS} == set(HOLDS) - {"you_served"}


def test_the_way_to_a_place_is_free_if_nobody_stands_on_it():
    for intent, free in {"serve_soup": False, "pick_up_soup": True, "fetch_dish": True}.items():
        assert holds("way_free", kitchen(my=13, your=8), intent) == free
    assert not holds("way_free", kitchen(my=7, your=8), "pick_up_soup")


def test_hands_are_free_for_what_they_began():
    assert holds("you_free", kitchen(you=rules.DISH), "serve_soup")
    assert not holds("you_free", kitchen(you=rules.DISH), "put_onion_in_pot")


def test_the_speaker_is_who_said_it_or_who_is_nearest():
    state = Simulation("overcooked", {"layout": "XXPXXXX\nO  1  O\nX2   3X\nXDXSXXX"}, seed=0).state
    assert speaker(state, 0, 1) == 1 and speaker(state, 0, 2) == 2
    assert speaker(state, 0, None) == speaker(state, 0, 0) == 1


def go(sim: Simulation, *actions: int) -> None:
    """The speaker acts; the agent stands still."""
    for action in actions:
        sim.step([action, STAY])


def waits(sim: Simulation, program: dict) -> bool:
    return language.progress("overcooked", program, sim, AGENT)["state"] == "waiting"


def is_over(sim: Simulation, program: dict) -> bool:
    return language.progress("overcooked", program, sim, AGENT)["state"] == "done"


DOES = {
    "i_fill": (kitchen, {"me": rules.ONION, "my": 7}, [NORTH, INTERACT]),
    "i_plate": (kitchen, {"pot": SOUP, "timer": 20, "me": rules.DISH, "my": 7}, [NORTH, INTERACT]),
    "i_serve": (kitchen, {"me": SOUP, "my": 13, "your": 6}, [SOUTH, INTERACT]),
    "i_bring": (kitchen, {"me": rules.ONION}, [NORTH, INTERACT]),
}


@pytest.mark.parametrize("event", DOES)
def test_what_the_speaker_does_has_happened_only_since_the_instruction(event):
    make, position, actions = DOES[event]
    sim = make(**position)
    early = told(f"stop until={event}")
    assert not is_over(sim, early)
    go(sim, *actions)
    assert is_over(sim, early) and is_over(sim.copy(), early)
    assert not is_over(sim, told(f"stop until={event}", since=sim.tick))
    go(sim, STAY)
    assert is_over(sim, early), "over for good"
    assert not is_over(Simulation.at("overcooked", sim.options, sim.state), early), "there is no past"


def test_what_the_agent_served_is_its_own():
    sim = kitchen(you=SOUP)
    program = told("wait when=you_served")
    assert waits(sim, program)
    sim.step([STAY, SOUTH])
    sim.step([STAY, INTERACT])
    assert not waits(sim, program)


@pytest.mark.parametrize(
    ("event", "before", "actions"),
    [
        ("ready", {"pot": SOUP, "timer": 18}, [STAY, STAY]),
        ("cooking", {"pot": rules.SOUP + 8, "me": rules.ONION, "my": 7}, [NORTH, INTERACT]),
        ("full", {"pot": rules.SOUP + 8, "me": rules.ONION, "my": 7}, [NORTH, INTERACT]),
        ("empty", {"pot": SOUP, "timer": 20, "me": rules.DISH, "my": 7}, [NORTH, INTERACT]),
        ("room", {"pot": SOUP, "timer": 20, "me": rules.DISH, "my": 7}, [NORTH, INTERACT]),
        ("laid", {"me": rules.DISH}, [NORTH, INTERACT]),
        ("i_busy", {}, [WEST, INTERACT]),
        ("you_free", {"you": rules.DISH, "my": 12}, []),
        ("way_free", {"my": 12}, [WEST, NORTH]),
        ("late", {"tick": 398 - LATE}, [STAY, STAY]),
    ],
)
def test_what_was_so_once_ends_an_until_for_good(event, before, actions):
    sim = kitchen(**before)
    program = told(f"stop until={event}")
    assert not is_over(sim, program)
    go(sim, *actions)
    if event == "you_free":
        sim.step([STAY, SOUTH])
        sim._state[rules.HELD + AGENT] = rules.NOTHING
    assert is_over(sim, program)
    assert language.prior("overcooked", program, sim, AGENT).any() == 0
    sim._state[:] = kitchen(**{**before, "tick": int(sim.state[rules.TICK])}).state
    assert is_over(sim, program)


def test_who_comes_and_leaves_does_so_by_a_way_of_their_own():
    sim = kitchen(my=6, your=13)
    coming, leaving = told("stop until=i_come"), told("stop until=i_leave")
    for program in (coming, leaving, coming):  # asked several times a tick
        assert not is_over(sim, program)
    go(sim, STAY, EAST, SOUTH)  # 6, 7, 12: next to the agent
    assert is_over(sim, coming) and not is_over(sim, leaving)
    go(sim, WEST, NORTH)  # not asked for a tick
    assert is_over(sim, leaving) and is_over(sim, coming)
    walked = kitchen(my=8, your=11)
    program = told("stop until=i_come")
    for action in (EAST, EAST, STAY):
        assert not is_over(walked, program), "the agent went there"
        walked.step([STAY, action])


def test_a_match_that_is_taken_up_in_the_middle_goes_on_from_there():
    sim = kitchen(my=6, your=13)
    program = told("stop until=i_come")
    go(sim, EAST, SOUTH)
    assert not is_over(sim, program), "nobody looked"
    go(sim, WEST, NORTH)
    assert not is_over(sim, program)
    go(sim, EAST, SOUTH)
    assert is_over(sim, program)
    assert not is_over(Simulation.at("overcooked", sim.options, sim.state), program)


# --- Following -------------------------------------------------------------------------------------------


def play(sim: Simulation, programs: list[dict], ticks: int, mine: str = "") -> list[tuple[str, str]]:
    """What both cooks do; the agent follows programs and stands still otherwise, as the speaker follows
    `mine`. (who, what) of each event.
    """
    first = len(sim.events)
    for _ in range(ticks):
        said = [{**told(mine), "from_seat": AGENT}] if mine else []
        wanted = [
            language.priors("overcooked", said, sim, SPEAKER),
            language.priors("overcooked", programs, sim, AGENT),
        ]
        sim.step([int(one.argmax()) if one.any() else STAY for one in wanted])
    return [("me" if e["seat"] == SPEAKER else "you", e["kind"]) for e in sim.events[first:]]


def test_an_act_is_done_only_while_its_condition_holds():
    sim = kitchen(pot=rules.SOUP + 8)
    program = told("fetch what=dish times=1 when=cooking")
    assert play(sim, [program], 20) == [] and waits(sim, program)
    assert language.progress("overcooked", program, sim, AGENT)["text"] == "until a soup is cooking"
    assert not language.prior("overcooked", program, sim, AGENT).any()
    assert play(sim, [program], 15, "fill times=1")[-1] == ("you", "pick") and is_over(sim, program)


def test_an_act_is_left_while_something_speaks_against_it():
    sim = kitchen(me=rules.DISH)
    program = told("fill what=onion unless=i_busy")
    assert play(sim, [program], 20) == [] and waits(sim, program)
    assert language.progress("overcooked", program, sim, AGENT)["text"] == "while you are busy"
    sim._state[rules.HELD] = rules.NOTHING
    assert play(sim, [program], 20)[:2] == [("you", "pick"), ("you", "put_pot")]


def test_an_act_ends_with_its_until_and_the_next_one_begins():
    sim = kitchen(my=11)
    program = told("wait until=i_plate then fill what=onion times=1")
    assert play(sim, [program], 15) == []
    done = play(sim, [program], 20, "fetch what=dish times=1")
    assert done == [("me", "pick"), ("you", "pick"), ("you", "put_pot")] and is_over(sim, program)


def test_filling_until_the_pot_is_full_goes_before_what_follows():
    done = play(kitchen(), [told("fill what=onion until=full then fetch what=dish times=1")], 40)
    assert done == [("you", "pick"), ("you", "put_pot")] * 3 + [("you", "pick")]


def test_what_is_asked_each_time_is_done_each_time():
    sim = kitchen(my=7, me=rules.ONION)
    program = told("lay what=dish when=i_fill")
    for _ in range(2):
        sim._state[rules.HELD] = rules.ONION
        go(sim, NORTH, INTERACT)
        assert not waits(sim, program)
        assert play(sim, [program], 25) == [("you", "pick"), ("you", "place_counter")]
        assert waits(sim, program)
        assert (
            language.progress("overcooked", program, sim, AGENT)["text"]
            == "until you put something into a pot"
        )
    once = told("lay what=dish times=1 when=i_fill")
    assert is_over(sim, once) and not language.prior("overcooked", once, sim, AGENT).any()


def test_who_is_to_stop_then_does_not_go_on_working():
    sim, program = kitchen(), told("fill what=onion ; stop when=i_busy")
    assert language.prior("overcooked", program, sim, AGENT).argmax() != STAY
    sim._state[rules.HELD] = rules.DISH
    assert language.prior("overcooked", program, sim, AGENT).argmax() == STAY


def test_the_way_is_clear_as_long_as_the_speaker_needs_it():
    sim, program = kitchen(my=12, me=rules.DISH), told("clear when=i_busy")
    play(sim, [program], 30)
    assert language.progress("overcooked", program, sim, AGENT)["state"] == "obeying"
    sim._state[rules.HELD] = rules.NOTHING
    assert waits(sim, program)


def test_a_condition_suspends_an_earlier_instruction_and_replaces_none():
    sim, both = (
        kitchen(pot=SOUP, timer=1),
        [told("fill what=onion"), told("not fill what=onion when=cooking")],
    )
    assert language.remaining("overcooked", both, sim, AGENT) == both
    found = language.progresses("overcooked", both, sim, AGENT)
    assert found[0] == {"state": "waiting", "text": "a later instruction comes first"}
    now = [language.priors("overcooked", some, sim, AGENT).tolist() for some in (both, both[1:], both[:1])]
    assert now[0] == now[1] != now[2]
    go(sim, *[STAY] * 20)
    found = [one["state"] for one in language.progresses("overcooked", both, sim, AGENT)]
    assert found == ["obeying", "waiting"] and language.priors("overcooked", both, sim, AGENT).any()


def test_a_rule_with_a_condition_outlives_a_task():
    rule, task = told("clear when=i_come"), told("fill what=onion times=1")
    assert language.remaining("overcooked", [rule, task], kitchen(), AGENT) == [rule, task]
    over = told("clear until=i_leave")
    assert language.remaining("overcooked", [over, task], kitchen(), AGENT) == [None, task]


def test_many_games_are_followed_as_one_is():
    texts = (
        "serve when=late",
        "stop until=i_come",
        "fill when=i_leave ; clear when=i_come",
        "lay when=i_fill",
    )
    for text in texts:
        sims = [
            Simulation("overcooked", {"layout": "cramped_room", "horizon": 100}, seed=one)
            for one in (1, 2, 3)
        ]
        programs, rng = [told("fill"), told(text)], np.random.default_rng(4)
        rows, seats = np.arange(3), np.full(3, AGENT)
        many = following("overcooked", sims[0].options, 3)
        many.begin(np.stack([sim.state for sim in sims]), rows)
        for _ in range(80):
            wanted = many.asked(programs, rows, seats)
            assert (wanted == [language.priors("overcooked", programs, sim, AGENT) for sim in sims]).all()
            assert many.done(programs[1], rows, seats).tolist() == [is_over(sim, programs[1]) for sim in sims]
            for sim in sims:
                sim.step(rng.integers(6, size=2).tolist())
            many.follow(np.stack([sim.state for sim in sims]), rows)
        many.begin(np.stack([kitchen().state] * 3), rows)
        assert not many.memories


def test_a_program_without_conditions_passes_unchanged():
    sim, program = kitchen(), told("fill what=onion ; by=me serve")
    assert language.prior("overcooked", program, sim, AGENT).any()
    assert not Following.of(sim).memories[0].places


def test_a_learned_agent_keeps_to_conditions():
    agent = catalogue.load("overcooked/companion-cramped_room", "overcooked")
    sim, rng = kitchen(my=6), np.random.default_rng(0)
    program = told("stop when=i_busy until=i_serve")
    moves: dict[str, list[int]] = {"before": [], "busy": [], "served": []}
    for name, held in (("before", rules.NOTHING), ("busy", SOUP), ("served", rules.NOTHING)):
        sim._state[rules.HELD] = held
        if name == "served":
            sim._state[rules.HELD] = SOUP
            sim._state[rules.POSITION : rules.POSITION + 2] = 13, 8
            go(sim, SOUTH, INTERACT)
        for _ in range(15):
            moves[name] += acting.act(agent, [sim], [AGENT], rng, [[program]])
            sim.step([STAY, moves[name][-1]])
    assert set(moves["busy"]) == {STAY}
    assert all(len(set(moves[name])) > 2 for name in ("before", "served"))
    assert is_over(sim, program)
