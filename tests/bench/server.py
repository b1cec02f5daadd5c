"""Moves and polls over real HTTP, as shares of bare views under the same middleware.

gunicorn with two workers, eight connections kept open, 200 running games (half of them Rami 500 with two seats, half Remi
500 with four) in which every player plays random legal moves. The client keeps a copy of each deal, so it knows what is
legal and which version comes next without reading the pages; the audit says at the end that the copies were right.
"""

from __future__ import annotations

import http.client
import random
import time
from collections.abc import Callable
from statistics import quantiles
from threading import Thread
from urllib.parse import urlencode

from games import engine

from .measure import Budget, Line, Run, interleaved, line
from .site import HOST, Person, Played, begun, differences, people, site

CONNECTIONS = 8
GAMES = 200
LEAST_SECONDS = 1.5
"""Of each contender in a round: shorter ones tell little of eight connections."""
CSRF = "0123456789abcdefghijklmnopqrstuv"

MOVE_SHARE, POLL_SHARE = 0.35, 0.25
MOVE_QUERIES, POLL_QUERIES = 12, 3


def run(budget: Budget) -> list[Line]:
    """Every line of the part."""
    budget = budget._replace(seconds=max(budget.seconds, LEAST_SECONDS))
    with site() as port:
        players = people(4 + 3 * GAMES)
        counted, bare = begun("rami500", players[:2]), [begun("rami500", players[2:4]) for _each in range(CONNECTIONS)]
        games = _games(players[4:])
        asked = queries(counted)
        shares = [games[place::CONNECTIONS] for place in range(CONNECTIONS)]
        times: dict[str, list[float]] = {"move": [], "poll": [], "hello": [], "write": []}
        runs: dict[str, Run] = {
            "write": _run(port, bare_write, [[game] for game in bare], times["write"]),
            "move": _run(port, move, shares, times["move"]),
            "hello": _run(port, hello, shares, times["hello"]),
            "poll": _run(port, poll, shares, times["poll"]),
        }
        rates = interleaved(runs, budget)
        if wrong := differences(games):
            raise RuntimeError(f"the tables are not as they should be: {wrong[:3]}")
    notes = {name: _note(taken) for name, taken in times.items()}
    write, greeting = "the bare write", "the bare hello"
    return [
        line("bare view: SELECT FOR UPDATE, INSERT, UPDATE", "requests/s", rates["write"], note=notes["write"]),
        line("move, the whole POST", "moves/s", rates["move"], beside=write, theirs=rates["write"], asked=MOVE_SHARE,
             note=notes["move"]),
        line("bare view: hello", "requests/s", rates["hello"], note=notes["hello"]),
        line("poll of the version (204)", "polls/s", rates["poll"], beside=greeting, theirs=rates["hello"], asked=POLL_SHARE,
             note=notes["poll"]),
        line("queries of a move", "queries", [float(asked["move"])], asked=MOVE_QUERIES, least=False),
        line("queries of a poll", "queries", [float(asked["poll"])], asked=POLL_QUERIES, least=False),
    ]  # fmt: skip


def _games(players: list[Person]) -> list[Played]:
    """Half of two seats, half of four, each player at one table."""
    found = []
    for _pair in range(GAMES // 2):
        for variant, seats in (("rami500", 2), ("remi500", 4)):
            found.append(begun(variant, [players.pop() for _seat in range(seats)]))
    return found


def _note(times: list[float]) -> str:
    cuts = quantiles(times, n=100)
    return f"p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms"


# -- requests ------------------------------------------------------------------------------------


class Client:
    """One connection that is kept open."""

    def __init__(self, port: int) -> None:
        self._http = http.client.HTTPConnection(HOST, port, timeout=30)

    def ask(self, method: str, path: str, session: str, wanted: int, **sent: object) -> None:
        """One request of a player's browser. Raises RuntimeError where the answer is not the one wanted."""
        headers = {"Cookie": f"sessionid={session}; csrftoken={CSRF}", "HX-Request": "true"}
        body = None
        if method == "POST":
            headers |= {"X-CSRFToken": CSRF, "Content-Type": "application/x-www-form-urlencoded"}
            body = urlencode(sent)
        self._http.request(method, path, body, headers)
        answer = self._http.getresponse()
        text = answer.read()
        if answer.status != wanted:
            raise RuntimeError(f"{method} {path} was answered with {answer.status}: {text[:200]!r}")

    def close(self) -> None:
        self._http.close()


Step = Callable[[Client, list[Played], random.Random], None]
"""One request of a connection that has these games to itself."""


def next_move(game: Played, chance: random.Random) -> str:
    """A legal move of the seat on turn; a take-back where a take has led nowhere."""
    moves = engine.legal_moves(game.deal)
    return engine.move_text(chance.choice(moves), engine.CARDS) if moves else "U"


def move(client: Client, games: list[Played], chance: random.Random) -> None:
    game = chance.choice([game for game in games if game.deal.to_move is not None])
    assert game.deal.to_move is not None
    seat, text = game.deal.to_move, next_move(game, chance)
    client.ask("POST", f"/t/{game.code}/play/", game.sessions[seat], 200, version=game.version, move=text)
    game.deal = engine.apply(game.deal, seat, text)
    game.version += 1


def poll(client: Client, games: list[Played], chance: random.Random) -> None:
    game = chance.choice(games)
    client.ask("GET", f"/t/{game.code}/poll/{game.version}/", game.sessions[0], 204)


def hello(client: Client, games: list[Played], chance: random.Random) -> None:
    client.ask("GET", "/bare/hello/", chance.choice(games).sessions[0], 200)


def bare_write(client: Client, games: list[Played], chance: random.Random) -> None:
    game = chance.choice(games)
    client.ask("POST", f"/bare/write/{game.code}/", game.sessions[0], 200)


# -- measuring -----------------------------------------------------------------------------------


def _run(port: int, step: Step, shares: list[list[Played]], times: list[float]) -> Run:
    """A run of all connections at once, each with its share of the games; `times` takes how long each answer took."""
    chances = [random.Random(place) for place in range(len(shares))]

    def measured(seconds: float) -> float:
        taken: list[float] = []
        faults: list[Exception] = []
        began = time.perf_counter()

        def connection(place: int) -> None:
            client = Client(port)
            try:
                while (asked := time.perf_counter()) < began + seconds:
                    step(client, shares[place], chances[place])
                    taken.append(time.perf_counter() - asked)
            except Exception as fault:
                faults.append(fault)
            finally:
                client.close()

        threads = [Thread(target=connection, args=(place,)) for place in range(len(shares))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if faults:
            raise faults[0]
        times.extend(taken)
        return len(taken) / (time.perf_counter() - began)

    return measured


def queries(game: Played) -> dict[str, int]:
    """The queries of a poll, and of the move that needs the most of a few turns; transaction brackets count too."""
    from django.db import connection
    from django.test import Client as Browser
    from django.test.utils import CaptureQueriesContext

    browser, chance, most = Browser(headers={"HX-Request": "true", "Host": HOST}), random.Random(1), 0
    browser.cookies["sessionid"] = game.sessions[0]
    with CaptureQueriesContext(connection) as polled:
        browser.get(f"/t/{game.code}/poll/{game.version}/")
    while game.version < 12 and game.deal.to_move is not None:
        seat, text = game.deal.to_move, next_move(game, chance)
        browser.cookies["sessionid"] = game.sessions[seat]
        with CaptureQueriesContext(connection) as asked:
            browser.post(f"/t/{game.code}/play/", {"version": game.version, "move": text})
        most = max(most, len(asked))
        game.deal = engine.apply(game.deal, seat, text)
        game.version += 1
    return {"move": most, "poll": len(polled)}
