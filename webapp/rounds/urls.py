app_name = "rounds"
urlpatterns: list = []
