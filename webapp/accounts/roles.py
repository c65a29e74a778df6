"""Who may open what: decorators for views."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse


def role_required(*names: str) -> Callable:
    """Signed-in people who have at least one of the roles `names`; others get 403 (or the sign-in page)."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        @login_required
        def wrapper(request: HttpRequest, *args, **kwargs) -> HttpResponse:
            if not request.user.roles & set(names):
                raise PermissionDenied(f"This page is for the role {' or '.join(names)}.")
            return view(request, *args, **kwargs)

        return wrapper

    return decorate
