"""The real Celery app with one program exchanged: reward models are lines fitted by
tests/workers/regression.py."""

import workers.app
from workers import steps

app = workers.app.app
steps.PROGRAMS["reward_model"] = ["-m", "tests.workers.regression"]
steps.CONFIGS.clear()
