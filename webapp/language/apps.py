from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured

from engine.language.decisions.settings import from_environment


class LanguageConfig(AppConfig):
    name = "webapp.language"

    def ready(self) -> None:
        try:
            from_environment()
        except ValueError as problem:
            raise ImproperlyConfigured(str(problem)) from None
