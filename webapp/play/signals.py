"""A sign-out is written down for the match hosts, which close the sockets of that session."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from webapp.play.models import EndedSession
from webapp.play.tickets import LIFETIME, fingerprint


@receiver(user_logged_out)
def remember_ended_session(request: HttpRequest | None, **kwargs) -> None:
    key = request.session.session_key if request is not None and hasattr(request, "session") else None
    if not key:
        return
    EndedSession.objects.create(fingerprint=fingerprint(key))
    EndedSession.objects.filter(at__lt=timezone.now() - timedelta(seconds=100 * LIFETIME)).delete()
