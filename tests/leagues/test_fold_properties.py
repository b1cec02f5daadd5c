"""The table is one function of what is in the ledger: whatever the order, and as a slow and plain reckoning has it."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.leagues.fold import ADJUSTMENT, FORFEIT, LAP, PLAYED, VOID, Row, fold

PLAYERS = range(1, 6)


@st.composite
def ledgers(draw: st.DrawFn) -> list[Row]:
    """Deals of up to five players, some at one moment, some void, some counted again; and adjustments among them."""
    rows: list[Row] = []

    def add(**facts: Any) -> None:
        rows.append(Row(id=len(rows) + 1, **facts))

    for deal in range(draw(st.integers(0, 12))):
        people = draw(st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=5, unique=True))
        for counting in range(draw(st.integers(1, 2))):
            at = draw(st.integers(0, 6))
            for player in people:
                add(
                    player=player, kind=draw(st.sampled_from([PLAYED, PLAYED, FORFEIT])), points=draw(st.integers(-300, 400)),
                    at=at, match=deal // 2, deal=deal, counting=counting, out=draw(st.booleans()), won=draw(st.booleans()),
                    server_turns=draw(st.integers(0, 2)), place=draw(st.sampled_from([None, 1, 2])) if deal % 2 else None,
                )  # fmt: skip
            if counting == 0 or draw(st.booleans()):
                for player in people:
                    add(player=player, kind=VOID, points=0, at=0, match=deal // 2, deal=deal, counting=counting)
    for _adjustment in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, 6))
        add(player=draw(st.sampled_from(PLAYERS)), kind=ADJUSTMENT, points=draw(st.integers(-600, 600)), at=at)
    return rows


@settings(deadline=None)
@given(ledgers(), st.randoms(use_true_random=False), st.sampled_from([None, 300, 1_000]))
def test_the_order_of_the_rows_changes_nothing(rows: list[Row], chance: Any, first_to: int | None) -> None:
    shuffled = rows[:]
    chance.shuffle(shuffled)
    assert fold(shuffled, first_to=first_to) == fold(rows, first_to=first_to)


@settings(deadline=None)
@given(ledgers())
def test_the_table_is_what_a_plain_reckoning_has(rows: list[Row]) -> None:
    void = {(row.deal, row.counting) for row in rows if row.kind == VOID}
    kept = [row for row in rows if row.kind != VOID and (row.deal is None or (row.deal, row.counting) not in void)]
    kept.sort(key=lambda row: (row.at, row.deal is None, row.deal or 0, row.id))
    table = {line.player: line for line in fold(rows).lines}
    assert table.keys() == {row.player for row in kept}
    for player, line in table.items():
        mine = [row for row in kept if row.player == player]
        deals = [row for row in mine if row.kind != ADJUSTMENT]
        running = [sum(row.points for row in mine[: index + 1]) for index in range(len(mine))]
        assert line.points == running[-1]
        assert line.laps == sum(any(total >= lap for total in running) for lap in range(LAP, 50 * LAP, LAP))
        assert (line.deals, line.deal_points) == (len(deals), sum(row.points for row in deals))
        assert line.best == max((row.points for row in deals), default=None)
        assert (line.outs, line.deals_won) == (sum(row.out for row in deals), sum(row.won for row in deals))
        assert line.forfeits == sum(row.kind == FORFEIT for row in deals)
        assert line.server_turns == sum(row.server_turns for row in deals)
        assert len(line.last) == min(line.matches, 5) and line.won <= line.matches
        assert line.rank == 1 + sum(_before(other, line, kept) for other in table.values())


def _before(one: Any, other: Any, kept: list[Row]) -> bool:
    def head(line: Any) -> int:
        level = {row.player for row in kept}
        level = {player for player in level if (_points(player, kept), _wins(player, kept)) == (line.points, line.won)}
        found = 0
        by_deal: dict[Any, list[Row]] = defaultdict(list)
        for row in kept:
            if row.deal is not None and row.player in level:
                by_deal[row.deal, row.counting].append(row)
        for met in by_deal.values():
            for left, right in combinations(met, 2):
                if left.points != right.points:
                    winner, loser = (left, right) if left.points > right.points else (right, left)
                    found += (winner.player == line.player) - (loser.player == line.player)
        return found

    def key(line: Any) -> tuple[int, ...]:
        return (-line.points, -line.won, -head(line), -line.deals_won, line.forfeits)

    return key(one) < key(other)


def _points(player: int, kept: list[Row]) -> int:
    return sum(row.points for row in kept if row.player == player)


def _wins(player: int, kept: list[Row]) -> int:
    places = {row.match: row.place for row in kept if row.player == player and row.place is not None}
    return sum(place == 1 for place in places.values())
