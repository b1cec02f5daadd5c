"""Tables, seats, deals and the log, and the times in which the site was away.

The log (`Entry`) is the truth; `Deal.state` and `Hand.cards` are the snapshot a turn is played on. What a promise
needs stands as a constraint. Nothing here decides a rule: that is games.engine, called by games.services.
"""

from games.clock import LONGEST_TURN, SHORTEST_TURN
from games.models.chat import SAYING_LENGTH, ChatReport, Mute, Saying
from games.models.deals import Answer, Deal, Hand
from games.models.disputes import CLAIM_LENGTH, FROZEN_IN_ALL, VERDICT_LENGTH, Dispute, Ruling, Step
from games.models.log import Entry, Event, Move
from games.models.pauses import REASON_LENGTH, Outage, Watch
from games.models.records import KeptRecord
from games.models.shuffle import Seal
from games.models.tables import (
    CODE_ALPHABET,
    CODE_LENGTH,
    CONTRIBUTION_LENGTH,
    LONGEST_ABSENCE,
    SHORTEST_ABSENCE,
    TITLE_LENGTH,
    Game,
    Seat,
    new_code,
)
from games.models.tenure import Reliability, Tenure

__all__ = [
    "CLAIM_LENGTH",
    "CODE_ALPHABET",
    "CODE_LENGTH",
    "CONTRIBUTION_LENGTH",
    "FROZEN_IN_ALL",
    "LONGEST_ABSENCE",
    "LONGEST_TURN",
    "REASON_LENGTH",
    "SAYING_LENGTH",
    "SHORTEST_ABSENCE",
    "SHORTEST_TURN",
    "TITLE_LENGTH",
    "VERDICT_LENGTH",
    "Answer",
    "ChatReport",
    "Deal",
    "Dispute",
    "Entry",
    "Event",
    "Game",
    "Hand",
    "KeptRecord",
    "Move",
    "Mute",
    "Outage",
    "Reliability",
    "Ruling",
    "Saying",
    "Seal",
    "Seat",
    "Step",
    "Tenure",
    "Watch",
    "new_code",
]
