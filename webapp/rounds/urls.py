"""Addresses under /rounds/."""

from django.urls import path

from webapp.rounds import cotrain_views, told_views, views

app_name = "rounds"
urlpatterns = [
    path("", views.listing, name="list"),
    path("new/", views.new, name="new"),
    path("new/told/", told_views.new, name="told"),
    path("new/cotrain/", cotrain_views.new, name="cotrain"),
    path("new/cotrain/count/", cotrain_views.count, name="cotrain-count"),
    path("told/<slug:game>/<slug:name>/", told_views.apart, name="told-apart"),
    path("told/<uuid:job_id>/<slug:name>.<slug:kind>", told_views.told_picture, name="told-picture"),
    path("new/count/", views.count, name="count"),
    path("<int:number>/", views.round_page, name="round"),
    path("<int:number>/live/", views.live, name="live"),
    path("<int:number>/games/<slug:name>.png", views.picture, name="picture"),
    path("<int:number>/decide/", views.decide, name="decide"),
    path("jobs/<uuid:job_id>/cancel/", views.cancel, name="cancel"),
    path("jobs/<uuid:job_id>/resume/", views.resume, name="resume"),
    path("jobs/<uuid:job_id>/events.zip", views.events, name="events"),
]
