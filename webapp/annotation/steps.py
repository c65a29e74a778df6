"""The steps of this app's jobs (webapp.jobs.steps)."""

from webapp.annotation import worth
from webapp.jobs.steps import Step

STEPS = {
    "utility": Step(["manage.py", "episodes", "utility"]),
    "worth": Step(["manage.py", "episodes", "rank"], register=lambda job, result: worth.keep(result)),
}
