"""The addresses of the site. Each app keeps its own; here they are joined."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("accounts.people.urls")),
    path("", include("games.urls")),
    path("admin/", admin.site.urls),
]
