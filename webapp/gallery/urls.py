"""Addresses under /agents/."""

from django.urls import path

from webapp.gallery import views

app_name = "agents"
urlpatterns = [
    path("", views.gallery, name="gallery"),
    path("compare/", views.compare, name="compare"),
    path("rollback/", views.rollback, name="rollback"),
    path("<slug:game>/<slug:name>/", views.agent, name="agent"),
    path("<slug:game>/<slug:name>/told/<int:number>/", views.told, name="told"),
    path("<slug:game>/<slug:name>/files/<str:file>", views.download, name="download"),
]
