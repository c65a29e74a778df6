"""People who never had an account here: players and annotators of games from elsewhere, known by pseudonym
alone. Rows refer to them as to everybody, but nobody can sign in as one, and the page People leaves them out.
"""

from __future__ import annotations

from django.db.models import Q

from webapp.accounts.models import User

PREFIX = "imported-"
ABSENT = Q(username__startswith=PREFIX, is_active=False)


def absent(pseudonym: str, simulated: bool = False) -> User:
    """The account with this pseudonym; makes an inactive one without a password if there is none."""
    user = User.objects.filter(pseudonym=pseudonym).first()
    if user is None:
        user = User(username=PREFIX + pseudonym, pseudonym=pseudonym, is_simulated=simulated, is_active=False)
        user.set_unusable_password()
        user.save()
    return user
