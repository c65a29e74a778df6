"""How allauth signs people up here: only with an open invitation, whose roles they get. Sign-ins and sign-ups
count against the limits when they fail.
"""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest

from webapp.accounts import invitations, limits
from webapp.accounts.forms import name_of
from webapp.accounts.models import User


class InvitationAdapter(DefaultAccountAdapter):
    def pre_authenticate(self, request: HttpRequest, **credentials) -> None:
        """Allauth's, which takes back what it counted when the password is right; with our sentence."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            key = self._get_login_attempts_cache_key(request, **credentials)
            raise ValidationError(limits.refusal(request, "login_failed", key)[0]) from None

    def get_client_ip(self, request: HttpRequest) -> str:
        return limits.unmapped(super().get_client_ip(request))

    def clean_username(self, username: str, shallow: bool = False) -> str:
        return name_of(super().clean_username(username, shallow))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        if request.method == "POST" and not hasattr(request, "signup_usage"):
            request.signup_usage = limits.consume(request, "signup_failed")
            if request.signup_usage is None:
                raise ImmediateHttpResponse(limits.refused(request, "signup_failed"))
        return invitations.of_session(request) is not None

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form, commit: bool = True) -> User:
        invitation = invitations.of_session(request)
        user = super().save_user(request, user, form, commit)
        if invitation is None or not invitations.use(invitation, user):
            raise PermissionDenied("This invitation has just been used up. Ask for another one.")
        del request.session[invitations.SESSION_KEY]
        request.signup_usage.rollback()
        return user
