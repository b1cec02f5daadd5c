"""The addresses of the site. Each app keeps its own; here they are joined."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# One way to log in, with its limits, for whoever looks after the site too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("accounts.people.urls")),
    path("", include("games.urls")),
    path("", include("accounts.leagues.urls")),
    path("", include("accounts.leagues.profile.urls")),
    path("admin/", admin.site.urls),
]
