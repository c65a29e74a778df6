"""Controls of Arena in a real Chromium: keys, mouse, pointer lock, typing, keyboard aim."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

pytestmark = pytest.mark.browser
SITE = "http://arena.test"
PAGE = """<!doctype html><html><head><meta charset="utf-8"><title>controls</title></head>
<body style="margin: 0"><div id="stage" style="width: 600px; height: 400px"></div><input id="box">
<script type="module">
import { ArenaControls } from "/static/js/games/arena/controls.js";
import { sane } from "/static/js/games/arena/settings.js";
import { standing } from "/tests/js/arena-server.mjs";
window.told = [];
window.controls = new ArenaControls({
  element: document.querySelector("#stage"), settings: sane({ keyboardAim: location.hash === "#keyboard" }),
  onKey: (name, down) => told.push(name + (down ? "" : " up")), onState: (state) => told.push(state),
});
window.context = { own: standing(), mateDown: false, aim: null };
window.take = () => controls.take(context);
window.ready = true;
</script></body></html>"""


@pytest.fixture
def page(browser):
    page = browser.new_page()

    def serve(route):
        path = route.request.url.removeprefix(SITE).split("#")[0]
        if path == "/":
            route.fulfill(body=PAGE, content_type="text/html")
            return
        inside = path.removeprefix("/static/")
        file = finders.find(inside) if inside != path else settings.BASE_DIR / path[1:]
        route.fulfill(path=file, content_type="text/javascript")

    page.route(f"{SITE}/**", serve)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


def opened(page, how: str = ""):
    page.goto(f"{SITE}/{how}")
    page.wait_for_function("window.ready")
    return page


def test_keys_walk_run_and_turn_without_the_mouse(page):
    opened(page, "#keyboard")
    page.keyboard.down("w")
    page.keyboard.down("d")
    page.keyboard.down("Shift")
    assert page.evaluate("take()") == {"move": 2, "body": 3, "basic": 7, "switch": 2, "yaw": 0, "pitch": 0}
    # With Shift the key writes another letter, and is still the same key.
    page.keyboard.up("W")
    page.keyboard.up("Shift")
    assert page.evaluate("[take().move, take().body]") == [4, 8]
    page.keyboard.up("d")
    page.keyboard.down("ArrowRight")
    page.evaluate("controls.advance(0, null); controls.advance(100, null)")
    assert page.evaluate("take().yaw") > 500


def test_a_click_holds_the_pointer_and_esc_or_a_field_lets_go(page):
    opened(page)
    page.keyboard.press("w")
    assert page.evaluate("[controls.state, take().body]") == ["paused", 1]
    page.mouse.click(300, 200)
    page.wait_for_function("controls.state === 'locked'")
    page.keyboard.down("w")
    page.mouse.down()
    assert page.evaluate("[take().body, take().basic]") == [8, 0]
    page.mouse.up()
    page.mouse.wheel(0, 100)
    page.evaluate("context.own[22] = 3")  # another weapon
    assert page.evaluate("take().switch") == 1
    page.evaluate("document.exitPointerLock()")
    page.wait_for_function("controls.state === 'paused'")
    assert page.evaluate("take().body") == 1
    assert page.evaluate("told") == ["locked", "paused"]


def test_typing_moves_nobody(page):
    opened(page, "#keyboard")
    page.keyboard.down("w")
    page.focus("#box")
    assert page.evaluate("take().body") == 1
    page.keyboard.press("d")
    page.keyboard.press("Tab")
    assert page.evaluate("[document.querySelector('#box').value, take().body]") == ["d", 1]


def test_the_scoreboard_key_leaves_the_focus_alone(page):
    opened(page, "#keyboard")
    page.keyboard.press("Tab")
    assert page.evaluate("[told, document.activeElement.tagName]") == [
        ["scoreboard", "scoreboard up"],
        "BODY",
    ]
