"""What the machine can't do just now (a full disk, a database that is away), as an answer of 503 with a
sentence: JSON for scripts, whose outboxes send again, a page for people. Not for faults of ours, which stay
500s, nor for commands (webapp.common.commands).
"""

from __future__ import annotations

import errno
import logging

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
UNWRITABLE = {errno.EROFS, errno.EIO}
logger = logging.getLogger(__name__)


def sentence(error: BaseException) -> str:
    """What is wrong with the machine, for whoever wanted something kept; "" where it is no such error."""
    if isinstance(error, OSError) and error.errno in FULL or "is full" in str(error):
        return "The site's disk is full: nothing can be saved until its admin frees some."
    if isinstance(error, OSError) and error.errno in UNWRITABLE or "readonly" in str(error):
        return "The site's disk can't be written to: nothing can be saved until its admin repairs it."
    if isinstance(error, OperationalError | InterfaceError):
        return "The site's database is busy or away; try again in a moment."
    return ""


def answer(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """The answer of 503 to such an error, None to others. The database isn't asked, not even who asks."""
    reason = sentence(error) if isinstance(error, OSError | OperationalError | InterfaceError) else ""
    if not reason:
        return None
    logger.error("503 for %s", request.path, exc_info=error)
    if "json" in f"{request.content_type} {request.headers.get('Accept', '')}":
        return JsonResponse({"error": reason}, status=503)
    context = {"status": 503, "title": "Not just now", "text": reason}
    return HttpResponse(render_to_string("outage.html", context), status=503)


class SaidOutage(MiddlewareMixin):
    """For errors of pages; those of other middleware come to accounts.errors.server_error."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return answer(request, error)
