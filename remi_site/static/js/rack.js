// At a table of tiles: the rack in the player's own arrangement. A tile is dragged, or moved with Ctrl and the arrow keys;
// a group of tiles is a list within its shelf, and the space between two groups is theirs to make and to close.
"use strict";

(() => {
  const TILE = "#cards[data-rack] li[data-card]";
  const shelvesOf = (rack) => [...rack.querySelectorAll(":scope > .shelf")];
  const groupsOf = (shelf) => [...shelf.children];

  const newGroup = (tile) => {
    const group = document.createElement("li");
    group.append(document.createElement("ul"));
    group.firstChild.append(tile);
    return group;
  };

  // A group that lost its last tile is none.
  const tidy = (rack) => {
    for (const group of rack.querySelectorAll(".shelf > li")) if (!group.querySelector("[data-card]")) group.remove();
  };

  // The arrangement as the server keeps it: tiles in reading order, "" between groups, "/" between the shelves.
  const orderOf = (rack) =>
    shelvesOf(rack)
      .map((shelf) => groupsOf(shelf).map((group) => [...group.querySelectorAll("[data-card]")].map((tile) => tile.dataset.card)))
      .map((groups) => groups.flatMap((tiles, at) => (at ? ["", ...tiles] : tiles)))
      .flatMap((tiles, at) => (at ? ["/", ...tiles] : tiles));

  const keep = (rack) => {
    tidy(rack);
    const sort = document.getElementById("sort");
    if (sort) sort.value = "hand";
    htmx.ajax("POST", rack.dataset.rack, { source: rack, swap: "none", values: { sort: "hand", order: orderOf(rack) } });
  };

  // -- with the keyboard: within the group, out of it, into the next one, and to the other shelf

  const sideways = (tile, forward) => {
    const group = tile.parentElement.parentElement;
    const beside = forward ? tile.nextElementSibling : tile.previousElementSibling;
    if (beside) {
      if (forward) beside.after(tile);
      else beside.before(tile);
      return;
    }
    const next = forward ? group.nextElementSibling : group.previousElementSibling;
    if (tile.parentElement.children.length > 1) {
      if (forward) group.after(newGroup(tile));
      else group.before(newGroup(tile));
    } else if (next) {
      const list = next.querySelector("ul");
      if (forward) list.prepend(tile);
      else list.append(tile);
    } else {
      const shelf = forward ? group.parentElement.nextElementSibling : group.parentElement.previousElementSibling;
      if (shelf && forward) shelf.prepend(newGroup(tile));
      if (shelf && !forward) shelf.append(newGroup(tile));
    }
  };

  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return box.left + box.width / 2;
  };

  const toShelf = (tile, shelf) => {
    if (!shelf) return;
    const from = middle(tile);
    const tiles = [...shelf.querySelectorAll("[data-card]")];
    const nearest = tiles.reduce((best, other) => (!best || Math.abs(middle(other) - from) < Math.abs(middle(best) - from) ? other : best), null);
    if (!nearest || nearest.getBoundingClientRect().right < from) shelf.append(newGroup(tile));
    else if (middle(nearest) < from) nearest.after(tile);
    else nearest.before(tile);
  };

  const MOVES = {
    ArrowLeft: (tile) => sideways(tile, false),
    ArrowRight: (tile) => sideways(tile, true),
    ArrowUp: (tile, shelf) => toShelf(tile, shelf.previousElementSibling),
    ArrowDown: (tile, shelf) => toShelf(tile, shelf.nextElementSibling),
  };

  document.addEventListener("keydown", (event) => {
    const tile = (event.ctrlKey || event.altKey) && MOVES[event.key] && event.target.closest(TILE);
    if (!tile) return;
    event.preventDefault();
    const focused = document.activeElement;
    const rack = tile.closest("#cards");
    MOVES[event.key](tile, tile.closest(".shelf"));
    focused.focus();
    keep(rack);
  });

  // -- by dragging: before or after the tile it is dragged over, else into a group of its own

  const FAR = 10;
  let dragged = null;
  let from = null;
  let moved = false;

  const isLast = (tile) => !tile.nextElementSibling || (tile.nextElementSibling === dragged && !dragged.nextElementSibling);
  const isFirst = (tile) => !tile.previousElementSibling || (tile.previousElementSibling === dragged && !dragged.previousElementSibling);

  const over = (tile, x) => {
    const box = tile.getBoundingClientRect();
    const at = (x - box.left) / box.width;
    const group = tile.parentElement.parentElement;
    // the outer edge of a group is where it ends: a tile let go there stands apart
    if (at > 0.8 && isLast(tile)) group.after(newGroup(dragged));
    else if (at < 0.2 && isFirst(tile)) group.before(newGroup(dragged));
    else if (at > 0.5) tile.after(dragged);
    else tile.before(dragged);
  };

  const overShelf = (shelf, x, y) => {
    const after = groupsOf(shelf).filter((group) => {
      const box = group.getBoundingClientRect();
      return !group.contains(dragged) && box.top <= y && box.left < x && box.bottom >= y;
    });
    const here = dragged.parentElement.parentElement;
    const alone = dragged.parentElement.children.length === 1 ? here : newGroup(dragged);
    if (after.length) after[after.length - 1].after(alone);
    else if (groupsOf(shelf).length && y < groupsOf(shelf)[0].getBoundingClientRect().bottom) shelf.prepend(alone);
    else shelf.append(alone);
  };

  document.addEventListener("pointerdown", (event) => {
    const tile = event.button === 0 && event.isPrimary && event.target.closest?.(TILE);
    if (!tile) return;
    dragged = tile;
    from = { x: event.clientX, y: event.clientY };
    moved = false;
  });

  document.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    if (!moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR) return;
    moved = true;
    dragged.dataset.drag = "";
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const tile = under?.closest(TILE);
    if (tile === dragged) return;
    const shelf = under?.closest("#cards[data-rack] > .shelf");
    if (tile) over(tile, event.clientX);
    else if (shelf) overShelf(shelf, event.clientX, event.clientY);
    tidy(dragged.closest("#cards"));
  });

  const drop = () => {
    if (!dragged) return;
    const rack = dragged.closest("#cards");
    delete dragged.dataset.drag;
    dragged = null;
    if (moved && rack) keep(rack);
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);

  // A tile that was dragged was not picked.
  document.addEventListener(
    "click",
    (event) => {
      if (moved && event.target.closest("#cards")) event.preventDefault();
      moved = false;
    },
    true,
  );
})();
