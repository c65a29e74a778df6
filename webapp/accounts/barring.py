"""Closing an account at once, by an admin, and opening it again. With it go sessions, sockets (match hosts
check who may still play), links that the person could use or has handed out, and, by a signal, whatever other
apps hold for this person. A guest is also recognised by the browser.
"""

from __future__ import annotations

from django.db import transaction
from django.dispatch import Signal
from django.template.defaultfilters import pluralize
from django.utils import timezone

from webapp.accounts import audit, invitations, links
from webapp.accounts.models import User

barred = Signal()
"""`user`: whose work is handed back."""
holds = Signal()
"""`user`: receivers answer with sentences about what would be handed back or end."""


def consequences(user: User) -> list[str]:
    """The consequences of closing this person's account, in sentences."""
    open_links = invitations.open_invitations().filter(created_by=user).count()
    sentences = [f"{open_links} invitation{pluralize(open_links)} of theirs would open nothing any more."]
    return [
        *sentences[: bool(open_links)],
        *(text for _, texts in holds.send(User, user=user) for text in texts),
    ]


@transaction.atomic
def bar(user: User, by: User) -> None:
    """Nothing that was open for this person is, from the next request on; what they made stays."""
    user.is_active, user.barred_at = False, timezone.now()
    # Sessions of before the bar stay closed after it.
    user.session_epoch += 1
    user.save(update_fields=["is_active", "barred_at", "session_epoch"])
    links.withdraw_links(user)
    invitations.open_invitations().filter(created_by=user).update(uses_left=0)
    barred.send(User, user=user)
    audit.record(by, "account closed by an admin", person=user.pseudonym)


def let_in_again(user: User, by: User) -> None:
    user.is_active, user.barred_at = True, None
    user.save(update_fields=["is_active", "barred_at"])
    audit.record(by, "account opened again", person=user.pseudonym)
