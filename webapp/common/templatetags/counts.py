"""`{% load counts %}{{ number|counted }}`: numbers that were counted no further than pages.COUNTED."""

from __future__ import annotations

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma

from webapp.common.pages import COUNTED

register = template.Library()


@register.filter
def counted(number: int) -> str:
    """ "1,000", or "more than 1,000"."""
    return f"{'more than ' if number > COUNTED else ''}{intcomma(min(number, COUNTED))}"
