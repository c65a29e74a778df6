"""The commonest wishes of Hanabi players, read and obeyed; and talk, which is no wish in any game."""

import numpy as np
import pytest

from engine import language
from engine.games.hanabi import rules
from engine.games.hanabi.language import chances, common
from engine.games.hanabi.view import is_critical
from engine.simulation.simulation import Simulation

LAST = common.KEEP_CRITICAL
RANDOM_MOVES = 24


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("save fives", common.KEEP_FIVES),
        ("please save the 5s!", common.KEEP_FIVES),
        ("save what is critical", LAST),
        ("don't discard the last copy", LAST),
        ("Never throw away criticals.", LAST),
        ("keep the critical cards", LAST),
        ("play it safe", common.PLAY_SURE),
        ("only play what you are sure of", common.PLAY_SURE),
        ("only play cards you know are playable", common.PLAY_SURE),
        ("hint fives early", common.HINT_FIVES),
        ("clue my 5s first", common.HINT_FIVES),
        ("hoard hints", common.FEWER_HINTS),
        ("please don't waste the clue tokens", common.FEWER_HINTS),
        ("be sparing with hints", common.FEWER_HINTS),
    ],
)
def test_the_commonest_wishes_are_read_for_sure(text, rule):
    reading = language.read("hanabi", text)
    assert not reading.refused and reading.confidence == 1 and reading.unread == []
    assert reading.program["rules"] == [rule]
    assert language.features("hanabi", reading.program).any(), "networks are told of it, too"


@pytest.mark.parametrize(
    "text",
    [
        "If there are fewer than 3 hints, discard",
        "when we have less than 2 hint tokens, discard your oldest card",
        "if we have no hints left, discard",
        "discard when hints are low",
        "If there are more than 5 hints, hint ranks",
        "discard if you are out of clues",
        "when the deck is empty play your newest card",
        "play it safe once we have only one life left",
    ],
)
def test_what_depends_on_what_is_left_is_refused_and_not_taken_for_a_hint(text):
    reading = language.read("hanabi", text)
    assert reading.refused and "how many hints, lives or cards are left" in reading.sentence


@pytest.mark.parametrize(
    "text",
    [
        "If I hint threes, discard them",
        "when I give you more than one hint, play your newest card",
        "when I hint several cards, play those cards",
        "if I have no playable cards, hint ranks",
        "if your cards are not hinted, discard the oldest",
        "when I give no hint, discard your oldest card",
        "if you have 3 cards that I hinted, play the newest",
        "If I hint a colour, play those cards",
    ],
)
def test_what_depends_on_hints_and_cards_is_not(text):
    assert "how many hints, lives" not in language.read("hanabi", text).sentence


def test_a_wish_among_others_is_read_with_them():
    reading = language.read("hanabi", "save what is critical, and play what I hint")
    assert LAST in reading.program["rules"] and len(reading.program["rules"]) == 2
    assert "least likely" in reading.sentence and "I play the cards" in reading.sentence


def test_the_newest_one_alone_is_asked_about_and_with_a_verb_it_is_read():
    asked = language.read("hanabi", "the newest one")
    assert asked.refused and "Play it or discard it?" in asked.sentence and len(asked.alternatives) == 2
    for verb in ("play", "discard"):
        reading = language.read("hanabi", f"{verb} the newest one")
        assert reading.program["rules"][0]["then"] == {"action": verb, "cards": "newest"}


def told(text: str) -> dict:
    return language.read("hanabi", text).program


def after_random_moves(players: int, seed: int) -> Simulation:
    sim, rng = Simulation("hanabi", {"players": players}, seed=seed), np.random.default_rng(seed)
    for _ in range(RANDOM_MOVES):
        hints = [
            move for move in np.flatnonzero(sim.legal(sim.current)) if move >= 2 * sim.state[rules.SLOTS]
        ]
        moves = hints or list(np.flatnonzero(sim.legal(sim.current)))
        sim.act(sim.current, int(rng.choice([one for one in moves if one < sim.num_actions - 1])))
        if sim.over:
            break
    return sim


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_least_likely_last_copy_goes_first_and_a_known_one_never(players):
    seen = 0
    for seed in range(12):
        sim = after_random_moves(players, seed)
        if sim.over:
            continue
        seat = sim.current
        risks = chances.critical_chances(sim.state, seat)
        prior = language.prior("hanabi", told("save what is critical"), sim, seat)[: len(risks)]
        assert prior.argmax() == np.argmin(risks)
        for slot, risk in enumerate(risks):
            card = int(rules.card_of(sim.state, int(rules.key_at(sim.state, seat, slot))))
            assert not (risk == 0 and is_critical(sim.state, card)) and (
                risk < 1 or is_critical(sim.state, card)
            )
            if risk == 1:
                seen += 1
                assert prior[slot] <= -16
    assert players != 3 or seen, "some cards were known to be the last"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fives_are_told_of_once_and_not_again(players):
    wish = told("hint fives early")
    for seed in range(6):
        sim = Simulation("hanabi", {"players": players}, seed=seed)
        told_of = []
        while not sim.over and sim.state[rules.INFORMATION] > 0 and len(told_of) < 5:
            prior = language.prior("hanabi", wish, sim, sim.current)
            if not prior.any():
                break
            assert prior.min() == 0, "it forbids nothing"
            move = int(prior.argmax())
            assert rules.action_kind(sim.state, move) == rules.HINT_RANK
            sim.act(sim.current, move)
            told_of.append(move)
        last = sim.current
        prior = language.prior("hanabi", wish, sim, last)
        assert sim.state[rules.INFORMATION] == 0 or not prior.any()


@pytest.mark.parametrize("game", ["hanabi", "overcooked", "arena"])
@pytest.mark.parametrize("text", ["sorry", "Sorry, my bad!", "nice!", "thanks", "well played, partner", "gg"])
def test_talk_is_heard_as_talk(game, text):
    reading = language.read(game, text)
    assert reading.talk and reading.refused and reading.program is None
    assert "stays as it is" in reading.sentence


@pytest.mark.parametrize("text", ["nice, now play your oldest", "sorry, I meant colours", "never mind", ""])
def test_what_asks_for_something_is_no_talk(text):
    assert not language.read("hanabi", text).talk


def test_a_game_without_instructions_has_no_talk_either():
    assert not language.read("say_select", "thanks").talk


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_cannot_be_done_is_said_of_the_seats_own_move_and_by_the_tokens_alone(players):
    sim = Simulation("hanabi", {"players": players}, seed=1)
    wishes = [told(text) for text in ("always discard your oldest card", "hint fives early", "play it safe")]

    def states(seat: int) -> list[str]:
        return [one["text"] or one["state"] for one in language.progresses("hanabi", wishes, sim, seat)]

    nothing = ["nothing may be discarded while all hints are there", "obeying", "obeying"]
    assert states(0) == nothing, "it is the first seat's move, and all hints are there"
    assert states(1) == ["obeying"] * 3, "the first seat may hint before, and then it can be done"
    sim.act(0, int(np.flatnonzero(sim.legal(0))[-1]))
    assert sim.current == 1 and states(1) == ["obeying"] * 3, "as it did"
    while sim.state[rules.INFORMATION] > 0:
        sim.act(sim.current, int(np.flatnonzero(sim.legal(sim.current))[-1]))
    mover = sim.current
    assert states(mover) == ["obeying", "no hint is left", "obeying"]
    assert states((mover + 1) % players) == ["obeying"] * 3, "who moves before it may bring one back"
    once = told("when I hint a colour, discard your oldest card")
    assert language.progress("hanabi", once, sim, mover)["state"] == "obeying", "its occasion comes later"
