"""`{% load titles %}{{ name|game_title }}`: what a game is called, by its name."""

from __future__ import annotations

from django import template

from engine import games

register = template.Library()


@register.filter
def game_title(name: str) -> str:
    """The title of a game; the name itself of one that isn't here any more."""
    return games.spec(name).title if name in games.names() else str(name).capitalize()
