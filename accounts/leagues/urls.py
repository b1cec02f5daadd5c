"""The addresses of leagues, by name `leagues:…`. Seasons count from 1.

A name as people may choose it has no slash; one that the keeper gave may, and must not break the pages that link to it.
"""

from django.urls import path

from accounts.leagues.views import exports, league, lists, manage, tables

app_name = "leagues"

urlpatterns = [
    path("leagues/", lists.index, name="index"),
    path("leagues/new/", lists.new, name="new"),
    path("l/<slug:code>/", league.league, name="league"),
    path("l/<slug:code>/seasons/<int:number>/", league.archive, name="season"),
    path("l/<slug:code>/seasons/<int:number>/matches/", league.all_matches, name="matches"),
    path("l/<slug:code>/seasons/<int:number>/ledger/", league.ledger, name="ledger"),
    path("l/<slug:code>/seasons/<int:number>/players/<path:name>/", league.ledger, name="player"),
    path("l/<slug:code>/seasons/<int:number>/<slug:kind>.<slug:form>", exports.export, name="export"),
    path("l/<slug:code>/embed/", exports.embed, name="embed"),
    path("l/<slug:code>/members/", league.people, name="people"),
    path("l/<slug:code>/members/<path:name>/decide/", manage.decide, name="decide"),
    path("l/<slug:code>/members/<path:name>/", manage.member, name="member"),
    path("l/<slug:code>/join/", league.join, name="join"),
    path("l/<slug:code>/withdraw/", league.withdraw, name="withdraw"),
    path("l/<slug:code>/leave/", league.leave, name="leave"),
    path("l/<slug:code>/table/", league.make_table, name="make_table"),
    path("l/<slug:code>/manage/", manage.manage, name="manage"),
    path("l/<slug:code>/edit/", manage.edit, name="edit"),
    path("l/<slug:code>/answer/", manage.answer, name="answer"),
    path("l/<slug:code>/season/", manage.season, name="start_season"),
    path("l/<slug:code>/season/end/", manage.end_season, name="end_season"),
    path("l/<slug:code>/season/reopen/", manage.reopen_season, name="reopen_season"),
    path("l/<slug:code>/adjust/", manage.adjust, name="adjust"),
    path("l/<slug:code>/change/", manage.change, name="change"),
    path("l/<slug:code>/tables/", tables.make_tables, name="tables"),
    path("l/<slug:code>/substitute/", tables.substitute, name="substitute"),
]
