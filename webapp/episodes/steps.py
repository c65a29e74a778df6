"""What the jobs of this app run (webapp.jobs.steps)."""

from webapp.jobs.steps import Step

STEPS = {"clip": Step(["manage.py", "episodes", "clip"])}
