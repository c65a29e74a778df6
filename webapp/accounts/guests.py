"""Guests: people who play without an account, where the admin allows it: anything that players may, or the
one game to which a friend has sent them the link.
"""

from __future__ import annotations

import secrets
import uuid

from webapp.accounts.models import SiteSettings, User


def allowed() -> bool:
    return SiteSettings.current().guest_play


def friends_allowed() -> bool:
    return SiteSettings.current().friends_play


def make_guest(game: uuid.UUID | None = None) -> User:
    """A player called "Guest ab12" who can't sign in again once the browser forgets them; of one game, if one
    is named.
    """
    name = secrets.token_hex(4)
    guest = User(username=f"guest-{name}", first_name=f"Guest {name[:4]}", is_guest=True, guest_of=game)
    guest.set_unusable_password()
    guest.save()
    guest.set_roles({"player"})
    return guest
