"""What accounts report to the queue: the episode in hand of a closed account is handed back."""

from __future__ import annotations

from django.db import transaction
from django.dispatch import receiver
from django.template.defaultfilters import pluralize
from django.utils import timezone

from webapp.accounts.barring import barred, holds
from webapp.accounts.models import User
from webapp.annotation.models import Assignment
from webapp.annotation.queue import lock


@receiver(holds)
def episodes_of(user: User, **kwargs) -> list[str]:
    held = Assignment.objects.filter(annotator=user, status=Assignment.OPEN).count()
    if not held:
        return []
    return [
        f"{held} episode{pluralize(held)} that they have in hand would be handed out to others; marks on "
        f"{pluralize(held, 'it,them')} that aren't submitted would not count."
    ]


@receiver(barred)
@transaction.atomic
def hand_back(user: User, **kwargs) -> None:
    held = Assignment.objects.filter(annotator=user, status=Assignment.OPEN)
    for assignment in held.select_related("study").order_by("study"):
        lock(assignment.study)  # as whatever takes a place does
    held.update(status=Assignment.EXPIRED, closed_at=timezone.now())
