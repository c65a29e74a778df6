"""What browsers send, taken only if it is sound: one reader of JSON bodies, one of whole numbers, and the
middleware that answers each Refusal and takes out what no text can hold.

Not for what a body means (each view checks its own fields), forms (Django's), files and commands
(engine.checked_json), nor for marks, of which a bad one must not take the others with it (annotation.marks).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeGuard

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.request import UnreadablePostError
from django.utils.deprecation import MiddlewareMixin

from engine import checked_json
from engine.refusal import Refusal
from webapp.common import errors

MOST_BYTES = 256 << 10
DEEPEST = 16  # lists and objects in one another
LARGEST = 2**31 - 1  # what a column of whole numbers holds


class RefusedRequest(Refusal):
    """A Refusal with another status than 400. Caught by the middleware, which answers with that status."""

    def __init__(self, sentence: str = "", status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


# --- Whole numbers -----------------------------------------------------------------------------------------


def is_whole(value: object, low: int = 0, high: int = LARGEST) -> TypeGuard[int]:
    """Whether a value of JSON is a whole number from `low` to `high`; true and 2.0 are none."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def whole(value: object, low: int = 0, high: int = LARGEST) -> int | None:
    """The whole number from `low` to `high` that a text or a value of JSON is; None for anything else. A text
    has the digits 0 to 9 alone: no sign, no other script's digits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    return value if is_whole(value, low, high) else None


# --- JSON --------------------------------------------------------------------------------------------------


def json_object(request: HttpRequest, most: int = MOST_BYTES) -> dict[str, Any]:
    """The object that a body of JSON is. Raises Refusal."""
    return _checked_object(_body(request, most))


def json_items(request: HttpRequest, name: str, most: int = MOST_BYTES) -> tuple[dict[str, Any], list[Any]]:
    """The same, with the items of its list `name` apart and unchecked: what is wrong with one of them
    (`problem_of`) is not wrong with the others. Raises Refusal for what is wrong with the whole body.
    """
    body = _body(request, most)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        data = _checked_object(body)  # says what is wrong
    if not isinstance(data, dict) or not isinstance(data.get(name), list):
        raise Refusal(f"The body must be an object with a list of {name}.")
    items = data.pop(name)
    if problem := problem_of(data):
        raise Refusal(f"The body has {problem}.")
    return data, items


def problem_of(value: Any) -> str:
    """What an item has that can't be taken, in a few words; "" if there is nothing."""
    return checked_json.problem_of(value, DEEPEST)


def _checked_object(body: bytes) -> dict[str, Any]:
    return checked_json.parse_object(body, "The body", DEEPEST)


def _body(request: HttpRequest, most: int) -> bytes:
    if request.content_type != "application/json":
        raise Refusal(f"Send JSON, as application/json; this came as {request.content_type[:60]!r}.")
    try:
        body = request.body
    except RequestDataTooBig:
        raise _too_long(most) from None
    except UnreadablePostError:
        raise Refusal("The body broke off before its end; send it again.") from None
    if len(body) > most:
        raise _too_long(most)
    return body


def _too_long(most: int) -> RefusedRequest:
    return RefusedRequest(f"The body may have {most >> 10} KiB; this one is longer.", 413)


# --- Middleware --------------------------------------------------------------------------------------------


class SoundInput(MiddlewareMixin):
    """No view sees a character of number 0, which no database keeps in every text and nobody types: addresses
    with one lead nowhere, queries and forms lose theirs. A Refusal that a view doesn't catch is answered
    here: JSON for scripts, a page for people.
    """

    def process_view(
        self, request: HttpRequest, view: Callable, args: tuple, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        if "\0" in request.path_info:
            raise Http404("No address has such a character.")
        request.GET = _without_nul(request.GET)
        request.POST = _without_nul(request.POST)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refusal):
            return None
        status = error.status if isinstance(error, RefusedRequest) else 400
        if "text/html" in request.headers.get("Accept", "") and request.content_type != "application/json":
            return errors.bad_request(request, error)
        return JsonResponse({"error": str(error)}, status=status)


def _without_nul(query: QueryDict) -> QueryDict:
    if not any("\0" in text for name, values in query.lists() for text in (name, *values)):
        return query
    clean = QueryDict(mutable=True)
    for name, values in query.lists():
        for value in values:
            clean.appendlist(name.replace("\0", ""), value.replace("\0", ""))
    clean._mutable = False
    return clean
