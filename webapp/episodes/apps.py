from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    name = "webapp.episodes"
    label = "replays"  # of its tables and migrations, from when this app was called that

    def ready(self) -> None:
        from webapp.jobs import steps

        steps.at("webapp.episodes.steps", "clip")
