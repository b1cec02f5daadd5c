"""What the games tell whoever lies above them (leagues). Each is sent inside the transaction, with the game's row locked:
a receiver that raises undoes all of it.
"""

from django.dispatch import Signal

joining = Signal()
"""Somebody is about to sit down: `game`, `user` (None: a computer player). A receiver refuses with a ServiceError."""
watching = Signal()
"""Somebody asks to see a table by link that has begun, and has not played there: `game_id`, `user`. A receiver answers True
where it lets them look. Nothing is locked, and nothing may be written.
"""
started = Signal()
"""A match is about to be dealt, its seats taken: `game`, `seats`, `now`."""
deal_counted = Signal()
"""A deal has been scored: `game`, `deal` (its row), `now`."""
match_over = Signal()
"""A match has ended: `game`, `now`."""
ruled = Signal()
"""A referee has ruled: `game`, `ruling` (its row), `referee` (a user), `reason`, `now`; `voided`, the numbers of the deals
whose points count no more, be they played again or gone back into; `points`, those added by the key of a player.
"""
disputed = Signal()
"""A dispute about a table has been opened, or the last one settled: `game`, `is_open`, `now`."""
auditing = Signal()
"""A table is audited: `game`. Each receiver answers with the differences that it finds, as sentences, and changes nothing."""
judging = Signal()
"""Somebody is about to judge a dispute about a table: `game`, `user`. A receiver answers True where that person has a stake in
it beyond the table itself: plays in its league, say."""
