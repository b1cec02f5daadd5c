"""The rows about people: who plays, what they are told, and the leagues they play in."""

from accounts.models.users import RateLimit, User

__all__ = ["RateLimit", "User"]
