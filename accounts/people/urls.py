"""The addresses about people. Of allauth's only those that lead to a page of ours; their names are allauth's own."""

from allauth.account import views as allauth_views
from django.urls import path, re_path

from accounts.people import vacation, views
from accounts.people.messages import devices, inbox
from accounts.people.messages.unsubscribe import unsubscribe
from accounts.people.owndata import views as owndata

urlpatterns = [
    path("", views.landing, name="landing"),
    path("language/", views.set_language, name="set_language"),
    path("settings/", views.settings, name="settings"),
    path("settings/vacation/", vacation.vacation, name="vacation"),
    path("settings/vacation/end/", vacation.end_vacation, name="end_vacation"),
    path("settings/data/", owndata.own_data, name="own_data"),
    path("settings/data/ask/", owndata.ask, name="ask_data"),
    path("settings/data/remi.zip", owndata.download, name="download_data"),
    path("settings/data/delete/", owndata.delete, name="delete_account"),
    path("messages/stop/<str:token>/", unsubscribe, name="unsubscribe"),
    path("settings/messages/", devices.ways, name="ways"),
    path("settings/messages/test/", devices.test, name="test_message"),
    path("settings/messages/devices/", devices.add, name="add_device"),
    path("settings/messages/devices/renew/", devices.renew, name="renew_device"),
    path("settings/messages/devices/<int:pk>/remove/", devices.remove, name="remove_device"),
    path("messages/", inbox.inbox, name="messages"),
    path("messages/open/", inbox.open_message, name="open_message"),
    path("messages/read/", inbox.read_all, name="read_all"),
    path("messages/bell/", inbox.ring, name="bell"),
    path("sw.js", devices.worker, name="service_worker"),
    path("account/login/", views.login, name="account_login"),
    path("account/signup/", views.signup, name="account_signup"),
    path("account/logout/", allauth_views.logout, name="account_logout"),
    path("account/inactive/", allauth_views.account_inactive, name="account_inactive"),
    path("account/email/", views.players_only(allauth_views.email), name="account_email"),
    path("account/email/sent/", allauth_views.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^account/email/confirm/(?P<key>[-:\w]+)/$", views.confirm_email, name="account_confirm_email"),
    path("account/password/", views.players_only(allauth_views.password_change), name="account_change_password"),
    path("account/password/set/", views.players_only(allauth_views.password_set), name="account_set_password"),
    path("account/password/check/", views.players_only(allauth_views.reauthenticate), name="account_reauthenticate"),
    path("account/password/reset/", allauth_views.password_reset, name="account_reset_password"),
    path("account/password/reset/sent/", allauth_views.password_reset_done, name="account_reset_password_done"),
    path(
        "account/password/reset/done/",
        allauth_views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^account/password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
]
