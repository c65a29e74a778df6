"""Texts with sub-goals: what is written down, what the grammar says, what programs come to."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.arena import subgoal_table as table
from engine.games.arena.language import goal_texts
from engine.games.arena.language.carried import carried
from engine.games.arena.language.declared import DECLARED
from engine.language.declared import parse
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation


def test_the_grammar_can_say_every_value_in_several_ways():
    phrases, rng = goal_texts._phrases(), np.random.default_rng(0)
    for index, subgoal in enumerate(table.SUBGOALS):
        for number, value in enumerate(subgoal.values):
            assert phrases[index, number], (subgoal.name, value)
            row = np.full(table.COUNT, -1, np.int8)
            row[index] = number
            said = {goal_texts.said(row, rng) for _ in range(12)}
            assert len(said) > 3 and "{" not in "".join(said), (subgoal.name, value)
    row[table.INDEX["Whether crouch position"]] = 0
    assert len(goal_texts.said(row, rng)) > 5
    assert goal_texts.said(np.full(table.COUNT, -1, np.int8), rng) == ""


def test_written_texts_are_at_least_as_many_as_in_the_paper_and_of_all_sub_goals():
    written = goal_texts.written()
    own = [row for _, row, source in written if source == "written"]
    assert len(own) >= 507
    assert (np.array(own) >= 0).any(0).all()


@pytest.mark.parametrize("line", ["only a text", "text\tWhether fly=True", "text\tHealth level=Sky"])
def test_a_line_that_names_no_sub_goal_is_refused(line, tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text(line + "\n")
    with pytest.raises(Refusal):
        goal_texts.labelled(path)


def test_a_program_comes_to_what_the_seat_would_be_asked():
    sim = Simulation("arena", {"teams": 2, "team_size": 4, "pace": "short"}, seed=1)
    program = carried(parse(DECLARED, "prone"), None).program
    assert program is not None
    row = goal_texts.of_program(program, sim.options, sim.state, 2)
    assert table.decode(row)["Whether prone position"] == "True" and (row >= 0).sum() == 1


def test_a_program_that_waits_for_something_asks_for_nothing_yet():
    sim = Simulation("arena", {"teams": 2, "team_size": 4, "pace": "short"}, seed=1)
    program = carried(parse(DECLARED, "go at=rock when=clear then loot"), None).program
    assert program is not None
    assert (goal_texts.of_program(program, sim.options, sim.state, 2) < 0).all()
