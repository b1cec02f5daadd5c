"""Every write about leagues: one transaction a verb, keyword-only, time as an argument. They refuse with a ServiceError.

Rows are locked in one order: the account, the league, memberships, the game, its league match, the season. Sitting down is the
exception: it has the game, and then the own membership. Nobody waits for it in turn, for whoever holds a membership wants no
games but those at which its member sits already.
"""
