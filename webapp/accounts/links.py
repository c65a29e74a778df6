"""One-time sign-in links. The button on their page uses them up, so that neither a mail scanner nor a preview
of the link does.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from webapp.accounts.models import SignInLink, User, hash_of

LIFETIME = timedelta(days=1)


def make_sign_in_link(user: User, lifetime: timedelta = LIFETIME) -> str:
    """The address that signs `user` in once, until `lifetime` has passed."""
    link = SignInLink.objects.create(user=user, expires_at=timezone.now() + lifetime)
    return settings.SITE_URL + reverse("accounts:sign_in_link", args=[link.token])


def person_of(token: str) -> User | None:
    """The person that the link signs in; None if the link is unknown, used or expired."""
    fresh = _fresh(token).select_related("user").first()
    return fresh.user if fresh else None


def use_sign_in_link(token: str) -> User | None:
    """The person of the link, used up by this call; None when it is unknown, used or expired.

    The conditional update lets only one of two simultaneous clicks through.
    """
    if not _fresh(token).update(used_at=timezone.now()):
        return None
    return User.objects.get(signinlink__token_hash=hash_of(token))


def _fresh(token: str) -> QuerySet[SignInLink]:
    open_until = {"used_at": None, "expires_at__gt": timezone.now(), "user__is_active": True}
    return SignInLink.objects.filter(token_hash=hash_of(token), **open_until)


def house_person(role: str) -> User:
    """The account named after the role, for the start-up links; made if missing."""
    user, made = User.objects.get_or_create(username=role, defaults={"first_name": role.capitalize()})
    if made:
        user.set_unusable_password()
        user.save()
        user.set_roles({role})
    return user


def withdraw_links(user: User) -> None:
    """Make the person's unused links useless."""
    SignInLink.objects.filter(user=user, used_at=None).delete()
