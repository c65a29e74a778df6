"""What the New round form offers is what the programs' own source says."""

from __future__ import annotations

import dataclasses
import importlib

import pytest

from engine import games
from engine.learning.run.programs import find
from engine.refusal import Refusal
from webapp.rounds import kinds, presets, programs

OFFERED = sorted({name for part in programs.PARTS for name in programs.choices(part)})


@pytest.mark.parametrize("name", OFFERED)
def test_names_and_defaults_are_those_of_the_program(name):
    program = find(name)
    real = {
        one.name: one.default for one in dataclasses.fields(importlib.import_module(program.module).Settings)
    }
    for setting in programs.settings_of(program):
        assert real[setting.name] == setting.default
        assert setting.role not in programs.FILLED


@pytest.mark.parametrize("name", OFFERED)
def test_what_a_program_shows_first_and_sets_by_size_are_settings_of_its_own(name):
    program = find(name)
    assert set(program.foremost) <= set(programs.defaults(program))
    for size, values in program.sizes.items():
        assert size in presets.SIZES
        assert programs.problems("part", program, values) == {}


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("part", programs.PARTS)
def test_every_game_has_programs_for_every_part_that_say_which_sizes_suit_it(part, game):
    assert programs.usual(part, game).usual
    for name, program in programs.choices(part, game).items():
        for size in presets.SIZES:
            values = presets.values(size, game, {part: name})[part]
            assert programs.problems(part, program, values) == {}
            assert programs.complete(program, values).items() >= values.items()


def test_a_game_gets_programs_that_can_learn_it():
    for_marks = {game: kinds.fitting("agent", kinds.MARKS, game) for game in games.names()}
    assert {game: set(known) for game, known in for_marks.items()} == {
        game: {"bcrl", "clone_people", "ppo"}
        | ({"instruct_ppo", "instruct_q"} if game != "arena" else set())
        | ({"tabular_q"} if game == "say_select" else set())
        for game in games.names()
    }
    assert not find("population").fits_game(games.spec("arena")), "cooks of a kitchen, one after the other"


def test_a_program_that_does_not_fit_is_refused_with_those_that_do():
    with pytest.raises(Refusal, match="makes an agent in a round of Hanabi; there are ppo"):
        programs.chosen("agent", "population", "hanabi")
    with pytest.raises(Refusal, match="'ppo' isn't one that makes a reward model"):
        programs.chosen("reward_model", "ppo")


@pytest.mark.parametrize("game", games.names())
def test_one_size_undoes_another_in_every_game(game):
    buttons = presets.buttons(game)
    fields = [set(button["values"]) for button in buttons.values()]
    assert all(found == fields[0] for found in fields)
    assert buttons["usual"]["values"] != buttons["tiny"]["values"]


def test_a_game_says_what_suits_it():
    usual = {game: presets.buttons(game)["usual"]["values"] for game in ("hanabi", "overcooked")}
    assert usual["hanabi"]["reward_model-steps"] == programs.defaults(find("ibt"))["steps"]
    assert usual["overcooked"]["agent-steps"] != usual["hanabi"]["agent-steps"]


def test_an_unknown_setting_is_refused_with_a_sentence():
    found = programs.problems("reward_model", find("ibt"), {"stepz": 3})
    assert found["reward_model.stepz"].startswith("reward_model.stepz is no setting; there are ")
    assert ", steps, " in found["reward_model.stepz"]


@pytest.mark.parametrize("text", ["many", "1.5", "-3", "", "nan"])
def test_a_value_of_the_wrong_kind_is_refused(text):
    found = programs.problems("reward_model", find("ibt"), {"steps": text, "controls": "perhaps"})
    assert found["reward_model.steps"].startswith("reward_model.steps is")
    assert found["reward_model.controls"] == "reward_model.controls is 'perhaps'; it must be true or false."
