"""Kitchens as other programs write them, and the box in which they are pasted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.games.overcooked import layouts, pages
from engine.games.pages import in_page_words
from engine.refusal import Refusal

OWN = "XXPXX\nO  2O\nX1  X\nXDXSX"
# A frame of windows, as overcooked_ai's you_shall_not_pass has it; JSON has true, false and null.
FRAMED = {
    "grid": "XXXXXSSSXXXXX\nXXTSSS SSSOXX\nP 1       2 P\nXXDSSSSSSSDXX",
    "start_all_orders": [{"ingredients": ["onion"]}, {"ingredients": ["onion", "tomato"]}],
    "onion_time": 15,
    "tomato_time": 7,
    "rew_shaping_params": None,
}


@pytest.mark.parametrize(
    "text",
    [
        OWN.replace(" ", "\u00a0"),
        "\ufeff" + OWN.replace("\n", "\r\n") + "\u200b",
        OWN.replace("\n", "\u2028").replace("P", "\u200bP\u00ad"),
        OWN.replace("X", "\uff38").replace(" ", "\u3000"),
        OWN.replace(" ", "\t"),
    ],
)
def test_invisible_characters_and_other_spaces_mean_nothing(text: str) -> None:
    assert layouts.layout_of(pages.typed(text)).grid == layouts.layout_of(OWN + "\n").grid


@pytest.mark.parametrize("write", [json.dumps, lambda one: json.dumps(one, indent=2), repr])
def test_a_kitchen_with_windows_behind_windows_loads_with_a_note(write) -> None:
    found = pages.checked(write(FRAMED), {"dynamics": "new"})
    assert found["players"] == 2 and found["rows"][0] == "XXXXXSSSXXXXX"
    assert found["note"] == "2 serving windows can't be reached."
    sealed = "XXPXXXXX\nO1 2OX X\nX   XXSX\nXDXSXXXX"  # a window with a floor beside, to which no cook gets
    assert pages.checked(sealed, {})["note"] == "1 serving window can't be reached."
    assert pages.checked(OWN, {})["note"] == ""


@pytest.mark.parametrize("horizon", ["²", "9" * 5000, "many"])
def test_a_length_that_is_no_number_is_answered_with_a_sentence(horizon: str) -> None:
    with pytest.raises(Refusal, match="whole number from 1 to 10,000"):
        pages.checked(OWN, {"horizon": horizon})


def test_the_box_checks_with_the_forms_options_and_calls_them_as_the_page_does() -> None:
    soups = f"orders: onion onion\n\n{OWN}"
    assert pages.checked(soups, {"dynamics": "new", "horizon": "200"})["players"] == 2
    with pytest.raises(Refusal) as why:
        pages.checked(soups, {"dynamics": "old"})
    said = in_page_words("overcooked", str(why.value))
    assert "needs “Pots: when a cook starts it”" in said and "dynamics 'new'" not in said


def test_what_is_too_long_is_said_and_not_cut_off() -> None:
    with pytest.raises(Refusal, match="longer than 4000 characters"):
        pages.checked(f"# {'x' * 4000}\n{OWN}", {})
    box = Path(pages.__file__).with_name("templates").joinpath("games/overcooked/lobby.html").read_text()
    assert "maxlength" not in box.partition("layout-text")[2].partition("</textarea>")[0]


def test_a_kitchen_for_three_cooks_is_not_played_by_two_without_a_word() -> None:
    three = "XXPXX\nO3 2O\nX1  X\nXDXSX"
    form = {"layout_text": three}
    assert pages.from_form({"layout": pages.CUSTOM, "players": 3}, form)["players"] == 3
    with pytest.raises(Refusal, match="start cells for 3 cooks, and 2 seats are filled: fill 3, or take"):
        pages.from_form({"layout": pages.CUSTOM, "players": 2}, form)
