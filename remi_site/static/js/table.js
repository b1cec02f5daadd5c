// At a table: ask for news only while it is looked at, and let the hand be put in order.
"use strict";

// The page asks every few seconds whether something has changed; not while nobody sees it, and at once when somebody does.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id === "table" && document.hidden) event.preventDefault();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) htmx.trigger("#table", "fresh");
});

// An answer about a table that has moved on meanwhile is old news: it would undo what was picked since.
document.addEventListener("htmx:beforeSwap", (event) => {
  const asked = event.detail.xhr.responseURL.match(/\/poll\/(\d+)\/|\/buttons\/\?(?:.*&)?version=(\d+)/);
  const shown = document.querySelector("#version")?.value;
  if (asked && shown && (asked[1] ?? asked[2]) !== shown) event.detail.shouldSwap = false;
});

// A move replaces the button that made it: whoever plays by keyboard goes on at the hand, not at the top of the page.
document.addEventListener("htmx:afterSettle", (event) => {
  const moved = event.detail.requestConfig?.verb === "post";
  if (moved && document.activeElement === document.body) document.getElementById("hand")?.focus({ preventScroll: true });
});

// Moves that come too fast are not played; anything else that cannot be shown here has a page of its own.
document.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  if (status === 429) document.getElementById("busy").hidden = false;
  else if (status < 500) location.reload();
});
document.addEventListener("htmx:beforeRequest", () => {
  document.getElementById("busy").hidden = true;
});

// The hand in the player's own order: drag a card, or move it with Ctrl and the arrow keys.
const hand = () => document.querySelector("#cards[data-arrange]");

const keep = (list) => {
  const order = [...list.children].map((item) => item.dataset.card);
  htmx.ajax("POST", list.dataset.arrange, { source: list, swap: "none", values: { sort: "hand", order } });
};

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.altKey) || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  const item = event.target.closest("#cards[data-arrange] > li");
  if (!item) return;
  event.preventDefault();
  const focused = document.activeElement;
  if (event.key === "ArrowLeft" && item.previousElementSibling) item.previousElementSibling.before(item);
  if (event.key === "ArrowRight" && item.nextElementSibling) item.nextElementSibling.after(item);
  focused.focus();
  keep(item.parentElement);
});

let dragged = null;
let from = null;
let moved = false;

document.addEventListener("pointerdown", (event) => {
  const item = event.button === 0 && event.target.closest("#cards[data-arrange] > li");
  if (!item) return;
  dragged = item;
  from = { x: event.clientX, y: event.clientY };
  moved = false;
});

document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  if (!moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 10) return;
  moved = true;
  dragged.dataset.drag = "";
  const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("#cards > li");
  if (!over || over === dragged) return;
  const box = over.getBoundingClientRect();
  if (event.clientX > box.left + box.width / 2) over.after(dragged);
  else over.before(dragged);
});

const drop = () => {
  if (!dragged) return;
  delete dragged.dataset.drag;
  if (moved && hand()) keep(dragged.parentElement);
  dragged = null;
};
document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);

// A card that was dragged was not picked.
document.addEventListener(
  "click",
  (event) => {
    if (moved && event.target.closest("#cards")) event.preventDefault();
    moved = false;
  },
  true,
);
document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("#cards")) event.preventDefault();
});
