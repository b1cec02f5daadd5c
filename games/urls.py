"""The addresses of the games, by name `games:…`. The number of a deal counts from 0."""

from django.urls import path

from games.views import (
    absence,
    exchange,
    lists,
    log,
    new,
    pauses,
    play,
    records,
    replay,
    resign,
    results,
    rules,
    verify,
    waiting,
)

app_name = "games"

urlpatterns = [
    path("rules/", rules.rules_index, name="rules_index"),
    path("rules/<slug:variant>/", rules.rules, name="rules"),
    path("play/", new.play_now, name="play_now"),
    path("tables/", lists.home, name="home"),
    path("tables/new/", new.new, name="new"),
    path("lobby/", lists.lobby, name="lobby"),
    path("t/<slug:code>/", play.table, name="table"),
    path("t/<slug:code>/poll/<int:version>/", play.poll, name="poll"),
    path("t/<slug:code>/buttons/", play.buttons, name="buttons"),
    path("t/<slug:code>/play/", play.play, name="play"),
    path("t/<slug:code>/answer/", exchange.answer, name="answer"),
    path("t/<slug:code>/arrange/", play.arrange, name="arrange"),
    path("t/<slug:code>/looking/", play.looking, name="looking"),
    path("t/<slug:code>/waiting/", waiting.waiting_room, name="waiting"),
    path("t/<slug:code>/join/", waiting.join, name="join"),
    path("t/<slug:code>/invite/", waiting.invite, name="invite"),
    path("t/<slug:code>/decline/", waiting.decline, name="decline"),
    path("t/<slug:code>/leave/", waiting.leave, name="leave"),
    path("t/<slug:code>/start/", waiting.start, name="start"),
    path("t/<slug:code>/cancel/", waiting.cancel, name="cancel"),
    path("t/<slug:code>/log/", log.log, name="log"),
    path("t/<slug:code>/back/", absence.back, name="back"),
    path("t/<slug:code>/take-over/", absence.take_over, name="take_over"),
    path("t/<slug:code>/pause/", pauses.pause, name="pause"),
    path("t/<slug:code>/record.json", records.as_data, name="record"),
    path("t/<slug:code>/record.txt", records.as_text, name="record_text"),
    path("t/<slug:code>/shuffle/", verify.shuffle, name="shuffle"),
    path("t/<slug:code>/contribute/", verify.contribute, name="contribute"),
    path("t/<slug:code>/deals/<int:number>/check/", verify.check, name="check"),
    path("t/<slug:code>/resign/", resign.resign, name="resign"),
    path("t/<slug:code>/deals/<int:number>/", results.result, name="result"),
    path("t/<slug:code>/deals/<int:number>/replay/", replay.replay, name="replay"),
    path("t/<slug:code>/deals/<int:number>/replay/<int:move>/", replay.replay, name="replay_move"),
    path("t/<slug:code>/deals/<int:number>/go-on/", results.go_on, name="go_on"),
]
