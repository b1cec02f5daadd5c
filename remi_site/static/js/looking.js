// A player who has the table before the eyes need not be told by mail what the table shows: the page says so, once a minute,
// while it is seen and somebody is there.
"use strict";

(() => {
  const EVERY = 60_000;
  const THERE = 120_000; // after this long without a touch or a key nobody may be there
  const table = location.pathname.match(/^\/t\/\w+\//)?.[0];
  if (!table) return;
  let touched = Date.now();
  let told = 0;

  const tell = () => {
    const now = Date.now();
    if (document.hidden || now - touched > THERE || now - told < EVERY) return;
    told = now;
    const headers = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
    fetch(`${table}looking/`, { method: "POST", headers }).catch(() => {});
  };

  for (const event of ["pointerdown", "pointermove", "keydown", "scroll"]) {
    const there = () => {
      touched = Date.now();
      tell();
    };
    addEventListener(event, there, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => {
    touched = Date.now();
    tell();
  });
  setInterval(tell, EVERY / 4);
  tell();
})();
