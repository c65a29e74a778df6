from django.apps import AppConfig


class DatasetsConfig(AppConfig):
    name = "webapp.datasets"

    def ready(self) -> None:
        from webapp.jobs import steps

        steps.at("webapp.datasets.steps", "export", "import")
