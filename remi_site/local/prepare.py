"""Make a database and a checkout ready to serve: tables, translations, files, an admin. Harmless when all is there."""

import hashlib
import secrets
from pathlib import Path

import django


def make_admin() -> None:
    """The first admin, with a password that is shown this once."""
    from django.contrib.auth import get_user_model

    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return
    password = secrets.token_urlsafe(12)
    users.create_superuser("admin", "", password)
    print(f"  admin account: admin   password: {password}   (shown only now; the page is /admin/)", flush=True)


def collect_files() -> None:
    """Gather, hash and compress the static files, unless they are those of the last time (it takes seconds)."""
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders
    from django.core.management import call_command

    mark = settings.STATIC_ROOT / ".fingerprint"
    found = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            about = Path(storage.path(path)).stat()
            found.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
    if mark.exists() and mark.read_text() == found.hexdigest():
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    mark.write_text(found.hexdigest())


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from remi_site import catalogues

    catalogues.compile_all(settings.LOCALE_PATHS[0])
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)
    collect_files()
    make_admin()


if __name__ == "__main__":
    main()
