"""Addresses under /datasets/."""

from django.urls import path

from webapp.datasets import views

app_name = "datasets"
urlpatterns = [
    path("", views.listing, name="list"),
    path("import/", views.import_file, name="import"),
    path("<uuid:snapshot_id>/", views.snapshot, name="snapshot"),
    path("<uuid:snapshot_id>/export.zip", views.export, name="export"),
]
