"""What is said of games that are over: by each game's own story.py, and of a game that brings none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import games
from engine.games import stories
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
        for word in ("None", "nan", "undefined", "{", "  "):
            assert word not in f"{text} {number} {unit}"


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
    for name in ("webapp/play/results.py", "webapp/play/views/after.py", "templates/play/after.html"):
        text = (ROOT / name).read_text().lower()
        assert [game for game in games.names() if game in text] == [], name
