"""Guests: people who play without an account, where the admin allows it."""

from __future__ import annotations

import secrets

from webapp.accounts.models import SiteSettings, User


def allowed() -> bool:
    return SiteSettings.current().guest_play


def make_guest() -> User:
    """A player called "Guest ab12" who can't sign in again once the browser forgets them."""
    name = secrets.token_hex(4)
    guest = User(username=f"guest-{name}", first_name=f"Guest {name[:4]}", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    guest.set_roles({"player"})
    return guest
