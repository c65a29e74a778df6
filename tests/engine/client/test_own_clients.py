"""The desktop client's picture, hands and window; the example bot's length. Both play in tests/browser."""

from __future__ import annotations

import os

import numpy as np
import pygame
import pytest

from engine.client.desktop import HELP, Hands, Window, record_of
from engine.client.line import Site
from engine.games.arena import protocol
from engine.games.arena import state as s
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from tests.browser.stack import ROOT

SQUADS = {"teams": 2, "team_size": 2, "pace": "short", "map_seed": 4}


def test_a_record_for_drawing_holds_what_the_snapshot_told() -> None:
    sim = Simulation("arena", SQUADS, seed=3)
    for _ in range(30):
        sim.step([sim.resolve(seat, [0, 1, 1, s.B_RUN, s.PICK, s.KEEP]) for seat in range(4)])
    frame = protocol.pack_snapshot(sim.state, sim.world, 1, protocol.new_seen(), protocol.new_buffer())
    snapshot = protocol.unpack_snapshot(bytes(frame))
    drawn = record_of(snapshot, SQUADS)
    for seat in (0, 1):  # one's own squad
        at = s.player(seat)
        assert np.array_equal(drawn[at : at + 3], sim.state[at : at + 3])
    assert drawn[s.BLUE_R] == sim.state[s.BLUE_R]
    for seat in (2, 3):
        hidden = not s.in_sight(sim.state, 1, seat)
        assert bool(drawn[s.player(seat) + s.LIFE] == s.OUT) == hidden


def test_hands_walk_by_the_compass_and_press_once() -> None:
    import pygame

    hands = Hands()
    hands.aim((500, 360), 720)  # to the east
    hands.key(pygame.K_w, True)
    hands.key(pygame.K_r, True)
    first = hands.take(helping=False)
    assert (first["yaw"], first["move"], first["body"], first["basic"]) == (16384, 12, s.B_NONE, s.RELOADING)
    assert "basic" not in hands.take(helping=False)
    hands.key(pygame.K_w, False)
    hands.key(pygame.K_e, True)
    assert hands.take(helping=True)["body"] == s.B_RESCUE
    assert hands.take(helping=False)["body"] == s.B_DOOR


def test_a_guess_waits_in_the_window_for_y(monkeypatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window(64)
    assert pygame.mixer.get_init() is None, "a machine without sound would complain"
    assert pygame.surfarray.array3d(window.screen)[:, 64:].max() > 200, "it says at once which keys there are"
    told = {"type": "instruction", "id": "a", "seat": 0, "status": "read", "sentence": "I wait here."}
    window.hear({**told, "seat": 1}, 0)
    assert (window.told, window.asked) == (HELP, None)
    yes = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_y)
    pygame.event.post(yes)
    window.events()
    assert window.agreed == [], "nothing was asked"
    window.hear(told, 0)
    window.note("Bo is late.")
    assert "Bo is late." in window.told and "do you mean “I wait here.”" in window.told, "it stays"
    pygame.event.post(yes)
    window.events()
    assert (window.agreed, window.asked) == (["a"], None)
    window.hear({**told, "status": "confirmed"}, 0)
    assert (window.told, window.asked) == ("I wait here.", None)
    window.note("Bo is late.")
    assert window.told == "Bo is late."
    pygame.display.quit()  # not all of pygame: pictures in this process keep their fonts


@pytest.mark.parametrize(
    ("address", "sentence"),
    [("nowhere", "looks like"), ("http://127.0.0.1:9", "can't be reached")],
)
def test_a_wrong_address_gets_a_sentence(address: str, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        Site(address).open("/")


def test_the_bot_is_no_longer_than_it_says() -> None:
    lines = (ROOT / "engine/client/example_bot.py").read_text().split('__name__ == "__main__"')[0]
    body = lines[lines.index("async def play") :].strip().splitlines()
    assert len([line for line in body if line.strip()]) <= 30
    assert os.path.exists(ROOT / "docs/protocol.md")
