"""The address of a player."""

from django.urls import path

from accounts.leagues.profile.views import profile

# A name as people may choose it has no slash; one that the admin gave may, and must not break the pages that link to it.
urlpatterns = [path("u/<path:name>/", profile, name="profile")]
