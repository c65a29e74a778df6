"""A picture of a game that draws none itself: its view as lines of text. Not for games with a picture."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

BACKGROUND, INK = (24, 32, 40), (236, 240, 241)
MOST = 60  # characters of a line


def lines(title: str, view: dict[str, Any], width: int = 640) -> np.ndarray:
    """uint8 (height, width, 3): the title, and each entry of the view as "name: value"."""
    texts = [title, *(f"{name.replace('_', ' ')}: {_shown(value)}" for name, value in view.items())]
    pygame.font.init()
    font = pygame.font.Font(None, max(8, width // 24))
    step = font.get_linesize()
    surface = pygame.Surface((width, step * (len(texts) + 1)))
    surface.fill(BACKGROUND)
    for row, line in enumerate(texts):
        surface.blit(font.render(line[:MOST], True, INK), (step // 2, step // 2 + row * step))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).transpose(1, 0, 2))


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
