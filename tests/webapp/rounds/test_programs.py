"""What the New round form offers is what the programs' own source says."""

from __future__ import annotations

import dataclasses

import pytest

from engine.learning import ibt, ppo
from webapp.rounds import presets, programs


@pytest.mark.parametrize(("program", "module"), [("ibt", ibt), ("ppo", ppo)])
def test_names_and_defaults_are_those_of_the_program(program, module):
    real = {field.name: field.default for field in dataclasses.fields(module.Settings)}
    for setting in programs.settings_of(program):
        assert real[setting.name] == setting.default
        assert setting.name not in programs.FILLED


@pytest.mark.parametrize("part", list(programs.PARTS))
def test_every_setting_is_explained(part):
    for setting in programs.settings_of(programs.PARTS[part]):
        assert len(setting.help) > 10, f"{part}.{setting.name} has no explanation"


@pytest.mark.parametrize("game", ["hanabi", "overcooked"])
@pytest.mark.parametrize("name", list(presets.PRESETS))
def test_presets_name_settings_that_there_are(name, game):
    for part, values in presets.values(name, game).items():
        assert programs.checked(part, values).keys() >= values.keys()


def test_one_size_undoes_another_in_every_game():
    buttons = presets.buttons(["hanabi", "overcooked"])
    fields = [set(values) for button in buttons.values() for values in button["values"].values()]
    assert all(found == fields[0] for found in fields)
    usual = buttons["usual"]["values"]
    assert usual["hanabi"]["reward_model-steps"] == programs.defaults("reward_model")["steps"]
    assert usual["overcooked"]["agent-steps"] != usual["hanabi"]["agent-steps"]


def test_an_unknown_setting_is_refused_with_a_sentence():
    with pytest.raises(programs.BadSetting, match="Unknown reward_model setting 'stepz'; there are steps"):
        programs.checked("reward_model", {"stepz": 3})


@pytest.mark.parametrize("text", ["many", "1.5", "-3"])
def test_a_value_of_the_wrong_kind_is_refused(text):
    with pytest.raises(programs.BadSetting, match="Steps is"):
        programs.checked("reward_model", {"steps": text})
