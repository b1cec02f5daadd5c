// A deal seen again without a page load a step: the form's answers are swapped in, those beside the step are fetched ahead.
// Keys, swipe and playing by itself come with it; without script the form does all but those.
"use strict";

(() => {
  const BEAT = 1500;
  const FAR = 48;
  const KEPT = 80;

  const form = () => document.getElementById("replay");
  const here = () => Number(form().dataset.at);
  const last = () => Number(form().dataset.last);
  const goesOn = () => "running" in form().dataset;
  const ends = () => form().dataset.ends.split(" ").map(Number);

  // -- asking: by what the form would send, and each answer once; a deal that goes on may answer otherwise the next time

  const answers = new Map();

  const sent = (more) => {
    const data = new FormData(form());
    data.delete("at");
    for (const [name, value] of Object.entries(more)) data.set(name, value);
    if (!data.has("to")) data.set("to", here());
    data.set("had", document.getElementById("moves").dataset.list);
    return data;
  };

  const ask = (data) => {
    const query = new URLSearchParams(data).toString();
    if (goesOn() || !answers.has(query)) {
      const posts = form().method === "post";
      const address = posts ? form().action : `${form().action}?${query}`;
      const answer = fetch(address, { method: posts ? "POST" : "GET", body: posts ? data : undefined, headers: { "HX-Request": "true" } })
        .then(async (got) => {
          const elsewhere = got.headers.get("HX-Redirect");
          if (elsewhere) location.href = elsewhere;
          if (!got.ok || got.redirected || elsewhere) throw new Error("not a step");
          return { text: await got.text(), address: got.headers.get("HX-Replace-Url") };
        })
        .catch((fault) => {
          answers.delete(query);
          throw fault;
        });
      answers.set(query, answer);
      if (answers.size > KEPT) answers.delete(answers.keys().next().value);
    }
    return answers.get(query);
  };

  // -- showing

  let wanted = null;
  let held = null;

  const show = ({ text, address }) => {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const step = fresh.getElementById("replay");
    const moves = fresh.getElementById("moves");
    if (!step) throw new Error("not a step");
    document.title = step.dataset.title;
    Idiomorph.morph(form(), step, { morphStyle: "outerHTML" });
    if (moves) Idiomorph.morph(document.getElementById("moves"), moves, { morphStyle: "outerHTML" });
    if (held !== null) document.getElementById("at").value = held;
    if (address) {
      history.replaceState(null, "", address);
      const link = document.getElementById("here");
      if (link) link.value = address;
    }
    mark();
    uncover();
  };

  // What the move was about does not stay hidden below the dock.
  const uncover = () => {
    const now = form().querySelector(".felt [data-now]")?.getBoundingClientRect();
    const dock = document.getElementById("hand").getBoundingClientRect();
    if (!now || now.left > dock.right || now.right < dock.left) return;
    if (now.bottom > dock.top - 8) scrollBy(0, now.bottom - dock.top + 24);
    else if (now.top < 8) scrollBy(0, now.top - 24);
  };

  // The list is not sent anew for a step: where one is in it moves on here.
  const mark = () => {
    document.querySelector("#moves [aria-current]")?.removeAttribute("aria-current");
    const row = document.querySelector(`#moves [data-at="${here()}"]`);
    row?.setAttribute("aria-current", "step");
    const list = document.getElementById("moves");
    if (row && list.scrollHeight > list.clientHeight) {
      const top = row.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    }
  };

  const ahead = () => {
    if (goesOn() || form().method === "post") return;
    const turns = [ends().find((end) => end > here()), ends().findLast((end) => end < here())];
    for (const to of [here() + 1, here() - 1, ...turns]) if (to >= 0 && to <= last()) ask(sent({ to })).catch(() => {});
  };

  // Whoever is faster than the answers sees the newest alone.
  const go = async (more) => {
    const data = sent(more);
    const mine = (wanted = { to: Number(data.get("to")) });
    try {
      const answer = await ask(data);
      if (wanted !== mine) return;
      show(answer);
      away(false);
      wanted = null;
      ahead();
    } catch {
      if (wanted === mine) wanted = null;
      stop();
      away(true);
    }
  };

  const at = () => wanted?.to ?? here();
  const bounded = (to) => Math.min(Math.max(to, 0), last());
  const step = (by) => go({ to: bounded(at() + by) });
  const turn = (on) => {
    const from = at();
    const found = on ? ends().find((end) => end > from) : ends().findLast((end) => end < from);
    go({ to: found ?? (on ? last() : 0) });
  };

  // -- playing by itself

  let beat = null;
  const frame = document.getElementById("replaying");

  const stop = () => {
    clearInterval(beat);
    beat = null;
    delete frame.dataset.playing;
  };

  const play = () => {
    if (beat) {
      stop();
      return;
    }
    frame.dataset.playing = "";
    if (at() === last()) go({ to: 0 });
    else step(1);
    beat = setInterval(() => {
      if (at() >= last()) stop();
      else if (!document.hidden) step(1);
    }, BEAT);
  };

  // -- the side, which lies over the table on a small screen

  const side = document.getElementById("side");
  const covers = () => Boolean(side.showPopover) && side.matches(":popover-open");
  const uncoverTable = () => covers() && side.hidePopover();

  side.addEventListener("toggle", () => {
    if (covers()) side.querySelector('[aria-current="step"]')?.scrollIntoView({ block: "center" });
  });

  // -- the form

  // before the guard against a second tap, which is for what is really sent
  document.addEventListener(
    "submit",
    (event) => {
      if (event.target.id !== "replay") return;
      const button = event.submitter;
      if (button?.name === "deal") return;
      event.preventDefault();
      if (button?.name === "play") {
        play();
        return;
      }
      stop();
      if (button?.classList.contains("trace")) button.blur();
      go(button?.name ? { [button.name]: button.value } : {});
      if (button?.closest("#moves")) uncoverTable();
    },
    true,
  );

  document.addEventListener("input", (event) => {
    if (event.target.id !== "at") return;
    stop();
    held = event.target.value;
    go({ to: event.target.value });
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "at") held = null;
    if (event.target.name === "seat" && event.target.form === form()) go({});
    if (event.target.id === "find") {
      go({});
      uncoverTable();
    }
  });

  const KEYS = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => turn(false),
    ArrowDown: () => turn(true),
    Home: () => go({ to: 0 }),
    End: () => go({ to: last() }),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.("input, select, textarea")) return;
    if (event.key === " " && !event.target.closest?.("button, a, summary")) {
      event.preventDefault();
      play();
    } else if (KEYS[event.key] && !covers()) {
      event.preventDefault();
      stop();
      KEYS[event.key]();
    }
  });

  // A finger that goes sideways over the table turns the page.
  let touched = null;
  document.addEventListener("pointerdown", (event) => {
    const where = event.pointerType !== "mouse" && event.isPrimary && event.target.closest?.("#replay .felt, #replay .hand, #replay .rack, #replay .need");
    touched = where ? { x: event.clientX, y: event.clientY } : null;
  });
  document.addEventListener("pointerup", (event) => {
    if (!touched) return;
    const [x, y] = [event.clientX - touched.x, event.clientY - touched.y];
    touched = null;
    if (Math.abs(x) < FAR || Math.abs(x) < 2 * Math.abs(y)) return;
    stop();
    step(x < 0 ? 1 : -1);
  });
  document.addEventListener("pointercancel", () => (touched = null));

  mark();
  ahead();
  if ("playing" in frame.dataset) {
    delete frame.dataset.playing;
    play();
  }
})();
