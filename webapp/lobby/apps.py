from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "webapp.lobby"
