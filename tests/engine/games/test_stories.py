"""What is said of games that are over: by each game's own story.py, and of a game that brings none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import games
from engine.games import stories
from engine.games.arena import state as arena
from engine.games.hanabi import rules as hanabi
from engine.games.overcooked import rules as kitchen
from engine.games.stories import Ending
from engine.simulation.simulation import Simulation

ROOT = Path(__file__).resolve().parents[3]
MADE_UP = "no_such_game"


def moments(game: Simulation, steps: int) -> Iterator[Simulation]:
    """A game in which everybody does the first thing that is legal."""
    yield game
    for _ in range(steps):
        if game.over:
            return
        game.step([_first(game, seat) for seat in range(game.seats)])
        yield game


def _first(game: Simulation, seat: int) -> object:
    return game.idle(seat) if game.spec.heads else int(game.legal(seat).argmax())


CASES = [("hanabi", {"players": players, "lives": lives}) for players in (2, 3, 4, 5) for lives in (1, 3)] + [
    ("overcooked", {"players": 2, "horizon": 30}),
    ("overcooked", {"players": 3, "horizon": 30, "layout": "XXPXX\nO123O\nX   X\nXDXSX\n"}),
    ("overcooked", {"players": 4, "horizon": 30, "layout": "XXPXXX\nO1234O\nX    X\nXDXSXX\n"}),
    ("arena", {"teams": 2, "team_size": 1}),
    ("arena", {"teams": 5, "team_size": 4}),
]


@pytest.mark.parametrize(("game", "options"), CASES)
@pytest.mark.parametrize("steps", [1, 7, 400])
def test_every_seat_of_every_game_is_told_a_story(game: str, options: dict, steps: int) -> None:
    seats = Simulation(game, options, seed=1).seats
    names = [f"Partner {index}" for index in range(seats)]
    for seat in [*range(seats), None]:
        sim = Simulation(game, options, seed=1)
        text = stories.story(game, moments(sim, steps), names, seat)
        end = Ending(game, sim.options, sim.score, sim.over, stories.outcomes(game, sim.view(None)))
        number, unit = stories.result(end, seat)
        assert text.endswith(".")
        assert number
        assert stories.headline(end, seat)
        assert (stories.headline(end, seat) == stories.LEFT) is not sim.over
        tried = stories.advice(end, sim, seat)
        if not end.score and sim.spec.side is None:
            assert tried and all(part.endswith(".") for part in tried)
        elif sim.spec.side is None:
            assert tried is None, "it came to something"
        for word in ("None", "nan", "undefined", "{", "  "):
            assert word not in " ".join([text, number, unit, *(tried or ())]).strip()


def test_the_reader_is_you_and_everybody_else_is_called_by_name() -> None:
    """With one life and the first legal action each (a discard or a play), somebody of five misplays."""
    names = ["Ada", "Bo", "Cy", "Di", "Ed"]
    texts = [
        stories.story("hanabi", moments(Simulation("hanabi", {"players": 5}, seed=2), 30), names, seat)
        for seat in range(5)
    ]
    assert len(set(texts)) > 1
    for seat, text in enumerate(texts):
        assert names[seat] not in text


def test_a_table_says_what_the_points_do_not() -> None:
    """With one life, a card that doesn't fit ends the game at no points."""
    game = Simulation("hanabi", {"lives": 1}, seed=0)
    assert stories.detail("hanabi", game.state, 0) == ""
    while not game.over:
        game.act(game.current, 5)  # plays the first card
    assert game.view(None)["lives"] == 0
    assert stories.detail("hanabi", game.state, 0) == "The last life was lost."
    assert stories.detail("hanabi", game.state, None) == ""


def test_a_game_without_a_story_has_a_plain_one() -> None:
    sim = Simulation("hanabi", seed=1)
    end = Ending(MADE_UP, {"size": 3}, 7.0, True)
    assert stories.headline(end, 0) == "The game is over"
    assert stories.result(end, 0) == ("7", "points")
    assert stories.result(Ending(MADE_UP, {}, 1.0, False), 0) == ("1", "point so far")
    assert stories.worth(end, 1) == 7
    assert stories.outcomes(MADE_UP, {}) == []
    assert stories.alike(MADE_UP, {"size": 3}) == {"size": 3}
    assert stories.detail(MADE_UP, sim.state, 0) == ""
    assert stories.story(MADE_UP, moments(sim, 3), ["a", "b"], 0) == "It was left after 3 moves."
    assert "nothing to compare with" in stories.compared(MADE_UP, 7, [])
    assert stories.compared(MADE_UP, 7, [5, 6]) == "1.5 more than your average of 5.5 over 2 games."
    assert stories.compared(MADE_UP, 4, [5]) == "1.0 less than your average of 5.0 over 1 game."
    assert stories.usually(MADE_UP, "Ada", 6.25, 1200, "itself") == (
        "Ada makes 6.2 on average with itself (1,200 games)."
    )


def test_no_table_of_games_stands_outside_their_folders() -> None:
    """What is said after a game asks the game's folder: nothing there names one."""
    for name in ("webapp/matches/results.py", "webapp/lobby/views/after.py", "templates/play/after.html"):
        text = (ROOT / name).read_text().lower()
        assert [game for game in games.names() if game in text] == [], name


def test_a_bombed_game_is_told_what_it_lost_and_what_to_try() -> None:
    sim = Simulation("hanabi", {"players": 2, "lives": 1}, seed=1)
    state = sim._state
    state[hanabi.FIREWORKS], state[hanabi.OVER], state[hanabi.LIVES] = 3, hanabi.OUT_OF_LIVES, 0
    sim.actions.append([0, 0])
    what, then = stories.advice(Ending("hanabi", sim.options, 0.0, True), sim, 0)
    assert what.startswith("3 cards had been played onto the fireworks when the first card that didn’t fit")
    assert "play it safe" in then
    assert stories.advice(Ending("hanabi", sim.options, 3.0, True), sim, 0) is None


def test_a_kitchen_without_a_soup_is_told_how_far_it_had_come() -> None:
    sim = Simulation("overcooked", {"players": 2, "horizon": 30}, seed=1)
    end = Ending("overcooked", sim.options, 0.0, True)
    for _ in range(3):
        sim.step([4, 4])
    assert stories.advice(end, sim, 0)[0] == "Nothing was put into a pot."
    pot = int(sim._state[kitchen.POTS])
    sim._state[kitchen.ITEM + pot] = kitchen.SOUP + 4 * 2
    assert stories.advice(end, sim, 0)[0] == "No pot was full: the fullest held 2 ingredients."
    sim._state[kitchen.ITEM + pot] = kitchen.SOUP + 4 * 3
    sim._state[kitchen.TIMER + pot] = 1
    assert "still cooking" in stories.advice(end, sim, 0)[0]
    sim._state[kitchen.TIMER + pot] = 999
    assert "ready in the pot" in stories.advice(end, sim, 0)[0]


def test_whoever_lost_a_match_at_once_is_told_what_to_try() -> None:
    sim = Simulation("arena", {"teams": 3, "team_size": 2, "map_seed": 3}, seed=1)
    sim.step([sim.idle(seat) for seat in range(6)])
    end = Ending("arena", sim.options, 0.0, True, (3, 3, 1, 1, 2, 2))
    what, then = stories.advice(end, sim, 0)
    assert what == "Your squad was the first to go and hit nobody." and "Pick something up" in then
    sim._state[arena.player(0) + arena.HIT_BY] = arena.ZONE_HIT
    assert "Keep inside" in stories.advice(end, sim, 0)[1]
    sim._state[arena.player(1) + arena.DEALT] = 50
    assert stories.advice(end, sim, 0)[0] == "Your squad was the first to go."
    assert stories.advice(end, sim, 2) is None, "who won"
    assert stories.advice(end, sim, None) is None
