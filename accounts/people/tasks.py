"""What is done for people behind the pages."""

from celery import shared_task
from django.utils import timezone

from accounts.people import services


@shared_task(ignore_result=True)
def purge_guests() -> None:
    """Daily: let guests go who have not been here for 30 days. Twice does no harm."""
    services.purge_idle_guests(now=timezone.now())
