"""A kitchen drawn with pygame, off screen: for `render()`, thumbnails, clips and the desktop client.

Each cook has a colour, a number and a hat of its own, so colour is never the only sign; a pot shows its
ingredients, how far it is and when it is done. Needs no display and no window. Not for the browser.
"""

from __future__ import annotations

import os
from functools import lru_cache
from math import cos, pi, sin
from typing import Any

import numpy as np

from engine.games.overcooked import view

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

CELL = 96  # drawn at this size, then scaled to the width that is asked for
BAR = 56  # the line above the kitchen
BACKGROUND, INK, FAINT = (44, 33, 24), (255, 253, 248), (196, 180, 160)
FLOORS = (239, 230, 214), (229, 217, 196)
TOP, TOP_LIGHT, SIDE = (185, 141, 95), (205, 164, 118), (138, 98, 60)
METAL, METAL_LIGHT, METAL_DARK, INSIDE = (142, 151, 157), (195, 203, 208), (90, 99, 105), (35, 40, 44)
WINDOW, WINDOW_LIGHT, WINDOW_DARK = (18, 117, 111), (244, 239, 228), (10, 74, 70)
ONION, ONION_DARK = (240, 207, 124), (154, 106, 23)
TOMATO, TOMATO_DARK, LEAF = (214, 64, 43), (133, 32, 15), (61, 139, 70)
PLATE, PLATE_LINE = (255, 255, 255), (139, 152, 165)
SOUPS = (224, 168, 58), (201, 70, 44)  # of onions, of tomatoes
READY, TIME, LINE = (26, 127, 67), (255, 157, 46), (44, 33, 24)
SKIN, HAT = (243, 201, 162), (255, 255, 255)
COOKS = (31, 111, 181), (217, 130, 0), (15, 138, 102), (176, 80, 140)
LOOKS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
Point = tuple[float, float]


@lru_cache(maxsize=8)
def _font(size: int) -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(None, size)


def _text(surface: pygame.Surface, text: str, at: Point, size: int, color=INK, align: str = "center") -> None:
    drawn = _font(size).render(text, True, color)
    surface.blit(drawn, drawn.get_rect(**{align: (round(at[0]), round(at[1]))}))


def _disc(surface: pygame.Surface, color, at: Point, radius: float, line=LINE, thick: int = 3) -> None:
    pygame.draw.circle(surface, line, at, radius)
    pygame.draw.circle(surface, color, at, radius - thick)


def picture(state: np.ndarray, seat: int | None = None, width: int = 640) -> np.ndarray:
    """The kitchen, with a ring around the cook of `seat`: uint8 (height, width, 3); the height follows."""
    seen = view.view(state, seat)
    surface = pygame.Surface((CELL * seen["width"], CELL * seen["height"] + BAR))
    surface.fill(BACKGROUND)
    _draw_bar(surface, seen)
    kitchen = surface.subsurface((0, BAR, CELL * seen["width"], CELL * seen["height"]))
    for y, row in enumerate(seen["grid"]):
        for x, letter in enumerate(row):
            _draw_cell(kitchen, letter, x, y, y + 1 < seen["height"] and seen["grid"][y + 1][x] == " ")
    for pot in seen["pots"]:
        _draw_pot(kitchen, pot)
    for counter in seen["counters"]:
        _draw_thing(kitchen, counter["held"], _middle(counter), CELL * 0.3)
    for who, cook in sorted(enumerate(seen["cooks"]), key=lambda pair: pair[1]["y"]):
        _draw_cook(kitchen, who, cook, who == seat)
    size = width, max(1, round(surface.get_height() * width / surface.get_width()))
    return np.ascontiguousarray(
        pygame.surfarray.array3d(pygame.transform.smoothscale(surface, size)).swapaxes(0, 1)
    )


def _middle(thing: dict[str, Any]) -> Point:
    return (thing["x"] + 0.5) * CELL, (thing["y"] + 0.5) * CELL


def _draw_bar(surface: pygame.Surface, seen: dict[str, Any]) -> None:
    """Points, ticks left and what is ordered."""
    wide = surface.get_width()
    points = f"{seen['score']} point{'s' * (seen['score'] != 1)}"
    _text(surface, points, (16, BAR / 2), 40, INK, "midleft")
    left = "over" if seen["over"] else f"{seen['horizon'] - seen['tick']} left"
    _text(surface, left, (wide - 16, BAR / 2), 40, TIME if seen["over"] else FAINT, "midright")
    orders = sorted(seen["orders"], key=lambda order: -order["value"])
    room = max(0, int((wide - 360) // 64))
    for place, order in enumerate(orders[:room]):
        at = wide / 2 + (place - (min(room, len(orders)) - 1) / 2) * 64, BAR / 2
        _draw_thing(surface, {"kind": "soup", **order}, at, 25)
        if order["bonus"]:
            _text(surface, "x2", (at[0] + 22, at[1] + 16), 24, TIME)


def _draw_cell(surface: pygame.Surface, letter: str, x: int, y: int, front: bool) -> None:
    """Floor, or a counter with what stands on it; `front` where its front side shows."""
    box = pygame.Rect(x * CELL, y * CELL, CELL, CELL)
    middle = box.centerx, box.centery
    if letter == " ":
        pygame.draw.rect(surface, FLOORS[(x + y) % 2], box)
        return
    pygame.draw.rect(surface, TOP, box)
    pygame.draw.rect(surface, TOP_LIGHT, box.inflate(-6, -6), border_radius=8)
    if front:
        pygame.draw.rect(surface, SIDE, (box.left, box.bottom - 12, CELL, 12))
    if letter in "OT":
        crate = box.inflate(-18, -22)
        pygame.draw.rect(surface, SIDE, crate, border_radius=8)
        pygame.draw.rect(surface, LINE, crate, width=3, border_radius=8)
        kind = "onion" if letter == "O" else "tomato"
        for dx, dy in ((-18, 10), (18, 10), (0, -12)):
            _draw_thing(surface, {"kind": kind}, (middle[0] + dx, middle[1] + dy), 19)
    elif letter == "D":
        for height in (12, 4, -4):
            pygame.draw.ellipse(surface, PLATE_LINE, (box.left + 14, middle[1] - 24 + height, CELL - 28, 48))
            pygame.draw.ellipse(surface, PLATE, (box.left + 17, middle[1] - 22 + height, CELL - 34, 42))
        pygame.draw.ellipse(surface, PLATE_LINE, (box.left + 30, middle[1] - 15, CELL - 60, 24), width=2)
    elif letter == "S":
        pygame.draw.rect(surface, WINDOW, box.inflate(-8, -8), border_radius=8)
        pygame.draw.rect(surface, WINDOW_DARK, box.inflate(-8, -8), width=4, border_radius=8)
        # A bell, as on a pass.
        pygame.draw.circle(
            surface, WINDOW_LIGHT, (middle[0], middle[1] + 10), 24, draw_top_left=True, draw_top_right=True
        )
        pygame.draw.rect(surface, WINDOW_LIGHT, (middle[0] - 30, middle[1] + 13, 60, 8), border_radius=4)
        pygame.draw.circle(surface, WINDOW_LIGHT, (middle[0], middle[1] - 18), 6)


def _draw_thing(surface: pygame.Surface, thing: dict[str, Any] | None, at: Point, size: float) -> None:
    """An ingredient, a dish or a soup in its dish; `size` is its radius."""
    if thing is None:
        return
    x, y = at
    if thing["kind"] == "onion":
        _disc(surface, ONION, (x, y + size * 0.12), size * 0.8, ONION_DARK)
        pygame.draw.polygon(
            surface,
            ONION_DARK,
            [(x - size * 0.22, y - size * 0.5), (x + size * 0.22, y - size * 0.5), (x, y - size)],
        )
        for curve in (0.18, 0.42):
            bow = pygame.Rect(0, 0, size * 2 * curve, size * 1.2)
            bow.center = round(x), round(y + size * 0.12)
            pygame.draw.ellipse(surface, ONION_DARK, bow, width=2)
    elif thing["kind"] == "tomato":
        _disc(surface, TOMATO, (x, y + size * 0.08), size * 0.82, TOMATO_DARK)
        pygame.draw.polygon(surface, LEAF, _star((x, y - size * 0.55), size * 0.45, 5))
    else:
        _disc(surface, PLATE, at, size, PLATE_LINE)
        pygame.draw.circle(surface, PLATE_LINE, at, size * 0.68, width=2)
        if thing["kind"] == "soup":
            _draw_soup(surface, thing, at, size * 0.72)


def _draw_soup(surface: pygame.Surface, soup: dict[str, Any], at: Point, size: float) -> None:
    """A round of soup with its ingredients in it."""
    _disc(surface, SOUPS[soup["tomatoes"] > soup["onions"]], at, size, LINE, 2)
    kinds = ["onion"] * soup["onions"] + ["tomato"] * soup["tomatoes"]
    for place, kind in enumerate(kinds):
        turn = 2 * pi * place / len(kinds) - pi / 2
        away = size * 0.48 if len(kinds) > 1 else 0
        _draw_thing(
            surface, {"kind": kind}, (at[0] + away * cos(turn), at[1] + away * sin(turn)), size * 0.42
        )


def _star(at: Point, size: float, points: int) -> list[Point]:
    return [
        (
            at[0] + (size if corner % 2 == 0 else size * 0.42) * sin(pi * corner / points),
            at[1] - (size if corner % 2 == 0 else size * 0.42) * cos(pi * corner / points),
        )
        for corner in range(2 * points)
    ]


def _draw_pot(surface: pygame.Surface, pot: dict[str, Any]) -> None:
    """A pot on its hob: three places to fill, a ring that closes while it cooks, a mark when it is done."""
    x, y = _middle(pot)
    pygame.draw.rect(
        surface, INSIDE, (x - CELL / 2 + 5, y - CELL / 2 + 5, CELL - 10, CELL - 10), border_radius=10
    )
    for side in (-1, 1):
        pygame.draw.rect(surface, METAL_DARK, (x + side * 38 - 7, y - 8, 14, 16), border_radius=5)
    _disc(surface, METAL, (x, y), 37, METAL_DARK, 4)
    _disc(surface, INSIDE, (x, y), 30, METAL_LIGHT, 3)
    inside = {"kind": "soup", "onions": pot["onions"], "tomatoes": pot["tomatoes"]}
    if pot["state"] in ("cooking", "ready"):
        _draw_soup(surface, inside, (x, y), 27)
    else:
        kinds = ["onion"] * pot["onions"] + ["tomato"] * pot["tomatoes"]
        for place in range(3):
            turn = 2 * pi * place / 3 - pi / 2
            at = x + 14 * cos(turn), y + 14 * sin(turn)
            if place < len(kinds):
                _draw_thing(surface, {"kind": kinds[place]}, at, 12)
            elif kinds:
                pygame.draw.circle(surface, METAL_DARK, at, 8, width=2)
    if pot["state"] == "cooking":
        done = 1 - pot["left"] / pot["time"]
        _draw_ring(surface, (x, y), 40, done)
        _draw_tag(surface, str(pot["left"]), (x + 30, y - 30), TIME, LINE)
    elif pot["state"] == "ready":
        pygame.draw.circle(surface, READY, (x, y), 41, width=6)
        _draw_tag(surface, "", (x + 30, y - 30), READY, INK)
        pygame.draw.lines(surface, INK, False, [(x + 21, y - 30), (x + 28, y - 23), (x + 39, y - 37)], 5)


def _draw_ring(surface: pygame.Surface, at: Point, radius: int, done: float) -> None:
    box = pygame.Rect(0, 0, 2 * radius, 2 * radius)
    box.center = round(at[0]), round(at[1])
    pygame.draw.circle(surface, METAL_DARK, at, radius, width=6)
    if done > 0:
        pygame.draw.arc(surface, TIME, box, pi / 2 - 2 * pi * done, pi / 2, 6)


def _draw_tag(surface: pygame.Surface, text: str, at: Point, color, ink) -> None:
    _disc(surface, color, at, 18, LINE, 2)
    _text(surface, text, (at[0], at[1] + 1), 30, ink)


def _draw_cook(surface: pygame.Surface, who: int, cook: dict[str, Any], mine: bool) -> None:
    """A cook from above: the hat, the hands at the side where it looks, what it holds, its number."""
    x, y = _middle(cook)
    dx, dy = LOOKS[cook["facing"]]
    if mine:
        pygame.draw.circle(surface, INK, (x, y), 46, width=4)
    pygame.draw.ellipse(surface, FLOORS[1], (x - 36, y - 20, 72, 60))
    for side in (-1, 1):
        hand = x + dx * 28 + dy * 20 * side, y + dy * 28 + dx * 20 * side
        _disc(surface, SKIN, hand, 11, LINE, 2)
    _disc(surface, COOKS[who], (x, y), 36, LINE, 3)
    # The face looks out from under the hat.
    _disc(surface, SKIN, (x + dx * 12, y + dy * 12), 21, LINE, 2)
    for side in (-1, 1):
        eye = x + dx * 25 + dy * 8 * side, y + dy * 25 + dx * 8 * side
        pygame.draw.circle(surface, LINE, eye, 4)
    _draw_hat(surface, who, (x - dx * 7, y - dy * 7))
    if cook["held"]:
        _draw_thing(surface, cook["held"], (x + dx * 37, y + dy * 37), 21)


def _draw_hat(surface: pygame.Surface, who: int, at: Point) -> None:
    """A hat with the number of the cook; round, square, star, triangle."""
    if who == 0:
        _disc(surface, HAT, at, 21, LINE, 3)
    else:
        shape = (_corners(at, 27, 4, pi / 4), _star(at, 30, 6), _corners(at, 26, 3, 0))[who - 1]
        pygame.draw.polygon(surface, HAT, shape)
        pygame.draw.polygon(surface, LINE, shape, width=3)
    pygame.draw.circle(surface, COOKS[who], at, 14)
    _text(surface, str(who + 1), (at[0], at[1] + 1), 28, INK)


def _corners(at: Point, size: float, corners: int, turn: float) -> list[Point]:
    angles = [turn + 2 * pi * corner / corners for corner in range(corners)]
    return [(at[0] + size * sin(angle), at[1] - size * cos(angle)) for angle in angles]
