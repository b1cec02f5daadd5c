"""Which carrier serves which way off the site."""

from __future__ import annotations

from accounts.people.messages import mail, push, webhook
from accounts.people.messages.carriers import Carrier

CARRIERS: dict[str, Carrier] = {"mail": mail.carrier, "push": push.carrier, "webhook": webhook.carrier}
