"""Every write about leagues: one transaction a verb, keyword-only, time as an argument. They refuse with a ServiceError.

Rows are locked in one order: the league, memberships, the game, its league match, the season. Who sits down has the game before
the own membership, which no one waits for who has it and wants that game: who goes wants those alone at which the person sits.
"""
