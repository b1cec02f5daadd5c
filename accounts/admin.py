"""Players in the admin: who they are, never what opens their account."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.models import User


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    list_display = ("username", "email", "is_guest", "language", "is_staff", "last_seen")
    list_filter = ("is_guest", "is_staff", "is_superuser", "is_active", "language")
    search_fields = ("username", "email")
    # The address changes by its owner, who confirms it (allauth keeps it in a row of its own).
    readonly_fields = ("email", "last_seen", "last_login", "date_joined")
    # No password hash: it is set anew under "password/", never shown.
    fieldsets = (
        (None, {"fields": ("username", "email", "is_guest")}),
        (_("Looks and language"), {"fields": ("language", "time_zone", "deck", "felt", "theme")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Times"), {"fields": ("last_seen", "last_login", "date_joined")}),
    )
