"""Arena in a window of its own: drawn from above with pygame, over the same socket as the browser's.

The window shows what snapshots tell and nothing else. The mouse aims, W A S D walk by the compass. Not for
the line to the match (line.py) nor for how the ground is drawn (engine.games.arena.picture).
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pygame

from engine.client.line import Line
from engine.games.arena import options as settings
from engine.games.arena import state as s
from engine.games.arena.angles import bearing
from engine.games.arena.picture import picture
from engine.games.arena.protocol import FROM_ABOVE, Snapshot
from engine.simulation.rng import key_from_seed

SIZE = 720  # pixels
FRAMES = 30  # a second
MATE = 2
HELP = "WASD walk · Shift run · mouse aim, fire · R reload · F pick up · E door, help · H treat · T instruct"
WALKS = {pygame.K_w: (0, -1), pygame.K_s: (0, 1), pygame.K_a: (-1, 0), pygame.K_d: (1, 0)}
ONCE = {  # keys that count once: (field of an input, value)
    pygame.K_SPACE: ("body", s.B_JUMP),
    pygame.K_c: ("body", s.B_CROUCH),
    pygame.K_z: ("body", s.B_PRONE),
    pygame.K_r: ("basic", s.RELOADING),
    pygame.K_f: ("basic", s.PICK),
    pygame.K_g: ("basic", s.DROP),
    pygame.K_1: ("switch", 0),
    pygame.K_2: ("switch", 1),
}


def record_of(snapshot: Snapshot, options: dict[str, Any]) -> np.ndarray:
    """A state record (STATE_SIZE,) that holds what a snapshot tells and nothing else, for drawing."""
    state = np.zeros(s.STATE_SIZE, s.STATE_DTYPE)
    complete = settings.validate(options)
    settings.prepare(state, complete, *key_from_seed(0))
    state[s.TICK], state[s.OVER] = snapshot.tick, snapshot.flags & 1
    state[s.LEFT], state[s.WINNER] = snapshot.teams_left, -1
    zone = snapshot.zone
    state[s.STAGE], state[s.SHRINKING], state[s.PHASE_LEFT] = zone.stage, zone.shrinking, zone.left
    state[s.BLUE_X : s.BLUE_R + 1] = zone.blue_x, zone.blue_y, zone.blue_r
    state[s.WHITE_X : s.WHITE_R + 1] = zone.white_x, zone.white_y, zone.white_r
    for door in range(s.DOORS):
        state[s.DOOR + door] = (snapshot.doors >> door) & 1
    for seat in range(int(state[s.SEATS])):
        state[s.player(seat) + s.TEAM] = seat // complete["team_size"]
    for player in snapshot.players:
        at, seat, look = s.player(int(player["seat"])), int(player["seat"]), int(player["look"])
        state[at + s.X], state[at + s.Y], state[at + s.Z] = player["x"], player["y"], player["z"]
        state[at + s.YAW], state[at + s.LIFE], state[at + s.STANCE] = player["yaw"], look & 3, look >> 2 & 7
        state[at + s.WEAPON], state[at + s.HP] = player["weapon"], min(100, int(player["hp"]))
        if snapshot.seat != FROM_ABOVE and not player["flags"] & MATE:
            for bits in (s.SIGHT, s.SEES):
                state[s.player(snapshot.seat) + bits + seat // 10] |= 1 << seat % 10
    if snapshot.seat != FROM_ABOVE:
        at = s.player(snapshot.seat)
        kept = state[at + s.SIGHT : at + s.SEES_2 + 1].copy()
        state[at : at + len(snapshot.own)] = snapshot.own
        state[at + s.SIGHT : at + s.SEES_2 + 1] = kept
    for player in snapshot.monsters:
        mp = s.MONSTER + s.MONSTER_SIZE * int(player["number"])
        state[mp + s.M_X], state[mp + s.M_Y], state[mp + s.M_Z] = player["x"], player["y"], player["z"]
        state[mp + s.M_HP] = player["hp"]
    for player in snapshot.supplies:
        sp = s.SUPPLY + 4 * int(player["number"])
        state[sp : sp + 4] = player["kind"], player["amount"], player["x"], player["y"]
    return state


@dataclass
class Hands:
    """What keys and mouse ask for; `once` holds presses until they have been sent."""

    yaw: int = 0
    held: set[int] = field(default_factory=set)
    firing: bool = False
    once: dict[str, int] = field(default_factory=dict)

    def key(self, key: int, down: bool) -> None:
        """A key goes down or up."""
        if not down:
            self.held.discard(key)
            return
        self.held.add(key)
        if key in ONCE:
            name, value = ONCE[key]
            self.once[name] = value

    def aim(self, at: tuple[int, int], size: int) -> None:
        """Look from the middle of the window, where the player is, to the mouse."""
        self.yaw = bearing(at[0] - size // 2, at[1] - size // 2)

    def take(self, helping: bool) -> dict[str, int]:
        """The next input's fields; `helping`: a member of the squad who is down is in reach, so E helps them
        up.
        """
        east = sum(WALKS[key][0] for key in self.held if key in WALKS)
        south = sum(WALKS[key][1] for key in self.held if key in WALKS)
        fields = {"yaw": self.yaw, "body": s.B_STOP}
        if east or south:
            way = bearing(east, south)
            fields["move"] = ((way - self.yaw + 2048) >> 12) & 15
            running = self.held & {pygame.K_LSHIFT, pygame.K_RSHIFT}
            fields["body"] = s.B_RUN if running else s.B_NONE
        if pygame.K_e in self.held:
            fields["body"] = s.B_RESCUE if helping else s.B_DOOR
        if self.firing:
            fields["basic"] = s.FIRE
        elif pygame.K_h in self.held:
            fields["basic"] = s.TREATING
        fields |= self.once
        self.once = {}
        return fields


class Window:
    """The window: draws the newest snapshot, gathers input, types instructions."""

    def __init__(self, size: int = SIZE) -> None:
        pygame.display.init()  # no sound is played, and a machine may have none
        pygame.font.init()
        self.size = size
        self.screen = pygame.display.set_mode((size, size + 48))
        pygame.display.set_caption("Coplay Arena")
        self.font = pygame.font.Font(None, 22)
        self.hands = Hands()
        self.snapshot: Snapshot | None = None
        self.typed: str | None = None  # while an instruction is typed
        self.told = HELP
        self.asked: str | None = None  # the instruction whose reading waits for a yes
        self.question = ""
        self.agreed: list[str] = []  # those that got one
        self.open = True
        self.draw({})  # while the match is being joined

    def hear(self, frame: dict[str, Any], seat: int | None) -> None:
        """The answer to one's own instruction; an uncertain reading is obeyed only after it is confirmed."""
        if frame["seat"] != seat:
            return
        asks = frame["status"] == "read"
        self.asked = frame["id"] if asks else None
        self.told = f"I'm not sure: do you mean “{frame['sentence']}” Y: yes" if asks else frame["sentence"]
        self.question = self.told

    def note(self, text: str) -> None:
        """A notice, before the question that waits: Y would agree to what nobody sees any more."""
        self.told = text if self.asked is None else f"{text} {self.question}"

    def events(self) -> list[str]:
        """Handle what happened; returns instructions that were finished."""
        typed = []
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.open = False
            elif event.type == pygame.KEYDOWN and self.typed is not None:
                typed += self._type(event)
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
                self.open = False
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_t:
                self.typed = ""
                self.hands.held.clear()
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_y and self.asked:
                self.agreed.append(self.asked)
                self.asked = None
            elif event.type in (pygame.KEYDOWN, pygame.KEYUP):
                self.hands.key(event.key, event.type == pygame.KEYDOWN)
            elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button == 1:
                self.hands.firing = event.type == pygame.MOUSEBUTTONDOWN
            elif event.type == pygame.MOUSEMOTION:
                self.hands.aim(event.pos, self.size)
        return typed

    def _type(self, event: pygame.event.Event) -> list[str]:
        text, self.typed = self.typed or "", None
        if event.key == pygame.K_RETURN:
            return [text] if text.strip() else []
        if event.key != pygame.K_ESCAPE:
            self.typed = text[:-1] if event.key == pygame.K_BACKSPACE else (text + event.unicode)[:200]
        return []

    def helping(self) -> bool:
        """Whether a member of the squad who is down lies within reach."""
        if self.snapshot is None:
            return False
        me = self.snapshot.own
        return any(
            player["flags"] & MATE
            and player["look"] & 3 == s.DOWNED
            and abs(int(player["x"]) - int(me[s.X])) < 384
            and abs(int(player["y"]) - int(me[s.Y])) < 384
            for player in self.snapshot.players
        )

    def draw(self, options: dict[str, Any]) -> None:
        """The newest snapshot, and a line of text below."""
        self.screen.fill((24, 26, 28))
        if self.snapshot is not None:
            seat = None if self.snapshot.seat == FROM_ABOVE else self.snapshot.seat
            drawn = picture(record_of(self.snapshot, options), seat, self.size)
            ground = self.screen.subsurface((0, 0, self.size, self.size))
            pygame.surfarray.blit_array(ground, drawn.swapaxes(0, 1))
        line = self.told if self.typed is None else f"> {self.typed}_"
        text = self.font.render(line, True, (240, 236, 226))
        self.screen.blit(text, (12, self.size + 16))
        pygame.display.flip()


async def run(line: Line, window: Window) -> None:
    """Play until the match ends or the window is closed."""

    async def listen() -> None:
        sent = -1
        async for frame in line:
            if isinstance(frame, Snapshot):
                window.snapshot = frame
                if frame.tick != sent and line.joined.get("role") == "player":
                    sent = frame.tick
                    await line.act(seen=frame.tick, **window.hands.take(window.helping()))
            elif frame["type"] == "instruction":
                window.hear(frame, line.joined.get("seat"))
            elif frame["type"] in ("notice", "error"):
                window.note(str(frame.get("text", "")))
            elif frame["type"] == "end":
                window.told = f"The match is over: {frame.get('score')} of 100. Esc closes."

    listening = asyncio.create_task(listen())
    while window.open:
        for text in window.events():
            await line.say("instruct", id=str(uuid.uuid4()), text=text, target=None)
        while window.agreed:
            await line.say("confirm_reading", id=window.agreed.pop(0))
        if line.joined:
            window.draw({**line.joined["options"], "map_seed": line.joined["map"]["seed"]})
        await asyncio.sleep(1 / FRAMES)
    listening.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await listening
    pygame.quit()
