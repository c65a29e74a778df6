"""Invitations: made by an admin, remembered in the session, used up by a sign-up."""

from __future__ import annotations

from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from webapp.accounts import audit
from webapp.accounts.models import Invitation, User

SESSION_KEY = "invitation"


def open_invitations():
    return Invitation.objects.filter(uses_left__gt=0, expires_at__gt=timezone.now())


def of_session(request: HttpRequest) -> Invitation | None:
    """The open invitation with which this browser came, if any."""
    token = request.session.get(SESSION_KEY)
    return open_invitations().filter(token=token).first() if token else None


def use(invitation: Invitation, user: User) -> bool:
    """Give `user` the roles of the invitation and count one use; False when others used it up meanwhile."""
    if not open_invitations().filter(pk=invitation.pk).update(uses_left=F("uses_left") - 1):
        return False
    user.set_roles(set(user.roles) | set(invitation.roles))
    audit.record(user, "invitation used", invitation=invitation.pk, roles=sorted(invitation.roles))
    return True
