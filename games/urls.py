"""The addresses of the games, by name `games:…`."""

from django.urls import path

from games.views import rules

app_name = "games"

urlpatterns = [
    path("rules/", rules.rules_index, name="rules_index"),
    path("rules/<slug:variant>/", rules.rules, name="rules"),
]
