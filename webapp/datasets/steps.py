"""What the jobs of this app run (webapp.jobs.steps)."""

from webapp.jobs.steps import Step

STEPS = {
    "export": Step(["manage.py", "datasets", "pack"]),
    "import": Step(["manage.py", "datasets", "take"]),
}
