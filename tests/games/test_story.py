"""One table lives through all that can happen to its clock and its seats, and its log reads like a story."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine

from accounts.models import Message
from games import engine, selectors
from games.forms import USUAL_TABLE
from games.models import Game
from games.services import reliability
from tests.games.pages import visitor, words
from tests.games.playing import DAY, NOON, at, chance, differences, player, seat, sweep

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)

# With these, whoever plays first can go out in that turn, and the third to play in the deal after it. Ana bides her time.
FIRST_DEAL, SECOND_DEAL = "lucky 36", "story 231"
ANA_GOES_OUT = ["M:*JD,QD,KD", "M:QS,QH,QC"]
ANA_GOES_OUT_AGAIN = ["P1", "M:2S,2H,2D", "M:6S,*7S,8S,9S", "D:3S"]


def plain(line: str) -> str:
    """A line of the log without its markup, suits as signs."""
    signs = dict(zip("SHDC", "♠♥♦♣", strict=True))
    drawn = re.sub(r'<svg[^>]*data-s="(.)".*?</svg>', lambda found: signs[found[1]], line, flags=re.S)
    told = " ".join(html.unescape(re.sub(r"<[^>]+>", "", drawn)).split())
    return re.sub(r"\b[0-9a-f]{4} [0-9a-f]{4} …", "…", told)


class Story:
    """The table, the time, and what people do there in their browsers."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self._traveller = traveller
        self.now = NOON
        self.code = ""

    def wait(self, days: float = 0, *, hours: float = 0, slept: bool = False) -> None:
        """So much time passes; at its end the server looks at the clocks, as it did all the time unless it `slept`."""
        self.now += days * DAY + hours * HOUR
        self._traveller.move_to(self.now, tick=False)
        sweep(self.now, slept=slept)

    @property
    def game(self) -> Game:
        return Game.objects.get(code=self.code)

    def left(self) -> timedelta | None:
        """What the turn has left: running until its deadline, or standing."""
        game = self.game
        return game.left if game.deadline is None else game.deadline - self.now

    def tap(self, name: str, path: str, **sent: str) -> None:
        """Press a button of a page that shows the table as it is."""
        version = {"version": str(self.game.version)} if self.code else {}
        answer = visitor(name).post(path.format(code=self.code), {**version, **sent})
        assert answer.status_code == 302, words(answer)
        if not self.code:
            self.code = answer["Location"].split("/")[2]

    def move(self, name: str, *moves: str) -> None:
        for move in moves:
            before = self.game.version
            self.tap(name, "/t/{code}/play/", move=move)
            assert self.game.version == before + 1, f"{name} could not play {move}"

    def turn(self, name: str, discard: str = "") -> None:
        """Draw and discard: what was drawn, or what may go first."""
        self.wait(hours=1)
        self.move(name, "S")
        deal = at(self.game).deal
        texts = deal.rules.alphabet.texts
        if discard == "drawn":
            assert deal.drew is not None
            discard = texts[deal.drew]
        legal = [engine.move_text(move, deal.rules.alphabet) for move in engine.legal_moves(deal) if move.kind == "D"]
        self.move(name, f"D:{discard}" if discard else legal[0])
        sweep(self.now)

    def log(self, language: str) -> list[str]:
        """The log in words as somebody reads it who only watches, oldest line first, each with its hour."""
        page = visitor("Eva", accept_language=language).get(f"/t/{self.code}/log/").content.decode()
        lines = re.findall(r'<li><span>(.*?)</span>(?=<a class="again"|<time).*?datetime="(.*?)"', page, re.S)
        return [f"{datetime.fromisoformat(when):%d %H:%M} {plain(line)}" for line, when in lines][::-1]


@pytest.fixture
def story() -> Iterator[Story]:
    with time_machine.travel(NOON, tick=False) as traveller, chance(FIRST_DEAL, 2, SECOND_DEAL):
        yield Story(traveller)


def test_a_table_lives_through_it_all(story: Story) -> None:
    for name in ("Ana", "Bogdan", "Chloé", "Dan", "Eva"):
        player(name)
    sweep(NOON)
    terms = {"variant": "rami500", "seats": "3", "title": "Joi seara", "pace": "1d", "target": "250"}
    story.tap("Ana", "/tables/new/", **USUAL_TABLE | terms)
    Game.objects.update(options={"target": 100, "top_card_free": True})  # shorter than the form offers: two deals
    story.tap("Bogdan", "/t/{code}/join/")
    story.tap("Chloé", "/t/{code}/join/")
    story.turn("Ana", "AC")

    # Bogdan does not come: excused, played for, absent. He comes back.
    story.wait(days=1)
    story.wait(days=1)
    story.turn("Chloé")
    story.turn("Ana", "drawn")
    story.wait(days=1)
    assert seat(story.game, "Bogdan").absent
    story.turn("Chloé")
    story.turn("Ana", "drawn")
    assert story.game.to_move == 2
    story.tap("Bogdan", "/t/{code}/back/")
    story.turn("Chloé")
    story.turn("Ana", "drawn")
    story.turn("Bogdan")

    # Chloé goes on vacation, and is back early: her clock goes on with what was left.
    story.wait(hours=1)
    today = story.now.date()
    story.tap("Chloé", "/settings/vacation/", first=str(today), last=str(today + 5 * DAY))
    story.wait()
    assert (story.game.deadline, story.left()) == (None, 23 * HOUR)
    story.wait(days=3)
    story.tap("Chloé", "/settings/vacation/end/")
    story.wait()
    assert story.left() == 23 * HOUR

    # All agree to a pause, and Bogdan ends it.
    story.wait(hours=1)
    for name in ("Ana", "Bogdan", "Chloé"):
        story.tap(name, "/t/{code}/pause/", act="agree")
    assert story.left() == 22 * HOUR
    story.wait(days=3)
    story.tap("Bogdan", "/t/{code}/pause/", act="resume")
    story.wait()
    assert story.left() == 22 * HOUR

    # The site is away for 23 hours: nobody loses a minute by it.
    story.wait(hours=23, slept=True)
    assert story.left() == 22 * HOUR

    # Now Chloé does not come, and Dan sits down in her place.
    story.wait(hours=22)
    story.wait(days=1)
    story.turn("Ana", "drawn")
    story.turn("Bogdan")
    story.wait(days=1)
    assert seat(story.game, "Chloé").absent
    assert "Take over Joi seara: 7 cards and 0 points" in words(visitor("Dan").get("/lobby/"))
    story.wait(hours=1)
    story.tap("Dan", "/t/{code}/take-over/", seat="2")
    story.turn("Ana", "drawn")
    story.turn("Bogdan")
    story.turn("Dan")

    # Ana has waited long enough.
    story.wait(hours=1)
    story.move("Ana", "S")
    deal = at(story.game).deal
    drawn = deal.rules.alphabet.texts[deal.drew or 0]
    story.move("Ana", *ANA_GOES_OUT, f"L:{len(deal.melds) + 1}:AD", f"D:{drawn}")
    story.wait()
    story.turn("Bogdan")
    story.turn("Dan")
    story.wait(hours=1)
    story.move("Ana", *ANA_GOES_OUT_AGAIN)
    story.wait()

    assert story.log("en") == IN_ENGLISH.strip().splitlines()
    assert story.log("ro") == IN_ROMANIAN.strip().splitlines()
    assert differences() == [] and reliability.differences() == []
    ana, bogdan, chloe, dan = (player(name).pk for name in ("Ana", "Bogdan", "Chloé", "Dan"))
    assert selectors.holders(game=story.game) == {0: [ana, bogdan, chloe], 1: [ana, bogdan, dan]}
    third = [(row.name, row.by) for row in selectors.played_by(game=story.game) if (row.deal, row.seat) == (0, 2)]
    assert third == [("Chloé", "player"), ("Chloé", "clock"), ("Dan", "player")]
    told = set(Message.objects.filter(kind__in=("missed", "away")).values_list("user__username", "kind", "facts__news"))
    assert {("Bogdan", "missed", "absent"), ("Chloé", "missed", "taken_over"), ("Ana", "away", "excused")} <= told


IN_ENGLISH = """
01 12:00 Ana opened the table
01 12:00 The shuffle of deal 1 is sealed: …
01 12:00 Bogdan sat down
01 12:00 Chloé sat down
01 12:00 The match begins
01 12:00 Deal 1, dealt by Chloé
01 12:00 The shuffle is sealed in case there is a deal 2: …
01 13:00 Ana drew, discarded A♣
02 13:00 Bogdan ran out of time: excused, it starts anew; the next time the server plays
03 13:00 Bogdan ran out of time: the server discarded 6♠
03 14:00 Chloé drew, discarded 3♠
03 15:00 Ana drew, discarded 2♥
04 15:00 Bogdan ran out of time: the server discarded 7♥
04 15:00 Bogdan stayed away: the computer plays meanwhile
04 16:00 Chloé drew, discarded 7♠
04 17:00 Ana drew, discarded 2♦
04 17:00 Bogdan (computer) took 8 cards from the row, 2♠ first, laid 2♠ 2♥ 2♦ for 6, laid 7♠ 7♥ 7♣ for 21, discarded 3♠
04 17:00 Bogdan came back
04 18:00 Chloé drew, discarded 10♠
04 19:00 Ana drew, discarded 8♠
04 20:00 Bogdan drew, discarded 4♠
04 21:00 Chloé stopped the clock: on vacation
07 21:00 Chloé came back from vacation: the clock goes on
07 22:00 Ana asked for a pause
07 22:00 Bogdan agreed to the pause
07 22:00 Chloé agreed to the pause
07 22:00 All agree: the table is paused
10 22:00 Bogdan ended the pause: the clock goes on with what was left
11 21:00 The clock was set forward by 23 h: the site was away
12 19:00 Chloé ran out of time: excused, it starts anew; the next time the server plays
13 19:00 Chloé ran out of time: the server discarded A♥
13 20:00 Ana drew, discarded 6♦
13 21:00 Bogdan drew, discarded 6♠
14 21:00 Chloé ran out of time: the server discarded K♥
14 21:00 Chloé stayed away: the computer plays meanwhile
14 22:00 Dan took over the seat of Chloé
14 23:00 Ana drew, discarded 9♠
15 00:00 Bogdan drew, discarded K♠
15 01:00 Dan drew, discarded J♠
15 02:00 Ana drew, laid joker as J♦ Q♦ K♦ for 30, laid Q♠ Q♥ Q♣ for 30, laid off A♦ for 11, discarded 7♦
15 02:00 Deal 1 is over: Ana 71 · Bogdan −43 · Chloé −47
15 02:00 Deal 2, dealt by Ana
15 02:00 The shuffle is sealed in case there is a deal 3: …
15 03:00 Bogdan drew, discarded 4♠
15 04:00 Dan drew, discarded 2♥
15 05:00 Ana took 2♥ from the row, laid 2♠ 2♥ 2♦ for 6, laid 6♠ joker as 7♠ 8♠ 9♠ for 30, discarded 3♠
15 05:00 Deal 2 is over: Ana 36 · Bogdan −51 · Dan −46
15 05:00 Ana won the match
"""

IN_ROMANIAN = """
01 12:00 Ana: masă deschisă
01 12:00 Amestecarea manșei 1 e sigilată: …
01 12:00 Bogdan: așezat la masă
01 12:00 Chloé: așezat la masă
01 12:00 Partida începe
01 12:00 Manșa 1, împarte Chloé
01 12:00 Amestecarea e sigilată pentru cazul că urmează manșa 2: …
01 13:00 Ana: tras, aruncat A♣
02 13:00 Bogdan: timp expirat, scuzat, o ia de la capăt; data viitoare joacă serverul
03 13:00 Bogdan: timp expirat, serverul a aruncat 6♠
03 14:00 Chloé: tras, aruncat 3♠
03 15:00 Ana: tras, aruncat 2♥
04 15:00 Bogdan: timp expirat, serverul a aruncat 7♥
04 15:00 Bogdan: absent, joacă între timp un jucător virtual
04 16:00 Chloé: tras, aruncat 7♠
04 17:00 Ana: tras, aruncat 2♦
04 17:00 Bogdan (jucător virtual): luat 8 cărți din șir, întâi 2♠, etalat 2♠ 2♥ 2♦ pentru 6, etalat 7♠ 7♥ 7♣ pentru 21, aruncat 3♠
04 17:00 Bogdan: întors la masă
04 18:00 Chloé: tras, aruncat 10♠
04 19:00 Ana: tras, aruncat 8♠
04 20:00 Bogdan: tras, aruncat 4♠
04 21:00 Chloé: în vacanță, ceasul stă
07 21:00 Chloé: vacanța s-a terminat, ceasul merge mai departe
07 22:00 Ana: cerere de pauză
07 22:00 Bogdan: de acord cu pauza
07 22:00 Chloé: de acord cu pauza
07 22:00 Toți sunt de acord: masa e în pauză
10 22:00 Bogdan: pauză încheiată, ceasul merge mai departe cu ce rămăsese
11 21:00 Ceasul a primit 23 h în plus: site-ul n-a mers
12 19:00 Chloé: timp expirat, scuzat, o ia de la capăt; data viitoare joacă serverul
13 19:00 Chloé: timp expirat, serverul a aruncat A♥
13 20:00 Ana: tras, aruncat 6♦
13 21:00 Bogdan: tras, aruncat 6♠
14 21:00 Chloé: timp expirat, serverul a aruncat K♥
14 21:00 Chloé: absent, joacă între timp un jucător virtual
14 22:00 Dan: preluat locul de la Chloé
14 23:00 Ana: tras, aruncat 9♠
15 00:00 Bogdan: tras, aruncat K♠
15 01:00 Dan: tras, aruncat J♠
15 02:00 Ana: tras, etalat joker în loc de J♦ Q♦ K♦ pentru 30, etalat Q♠ Q♥ Q♣ pentru 30, lipit A♦ pentru 11, aruncat 7♦
15 02:00 Manșa 1 s-a încheiat: Ana 71 · Bogdan −43 · Chloé −47
15 02:00 Manșa 2, împarte Ana
15 02:00 Amestecarea e sigilată pentru cazul că urmează manșa 3: …
15 03:00 Bogdan: tras, aruncat 4♠
15 04:00 Dan: tras, aruncat 2♥
15 05:00 Ana: luat 2♥ din șir, etalat 2♠ 2♥ 2♦ pentru 6, etalat 6♠ joker în loc de 7♠ 8♠ 9♠ pentru 30, aruncat 3♠
15 05:00 Manșa 2 s-a încheiat: Ana 36 · Bogdan −51 · Dan −46
15 05:00 Ana: partida câștigată
"""
