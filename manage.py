#!/usr/bin/env python
"""Django's command line. `python -m remi_site.local manage …` runs it on the servers of `make run`."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "remi_site.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
