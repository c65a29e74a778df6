"""`{% load titles %}{{ name|game_title }}`: what games, and the layouts in them, are called."""

from __future__ import annotations

from django import template

from engine import games
from engine.games.pages import pages

register = template.Library()


@register.filter
def game_title(name: str) -> str:
    """The title of a game; the name itself of one that isn't here any more."""
    return games.spec(name).title if name in games.names() else str(name).capitalize()


@register.filter
def layout_title(game: str, layout: str) -> str:
    """What a game calls one of its layouts: `{{ game|layout_title:layout }}`; "" for none."""
    return pages(game).layout_label(layout) if layout else ""
