"""What `make check` asks of the site itself: no missing migration, safe settings, complete catalogues. No server is needed."""

import os
import sys

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "remi_site.settings",
    "SECRET_KEY": "a-key-for-the-check-alone-0123456789-abcdefghijklmnopqrstuvwxyz",
    "ALLOWED_HOSTS": "remi.example",
    "HTTPS": "1",
    "DEBUG": "0",
}
# Whether a domain may be preloaded or have its subdomains bound is its owner's to say.
NOT_OURS_TO_SAY = {"security.W005", "security.W021"}


def missing_migrations() -> list[str]:
    """The models that differ from what the migrations make (as `makemigrations --check`, without a database)."""
    from django.apps import apps
    from django.db.migrations.autodetector import MigrationAutodetector
    from django.db.migrations.loader import MigrationLoader
    from django.db.migrations.state import ProjectState

    loader = MigrationLoader(None)
    conflicts = [f"{app}: migrations {', '.join(names)} are side by side" for app, names in loader.detect_conflicts().items()]
    changes = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps)).changes(graph=loader.graph)
    return conflicts + [
        f"{app}: no migration says “{operation.describe()}”"
        for app, migrations in changes.items()
        for migration in migrations
        for operation in migration.operations
    ]


def unsafe_settings() -> list[str]:
    """What Django's own checks say of the settings as in production."""
    from django.core.checks import run_checks

    return [str(message) for message in run_checks(include_deployment_checks=True) if message.id not in NOT_OURS_TO_SAY]


def main() -> int:
    os.environ.update(PRODUCTION)
    import django

    django.setup()
    from remi_site import catalogues

    wrong = [*missing_migrations(), *unsafe_settings(), *catalogues.check()]
    print("\n".join(wrong) or "Migrations, settings and catalogues are in order.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
