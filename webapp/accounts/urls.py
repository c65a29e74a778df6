"""Account pages, beside those of allauth (sign-in, password, e-mail)."""

from django.urls import path

from webapp.accounts import people, profile, views

app_name = "accounts"
urlpatterns = [
    # Doors
    path("link/<str:token>/", views.sign_in_link, name="sign_in_link"),
    path("invitation/<str:token>/", views.invitation, name="invitation"),
    path("guest/", views.play_as_guest, name="guest"),
    # My account
    path("", profile.account, name="account"),
    path("keys/", profile.show_keys, name="keys"),
    path("keys/save/", profile.save_keys, name="save_keys"),
    path("become/", profile.become, name="become"),
    path("close/", profile.close, name="close"),
    # People
    path("people/", people.people, name="people"),
    path("people/<int:pk>/roles/", people.set_roles, name="set_roles"),
    path("people/<int:pk>/close/", people.bar, name="bar"),
    path("people/<int:pk>/reopen/", people.let_in_again, name="let_in_again"),
    path("people/<int:pk>/link/", people.make_link, name="make_link"),
    path("people/invitations/", people.invite, name="invite"),
    path("people/invitations/<int:pk>/revoke/", people.revoke, name="revoke"),
    path("people/guests/", people.set_guest_play, name="set_guest_play"),
    path("people/audit/", people.audit_log, name="audit"),
]
