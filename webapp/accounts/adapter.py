"""How allauth signs people up here: only with an open invitation, whose roles they get."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest

from webapp.accounts import invitations
from webapp.accounts.models import User


class InvitationAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return invitations.of_session(request) is not None

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form, commit: bool = True) -> User:
        invitation = invitations.of_session(request)
        user = super().save_user(request, user, form, commit)
        if invitation is None or not invitations.use(invitation, user):
            raise PermissionDenied("This invitation has just been used up. Ask for another one.")
        del request.session[invitations.SESSION_KEY]
        return user
