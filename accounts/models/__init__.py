"""The rows about people: who plays, what they are told, and the leagues they play in."""

from accounts.models.users import RateLimit, User
from accounts.models.vacation import Vacation

__all__ = ["RateLimit", "User", "Vacation"]
