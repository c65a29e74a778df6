"""Hanabi's rules, one trap at a time, on decks laid out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.hanabi import rules
from engine.games.hanabi.options import check_deck, sorted_deck, validate
from engine.refusal import Refusal
from engine.simulation.rng import key_from_seed
from engine.simulation.simulation import Simulation


def stacked(first: str, **options) -> Simulation:
    """A game whose deck begins with these cards, the rest in sorted order."""
    complete = validate(options)
    cards = ["RYGWB".index(name[0]) * 5 + int(name[1]) - 1 for name in first.split()]
    rest = sorted_deck(complete)
    for card in cards:
        rest.remove(card)
    return Simulation("hanabi", options, deck=cards + rest)


def do(game: Simulation, kind: str, number: int, target: int = 1) -> float:
    """The current seat's move: play or discard slot `number`, or hint colour or rank `number` (from 0)."""
    state = game.state
    action = {
        "discard": lambda: number,
        "play": lambda: rules.play_action(state, number),
        "color": lambda: rules.color_action(state, target, number),
        "rank": lambda: rules.rank_action(state, target, number),
    }[kind]()
    return game.act(game.current, int(action))


ALL_RANKS = "R1 R2 R3 R4 R5 Y1 Y2 Y3 Y4 Y5"


def test_the_deck_is_dealt_hand_by_hand_and_the_newest_card_is_last() -> None:
    game = stacked(ALL_RANKS + " B5")
    assert [card["card"] for card in game.view(None)["hands"][0]["cards"]] == [0, 1, 2, 3, 4]
    assert [card["card"] for card in game.view(None)["hands"][1]["cards"]] == [5, 6, 7, 8, 9]
    do(game, "play", 0)
    assert [card["card"] for card in game.view(None)["hands"][0]["cards"]] == [1, 2, 3, 4, 24]
    assert [card["key"] for card in game.view(None)["hands"][0]["cards"]] == [1, 2, 3, 4, 10]


def test_a_bomb_scores_zero_and_takes_the_points_back() -> None:
    game = stacked("R1 R5 R4 R4 R3 Y5 Y4 Y3 Y3 Y2", bomb="zero")
    assert do(game, "play", 0) == 1
    for _ in range(2):
        assert do(game, "play", 0) == 0
    assert do(game, "play", 0) == -1
    assert game.over and game.score == 0


def test_a_bomb_may_keep_the_points() -> None:
    game = stacked("R1 R5 R4 R4 R3 Y5 Y4 Y3 Y3 Y2", bomb="keep")
    for _ in range(4):
        do(game, "play", 0)
    assert game.over and game.score == 1


def test_with_all_hints_there_a_card_is_discarded_only_where_the_options_say_so() -> None:
    usual, always = stacked(ALL_RANKS), stacked(ALL_RANKS, discard="always")
    for game, may in ((usual, False), (always, True)):
        assert game.legal(0)[:5].tolist() == [int(may)] * 5
        assert game.view(0)["may_discard"] is may
        assert {move["legal"] for move in game.view(0)["moves"] if move["kind"] == "discard"} == {may}
    assert "discarding isn't allowed" in usual.why_illegal(0, 0)
    do(always, "discard", 0)
    view = always.view(None)
    assert view["information"] == 8 and view["discards"] == [0] and "token" not in view["last"]["text"]


def test_the_option_to_discard_always_changes_nothing_of_what_a_seat_sees() -> None:
    usual, always = stacked(ALL_RANKS), stacked(ALL_RANKS, discard="always")
    for game in (usual, always):
        do(game, "rank", 0)
        do(game, "discard", 2)
    assert np.array_equal(usual.observe(0), always.observe(0))
    assert usual.digest() != always.digest()


def test_a_game_without_the_option_is_the_game_that_it_was() -> None:
    """The digest that version 1 of the rules has always had: older logs go on being replayed."""
    assert stacked(ALL_RANKS).digest() == "1cf97e3b5377836f3409e843c2bf2abb05daa899373e613f1d746fe28d3a0930"


def test_a_misplay_costs_a_life_discards_the_card_and_gives_no_token() -> None:
    game = stacked(ALL_RANKS)
    do(game, "rank", 0)
    do(game, "play", 4)
    view = game.view(None)
    assert view["lives"] == 2 and view["information"] == 7 and view["discards"] == [9]
    assert view["last"]["success"] is False


def test_a_successful_play_is_no_discard() -> None:
    game = stacked(ALL_RANKS)
    do(game, "play", 0)
    assert game.view(None)["discards"] == [] and game.view(None)["fireworks"] == [1, 0, 0, 0, 0]


def five_is_next(information: int) -> Simulation:
    """Seat 0 holds R5 as its oldest card, red stands at 4, and there are `information` of 8 tokens."""
    game = stacked("R5 Y1 Y1 Y1 Y2 G1 G1 G1 G2 G2")
    game._state[rules.FIREWORKS] = 4
    game._state[rules.STACKED] = 4
    game._state[rules.SCORE] = 4
    game._state[rules.INFORMATION] = information
    return game


def test_a_five_gives_a_token_back() -> None:
    game = five_is_next(3)
    assert do(game, "play", 0) == 1
    assert game.state[rules.INFORMATION] == 4 and game.state[rules.LAST_TOKEN] == 1


def test_a_five_gives_no_token_when_all_are_there() -> None:
    game = five_is_next(8)
    do(game, "play", 0)
    assert game.state[rules.INFORMATION] == 8 and game.state[rules.LAST_TOKEN] == 0


def test_discarding_is_illegal_with_all_tokens_and_gives_one_back_otherwise() -> None:
    game = stacked(ALL_RANKS)
    assert not game.legal(0)[:5].any()
    with pytest.raises(Refusal, match="discarding isn't allowed"):
        do(game, "discard", 0)
    do(game, "rank", 0)
    assert game.legal(1)[:5].all()
    do(game, "discard", 0)
    assert game.state[rules.INFORMATION] == 8


def test_hints_need_a_token_and_must_touch_a_card() -> None:
    game = stacked(ALL_RANKS, information_tokens=1)
    with pytest.raises(Refusal, match="no red card"):
        do(game, "color", 0)
    do(game, "color", 1)
    with pytest.raises(Refusal, match="No information token"):
        do(game, "rank", 0)
    assert not game.legal(1)[10:20].any()


def test_a_hint_tells_what_cards_are_and_what_they_are_not() -> None:
    game = stacked("R1 R2 R3 R4 R5 Y1 Y2 B1 B2 B2")
    do(game, "color", 1)
    cards = game.view(1)["hands"][1]["cards"]
    assert [card["color"] for card in cards] == [1, 1, None, None, None]
    assert [card["touched"] for card in cards] == [True, True, False, False, False]
    assert cards[0]["plausible"] == [5 <= card < 10 for card in range(25)]
    assert cards[2]["plausible"] == [not 5 <= card < 10 for card in range(25)]
    assert game.view(1)["last"]["slots"] == [0, 1] and game.view(1)["last"]["keys"] == [5, 6]


def test_a_second_hint_newly_reveals_only_what_was_unknown() -> None:
    game = stacked("R1 R2 R3 R4 R5 Y1 Y2 B1 B2 B2 G1")
    do(game, "color", 1)
    do(game, "play", 2)
    do(game, "color", 1)
    assert game.state[rules.LAST_TOUCHED] == 0b00011 and game.state[rules.LAST_NEW] == 0


def test_knowledge_moves_with_its_card_when_an_older_card_leaves() -> None:
    game = stacked("R1 R2 R3 R4 R5 Y1 Y2 B1 B2 B2 G1")
    do(game, "color", 1)
    do(game, "play", 0)
    cards = game.view(None)["hands"][1]["cards"]
    assert [card["color"] for card in cards] == [1, None, None, None, None]
    assert all(cards[-1]["plausible"]) and cards[-1]["newest"]


def test_seats_not_to_move_may_only_do_nothing() -> None:
    game = stacked(ALL_RANKS)
    assert np.flatnonzero(game.legal(1)).tolist() == [20] and not game.legal(0)[20]
    with pytest.raises(Refusal, match="Player 1's turn"):
        game.act(1, 5)
    with pytest.raises(Refusal, match="can't do nothing"):
        game.step([20, 20])
    with pytest.raises(Refusal, match="Player 1's turn"):
        game.step([5, 5])
    assert game.tick == 0


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_after_the_last_card_everybody_has_one_more_turn(players: int) -> None:
    game = Simulation("hanabi", {"players": players, "lives": 9}, seed=5)
    after = 0
    while not game.over:
        empty = game.view(None)["deck"] == 0
        before = game.current
        size = len(game.view(None)["hands"][before]["cards"])
        if game.state[rules.INFORMATION] < 8:
            do(game, "discard", 0)
            assert len(game.view(None)["hands"][before]["cards"]) == size - empty
        else:
            game.act(game.current, int(np.flatnonzero(game.legal(game.current))[-1]))
        after += empty
        if empty:
            assert game.view(None)["turns_left"] == players - after
    assert after == players and game.state[rules.OVER] == rules.OUT_OF_CARDS


def test_complete_fireworks_end_the_game_at_once() -> None:
    game = stacked("R1 Y1 R1 Y1 Y1 R1", colors=2, ranks=1, hand_size=3)
    do(game, "play", 0)
    do(game, "play", 0)
    assert game.over and game.score == game.max_score == 2 and game.state[rules.OVER] == rules.COMPLETE
    assert [np.flatnonzero(game.legal(seat)).tolist() for seat in (0, 1)] == [[game.no_op]] * 2
    with pytest.raises(Refusal, match="over"):
        game.act(0, 3)


def test_a_hopeless_game_goes_on() -> None:
    game = stacked("R1 R1 R1 Y1 Y1 G1 G1 G1 W1 W1", lives=9)
    do(game, "rank", 0)
    for _ in range(2):
        do(game, "discard", 0)
        do(game, "rank", 0)
    assert not game.over


def test_the_record_remembers_who_touched_what_when() -> None:
    game = stacked("R1 R2 R3 R4 R5 Y1 Y2 B1 B2 B2", players=2)
    do(game, "color", 1)
    do(game, "play", 4)
    do(game, "rank", 1)
    state = game.state
    key = 6  # Y2
    assert rules.card_field(state, key, rules.FIRST_TOUCHED) == 0
    assert rules.card_field(state, key, rules.LAST_TOUCHED_TURN) == 2
    assert rules.card_field(state, key, rules.HOLDER) == 1
    assert rules.card_field(state, 10, rules.DRAWN) == 2
    action, touched, key, _ = rules.history_at(state, 0)
    assert (action, touched, key) == (11, 0b00011, -1)
    assert rules.history_at(state, 1)[2:] == (9, 0)


def test_the_shuffle_gives_every_place_every_card_equally_often() -> None:
    state = np.zeros(rules.STATE_SIZE, rules.STATE_DTYPE)
    rules.configure(state, 2, 5, 5, 5, 8, 3, 0, 0)
    rules.seed(state, *key_from_seed(1))
    counts = np.zeros((50, 25))
    games = 4000
    for _ in range(games):
        rules.new_game(state)
        deck = state[rules.DECK : rules.DECK + 50]
        assert sorted(deck.tolist()) == sorted_deck(validate({}))
        counts[np.arange(50), deck] += 1
    share = np.bincount(sorted_deck(validate({}))) / 50
    deviation = (counts - games * share) / np.sqrt(games * share * (1 - share))
    assert np.abs(deviation).max() < 5 and 0.85 < deviation.std() < 1.15


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"plyers": 2}, "no option 'plyers'"),
        ({"players": 6}, "one of 2, 3, 4, 5, not 6"),
        ({"players": "two"}, "not 'two'"),
        ({"lives": True}, "not True"),
        ({"bomb": "maybe"}, "zero, keep"),
        ({"players": 5, "colors": 1, "ranks": 2}, "too few to deal"),
    ],
)
def test_a_bad_option_is_refused_with_a_sentence(given: dict, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        validate(given)


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        ([0] * 50, "R1\\) 50 times"),
        ([0], "has 50 cards, not 1"),
        ("no deck", "list of card ids"),
        ([99] + sorted_deck(validate({}))[1:], "R1\\) 2 times"),
    ],
)
def test_a_bad_deck_is_refused_with_a_sentence(deck, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        check_deck(deck, validate({}))
