"""Make a database and a checkout ready to serve: tables, translations, files, an admin. Harmless when all is there."""

import secrets

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


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from remi_site import catalogues

    catalogues.compile_all(settings.LOCALE_PATHS[0])
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    make_admin()


if __name__ == "__main__":
    main()
