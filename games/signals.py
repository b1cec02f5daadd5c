"""What the games tell whoever lies above them (leagues). Each is sent inside the transaction, with the game's row locked:
a receiver that raises undoes all of it.
"""

from django.dispatch import Signal

joining = Signal()
"""Somebody is about to sit down: `game`, `user`. A receiver refuses with a ServiceError."""
deal_counted = Signal()
"""A deal has been scored: `game`, `deal` (its row), `now`."""
match_over = Signal()
"""A match has ended: `game`, `now`."""
ruled = Signal()
"""A referee has ruled: `game`, `ruling`, `now`."""
