"""The table of a prior as text."""

from engine import language
from engine.language.decide import decide
from engine.language.heat_map import WIDTH, heat_map


def test_a_row_for_each_move_and_a_column_for_each_thing_that_happened():
    asked = language.questions("hanabi")
    text = "If I tell you a colour, play those cards."
    lines = heat_map(asked, decide({"game": "hanabi", "instruction": text}, asked)).split("\n")
    assert sum(line.count("█") for line in lines) == 400
    assert sum(line.count("█") + line.count("·") for line in lines) == 3852
    margin = len("discard my card at position A") + 2
    assert max(map(len, lines)) <= margin + WIDTH
    first = next(line for line in lines if "hint_color:red" in line)
    row = lines[lines.index(first) + 1]
    at = first.index("hint_color:red")
    assert row.startswith("play my card at position A")
    assert row[at : at + 31].count("█") == 16  # half of the sets of cards have the oldest one in them


def test_chances_are_shades():
    asked = [{"observation_key": "any", "action_key": str(i), "action": f"do {i}"} for i in range(5)]
    shown = heat_map(asked, [0.0, 0.25, 0.5, 0.75, 1.0])
    assert [line[-1] for line in shown.split("\n")[1:]] == list("·░▒▓█")
