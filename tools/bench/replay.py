"""How long a person waits in a replay: from moving the mouse to the painted state, from a key to the painted
mark, from posting a mark to its acknowledgement. Measured in Chromium, with real input, against a server of
its own on an empty database in a temporary folder.

Not for: load from many people. Needs Playwright and an installed Chromium.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from pathlib import Path

import numpy as np

from engine.refusal import Refusal
from webapp.config.serving import web_command

ROOT = Path(__file__).resolve().parent.parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync")

# Scenes are drawn by the processor where there is no graphics card: slow, so measured only when asked for.
SCENE_FLAGS = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
SAVED = "#save-state[data-state=saved]"
# Every input is timed from when the browser received it to after the frame that shows its effect.
WATCH = """(kind) => {
  window.waits = [];
  document.addEventListener(kind, (event) => {
    const start = event.timeStamp;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.waits.push(performance.now() - start);
      channel.port2.postMessage(0);
    });
  }, { capture: true });
}"""
ACKS = """() => performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/replays/marks/"))
  .map((e) => e.duration)"""


def bench_replay(
    marks: int = 500,
    seeks: int = 300,
    presses: int = 60,
    seed: int = 0,
    game: str = "hanabi",
    options: dict | None = None,
    agents: str = "champion",
    camera: str = "map",
) -> dict:
    """Latencies in milliseconds (p50, p95, max) with this many marks on the strip of an episode of a game.
    `agents` play it; `camera` is that of games which have several. Raises Refusal.
    """
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        raise Refusal("No Chromium is on the path; install one to measure in it.")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Refusal("Playwright is not installed; install the test extra.") from None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        env = {k: v for k, v in os.environ.items() if not k.startswith("COPLAY_")}
        port = free_port()
        env |= {
            "COPLAY_VAR": folder,
            "COPLAY_SITE_URL": f"http://127.0.0.1:{port}",
            "COPLAY_LOG_LEVEL": "ERROR",
        }
        manage(env, "migrate", "--verbosity", "0")
        arguments = ("--game", game, "--options", json.dumps(options or {}), "--seed", str(seed))
        arguments += ("--agents", agents)
        made = json.loads(manage(env, "episodes", "simulate", "--count", "1", *arguments, "--json"))
        link = manage(env, "signin", "admin").split()[-1]
        server = subprocess.Popen(web_command(port, "--log-level", "error"), cwd=ROOT, env=env)
        try:
            wait_for(env["COPLAY_SITE_URL"])
            flags = FLAGS if camera == "map" else [f for f in (*FLAGS, *SCENE_FLAGS) if f != "--disable-gpu"]
            chromium = playwright.chromium.launch(executable_path=browser, args=list(flags))
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            page.set_default_timeout(120_000)
            page.add_init_script(f"localStorage.setItem('coplay-{game}-camera', '{camera}')")
            page.goto(link)
            page.get_by_role("button", name="Sign in").click()
            return measure(page, env["COPLAY_SITE_URL"], made["episodes"][0], marks, seeks, presses)
        finally:
            server.terminate()
            server.wait()


def measure(page, site: str, episode: str, marks: int, seeks: int, presses: int) -> dict:
    """Open the replay, put the marks on it, then time seeks and marks."""
    rng = random.Random(0)
    address = f"{site}/replays/{episode}/"
    page.goto(address)
    page.wait_for_selector("body[data-whole]")
    data = page.evaluate("JSON.parse(document.getElementById('replay-data').textContent)")
    last = int(page.text_content("#tick-last"))
    places = [(seat, tick) for seat in range(2) for tick in range(1, last + 1)]
    rows = [
        {
            "id": str(uuid.UUID(int=rng.getrandbits(128), version=4)),
            "episode": episode,
            "seat": seat,
        }
        | {"tick": tick, "sign": rng.choice([1, -1]), "revision": 1}
        for seat, tick in rng.sample(places, min(marks, len(places)))  # one mark has each place
    ]
    for first in range(0, len(rows), 100):
        post(page, data, rows[first : first + 100])
    page.goto(address)
    page.wait_for_selector("body[data-whole]")
    whole = page.evaluate("performance.now()")
    first_state = page.evaluate("performance.getEntriesByName('first-state')[0].startTime")
    shown = page.locator(".strip-mark").count()
    box = page.locator(".strip-thumbs").bounding_box()
    seek = time_seeks(page, box, last, seeks, rng)
    press, ack = time_marks(page, presses)
    return {
        "game": data["game"],
        "ticks": last,
        "marks": shown,
        "seek_to_painted_ms": summary(seek),
        "key_to_painted_mark_ms": summary(press),
        "server_ack_ms": summary(ack),
        "first_state_ms": round(first_state, 1),
        "every_tick_there_ms": round(whole, 1),
        "browser": page.context.browser.version,
    }


def post(page, data: dict, rows: list[dict]) -> None:
    """Post marks as the page does."""
    token = next(c["value"] for c in page.context.cookies() if c["name"] == "csrftoken")
    address = page.url.split("/replays/")[0] + data["urls"]["marks"]
    headers = {"X-CSRFToken": token, "Content-Type": "application/json", "Referer": page.url}
    answer = page.request.post(address, data={"person": data["person"], "marks": rows}, headers=headers)
    results = answer.json()["results"]
    if any(result["status"] != "saved" for result in results):
        raise Refusal(f"The server did not save the marks: {results[0]}")


def time_seeks(page, box: dict, last: int, seeks: int, rng: random.Random) -> list[float]:
    """Move the mouse over random ticks; milliseconds from each move to the painted state."""
    page.evaluate(WATCH, "pointermove")
    for _ in range(seeks):
        tick = rng.randint(0, last)
        x = box["x"] + (tick + 0.5) * box["width"] / (last + 1)
        page.mouse.move(x, box["y"] + box["height"] / 2)
        shown = int(page.get_attribute("#stage", "data-tick"))
        if shown != tick:
            raise Refusal(f"The mouse pointed at tick {tick}, the page shows {shown}.")
    page.wait_for_timeout(100)
    return page.evaluate("window.waits")


def time_marks(page, presses: int) -> tuple[list[float], list[float]]:
    """Press the key for progress at one tick after another; milliseconds to the painted mark, and to the
    answer."""
    page.mouse.move(5, 5)
    page.keyboard.press("Home")
    page.evaluate("performance.clearResourceTimings()")
    painted: list[float] = []
    page.evaluate(WATCH, "keydown")
    for _ in range(presses):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(SAVED)
        page.evaluate("window.waits = []")
        page.keyboard.press("ArrowUp")
        while not (waits := page.evaluate("window.waits")):
            page.wait_for_timeout(5)
        painted.append(waits[0])
    page.wait_for_selector(SAVED)
    return painted, page.evaluate(ACKS)


def summary(values: list[float]) -> dict:
    p50, p95 = np.percentile(values, [50, 95])
    return {
        "p50": round(float(p50), 1),
        "p95": round(float(p95), 1),
        "max": round(max(values), 1),
        "n": len(values),
    }


def manage(env: dict, *arguments: str) -> str:
    """Standard output of a manage.py command on the temporary data."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode:
        raise Refusal(f"manage.py {arguments[0]} failed: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout.strip()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(site: str, seconds: float = 60) -> None:
    """Until the server answers; Refusal if it doesn't."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{site}/accounts/login/", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise Refusal("The server did not start.")
