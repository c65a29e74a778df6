"""The widgets of long forms, written by functions: by Django's templates a hundred fields take longer than
all else on a page. The HTML is the same. Not for whole forms: templates lay out their fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

FOLDER = "django/forms/widgets"
INPUTS = {f"{FOLDER}/{kind}.html" for kind in ("input", "text", "number", "date", "checkbox", "hidden")}


class Written(DjangoTemplates):
    """For a form's `default_renderer`. Whatever is no plain input or list goes by its template."""

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> str:
        if template_name in INPUTS:
            return _input(context["widget"])
        if template_name == f"{FOLDER}/select.html" and not any(
            group for group, *_ in context["widget"]["optgroups"]
        ):
            return _select(context["widget"])
        return super().render(template_name, context, request)


def _input(widget: dict[str, Any]) -> SafeString:
    value = "" if widget["value"] is None else f' value="{escape(widget["value"])}"'
    start = f'<input type="{escape(widget["type"])}" name="{escape(widget["name"])}"{value}'
    return mark_safe(f"{start}{_attributes(widget['attrs'])}>")


def _select(widget: dict[str, Any]) -> SafeString:
    options = "\n".join(
        f'  <option value="{escape(option["value"])}"{_attributes(option["attrs"])}>'
        f"{escape(option['label'])}</option>"
        for _, group, _ in widget["optgroups"]
        for option in group
    )
    start = f'<select name="{escape(widget["name"])}"{_attributes(widget["attrs"])}>'
    return mark_safe(f"{start}\n{options}\n</select>")


def _attributes(given: Mapping[str, Any]) -> str:
    return "".join(
        f" {name}" if value is True else f' {name}="{escape(value)}"'
        for name, value in given.items()
        if value is not False
    )
