"""Account pages, beside those of allauth (sign-in, password, e-mail)."""

from django.urls import path

from webapp.accounts import views

app_name = "accounts"
urlpatterns = [
    path("link/<str:token>/", views.sign_in_link, name="sign_in_link"),
]
