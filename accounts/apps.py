from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.leagues import receivers  # noqa: F401  (they register themselves)
        from accounts.people import marks  # noqa: F401  (its receivers too)
        from accounts.people.messages import keys

        post_migrate.connect(keys.make_with_tables, sender=self, dispatch_uid="accounts.keys")
