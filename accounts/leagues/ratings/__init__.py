"""Ratings: how strong players are, from the results of matches alone (docs/ratings.md)."""
