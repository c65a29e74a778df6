"""Where games are found: folders here, and packages that name themselves in the group `coplay.games`."""

from __future__ import annotations

import sys
import zlib

import pytest

from engine import games
from engine.games import pages, stories
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from tests.engine.games.packages import SOURCES, write_package


def forget() -> None:
    games.installed.cache_clear()
    games.brings.cache_clear()
    games.part.cache_clear()
    games.spec.cache_clear()


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A function that installs Pebbles as a package: {game: module} of its entry points."""
    mark = zlib.crc32(b"".join(path.read_bytes() for path in SOURCES))
    name = f"heap_{mark:08x}"

    def make(**entries: str) -> str:
        site = tmp_path / "site"
        write_package(site, name, **{game: module.format(name) for game, module in entries.items()})
        monkeypatch.syspath_prepend(site)
        forget()
        return name

    yield make
    monkeypatch.undo()
    forget()
    for module in [one for one in sys.modules if one.split(".")[0] == name]:
        del sys.modules[module]


def test_a_package_brings_a_game(install) -> None:
    name = install()
    assert name in games.names()
    assert games.spec(name).title == "Pebbles"
    assert games.folder(name).name == name
    assert games.part(name, "words").__name__ == f"{name}.words"
    assert games.part(name, "say", "language") is None
    game = Simulation(name, seed=1)
    game.step([0, game.idle(1)])
    end = stories.Ending(name, game.options, game.score, finished=False)
    assert stories.result(end, 0)[1].startswith("point")


def test_names_that_cannot_be_used_are_left_out_with_a_word(install, caplog) -> None:
    name = install(**{"hanabi": "{}", "of-mice": "{}", "gone": "no_such_package"})
    assert set(games.names()) == {"arena", "frozen_lake_2", "hanabi", "overcooked", "say_select"}
    assert games.spec("hanabi").title == "Hanabi"
    told = "\n".join(caplog.messages)
    assert f"'hanabi' of {name} can't have this name" in told
    assert "'of-mice'" in told and "no package no_such_package" in told


def test_what_a_game_does_not_bring_is_none_and_what_fails_fails() -> None:
    assert games.part("hanabi", "story").__name__ == "engine.games.hanabi.story"
    assert games.part("hanabi", "say", "language").__name__ == "engine.games.hanabi.language.say"
    assert games.part("hanabi", "protocol") is None
    assert games.part("hanabi", "measures", "no_such_room") is None
    assert games.part("no_such_game", "story") is None
    with pytest.raises(Refusal, match="There is no game 'no_such_game'; the games are arena"):
        games.spec("no_such_game")


def test_a_part_that_lacks_a_library_is_not_taken_for_missing(install, tmp_path) -> None:
    name = install()
    (tmp_path / "site" / name / "story.py").write_text("import no_such_library\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        games.part(name, "story")


def test_what_the_pages_say_of_a_game_that_says_nothing(install) -> None:
    name = install()
    plain = pages.pages(name)
    assert (plain.heading, plain.keys_title) == ("Play Pebbles with people and agents", "Pebbles")
    assert (plain.most_seats, plain.seats_help) == (3, "The first seat moves first.")
    assert pages.option_fields(name) == [], "how many play is said by the seats"
    assert name in pages.in_order() and pages.in_order()[0] == "hanabi"


def test_options_that_a_game_does_not_describe_are_offered_by_their_names(monkeypatch) -> None:
    module = games.part("hanabi", "pages")
    monkeypatch.setattr(module, "PAGES", pages.Pages())
    fields = {field["name"]: field for field in pages.option_fields("hanabi")}
    assert "players" not in fields
    assert fields["hand_size"]["label"] == "Hand size"
    assert fields["bomb"]["choices"] == [("zero", "zero"), ("keep", "keep")]
    assert fields["lives"]["help"] == "the game is lost with the last of them"
