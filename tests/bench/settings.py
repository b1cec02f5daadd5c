"""The site as it is served, with two bare views beside it to measure against."""

from remi_site.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.bare"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
