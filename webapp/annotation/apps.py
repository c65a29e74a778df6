from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class AnnotationConfig(AppConfig):
    name = "webapp.annotation"

    def ready(self) -> None:
        from webapp.annotation import kept, signals  # noqa: F401  (connects what accounts tell)
        from webapp.jobs import steps

        steps.at("webapp.annotation.steps", "utility", "worth")
        pre_migrate.connect(kept.remove, sender=self)
        post_migrate.connect(kept.install, sender=self)
