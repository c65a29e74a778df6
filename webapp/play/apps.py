from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "webapp.play"

    def ready(self) -> None:
        from webapp.play import signals  # noqa: F401  (connects the sign-out signal)
