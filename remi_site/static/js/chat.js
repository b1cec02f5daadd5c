// The chat of a table: what was sent leaves the field, and what is looked at is no news any more.
"use strict";

(() => {
  // What is being written stays, and so does a chat in which nothing is new, whatever else of the table changes.
  if (window.Idiomorph) {
    Idiomorph.defaults.callbacks.beforeNodeMorphed = (old, made) => old.id !== "say" && !made.hasAttribute?.("data-same");
  }

  document.addEventListener("said", () => {
    const field = document.getElementById("words");
    if (field) field.value = "";
  });

  const look = () => {
    const mark = document.querySelector("#opener[data-unread], #voices[data-unread]");
    const words = document.querySelector("#says, #voices");
    if (!mark || document.hidden || !words?.checkVisibility?.()) return;
    const url = mark.dataset.unread;
    delete mark.dataset.unread;
    const headers = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
    const body = new URLSearchParams({ said: document.getElementById("said").value });
    fetch(url, { method: "POST", headers, body }).catch(() => {});
  };

  document.addEventListener("toggle", look, true);
  document.addEventListener("visibilitychange", look);
  document.addEventListener("htmx:afterSettle", look);
  look();
})();
