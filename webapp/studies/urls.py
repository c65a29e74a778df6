"""Studies."""

from django.urls import path

from webapp.studies import views

app_name = "studies"
urlpatterns = [
    path("", views.study_list, name="list"),
    path("new/", views.edit, name="new"),
    path("<int:study_id>/", views.edit, name="edit"),
]
