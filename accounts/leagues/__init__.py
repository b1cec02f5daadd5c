"""Leagues: seasons, the ledger, the tables and ratings. Above games: they read `games.selectors` and hear `games.signals`."""
