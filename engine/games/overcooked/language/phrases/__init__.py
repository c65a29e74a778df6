"""Phrases that one word can't stand for, and words that mean something else beside certain others.

PHRASES: (pattern, replacement), applied in order to text that `manners` has shortened. A replacement is
made of words that `vocabulary` knows.
"""

from __future__ import annotations

from engine.games.overcooked.language.phrases.asking import ASKING
from engine.games.overcooked.language.phrases.banning import BANNING
from engine.games.overcooked.language.phrases.placing import PLACING
from engine.games.overcooked.language.phrases.plain import PLAIN
from engine.games.overcooked.language.phrases.serving import SERVING

PHRASES: list[tuple[str, str]] = [*BANNING, *ASKING, *SERVING, *PLACING, *PLAIN]
