"""What stands side by side on narrow pages doesn't overlap: parts of tables with their style sheets alone."""

from __future__ import annotations

import pytest

from tests.services import ROOT

pytestmark = [pytest.mark.browser]
EDGES = """selectors => selectors.map(one => {
    const { left, right, top, bottom } = document.querySelector(one).getBoundingClientRect();
    return { left, right, top, bottom };
})"""
RING = 5  # px around a ball that was said
CHIP = "<li class='reading-chip'><span class='reading-text'>I hold the door at the north side</span></li>"
SOUND = "<li><i class='arrow'>→</i><span>Someone is being treated</span></li>"


@pytest.fixture
def edges(browser):
    """A function: where parts of a piece of a game's page lie, in a window of a width."""
    pages = []

    def draw(game: str, html: str, width: int, *selectors: str) -> list[dict[str, float]]:
        sheets = [ROOT / "static/css/coplay.css", ROOT / "static/css/play.css"]
        sheets.append(ROOT / f"engine/games/{game}/static/css/{game}.css")
        styles = "".join(f"<style>{sheet.read_text()}</style>" for sheet in sheets)
        pages.append(browser.new_page(viewport={"width": width, "height": 700}))
        pages[-1].set_content(f"{styles}<main>{html}</main>")
        return pages[-1].evaluate(EDGES, list(selectors))

    yield draw
    for page in pages:
        page.close()


@pytest.mark.parametrize("width", [360, 390])
def test_the_ring_around_a_ball_leaves_the_next_one_free(edges, width):
    balls = "".join(
        f"<li><p class='ball-note'>{'Alice says' if ball == 3 else ''}</p>"
        f"<button class='ball{' said' if ball == 3 else ''}' id='b{ball}'>{ball}</button></li>"
        for ball in range(1, 6)
    )
    board = f"<div class='balls-board'><ol class='balls'>{balls}</ol></div>"
    before, said, after = edges("say_select", board, width, "#b2", "#b3", "#b4")
    assert said["left"] - before["right"] > RING and after["left"] - said["right"] > RING


@pytest.mark.parametrize("width", [600, 900])
def test_chips_stand_beside_the_sounds(edges, width):
    hud = (
        f"<div class='arena-place' style='height: 640px'><div class='arena-hud'>"
        f"<ul class='captions'>{4 * SOUND}</ul><div class='arena-talk'>"
        f"<ul class='readings'>{4 * CHIP}</ul></div></div></div>"
    )
    sounds, chips = edges("arena", hud, width, ".captions", ".readings")
    assert chips["right"] <= sounds["left"] and sounds["right"] <= width
