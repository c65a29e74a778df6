"""Conditions of instructions: what holds in a game, and that agents go by it."""

import numpy as np
import pytest

from engine import language
from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games.hanabi import rules
from engine.games.hanabi.language.carried import carried
from engine.games.hanabi.language.declared import DECLARED
from engine.games.hanabi.language.events import EVENTS, GONE, LASTING, happened, holds
from engine.games.hanabi.language.standing import remaining
from engine.language.declared import parse
from engine.language.following import following
from engine.simulation.simulation import Simulation
from tests.engine.games.hanabi.language.test_following import COLOR, DISCARD, PLAY, RANK, game

GREEN, ONES, TWOS, FIVE = COLOR + 2, RANK + 0, RANK + 1, RANK + 4
ALL_HINTS = [ONES, ONES] * 4
TWO_LOST = [PLAY + 1, PLAY + 3]
TO_THE_END = [*[ONES, DISCARD + 0] * 35, GREEN]
TOLD = load("hanabi/told", "hanabi")


def at(moves: list[int]) -> Simulation:
    """The game after moves; where one isn't legal, a hint; no further than to the last card of the deck."""
    sim = game()
    for move in moves:
        legal = sim.legal(sim.current)
        sim.act(sim.current, move if legal[move] else int(np.flatnonzero(legal)[-1]))
        if sim.state[rules.DEALT] == rules.MAX_DECK:
            break
    return sim


def program(notation: str, **more: int) -> dict:
    made = carried(parse(DECLARED, notation))
    assert made.program is not None and not made.left, made.left
    return {**made.program, "since_tick": 0, "from_seat": 0, **more}


def wanted(notation: str, sim: Simulation, seat: int, **more: int) -> list[int]:
    told = program(notation, **{"from_seat": 1 - seat, **more})
    return np.flatnonzero(language.prior("hanabi", told, sim, seat) > 0).tolist()


def progress(notation: str, sim: Simulation, seat: int, **more: int) -> tuple[str, str]:
    told = program(notation, **{"from_seat": 1 - seat, **more})
    found = language.progress("hanabi", told, sim, seat)
    return str(found["state"]), found["text"]


def test_all_events_but_the_speakers_signal_can_be_told():
    assert set(EVENTS) == set(DECLARED.events) - {"signal"}


@pytest.mark.parametrize(
    ("event", "moves", "not_after"),
    [
        ("hint", [GREEN], []),
        ("hint", [TWOS], [GREEN, ONES, PLAY]),
        ("hint_color", [GREEN], [ONES]),
        ("hint_rank", [ONES], [GREEN]),
        ("play", [PLAY + 0], [ONES]),
        ("discard", [ONES, DISCARD + 3], [ONES, ONES]),
        ("you_hinted", [ONES, DISCARD + 3], [PLAY + 0, DISCARD + 3]),
        ("start", [], [ONES]),
        ("you_know", [ONES], [GREEN]),
        ("you_doubt", [TWOS], [ONES]),
        ("playable", [], [ONES, FIVE]),
        ("playable", [ONES], [ONES, FIVE]),
        ("nothing", [ONES, FIVE], []),
        ("critical", [ONES], [ONES, FIVE, GREEN]),
        ("many_hints", [ONES, ONES], [ONES, ONES, ONES]),
        ("few_hints", ALL_HINTS[:6], ALL_HINTS[:5]),
        ("no_hints", ALL_HINTS, ALL_HINTS[:7]),
        ("few_lives", TWO_LOST, TWO_LOST[:1]),
        ("lives", TWO_LOST[:1], TWO_LOST),
        ("late", TO_THE_END, ALL_HINTS),
        ("early", [], TO_THE_END),
    ],
)
def test_an_event_holds_and_does_not(event, moves, not_after):
    for sim, is_so in ((at(moves), True), (at(not_after), False)):
        seat = sim.current
        assert holds(event, sim.state, seat, 1 - seat) is is_so
        assert holds(event, sim.state, seat) is is_so, "whoever the speaker is"


def test_others_than_the_speaker_and_hints_to_others_do_not_count():
    sim = Simulation("hanabi", {"players": 3}, seed=1)
    hint = next(a for a in np.flatnonzero(sim.legal(0)) if rules.action_kind(sim.state, a) == rules.HINT_RANK)
    target = int(rules.action_detail(sim.state, hint)[0])
    sim.act(0, int(hint))
    assert [holds("hint", sim.state, seat, 0) for seat in (1, 2)] == [target == 1, target == 2]
    assert not any(holds("hint", sim.state, target, other) for other in (1, 2) if other != target)
    assert holds("you_hinted", sim.state, 0, 1) and not holds("you_hinted", sim.state, 1, 0)


def test_what_has_happened_since_is_known_from_the_record_alone():
    sim = at([*ALL_HINTS, DISCARD + 0])
    sim = Simulation.at("hanabi", sim.options, sim.state)  # taken up in the middle
    assert not holds("no_hints", sim.state, 1, 0)
    assert happened("no_hints", sim.state, 1, 0, 0) and happened("no_hints", sim.state, 1, 0, 8)
    assert not happened("no_hints", sim.state, 1, 0, 9)
    assert happened("hint_rank", sim.state, 1, 0, 6) and not happened("hint_rank", sim.state, 1, 0, 7)
    assert not happened("hint_color", sim.state, 1, 0, 0)
    assert happened("lives", sim.state, 1, 0, 9) and not happened("late", sim.state, 1, 0, 0)


def test_past_states_are_those_that_were():
    rng, acts = np.random.default_rng(0), {"hint", "hint_color", "hint_rank", "play", "discard", "you_hinted"}
    for players in (2, 3, 5):
        sim, seen = Simulation("hanabi", {"players": players}, seed=players), {name: [] for name in EVENTS}
        while not sim.over and sim.tick < 40:
            for event, before in seen.items():
                before.append(holds(event, sim.state, 0, 1))
            legal = np.flatnonzero(sim.legal(sim.current))
            careful = [move for move in legal if rules.action_kind(sim.state, move) != rules.PLAY]
            sim.act(sim.current, int(rng.choice(careful if sim.tick % 9 else legal)))
        for event, before in seen.items():
            for since in (0, 7, 19) if event not in acts else ():
                once = holds(event, sim.state, 0, 1) or any(before[since:])
                assert happened(event, sim.state, 0, 1, since) == once, event
            assert event not in LASTING or before == sorted(before)
            assert event not in GONE or before == sorted(before, reverse=True)


def test_nothing_hidden_is_used():
    """Two games that look the same to a seat are the same to it, whatever its own cards are."""
    rng, swapped = np.random.default_rng(0), 0
    for seed in range(30):
        sim = Simulation("hanabi", seed=seed)
        while not sim.over and sim.tick < 9:
            sim.act(sim.current, int(rng.choice(np.flatnonzero(sim.legal(sim.current)))))
        seat, twin = sim.current, sim.copy()
        if seat is None:
            continue
        state = twin._state
        key = rules.key_at(state, seat, rules.hand_size(state, seat) - 1)
        if rules.card_field(state, key, rules.FIRST_TOUCHED) >= 0:
            continue
        swapped += 1
        low = rules.DECK + 49
        state[low], state[rules.DECK + key] = int(state[rules.DECK + key]), int(state[low])
        for event in EVENTS:
            assert holds(event, sim.state, seat) == holds(event, state, seat), event
    assert swapped > 3


def follower(sim: Simulation, seat: int, programs: list[dict]) -> int:
    """The move that is asked for most; of several, and if nothing is, a hint before a discard or a play."""
    wish = language.priors("hanabi", programs, sim, seat) if programs else np.zeros(sim.num_actions)
    kinds = [rules.PLAY, rules.DISCARD, rules.HINT_COLOR, rules.HINT_RANK]
    legal = np.flatnonzero(sim.legal(seat))
    return int(
        max(legal, key=lambda move: (wish[move], kinds.index(rules.action_kind(sim.state, move)), move))
    )


def learned(sim: Simulation, seat: int, programs: list[dict]) -> int:
    return int(act(TOLD, [sim], [seat], programs=[programs], greedy=True)[0])


def speaker(sim: Simulation, hints: bool, rng: np.random.Generator) -> int:
    """A move of seat 0 that loses no life: if possible a hint, or a discard; hints of ranks, after turn 16 of
    colours.
    """
    kinds = [rules.DISCARD, rules.HINT_RANK if sim.tick < 16 else rules.HINT_COLOR]
    legal = np.flatnonzero(sim.legal(0))
    by_kind = [[move for move in legal if rules.action_kind(sim.state, move) == kind] for kind in kinds]
    return int(rng.choice(by_kind[hints] or by_kind[not hints]))


OLDEST = "now discard cards=oldest"
WHOLE_GAMES = [  # instruction, and whether its act is due by the tokens and whether a colour was hinted
    (f"{OLDEST} when=few_hints", lambda tokens, hinted: tokens <= 2),
    (f"{OLDEST} unless=many_hints", lambda tokens, hinted: tokens < 6),
    (f"{OLDEST} until=hint_color", lambda tokens, hinted: tokens < 8 and not hinted),
    ("not hint when=few_hints", lambda tokens, hinted: 0 < tokens <= 2),
    ("not hint unless=many_hints", lambda tokens, hinted: 0 < tokens < 6),
    ("not hint until=hint_color", lambda tokens, hinted: tokens > 0 and not hinted),
]


@pytest.mark.parametrize(("notation", "is_due"), WHOLE_GAMES, ids=[one[0] for one in WHOLE_GAMES])
@pytest.mark.parametrize("agent", [follower, learned])
def test_agents_do_it_only_while_it_is_due(agent, notation, is_due):
    rng, done, otherwise = np.random.default_rng(1), [], 0
    told, due_acts = [program(notation)], 0
    for seed in range(6):
        sim, hinted = Simulation("hanabi", seed=seed), False
        while not sim.over and sim.tick < 40:
            if sim.current == 0:
                move = speaker(sim, seed % 2 == 0, rng)
                hinted = hinted or rules.action_kind(sim.state, move) == rules.HINT_COLOR
            else:
                move, untold = agent(sim, 1, told), agent(sim, 1, [])
                if is_due(int(sim.state[rules.INFORMATION]), hinted):
                    no_hint = rules.action_kind(sim.state, move) in (rules.PLAY, rules.DISCARD)
                    done.append(no_hint if notation.startswith("not") else move == DISCARD)
                    due_acts += move != untold
                else:
                    otherwise += 1
                    assert move == untold, "as if nobody had asked"
            sim.act(sim.current, move)
    assert len(done) > 5 and otherwise > 5 and due_acts > 3
    assert np.mean(done) == 1 if agent is follower else np.mean(done) > 0.95


def test_networks_read_nothing_of_rules_with_conditions():
    plain, limited = program("discard cards=oldest"), program("discard cards=newest when=late")
    both = {**plain, "rules": plain["rules"] + limited["rules"]}
    assert not language.features("hanabi", limited).any()
    assert np.array_equal(language.features("hanabi", both), language.features("hanabi", plain))


def test_of_cards_each_is_judged_by_what_is_known_of_it():
    sim = at([GREEN])
    assert wanted("play cards=touched unless=you_doubt", sim, 1) == []
    sim = at([GREEN, FIVE, ONES])  # slot 2 is a green one
    assert wanted("play cards=touched when=hint unless=you_doubt", sim, 1) == [PLAY + 0, PLAY + 1, PLAY + 2]
    told = program("keep cards=touched unless=you_know")
    spared = np.flatnonzero(language.prior("hanabi", told, at([ONES, ONES, GREEN, ONES, DISCARD + 4]), 1) < 0)
    assert spared.tolist() == [DISCARD + 0, DISCARD + 1], "the green one is known"


def test_in_doubt_an_act_is_asked_for_that_is_not_about_the_card():
    after = [TWOS, FIVE, FIVE, FIVE] if game().legal(0)[FIVE] else [TWOS, FIVE, TWOS]
    assert wanted("discard cards=oldest when=you_doubt", at(after), at(after).current) == [DISCARD + 0]
    assert wanted("discard cards=oldest when=you_doubt", at([ONES]), 1) == []
    assert wanted("hint rank=5 when=you_doubt", at([TWOS]), 1) == [FIVE]
    assert wanted("hint rank=5 when=you_doubt", at([ONES]), 1) == []


def test_a_hint_goes_by_what_the_other_can_play_and_a_ban_by_what_oneself_can():
    sim = at([ONES])  # seat 1 can play its ones, seat 0 its R1
    for notation, asked in (
        ("now hint kind_of=rank when=playable when=late", True),
        ("now hint kind_of=rank unless=playable", False),
        ("now hint kind_of=rank when=nothing", False),
    ):
        assert bool(wanted(notation, sim, 1)) is asked, notation


def test_how_far_it_is_says_what_it_waits_for_and_when_it_is_over():
    sim = at([ONES, ONES])
    assert progress("discard cards=oldest when=no_hints", sim, 0) == ("waiting", "until no hint is left")
    assert progress("now hint unless=hint_rank", sim, 0) == ("obeying", ""), "as rules say it"
    assert progress("now hint unless=hint_rank unless=late", sim, 0) == ("waiting", "you hint a rank")
    assert progress("not play until=hint_rank", sim, 0) == ("done", "")
    assert progress("not play until=hint_rank", sim, 0, since_tick=2) == ("obeying", "")
    assert progress("play rank=1 when=start when=early", at([]), 0)[0] == "obeying"
    assert progress("play rank=1 when=start when=early", at(TO_THE_END), 1) == ("done", "")
    assert progress("not play until=late ; hint until=hint_rank", sim, 0)[0] == "obeying"
    assert progress("discard until=no_hints", at([]), 0)[0] == "waiting", "all hints are there"


@pytest.mark.parametrize("event", ["playable", "nothing", "critical"])
@pytest.mark.parametrize("name", ["when", "unless", "until"])
def test_how_far_it_is_tells_nobody_what_they_hold(name, event):
    for moves in ([], [ONES], [ONES, FIVE], [GREEN, ONES], ALL_HINTS):
        assert progress(f"not discard cards=oldest {name}={event}", at(moves), 0) == ("obeying", "")


def test_what_holds_now_goes_before_what_holds_always():
    always, only = program("discard cards=oldest"), program("discard cards=newest when=few_hints")
    assert remaining([always, only], None, 1) == [always, only], "neither replaces the other"
    assert remaining([only, always], None, 1) == [only, always]
    assert remaining([only, program("not discard cards=newest when=few_hints")], None, 1)[0] is None
    ending = program("discard cards=newest until=late")
    assert (
        remaining([ending, always], None, 1)[0] is None and remaining([always, ending], None, 1)[0] == always
    )
    for moves, slot in ((ALL_HINTS[:3], 0), (ALL_HINTS[:7], 4)):
        sim = at(moves)
        one = {**always, "rules": always["rules"] + only["rules"]}
        assert language.prior("hanabi", one, sim, 1).argmax() == DISCARD + slot
        assert language.prior("hanabi", one, sim, 1)[DISCARD + slot] > 0


def test_many_games_are_followed_as_each_alone():
    sims = [at(moves) for moves in ([ONES], ALL_HINTS[:7], [*ALL_HINTS, DISCARD + 0], [GREEN, ONES, GREEN])]
    rows, seats = np.arange(len(sims)), np.ones(len(sims), int)
    batch = following("hanabi", {}, len(sims))
    batch.begin(np.stack([sim.state for sim in sims]), rows)
    for notation in (
        "play cards=touched",
        "discard cards=oldest when=few_hints unless=hint_color",
        "play cards=touched unless=you_doubt until=hint_color",
        "keep cards=critical until=no_hints",
    ):
        told = program(notation)
        alone = np.stack([language.prior("hanabi", told, sim, 1) for sim in sims])
        assert np.array_equal(batch.asked([told], rows, seats), alone)
        done = [language.progress("hanabi", told, sim, 1)["state"] == "done" for sim in sims]
        assert batch.done(told, rows, seats).tolist() == done
    assert done == [False, False, True, False]
