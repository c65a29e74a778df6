from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "webapp.matches"
    label = "play"  # of its tables and migrations, from when this app was called that
