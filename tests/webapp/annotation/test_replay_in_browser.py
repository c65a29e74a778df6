"""The replay page in Chromium: seek without a click, mark by key and by mouse, offline and after a crash."""

import re
import uuid

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from engine import games
from tests.waiting import eventually
from tests.webapp.episodes import battle
from webapp.annotation.models import Assignment, Mark
from webapp.annotation.queue import hand_out
from webapp.episodes import positions, simulated
from webapp.episodes.models import Episode
from webapp.studies.models import Study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAVED = "#save-state[data-state=saved]"


@pytest.fixture
def episode(settings, tmp_path, db):
    settings.EPISODES_DIR = tmp_path
    return simulated.simulate("hanabi", 1, ["hanabi/convention-bot"], seed=3)[0]


def stands_at(page, tick):
    """Waits until the page shows this tick."""
    page.wait_for_selector(f"#stage[data-tick='{tick}']")
    assert page.text_content("#tick-now") == str(tick)


def pointed(page, tick, last):
    box = page.locator(".strip-thumbs").bounding_box()
    return box["x"] + (tick + 0.5) * box["width"] / (last + 1), box["y"] + 10


def test_seeking_by_mouse_keys_and_address(visit, episode, anna):
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=9&seat=1")
    stands_at(page, 9)
    page.mouse.move(*pointed(page, 20, episode.ticks))
    stands_at(page, 20)  # hovering shows a tick
    page.mouse.move(5, 5)
    stands_at(page, 9)  # and leaving goes back
    page.mouse.click(*pointed(page, 14, episode.ticks))
    page.mouse.move(5, 5)
    stands_at(page, 14)  # a click stays
    for key, tick in [("ArrowRight", 15), ("Shift+ArrowRight", 25), ("ArrowLeft", 24), ("Home", 0)]:
        page.keyboard.press(key)
        stands_at(page, tick)
    page.keyboard.press("End")
    stands_at(page, episode.ticks)
    expect(page).to_have_url(re.compile(rf"\?tick={episode.ticks}&seat=1$"))  # every tick has an address
    page.click("#track .track-row:nth-child(6) button")
    stands_at(page, 6)
    assert page.get_attribute("#track .track-row:nth-child(6)", "aria-current") == "true"


def test_the_line_of_a_late_tick_is_in_sight_in_a_long_episode(visit, anna, settings, tmp_path):
    settings.EPISODES_DIR = tmp_path
    (long,) = simulated.simulate("overcooked", 1, ["overcooked/greedy"], options={"horizon": 800})
    page = visit(anna, reverse("replays:replay", args=[long.pk]) + "?tick=800")
    stands_at(page, 800)
    page.wait_for_function(
        """() => {
          const row = document.querySelector("#track [aria-current]")?.getBoundingClientRect();
          const list = document.querySelector("#track").getBoundingClientRect();
          return row && row.height > 0 && row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
        }"""
    )


def test_the_seats_own_cards_are_hidden_until_hands_are_opened(visit, episode, anna):
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=4&seat=0")
    expect(page.locator(".hidden-card")).to_have_count(5)
    page.keyboard.press("d")
    expect(page.locator(".hidden-card")).to_have_count(0)


def test_marks_are_made_flipped_moved_noted_undone_and_kept(visit, episode, hand, anna):
    hand(episode, anna)
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=5&seat=1")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    mark = Mark.objects.get()
    assert (mark.tick, mark.seat, mark.sign, mark.annotator) == (5, 1, 1, anna)
    assert mark.context["input"] == "key"
    page.keyboard.press("ArrowDown")
    page.keyboard.press(".")
    page.fill("#mark-note", "too early")
    page.keyboard.press("Escape")
    eventually(Mark.objects.filter(pk=mark.pk, tick=6, sign=-1, note="too early").exists)
    page.click("[data-step='1']")
    page.click("[data-sign='1']")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 2')")
    assert Mark.objects.get(tick=7).context["input"] == "mouse"
    page.keyboard.press("z")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    page.keyboard.press("Shift+z")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 2')")
    page.keyboard.press("Backspace")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(".strip-mark.regression")).to_have_count(1)


def test_back_leads_to_the_episode_as_it_is_after_one_has_submitted_it(visit, episode, hand, anna):
    """Or what one changes there would seem to be submitted by the old page, and count for nothing."""
    hand(episode, anna)
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=5&seat=1")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("annotate"))
    page.go_back()
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    expect(page.locator("#submit-form")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    eventually(Mark.objects.filter(sign=-1).exists)
    page.click("#again-form button")
    page.wait_for_selector(".notice:has-text('Submitted again')")
    assert Mark.objects.get().submitted == Mark.objects.get().revision


def test_a_mark_is_dragged_along_the_strip(visit, episode, hand, anna):
    hand(episode, anna)
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=5&seat=1")
    page.keyboard.press("ArrowUp")
    page.locator(".strip-mark").hover()
    page.mouse.down()
    x, _ = pointed(page, 12, episode.ticks)
    page.mouse.move(x, page.locator(".strip-mark").bounding_box()["y"] + 8, steps=4)
    page.mouse.up()
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    assert Mark.objects.get().tick == 12


def test_a_mark_made_offline_survives_a_crash_and_arrives_once(visit, episode, hand, anna):
    hand(episode, anna)
    path = reverse("replays:replay", args=[episode.pk]) + "?tick=5&seat=1"
    page = visit(anna, path)
    context = page.context
    context.set_offline(True)
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("#save-state[data-state=pending]:has-text('1 pending')")
    page.wait_for_selector("#trouble:not([hidden])")
    expect(page.locator(".strip-mark.pending")).to_have_count(1)
    assert Mark.objects.count() == 0
    page.close()
    context.set_offline(False)
    again = visit(anna, path, context)
    again.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    assert (Mark.objects.get().tick, Mark.objects.get().revision) == (5, 1)


def test_signed_out_marks_stay_pending_and_say_so(visit, episode, hand, anna):
    hand(episode, anna)
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=5&seat=1")
    cookies = page.context.cookies()
    page.context.clear_cookies(name="sessionid")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("#sign-in-again:not([hidden])")
    assert "1 mark is kept in this browser" in page.text_content("#trouble-text")
    page.context.add_cookies(cookies)
    page.click("#retry-marks")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")


def test_a_refused_mark_is_shown_put_right_and_discarded_while_the_others_are_saved(
    visit, episode, hand, anna
):
    hand(episode, anna)
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=5&seat=1")
    half = """text => {
        const field = document.querySelector("#mark-note");
        field.value = text + String.fromCharCode(0xd83c);
        field.dispatchEvent(new Event("change"));
    }"""
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f"{SAVED}:has-text('saved ✓ 1')")
    page.evaluate(half, "good ")
    row = page.locator("#refused li")
    expect(row).to_contain_text("at tick 5: The note of a mark may not hold half a character")
    for key in ("ArrowRight", "ArrowDown"):  # it blocks nothing
        page.keyboard.press(key)
    eventually(Mark.objects.filter(tick=6, sign=-1).exists)
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Put it right").click()
    stands_at(page, 5)
    page.keyboard.press("Control+a")
    page.keyboard.type("good 🧅")
    page.keyboard.press("Enter")
    eventually(Mark.objects.filter(tick=5, note="good 🧅").exists)
    expect(row).to_have_count(0)
    expect(page.locator("#trouble")).to_be_hidden()
    page.keyboard.press("Escape")
    page.evaluate(half, "bad ")
    expect(row).to_have_count(1)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(row).to_have_count(1)  # also after a crash
    row.get_by_role("button", name="Discard it").click()
    expect(row).to_have_count(0)
    expect(page.locator("#mark-note")).to_have_value("good 🧅")
    expect(page.locator(SAVED)).to_contain_text("saved ✓ 2")


def hold(page, key, times=6):
    """Keep a key down, so that it repeats, and let go of it."""
    for _ in range(times):
        page.keyboard.down(key)
    page.keyboard.up(key)


def test_enter_submits_and_asks_if_there_is_no_mark_however_long_it_is_held(visit, episode, anna):
    study = Study.objects.create(name="Hanabi", game="hanabi")
    hand_out(study, anna)
    page = visit(anna, reverse("replays:replay", args=[episode.pk]))
    hold(page, "Enter")
    expect(page.locator(".toast")).to_contain_text("seen it to tick 0")  # nobody has looked at it
    page.keyboard.press("End")
    seen = page.locator("#seen-to")
    expect(seen).to_have_value(seen.get_attribute("data-last"))  # its state may have to arrive first
    hold(page, "Enter")
    dialog = page.locator("#unmarked-dialog[open]")
    expect(dialog).to_have_count(1)
    assert page.evaluate("document.activeElement.value") == ""  # going on, not submitting
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.locator("body")).to_be_focused()  # the focus leaves the hidden button a frame later
    assert Assignment.objects.get().status == "open"
    hold(page, "Enter")
    expect(dialog).to_have_count(1)  # it asks again
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(SAVED)
    page.keyboard.press("Enter")
    page.wait_for_url("**/replays/annotate/**")
    assert Assignment.objects.get().status == "submitted"


def test_submitting_again_counts_what_stands_then(visit, episode, anna):
    from webapp.annotation.counting import counted, place
    from webapp.annotation.queue import close

    study = Study.objects.create(name="Hanabi", game="hanabi")
    close(hand_out(study, anna).assignment, Assignment.SUBMITTED)
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=9&seat=1")
    expect(page.locator("#until")).to_contain_text(re.compile(r"until .*\d\d:\d\d UTC; then you see how"))
    page.keyboard.press("ArrowUp")
    page.click("#again-form button")  # at once: it waits for the mark to arrive
    expect(page.locator(".notice.success")).to_contain_text("Submitted again")
    assert [place(mark) for mark in counted(Episode.objects.all())] == [(1, 9, 1)]
    expect(page.locator("#until")).not_to_contain_text("not submitted yet")


def test_two_windows_of_one_person_end_with_the_newest_version(visit, episode, hand, anna):
    hand(episode, anna)
    path = reverse("replays:replay", args=[episode.pk]) + "?tick=5&seat=1"
    mark = Mark.objects.create(
        id=uuid.uuid4(), episode=episode, annotator=anna, seat=1, tick=5, sign=1, revision=1
    )
    first = visit(anna, path)
    second = visit(anna, path, first.context)
    first.keyboard.press("ArrowDown")
    eventually(Mark.objects.filter(pk=mark.pk, revision=2).exists)
    second.keyboard.press("Backspace")
    expect(second.locator(".strip-mark.regression")).to_have_count(1)  # the stale window shows what was kept
    mark.refresh_from_db()
    assert (mark.revision, mark.sign, mark.deleted) == (2, -1, False)


def test_a_mark_made_before_the_outbox_is_open_is_kept(visit, episode, hand, anna):
    hand(episode, anna)
    address = reverse("replays:replay", args=[episode.pk]) + "?tick=9&seat=1"
    first = visit(anna, address)
    # IndexedDB answers late, as on a busy machine.
    first.context.add_init_script(
        """const open = IDBFactory.prototype.open;
        IDBFactory.prototype.open = function (...given) {
          const late = {};
          setTimeout(() => {
            const request = open.apply(this, given);
            Object.defineProperty(late, "result", { get: () => request.result });
            for (const name of ["onsuccess", "onerror", "onupgradeneeded"]) request[name] = late[name];
          }, 700);
          return late;
        };"""
    )
    page = first.context.new_page()
    page.goto(first.url)
    page.wait_for_selector("#stage[data-tick='9']")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => document.querySelector('#save-state').textContent.includes('saved ✓ 1')")
    page.wait_for_selector(SAVED)
    assert Mark.objects.filter(annotator=anna, tick=9, seat=1, sign=1).count() == 1


def test_the_words_of_a_tick_follow_the_seat_and_stay_open(visit, episode, anna):
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=0&seat=1")
    panel = page.locator("#words")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/words/" in request.url else None)
    page.keyboard.press("ArrowRight")
    stands_at(page, 1)
    expect(panel.locator("[data-words-text]")).to_be_hidden()  # closed, it asks for nothing
    assert asked == []
    page.keyboard.press("w")
    expect(panel).to_contain_text(re.compile(r", at 1: my partner (told|played|discarded|wrongly)"))
    expect(panel).to_contain_text("What hints told of my cards")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("#words[data-tick='7']")
    assert len(asked) < 7  # not for each tick in passing
    page.keyboard.press("s")
    page.wait_for_selector("#words[data-tick='7'][data-seat='0']")
    page.reload()
    page.wait_for_selector("#words[open][data-tick='7']")
    page.click("#words summary")
    page.keyboard.press("Space")  # plays, and doesn't open it again
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    expect(panel).not_to_have_attribute("open", "")


SCREENS = ({"width": 1280, "height": 800}, {"width": 360, "height": 740}, {"width": 640, "height": 400})
ALWAYS = (
    "#guidelines",
    "#flag",
    "#skip",
    "#submit-form button",
    "#in-force",
    "[data-sign='1']",
    ".strip-marks",
)
PLACES = """selectors => ({
  wide: document.documentElement.scrollWidth,
  game: document.querySelector("#stage").parentElement.clientHeight,
  boxes: selectors.map((one) => document.querySelector(one).getBoundingClientRect().toJSON()),
})"""


@pytest.mark.parametrize("game", ["hanabi", "arena"])
def test_all_that_marking_needs_is_on_one_screen_in_which_nothing_moves(
    visit, settings, tmp_path, anna, game
):
    """At 1280 x 800, 360 px wide and 200 % zoom, with long texts; and what was typed stays."""
    settings.EPISODES_DIR = tmp_path
    episode = battle.fight() if game == "arena" else simulated.simulate(game, 1, ["hanabi/grounded-bot"])[0]
    Episode.objects.filter(pk=episode.pk).update(instruction="play what I hint, " * 40)
    hand_out(Study.objects.create(name="S", game=game), anna)
    page = visit(anna, reverse("replays:replay", args=[episode.pk]) + "?tick=9&seat=1")
    page.wait_for_selector("body[data-whole]")
    if game == "arena":
        page.click("[data-camera=map]")
    for screen in SCREENS:
        page.set_viewport_size(screen)
        before = page.evaluate(PLACES, ALWAYS)
        assert before["game"] >= 0.6 * screen["height"] - 1 and before["wide"] <= screen["width"], screen
        for name, box in zip(ALWAYS, before["boxes"], strict=True):
            assert box["left"] >= 0 and box["right"] <= screen["width"], (screen, name)
            assert box["top"] >= 0 and box["bottom"] <= screen["height"] and box["height"] > 20, (
                screen,
                name,
            )
        strip = before["boxes"][-1]
        page.mouse.move(strip["x"] + strip["width"] * 0.7, strip["y"] + 9)
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Space")
        page.wait_for_timeout(300)
        page.keyboard.press("Space")
        assert page.evaluate(PLACES, ALWAYS)["boxes"][-1] == strip, screen
        page.keyboard.press("Backspace")
    page.set_viewport_size(SCREENS[0])
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.locator(".strip-mark.selected").click()
    page.keyboard.press("9")
    eventually(Mark.objects.filter(tick=1, context__reason="mixed", deleted=False).exists)
    page.keyboard.press("Space")  # the mark that was clicked doesn't take it
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    page.keyboard.type("half a sen")
    page.wait_for_url("**tick=1&**")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#mark-note")).to_have_value("half a sen")
    eventually(Mark.objects.filter(tick=1, note="half a sen").exists)
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")  # the keys are the game's again
    stands_at(page, 2)
    page.keyboard.press("g")
    dialog = page.locator("#guidelines-dialog")
    expect(dialog).to_contain_text("Good and bad in the same move")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.keyboard.type("the sound is")
    page.wait_for_url("**tick=2**")  # which follows the tick 150 ms late
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.keyboard.press("f")
    expect(page.locator("#flag-note")).to_have_value("the sound is")
    page.click("#flag-dialog .primary")
    expect(page.locator(".notice.success")).to_contain_text("Flagged")
    stands_at(page, 2)


@pytest.mark.parametrize("game", positions.MARKING)
def test_the_state_of_a_lesson_is_seen_and_one_plays_it_on(visit, anna, game):
    page = visit(anna, f"{reverse('replays:tutorial')}?game={game}")
    page.keyboard.press("ArrowRight")
    seen = page.locator("#stage").bounding_box()
    assert min(seen["width"], seen["height"]) > 200
    lesson = positions.MARKING[game][0]
    page = visit(anna, reverse("replays:position", args=[lesson.slug]))
    assert page.locator("#stage").bounding_box()["height"] > 200
    if lesson.every == 1 and not games.spec(game).turn_based:
        page.locator("[data-move]").last.click()  # it waits
        expect(page.locator("#explore-note")).to_contain_text("has answered")
