"""The addresses of the games, by name `games:…`."""

from django.urls import path

from games.views import play, rules

app_name = "games"

urlpatterns = [
    path("rules/", rules.rules_index, name="rules_index"),
    path("rules/<slug:variant>/", rules.rules, name="rules"),
    path("t/<slug:code>/", play.table, name="table"),
    path("t/<slug:code>/poll/<int:version>/", play.poll, name="poll"),
    path("t/<slug:code>/buttons/", play.buttons, name="buttons"),
    path("t/<slug:code>/play/", play.play, name="play"),
    path("t/<slug:code>/arrange/", play.arrange, name="arrange"),
]
