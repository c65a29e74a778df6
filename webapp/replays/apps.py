from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class ReplaysConfig(AppConfig):
    name = "webapp.replays"

    def ready(self) -> None:
        from webapp.jobs import steps
        from webapp.replays import kept, signals  # noqa: F401  (connects what accounts tell)

        steps.at("webapp.replays.steps", "clip", "utility", "worth")
        pre_migrate.connect(kept.remove, sender=self)
        post_migrate.connect(kept.install, sender=self)
