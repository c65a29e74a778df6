"""What games bring to the pages besides Python, found by name: scripts and stylesheets. Each has a default.

Templates are found by Django itself: `games/<game>/<name>.html` before the general one.
"""

from __future__ import annotations

from django.contrib.staticfiles import finders
from django.templatetags.static import static


def replay_script(game: str, drawn: bool = True) -> str:
    """The address of the module that draws a game's replays and positions (static/js/replay-game.js); not
    `drawn`: of the one that shows pictures.
    """
    path = f"js/games/{game}/replay.js"
    return static(path if drawn and finders.find(path) else "js/general-replay.js")


def stylesheet(game: str, drawn: bool = True) -> str:
    """The address of the stylesheet of what that module draws."""
    path = f"css/{game}.css"
    return static(path if drawn and finders.find(path) else "css/general.css")


def ending_script(game: str) -> str:
    """The address of the module that draws how a game stood at its end (static/js/ending.js)."""
    path = f"js/games/{game}/ending.js"
    return static(path if finders.find(path) else "js/general-ending.js")
