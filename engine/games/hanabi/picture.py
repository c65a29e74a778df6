"""A state of Hanabi drawn with pygame, off screen: for `render()`, thumbnails, clips and the desktop client.

Each colour also has its letter, so colour is never the only sign. Needs no display and no window.
"""

from __future__ import annotations

import os
from functools import lru_cache

import numpy as np

from engine.games.hanabi import rules, words
from engine.games.hanabi.options import COLOR_LETTERS
from engine.games.hanabi.view import discards

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

BASE_WIDTH = 640
BACKGROUND = (24, 32, 40)
INK = (236, 240, 241)
FAINT = (120, 134, 145)
MARK = (255, 176, 59)
BACK = (58, 72, 84)
CARD_COLORS = ((214, 69, 65), (229, 184, 36), (46, 160, 87), (226, 229, 232), (58, 123, 213))
CARD_W, CARD_H = 44, 60
ROW = CARD_H + 34


@lru_cache(maxsize=8)
def _font(size: int) -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(None, size)


def _text(surface: pygame.Surface, text: str, at: tuple[int, int], size: int = 20, color=INK) -> None:
    surface.blit(_font(size).render(text, True, color), at)


def _card(surface: pygame.Surface, at: tuple[int, int], card: int | None, hint: str = "", now=False) -> None:
    """One card; `card` None draws its back with what the holder was told on it."""
    box = pygame.Rect(*at, CARD_W, CARD_H)
    color, rank = divmod(card, rules.MAX_RANKS) if card is not None else (None, None)
    fill = BACK if color is None else CARD_COLORS[color]
    pygame.draw.rect(surface, fill, box, border_radius=6)
    if color is not None and rank is not None:
        ink = BACKGROUND if color in (1, 3) else INK
        _text(surface, f"{COLOR_LETTERS[color]}{rank + 1}", (at[0] + 9, at[1] + 10), 28, ink)
    if hint:
        pygame.draw.rect(surface, MARK, box, width=4 if now else 2, border_radius=6)
        _text(surface, hint, (at[0] + 9, at[1] + CARD_H - 20), 18, INK if color not in (1, 3) else BACKGROUND)


def picture(state: np.ndarray, seat: int | None = None, width: int = BASE_WIDTH) -> np.ndarray:
    """The table as a seat sees it (None: all hands open): uint8 (height, width, 3); the height follows the
    width.
    """
    players, colors = int(state[rules.PLAYERS]), int(state[rules.COLORS])
    height = 190 + players * ROW
    surface = pygame.Surface((BASE_WIDTH, height))
    surface.fill(BACKGROUND)
    status = (
        f"Score {int(state[rules.SCORE])}   Tokens {int(state[rules.INFORMATION])}/"
        f"{int(state[rules.INFORMATION_MAX])}   Lives {max(0, int(state[rules.LIVES]))}   "
        f"Deck {int(state[rules.DECK_SIZE]) - int(state[rules.DEALT])}   Turn {int(state[rules.TURN])}"
    )
    _text(surface, status, (16, 12), 24)
    for color in range(colors):
        top = int(state[rules.FIREWORKS + color])
        at = (16 + color * (CARD_W + 8), 42)
        if top:
            _card(surface, at, color * rules.MAX_RANKS + top - 1)
        else:
            pygame.draw.rect(surface, CARD_COLORS[color], (*at, CARD_W, CARD_H), width=2, border_radius=6)
            _text(surface, COLOR_LETTERS[color], (at[0] + 15, at[1] + 20), 26, FAINT)
    _draw_discards(surface, state, (300, 42))
    for holder in range(players):
        _draw_hand(surface, state, holder, holder == seat, 118 + holder * ROW)
    _text(surface, words.last_move_text(state, seat), (16, height - 60), 22)
    if int(state[rules.OVER]):
        score = int(state[rules.SCORE])
        _text(surface, f"The game is over: {score} point{'s' * (score != 1)}.", (16, height - 32), 24, MARK)
    if width != BASE_WIDTH:
        surface = pygame.transform.smoothscale(surface, (width, max(1, round(height * width / BASE_WIDTH))))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def _draw_discards(surface: pygame.Surface, state: np.ndarray, at: tuple[int, int]) -> None:
    _text(surface, "Discards", at, 18, FAINT)
    pile = discards(state)
    for color in range(int(state[rules.COLORS])):
        ranks = sorted(card % rules.MAX_RANKS + 1 for card in pile if card // rules.MAX_RANKS == color)
        if ranks:
            line = f"{COLOR_LETTERS[color]} {' '.join(map(str, ranks))}"
            place = (at[0] + color % 3 * 112, at[1] + 18 + color // 3 * 20)
            _text(surface, line, place, 18, CARD_COLORS[color])


def _draw_hand(surface: pygame.Surface, state: np.ndarray, holder: int, hidden: bool, top: int) -> None:
    to_move = not int(state[rules.OVER]) and int(state[rules.CURRENT]) == holder
    name = f"Player {holder + 1}" + ("  (to move)" if to_move else "")
    _text(surface, name, (16, top), 20, MARK if to_move else INK)
    for slot in range(int(state[rules.HAND_COUNTS + holder])):
        key = int(state[rules.HANDS + holder * rules.MAX_SLOTS + slot])
        color, rank = (
            int(state[rules.CARDS + key * rules.CARD_STRIDE + field])
            for field in (rules.COLOR_HINT, rules.RANK_HINT)
        )
        hint = (COLOR_LETTERS[color] if color >= 0 else "") + (str(rank + 1) if rank >= 0 else "")
        now = int(state[rules.LAST_TARGET]) == holder and bool(int(state[rules.LAST_TOUCHED]) >> slot & 1)
        card = None if hidden else int(state[rules.DECK + key])
        _card(surface, (16 + slot * (CARD_W + 8), top + 18), card, hint, now)
