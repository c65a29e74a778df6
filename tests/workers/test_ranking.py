"""A real worker finds by itself what the queue's episodes are worth being marked."""

from __future__ import annotations

import pytest

from tests.waiting import eventually
from tests.webapp.annotation.models_of_rounds import round_with_model
from tests.workers.worker import running
from webapp.annotation.models import Worth
from webapp.episodes import simulated
from webapp.jobs.models import Job
from webapp.studies.models import Study


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_ranks_episodes_without_being_asked(tmp_path):
    Study.objects.create(name="Hanabi", game="hanabi", random_share=25)
    made = []
    simulated.simulate("hanabi", 2, ["hanabi/random"], 1, {}, 0.0, made.append)
    round_with_model(tmp_path, made[0], heads=3)
    with running():
        eventually(lambda: Worth.objects.filter(value__gt=0, round=1).count() == 2, 300)
        eventually(lambda: Job.objects.filter(kind="worth", state=Job.COMPLETED).exists())
