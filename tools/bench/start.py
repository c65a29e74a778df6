"""How long a person waits for Coplay to start and for their moves to count, measured as a person would: with
`manage.py up` on an empty folder and Chromium at the table.

Not for: load from many people. Needs Playwright and an installed Chromium.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engine.refusal import Refusal
from engine.simulation.code_cache import CACHE_FOLDER
from tools.bench.replay import BROWSERS, FLAGS, ROOT, SCENE_FLAGS, free_port, summary

# In the page, before its own scripts: the time from a move that is sent to its acknowledgement.
WATCH_MOVES = """() => {
  window.moveWaits = [];
  const sent = new Map();
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const message = JSON.parse(text);
    if (message.type === "move") {
      sent.set(message.seq, performance.now());
      this.addEventListener("message", (event) => {
        const frame = JSON.parse(event.data);
        if (frame.type !== "ack" || !sent.has(frame.seq)) return;
        window.moveWaits.push(performance.now() - sent.get(frame.seq));
        sent.delete(frame.seq);
      });
    }
    send.call(this, text);
  };
}"""
MY_TURN = "() => document.title.startsWith('●') || !document.querySelector('[data-over-bar]').hidden"

SCENE_COSTS = """() => {
  const { cost, drawing, calls, triangles } = document.querySelector("[data-drawing]").dataset;
  return [cost, drawing, calls, triangles].map(Number);
}"""


def bench_start(moves: int = 20) -> dict:
    """Seconds of a first start (empty folder, nothing compiled) until it prints its links and until all games
    are compiled, of a second one, and from its command to the first move; milliseconds from a move to its
    durable acknowledgement. Raises Refusal.
    """
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        raise Refusal("No Chromium is on the path; install one to measure in it.")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Refusal("Playwright is not installed; install the test extra.") from None
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        began = time.monotonic()
        first, process, _ = start(folder)
        while [*(folder / "var").glob("compile-*")]:
            time.sleep(0.2)
        everything = time.monotonic() - began
        stop(process)
        chromium = playwright.chromium.launch(executable_path=browser, args=list(FLAGS))
        began = time.monotonic()
        second, process, link = start(folder)
        try:
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            page.add_init_script(f"({WATCH_MOVES})()")
            page.goto(link)
            page.get_by_role("button", name="Sign in").click()
            waits: list[float] = []
            until_first = 0.0
            while len(waits) < moves:
                page.goto(link.split("/accounts/")[0] + "/play/")
                page.get_by_role("button", name="Start the game").click()
                made, first_at = play_a_game(page, moves - len(waits))
                until_first = until_first or first_at - began
                waits += made
        finally:
            stop(process)
    return {
        "first_start_s": round(first, 1),
        "all_games_compiled_s": round(everything, 1),
        "second_start_s": round(second, 1),
        "second_start_to_first_move_s": round(until_first, 1),
        "move_to_ack_ms": summary(waits),
    }


def play_a_game(page, most: int) -> tuple[list[float], float]:
    """Hint while there are hints, else play, until the game is over or enough was measured."""
    first_at = 0.0
    for _ in range(most):
        page.wait_for_function(MY_TURN, timeout=60_000)
        if page.locator("[data-over-bar]").is_visible():
            break
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Space")
        if page.evaluate("window.moveWaits.length") == 0:
            page.wait_for_function("() => window.moveWaits.length > 0", timeout=30_000)
            first_at = time.monotonic()
        page.wait_for_timeout(250)
    return page.evaluate("window.moveWaits"), first_at


def bench_scene(seconds: float = 20.0) -> dict:
    """What a frame of a match of Arena with 20 players takes: script time in milliseconds (slow means, looked
    at twice a second) of bringing the scene to the snapshot, and of handing it to the graphics card, which
    here is software; draw calls and triangles. Raises Refusal.
    """
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        raise Refusal("No Chromium is on the path; install one to measure in it.")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Refusal("Playwright is not installed; install the test extra.") from None
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        _, process, link = start(folder, NUMBA_CACHE_DIR=str(CACHE_FOLDER))
        try:
            while [*(folder / "var").glob("compile-*")]:
                time.sleep(0.2)
            flags = [flag for flag in (*FLAGS, *SCENE_FLAGS) if flag != "--disable-gpu"]
            chromium = playwright.chromium.launch(executable_path=browser, args=flags)
            page = chromium.new_page(viewport={"width": 1280, "height": 720})
            page.goto(link)
            page.get_by_role("button", name="Sign in").click()
            page.goto(link.split("/accounts/")[0] + "/play/?game=arena")
            page.locator('input[value="Battle royale"]').check()
            page.get_by_role("button", name="Start the game").click()
            page.wait_for_selector("[data-drawing]", timeout=120_000)
            page.locator("[data-stage]").click()  # the match waits for the pointer
            page.wait_for_timeout(3000)  # the first frames compile shaders
            looks = []
            for _ in range(int(2 * seconds)):
                looks.append(page.evaluate(SCENE_COSTS))
                page.wait_for_timeout(500)
        finally:
            stop(process)
    names = ("update_ms", "drawing_ms", "calls", "triangles")
    return {"players": 20} | {
        name: summary(list(times)) for name, times in zip(names, zip(*looks, strict=True), strict=True)
    }


def start(folder: Path, seconds: float = 300, **more: str) -> tuple[float, subprocess.Popen, str]:
    """Run `manage.py up` until it has printed its links: how many seconds, the process, the player's link.
    `more` is added to its environment.
    """
    port = free_port()
    ours = ("COPLAY_", "NUMBA_CACHE_DIR")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    env |= {"COPLAY_VAR": str(folder / "var"), "COPLAY_PORT": str(port), "PYTHONUNBUFFERED": "1", **more}
    log = folder / "up.log"
    began = time.monotonic()
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"], cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT
        )
    while time.monotonic() - began < seconds:
        text = log.read_text()
        if "Ctrl-C stops everything" in text and (link := re.search(r"player\s+(http\S+)", text)):
            return time.monotonic() - began, process, link[1]
        if process.poll() is not None:
            raise Refusal(f"`./manage.py up` ended early: {text.strip().splitlines()[-1]}")
        time.sleep(0.05)
    process.kill()
    raise Refusal(f"`./manage.py up` was not ready after {seconds:g} s.")


def stop(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGINT)
    process.wait(30)
