app_name = "studies"
urlpatterns: list = []
