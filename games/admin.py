"""Tables in the admin, to look at only. What must stay hidden is in no field here: no hand, deck, seed or state, of any deal."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from games import selectors
from games.forms.outages import GiftForm, MaintenanceForm
from games.models import Deal, Entry, Game, Hand, Outage, Seat, Watch
from games.services import outages


class ReadOnly:
    """Nothing is added, changed or deleted here: tables change through the services alone."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only what a list offers to filter by: a list that may be asked anything tells deck and hands card by card."""
        offered = [*getattr(self, "list_filter", ()), getattr(self, "date_hierarchy", None)]
        return any(lookup == field or lookup.startswith(f"{field}__") for field in offered if field)


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    # Not `arrangement`: it is the player's hand.
    fields = ("index", "user", "bot", "joined_at", "total", "resigned", "excused", "expired", "absent_since")
    extra = 0


class DealInline(ReadOnly, admin.TabularInline):
    model = Deal
    fields = ("number", "dealer", "reason", "out", "scored", "turns", "began_at", "ended_at")
    extra = 0
    show_change_link = True


class HandInline(ReadOnly, admin.TabularInline):
    model = Hand
    fields = ("seat", "laid", "score")
    extra = 0


@admin.register(Game)
class GameAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("code", "title", "variant", "seat_count", "status", "visibility", "made_at", "deadline")
    list_filter = ("status", "variant", "visibility")
    search_fields = ("=code", "title", "=seats__user__username")
    date_hierarchy = "made_at"
    fields = (
        "code", "title", "variant", "options", "rules_version", "seat_count", "turn_time", "increment", "bank_cap",
        "deadline_hour", "quiet_from", "quiet_to", "weekend_pause", "zone", "excuses", "absent_after",
        "absence_limit", "min_reliability", "visibility", "status", "maker", "made_at", "started_at", "ended_at", "version",
        "log_length", "log_head", "to_move", "deadline", "left", "paused_at", "frozen_until", "vacation", "vacation_days", "away",
        "away_since", "away_until", "awaits_server", "winner",
    )  # fmt: skip
    inlines = (SeatInline, DealInline)
    list_select_related = False


@admin.register(Deal)
class DealAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "number", "reason", "out", "scored", "turns", "began_at", "ended_at")
    list_filter = ("reason", "scored")
    search_fields = ("=game__code",)
    fields = ("game", "number", "dealer", "reason", "out", "scored", "turns", "began_at", "ended_at")
    inlines = (HandInline,)
    list_select_related = ("game",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Deck, seed and state are not even read."""
        return super().get_queryset(request).defer("deck", "seed", "state")


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "number", "at", "kind", "actor", "seat", "deal", "text")
    list_filter = ("kind", "actor")
    search_fields = ("=game__code",)
    fields = ("game", "number", "at", "kind", "actor", "seat", "deal", "text", "facts")
    list_select_related = ("game",)
    ordering = ("-id",)
    # The log grows without end: counting it for every page would be slow.
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> Any:
        """The answers to an exchange of doubles stay sealed while the deal lasts."""
        return selectors.told(super().get_queryset(request))


@admin.register(Outage)
class OutageAdmin(ReadOnly, admin.ModelAdmin):
    """When the site was away. To add one is to give every clock that runs so much more time."""

    list_display = ("kind", "began", "ended", "span", "reason", "by", "applied_at")
    list_filter = ("kind",)
    list_select_related = ("by",)
    form = GiftForm
    fields = ("hours", "minutes", "reason")

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.list_display if obj is not None else self.fields

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        made = outages.give(span=form.span, reason=form.cleaned_data["reason"], by=request.user, now=timezone.now())
        obj.__dict__.update(made.__dict__)


@admin.register(Watch)
class WatchAdmin(ReadOnly, admin.ModelAdmin):
    """The one row; changing it begins or ends work on the site."""

    list_display = ("beat", "maintenance_since", "maintenance_reason")
    form = MaintenanceForm
    fields = ("working", "reason")

    def has_change_permission(self, request: HttpRequest, *args: Any) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if form.cleaned_data["working"]:
            outages.begin_maintenance(reason=form.cleaned_data["reason"], now=timezone.now())
        else:
            outages.end_maintenance(now=timezone.now(), by=request.user)
        obj.refresh_from_db()
