"""Five balls with their numbers: + and - for who sees them, a ring round the one said, "picked" below one."""

from __future__ import annotations

import os

import numpy as np

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from . import rules

BACKGROUND, INK, RING = (24, 32, 40), (236, 240, 241), (255, 176, 59)
# Unknown, +1, -1 (found at -1).
COLORS = ((58, 72, 84), (46, 160, 87), (150, 60, 58))


def picture(state: np.ndarray, seat: int | None = None, width: int = 640) -> np.ndarray:
    """The balls as a seat sees them (None: open): uint8 (height, width, 3)."""
    pygame.font.init()
    step = width // rules.BALLS
    surface = pygame.Surface((width, step * 3 // 2))
    surface.fill(BACKGROUND)
    font = pygame.font.Font(None, max(8, step // 3))
    for ball in range(rules.BALLS):
        value = 0 if seat == rules.BOB else int(state[rules.VALUE + ball])
        center = (step * ball + step // 2, step // 2)
        pygame.draw.circle(surface, COLORS[value], center, step * 2 // 5)
        if int(state[rules.SAID]) == ball + 1:
            pygame.draw.circle(surface, RING, center, step * 9 // 20, max(1, step // 24))
        below = "picked" if int(state[rules.PICKED]) == ball + 1 else ""
        for text, at in (
            (f"{ball + 1}{('', ' +', ' -')[value]}", center),
            (below, (center[0], step * 5 // 4)),
        ):
            drawn = font.render(text, True, INK)
            surface.blit(drawn, drawn.get_rect(center=at))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).transpose(1, 0, 2))
