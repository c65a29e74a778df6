"""Error pages: a sentence, what to do next, and an id that is in the log."""

from __future__ import annotations

import logging
import secrets
import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.common import outages

logger = logging.getLogger(__name__)


def _page(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    error_id = secrets.token_hex(4)
    logger.warning("error page %s id=%s path=%s", status, error_id, request.path)
    context = {"status": status, "title": title, "text": text, "error_id": error_id}
    return render(request, "error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    text = str(exception) or "The address or form is malformed."
    return _page(request, 400, "That request made no sense", text)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403, "Not for your role", str(exception) or "Your roles don't allow this page.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404, "Nothing here", "There is no such page, or it isn't yours to see.")


def server_error(request: HttpRequest) -> HttpResponse:
    # Django calls this while it handles the error, of whichever middleware.
    if response := outages.answer(request, sys.exc_info()[1]):
        return response
    return _page(
        request, 500, "Something broke", "It was not your fault, and nothing that you saved is lost."
    )


def too_many_requests(request: HttpRequest, text: str = "") -> HttpResponse:
    """Called by allauth without a text when one of its own limits is exceeded."""
    return _page(request, 429, "Too many tries", text or "Wait a while and try again.")


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without the site's token: an old page, cookies switched off, or a foreign site."""
    text = "This page was too old, or cookies are off. Go back, reload the page, and send it again."
    return _page(request, 403, "That form was too old", text)
