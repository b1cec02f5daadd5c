"""The task queue, and the one way to put a task on it."""

import os
import time
from typing import Any

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "remi_site.settings")
app = Celery("remi")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["accounts.people"])
