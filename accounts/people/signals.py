"""What people asks of the apps above it, which it does not know."""

from django.dispatch import Signal

# Sent before idle guests are deleted, with ``user_ids`` (a list). A receiver returns those of them that must stay:
# the ones who sit at a table that is not over.
guests_going = Signal()

# Sent inside the transaction when a vacation is planned, begun, ended or given up, with ``user_id`` and ``now``.
vacation_changed = Signal()

# Sent when a player looks at the own vacation, with ``user_id``. A receiver returns at how many of the player's tables a
# vacation stops no clock.
tables_that_go_on = Signal()

# Sent before messages go out, with ``messages`` (a list of rows). A receiver returns a dict from the ids of those it knows
# to what has become of them (people.messages.standing.Standing).
still_true = Signal()

# Sent inside the transaction in which a guest becomes a player with an account, with ``user_id``.
guest_signed_up = Signal()

# Sent when a person asks for all data about them, with ``user``. A receiver returns a dict of parts, each plain data.
data_asked = Signal()

# Sent inside the transaction in which an account is emptied, with ``user_id`` and ``now``. A receiver lets go what is
# personal; rows that others need keep the key.
account_going = Signal()
