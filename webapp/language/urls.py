"""The site's language model."""

from django.urls import path

from webapp.language import views

app_name = "language"
urlpatterns = [
    path("", views.edit, name="edit"),
    path("test/", views.test, name="test"),
]
