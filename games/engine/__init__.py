"""The whole game in one import: cards, melds, moves, deals, matches, and two verbs.

*What may this seat do* is `legal_moves`; *do it* is `apply`. Chance and time come in as data: a deck to
`start`, never a clock. Everything that leaves the server goes through `view`. The rules are those of
docs/rules.md, whose paragraphs are cited as §; texts and error codes those of docs/notation.md.
"""

from .cards import CARDS, EMPTY, JOKER, STANDS, TILES, Alphabet, Hand
from .deal import DRAW, EXCHANGE, OVER, PLAY, Deal, start
from .errors import RuleError
from .legal import legal_moves
from .match import Match, add_deal, new_match, next_dealer, winner
from .melds import RUN, SET, Meld
from .moves import Move
from .moves import parse as parse_move
from .moves import text as move_text
from .offers import Offer, Offers, offers, uses
from .play import apply
from .record import RecordError, Replay, replay
from .rules import Position, Rules
from .shuffle import PLAIN, SEALED, SEED_BYTES, deal_id, deck_text, key_of, key_print, seal, seed_of, shuffled
from .snapshot import dump, load
from .variants import RULES_VERSION, VARIANTS, rules_for
from .view import View, reveal, reveal_stock, told, view

__all__ = [
    "CARDS", "DRAW", "EMPTY", "EXCHANGE", "JOKER", "OVER", "PLAIN", "PLAY", "RULES_VERSION", "RUN", "SEALED",
    "SEED_BYTES", "SET", "STANDS", "TILES", "VARIANTS", "Alphabet", "Deal", "Hand", "Match", "Meld", "Move", "Offer",
    "Offers", "Position", "RecordError", "Replay", "RuleError", "Rules", "View", "add_deal", "apply", "deal_id",
    "deck_text", "dump", "key_of", "key_print", "legal_moves", "load", "move_text", "new_match", "next_dealer",
    "offers", "parse_move", "replay", "reveal", "reveal_stock", "rules_for", "seal", "seed_of", "shuffled", "start",
    "told", "uses", "view", "winner",
]  # fmt: skip
