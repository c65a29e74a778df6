"""Addresses under /datasets/."""

from django.urls import path

from webapp.datasets import comments, instructions, views

app_name = "datasets"
urlpatterns = [
    path("", views.listing, name="list"),
    path("import/", views.import_file, name="import"),
    path("instructions/", instructions.listing, name="instructions"),
    path("instructions/export.csv", instructions.as_table, name="instructions_csv"),
    path("instructions/corrections.jsonl", instructions.as_corrections, name="corrections"),
    path("comments/", comments.listing, name="comments"),
    path("<uuid:snapshot_id>/", views.snapshot, name="snapshot"),
    path("<uuid:snapshot_id>/export.zip", views.export, name="export"),
    path("<uuid:snapshot_id>/pack/", views.pack, name="pack"),
    path("jobs/<uuid:job_id>/", views.job, name="job"),
    path("jobs/<uuid:job_id>/<slug:change>/", views.change_job, name="job-change"),
]
