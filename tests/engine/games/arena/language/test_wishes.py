"""Instructions of Arena read by its grammar as sub-goals of Table 7 of the OpenContra paper."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine import games, language
from engine.games.arena.language.subgoals import subgoals
from engine.games.arena.language.wishes import names
from engine.games.arena.language.wishes.reading import rules
from engine.language import read
from tests.waiting import no_hang

BANK = games.folder("arena") / "language/phrasings/bank.jsonl"
ROWS = [json.loads(line) for line in BANK.read_text().splitlines()]
GOOD = [row for row in ROWS if not row["refused"]]


def goals(text: str) -> dict[str, str]:
    """The sub-goals of an instruction, by the grammar alone; {} if it is refused."""
    reading = language.by_grammar("arena", text)
    return subgoals(reading.program) if reading.program else {}


def share(found: list[set], right: list[set]) -> float:
    """F1 over all instructions together."""
    both = sum(len(a & b) for a, b in zip(found, right, strict=True))
    return 2 * both / (sum(map(len, found)) + sum(map(len, right)))


def test_the_codes_are_table_7():
    from engine.games.arena.abstraction import SUBGOALS

    assert {name: set(values.values()) for name, values in names.CODES.values()} == {
        name: set(values) for name, values in SUBGOALS.items()
    }
    assert tuple(SUBGOALS) == names.ORDER


def test_every_rule_asks_for_what_is_in_the_table():
    for rule in rules():
        for codes in (rule.wanted, rule.unwanted):
            for sign, value in (("@", "N"), ("!", "N"), ("#", "3")):
                codes = codes.replace(sign, value)
            names.goals(codes)
        assert rule.pattern


def test_the_bank_holds_readings_of_the_table():
    for row in GOOD:
        assert row["goals"] == names.in_order(row["goals"]) or set(row["goals"]) <= set(names.ORDER)
        for name, value in row["goals"].items():
            assert value in dict(names.CODES.values())[name].values(), row


def test_the_bank_is_read():
    found, right = [goals(row["text"]) for row in GOOD], [row["goals"] for row in GOOD]
    assert share([set(one.items()) for one in found], [set(one.items()) for one in right]) >= 0.88
    assert share([set(one) for one in found], [set(one) for one in right]) >= 0.90
    assert sum(not one for one in found) <= 0.03 * len(GOOD)


def test_what_means_nothing_in_a_match_is_refused():
    accepted = [row["text"] for row in ROWS if row["refused"] and not read("arena", row["text"]).refused]
    assert len(accepted) <= 0.03 * (len(ROWS) - len(GOOD)), accepted


CASES = """
You should lie in wait | pr=T vel=0 len=0 hold=T
follow me | fm=T dt=N
look north | vw=N
face south-west | vw=SW
take up a position north of me | tp=S
attack from the east | ep=W dmg=H
go NE | mv=NE
bearing 270, move | mv=W
don't shoot | dmg=Z
stop running | vel=S
don't let them see you | sb=F
never stop moving | vel=M len=M
don't peek or shoot | sb=F dmg=Z
first heal, then push them | rh=T
before you push, heal | rh=T
instead of healing, push | cl=T
no wait, don't go north, go south | mv=S
spot four of them | num=4
knock him but don't kill him | kd=T kill=F
grab some ammo and a medkit | bul=T med=T
go to the house and look north | vw=N
would you mind lying down? | pr=T
why are you standing there, move! | vel=M len=M
we're gonna flank them | cl=T sb=F
he's weak, finish him | kill=T
"""


@pytest.mark.parametrize("line", CASES.strip().splitlines())
def test_orders_become_sub_goals(line):
    text, codes = line.split(" | ")
    assert goals(text) == names.goals(codes)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("spritn", "sprint"),
        ("crouhc", "crouch"),
        ("relaod", "reload"),
        ("FAAASTER", "faster"),
        ("jmup", "jump"),
    ],
)
def test_typing_errors_and_drawn_out_words_are_forgiven(typed, meant):
    assert goals(typed) == goals(meant) != {}


@pytest.mark.parametrize(
    "text",
    [
        "I'll shoot, you heal",
        "Anna, crouch",
        "crouch because they can see you from the hill over there",
        "if anybody comes, crouch",
    ],
)
def test_reasons_conditions_and_names_are_no_obstacle(text):
    assert goals(text) in (names.goals("cr=T"), names.goals("rh=T"))


def test_what_no_agent_can_follow_yet_is_told_so():
    reading = read("arena", "look north")
    assert reading.program["clauses"] == []
    assert reading.sentence == "I understand: look north. But I can't follow that yet."
    both = read("arena", "follow me and look north").sentence
    assert both == "I follow you. I also understand, but can't follow yet: look north."


def test_what_agents_can_follow_is_told_as_before():
    for text in ("kill him", "hide", "come here", "hold your fire", "heal up"):
        assert "can't follow" not in read("arena", text).sentence


def test_another_reading_is_offered_where_the_two_ways_to_read_differ():
    for text in ("watch the north side", "take the southwest route"):
        reading = read("arena", text)
        assert not reading.refused and len(reading.alternatives) <= 3


def test_programs_of_before_keep_their_sub_goals():
    program = {key: value for key, value in read("arena", "heal").program.items() if key != "subgoals"}
    assert subgoals(program) == names.goals("rh=T")


@pytest.mark.parametrize(
    "text", ["", "  ", "🙂" * 50, "<b>look north</b>", "look\x00north", "=north", "north " * 160, "(" * 900]
)
def test_no_text_breaks_it(text):
    assert isinstance(read("arena", text).refused, bool)


def test_the_longest_text_is_read():
    longest = "keep your distance from the enemy at all times and stay in the house with the others, " * 11
    with no_hang():
        assert read("arena", longest[:999]).sentence


def test_reading_imports_neither_numba_nor_torch():
    code = (
        "import sys\nfrom engine.language import read\nread('arena', 'look north')\n"
        "print([name for name in ('numba', 'torch') if name in sys.modules])"
    )
    root = Path(language.__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.strip() == "[]"
