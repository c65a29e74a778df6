"""What was in force when, on the replay page in Chromium: bar above the board, spans, dialogue."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.webapp.episodes import talk

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GAMES = {
    "hanabi": (
        talk.table,
        # (seat, tick): what was in force for the move that led there
        {(1, 0): ["play"], (1, 1): ["play"], (2, 4): ["play"], (2, 5): ["discard"], (1, 7): ["play"]}
        | {(1, 8): [], (1, 12): [], (1, 13): ["again"], (1, 15): ["again", "red"], (2, 20): ["discard"]}
        | {(0, 20): []},
        {"play 1 0-7 withdrawn", "play 2 0-4 replaced", "discard 2 4-", "again 1 12-", "red 1 14-"},
        {"play": f"confirmed at 0 · replaced by “{talk.DISCARD}” at 4 for Di · taken back at 7 for Cy"}
        | {"fives?": "never confirmed", "again": f"confirmed at 12 · partly replaced by “{talk.RED}” at 14"},
    ),
    "overcooked": (
        talk.cooking,
        {(1, 0): ["onion"], (1, 2): ["onion"], (1, 3): [], (1, 7): ["onions"], (1, 20): ["onions"]}
        | {(0, 9): [], (1, 21): ["plates"], (1, 40): ["plates"], (1, 41): [], (1, 60): []},
        {"onion 1 0-2 done", "onions 1 6-20 replaced", "plates 1 20-40 withdrawn"},
        {"onion": "confirmed at 0 · done at 2", "plates": "confirmed at 20 · taken back at 40"},
    ),
    "arena": (
        talk.squads,
        {(1, 20): ["hold"], (1, 21): ["follow"], (2, 31): ["wait"], (3, 120): ["hold"], (4, 50): []}
        | {(0, 50): [], (2, 75): ["wait"], (2, 76): [], (1, 101): []},
        {"hold 1 0-20 replaced", "hold 2 0-30 replaced", "hold 3 0-", "follow 1 20-100 withdrawn"}
        | {"wait 2 30-75 done"},
        {"wait": "confirmed at 30 · done at 75"},
    ),
}


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path


def address(episode, tick, seat=1):
    return reverse("replays:replay", args=[episode.pk]) + f"?tick={tick}&seat={seat}"


def go(page, seat, tick):
    """Choose a seat and a tick, as the list and the scrubber under the strip do."""
    page.select_option("#seat-list", str(seat))
    page.locator("#scrub").evaluate(
        "(node, tick) => { node.value = tick; node.dispatchEvent(new Event('input')); }", tick
    )
    expect(page.locator("#tick-now")).to_have_text(str(tick))


def in_force(page):
    return page.locator("#in-force li[data-id]").evaluate_all("rows => rows.map((row) => row.dataset.id)")


def drawn(page):
    """The spans on the strip: "id seats start-end why"."""
    return set(
        page.locator(".told-span").evaluate_all(
            """nodes => nodes.map(({ dataset: { id, seats, start, end, why } }) =>
                 `${id} ${seats} ${start}-${end} ${why}`.trim())"""
        )
    )


@pytest.mark.parametrize("game", GAMES)
def test_bar_spans_and_dialogue_say_what_was_in_force(visit, anna, game):
    make, expected, spans, fates = GAMES[game]
    page = visit(anna, address(make(), 0))
    assert drawn(page) == spans
    tops = set()
    for (seat, tick), names in expected.items():
        go(page, seat, tick)
        assert in_force(page) == names, (seat, tick)
        if not names:
            nothing = re.compile("Nothing was asked of .+ at this tick")
            expect(page.locator("#in-force-list")).to_have_text(nothing)
        tops.add(page.locator("#stage").bounding_box()["y"])
    assert len(tops) == 1, "what is under the bar moves"
    for name, fate in fates.items():
        fate_of = page.locator(f".track-row[data-id='{name}'] .track-fate")
        assert re.sub(r" \(\d\)", "", fate_of.text_content()) == fate


def test_with_open_hands_the_bar_says_for_whom_and_shows_more_on_demand(visit, anna):
    page = visit(anna, address(talk.table(), 3) + "&view=open")
    expect(page.locator("#in-force .in-force-who")).to_have_text("P-ana to Cy and Di")
    expect(page.locator("#in-force q")).to_have_text(talk.PLAY)
    expect(page.locator("#in-force .in-force-reading")).to_contain_text("I play the cards it touches")
    go(page, 1, 18)
    height = page.locator("#in-force").bounding_box()["height"]
    expect(page.locator("#in-force .badge")).to_have_text("partly replaced")
    more = page.locator(".in-force-more")
    expect(more).to_have_text("+1 more")
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    for row in page.locator("#in-force li").all():
        assert row.bounding_box()["height"] > 30  # all of it is there, in two lines
    assert page.locator("#in-force").bounding_box()["height"] == height
    more.press("Escape")
    expect(more).to_have_attribute("aria-expanded", "false")
    go(page, 1, 7)
    expect(more).to_be_hidden()
    assert page.locator("#in-force").bounding_box()["height"] == height


def test_a_span_tells_all_about_itself_and_enter_goes_to_where_it_began(visit, anna):
    page = visit(anna, address(talk.table(), 0))
    span = page.locator(".told-span[data-id='discard']")
    tip = page.locator(".told-tip")
    expect(tip).to_be_hidden()
    span.focus()
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(f"P-ana to Di: “{talk.DISCARD}”, read as: ")
    page.keyboard.press("Enter")
    expect(page.locator("#tick-now")).to_have_text("4")
    page.mouse.move(5, 5)
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    box = span.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + 4)
    expect(tip).to_be_visible()
    expect(page.locator("#tick-now")).to_have_text("20")  # a click seeks, as everywhere on the strip
    page.keyboard.press("Home")
    page.keyboard.press("Space")  # and takes no key away
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")


def test_how_an_instruction_stands_follows_the_tick(visit, anna):
    page = visit(anna, address(talk.table(), 0))
    badge = page.locator(".track-row[data-id='play'] .badge")
    asked = page.locator(".track-row[data-id='fives?'] .badge")
    for tick, told, other in [
        (0, "in force", "later"),
        (4, "in force for Cy", "later"),
        (7, "taken back", "later"),
        (9, "taken back", "read"),
    ]:
        go(page, 1, tick)
        expect(badge).to_have_text(told)
        expect(asked).to_have_text(other)


def test_a_mark_says_what_was_asked_at_the_move_that_it_is_about(visit, hand, anna):
    hand(episode := talk.table(), anna)
    page = visit(anna, address(episode, 5, seat=2))
    page.keyboard.press("ArrowUp")
    mark = page.locator(".strip-mark")
    expect(mark).to_have_attribute("title", re.compile(f"told “{talk.DISCARD}”"))
    page.keyboard.press(",")
    expect(mark).to_have_attribute("title", re.compile(f"told “{talk.PLAY}”"))
    expect(page.locator("#mark-about")).to_contain_text(f"In force then: “{talk.PLAY}”")


def test_playing_reads_nothing_out_and_stopping_does(visit, anna):
    page = visit(anna, address(talk.cooking(), 0))
    said = page.locator("#in-force [role=status]")
    expect(said).to_have_text(re.compile("In force: P-ana: “fetch an onion”"))
    page.evaluate(
        """() => { window.told = 0; new MutationObserver(() => { window.told += 1; })
             .observe(document.querySelector("#in-force [role=status]"), { childList: true }); }"""
    )
    page.keyboard.press("5")
    page.keyboard.press("Space")
    page.wait_for_selector("#stage[data-tick='60']")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    expect(said).to_have_text("Nothing was asked of Cy at this tick.")
    assert page.evaluate("window.told") == 1
