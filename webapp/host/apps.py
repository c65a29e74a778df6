from django.apps import AppConfig


class HostConfig(AppConfig):
    name = "webapp.host"

    def ready(self) -> None:
        from webapp.host import signals  # noqa: F401  (connects the sign-out signal)
