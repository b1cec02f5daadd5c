"""The referee's desk: who may read a case, what a look opens, and what is done from there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from accounts.people import marks
from games.cardnames import card_name
from games.models import Dispute, Entry, Game, Ruling, Step
from games.services import disputes, rulings
from tests.games.pages import words
from tests.games.playing import DAY, NOON, OUT_OF_TWO, at, fresh, play, player, quick_turn, running, settle
from tests.games.tiles import BOTH_SMALL, answer, tile_table
from tests.leagues.playing import league, match

pytestmark = pytest.mark.django_db

QUEUE = "/admin/games/dispute/"
NUL = chr(0)


def referee(name: str = "Corina", *, staff: bool = True) -> User:
    user = player(name)
    user.is_staff = staff
    user.save(update_fields=["is_staff"])
    user.user_permissions.add(Permission.objects.get(codename="referee", content_type__app_label="games"))
    return User.objects.get(pk=user.pk)


def as_user(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture(autouse=True)
def _now() -> Any:
    cache.clear()
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def game() -> Game:
    """The first deal of a private match, a few turns on."""
    game = running("Ana", "Bogdan", seed="the desk", visibility="link")
    for _turn in range(6):
        quick_turn(game)
    return fresh(game)


def disputed(game: Game, *, back: int = 3, opener: str = "Bogdan", kind: str = "collusion") -> Dispute:
    """A dispute about one of the last moves."""
    move = game.entries.filter(kind=Entry.Kind.MOVE).order_by("-number")[back]
    return disputes.open_dispute(
        code=game.code, user=player(opener), kind=kind, words="Look at that move", deal=move.deal, move=move.number, now=NOON
    )


@pytest.fixture
def case(game: Game) -> Dispute:
    return disputed(game)


@pytest.fixture
def corina(case: Dispute) -> Client:
    """The referee of the case."""
    user = referee()
    rulings.claim(case=case.pk, user=user, now=NOON)
    return as_user(user)


def page_of(case: Dispute) -> str:
    return f"{QUEUE}{case.pk}/change/"


def act(client: Client, case: Dispute, act: str, **data: Any) -> Any:
    return client.post(f"{QUEUE}{case.pk}/act/", {"act": act, **data})


def pages(case: Dispute, deal: int = 0) -> list[str]:
    """Every address of the desk."""
    own = f"{QUEUE}{case.pk}/"
    return [QUEUE, f"{own}change/", f"{own}replay/{deal}/", f"{own}replay/{deal}/3/", f"{own}act/"]


def hidden(game: Game) -> set[str]:
    """The cards in both hands that nobody has shown, and those of the stock."""
    table = at(game)
    texts = table.deal.rules.alphabet.texts
    told = {text for entry in game.entries.all() for text in entry.facts.get("cards", [])}
    held = {texts[card] for hand in table.deal.hands for card in hand.cards()}
    return held - told


def undrawn(game: Game) -> set[str]:
    """The cards of which every copy is in the stock."""
    deal = at(game).deal
    texts = deal.rules.alphabet.texts
    drawn = {texts[card] for card in deal.deck[: deal.drawn]}
    return {texts[card] for card in deal.deck[deal.drawn :]} - drawn


def shown(page: str) -> set[str]:
    """The codes of the cards that a page draws or names."""
    return {code for code in CARDS if card_name(code) in page} | set(re.findall(r"(?<![\w-])([A2-9TJQK][SHDC])(?![\w-])", page))


CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]


# -- who reads what ---------------------------------------------------------------------------------


def test_who_is_no_staff_is_sent_to_log_in(case: Dispute) -> None:
    partial = referee("Dan", staff=False)
    for client in (Client(), as_user(player("Ana")), as_user(player("Bogdan")), as_user(player("Zoe")), as_user(partial)):
        for path in pages(case):
            for got in (client.get(path), client.post(path, {"act": "claim"})):
                assert got.status_code == 302 and "/login/" in got["Location"]
    assert Dispute.objects.get().referee is None


def test_staff_without_the_permission_is_refused(case: Dispute) -> None:
    keeper = player("Keeper")
    keeper.is_staff = True
    keeper.save()
    for path in pages(case):
        assert as_user(keeper).get(path).status_code == 403
    assert act(as_user(keeper), case, "claim").status_code == 403


def test_the_queue_tells_age_kind_table_and_whose_case_it_is(game: Game, case: Dispute) -> None:
    Dispute.objects.update(opened_at=NOON - timedelta(hours=30))
    client = as_user(referee())
    page = words(client.get(QUEUE))
    assert game.code in page and "collusion" in page and "30 h" in page and "waits for a referee" in page
    act(client, case, "claim")
    assert "Corina" in words(client.get(QUEUE + "?waiting=mine"))
    assert game.code not in words(client.get(QUEUE + "?waiting=free"))
    assert game.code not in words(client.get(QUEUE + "?league=yes"))
    assert game.code in words(client.get(QUEUE + "?league=no&state=claimed&kind=collusion"))


def test_the_queue_filters_by_nothing_else(case: Dispute) -> None:
    answer = as_user(referee()).get(QUEUE + "?game__deals__deck__startswith=A")
    assert answer.status_code in (302, 400)


def test_the_oldest_that_waits_stands_first_and_what_is_settled_last(game: Game) -> None:
    first, second = disputed(game, opener="Ana"), disputed(game)
    Dispute.objects.filter(pk=second.pk).update(opened_at=NOON - DAY)
    third = running("Ana", "Bogdan", seed="another")
    quick_turn(third)
    settled = disputed(third, back=0)
    disputes.withdraw(case=settled.pk, user=player("Bogdan"), now=NOON)
    found = re.findall(rf"{QUEUE}(\d+)/change/", as_user(referee()).get(QUEUE).content.decode())
    assert list(map(int, found)) == [second.pk, first.pk, settled.pk]


@pytest.mark.parametrize("superuser", [False, True])
def test_a_referee_who_sat_there_sees_the_queue_but_nothing_of_the_case(game: Game, case: Dispute, superuser: bool) -> None:
    ana = referee("Ana")
    User.objects.filter(pk=ana.pk).update(is_superuser=superuser)
    client = as_user(User.objects.get(pk=ana.pk))
    assert game.code in words(client.get(QUEUE))
    page = client.get(page_of(case)).content.decode()
    assert "Look at that move" not in page and "Take the case up" not in page and 'name="act"' not in page
    assert not shown(page)
    for wanted in ("claim", "look", "ask", "freeze", "rule"):
        act(client, case, wanted, words="Why?", hours="1", rule="dismiss", reason="So")
    assert not Step.objects.exclude(kind=Step.Kind.OPENED).exists() and Dispute.objects.get().referee is None


@pytest.mark.parametrize("superuser", [False, True])
def test_without_the_case_nobody_looks_at_hands_or_rules(game: Game, case: Dispute, superuser: bool) -> None:
    user = User.objects.create_superuser("boss") if superuser else referee()
    client = as_user(user)
    page = client.get(page_of(case)).content.decode()
    assert "Look at that move" in page and "Take the case up" in page and "Look at all hands" not in page
    assert "Checks" not in page and not hidden(game) & shown(page)
    for wanted in ("look", "ask", "freeze", "thaw", "release", "rule"):
        answer = act(client, case, wanted, words="Why?", hours="1", rule="dismiss", reason="So")
        assert answer.status_code in (302, 409)
    assert not Step.objects.exclude(kind=Step.Kind.OPENED).exists() and not Ruling.objects.exists()
    for path in pages(case)[2:4]:
        assert client.get(path).status_code == 302


def test_another_referee_s_case_is_to_be_read_but_not_to_be_touched(game: Game, case: Dispute, corina: Client) -> None:
    act(corina, case, "look", deal="0")
    dan = as_user(referee("Dan"))
    page = dan.get(page_of(case)).content.decode()
    assert "Corina looks into it." in page and not hidden(game) & shown(page)
    assert dan.get(f"{QUEUE}{case.pk}/replay/0/3/").status_code == 302
    act(dan, case, "claim")
    assert act(dan, case, "rule", rule="dismiss", reason="No").status_code == 409
    assert Dispute.objects.get().referee == player("Corina") and not Ruling.objects.exists()


# -- a look at the hands ----------------------------------------------------------------------------


def test_before_a_look_no_hand_is_shown_and_a_get_opens_none(game: Game, case: Dispute, corina: Client) -> None:
    for path in (page_of(case), page_of(case) + "?deal=0&at=3", page_of(case) + "?act=look"):
        page = corina.get(path).content.decode()
        assert "Look at all hands" in page and not hidden(game) & shown(page)
    assert corina.get(f"{QUEUE}{case.pk}/replay/0/3/")["Location"].endswith("/change/?deal=0")
    assert not Step.objects.filter(kind=Step.Kind.LOOKED).exists()


def test_a_look_is_noted_and_opens_all_hands_but_never_the_stock(game: Game, case: Dispute, corina: Client) -> None:
    assert act(corina, case, "look", deal="0").status_code == 302
    step = Step.objects.get(kind=Step.Kind.LOOKED)
    assert step.user == player("Corina") and step.facts == {"deal": 0, "upto": fresh(game).log_length - 1}
    last = len(at(game).deal.rules.alphabet.texts) and 99
    pages_seen = [page_of(case) + f"?deal=0&at={last}", f"{QUEUE}{case.pk}/replay/0/{last}/?seat=all"]
    for path in pages_seen:
        page = corina.get(path).content.decode()
        assert hidden(game) <= shown(page) and not undrawn(game) & shown(page)
        assert "The stock" not in page or "next" not in page


def test_the_page_of_a_case_stands_at_the_disputed_move(game: Game, case: Dispute, corina: Client) -> None:
    act(corina, case, "look", deal="0")
    page = corina.get(page_of(case)).content.decode()
    assert "Deal 1, move 9, all hands" in page and page.count('aria-current="step"') == 1
    assert "?deal=0&amp;at=8#position" in page and "?deal=0&amp;at=10#position" in page


def test_after_a_look_the_deal_goes_on_unseen(game: Game, case: Dispute, corina: Client) -> None:
    act(corina, case, "look", deal="0")
    before = hidden(game)
    steps = len(game.entries.filter(kind=Entry.Kind.MOVE))
    drawn = at(game).deal.drawn
    for _turn in range(2):
        quick_turn(game)
    deal = at(game).deal
    texts = deal.rules.alphabet.texts
    new = {texts[card] for card in deal.deck[drawn : deal.drawn]} - {texts[card] for card in deal.deck[:drawn]}
    new -= {text for entry in game.entries.all() for text in entry.facts.get("cards", [])}
    page = corina.get(page_of(case) + "?deal=0&at=99").content.decode()
    assert f"Deal 1, move {steps}, all hands" in page and "Look again" in page and before
    assert not new & shown(page)
    replayed = corina.get(f"{QUEUE}{case.pk}/replay/0/99/?seat=all").content.decode()
    assert not new & shown(replayed) and f"of {steps}" in replayed
    act(corina, case, "look", deal="0")
    assert "Look again" not in corina.get(page_of(case)).content.decode()


def test_a_look_in_one_case_opens_nothing_in_another(game: Game, case: Dispute, corina: Client) -> None:
    act(corina, case, "look", deal="0")
    other = disputed(game, opener="Ana")
    rulings.claim(case=other.pk, user=player("Corina"), now=NOON)
    assert not hidden(game) & shown(corina.get(page_of(other)).content.decode())
    assert corina.get(f"{QUEUE}{other.pk}/replay/0/3/").status_code == 302


def test_who_gives_the_case_back_sees_the_hands_no_more(game: Game, case: Dispute, corina: Client) -> None:
    act(corina, case, "look", deal="0")
    act(corina, case, "release")
    assert not hidden(game) & shown(corina.get(page_of(case)).content.decode())
    assert corina.get(f"{QUEUE}{case.pk}/replay/0/3/").status_code == 302


def test_of_a_deal_that_is_over_the_stock_is_shown_too() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    case = disputes.open_dispute(code=game.code, user=player("Ana"), kind="rule", words="The score", deal=0, now=NOON)
    rulings.claim(case=case.pk, user=referee(), now=NOON)
    client = as_user(player("Corina"))
    assert "next 7 of" not in client.get(page_of(case)).content.decode()
    act(client, case, "look", deal="0")
    assert "next 7 of" in words(client.get(page_of(case)))
    running_deal = client.get(page_of(case) + "?deal=1").content.decode()
    assert "Look at all hands" in running_deal and not hidden(game) & shown(running_deal)


def test_a_step_for_htmx_is_the_step_alone(case: Dispute, corina: Client) -> None:
    act(corina, case, "look", deal="0")
    answer = corina.get(f"{QUEUE}{case.pk}/replay/0/?at=4", headers={"HX-Request": "true"})
    assert answer.status_code == 200 and "<html" not in answer.content.decode()
    assert answer.headers["HX-Replace-Url"].endswith(f"{QUEUE}{case.pk}/replay/0/4/?seat=all")


# -- what is told of a case -------------------------------------------------------------------------


def test_the_log_has_times_actors_and_notation(game: Game, case: Dispute, corina: Client) -> None:
    page = words(corina.get(page_of(case)))
    last = game.entries.filter(kind=Entry.Kind.MOVE).latest("number")
    assert last.text in page and "12:00:00" in page and "player" in page and "server" in page


def test_the_checks_say_that_all_is_well(case: Dispute, corina: Client) -> None:
    page = words(corina.get(page_of(case)))
    for good in ("Chain unbroken", "Shuffle as promised", "Replay equals what is stored", "No address in common"):
        assert good in page
    assert "The league has the same points" not in page and "data-bad" not in corina.get(page_of(case)).content.decode()


def test_the_checks_find_a_hand_that_was_changed(game: Game, case: Dispute, corina: Client) -> None:
    hand = at(game).hands[0]
    hand.cards = hand.cards[1:]
    hand.save()
    page = corina.get(page_of(case)).content.decode()
    assert "What is stored differs from the log" in page and "the hand differs" in page and "Chain unbroken" in page


def test_the_checks_find_another_deck(game: Game, case: Dispute, corina: Client) -> None:
    act(corina, case, "look", deal="0")
    row = at(game).row
    row.deck = " ".join(reversed(row.deck.split()))
    row.save()
    page = corina.get(page_of(case))
    assert page.status_code == 200 and "Another shuffle than promised" in page.content.decode()


def test_players_at_one_address_are_hinted_at_to_the_referee_of_the_case_alone(case: Dispute, corina: Client) -> None:
    for name in ("Ana", "Bogdan"):
        marks.note(user_id=player(name).pk, address="192.0.2.7", now=NOON + timedelta(hours=1))
    assert "Two players, one address" in words(corina.get(page_of(case)))
    assert "Two players, one address" not in words(as_user(referee("Dan")).get(page_of(case)))


def test_the_history_tells_what_the_two_have_in_common(case: Dispute, corina: Client) -> None:
    other = running("Ana", "Zoe", seed="alone")
    quick_turn(other)
    page = words(corina.get(page_of(case)))
    assert re.search(r"Matches\s+(1\s+2|2\s+1)", page) and re.search(r"Together\s+1\s+1", page)
    assert "0 % of" in page and "There are too few discards to tell anything." in page
    assert re.search(r"Disputes opened, upheld\s+(0, 0\s+1, 0|1, 0\s+0, 0)", page)


def test_a_page_of_a_case_asks_a_bounded_number_of_questions(
    game: Game, case: Dispute, corina: Client, django_assert_max_num_queries: Any
) -> None:
    act(corina, case, "look", deal="0")
    for _match in range(3):
        quick_turn(running("Ana", "Bogdan", "Zoe", seed="more"))
    with django_assert_max_num_queries(60):
        corina.get(page_of(case))


# -- what is done -----------------------------------------------------------------------------------


def test_a_case_from_claim_to_ruling(game: Game, case: Dispute) -> None:
    client = as_user(referee())
    assert "The case is yours." in words(client.post(f"{QUEUE}{case.pk}/act/", {"act": "claim"}, follow=True))
    act(client, case, "ask", words="What did you see?")
    act(client, case, "freeze", hours="24")
    assert fresh(game).frozen_until == NOON + DAY
    assert "The clock is frozen until" in words(client.get(page_of(case)))
    act(client, case, "thaw")
    assert fresh(game).frozen_until is None
    act(client, case, "rule", rule="dismiss", reason="Nothing speaks for it.")
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.reason, ruling.referee) == ("dismiss", "Nothing speaks for it.", player("Corina"))
    page = words(client.get(page_of(case)))
    assert "What did you see?" in page and "Nothing speaks for it." in page and "Checks" not in page


def test_going_back_undoes_the_moves_from_the_disputed_one_on(game: Game, case: Dispute, corina: Client) -> None:
    page = corina.get(page_of(case)).content.decode()
    assert re.search(r'name="to"[^>]*value="9"', page)
    act(corina, case, "rule", rule="back", to="9", reason="A slip of the finger.")
    assert Ruling.objects.get().kind == "back"
    assert game.entries.filter(text="rolled_back").exists()
    assert "undone" in words(corina.get(page_of(case)))


@pytest.mark.parametrize(("sent", "kind"), [
    ({"rule": "void", "deal": "0"}, "void"),
    ({"rule": "points", "points_0": "-30", "points_1": "-30"}, "points"),
    ({"rule": "remove", "who": "1"}, "remove"),
])  # fmt: skip
def test_the_form_makes_each_ruling(sent: dict[str, str], kind: str, case: Dispute, corina: Client) -> None:
    answer = act(corina, case, "rule", reason="So it is.", **sent)
    assert answer.status_code == 302 and Ruling.objects.get().kind == kind
    assert kind != "points" or Ruling.objects.get().facts["points"] == {"0": -30, "1": -30}


def test_an_appeal_is_for_another_referee(game: Game, case: Dispute, corina: Client) -> None:
    act(corina, case, "rule", rule="dismiss", reason="No.")
    disputes.appeal(case=case.pk, user=player("Bogdan"), words="Look again", now=NOON)
    page = words(corina.get(page_of(case)))
    assert "Take the case up" not in page and "the appeal is for another referee" in page
    act(corina, case, "claim")
    assert Dispute.objects.get().referee is None
    dan = as_user(referee("Dan"))
    act(dan, case, "claim")
    assert "It is the last word." in words(dan.get(page_of(case)))
    act(dan, case, "rule", rule="dismiss", reason="It stands.")
    assert Dispute.objects.get().state == Dispute.State.CLOSED and Ruling.objects.count() == 2


NO_RULINGS: tuple[dict[str, str], ...] = (
    {}, {"rule": ""}, {"rule": "hang"}, {"rule": "dismiss"}, {"rule": "dismiss", "reason": " "},
    {"rule": "dismiss", "reason": "x" * 2001}, {"rule": "dismiss", "reason": NUL},
    {"rule": "back", "reason": "So"}, {"rule": "back", "to": "999", "reason": "So"}, {"rule": "back", "to": "²", "reason": "So"},
    {"rule": "back", "to": "-1", "reason": "So"}, {"rule": "back", "to": "9" * 40, "reason": "So"},
    {"rule": "void", "deal": "7", "reason": "So"}, {"rule": "void", "deal": "²", "reason": "So"},
    {"rule": "points", "reason": "So"}, {"rule": "points", "points_0": "0", "reason": "So"},
    {"rule": "points", "points_0": "5", "points_1": "1e9", "reason": "So"},
    {"rule": "points", "points_0": "10001", "reason": "So"}, {"rule": "points", "points_0": NUL, "reason": "So"},
    {"rule": "points", "points_9": "5", "reason": "So"}, {"rule": "points", "points_0": "²", "reason": "So"},
    {"rule": "remove", "who": "9", "reason": "So"}, {"rule": "reopen", "reason": "So"},
)  # fmt: skip


def test_a_ruling_that_makes_no_sense_is_refused_and_what_was_written_stays(game: Game, case: Dispute, corina: Client) -> None:
    for sent in NO_RULINGS:
        answer = act(corina, case, "rule", **sent)
        assert answer.status_code in (409, 422) and 'class="refusal"' in answer.content.decode(), sent
        assert sent.get("reason") != "So" or ">So</textarea>" in answer.content.decode()
    assert not Ruling.objects.exists() and fresh(game).log_length == game.log_length


NOT_TO_BE_DONE: tuple[tuple[str, dict[str, str]], ...] = (
    ("ask", {"words": ""}), ("ask", {"words": NUL}), ("ask", {"words": "x" * 2001}), ("freeze", {}), ("freeze", {"hours": "0"}),
    ("freeze", {"hours": "73"}), ("freeze", {"hours": "²"}), ("freeze", {"hours": "9" * 60}), ("freeze", {"hours": "-4"}),
    ("thaw", {}),
)  # fmt: skip


def test_what_cannot_be_done_is_refused_in_words(game: Game, case: Dispute, corina: Client) -> None:
    steps = Step.objects.count()
    for wanted, sent in NOT_TO_BE_DONE:
        answer = corina.post(f"{QUEUE}{case.pk}/act/", {"act": wanted, **sent}, follow=True)
        assert answer.status_code in (200, 409) and 'class="refusal"' in answer.content.decode(), (wanted, sent)
    assert Step.objects.count() == steps and fresh(game).frozen_until is None


def test_there_is_no_other_button(case: Dispute, corina: Client) -> None:
    for sent in ({}, {"act": ""}, {"act": "hang"}, {"act": NUL}):
        assert corina.post(f"{QUEUE}{case.pk}/act/", sent).status_code == 400


STRANGE_ADDRESSES = ("deal=99&at=9999999", "deal=²&at=²", "deal=-1", "at=" + "9" * 99, "one=²&other=1", "one=1&other=1", "log=²")


def test_a_strange_address_shows_what_there_is(case: Dispute, corina: Client) -> None:
    act(corina, case, "look", deal="0")
    for query in STRANGE_ADDRESSES:
        assert corina.get(f"{page_of(case)}?{query}").status_code == 200, query


def test_a_case_or_a_deal_that_is_not_there_is_a_404(case: Dispute, corina: Client) -> None:
    assert corina.get(f"{QUEUE}{case.pk + 1}/change/").status_code == 404
    assert act(corina, Dispute(pk=case.pk + 1), "claim").status_code == 404
    assert corina.get(f"{QUEUE}{case.pk}/replay/7/").status_code == 404
    assert corina.get(f"{QUEUE}{case.pk}/replay/99999999999999999999/").status_code == 404


def test_a_ruling_is_no_get_and_wants_the_token(case: Dispute, corina: Client) -> None:
    assert corina.get(f"{QUEUE}{case.pk}/act/?act=release").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(player("Corina"), backend="django.contrib.auth.backends.ModelBackend")
    assert act(strict, case, "release").status_code == 403
    assert Dispute.objects.get().referee == player("Corina")


def test_a_referee_who_plays_in_the_league_is_told_why(case: Dispute) -> None:
    made = league("Ana", "Bogdan", "Dan")
    game = match(made, "Ana", "Bogdan")
    quick_turn(game)
    own = disputed(game, back=0)
    dan = as_user(referee("Dan"))
    page = dan.get(page_of(own)).content.decode()
    assert "league" in page and "Take the case up" not in page
    act(dan, own, "claim")
    assert Dispute.objects.get(pk=own.pk).referee is None
    assert "counts in Friday league" in words(as_user(referee("Corina")).get(page_of(own)))


def test_tiles_are_drawn_as_tiles_and_sealed_answers_stay_sealed() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    answer(game, "X:2R")
    answer(game, "X:3Y", by="Bogdan")
    assert game.entries.filter(text__startswith="X").count() == 2
    case = disputes.open_dispute(code=game.code, user=player("Ana"), kind="other", words="See", deal=0, now=NOON)
    rulings.claim(case=case.pk, user=referee(), now=NOON)
    client = as_user(player("Corina"))
    log = client.get(page_of(case)).content.decode()
    assert "X:" not in log and 'class="tile"' not in log
    act(client, case, "look", deal="0")
    assert 'class="tile"' in client.get(page_of(case)).content.decode()


STRANGE_QUESTIONS = (
    "q=abc", "q=²", "q=%00", "q=" + "9" * 40, "state=%00", "state__exact=%00", "state=hang", "kind=%00", "waiting=%00",
    "waiting=x", "league=x", "p=²", "p=-1", "o=²", "o=1.9.-4", "o=%00", "e=1", "_facets=x", "state__in=open,%00",
    "kind__isnull=²",
)  # fmt: skip


def test_a_strange_question_to_the_queue_is_no_fault_of_the_server(case: Dispute, corina: Client) -> None:
    for query in STRANGE_QUESTIONS:
        assert corina.get(f"{QUEUE}?{query}").status_code in (200, 302, 400), query


def test_while_doubles_are_exchanged_a_look_tells_not_who_has_answered() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    case = disputes.open_dispute(code=game.code, user=player("Ana"), kind="other", words="See", deal=0, now=NOON)
    rulings.claim(case=case.pk, user=referee(), now=NOON)
    client = as_user(player("Corina"))
    act(client, case, "look", deal="0")
    paths = [page_of(case), f"{QUEUE}{case.pk}/replay/0/0/"]
    token = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"|nonce-\w+')
    client.get(paths[0])  # which says once that the look is noted
    before = [token.sub("", client.get(path).content.decode()) for path in paths]
    answer(game, "X:2R")
    for path, page in zip(paths, before, strict=True):
        assert token.sub("", client.get(path).content.decode()).splitlines() == page.splitlines()


def test_a_case_that_its_referee_has_left_is_offered_to_another(case: Dispute) -> None:
    rulings.claim(case=case.pk, user=referee(), now=NOON)
    dora = as_user(referee("Dora"))
    path = f"{QUEUE}{case.pk}/change/"
    assert "Corina looks into it." in words(dora.get(path))
    with time_machine.travel(NOON + 8 * DAY, tick=False):
        dora = as_user(player("Dora"))
        assert "has done nothing in it for a week: you may take it up." in words(dora.get(path))
        dora.post(f"{QUEUE}{case.pk}/act/", {"act": "claim"})
        assert Dispute.objects.get(pk=case.pk).referee == player("Dora")
