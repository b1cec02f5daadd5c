"""Tables in the admin, to look at only. What must stay hidden is in no field here: no hand, deck, seed or state, of any deal."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from games import selectors
from games.forms.outages import GiftForm, MaintenanceForm
from games.messages import refusal
from games.models import ChatReport, Deal, Dispute, Entry, Game, Hand, Outage, Seat, Watch
from games.presenters.desk import age_of
from games.presenters.names import player_name, table_name
from games.selectors import cases
from games.services import chat, outages
from games.services.errors import ServiceError
from games.views import desk


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
        filters = [getattr(field, "parameter_name", field) for field in getattr(self, "list_filter", ())]
        if "\0" in value:  # the database knows no such text
            return False
        offered = [*filters, getattr(self, "date_hierarchy", None)]
        return any(lookup == field or lookup.startswith(f"{field}__") for field in offered if field)


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    # Not `arrangement`: it is the player's hand.
    fields = ("index", "user", "bot", "joined_at", "total", "resigned", "excused", "expired", "absent_since")
    extra = 0


class DealInline(ReadOnly, admin.TabularInline):
    model = Deal
    fields = ("number", "dealer", "reason", "out", "scored", "voided", "turns", "began_at", "ended_at")
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
        "to_move", "deadline", "left", "paused_at", "frozen_until", "vacation", "vacation_days", "away",
        "away_since", "away_until", "awaits_server", "winner",
    )  # fmt: skip
    inlines = (SeatInline, DealInline)
    list_select_related = False


@admin.register(Deal)
class DealAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "number", "reason", "out", "scored", "voided", "turns", "began_at", "ended_at")
    list_filter = ("reason", "scored", "voided")
    search_fields = ("=game__code",)
    fields = ("game", "number", "dealer", "reason", "out", "scored", "voided", "turns", "began_at", "ended_at")
    inlines = (HandInline,)
    list_select_related = ("game",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Deck, seed and state are not even read."""
        return super().get_queryset(request).defer("deck", "seed", "state")


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin):
    """The list alone, without numbers and keys: a gap between two would tell how many answers are sealed there (§4.3)."""

    list_display = ("game", "at", "kind", "actor", "seat", "deal", "text", "facts")
    list_display_links = None
    list_filter = ("kind", "actor")
    search_fields = ("=game__code",)
    fields = ("game", "at", "kind", "actor", "seat", "deal", "text", "facts")
    list_select_related = ("game",)
    ordering = ("-id",)
    # The log grows without end: counting it for every page would be slow.
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> Any:
        """The answers to an exchange of doubles stay sealed while the deal lasts."""
        return selectors.told(super().get_queryset(request))

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> None:
        """No row has a page of its own."""


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


class ForReferees(ReadOnly):
    """What those see who have the permission: staff that are referees, and superusers."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("games.referee")


class Waiting(admin.SimpleListFilter):
    """Disputes that wait for a ruling, those of the reader, those that are settled."""

    title = _("whose it is to act")
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("free", _("waits for a referee")),
            ("mine", pgettext_lazy("cases", "mine")),
            ("claimed", pgettext_lazy("cases", "taken up")),
            ("settled", pgettext_lazy("cases", "settled")),
        ]

    def queryset(self, request: HttpRequest, disputes: QuerySet[Dispute]) -> QuerySet[Dispute]:
        match self.value():
            case "free":
                return disputes.filter(state__in=(Dispute.State.OPEN, Dispute.State.APPEALED))
            case "mine":
                return disputes.filter(referee=request.user.pk)
            case "claimed":
                return disputes.exclude(referee=None)
            case "settled":
                return disputes.exclude(state__in=Dispute.UNSETTLED)
        return disputes


class InLeague(admin.SimpleListFilter):
    """Whether the match counts in a league."""

    title = _("league")
    parameter_name = "league"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("in a league")), ("no", pgettext_lazy("league", "in none"))]

    def queryset(self, request: HttpRequest, disputes: QuerySet[Dispute]) -> QuerySet[Dispute]:
        wanted = cases.in_league()
        match self.value():
            case "yes":
                return disputes.filter(wanted)
            case "no":
                return disputes.exclude(wanted)
        return disputes


@admin.register(Dispute)
class DisputeAdmin(ForReferees, admin.ModelAdmin):
    """The referees' queue. The case itself is a page of its own: games.views.desk."""

    list_display = ("number", "age", "kind", "table", "stands", "whose", "league")
    fields = ("kind",)
    list_display_links = ("number",)
    list_filter = (Waiting, "state", "kind", InLeague)
    search_fields = ("=game__code", "=id")
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Dispute]:
        return cases.queue()

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("settled", "opened_at")

    def get_urls(self) -> list[URLPattern]:
        """The queue, and the pages of a case; nothing to add, delete or look up in the admin's own history."""
        pages = [
            ("", self.changelist_view, "changelist"),
            ("<int:pk>/change/", self._for_referees(desk.case), "change"),
            ("<int:pk>/act/", self._for_referees(desk.act), "act"),
            ("<int:pk>/replay/<int:number>/", self._for_referees(desk.replay), "replay"),
            ("<int:pk>/replay/<int:number>/<int:move>/", self._for_referees(desk.replay), "step"),
        ]
        return [path(route, self.admin_site.admin_view(view), name=f"games_dispute_{name}") for route, view, name in pages]

    def _for_referees(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, **where: int) -> HttpResponse:
            if not self.has_view_permission(request):
                raise PermissionDenied
            return view(request, **where)

        return guarded

    @admin.display(description=_("case"), ordering="pk")
    def number(self, dispute: Dispute) -> str:
        return str(dispute.pk)

    @admin.display(description=_("age"), ordering="opened_at")
    def age(self, dispute: Dispute) -> str:
        return age_of(dispute, timezone.now())

    @admin.display(description=_("table"))
    def table(self, dispute: Dispute) -> str:
        return f"{table_name(dispute.game)} ({dispute.game.code})"

    @admin.display(description=_("state"), ordering="state")
    def stands(self, dispute: Dispute) -> str:
        return dispute.get_state_display()

    @admin.display(description=_("whose case"))
    def whose(self, dispute: Dispute) -> str:
        return "" if dispute.referee is None else player_name(dispute.referee)

    @admin.display(description=_("league"), boolean=True)
    def league(self, dispute: Dispute) -> bool:
        return bool(getattr(dispute, "in_league", False))


@admin.register(ChatReport)
class ChatReportAdmin(ForReferees, admin.ModelAdmin):
    """What players have reported of chats: for referees, who remove the words or let them stay. Removed words are kept here."""

    list_display = ("words", "said_by", "table", "made_at", "outcome", "closed_by")
    list_filter = ("outcome",)
    list_select_related = ("saying__user", "saying__game", "closed_by")
    ordering = ("closed_at", "made_at")
    fields = ("table", "said_by", "words", "around", "user", "made_at", "outcome", "closed_at", "closed_by")
    readonly_fields = fields
    actions = ("remove_words", "let_words_stay")

    @admin.display(description=_("words"))
    def words(self, report: ChatReport) -> str:
        return report.saying.text

    @admin.display(description=_("player"))
    def said_by(self, report: ChatReport) -> str:
        return str(report.saying.user or "")

    @admin.display(description=_("table"))
    def table(self, report: ChatReport) -> str:
        return report.saying.game.code

    @admin.display(description=_("before and after"))
    def around(self, report: ChatReport) -> SafeString:
        lines = selectors.around(saying=report.saying)
        told = ((f"{line.said_at:%Y-%m-%d %H:%M}", line.user or "", line.text) for line in lines)
        return format_html_join("", "<div>{} <b>{}</b> {}</div>", told)

    @admin.action(description=_("Remove these words from the table"))
    def remove_words(self, request: HttpRequest, reports: QuerySet[ChatReport]) -> None:
        self._rule(request, reports, remove=True)

    @admin.action(description=_("Let these words stay"))
    def let_words_stay(self, request: HttpRequest, reports: QuerySet[ChatReport]) -> None:
        self._rule(request, reports, remove=False)

    def _rule(self, request: HttpRequest, reports: QuerySet[ChatReport], *, remove: bool) -> None:
        assert isinstance(request.user, User)
        for report in reports.select_related("saying"):
            try:
                chat.rule(saying=report.saying, remove=remove, by=request.user, now=timezone.now())
            except ServiceError as fault:
                words = refusal(fault.code, {})
                messages.error(request, f"{report.saying}: {words.what} {words.instead}")
