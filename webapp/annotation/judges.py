"""The reward models that rounds have made, as the rows of their trainings. Not for what they say of
an episode (`utility`, `worth`).
"""

from __future__ import annotations

from django.db.models import QuerySet

from webapp.jobs.models import Job


def made_for(game: str) -> QuerySet[Job]:
    """The trainings that have made a reward model of a game, that of the newest round first."""
    made = Job.objects.filter(kind="reward_model", state=Job.COMPLETED, round__game=game)
    return made.select_related("round__base_agent").order_by("-round__number")
