"""The page of a player."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.leagues.profile import presenter, selectors
from accounts.people.requests import VisitorRequest


@require_safe
@never_cache
def profile(request: VisitorRequest, name: str) -> HttpResponse:
    """For everybody; who plays as a guest, or has gone, has none. A name in another case leads to the right one."""
    player = selectors.find_player(name=name)
    if player is None:
        raise Http404
    if player.username != name:
        return redirect("profile", name=player.username)
    found = presenter.profile(player=player, viewer=request.user, variant=request.GET.get("game", ""))
    return render(request, "accounts/profile.html", {"here": "profile" if found.mine else "", "page": found})
