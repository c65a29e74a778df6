"""People, their roles, and the two kinds of link that let them in: invitations and one-time sign-in links."""

from __future__ import annotations

import hashlib
import secrets
import uuid

from django.contrib.auth.models import AbstractUser, Group
from django.db import models
from django.utils import timezone

from webapp.accounts import keys
from webapp.accounts.naming import seen

ROLES = ("player", "annotator", "admin")


def new_token() -> str:
    return secrets.token_urlsafe(24)


def hash_of(token: str) -> str:
    """The hash of a token, which is kept instead of it. A token has 192 random bits, so that nothing slower
    is needed.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def new_pseudonym() -> str:
    return f"P-{secrets.token_hex(4)}"


class User(AbstractUser):
    """A person (or a simulated annotator, which is said wherever its data shows).

    Roles are Django groups named as in `ROLES`; a person may have several. `pseudonym` is what provenance
    pages and exports show instead of a name.
    """

    pseudonym = models.CharField(max_length=20, unique=True, default=new_pseudonym, editable=False)
    is_guest = models.BooleanField(default=False)
    # The one game that a friend's link has opened to this guest (the id of its match and episode).
    guest_of = models.UUIDField(null=True, blank=True, editable=False)
    is_simulated = models.BooleanField(default=False)
    # When an admin closed the account (webapp.accounts.barring); one may open it again.
    barred_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Sessions hold for the number with which they began.
    session_epoch = models.PositiveIntegerField(default=0, editable=False)
    # The hash of what a guest's browser is known by.
    device = models.CharField(max_length=64, blank=True, db_index=True, editable=False)
    # Rebound keys: {action name: key}; only what differs from the defaults.
    key_bindings = models.JSONField(default=dict, blank=True)
    # Tutorials done: {"hanabi-play": iso time, "hanabi-annotate": iso time}.
    tutorials = models.JSONField(default=dict, blank=True)

    @property
    def roles(self) -> frozenset[str]:
        """Names of the roles of this person, read once per object."""
        if not hasattr(self, "_roles"):
            self._roles = frozenset(self.groups.filter(name__in=ROLES).values_list("name", flat=True))
        return self._roles

    @property
    def own_keys(self) -> dict[str, list[str]]:
        """The person's own key bindings that the pages use."""
        return keys.of_today(self.key_bindings)

    @property
    def is_annotator(self) -> bool:
        return "annotator" in self.roles

    @property
    def is_admin(self) -> bool:
        return "admin" in self.roles

    def set_roles(self, names: set[str]) -> None:
        unknown = names - set(ROLES)
        if unknown:
            raise ValueError(f"Unknown role {', '.join(sorted(unknown))}; allowed are {', '.join(ROLES)}.")
        for name in ROLES:
            group, _ = Group.objects.get_or_create(name=name)
            (self.groups.add if name in names else self.groups.remove)(group)
        self.__dict__.pop("_roles", None)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Django's, by which a session knows that it is still good, and of the epoch too."""
        session_hash = super()._get_session_auth_hash(secret)
        return f"{session_hash}-{self.session_epoch}" if self.session_epoch else session_hash

    @property
    def shown_name(self) -> str:
        return seen(self.get_full_name()) or self.username


def shown_name(user: User) -> str:
    """The name that allauth puts into its pages and mails."""
    return user.shown_name


class Opener(models.Model):
    """A row that a token opens. Only the token's hash is kept: `token` is there on the object that was just
    made, and never on one that was read.
    """

    token_hash = models.CharField(max_length=64, unique=True, editable=False)

    class Meta:
        abstract = True

    def save(self, *args, **kwargs) -> None:
        if not self.token_hash:
            self.token = new_token()
            self.token_hash = hash_of(self.token)
        super().save(*args, **kwargs)


class Invitation(Opener):
    """A link by which someone may sign up with given roles, a limited number of times, until it expires."""

    roles = models.JSONField(default=list)
    note = models.CharField(max_length=200, blank=True)
    uses_left = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="invitations")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()


class SignInLink(Opener):
    """A link that signs one person in, once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)


class SiteSettings(models.Model):
    """Settings that an admin may change while the site runs: one row."""

    guest_play = models.BooleanField(default=False)
    # Whoever has the link of a game may play in that one game without an account.
    friends_play = models.BooleanField(default=True)

    @classmethod
    def current(cls) -> SiteSettings:
        return cls.objects.get_or_create(pk=1)[0]


class AuditEvent(models.Model):
    """A record of who did what, for questions later: roles, invitations, promotions, exports."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    at = models.DateTimeField(default=timezone.now, db_index=True)
    user = models.ForeignKey(User, null=True, on_delete=models.SET_NULL)
    verb = models.CharField(max_length=60)
    detail = models.JSONField(default=dict)
