"""What is done for people behind the pages."""

from celery import shared_task
from django.utils import timezone

from accounts.people import marks, services
from accounts.people.owndata import services as owndata


@shared_task(ignore_result=True)
def purge_guests() -> None:
    """Daily: let guests go who have not been here for 30 days. Twice does no harm."""
    services.purge_idle_guests(now=timezone.now())


@shared_task(ignore_result=True)
def forget_marks() -> None:
    """Hourly: destroy the keys and marks of addresses that are 30 days old. Twice does no harm."""
    marks.forget_old(now=timezone.now())


@shared_task(ignore_result=True)
def make_export(user_id: int) -> None:
    """Make the download that somebody has asked for."""
    owndata.make(user_id=user_id, now=timezone.now())


@shared_task(ignore_result=True)
def sweep_exports() -> None:
    """Make downloads that were lost on the way, and forget old ones."""
    for user_id in owndata.waiting():
        owndata.make(user_id=user_id, now=timezone.now())
    owndata.forget_old(now=timezone.now())
