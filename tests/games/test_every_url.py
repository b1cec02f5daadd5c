"""Every address of the site as every kind of visitor: the status, and no card that the visitor may not know.

An address without its row here fails the test: whoever adds one says who may see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pytest
import time_machine
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone, translation

from accounts.models import League, User
from accounts.people.services import make_guest
from games import engine
from games.cardnames import card_name
from games.models import ChatReport, Deal, Dispute, Entry, Game, Outage
from games.services import chat, disputes, outages
from tests.games.cases import keeper_and_referee
from tests.games.playing import DAY, NOON, at, on_turn, play, player, quick_turn, running
from tests.leagues.playing import league
from tests.secrecy.answers import Said, difference, said, watched
from tests.secrecy.twins import twin

pytestmark = pytest.mark.django_db

VISITORS = ("nobody", "stranger", "guest", "Ana", "Bogdan", "superuser")
REFEREE = "referee"
"""Beside them: at the tables like a stranger, and of the admin let in where the row says so."""


class Row(NamedTuple):
    """The statuses of a GET by visitor, in the order of VISITORS, and what fills the address."""

    statuses: str
    fill: dict[str, str] = {}  # noqa: RUF012
    examples: bool = False
    """Whether the page shows cards as examples."""


LOGIN = "302 200 200 200 200 200"
ADMIN = "302 302 302 302 302 200"
NO_ADMIN = "302 302 302 302 302 403"
POST_ONLY = "405 405 405 405 405 405"
EVERYBODY = "200 200 200 200 200 200"
ORGANISER = "302 403 403 200 403 403"
LEAGUE_POSTS = (
    "join", "withdraw", "leave", "make_table", "answer", "start_season", "end_season", "reopen_season", "adjust", "change",
    "substitute",
)  # fmt: skip

ROWS = {
    "landing": Row("200 302 302 302 302 302", examples=True),
    "set_language": Row(POST_ONLY),
    "settings": Row(LOGIN, examples=True),
    "vacation": Row(LOGIN),
    "end_vacation": Row("302 405 405 405 405 405"),
    "own_data": Row(LOGIN),
    "ask_data": Row(POST_ONLY),
    "download_data": Row("302 404 404 404 404 404"),
    "delete_account": Row(LOGIN),
    "ways": Row(LOGIN),
    "test_message": Row(POST_ONLY),
    "add_device": Row(POST_ONLY),
    "renew_device": Row(POST_ONLY),
    "remove_device": Row(POST_ONLY, {"pk": "1"}),
    "messages": Row(LOGIN, examples=True),
    "open_message": Row(POST_ONLY),
    "read_all": Row(POST_ONLY),
    "bell": Row(LOGIN),
    "service_worker": Row(EVERYBODY),
    "unsubscribe": Row("404 404 404 404 404 404", {"token": "no-such-token"}, examples=True),
    "account_login": Row("200 302 200 302 302 302", examples=True),
    "account_signup": Row("200 302 200 302 302 302", examples=True),
    "account_logout": Row("302 200 200 200 200 200", examples=True),
    "account_inactive": Row(EVERYBODY, examples=True),
    "account_email": Row("302 200 302 200 200 200", examples=True),
    "account_email_verification_sent": Row(EVERYBODY, examples=True),
    "account_confirm_email": Row(EVERYBODY, {"key": "no-such-key"}, examples=True),
    "account_change_password": Row("302 200 302 200 200 200", examples=True),
    "account_set_password": Row("302 302 302 302 302 302"),
    "account_reauthenticate": Row("302 200 302 200 200 200", examples=True),
    "account_reset_password": Row(EVERYBODY, examples=True),
    "account_reset_password_done": Row(EVERYBODY, examples=True),
    "account_reset_password_from_key": Row(EVERYBODY, {"uidb36": "1", "key": "no-such-key"}, examples=True),
    "account_reset_password_from_key_done": Row(EVERYBODY, examples=True),
    "games:rules_index": Row(EVERYBODY, examples=True),
    "games:rules": Row(EVERYBODY, {"variant": "rami500"}, examples=True),
    "games:play_now": Row(POST_ONLY),
    "games:home": Row(LOGIN, examples=True),
    "games:new": Row(LOGIN, examples=True),
    "games:lobby": Row(LOGIN, examples=True),
    "games:records": Row(LOGIN),
    "games:look": Row(POST_ONLY),
    "games:keep": Row(POST_ONLY),
    "games:kept": Row("302 404 404 404 404 404"),
    "games:forget": Row(POST_ONLY),
    "games:kept_deal": Row("302 404 404 404 404 404", {"number": "0"}),
    "games:kept_step": Row("302 404 404 404 404 404", {"number": "0", "move": "1"}),
    "games:table": Row(LOGIN),
    "games:poll": Row(LOGIN, {"version": "0"}),
    "games:buttons": Row(LOGIN),
    "games:play": Row(POST_ONLY),
    "games:answer": Row(POST_ONLY),
    "games:arrange": Row(POST_ONLY),
    "games:log": Row(LOGIN),
    "games:chat": Row(LOGIN),
    "games:say": Row(POST_ONLY),
    "games:chat_seen": Row(POST_ONLY),
    "games:chat_act": Row(POST_ONLY, {"number": "1"}),
    "games:waiting": Row("302 302 302 302 302 302"),
    "games:join": Row(POST_ONLY),
    "games:invite": Row(POST_ONLY),
    "games:decline": Row(POST_ONLY),
    "games:looking": Row(POST_ONLY),
    "games:leave": Row(POST_ONLY),
    "games:start": Row(POST_ONLY),
    "games:cancel": Row(POST_ONLY),
    "games:back": Row(POST_ONLY),
    "games:take_over": Row("302 200 200 200 200 200"),
    "games:pause": Row(POST_ONLY),
    "games:resign": Row("302 404 404 200 200 404"),
    "games:disputes": Row("302 404 404 200 200 404"),
    "games:new_dispute": Row("302 404 404 200 200 404"),
    "games:dispute": Row("302 404 404 200 200 404", {"case": "{case}"}),
    "games:act_on_dispute": Row(POST_ONLY, {"case": "{case}"}),
    "games:rulings": Row(EVERYBODY),
    "games:result": Row("302 404 404 404 404 404", {"number": "0"}),
    "games:replay": Row("302 302 302 302 302 302", {"number": "0"}),
    "games:replay_move": Row(LOGIN, {"number": "0", "move": "11"}),
    "games:record": Row(LOGIN),
    "games:record_text": Row(LOGIN),
    "games:shuffle": Row(LOGIN),
    "games:contribute": Row(POST_ONLY),
    "games:check": Row("302 404 404 404 404 404", {"number": "0"}),
    "games:go_on": Row(POST_ONLY, {"number": "0"}),
    "profile": Row(EVERYBODY, {"name": "Ana"}, examples=True),
    "leagues:index": Row(EVERYBODY, examples=True),
    "leagues:new": Row(LOGIN, examples=True),
    "leagues:league": Row(EVERYBODY, {"code": "{league}"}),
    "leagues:season": Row(EVERYBODY, {"code": "{league}", "number": "1"}),
    "leagues:matches": Row(EVERYBODY, {"code": "{league}", "number": "1"}),
    "leagues:ledger": Row(EVERYBODY, {"code": "{league}", "number": "1"}),
    "leagues:player": Row(EVERYBODY, {"code": "{league}", "number": "1", "name": "Ana"}),
    "leagues:export": Row(EVERYBODY, {"code": "{league}", "number": "1", "kind": "ledger", "form": "json"}),
    "leagues:embed": Row(EVERYBODY, {"code": "{league}"}),
    "leagues:people": Row(EVERYBODY, {"code": "{league}"}),
    "leagues:manage": Row(ORGANISER, {"code": "{league}"}),
    "leagues:edit": Row(ORGANISER, {"code": "{league}"}, examples=True),
    "leagues:tables": Row(ORGANISER, {"code": "{league}"}),
    "leagues:member": Row(ORGANISER, {"code": "{league}", "name": "Bogdan"}),
    "leagues:decide": Row(POST_ONLY, {"code": "{league}", "name": "Bogdan"}),
    **{f"leagues:{name}": Row(POST_ONLY, {"code": "{league}"}) for name in LEAGUE_POSTS},
    "admin:index": Row(ADMIN),
    "admin:login": Row("302 403 403 403 403 302"),
    "admin:logout": Row("302 302 302 302 302 405"),
    "admin:password_change": Row(ADMIN),
    "admin:password_change_done": Row(ADMIN),
    "admin:autocomplete": Row("302 302 302 302 302 403"),
    "admin:jsi18n": Row(ADMIN),
    "admin:view_on_site": Row("302 302 302 302 302 404", {"content_type_id": "{content_type}", "object_id": "{game}"}),
    "admin:app_list": Row(ADMIN, {"app_label": "games"}),
    "admin:games_dispute_changelist": Row(ADMIN),
    "admin:games_dispute_change": Row(ADMIN, {"pk": "{case}"}),
    "admin:games_dispute_act": Row("302 302 302 302 302 405", {"pk": "{case}"}),
    "admin:games_dispute_replay": Row("302 302 302 302 302 302", {"pk": "{case}", "number": "0"}),
    "admin:games_dispute_step": Row("302 302 302 302 302 302", {"pk": "{case}", "number": "0", "move": "11"}),
    "admin:auth_user_password_change": Row(ADMIN, {"id": "{user}"}),
}
ADMIN_OBJECTS = {
    "auth_group": "1",
    "account_emailaddress": "1",
    "accounts_user": "{user}",
    "games_game": "{game}",
    "games_deal": "{deal}",
    "games_entry": "{entry}",
    "games_outage": "{outage}",
    "games_watch": "1",
    "games_chatreport": "{report}",
}
READ_ONLY = ("games_game", "games_deal", "games_entry", "games_outage", "games_watch", "games_chatreport")


@pytest.fixture
def game() -> Game:
    return furnished()


def furnished() -> Game:
    """A public table of two, a few turns on, the player on turn with a card drawn."""
    game = running("Ana", "Bogdan", seed="every address")
    for _turn in range(5):
        quick_turn(game)
    play(game, "S")
    league("Ana", "Bogdan")
    furnish(game)
    return game


def furnish(game: Game) -> None:
    """What else addresses lead to, at a table where Ana and Bogdan sit: whoever adds a kind of thing puts one here."""
    outages.beat(now=NOON)
    outages.give(span=DAY, reason="", by=None, now=NOON)
    chat.say(code=game.code, user=player("Ana"), text="Good luck!", now=NOON)
    chat.report(game=game, number=1, user=player("Bogdan"), now=NOON)
    disputes.open_dispute(code=game.code, user=player("Ana"), kind="rule", words="Was that allowed?", deal=0, now=NOON)


@pytest.fixture
def visitors(game: Game) -> dict[str, Client]:
    return everybody()


def everybody() -> dict[str, Client]:
    """A browser of each visitor."""
    clients = {name: Client() for name in VISITORS}
    people = {
        "stranger": player("Céline"),
        "guest": make_guest(language="en", now=timezone.now()),
        "Ana": player("Ana"),
        "Bogdan": player("Bogdan"),
        "superuser": User.objects.create_superuser("boss"),
        REFEREE: keeper_and_referee(player("Ref")),
    }
    clients[REFEREE] = Client()
    for name, person in people.items():
        if not person.is_guest:
            person.set_password("a long password")
            person.save(update_fields=["password"])
        clients[name].force_login(person)
    return clients


def patterns(resolver: URLResolver, before: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Every address of the site: its name and its pattern."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inside = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from patterns(pattern, before + str(pattern.pattern), inside)
        elif isinstance(pattern, URLPattern):
            yield space + (pattern.name or ""), before + str(pattern.pattern)


def row_of(name: str) -> Row | None:
    if name in ROWS:
        return ROWS[name]
    if name == "admin:games_outage_add":  # that gives time to every clock
        return Row(ADMIN)
    found = re.fullmatch(r"admin:(\w+)_(changelist|add|history|delete|change)", name)
    if found is None or found[1] not in ADMIN_OBJECTS:
        return None
    model, page = found.groups()
    read_only = model in READ_ONLY
    fill = {"object_id": ADMIN_OBJECTS[model]} if page in ("history", "delete", "change") else {}
    missing = model in ("auth_group", "account_emailaddress", "games_entry") and fill
    if read_only and page in ("add", "delete"):
        return Row(NO_ADMIN, fill)
    return Row("302 302 302 302 302 302" if missing else ADMIN, fill)


def statuses(name: str, row: Row) -> dict[str, int]:
    """By visitor, what an address answers. The one permission of referees opens in the admin what is theirs."""
    found = dict(zip(VISITORS, map(int, row.statuses.split()), strict=True))
    theirs = re.match(
        r"admin:games_(dispute|chatreport)_(?!add|delete)|admin:(index|login|logout|password|jsi18n|app_list)", name
    )
    if not name.startswith("admin:"):
        found[REFEREE] = found["stranger"]
    else:
        asked = name in ("admin:autocomplete", "admin:view_on_site") or (name.endswith("_history") and found["superuser"] == 302)
        found[REFEREE] = found["superuser"] if theirs or asked else 403
    return found


def address(pattern: str, row: Row, game: Game, known: dict[str, Any]) -> str:
    """An address that is there: the pattern with its parts filled in."""
    filled = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"<\1>", pattern).replace("^", "").replace("$", "")
    part = {**{"code": game.code}, **row.fill}
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(part[found[1]]).format(**known), filled)


def things(game: Game) -> dict[str, Any]:
    """What the addresses of rows may name."""
    return {
        "code": game.code,
        "game": game.pk,
        "deal": Deal.objects.filter(game=game).latest("number").pk,
        "entry": Entry.objects.filter(game=game).latest("number").pk,
        "user": player("Ana").pk,
        "report": ChatReport.objects.get().pk,
        "case": Dispute.objects.get().pk,
        "outage": Outage.objects.get().pk,
        "league": League.objects.get().code,
        "content_type": ContentType.objects.get_for_model(Game).pk,
    }


def secrets(game: Game, name: str) -> set[str]:
    """The cards that a visitor may not know: in the hands of others and in the stock, where nobody has shown them."""
    table = at(game)
    seat = next((seat.index for seat in table.seats if seat.user and seat.user.username == name), None)
    view = engine.view(table.deal, seat)
    known = {*view.hand.cards(), *view.row, *(card for hand in view.known for card in hand.cards())}
    known |= {card & 63 for meld in view.melds for card in meld.cards}
    told = {text for entry in Entry.objects.filter(game=game) for text in entry.facts.get("cards", [])}
    return {view.rules.alphabet.texts[card] for card in set(range(52)) - known} - told


def told_of(body: str, headers: Iterable[tuple[str, str]], secret: set[str]) -> list[str]:
    """The secrets that an answer tells, as codes or in words, in body or headers."""
    everything = body + "\n" + "\n".join(f"{name}: {value}" for name, value in headers)
    codes = set(re.findall(r"(?<![\w-])\*?([A2-9TJQK][SHDC])(?![\w-])", everything))
    with translation.override("en"):
        words = {text for text in secret if re.search(rf"\b{card_name(text)}\b", everything)}
    return sorted((codes & secret) | words)


def told(said: Said, deal: Deal, secret: set[str], *, examples: bool) -> list[str]:
    """What an answer tells that it must not."""
    body = said.body.decode(errors="replace")
    found = ["deck"] if deal.deck[:20] in body else []
    found += ["seed"] if bytes(deal.seed).hex() in body else []
    return found if examples else found + told_of(body, said.headers, secret)


def test_every_address_answers_every_visitor_as_its_row_says_and_tells_no_secret() -> None:
    """… and writes nothing for having been looked at; nor would it answer otherwise if hidden cards were others."""
    with time_machine.travel(NOON, tick=False):
        game = furnished()
        clients = everybody()
        deal, known, wrong = Deal.objects.get(game=game), things(game), []
        hidden = {name: secrets(game, name) for name in clients}
        about: dict[str, dict[str, Said]] = {name: {} for name in clients}
        for name, pattern in patterns(get_resolver()):
            row = row_of(name)
            if row is None:
                if name != "admin:":  # the admin's own way to what it does not know
                    wrong.append(f"{pattern} ({name}) has no row")
                continue
            path = address(pattern, row, game, known)
            for visitor, status in statuses(name, row).items():
                with watched() as statements:
                    answer = asked(clients[visitor], path)
                if answer.status != status:
                    wrong.append(f"{path} as {visitor}: {answer.status}, not {status}")
                if statements.writes:
                    wrong.append(f"{path} as {visitor} writes: {statements.writes}")
                if found := told(answer, deal, hidden[visitor], examples=row.examples):
                    wrong.append(f"{path} as {visitor}: shows {found}")
                if statements.secret:
                    about[visitor][path] = answer
        wrong += differing(game, clients, about)
    assert not wrong, "\n".join(wrong)


def asked(client: Client, path: str) -> Said:
    """What a visitor is answered, without what an address before has left to be told on the next page."""
    if "sessionid" in client.cookies:
        session = client.session
        if session.pop("_messages", None) is not None:
            session.save()
    return said(client.get(path))


def differing(game: Game, clients: dict[str, Client], about: dict[str, dict[str, Said]]) -> list[str]:
    """Which of these answers are others where cards are others that their reader has not seen."""
    seats: dict[str, int | None] = {"Ana": 0, "Bogdan": 1, "stranger": None, "superuser": None, REFEREE: None}
    wrong = []
    for seat in (None, 0, 1):
        with twin(game, seat):
            for name in (name for name, place in seats.items() if place == seat):
                for path, was in about[name].items():
                    if (now := asked(clients[name], path)) != was:
                        wrong.append(f"{path} as {name} hangs on hidden cards: {difference(str(was), str(now))}")
    return wrong


def test_the_test_would_see_a_card_that_is_shown_to_the_wrong_one(game: Game, visitors: dict[str, Client]) -> None:
    answer = visitors["Ana"].get(f"/t/{game.code}/").content.decode()
    assert told_of(answer, [], secrets(game, "Bogdan")) and told_of(answer, [], secrets(game, "nobody"))
    assert not told_of(answer, [], secrets(game, "Ana"))


@pytest.mark.parametrize(
    "lost",
    ["/t/{code}x/", "/t/no-such-table/", "/t/{code}/deals/7/", "/rules/gin/", "/t/{code}/poll/x/", "/t/{code}/deals/7/replay/0/"],
)
def test_what_is_not_there_is_a_404_for_everybody_who_is_logged_in(lost: str, game: Game, visitors: dict[str, Client]) -> None:
    for name in VISITORS[1:]:
        assert visitors[name].get(lost.format(code=game.code)).status_code == 404


@pytest.mark.parametrize("path", ["play/", "pause/", "arrange/", "leave/", "back/", "take-over/", "resign/", "deals/0/go-on/"])
def test_posts_of_those_who_do_not_sit_there_change_nothing(path: str, game: Game, visitors: dict[str, Client]) -> None:
    before = (game.status, at(game).game.version, on_turn(game).pk)
    for name in ("nobody", "stranger", "guest", "superuser"):
        answer = visitors[name].post(f"/t/{game.code}/{path}", {"move": "U", "act": "agree", "version": before[1]})
        assert answer.status_code in (302, 404)
    assert (game.status, at(game).game.version, on_turn(game).pk) == before
