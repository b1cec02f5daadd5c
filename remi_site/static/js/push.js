// Messages on this device: the button on the settings page asks the browser, and the browser asks the player. Logging out ends them.
"use strict";

(() => {
  const form = document.getElementById("leave");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const ended = async () => {
      const registration = await navigator.serviceWorker?.getRegistration();
      const subscription = await registration?.pushManager?.getSubscription();
      await subscription?.unsubscribe();
    };
    const late = new Promise((done) => setTimeout(done, 1500));
    await Promise.race([ended().catch(() => {}), late]);
    form.submit();
  });
})();

(() => {
  const form = document.getElementById("device");
  if (!form) return;
  const say = (name) => {
    for (const note of form.querySelectorAll("[data-say]")) note.hidden = note.dataset.say !== name;
  };
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const key = form.dataset.key;

  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    // An iPhone can do it once the site is on its home screen.
    say(/iPhone|iPad/.test(navigator.userAgent) ? "home" : "cannot");
    return;
  }

  // The address of this device as the site has it: made for the site's present key, else it is of no use.
  const present = async () => {
    const registration = await navigator.serviceWorker.register("/sw.js");
    const found = await registration.pushManager.getSubscription();
    const made = found?.options.applicationServerKey;
    if (!made || new Uint8Array(made).toString() === bytes(key).toString()) return found;
    await found.unsubscribe();
    return null;
  };

  const fill = (subscription) => {
    const { endpoint, keys } = subscription.toJSON();
    Object.assign(form.elements.endpoint, { value: endpoint });
    Object.assign(form.elements.p256dh, { value: keys.p256dh });
    Object.assign(form.elements.auth, { value: keys.auth });
  };

  // Which of the listed devices is this one.
  const mark = async (subscription) => {
    const text = new TextEncoder().encode(subscription.endpoint);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
    const name = [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const row = document.querySelector(`[data-device="${name}"]`);
    if (row) row.querySelector("[data-this]").hidden = false;
    return Boolean(row);
  };

  const look = async () => {
    if (Notification.permission === "denied") return say("denied");
    const subscription = await present();
    return say(subscription && (await mark(subscription)) ? "on" : "off");
  };

  form.addEventListener("submit", async (event) => {
    if (form.elements.endpoint.value) return;
    event.preventDefault();
    say("asking");
    try {
      if ((await Notification.requestPermission()) !== "granted") return say("denied");
      const registration = await navigator.serviceWorker.register("/sw.js");
      await navigator.serviceWorker.ready;
      const options = { userVisibleOnly: true, applicationServerKey: bytes(key) };
      fill((await present()) ?? (await registration.pushManager.subscribe(options)));
      form.submit();
    } catch {
      say("failed");
    }
  });

  look().catch(() => say("off"));
})();
