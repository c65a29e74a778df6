"""Games whose agents can't be told things yet: nothing is understood, and nothing breaks."""

from __future__ import annotations

import pytest

from engine import language
from engine.agents.acting import NOTHING, asked
from engine.language import second
from engine.language.decide import decide
from engine.language.decisions.settings import Settings
from engine.language.standings import completed, settled
from engine.simulation.log import EpisodeLog, header_of
from engine.simulation.simulation import Simulation
from engine.simulation.told import Told

GAME = "say_select"
SENTENCE = "This game's agents can't be told things yet."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I should select the same number as my partner", SENTENCE),
        ("", f"Nothing was typed. {SENTENCE}"),
        ("9" * 10_000, "That is too long for me: I read up to 1,000 characters at once."),
    ],
)
def test_every_text_is_refused_with_the_reason(text, sentence) -> None:
    reading = language.read(GAME, text)
    assert reading.refused and reading.sentence == sentence and reading.program is None
    assert reading.as_json()["reading"] is None


def test_it_is_no_game_whose_instructions_can_be_read() -> None:
    assert GAME not in language.games()
    assert set(language.games()) == {"arena", "frozen_lake_2", "hanabi", "overcooked"}
    assert language.questions(GAME) == []
    with pytest.raises(ValueError, match="not for 'say_select'"):
        second.opinion(GAME, "quit", Settings())
    with pytest.raises(ValueError, match="answers questions about arena"):
        decide({"game": GAME, "instruction": "quit"}, [{"question": "Should I quit?"}])


@pytest.mark.parametrize("name", ["chess", "decisions", "phrasings", "", "../hanabi"])
def test_what_is_no_game_is_refused_with_a_sentence(name) -> None:
    with pytest.raises(ValueError, match=f"There is no game '{name}'; the games are arena, frozen_lake_2"):
        language.read(name, "quit")


def test_networks_read_no_number_of_an_instruction() -> None:
    assert language.num_features(GAME) == 0
    assert language.features(GAME, None).shape == (0,)
    assert language.together(GAME, []).shape == (0,)


def test_nothing_is_asked_of_a_move() -> None:
    sim = Simulation(GAME)
    assert not language.priors(GAME, [], sim, 0).any()
    assert language.prior(GAME, {}, sim, 0).shape == (sim.num_actions,)
    assert language.goals(GAME, [], sim, 0).shape == (0,)
    assert language.progresses(GAME, [], sim, 0) == language.remaining(GAME, [], sim, 0) == []
    assert asked(sim, 0, []) == NOTHING


def test_an_instruction_in_a_log_changes_nothing() -> None:
    sim = Simulation(GAME)
    log = EpisodeLog(header_of(sim, "e1", [{"kind": "person"}, {"kind": "agent"}]))
    told = Told(log.header)
    words = {"tick": 0, "seat": 0, "target_seat": None, "id": "i1", "text": "quit", "status": "refused"}
    record = {"type": "instruction", **words, "reading": language.read(GAME, "quit").as_json()}
    log.append(record)
    told.note(record)
    assert settled(told, sim) == [] and told.programs(1) == []
    assert completed(log).records == log.records
