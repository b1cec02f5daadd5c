"""The rows about people: who plays, what they are told, and the leagues they play in."""

from accounts.models.messages import (
    Delivery,
    Looking,
    Message,
    MessageSettings,
    Preference,
    PushSubscription,
    Webhook,
)
from accounts.models.users import RateLimit, User
from accounts.models.vacation import Vacation

__all__ = [
    "Delivery",
    "Looking",
    "Message",
    "MessageSettings",
    "Preference",
    "PushSubscription",
    "RateLimit",
    "User",
    "Vacation",
    "Webhook",
]
