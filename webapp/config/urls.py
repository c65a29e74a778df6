"""Table of contents of the site."""

from django.urls import include, path

from webapp.accounts import views as accounts
from webapp.config import health

urlpatterns = [
    path("", accounts.home, name="home"),
    path(health.PATH, health.health, name="health"),
    path("accounts/", include("webapp.accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("play/", include("webapp.play.urls")),
    path("replays/", include("webapp.replays.urls")),
    path("agents/", include("webapp.agents.urls")),
    path("rounds/", include("webapp.rounds.urls")),
    path("studies/", include("webapp.studies.urls")),
    path("datasets/", include("webapp.datasets.urls")),
    path("settings/language/", include("webapp.language.urls")),
]

handler400 = "webapp.accounts.errors.bad_request"
handler403 = "webapp.accounts.errors.forbidden"
handler404 = "webapp.accounts.errors.not_found"
handler500 = "webapp.accounts.errors.server_error"
handler429 = "webapp.accounts.errors.too_many_requests"
