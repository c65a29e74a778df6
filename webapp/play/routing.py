"""Socket addresses."""

from django.urls import path

from webapp.play.consumer import MatchConsumer

websocket_urlpatterns = [path("play/<uuid:match_id>/socket/", MatchConsumer.as_asgi())]
