"""The site's settings for the tests: the same parts, quick passwords, no files to collect, a broker only for who asks."""

import os

os.environ.setdefault("SECRET_KEY", "only-for-the-tests")
# Nobody listens there: a broker that is down, and not one that somebody runs beside the tests.
os.environ.setdefault("BROKER_URL", "redis://127.0.0.1:1/0")

from remi_site import env
from remi_site.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# A worker of the tests sends to the tests' own mail server.
if os.environ.get("TESTS_EMAIL_URL"):
    vars().update(env.email(os.environ["TESTS_EMAIL_URL"]))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# Files come straight from where they are written.
STATIC_ROOT = None  # type: ignore[assignment]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
# The worker says when it is ready, and the tests wait for that.
LOGGING["loggers"]["celery"]["level"] = "INFO"  # noqa: F405
