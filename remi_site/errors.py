"""What is told when something breaks: where and of what kind, never with what.

The text of an exception, the variables of a frame and the data of a request may hold a hand, a deck or a seed (a failed
constraint quotes the whole row). So logs, error letters and debug pages give the frames and the type of each exception,
and no more.
"""

import logging
import traceback
from collections.abc import ItemsView
from types import TracebackType
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.template import TemplateDoesNotExist, TemplateSyntaxError
from django.views import debug

WITHHELD = "(withheld)"
# These speak of the code alone, and are no use without their texts.
TELLABLE = (ImportError, ImproperlyConfigured, TemplateDoesNotExist, TemplateSyntaxError)


def safe_traceback(error: BaseException) -> str:
    """The traceback as Python prints it, causes first, without the exceptions' texts."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = [safe_traceback(cause), "which led to:"] if cause is not None else []
    frames = "".join(traceback.format_tb(error.__traceback__)).rstrip("\n")
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    text = f": {error}" if isinstance(error, TELLABLE) else ""
    return "\n".join([*before, "Traceback (most recent call last):", frames, kind + text])


class LogFormatter(logging.Formatter):
    """Every handler's formatter: exceptions without their texts."""

    def formatException(
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        return safe_traceback(ei[1]) if ei[1] is not None else ""


class Discretion(logging.Filter):
    """Every handler's filter: an exception that is an argument of the message is named by its type alone.

    Celery has made the exception's text a part of its message already: there the task and its id are told instead.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "celery.app.trace" and record.exc_info:
            facts = getattr(record, "data", None) or {}
            record.msg, record.args = "Task %s[%s] failed", (facts.get("name"), facts.get("id"))
        elif isinstance(record.args, tuple):
            record.args = tuple(_named(argument) for argument in record.args)
        return True


def _named(argument: object) -> object:
    secretive = isinstance(argument, BaseException) and not isinstance(argument, TELLABLE)
    return type(argument).__name__ if secretive else argument


class AdminsFilter(logging.Filter):
    """No letters where nobody is named to read them."""

    def filter(self, record: logging.LogRecord) -> bool:
        return bool(settings.ADMINS)


class ReporterFilter(debug.SafeExceptionReporterFilter):
    """Tell nothing of what a request carried, a frame held or the settings are, with DEBUG on neither."""

    def get_safe_settings(self) -> dict[str, Any]:
        return {}

    def get_safe_request_meta(self, request: HttpRequest | None) -> dict[str, Any]:
        return {}

    def get_safe_cookies(self, request: HttpRequest | None) -> dict[str, Any]:
        return {}

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        return {}

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: Any) -> ItemsView[str, Any]:
        return {}.items()


class ExceptionReporter(debug.ExceptionReporter):
    """Django's report, less whatever could hold a card."""

    def get_traceback_data(self) -> dict[str, Any]:
        data = super().get_traceback_data()
        data.update(exception_value=WITHHELD, exception_notes="", unicode_hint="", template_info=None)
        if self.request is not None:
            data.update(request_GET_items=[], request_FILES_items=[], request_insecure_uri=self.request.path)
        for frame in data["frames"]:
            if isinstance(frame["exc_cause"], BaseException):
                frame["exc_cause"] = type(frame["exc_cause"]).__name__
        return data
