"""Whether a table's log and its snapshot tell the same. Reads only; says where the two differ, never which cards.

The log is the truth: a repair appends to it, or writes the snapshot anew from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import transaction

from games import engine, signals
from games.engine.exchange import pending
from games.models import Deal, Entry, Game, Hand, Seal, Seat
from games.services import audit_rulings, audit_seats, evidence
from games.services.evidence import LogRow
from games.services.store import is_deserted, lock


@dataclass
class _Audit:
    """A game as its rows have it, and what was found."""

    game: Game
    seats: list[Seat]
    deals: list[Deal]
    moves: dict[int, list[LogRow]]
    """By the number of the deal, in the order they were made."""
    events: list[LogRow]
    found: list[str] = field(default_factory=list)

    def expect(self, holds: bool, sentence: str) -> None:
        if not holds:
            self.found.append(sentence)

    def told(self, event: str, deal: int) -> list[LogRow]:
        """The events of that name that tell of a deal."""
        return [entry for entry in self.events if entry.text == event and entry.facts.get("number") == deal]


@transaction.atomic
def audit(*, game_id: int, head: str | None = None) -> list[str]:
    """The differences between a game's log and its rows, as sentences; empty where there are none. Those who keep books
    beside the games (the ledgers of leagues) add theirs. `head`, or its beginning, was the head of the log at some time.

    Locks the game meanwhile, so that it is not looked at between two moves. Raises NoSuchTable.
    """
    game = lock(pk=game_id)
    return differences(game, head=head) + of_books(game)


def of_books(game: Game) -> list[str]:
    """The differences of a game that those find who keep books beside the games."""
    return [line for _receiver, lines in signals.auditing.send(Game, game=game) for line in lines or ()]


def differences(game: Game, *, head: str | None = None) -> list[str]:
    """The differences between the log of a game and its own rows. For whoever has the game locked, or sees to it otherwise
    that no move comes between.
    """
    entries = evidence.rows(game)
    moves: dict[int, list[LogRow]] = {}
    for entry in evidence.valid_moves(entries):
        assert entry.deal is not None
        moves.setdefault(entry.deal, []).append(entry)
    deals = list(game.deals.order_by("number").prefetch_related("hands", "answers"))
    events = [entry for entry in entries if entry.kind == Entry.Kind.EVENT]
    case = _Audit(game, list(game.seats.order_by("index")), deals, moves, events)
    case.expect([entry.number for entry in entries] == list(range(len(entries))), "the log has gaps")
    case.expect(game.log_length == len(entries), "log_length is not the length of the log")
    fault, end = evidence.faults(game.code, entries)
    case.expect(fault is None, f"entry {fault} of the log is not what was written, or does not follow the one before")
    case.expect(fault is not None or game.log_head == end, "the log does not end with the row that was its last")
    noted = head is None or any(entry.hash.startswith(head.replace(" ", "").lower()) for entry in entries)
    case.expect(noted, "no row has the hash that was noted: what stood before it is not what stands there now")
    numbers = [row.number for row in deals]
    case.expect(numbers == list(range(len(deals))), "the deals are not numbered from 0 without gaps")
    case.expect(set(moves) <= set(numbers), "the log has moves of a deal that is not there")
    case.expect(bool(deals) == (game.started_at is not None), "a game has deals if it has begun, and only then")
    sealed = Seal.objects.filter(game=game).first()
    case.expect(sealed is not None and sealed.number == len(deals), "the seed of the next deal is not sealed")
    if sealed is not None:
        _compare_seal(case, sealed.number, bytes(sealed.seed))
    case.found += audit_rulings.differences(game, entries)
    if deals:
        _audit_match(case)
        case.found += audit_seats.differences(game, case.seats, list(game.tenures.all()), entries)
    return case.found


def _audit_match(case: _Audit) -> None:
    """Replay the deals in order, counting those that are counted."""
    game, rules = case.game, case.game.rules
    deal: engine.Deal | None = None
    resigned: frozenset[int] = frozenset()
    scores: dict[int, tuple[int, ...]] = {}
    for row in case.deals:
        where = f"deal {row.number}"
        if deal is not None:
            resigned = deal.resigned - audit_rulings.reopened(case.events, row.number)
            void = row.number - 1 in audit_rulings.voided(case.events, before=row.number)
            dealer = engine.next_dealer(deal, resigned, void=void)
            case.expect(row.dealer == dealer, f"{where}: it was another seat's turn to deal")
        totals = audit_rulings.totals(rules.count, case.events, scores, before=row.number)
        case.expect(deal is None or engine.winner(rules, totals, resigned) is None, f"{where}: the match was over before")
        deal = _replayed(case, row, resigned)
        if deal is None:
            return
        _compare(case, row, deal)
        if row.scored and deal.phase == engine.OVER:
            scores[row.number] = deal.scores or ()
    assert deal is not None
    voided = audit_rulings.voided(case.events)
    case.expect({row.number for row in case.deals if row.voided} == voided, "other deals are void than the log tells")
    totals = audit_rulings.totals(rules.count, case.events, scores)
    case.expect([seat.index for seat in case.seats] == list(range(game.seat_count)), "not every seat is taken")
    case.expect([seat.total for seat in case.seats] == totals, "the totals are not the sums of the scores")
    resigned = deal.resigned - audit_rulings.reopened(case.events, len(case.deals))
    case.expect({seat.index for seat in case.seats if seat.resigned} == resigned, "other seats have resigned by the log")
    _audit_turn(case, engine.winner(rules, totals, resigned), deal)


def _replayed(case: _Audit, row: Deal, resigned: frozenset[int]) -> engine.Deal | None:
    """The deal as the log has it, dealt to all but these seats; None where the log breaks a rule."""
    rules = case.game.rules
    deck = _shuffled(case, row)
    deal, turns = engine.start(rules, row.dealer, deck, resigned), 0
    asked, left = pending(deal), set[int]()
    for entry in case.moves.get(row.number, []):
        assert entry.seat is not None
        before = deal
        try:
            deal = engine.apply(deal, entry.seat, entry.text)
        except engine.RuleError as fault:
            case.expect(False, f"deal {row.number}: entry {entry.number} of the log is refused ({fault.code})")
            return None
        move = engine.parse_move(entry.text, rules.alphabet, tiles=rules.tight)
        told = engine.told(before, deal, move) == entry.facts
        case.expect(told, f"deal {row.number}: entry {entry.number} tells of another move than was made")
        turns += before.to_move is not None and deal.to_move != before.to_move
        if before.phase == engine.EXCHANGE and entry.text == "R":
            left |= set(asked) if deal.phase == engine.OVER else {entry.seat}
    case.expect(row.turns == turns, f"deal {row.number}: turns are counted wrongly")
    _compare_answers(case, row, deal, asked, left)
    return deal


def _shuffled(case: _Audit, row: Deal) -> list[int]:
    """The deck of a deal worked out again, beside what the log told of it before (docs/shuffle.md)."""
    where, rules, seed = f"deal {row.number}", case.game.rules, bytes(row.seed)
    key = engine.key_of(seed, row.contributions)
    deck = engine.shuffled(rules, key)
    case.expect(engine.deck_text(rules, deck) == row.deck, f"{where}: the deck is not that of its seed")
    if row.algorithm != engine.PLAIN:
        added = [seat for seat, text in enumerate(row.contributions) if text]
        told = [(entry.facts.get("key"), entry.facts.get("added")) for entry in case.told("dealt", row.number)]
        case.expect(told == [(engine.key_print(key), added)], f"{where}: dealt from another seed than the log says")
        _compare_seal(case, row.number, seed)
    return deck


def _compare_seal(case: _Audit, number: int, seed: bytes) -> None:
    sealed, dealt = case.told("sealed", number), case.told("dealt", number)
    seal = engine.seal(seed, engine.deal_id(case.game.code, number))
    case.expect([entry.facts.get("seal") for entry in sealed] == [seal], f"deal {number}: its seed is not the sealed one")
    late = bool(sealed) and bool(dealt) and dealt[0].number < sealed[0].number
    case.expect(not late, f"deal {number}: its seed was sealed after it was dealt")


def _compare_answers(case: _Audit, row: Deal, deal: engine.Deal, asked: list[int], left: set[int]) -> None:
    """The sealed answers to the exchange with the moves that they became; those of seats that left came to nothing."""
    where = f"deal {row.number}"
    answers = {answer.seat: answer for answer in row.answers.all()}
    case.expect(sorted(answers) == asked, f"{where}: other seats were asked before play")
    given = {seat: (answer.text, answer.actor) for seat, answer in answers.items() if answer.text and seat not in left}
    if deal.phase == engine.EXCHANGE:
        case.expect(given.keys() != set(pending(deal)), f"{where}: all have answered, but the exchange goes on")
        for seat, (text, _actor) in given.items():
            case.expect(_accepts(deal, seat, text), f"{where}, seat {seat}: its answer is refused")
        return
    moves = case.moves.get(row.number, [])
    played = {entry.seat: (entry.text, entry.actor) for entry in moves if entry.text[:1] == "X"}
    case.expect(played == given, f"{where}: the answers before play are not those of the log")


def _accepts(deal: engine.Deal, seat: int, text: str) -> bool:
    try:
        engine.apply(deal, seat, text)
    except engine.RuleError:
        return False
    return True


def _compare(case: _Audit, row: Deal, deal: engine.Deal) -> None:
    """A deal's rows with the deal that the log makes."""
    where = f"deal {row.number}"
    state, cards = engine.dump(deal)
    hands: list[Hand] = list(row.hands.all())
    over = deal.phase == engine.OVER
    case.expect(row.state == state, f"{where}: the state differs")
    case.expect((row.reason, row.out) == (deal.reason or "", deal.out), f"{where}: its end differs")
    case.expect(over or not row.scored, f"{where}: it is counted, but not over")
    case.expect([hand.seat for hand in hands] == list(range(case.game.seat_count)), f"{where}: hands are missing")
    scores = deal.scores if row.scored else None
    counted = [tuple(entry.facts.get("scores", ())) for entry in audit_rulings.countings(case.events, row.number)]
    case.expect(counted[-1:] == ([] if scores is None else [scores]), f"{where}: the log tells other scores")
    for hand in hands:
        mine = f"{where}, seat {hand.seat}"
        case.expect(hand.cards == cards[hand.seat], f"{mine}: the hand differs")
        case.expect(hand.laid == deal.rules.laid_points(deal)[hand.seat], f"{mine}: the points laid differ")
        case.expect(hand.score == (None if scores is None else scores[hand.seat]), f"{mine}: the score differs")


def _audit_turn(case: _Audit, winner: int | None, deal: engine.Deal) -> None:
    """Whose turn it is, and whether the match is over. One that runs, though points were adjusted, is decided by the next
    counting.
    """
    game, last = case.game, case.deals[-1]
    running = game.status == Game.Status.RUNNING
    case.expect(running or winner is not None, "the match is over by its scores, or not over")
    case.expect(game.winner == (None if running else winner), "the winner is another by the scores")
    case.expect(running != last.closed, "the last deal of a running match is counted, or one of another is not")
    over = deal.phase == engine.OVER
    deserted = is_deserted(case.seats)
    case.expect(game.deserted == (running and deserted), "all its players are absent, or not all of them")
    computers = set() if deserted else {seat.index for seat in case.seats if seat.by_computer}
    case.expect(game.to_move == (deal.to_move if running else None), "another seat is on turn by the log")
    case.expect(game.awaits_server == (running and (over or deal.to_move in computers)), "it waits for another step")
