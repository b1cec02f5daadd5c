// The service worker: shows what the site sends while no page is open, and nothing else. It keeps no files and answers no requests.
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

const told = (event) => {
  try {
    return event.data.json();
  } catch {
    return {};
  }
};

self.addEventListener("push", (event) => {
  const { title = "Remi", body = "", url = "/", tag = "remi", lang = "" } = told(event);
  const shown = self.registration.showNotification(title, {
    body,
    tag,
    lang,
    renotify: true,
    icon: "/static/img/logo-192.png",
    data: { url },
  });
  // a page that is open brings its bell up to date
  const pages = self.clients.matchAll({ type: "window" }).then((all) => all.forEach((page) => page.postMessage("news")));
  event.waitUntil(Promise.all([shown, pages]));
});

// A tap leads to the table: in the page that shows it, else in one that is open, else in a new one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const there = new URL(event.notification.data?.url ?? "/", self.location.origin);
  if (there.origin !== self.location.origin) return;
  const go = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const shown = pages.find((page) => new URL(page.url).pathname === there.pathname) ?? pages[0];
    if (!shown) return self.clients.openWindow(there.href);
    await shown.focus();
    return new URL(shown.url).pathname === there.pathname ? undefined : shown.navigate(there.href);
  };
  event.waitUntil(go());
});

// The browser has changed the address it is reached at: the site takes the new one for the old.
self.addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const old = event.oldSubscription;
    if (!old) return;
    const fresh = event.newSubscription ?? (await self.registration.pushManager.subscribe(old.options));
    const { endpoint, keys } = fresh.toJSON();
    const body = new URLSearchParams({ old: old.endpoint, endpoint, p256dh: keys.p256dh, auth: keys.auth });
    await fetch("/settings/messages/devices/renew/", { method: "POST", body });
  };
  event.waitUntil(renew());
});
