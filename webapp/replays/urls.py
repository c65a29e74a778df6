app_name = "replays"
urlpatterns: list = []
