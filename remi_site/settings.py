"""The settings of the site. Everything that differs from place to place is read from the environment (README.md lists it)."""

from pathlib import Path
from typing import Any, Literal

from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from remi_site import env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))

# --- Who may ask, and how ------------------------------------------------------------------------------------------

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.text("SECRET_KEY")
if not SECRET_KEY:
    raise ImproperlyConfigured("SECRET_KEY is not set. `make run` makes one; in production set your own.")
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS")
# Where letters lead, for who writes them serves no request.
SITE_URL = env.text("SITE_URL", next(iter(CSRF_TRUSTED_ORIGINS), "http://127.0.0.1:8000")).rstrip("/")

# HTTPS=1: the site is reached over HTTPS, through a proxy that sets X-Forwarded-Proto.
HTTPS = env.flag("HTTPS")
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 30 * 24 * 3600)
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE: Literal["Lax"] = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
# A game lasts for weeks: who comes back once a month stays logged in.
SESSION_COOKIE_AGE = 60 * 24 * 3600
CSRF_FAILURE_VIEW = "games.views.play.stale_token"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# Bytes. The largest that is sent is a record of a megabyte, and its form once more.
LARGEST_BODY = 2_621_440

# Nothing inline, nothing from elsewhere. Sent with every response by remi_site.middleware.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
# Of a page that stands in frames on other sites: nothing but words, lines and colours, and nothing to be sent.
EMBEDDED_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self'",
        "form-action 'none'",
        "frame-ancestors *",
        "base-uri 'none'",
    )
)

# --- What the site is made of --------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "allauth",
    "allauth.account",
    "accounts",
    "games",
]

MIDDLEWARE = [
    "remi_site.middleware.content_security_policy",
    "remi_site.middleware.kept_by_the_reader_alone",
    "remi_site.middleware.small_bodies",
    "remi_site.middleware.utf8_forms",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.people.middleware.preferences",
]

ROOT_URLCONF = "remi_site.urls"
WSGI_APPLICATION = "remi_site.wsgi.application"
ASGI_APPLICATION = "remi_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.people.messages.bell.counted",
                "games.selectors.door.to_the_desk",
            ],
        },
    },
]

# --- Data ----------------------------------------------------------------------------------------------------------

DATABASES = {"default": env.database(env.text("DATABASE_URL", "postgresql:///remi"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The counters of allauth's rate limits. In the database: the same for every process, and there without the broker.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "site_cache"}}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# --- People --------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:home"
LOGOUT_REDIRECT_URL = "landing"
ACCOUNT_ADAPTER = "accounts.people.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.people.forms.LoginForm",
    "signup": "accounts.people.forms.SignupForm",
    "reset_password": "accounts.people.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.people.forms.ResetPasswordKeyForm",
    "change_password": "accounts.people.forms.ChangePasswordForm",
    "set_password": "accounts.people.forms.SetPasswordForm",
    "add_email": "accounts.people.forms.AddEmailForm",
    "reauthenticate": "accounts.people.forms.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# Letters go to addresses of players only: nobody can make the site write to strangers.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# The password is asked once more before the address changes.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password"]
# A guest, who counts as logged in, may open the pages to log in and to sign up (accounts.people.views).
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
# How many proxies stand before the server and add to X-Forwarded-For. Limits count by the address they tell.
ALLAUTH_TRUSTED_PROXY_COUNT = env.number("TRUSTED_PROXIES", 0)

# --- Letters -------------------------------------------------------------------------------------------------------

vars().update(env.email(env.text("EMAIL_URL")))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Remi <remi@localhost>")
EMAIL_SUBJECT_PREFIX = "[Remi] "
ADMINS = [(address, address) for address in env.names("ADMINS")]

# --- Browsers and chat tools, at addresses that players give ---------------------------------------------------------

# The private key that push services know the site by, else one is made with the tables; and whom they may write to about us.
VAPID_PRIVATE_KEY = env.text("VAPID_PRIVATE_KEY")
VAPID_SUBJECT = env.text("VAPID_SUBJECT")
# True in tests alone: then this machine may be such an address. All others that are not public stay refused.
OUTWARD_LOOPBACK = False

# --- Words and times -----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ro", _("Romanian")), ("fr", _("French"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.text("TIME_ZONE", "UTC")

# --- Files ---------------------------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "remi_site" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- Work behind the pages -----------------------------------------------------------------------------------------

BROKER_URL = env.text("BROKER_URL", "redis://127.0.0.1:6379/0")
CELERY_BROKER_URL = BROKER_URL
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
# A task that a killed worker held is done again; every task of ours is harmless twice.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Letters printed on the console are no warnings.
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    # `expires`: after an outage one sweep is enough, not one for each that was missed.
    "sweep": {"task": "games.tasks.sweep", "schedule": 10.0, "options": {"expires": 30}},
    "lapse-tables": {"task": "games.tasks.lapse_tables", "schedule": crontab(minute=17), "options": {"expires": 3600}},
    "messages": {"task": "accounts.people.messages.tasks.sweep", "schedule": 5.0, "options": {"expires": 15}},
    "forget-messages": {
        "task": "accounts.people.messages.tasks.forget_old",
        "schedule": crontab(hour=4, minute=53),
        "options": {"expires": 3600},
    },
    "purge-guests": {
        "task": "accounts.people.tasks.purge_guests",
        "schedule": crontab(hour=4, minute=41),
        "options": {"expires": 3600},
    },
    "forget-marks": {
        "task": "accounts.people.tasks.forget_marks",
        "schedule": crontab(minute=7),
        "options": {"expires": 3600},
    },
    "exports": {"task": "accounts.people.tasks.sweep_exports", "schedule": 60.0, "options": {"expires": 50}},
    "forget-records": {
        "task": "games.tasks.forget_records",
        "schedule": crontab(hour=4, minute=29),
        "options": {"expires": 3600},
    },
    "leagues": {"task": "accounts.leagues.tasks.sweep", "schedule": 30.0, "options": {"expires": 60}},
}

# --- What is told when something breaks ----------------------------------------------------------------------------

# No log line, error letter or debug page may hold a hand: see remi_site.errors.
DEFAULT_EXCEPTION_REPORTER = "remi_site.errors.ExceptionReporter"
DEFAULT_EXCEPTION_REPORTER_FILTER = "remi_site.errors.ReporterFilter"
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "discretion": {"()": "remi_site.errors.Discretion"},
        "require_admins": {"()": "remi_site.errors.AdminsFilter"},
    },
    "formatters": {
        "line": {
            "()": "remi_site.errors.LogFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        }
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["discretion"]},
        "mail_admins": {
            "class": "django.utils.log.AdminEmailHandler",
            "level": "ERROR",
            "formatter": "line",
            "filters": ["require_admins", "discretion"],
        },
    },
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO").upper()},
    "loggers": {
        "django": {"level": "INFO", "propagate": True, "handlers": []},
        "django.request": {"handlers": ["mail_admins"], "level": "ERROR", "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "celery": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}
