from django.apps import AppConfig


class RoundsConfig(AppConfig):
    name = "webapp.rounds"

    def ready(self) -> None:
        from webapp.jobs import steps

        steps.at(
            "webapp.rounds.steps", *("snapshot", "reward_model", "agent", "evaluation", "candidate", "told")
        )
