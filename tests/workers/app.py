"""The real Celery app with one program exchanged: reward models are lines fitted by
tests/workers/regression.py, started as the variable REGRESSION says."""

import os

import workers.app
from webapp.jobs.steps import Step
from webapp.rounds import steps

app = workers.app.app
steps.STEPS["reward_model"] = Step(os.environ["REGRESSION"].split())
