"""What people asks of the apps above it, which it does not know."""

from django.dispatch import Signal

# Sent before idle guests are deleted, with ``user_ids`` (a list). A receiver returns those of them that must stay:
# the ones who sit at a table that is not over.
guests_going = Signal()
