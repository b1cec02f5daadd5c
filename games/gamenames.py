"""What the games are called. Names of games, like names of people, are not translated."""

NAMES = {"remi500": "Remi 500", "rami500": "Rami 500"}


def game_name(variant: str) -> str:
    """The name of a game by its variant; ``KeyError`` for a game that there is not."""
    return NAMES[variant]
