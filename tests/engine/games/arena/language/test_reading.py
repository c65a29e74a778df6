"""What squads are told with the buttons of the pages: what it becomes and how it is told back."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine import language
from engine.language import bank, read

READY = {
    "Follow me": ("follow", "me", None, "I follow you."),
    "Hold here": ("hold", None, None, "I wait."),
    "Go there": ("go", None, "there", "I go to the point that you show."),
    "Attack that one": ("attack", "aim", None, "I attack the one that you look at."),
    "Cover me": ("cover", "me", None, "I cover you."),
    "Take cover": ("take_cover", None, None, "I take cover."),
    "Loot": ("loot", None, None, "I search for things."),
    "Heal yourself": ("heal", None, None, "I treat my wounds."),
    "Rescue our mate": ("rescue", None, None, "I help somebody up."),
    "Go prone": ("prone", None, None, "I lie down."),
    "Hold your fire": ("hold_fire", None, None, "I hold fire."),
    "Rotate to the zone": ("rotate", None, None, "I go into the white circle."),
}


def test_these_are_the_buttons():
    assert list(READY) == [row["text"] for row in bank.rows("arena", "ready")]


@pytest.mark.parametrize("text", READY)
def test_a_button_is_read_surely_and_told_back(text):
    reading = read("arena", text)
    [one] = reading.program["clauses"]
    assert (one["kind"], one["who"], one["place"], reading.sentence) == READY[text]
    assert reading.confidence > 0.9 and not one["negated"] and not one["flags"]


def test_what_is_looked_at_or_clicked_becomes_a_point_or_a_player():
    reading = read("arena", "Go there", {"aim": {"x": 9000, "y": 12000, "seat": None}})
    assert reading.program["clauses"][0]["point"] == [9000, 12000]
    assert reading.sentence == "I go to the point that you show."
    reading = read("arena", "Attack that one", {"aim": {"x": 1, "y": 2, "seat": 6}})
    assert reading.program["clauses"][0]["who"] == 6 and reading.sentence == "I attack Player 7."
    # Without it, the engine sees for itself where the speaker looks.
    assert read("arena", "Go there").program["clauses"][0]["point"] is None


def test_what_was_said_is_carried_out_and_told_without_what_plays_a_match():
    code = (
        "import sys\nfrom engine.games.arena.language import carried, labels, say, table\n"
        "print([name for name in ('numba', 'torch') if name in sys.modules])"
    )
    root = Path(language.__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.strip() == "[]"
