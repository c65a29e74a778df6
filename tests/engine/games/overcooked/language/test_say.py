"""Programs of version 1 told back: sentences that players confirm, and that say every condition."""

import subprocess
import sys

import pytest

from engine.games.overcooked.language.carried import carried
from engine.games.overcooked.language.declared import DECLARED
from engine.games.overcooked.language.say import CAN_READ, PARTS, clause, sentence
from engine.language.declared import parse


@pytest.mark.parametrize(
    ("notation", "told"),
    [
        ("fetch what=dish to=me", "I fetch plates and bring them to you."),
        ("fill what=onion side=left ; by=me serve", "I put onions into the left pot; you serve soup."),
        ("wait at=serve", "I wait by the serving window."),
        ("not serve", "I don't serve soup."),
        ("serve when=ready", "I serve soup when a soup is done."),
        ("clear when=i_come", "I get out of the way when you come."),
        ("wait until=i_come then serve", "I wait until you come; then I serve soup."),
        ("cancel", "I forget all that you asked and do as I see fit."),
    ],
)
def test_a_program_is_told_back_in_the_first_person(notation, told):
    assert sentence(carried(parse(DECLARED, notation)).program) == told


def test_each_goal_can_be_told_alone():
    program = carried(parse(DECLARED, "stop until=i_plate then serve")).program
    assert [sentence({**program, PARTS: [goal]}) for goal in program[PARTS]] == [
        "I stop and stand still until you take a plate or scoop soup.",
        "I serve soup.",
    ]
    assert clause(program[PARTS][1]) == "I serve soup"
    assert CAN_READ.startswith("what to fetch")


def test_a_program_of_an_older_log_is_told():
    goal = {"intent": "put_onion_in_pot", "target": None, "count": None, "who": "you", "negated": False}
    assert sentence({"game": "overcooked", "version": 1, "goals": [goal]}) == "I put onions into a pot."


def test_telling_needs_no_compiler():
    code = "import sys, engine.games.overcooked.language.say; print('numba' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
