"""Games and their states in words."""

from __future__ import annotations

import pytest

from engine import brings
from engine.language.declared import SPEECH
from engine.planning import manual
from engine.simulation.simulation import Simulation

GAMES = brings.Planning.games()


@pytest.mark.parametrize("game", GAMES)
def test_a_manual_has_all_that_a_seat_can_be_told_and_all_that_is_there(game: str) -> None:
    sim = Simulation(game, {}, 1)
    text, declared = manual.manual(sim), brings.Language.of(game).DECLARED
    for name, act in declared.acts.items():
        assert (f"- `{name}`" in text) == (name not in SPEECH) and (name in SPEECH or act.about in text)
    assert all(f"- `{name}`: " in text for act in declared.acts.values() for name in act.slots)
    assert all(f"- {name}: " in text for name in declared.events)
    assert brings.Planning.of(game).GOAL in text and all(name in text for name in manual.objects(sim))
    assert "{" not in text


@pytest.mark.parametrize("game", GAMES)
def test_what_is_there_and_what_each_seat_sees_is_said_in_words(game: str) -> None:
    sim = Simulation(game, {}, 1)
    seats = range(min(2, sim.seats))
    assert manual.things(sim) and "{" not in " ".join(manual.things(sim))
    seen = manual.sights(sim, seats)
    assert list(seen) == ["all", *map(str, seats)] and all(seen[str(seat)] for seat in seats)


def test_what_all_see_is_said_once() -> None:
    sim = Simulation("overcooked", {"layout": "cramped_room"}, 1)
    seen = manual.sights(sim, [0, 1])
    assert "The pot is empty." in seen["all"] and "pot is empty" not in seen["0"] + seen["1"]
    assert "I stand in column 2" in seen["0"] and "I stand in column 4" in seen["1"]
    assert manual.sights(sim, [1])["all"] == "" and "The pot is empty." in manual.sights(sim, [1])["1"]


def test_things_that_are_alike_are_counted_and_players_are_seats() -> None:
    sim = Simulation("frozen_lake_2", {}, 1)
    assert "hole (4 of them)" in manual.things(sim) and manual.objects(sim).count("hole") == 1
    kitchen = Simulation("overcooked", {"layout": "cramped_room"}, 1)
    assert "seat 0: holds nothing" in manual.things(kitchen)
    assert not any("seat" in name for name in manual.objects(kitchen))
