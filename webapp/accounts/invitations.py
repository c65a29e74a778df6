"""Invitations: made by an admin, remembered in the session by their number, used up by a sign-up."""

from __future__ import annotations

from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from webapp.accounts import audit
from webapp.accounts.models import Invitation, User, hash_of

SESSION_KEY = "invitation_number"


def open_invitations():
    return Invitation.objects.filter(uses_left__gt=0, expires_at__gt=timezone.now())


def of_session(request: HttpRequest) -> Invitation | None:
    """The open invitation with which this browser came, if any."""
    return open_invitations().filter(pk=request.session.get(SESSION_KEY)).first()


def of_token(token: str) -> Invitation | None:
    return open_invitations().filter(token_hash=hash_of(token)).first()


def use(invitation: Invitation, user: User) -> bool:
    """Give `user` the roles of the invitation and count one use; False when others used it up meanwhile."""
    if not open_invitations().filter(pk=invitation.pk).update(uses_left=F("uses_left") - 1):
        return False
    user.set_roles(set(user.roles) | set(invitation.roles))
    audit.record(user, "invitation used", invitation=invitation.pk, roles=sorted(invitation.roles))
    return True
