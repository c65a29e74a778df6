"""The audit log: who did what that others may ask about later."""

from __future__ import annotations

from webapp.accounts.models import AuditEvent, User


def record(user: User | None, verb: str, **detail: object) -> None:
    """Keep that `user` did `verb` ("roles changed", "invitation made", …); `detail` must be JSON."""
    AuditEvent.objects.create(user=user, verb=verb, detail=detail)
