"""The lake drawn with pygame: dark holes, flags for the goals, the players with their numbers."""

from __future__ import annotations

import os

import numpy as np

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from . import view

CELL = 80  # drawn at this size, then scaled to the width that is asked for
FRAME, LINE, ICE = (28, 44, 60), (160, 190, 210), (222, 238, 247)
UNKNOWN, HOLE, HOLE_EDGE = (128, 146, 160), (18, 40, 66), (70, 110, 150)
POLE, FLAG = (60, 70, 80), (26, 127, 67)
PLAYERS = (31, 111, 181), (200, 92, 0)
ROUND = 0.5, 0.28  # of a player's side: a circle and a rounded square, as at the table
WHITE, INK = (255, 255, 255), (28, 44, 60)


def picture(state: np.ndarray, seat: int | None = None, width: int = 640) -> np.ndarray:
    """The lake as a seat sees it (None: all of it), its player with a dark ring: uint8 (height, width, 3)."""
    pygame.font.init()
    seen = view.view(state, seat)
    size = seen["size"]
    surface = pygame.Surface((CELL * size, CELL * size))
    surface.fill(FRAME)
    for y in range(size):
        for x in range(size):
            ground = UNKNOWN if seen["holes"] is None else ICE
            pygame.draw.rect(surface, ground, (x * CELL + 1, y * CELL + 1, CELL - 2, CELL - 2))
    for x, y in seen["holes"] or ():
        box = pygame.Rect(x * CELL + 8, y * CELL + 14, CELL - 16, CELL - 28)
        pygame.draw.ellipse(surface, HOLE, box)
        pygame.draw.ellipse(surface, HOLE_EDGE, box, 4)
    for x, y in seen["targets"] or ():
        _flag(surface, x * CELL, y * CELL)
    for who, player in enumerate(seen["players"]):
        fallen = [player["x"], player["y"]] in (seen["holes"] or ())
        _player(surface, who, player, who == seat, 15 if fallen else 27)
    scaled = pygame.transform.smoothscale(surface, (width, width))
    return np.ascontiguousarray(pygame.surfarray.array3d(scaled).transpose(1, 0, 2))


def _flag(surface: pygame.Surface, x: int, y: int) -> None:
    pygame.draw.rect(surface, FLAG, (x + 4, y + 4, CELL - 8, CELL - 8), 5)
    pygame.draw.line(surface, POLE, (x + 50, y + 8), (x + 50, y + 40), 4)
    pygame.draw.polygon(surface, FLAG, [(x + 51, y + 8), (x + 51, y + 28), (x + 72, y + 18)])


def _player(surface: pygame.Surface, who: int, player: dict[str, int], own: bool, radius: int) -> None:
    center = player["x"] * CELL + CELL // 2, player["y"] * CELL + CELL // 2
    for color, less in ((INK if own else WHITE, 0), (WHITE, 3), (PLAYERS[who], 5)):
        side = 2 * (radius - less)
        box = pygame.Rect(0, 0, side, side)
        box.center = center
        pygame.draw.rect(surface, color, box, border_radius=int(ROUND[who] * side))
    number = pygame.font.Font(None, radius * 3 // 2).render(str(who + 1), True, WHITE)
    surface.blit(number, number.get_rect(center=center))
