// The number at the bell stands in the tab and on the icon of the app too; a message that the browser has just shown rings it.
"use strict";

(() => {
  const count = () => Number(document.getElementById("bell")?.dataset.unread ?? 0);

  const badge = () => {
    if (count()) navigator.setAppBadge?.(count()).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
  };

  const retitle = () => {
    const name = document.title.replace(/^\(\d+\) /, "");
    document.title = count() ? `(${count()}) ${name}` : name;
  };

  badge();
  navigator.serviceWorker?.addEventListener("message", () => {
    // my tables are brought up to date as a whole, title and bell with them
    const tables = document.getElementById("tables");
    htmx.trigger(tables ?? "#bell", tables ? "fresh" : "news");
  });
  // At a table each answer brings a title of its own, without the number; and who has made a move has seen what asked for it.
  const asked = () => document.querySelector("#hand[data-turn]") !== null;
  let wasAsked = asked();

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.elt.id === "bell") badge();
    if (!document.getElementById("tables")) retitle();
    if (wasAsked && !asked()) htmx.trigger("#bell", "news");
    wasAsked = asked();
  });
})();
