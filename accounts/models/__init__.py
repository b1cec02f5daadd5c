"""The rows about people: who plays, what they are told, and the leagues they play in."""

from accounts.models.keys import SiteKey
from accounts.models.leagues import JoinRequest, League, LeagueMatch, Membership, Season
from accounts.models.ledger import LedgerRow, Standing
from accounts.models.marks import AddressKey, AddressMark
from accounts.models.messages import (
    Delivery,
    Looking,
    Message,
    MessageSettings,
    Preference,
    PushSubscription,
    Webhook,
)
from accounts.models.own_data import Export
from accounts.models.ratings import RatedMatch, Rating
from accounts.models.users import RateLimit, User
from accounts.models.vacation import Vacation

__all__ = [
    "AddressKey",
    "AddressMark",
    "Delivery",
    "Export",
    "JoinRequest",
    "League",
    "LeagueMatch",
    "LedgerRow",
    "Looking",
    "Membership",
    "Message",
    "MessageSettings",
    "Preference",
    "PushSubscription",
    "RateLimit",
    "RatedMatch",
    "Rating",
    "Season",
    "SiteKey",
    "Standing",
    "User",
    "Vacation",
    "Webhook",
]
