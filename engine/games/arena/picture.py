"""A match drawn from above with pygame, off screen: for `render()`, thumbnails, clips and the desktop client.

Every team has a colour and a shape of its own and every player a number, so colour is never the only sign.
Of a seat's picture the ground around it is drawn, its mates, and of the others those alone that it could see.
Needs no display and no window. Not for the browser (static/js/games/arena/replay.js draws the same there).
"""

from __future__ import annotations

import os
from functools import lru_cache
from math import cos, pi, sin

import numpy as np

from engine.games.arena import state as s
from engine.games.arena import world as w
from engine.games.arena.options import map_seed
from engine.games.arena.teams import team_name
from engine.games.arena.zone import WHOLE

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

CELL = 6  # pixels of a cell in the picture of the ground that is kept
AROUND = 28  # metres to each side of a seat
SUPPLIES_SEEN, MONSTERS_SEEN = 25, 40  # metres within which a seat is shown them
TRACER_TICKS = 3
GRASS, DRY = np.array((116, 142, 92)), np.array((164, 158, 112))  # low ground and high ground
COLORS = {
    w.WATER: (88, 138, 172),
    w.BUSH: (66, 104, 62),
    w.COVER: (150, 126, 98),
    w.WALL: (92, 84, 80),
    w.ROCK: (124, 122, 120),
    w.FLOOR: (190, 172, 142),
}
DOOR_CLOSED, DOOR_OPEN = (120, 72, 36), (222, 200, 160)
INK, PAPER, SHADE = (24, 28, 32), (250, 248, 242), (12, 16, 20)
BLUE_ZONE, WHITE_ZONE, DANGER = (30, 92, 200), (255, 255, 255), (88, 40, 110)
HURT, MONSTER_COLOR, TRACER = (200, 40, 30), (122, 30, 60), (255, 236, 150)
# Told apart by people who don't see all colours (Okabe and Ito), and by the shape of every four teams.
TEAM_COLORS = (
    (0, 114, 178),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (213, 94, 0),
    (86, 180, 233),
    (240, 228, 66),
)
CORNERS = (0, 4, 3, 5)  # of a team's shape; 0: round
# By kind: pistol, submachine gun, rifle, shotgun, sniper rifle, ammunition, medical kit, vest.
SUPPLY_LETTERS = " PSRGNAMV"
WEAPON_NAMES = "no weapon", "pistol", "submachine gun", "rifle", "shotgun", "sniper rifle"
Point = tuple[float, float]


@lru_cache(maxsize=8)
def _font(size: int) -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(None, size)


def _text(
    surface: pygame.Surface, text: str, at: Point, size: int, color=PAPER, align: str = "center"
) -> None:
    drawn = _font(size).render(text, True, color)
    surface.blit(drawn, drawn.get_rect(**{align: (round(at[0]), round(at[1]))}))


def ground(row: np.ndarray) -> np.ndarray:
    """The colours of a map's cells, lit from the north-west: uint8 (SIDE, SIDE, 3), by y and x."""
    tops = row[w.TOPS : s.CELLS].reshape(s.SIDE, s.SIDE).astype(float)
    kinds = row[w.KINDS : w.KINDS + s.CELLS].reshape(s.SIDE, s.SIDE)
    high = np.clip(tops / 60, 0, 1)[..., None]
    colors = GRASS * (1 - high) + DRY * high
    for kind, color in COLORS.items():
        colors[kinds == kind] = color
    colors[kinds >= w.DOOR_CELL] = COLORS[w.FLOOR]
    slope = np.zeros_like(tops)
    slope[1:, 1:] = (tops[1:, 1:] - tops[:-1, 1:]) + (tops[1:, 1:] - tops[1:, :-1])
    light = 1 + np.clip(slope, -8, 8) * 0.028
    light[kinds == w.WATER] = 1
    return np.clip(colors * light[..., None], 0, 255).astype(np.uint8)


@lru_cache(maxsize=8)
def _ground(seed: int) -> pygame.Surface:
    """The picture of a map without anything that moves."""
    cells = ground(w.make_map(seed))
    large = np.repeat(np.repeat(cells, CELL, axis=0), CELL, axis=1)
    return pygame.surfarray.make_surface(large.swapaxes(0, 1))


class _Drawing:
    """A picture while it is made: a square of the map (metres `left`, `top`, `side`) on a surface."""

    def __init__(self, state: np.ndarray, seat: int | None, width: int) -> None:
        self.state = state
        self.seat = seat
        self.eyes = seat
        self.seats = int(state[s.SEATS])
        self.left, self.top, self.side = 0.0, 0.0, float(s.SIDE)
        if seat is not None:
            self.eyes = self.watching(seat)
            x, y = self.metres(s.player(self.eyes))
            self.side = 2.0 * AROUND
            self.left = min(max(x - AROUND, 0), s.SIDE - self.side)
            self.top = min(max(y - AROUND, 0), s.SIDE - self.side)
        self.surface = pygame.Surface((width, width))
        self.scale = width / self.side  # pixels a metre
        self.size = max(3.0, min(width / 40, 0.9 * self.scale if seat is not None else 1.6 * self.scale))

    def watching(self, seat: int) -> int:
        """The seat itself, or once it is out a mate who isn't."""
        if int(self.state[s.player(seat) + s.LIFE]) != s.OUT:
            return seat
        team, size = seat // int(self.state[s.TEAM_SIZE]), int(self.state[s.TEAM_SIZE])
        mates = range(team * size, team * size + size)
        return next((mate for mate in mates if int(self.state[s.player(mate) + s.LIFE]) != s.OUT), seat)

    def metres(self, at: int) -> Point:
        """Where a record with x and y first lies."""
        return int(self.state[at]) / s.UNIT, int(self.state[at + 1]) / s.UNIT

    def place(self, at: Point) -> Point:
        return (at[0] - self.left) * self.scale, (at[1] - self.top) * self.scale

    def near(self, at: int, reach: float) -> bool:
        """Whether a record's place is within `reach` metres of whose picture this is; all is, from above."""
        if self.eyes is None:
            return True
        x, y = self.metres(at)
        px, py = self.metres(s.player(self.eyes))
        return (x - px) ** 2 + (y - py) ** 2 <= reach**2

    def shown(self, other: int) -> bool:
        """Whether a player who is not out stands in this picture."""
        if self.eyes is None or int(self.state[s.player(other) + s.TEAM]) == self.team:
            return True
        return bool(s.in_sight(self.state, self.eyes, other))

    @property
    def team(self) -> int:
        return int(self.state[s.player(self.eyes or 0) + s.TEAM])

    # --- From the ground up ------------------------------------------------------------------------------

    def draw(self) -> None:
        box = pygame.Rect(*(round(edge * CELL) for edge in (self.left, self.top, self.side, self.side)))
        piece = _ground(map_seed(self.state)).subsurface(box)
        scaling = pygame.transform.scale if self.scale > CELL else pygame.transform.smoothscale
        self.surface.blit(scaling(piece, self.surface.get_size()), (0, 0))
        self.doors()
        self.circles()
        for supply in range(s.SUPPLIES):
            self.supply(s.SUPPLY + 4 * supply)
        self.tracers()
        for monster in range(int(self.state[s.MONSTER_COUNT])):
            self.monster(s.MONSTER + s.MONSTER_SIZE * monster)
        if self.seat is not None:
            self.view()
            self.remembered()
        for seat in range(self.seats):
            if int(self.state[s.player(seat) + s.LIFE]) != s.OUT and self.shown(seat):
                self.player(seat)
        self.facts()

    def doors(self) -> None:
        row = w.make_map(map_seed(self.state))
        for door in range(int(row[w.DOOR_COUNT])):
            spot = w.DOOR_SPOTS + 2 * door
            x, y = self.place((int(row[spot]), int(row[spot + 1])))
            side = self.scale
            if int(self.state[s.DOOR + door]):
                pygame.draw.rect(self.surface, DOOR_OPEN, (x, y, side, side), width=max(1, round(side / 5)))
            else:
                pygame.draw.rect(self.surface, DOOR_CLOSED, (x, y, side + 0.5, side + 0.5))

    def circles(self) -> None:
        """What lies outside of blue is dark; white is where it will be safe."""
        state = self.state
        middle, radius = self.place(self.metres(s.BLUE_X)), int(state[s.BLUE_R]) / s.UNIT * self.scale
        veil = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        veil.fill((*DANGER, 90))
        pygame.draw.circle(veil, (0, 0, 0, 0), middle, radius)
        self.surface.blit(veil, (0, 0))
        thick = max(2, round(self.surface.get_width() / 240))
        pygame.draw.circle(self.surface, BLUE_ZONE, middle, radius, width=thick)
        white = int(state[s.WHITE_R]) / s.UNIT * self.scale
        if white > 0:
            pygame.draw.circle(
                self.surface, WHITE_ZONE, self.place(self.metres(s.WHITE_X)), white, width=thick
            )

    def supply(self, at: int) -> None:
        kind = int(self.state[at])
        if kind == 0 or not self.near(at + 2, SUPPLIES_SEEN):
            return
        x, y = self.place(self.metres(at + 2))
        half = max(2.0, self.size * 0.55)
        box = pygame.Rect(0, 0, round(2 * half), round(2 * half))
        box.center = round(x), round(y)
        pygame.draw.rect(self.surface, PAPER, box)
        pygame.draw.rect(self.surface, INK, box, width=1)
        if half >= 6:
            _text(self.surface, SUPPLY_LETTERS[kind], (x, y), round(half * 2.2), INK)

    def monster(self, at: int) -> None:
        if int(self.state[at + s.M_HP]) <= 0 or not self.near(at, MONSTERS_SEEN):
            return
        x, y = self.place(self.metres(at))
        points = []
        for corner in range(10):
            away, turn = self.size * (1 if corner % 2 else 0.55), pi * corner / 5
            points.append((x + away * sin(turn), y - away * cos(turn)))
        pygame.draw.polygon(self.surface, MONSTER_COLOR, points)
        pygame.draw.polygon(self.surface, INK, points, width=1)

    def tracers(self) -> None:
        """The ways of the last shots of those who are shown."""
        state = self.state
        tick, count = int(state[s.TICK]), int(state[s.EVENT_COUNT])
        for back in range(1, min(count, s.EVENTS) + 1):
            at = s.EVENT + s.EVENT_SIZE * ((count - back) % s.EVENTS)
            if int(state[at + s.E_TICK]) < tick - TRACER_TICKS:
                break
            seat = int(state[at + s.E_SEAT])
            if int(state[at + s.E_KIND]) != s.SHOT or seat < 0 or not self.shown(seat):
                continue
            begin = self.place(self.metres(s.player(seat)))
            end = self.place(self.metres(at + s.E_X))
            pygame.draw.line(self.surface, TRACER, begin, end, max(1, round(self.size / 5)))
            pygame.draw.circle(self.surface, PAPER, end, max(1.5, self.size / 4))

    def view(self) -> None:
        """Where whose picture this is looks."""
        at = s.player(self.eyes or 0)
        if int(self.state[at + s.LIFE]) == s.OUT:
            return
        yaw = int(self.state[at + s.YAW]) * 2 * pi / 65536
        middle = self.place(self.metres(at))
        far = 2 * self.surface.get_width()
        half = 55 * pi / 180
        cone = [middle] + [
            (middle[0] + far * sin(yaw + turn * half / 4), middle[1] - far * cos(yaw + turn * half / 4))
            for turn in range(-4, 5)
        ]
        veil = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        veil.fill((*SHADE, 70))
        pygame.draw.polygon(veil, (0, 0, 0, 0), cone)
        self.surface.blit(veil, (0, 0))

    def remembered(self) -> None:
        """Where the team last saw enemies who are out of sight now."""
        tick = int(self.state[s.TICK])
        for other in range(self.seats):
            entry = s.MEMORY + 3 * (s.MAX_SEATS * self.team + other)
            ago = tick - int(self.state[entry])
            if int(self.state[s.player(other) + s.LIFE]) == s.OUT or self.shown(other) or ago >= 1200:
                continue
            x, y = self.place(self.metres(entry + 1))
            pygame.draw.circle(self.surface, INK, (x, y), self.size * 0.7, width=1)
            _text(self.surface, "?", (x, y), max(12, round(self.size * 1.4)), INK)

    def player(self, seat: int) -> None:
        """A player: shape and colour of the team, the number, the way it looks, its health below."""
        state, at, size = self.state, s.player(seat), self.size
        team = int(state[at + s.TEAM])
        color, corners = TEAM_COLORS[team % len(TEAM_COLORS)], CORNERS[team % len(CORNERS)]
        downed = int(state[at + s.LIFE]) == s.DOWNED
        low = int(state[at + s.STANCE]) in (s.CROUCH, s.PRONE, s.DOWN)
        x, y = self.place(self.metres(at))
        yaw = int(state[at + s.YAW]) * 2 * pi / 65536
        look = x + sin(yaw) * size * 1.8, y - cos(yaw) * size * 1.8
        if seat == self.eyes:
            pygame.draw.circle(self.surface, PAPER, (x, y), size * 1.7, width=max(1, round(size / 5)))
        pygame.draw.line(self.surface, INK, (x, y), look, max(2, round(size / 2.5)))
        pygame.draw.line(self.surface, PAPER, (x, y), look, max(1, round(size / 5)))
        body = size * (0.8 if low else 1)
        if corners == 0:
            pygame.draw.circle(self.surface, INK, (x, y), body + 1)
            pygame.draw.circle(self.surface, color, (x, y), body)
        else:
            first = pi / 4 if corners == 4 else 0
            turns = [first + 2 * pi * corner / corners for corner in range(corners)]
            points = [(x + body * 1.2 * sin(turn), y - body * 1.2 * cos(turn)) for turn in turns]
            pygame.draw.polygon(self.surface, color, points)
            pygame.draw.polygon(self.surface, INK, points, width=1)
        if size >= 6:
            ink = INK if sum(color) > 380 else PAPER
            _text(self.surface, str(seat + 1), (x, y), round(size * 1.5), ink)
        if downed:
            for sign in (-1, 1):
                begin, end = (x - size, y - sign * size), (x + size, y + sign * size)
                pygame.draw.line(self.surface, HURT, begin, end, max(2, round(size / 4)))
        health = max(0, min(100, int(state[at + s.HP]))) / 100
        bar = pygame.Rect(round(x - size), round(y + size * 1.35), round(2 * size), max(2, round(size / 3)))
        pygame.draw.rect(self.surface, INK, bar)
        bar.width = round(bar.width * health)
        pygame.draw.rect(self.surface, HURT if downed or health < 0.35 else PAPER, bar)

    def facts(self) -> None:
        """Time, who is left, the stage; of a seat also what it holds."""
        state, width = self.state, self.surface.get_width()
        high = max(14, width // 22)
        strip = pygame.Surface((width, high), pygame.SRCALPHA)
        strip.fill((*SHADE, 170))
        self.surface.blit(strip, (0, 0))
        seconds = int(state[s.TICK]) // s.TICKS_PER_SECOND
        up = sum(int(state[s.player(seat) + s.LIFE]) == s.UP for seat in range(self.seats))
        size = round(high * 1.1)
        text = f"{seconds // 60}:{seconds % 60:02d}   teams {int(state[s.LEFT])}   players {up}"
        _text(self.surface, text, (high / 3, high / 2), size, PAPER, "midleft")
        _text(self.surface, standing(state), (width - high / 3, high / 2), size, PAPER, "midright")
        if self.seat is None or self.eyes is None:
            return
        at = s.player(self.eyes)
        weapon = int(state[at + s.WEAPON + int(state[at + s.SLOT])])
        loaded, ammo = int(state[at + s.MAGAZINE + int(state[at + s.SLOT])]), int(state[at + s.AMMO])
        health = max(0, int(state[at + s.HP]))
        line = f"player {self.eyes + 1}   health {health}   {WEAPON_NAMES[weapon]} {loaded} / {ammo}"
        if int(state[at + s.LIFE]) == s.OUT:
            line = f"player {self.eyes + 1} is out"
        self.surface.blit(strip, (0, width - high))
        _text(self.surface, line, (width / 2, width - high / 2), size)


def standing(state: np.ndarray) -> str:
    """Who has won, else what the zone does, as the page says it (static/js/games/arena/hud-state.js)."""
    if int(state[s.OVER]):
        winner = int(state[s.WINNER])
        return f"{team_name(winner)} wins" if winner >= 0 else "nobody is left"
    ticks = int(state[s.PHASE_LEFT])
    if int(state[s.SHRINKING]):
        return f"zone closing: {ticks // s.TICKS_PER_SECOND} s"
    if int(state[s.BLUE_R]) >= WHOLE:
        return "no zone"
    return f"zone closes in {ticks // s.TICKS_PER_SECOND} s" if ticks > 1 else "the zone has closed"


def picture(state: np.ndarray, seat: int | None = None, width: int = 640) -> np.ndarray:
    """The whole map, or the ground around `seat` with what it could see: uint8 (width, width, 3)."""
    drawing = _Drawing(state, seat, width)
    drawing.draw()
    return np.ascontiguousarray(pygame.surfarray.array3d(drawing.surface).swapaxes(0, 1))
