app_name = "agents"
urlpatterns: list = []
