from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.models import User


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    list_display = ("username", "display_name", "is_guest", "language", "is_staff", "last_seen")
    list_filter = ("is_guest", "is_staff", "is_superuser", "is_active", "language")
    search_fields = ("username", "display_name", "email")
    readonly_fields = ("last_seen", "last_login", "date_joined")
    fieldsets = (
        *(DjangoUserAdmin.fieldsets or ()),
        (
            _("At the table"),
            {"fields": ("display_name", "is_guest", "language", "time_zone", "deck", "felt", "theme", "last_seen")},
        ),
    )
