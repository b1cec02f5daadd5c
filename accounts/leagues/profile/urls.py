"""The address of a player."""

from django.urls import path

from accounts.leagues.profile.views import profile

urlpatterns = [path("u/<str:name>/", profile, name="profile")]
