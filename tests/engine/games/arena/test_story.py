"""A match of Arena told to winners, losers, those who went out, drawn squads and those who watched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.games import stories
from engine.games.arena import state as s
from engine.games.arena.teams import team_name
from engine.games.stories import Ending
from engine.simulation.simulation import Simulation

ROOT = Path(__file__).resolve().parents[4]


def begun(teams: int, size: int) -> Simulation:
    return Simulation("arena", {"teams": teams, "team_size": size, "map_seed": 3, "monsters": 0}, seed=1)


def played(game: Simulation, *hits: tuple[list[int], int | None]) -> Iterator[Simulation]:
    """A second of standing before each blow: those seats are struck by a seat (None: by nobody)."""
    yield game
    for victims, by in hits:
        for _ in range(20):
            game.step([game.idle(seat) for seat in range(game.seats)])
            yield game
        for victim in victims:
            at = s.player(victim)
            game._state[at + s.DAMAGE] = 1000
            game._state[at + s.SHOOTER] = s.ZONE_HIT if by is None else by + 1
        game.step([game.idle(seat) for seat in range(game.seats)])
        yield game


def told(game: Simulation, hits: list, seat: int | None) -> tuple[str, tuple[str, str], str]:
    """(headline, result, story) of a match for a seat."""
    names = [f"P{index}" for index in range(game.seats)]
    text = stories.story("arena", played(game, *hits), names, seat)
    end = ended(game)
    return stories.headline(end, seat), stories.result(end, seat), text


def ended(game: Simulation) -> Ending:
    outcomes = stories.outcomes("arena", game.view(None))
    return Ending("arena", game.options, game.score, game.over, outcomes)


def all_of(team: int, size: int) -> list[int]:
    return list(range(team * size, team * size + size))


@pytest.mark.parametrize(("teams", "size"), [(2, 1), (2, 2), (3, 3), (2, 4), (5, 4), (10, 2), (20, 1)])
def test_every_seat_is_told_the_place_of_its_own_squad(teams: int, size: int) -> None:
    """The squads go one by one, the first one first: the last squad wins."""
    hits = [(all_of(team, size), (team + 1) * size) for team in range(teams - 1)]
    game = begun(teams, size)
    for _ in played(game, *hits):
        pass
    end = ended(game)
    for seat in range(teams * size):
        place = teams - seat // size
        who = "Your squad" if size > 1 else "You"
        if place == 1:
            assert stories.headline(end, seat) == f"{who} {'is' if size > 1 else 'are'} the last one standing"
        else:
            assert re.fullmatch(
                rf"{who} came in {place}(st|nd|rd|th) of {teams}", stories.headline(end, seat)
            )
        assert stories.result(end, seat)[0].startswith(str(place))
        assert stories.worth(end, seat) == (place == 1)
    assert stories.headline(end, None) == f"The {team_name(teams - 1)} squad won"


def test_the_winner_the_loser_and_the_one_who_went_out_are_told_what_they_did() -> None:
    """Two squads of two: P1 goes out first, by P2; P0 takes both of the others."""
    hits: list = [([1], 2), ([1], 2), ([2], 0), ([2], 0), ([3], 0)]
    headline, result, text = told(begun(2, 2), hits, 0)
    assert (headline, result) == ("Your squad is the last one standing", ("1st", "of 2 squads"))
    assert text.startswith("You won after 0:05, with 1 of 2 still on their feet. You put 2 out")
    assert "P1 went out at 0:02." in text

    headline, _, text = told(begun(2, 2), hits, 1)
    assert headline == "Your squad is the last one standing"
    assert "P2 put you out at 0:02." in text

    headline, result, text = told(begun(2, 2), hits, 3)
    assert (headline, result[0]) == ("Your squad came in 2nd of 2", "2nd")
    assert text.startswith("The blue circle squad (P0 and P1) won after 0:05.")
    assert "You put nobody out and knocked nobody down. P0 put you out" in text
    assert "P2 put 1 out, knocked 1 down and went out" in text


def test_squads_that_go_in_the_same_tick_draw() -> None:
    for size in (1, 2):
        hits = [([*all_of(0, size), *all_of(1, size)], None)]
        headline, result, text = told(begun(2, size), hits, 0)
        assert (headline, result[0]) == ("A draw: nobody is left", "Draw")
        assert "went down in the same moment: you" in text
        assert "You went out at 0:01." in text
    game = begun(3, 2)
    headline, result, _ = told(game, [(all_of(1, 2), 0), ([*all_of(0, 2), *all_of(2, 2)], None)], 2)
    assert (headline, result[0]) == ("Your squad came in 3rd of 3", "3rd")
    assert stories.headline(ended(game), None) == "A draw: nobody is left"
    assert [stories.worth(ended(game), seat) for seat in range(6)] == [0] * 6


def test_a_match_that_was_left_says_how_it_stood() -> None:
    game = begun(3, 2)
    headline, result, text = told(game, [(all_of(1, 2), 0), ([5], 0)], 4)
    assert (headline, result) == (stories.LEFT, ("–", "still in"))
    assert text.startswith("After 0:02, 2 of 3 squads were left, yours among them with 1 of 2 on their feet.")
    headline, result, text = told(begun(3, 2), [(all_of(1, 2), 0)], 2)
    assert (headline, result[0]) == (stories.LEFT, "3rd")
    assert "; yours had come in 3rd." in text
    assert told(begun(4, 1), [([1], 0)], None)[2].startswith("After 0:01, 3 of 4 players were left.")


def test_matches_count_as_won_or_not() -> None:
    assert stories.compared("arena", 1.0, []).startswith("Your first finished match")
    assert stories.compared("arena", 0.0, [1.0, 0.0, 1.0]).startswith("You have won 2 of 4 matches")
    assert (
        stories.usually("arena", "Squad", 0.75, 4, "people here")
        == "Squad has won 3 of 4 matches with people here."
    )
    options = {"teams": 2, "team_size": 4, "pace": "short", "monsters": 0}
    assert stories.alike("arena", options) == {"teams": 2, "team_size": 4}


def test_the_pages_call_the_squads_by_the_same_names() -> None:
    script = (ROOT / "engine/games/arena/static/js/games/arena/teams.js").read_text()
    colours, shapes = (
        re.findall(r'"(\w+)"', re.search(rf"const {name} = \[(.*?)\]", script)[1])
        for name in ("COLOUR_NAMES", "SHAPES")
    )
    assert [team_name(team) for team in range(20)] == [
        f"{colours[team % len(colours)]} {shapes[team % len(shapes)]}" for team in range(20)
    ]
