"""Pictures of every page for the documentation: `python -m tools.screenshots [first|endings|…]`.

Starts the whole stack on an empty folder, loads labelled simulated episodes, walks the loop and writes
`docs/images/<page>.png` (1280 px wide), `docs/images/phone.png` (360 px); with `kitchen`, only the pages of
Overcooked; with `first`, only the guided first games, step by step: `docs/images/first-<game>.gif`; with
`endings`, how real games end: `docs/images/ending-<game>.gif`. Not a test.
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

import pygame
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests import services
from tests.browser import endings, first_games, kitchen_loop, loop
from tests.browser.stack import ROOT, Stack, start_stack

IMAGES = ROOT / "docs" / "images"
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 360, "height": 740}
PLAYER = {
    "replays": "/replays/",
    "agents": "/agents/",
    "agent": "/agents/hanabi/learner-1/",
    "compare": "/agents/compare/?agent=hanabi/learner-1&agent=hanabi/convention-bot",
    "account": "/accounts/",
    "keys": "/accounts/keys/",
    "tutorial": "/replays/tutorial/play/",
}
ANNOTATOR = {"annotate": "/replays/annotate/", "guidelines": "/replays/guidelines/"}
ADMIN = {
    "new-round": "/rounds/new/",
    "told": "/rounds/new/told/?base=hanabi/learner-1&instruction=Colour+hints+mean+play",
    "studies": "/studies/",
    "people": "/accounts/people/",
    "datasets": "/datasets/",
}
TOLD = "instruction=Colour+hints+mean+play&instruction=only+hint+ranks&instruction=never+discard"
ON_A_PHONE = ("lobby", "table", "replay", "round", "kitchen")


def shoot(page: Page, name: str) -> None:
    page.wait_for_timeout(400)
    page.screenshot(path=IMAGES / f"{name}.png")
    if name in ON_A_PHONE:
        page.set_viewport_size(PHONE)
        page.wait_for_timeout(400)
        page.screenshot(path=IMAGES / f"phone-{name}.png")
        page.set_viewport_size(WIDE)


def player(browser: Browser, stack: Stack) -> None:
    page = browser.new_context(viewport=WIDE).new_page()
    loop.sign_in(page, stack.links["player"])
    page.goto(f"{stack.address}/play/")
    page.get_by_label("Tell your partner how to play").fill(loop.INSTRUCTION)
    page.get_by_role("button", name="Right").wait_for()
    shoot(page, "lobby")
    loop.start_game(page, stack.address)
    for rank in "12":
        page.wait_for_function("() => document.title.startsWith('●')", timeout=loop.WELL)
        page.keyboard.press(rank)
        page.wait_for_timeout(400)
        if page.title().startswith("●"):  # nobody holds such a card
            page.keyboard.press("ArrowUp")
            page.keyboard.press("Space")
        page.wait_for_timeout(1500)
    page.wait_for_function("() => document.title.startsWith('●')", timeout=loop.WELL)
    page.keyboard.press("Escape")
    shoot(page, "table")
    loop.play_to_the_end(page)
    loop.open_result(page)
    shoot(page, "after")
    loop.rate_and_open_replay(page)
    loop.mark_replay(page, page.context)
    shoot(page, "replay")
    for name, path in PLAYER.items():
        page.goto(stack.address + path)
        shoot(page, name)


def others(browser: Browser, stack: Stack) -> None:
    for role, pages in (("annotator", ANNOTATOR), ("admin", ADMIN)):
        page = browser.new_context(viewport=WIDE).new_page()
        loop.sign_in(page, stack.links[role])
        for name, path in pages.items():
            page.goto(stack.address + path)
            shoot(page, name)
    loop.launch_round(page, stack.address)
    loop.watch_round(page)
    page.reload()
    shoot(page, "round")
    page.goto(f"{stack.address}/rounds/")
    shoot(page, "rounds")
    page.goto(f"{stack.address}/rounds/told/hanabi/learner-1/?{TOLD}")
    page.get_by_role("button", name="Play them").click()
    page.locator("#told-games .deal").first.wait_for(timeout=loop.WELL)
    shoot(page, "told-apart")
    page.goto(f"{stack.address}/replays/agreement/1/")
    shoot(page, "agreement")
    page = browser.new_context(viewport=WIDE).new_page()
    page.goto(f"{stack.address}/accounts/login/")
    shoot(page, "sign-in")


def kitchen(browser: Browser, stack: Stack) -> None:
    """Overcooked's own pages: lobby, a game with an instruction, its replay, the cooks."""
    page = browser.new_context(viewport=WIDE).new_page()
    loop.sign_in(page, stack.links["player"])
    page.goto(f"{stack.address}/play/?game=overcooked")
    shoot(page, "kitchen-lobby")
    kitchen_loop.start_cooking(page, stack.address)
    page.keyboard.press("1")
    kitchen_loop.wait_for_tick(page, 45)
    shoot(page, "kitchen")
    kitchen_loop.cook_to_the_end(page)
    kitchen_loop.open_replay(page)
    for _ in range(6):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowUp")
    shoot(page, "kitchen-replay")
    page.goto(f"{stack.address}/agents/")
    page.get_by_role("heading", name="Overcooked").evaluate("heading => heading.scrollIntoView()")
    shoot(page, "kitchen-agents")


class Reel:
    """What is seen of a page, a picture at a time, as one file that moves."""

    def __init__(self) -> None:
        self.pictures: list[Image.Image] = []

    def seen(self, page: Page) -> None:
        page.wait_for_timeout(400)
        picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
        self.pictures.append(picture.resize((800, 500)).quantize(128))

    def save(self, name: str) -> None:
        begin, *more = self.pictures
        begin.save(IMAGES / f"{name}.gif", save_all=True, append_images=more, duration=2500, loop=0)


def player_page(browser: Browser, stack: Stack) -> Page:
    """Of a player who gives a slow machine time, which draws the plain picture of what is in 3D."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(loop.WELL)
    loop.sign_in(page, stack.link("player"))
    page.evaluate("() => localStorage.setItem('coplay-arena-view', JSON.stringify({ quality: 'low' }))")
    return page


def first(browser: Browser, stack: Stack) -> None:
    """Each guided first game, a picture a step."""
    page = player_page(browser, stack)
    for game, walk in first_games.GAMES.items():
        reel = Reel()
        first_games.begin(page, stack.address, game)
        walk(page, reel.seen)
        first_games.mark(page, reel.seen)
        reel.save(f"first-{game}")


def ending(browser: Browser, stack: Stack) -> None:
    """How a real game of each ends."""
    page = player_page(browser, stack)
    for game, play in endings.GAMES.items():
        reel = Reel()
        play(page, stack.address, reel.seen)
        endings.after(page, reel.seen)
        reel.save(f"ending-{game}")


def side_by_side(names: tuple[str, ...]) -> None:
    """The phone pictures in one file."""
    parts = [pygame.image.load(IMAGES / f"phone-{name}.png") for name in names]
    sheet = pygame.Surface((len(parts) * 376 - 16, 740))
    sheet.fill((200, 200, 200))
    for i, part in enumerate(parts):
        sheet.blit(part, (i * 376, 0))
        (IMAGES / f"phone-{names[i]}.png").unlink()
    pygame.image.save(sheet, IMAGES / "phone.png")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        stack = start_stack(Path(folder), empty=True)
        browser = playwright.chromium.launch(
            executable_path=services.chromium_path(), args=["--no-sandbox", *loop.WEBGL]
        )
        try:
            asked = sys.argv[1:]
            for name, make in {"first": first, "endings": ending, "kitchen": kitchen}.items():
                if asked in ([], [name]):
                    make(browser, stack)
            if asked:
                (IMAGES / "phone-kitchen.png").unlink(missing_ok=True)
                return
            stack.manage("episodes", "simulate", "--count", "12", "--agents",
                         "hanabi/learner-1,hanabi/grounded-bot", "--annotators", "simulated")  # fmt: skip
            player(browser, stack)
            others(browser, stack)
        finally:
            browser.close()
            stack.stop()
    side_by_side(ON_A_PHONE)


if __name__ == "__main__":
    main()
