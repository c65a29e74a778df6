"""A program's answers to the instructRL paper's questions."""

import pytest

from engine.games.hanabi.evaluation.readings import answers, of_program, paper
from engine.games.hanabi.language.labels import labels, row_of
from engine.games.hanabi.language.table import answer
from tests.engine.games.hanabi.language.test_following import program

PAPER = "play cards=touched when=hint_{0} ; hint kind_of={0} unless=hint_{0}"


@pytest.mark.parametrize("kind", ["color", "rank"])
def test_the_papers_conventions_give_its_oracles(kind):
    oracle = next(answers(item) for item in paper() if item["convention"] == kind)
    found = of_program("hanabi", program(PAPER.format(kind)))
    assert found.sum() == 566 and (found == oracle).all()


@pytest.mark.parametrize(
    "notation",
    [
        "play cards=touched_newest told=2 touch=many when=hint_rank",
        "play cards=touched told=red told=5",
        "discard cards=oldest",
        "discard cards=untouched_oldest when=play when=start ; hint when=discard",
        "play slot=3",
        "play cards=touched when=hint ; not play cards=touched touch=one when=hint",
        "not play cards=newest",
        "hint kind_of=rank unless=hint_rank",
    ],
)
def test_a_program_answers_as_the_bank_would_write_it(notation):
    told = program(notation)
    assert (of_program("hanabi", told) == answers(row_of(told))).all()


def test_what_a_program_leaves_out_is_answered_no():
    told = program("discard cards=oldest except=5")
    assert answer(told, "hint_rank:4:A", "discard:A")
    assert answer(told, "hint_rank:5:E", "discard:A")
    assert not answer(told, "hint_rank:5:A", "discard:A")


@pytest.mark.parametrize("condition", ["when=late", "when=you_hinted", "unless=few_lives", "until=play"])
def test_conditions_that_a_question_does_not_show_give_no_yes(condition):
    told = program(f"play cards=newest {condition} ; discard cards=oldest")
    assert not answer(told, "play:A", "play:E")
    assert answer(told, "play:A", "discard:A")


def test_conditions_that_a_question_shows_are_gone_by():
    either = {"rules": [{"then": {"action": "play", "cards": "newest"}, "weight": 1.0}]}
    either["rules"][0]["if"] = {"when": ["hint", "late"], "unless": ["hint_rank"]}
    seen = ["null", "play:A", "hint_color:red:A", "hint_rank:5:A"]
    assert [answer(either, one, "play:E") for one in seen] == [False, False, True, False]


def test_a_program_as_a_row_of_the_bank_and_its_labels():
    row = row_of(program("play cards=touched told=red when=hint_color ; discard cards=oldest except=5"))
    assert row["yes"] == [
        {"after": ["hint_color"], "move": "play", "cards": "touched", "value": "red"},
        {"after": ["*"], "move": "discard", "cards": "oldest"},
    ]
    assert row["no"] == [{"after": ["hint_rank"], "move": "discard", "cards": "oldest", "value": 5}]
    assert labels(row)[:3] == ["play touched", "after hint_color", "after hint_color: play touched"]
    assert labels(row)[-1] == "not discard oldest"
    nothing = row_of(program("keep cards=critical ; not hint until=late"))
    assert nothing == row_of(None) == {"yes": [], "no": []} and labels(nothing) == ["nothing"]
