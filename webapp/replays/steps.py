"""What the jobs of this app run (webapp.jobs.steps)."""

from webapp.jobs.steps import Step
from webapp.replays import worth

STEPS = {
    "clip": Step(["manage.py", "episodes", "clip"]),
    "utility": Step(["manage.py", "episodes", "utility"]),
    "worth": Step(["manage.py", "episodes", "rank"], register=lambda job, result: worth.keep(result)),
}
