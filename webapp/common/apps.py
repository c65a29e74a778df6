from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "webapp.common"

    def ready(self) -> None:
        from webapp.common import lookups  # noqa: F401 (registers them)
