"""`{{ when|moment }}`, in every template: a time that says its zone, and becomes the reader's own where
scripts run (static/js/lib/times.js).
"""

from __future__ import annotations

from datetime import UTC, datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html

register = template.Library()


@register.filter
def moment(when: datetime | None, form: str = "j M Y H:i") -> str:
    """A <time> that says the zone; nothing for no time."""
    if when is None:
        return ""
    universal = when.astimezone(UTC)
    text = date_format(universal, form)
    return format_html('<time datetime="{}" data-local>{} UTC</time>', universal.isoformat(), text)
