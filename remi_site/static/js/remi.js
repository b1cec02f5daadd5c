// What every page needs of script, and nothing more: each page works without it.
"use strict";

// The server shows times of the visitor's place before any settings are made. Whoever comes for the first time, by the link
// of a table mostly, reads its hours by that place at once.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const told = () => document.cookie.split("; ").filter((cookie) => cookie.startsWith("time_zone="));
  const before = told();
  if (!zone || before.includes(`time_zone=${zone}`)) return;
  document.cookie = `time_zone=${zone}; path=/; max-age=31536000; samesite=lax`;
  if (!before.length && told().length && document.querySelector("[data-guessed]")) location.reload();
})();

// A second tap on a button that is already sending does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.hasAttribute("hx-post") || event.defaultPrevented) return;
  if (form.dataset.sent) {
    event.preventDefault();
  } else {
    form.dataset.sent = "1";
    setTimeout(() => delete form.dataset.sent, 4000);
  }
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// No connection, or an answer that cannot be shown: say so, and take it back with the next answer that comes.
const away = (on) => {
  const note = document.getElementById("away");
  if (note) note.hidden = !on;
};
document.addEventListener("htmx:sendError", () => away(true));
document.addEventListener("htmx:timeout", () => away(true));
document.addEventListener("htmx:responseError", (event) => away(event.detail.xhr.status >= 500));
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) away(false);
});
