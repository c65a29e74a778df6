"""Addresses under /play/."""

from django.urls import path

from webapp.lobby.views import after, copilot, first, ground, lobby, reading, table

app_name = "play"
urlpatterns = [
    # Lobby
    path("", lobby.lobby, name="lobby"),
    path("new/", lobby.create, name="create"),
    path("first/", first.start, name="first"),
    path("read/", reading.read, name="read"),
    path("read/ask/", reading.ask, name="ask"),
    path("read/cost/", reading.cost, name="cost"),
    path("layout/", lobby.check_layout, name="check_layout"),
    path("open/", lobby.open_games, name="open_games"),
    path("invite/<str:token>/", lobby.invitation, name="invitation"),
    path("invite/<str:token>/guest/", table.take_seat_as_guest, name="take_seat_as_guest"),
    path("copilot/<str:token>/", copilot.invitation, name="copilot"),
    path("<slug:game>/picture/", ground.picture, name="picture"),
    path("<slug:game>/map/<int:seed>/", ground.ground, name="map"),
    # One game
    path("<uuid:match_id>/", table.table, name="table"),
    path("<uuid:match_id>/waiting/", table.waiting, name="waiting"),
    path("<uuid:match_id>/ticket/", table.ticket, name="ticket"),
    path("<uuid:match_id>/join/", table.join, name="join"),
    path("<uuid:match_id>/call-off/", table.call_off, name="call_off"),
    # After it
    path("<uuid:match_id>/after/", after.after, name="after"),
    path("<uuid:match_id>/ending/", after.ending, name="ending"),
    path("<uuid:match_id>/rate/", after.rate, name="rate"),
    path("<uuid:match_id>/reveal/", after.reveal, name="reveal"),
    path("<uuid:match_id>/rematches/", after.waiting_rematches, name="rematches"),
    path("<uuid:match_id>/again/", after.again, name="again"),
]
