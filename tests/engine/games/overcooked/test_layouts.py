"""Layout texts: read, written, and refused with a sentence that names the line."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from random import Random

import pytest

from engine.games import arguments, spec
from engine.games.overcooked import layouts, options
from engine.games.overcooked.layouts import layout_of, text
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from tests.waiting import no_hang

KITCHEN = """name: my  kitchen
# with tomatoes
cook_time: 15
onion_value: 5
tomato_value: 7
orders: onion onion onion; tomato onion
bonus_orders: onion tomato
dish_reward: 0

XXPXX
O  2T
X1..X
XDXSX
"""
GRID = ("XXPXX", "O  2T", "X1  X", "XDXSX")


def kitchen(*rows: str, head: str = "") -> str:
    return head + "\n".join(rows) + "\n"


def refusal(given: str) -> str:
    with pytest.raises(Refusal) as caught:
        layout_of(given)
    message = str(caught.value)
    assert message.endswith((".", "…")) and "\n" not in message and len(message) < 400
    return message


def test_a_text_says_everything_about_a_kitchen() -> None:
    layout = layout_of(KITCHEN)
    assert layout.name == "my kitchen"
    assert layout.grid == ("XXPXX", "O   T", "X   X", "XDXSX")
    assert layout.starts == ((1, 2), (3, 1))
    assert set(layout.orders) == {(3, 0), (1, 1)} and layout.bonus_orders == ((1, 1),)
    assert layout.shaping == (3, 0, 5)
    assert {options.soup_time(layout, soup) for soup in layout.orders} == {15}
    assert options.soup_value(layout, "new", (3, 0)) == 15
    assert options.soup_value(layout, "new", (1, 1)) == 24
    assert options.soup_value(layout, "new", (0, 1)) == 0


@pytest.mark.parametrize(
    "given",
    [
        *layouts.CLASSIC,
        KITCHEN,
        kitchen(*GRID),
        kitchen(*GRID, head="onion_time: 4\ntomato_time: 85\n"),
        kitchen(*GRID, head="times: onion onion 15; tomato 3\nvalues: onion 0\nsoup_reward: 9\n"),
        kitchen(*GRID, head="delivery_reward: 33\nplacement_reward: 1\n"),
        kitchen("XPXXXX", "O1 2TX", "D3 4SX", "XXXXXX"),
    ],
)
def test_what_is_written_is_read_as_the_same_layout(given: str) -> None:
    layout = layout_of(given)
    assert layout_of(text(layout)) == layout
    assert text(layout_of(text(layout))) == text(layout)


def test_spaces_around_the_kitchen_and_windows_line_ends_do_not_matter() -> None:
    plain = layout_of(kitchen(*GRID))
    assert layout_of("\n\n" + "".join(f"   {row}  \r\n" for row in GRID) + "\n") == plain


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (
            ("XXPXX", "O  2Z", "X1  X", "XDXSX"),
            r"Line 2, column 5: 'Z' isn't part of a kitchen; allowed are X",
        ),
        (("XXPXX", "O  2O", "X5  X", "XDXSX"), r"Line 3, column 2: '5' .* 1 to 4 \(start cells\)"),
        (("XXPXX", "O  2O", "X\x001 X", "XDXSX"), r"Line 3, column 2: '\\x00'"),
        (("XXPXX", "O  ２O", "X1  X", "XDXSX"), r"Line 2, column 4: '２'"),
        (("XXPXX", "O  2OX", "X1  X", "XDXSX"), r"Line 2 has 6 cells, but the first row has 5"),
        (("XXPXX", "O  2", "X1  X", "XDXSX"), r"Line 2 has 4 cells, but the first row has 5"),
        (("XXPXX", "O  2O", "X1  .", "XDXSX"), r"Line 3, column 5: the border is open"),
        (("XX XX", "P  2O", "X1  X", "XDXSX"), r"Line 1, column 3: the border is open"),
        (("XXPXX", "O  2O", "X1  X", "XDXS1"), r"Line 4, column 5: the border is open"),
        (("XXPXX", "O   O", "X   X", "XDXSX"), r"no start cells; it needs 2 to 4"),
        (("XXPXX", "O   O", "X1  X", "XDXSX"), r"1 start cell; it needs 2 to 4"),
        (("XXPXX", "O1 2O", "X1  X", "XDXSX"), r"Line 3, column 2: start cell 1 is there a second time"),
        (("XXPXX", "O3  O", "X1  X", "XDXSX"), r"Start cell 2 is missing, but there is a start cell 3"),
        (("XXXXX", "O  2O", "X1  X", "XDXSX"), r"no pot \(P\)"),
        (("XXPXX", "O  2O", "X1  X", "XXXSX"), r"no dish dispenser \(D\)"),
        (("XXPXX", "O  2O", "X1  X", "XDXXX"), r"no serving window \(S\)"),
        (("XXPXX", "X  2X", "X1  X", "XDXSX"), r"neither onions \(O\) nor tomatoes \(T\)"),
        (("PXPXX", "O  2O", "X1  X", "XDXSX"), r"Line 1, column 1: no cook can get to this pot"),
        (("XXPXXXX", "O  2OXX", "X1  X S", "XDXXXXX"), r"Line 3, column 7: no cook can get to this serving"),
        (("XXPXXXX", "O  2OXX", "X1  X S", "XDXSXXX"), None),  # a wall, as elsewhere
        (("PPPPPX", "P   PX", "P 12PX", "XDOSXX"), r"9 pots; at most 8"),
        (("X" * 17, *["X" + " " * 15 + "X"] * 14, "X" * 17), r"17 x 16, 272 cells; at most 256"),
        # The cook on the left has no dishes, the one on the right no onions, and nothing goes between them.
        (("XOPXPDX", "X1 P 2S", "XXXXXXX"), None),
        (("XOXXPDX", "X1 T 2S", "XXXXXXX"), r"can't make and serve the soup 'onion'"),
        (("XOXXX", "X1 XX", "XXXXX", "X2 PX", "XDSXX"), None),
        (("XOXXX", "X1 XX", "XSSXX", "X2 PX", "XDSXX"), r"can't make and serve the soup 'onion'"),
    ],
)
def test_a_kitchen_that_cannot_be_cooked_in_is_refused_by_line(
    rows: tuple[str, ...], found: str | None
) -> None:
    if found is None:
        layout_of(kitchen(*rows))
    else:
        assert re.search(found, refusal(kitchen(*rows)))


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("speed: 3\n", "Line 1: there is no setting 'speed'; the settings are name, cook_time"),
        ("name: a\nname: b\n", "Line 2: name is set a second time"),
        ("cook_time: 0\n", "Line 1: cook_time is a whole number from 1 to 255, not 0"),
        ("cook_time: 256\n", "from 1 to 255, not 256"),
        ("cook_time: 1e3\n", "from 1 to 255, not '1e3'"),
        ("cook_time: ٣\n", "from 1 to 255, not '٣'"),
        ("cook_time:\n", "from 1 to 255, not ''"),
        ("onion_time: 100\ntomato_time: 1\n", "'onion onion onion' would take 300 ticks; at most 255"),
        ("onion_time: 10\n", "onion_time and tomato_time are set together"),
        ("cook_time: 5\ntimes: onion 3\n", "cook_time and times say the same thing"),
        ("delivery_reward: 1001\n", "from 0 to 1000, not 1001"),
        ("soup_reward: -1\n", "soup_reward is a whole number from 0 to 100, not '-1'"),
        ("orders: onion onion onion onion\n", "Line 1: a soup has 1 to 3 ingredients, not 4"),
        ("orders: onion potato\n", "Line 1: 'potato' is no ingredient; there are onion and tomato"),
        ("orders: tomato tomato tomato\n", "The order 'tomato tomato tomato' can't be cooked"),
        ("orders: onion\nbonus_orders: onion onion\n", "bonus order 'onion onion' isn't among the orders"),
        ("values: onion\n", "values are soups with a number each"),
        ("name: \n", "a name has 1 to 60 printable characters, not ''"),
        ("name: " + "x" * 61 + "\n", "a name has 1 to 60 printable characters"),
    ],
)
def test_a_bad_setting_is_refused_by_line(head: str, found: str) -> None:
    assert found in refusal(kitchen("XXPXX", "O  2O", "X1  X", "XDXSX", head=head))


def test_settings_below_the_kitchen_and_a_torn_kitchen_are_refused() -> None:
    assert "Line 5: settings stand above" in refusal(kitchen(*GRID, "cook_time: 3"))
    assert "Line 4: the kitchen ended at line 2" in refusal(kitchen(*GRID[:2], "", *GRID[2:]))


@pytest.mark.parametrize(
    "hostile",
    [
        "X\n" * 500_000,
        "\0" * 5000 + "\n",
        "{" * 9999,
        "{'grid': " + "[" * 9000,
        "{'grid': " + "-" * 9000 + "1}",
        "{'grid': __import__('os').getcwd()}",
        "{'grid': 'X' * 100}",
        "{'grid': 7}",
        "{'grid': ''}",
        "{1: " + "9" * 9000 + "}",
        "{}\n",
        ":" * 9000 + "\n",
        " " * 9000 + "\n",
        " " * 9000 + "x\n",
        "x" + " " * 9000 + "x: \n",
        "orders: " + " " * 9000 + "x\n",
        "a: " * 3000 + "\n",
        "orders: " + "onion " * 1500 + "\n",
        "(((((\n",
    ],
)
def test_a_hostile_text_is_refused(hostile: str) -> None:
    with no_hang():
        refusal(hostile)


DICTIONARY = """{
    "grid":  \"\"\"XXPXX
                O  2T
                X1  X
                XDXSX\"\"\",
    "start_bonus_orders": [{"ingredients": ["tomato", "onion"]}],
    "start_all_orders" : [
        { "ingredients" : ["onion", "onion", "onion"]},
        { "ingredients" : ["onion", "tomato"]}
    ],
    "recipe_values" : [10, 15],
    "recipe_times" : [20, 7],
    "rew_shaping_params": {"PLACEMENT_IN_POT_REW": 1, "DISH_PICKUP_REWARD": 2, "SOUP_PICKUP_REWARD": 4,
                           "DISH_DISP_DISTANCE_REW": 0},
}"""


def test_a_dictionary_of_overcooked_ai_is_read() -> None:
    layout = layout_of(DICTIONARY)
    assert layout.grid == ("XXPXX", "O   T", "X   X", "XDXSX") and layout.shaping == (1, 2, 4)
    assert layout.values == {(3, 0): 10, (1, 1): 15} and layout.times == {(1, 1): 7}
    assert layout.bonus_orders == ((1, 1),)
    assert layout_of(text(layout)) == layout


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('"recipe_times" : [20, 7]', '"recipe_times" : [20]', "'recipe_times' has 1 numbers for 2 orders"),
        ('"recipe_times" : [20, 7]', '"order_bonus": 3', "'order_bonus' is always 2 here, not 3"),
        ('"recipe_times" : [20, 7]', '"start_state": {}', "'start_state' isn't something that a layout sets"),
        (
            '"recipe_times" : [20, 7]',
            '"cook_time": True',
            "cook_time is a whole number from 1 to 255, not True",
        ),
        ('["onion", "tomato"]', "[1]", "a soup is"),
        ('"DISH_DISP_DISTANCE_REW": 0', '"DISH_DISP_DISTANCE_REW": 2', "only PLACEMENT_IN_POT_REW"),
        ("X1  X", "X1  Z", "Row 3 of the grid, column 5: 'Z'"),
        ('"recipe_times" : [20, 7]', "1 + 1: float('inf')", "plain values"),
    ],
)
def test_a_dictionary_that_says_something_else_is_refused(old: str, new: str, found: str) -> None:
    assert old in DICTIONARY and found in refusal(DICTIONARY.replace(old, new))


def test_orders_follow_from_dispensers_and_dynamics_where_nothing_is_ordered() -> None:
    onions, both = (layout_of(kitchen(*rows)) for rows in (("XXPXX", "O  2O", "X1  X", "XDXSX"), GRID))
    assert options.orders(onions, "old") == ((3, 0),)
    assert options.orders(onions, "new") == ((1, 0), (2, 0), (3, 0))
    assert len(options.orders(both, "old")) == 4 and len(options.orders(both, "new")) == 9
    assert options.orders(layout_of("cramped_room"), "new") == ((3, 0),)


def test_options_hold_the_text_of_a_custom_layout_in_its_one_form() -> None:
    validate = spec("overcooked").validate
    complete = validate({"layout": KITCHEN, "dynamics": "new"})
    assert complete["layout"] == text(layout_of(KITCHEN)) and "#" not in complete["layout"]
    assert complete["players"] == 2 and validate(complete) == complete
    assert spec("overcooked").variant(complete) == "custom"
    assert validate({"layout": "counter_circuit"})["layout"] == "counter_circuit_o_1order"
    assert Simulation("overcooked", complete).view()["orders"] == [
        {"onions": 1, "tomatoes": 1, "value": 24, "bonus": True},
        {"onions": 3, "tomatoes": 0, "value": 15, "bonus": False},
    ]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"layout": "kitchen_9"}, "no layout 'kitchen_9'; the layouts are cramped_room"),
        ({"layout": "x" * 5000}, "no layout 'xxx"),
        ({"layout": 3}, "is a name or a text, not 3"),
        ({"layout": KITCHEN}, "the order 'onion tomato' of the layout 'my kitchen' needs dynamics 'new'"),
        ({"layout": "cramped_room", "players": 3}, "has start cells for 2 cooks, not for 3"),
        ({"layout": kitchen(*GRID), "players": 1}, "'players' is a whole number from 2 to 4, not 1"),
        ({"horizon": 0}, "'horizon' is a whole number from 1 to 10,000, not 0"),
        ({"horizon": True}, "'horizon' is a whole number"),
        ({"dynamics": "newest"}, "'dynamics' is old or new, not 'newest'"),
        ({"start": "anywhere"}, "'start' is fixed or random"),
        ({"speed": 3}, "no option 'speed'; its options are layout"),
        (
            {"layout": kitchen("XPXX", "O12T", "XXXX", "X34D", "XXSX"), "players": 2},
            "With 2 cooks: Row 4 of the grid, column 4: no cook can get to this dish dispenser",
        ),
        (
            {
                "layout": kitchen("XPPXXX", "O1 2OX", "XDXSXX", head="delivery_reward: 1000\n"),
                "horizon": 10000,
            },
            "might bring more than 32,767 points",
        ),
    ],
)
def test_bad_options_are_refused_with_a_sentence(given: dict, found: str) -> None:
    with pytest.raises(Refusal) as caught:
        spec("overcooked").validate(given)
    assert found in str(caught.value) and len(str(caught.value)) < 400


def test_commands_take_a_layout_by_name_or_file(tmp_path) -> None:
    parser = ArgumentParser()
    arguments.add(parser)
    file = tmp_path / "kitchen.layout"
    file.write_text(KITCHEN)
    named = parser.parse_args(["--layout", "coordination_ring", "--horizon", "50"])
    assert arguments.given(vars(named)) == {"layout": "coordination_ring", "horizon": 50}
    read = parser.parse_args(["--layout", str(file), "--players", "2", "--dynamics", "new"])
    assert arguments.given(vars(read)) == {"layout": KITCHEN, "players": 2, "dynamics": "new"}
    assert arguments.given(vars(parser.parse_args([]))) == {}
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(Refusal, match="isn't a text in UTF-8"):
        arguments.layout(str(file))
    file.write_text("x" * 200_000)
    with pytest.raises(Refusal, match="^The layout file [^ ]+ has more than 100,000 bytes"):
        arguments.layout(str(file))
    with pytest.raises(Refusal, match="can't be read: File name too long"):
        arguments.layout("x" * 5000)
    with pytest.raises(Refusal, match="no layout"):
        spec("overcooked").validate({"layout": arguments.layout(str(tmp_path / "missing"))})


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_any_damage_to_a_text_is_read_or_refused() -> None:
    draw = Random(1)
    read = 0
    for _ in range(2000):
        letters = list(draw.choice([KITCHEN, DICTIONARY]))
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(letters))
            letters[at : at + draw.randint(0, 2)] = draw.choice(
                ["", "X", "1", " ", "\n", ":", "\0", "9", "{", "P"]
            )
        try:
            layout = layout_of("".join(letters))
        except Refusal:
            continue
        read += 1
        assert layout_of(text(layout)) == layout
    assert 50 < read < 1900
