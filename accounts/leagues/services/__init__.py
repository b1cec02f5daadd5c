"""Every write about leagues: one transaction a verb, keyword-only, time as an argument. They refuse with a ServiceError.

Rows are locked in one order: the game, its league match, the season.
"""
