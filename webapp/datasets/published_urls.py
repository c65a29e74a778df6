"""Addresses under /replays/people/."""

from django.urls import path

from webapp.datasets import published

app_name = "published"
urlpatterns = [
    path("", published.page, name="list"),
    path("delete/", published.delete, name="delete"),
]
