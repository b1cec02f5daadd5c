// Checking a shuffle in the browser, from the record of the match: docs/shuffle.md and docs/evidence.md, step by step.
// `check` does it all; below it the page that shows the answers.

const utf8 = new TextEncoder();

async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

// --- the shuffle -------------------------------------------------------------------------------

const PLAIN = "remi-shuffle/1";
const SEALED = "remi-shuffle/2";

export async function keyOf(algorithm, seed, lines) {
  const added = lines.map((line, seat) => [seat, line]).filter(([, line]) => line);
  if (algorithm === PLAIN || !added.length) return seed;
  const told = added.map(([seat, line]) => {
    const bytes = utf8.encode(line);
    return joined(Uint8Array.of(seat, bytes.length >> 8, bytes.length & 255), bytes);
  });
  return sha256(joined(utf8.encode(SEALED), seed, ...told));
}

export function packOf(variant, seats) {
  const tiles = variant === "etalat";
  const numbers = tiles ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] : [..."A23456789TJQK"];
  const copies = tiles || (variant === "remi500" && seats >= 5) ? 2 : 1;
  const jokers = tiles ? 2 : 2 * copies;
  const pack = [];
  for (const suit of tiles ? "RYBK" : "SHDC")
    for (const number of numbers) for (let copy = 0; copy < copies; copy++) pack.push(number + suit);
  for (let joker = 0; joker < jokers; joker++) pack.push("*");
  return pack;
}

export async function shuffled(pack, key) {
  const deck = [...pack];
  let block = 0;
  let numbers = [];
  for (let i = deck.length - 1; i > 0; i--) {
    const limit = 2 ** 32 - (2 ** 32 % (i + 1));
    let x;
    do {
      if (!numbers.length) {
        const count = new DataView(new ArrayBuffer(8));
        count.setBigUint64(0, BigInt(block++));
        const digest = await sha256(joined(utf8.encode(PLAIN), key, new Uint8Array(count.buffer)));
        const view = new DataView(digest.buffer);
        numbers = Array.from({ length: 8 }, (_, at) => view.getUint32(4 * at));
      }
      x = numbers.shift();
    } while (x >= limit);
    const j = x % (i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

// --- the log -----------------------------------------------------------------------------------

const escaped = (text) =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));

export function canonical(value) {
  if (typeof value === "string") return escaped(value);
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return "{" + names.map((name) => escaped(name) + ":" + canonical(value[name])).join(",") + "}";
}

export async function headOf(log) {
  let head = hex(await sha256(utf8.encode(log.algorithm + "\n" + log.code)));
  for (const row of log.rows)
    head = hex(await sha256(utf8.encode(head + "\n" + (row[8] ?? "") + "\n" + canonical(row.slice(0, 8)))));
  return head;
}

function readLog(log) {
  const rows = log.rows.map(([number, at, kind, actor, seat, deal, text, facts]) => ({
    number, at, kind, actor, seat, deal, text, facts,
  }));
  let moves = [];
  for (const row of rows) {
    if (row.kind === "move") moves.push(row);
    else if (row.text === "rolled_back") moves = moves.filter((move) => move.number <= row.facts.to);
  }
  const told = (text, deal) =>
    rows.filter((row) => row.kind !== "move" && row.text === text && row.facts.number === deal);
  return { rows, told, movesOf: (deal) => moves.filter((move) => move.deal === deal) };
}

// --- the cards ---------------------------------------------------------------------------------

// Who was dealt what, from which place of the deck the stock goes on, and what lies in the row (§2.2, §4.2).
function dealt(record, deck, dealer, out) {
  const count = record.seats.length;
  const order = Array.from({ length: count }, (_, step) => (dealer + 1 + step) % count).filter((seat) => !out.has(seat));
  const hands = Array.from({ length: count }, () => []);
  if (record.variant === "etalat") {
    const atu = deck[105];
    const k = atu === "*" ? 1 : parseInt(atu);
    const piles = Array.from({ length: 15 }, (_, pile) => deck.slice(7 * pile, 7 * pile + 7));
    const [displaced, ...rest] = piles[k - 1];
    const arranged = [displaced, ...piles.slice(k).flat(), ...piles.slice(0, k - 1).flat(), ...rest, atu];
    let drawn = 0;
    for (const seat of order) {
      const size = drawn ? 14 : 15;
      hands[seat] = arranged.slice(drawn, drawn + size);
      drawn += size;
    }
    return { hands, row: [], stock: arranged.slice(drawn), order };
  }
  const size = record.variant === "remi500" && count === 2 ? 13 : 7;
  for (let round = 0; round < size; round++)
    order.forEach((seat, place) => hands[seat].push(deck[round * order.length + place]));
  const gone = size * order.length;
  return { hands, row: [deck[gone]], stock: deck.slice(gone + 1), order };
}

const inHand = (text) => (text.startsWith("*") ? "*" : text);
const kindOfDouble = (tile) => (parseInt(tile) === 1 ? "key" : parseInt(tile) >= 10 ? "big" : "small");

class Cards {
  constructor(record, deck, dealer, out) {
    Object.assign(this, dealt(record, deck, dealer, out));
    this.out = new Set(out);
    this.before = []; // what the turn can be taken back to, and whose turn that is
    this.turn = null;
    this.offers = new Map();
  }

  // Whether the move takes only cards that are where it says.
  follow({ seat, text, facts }) {
    const [kind, ...told] = text.split(":");
    const cards = (told[told.length - 1] ?? "").split(",").map(inHand);
    switch (kind[0]) {
      case "S":
        return this.draw(seat) && this.end();
      case "P":
        return this.take(seat, Number(kind.slice(1)));
      case "M":
      case "L":
        return this.keep(seat) && this.lose(seat, cards);
      case "W":
        return this.keep(seat) && this.lose(seat, cards) && this.hands[seat].push("*") > 0;
      case "A":
      case "B":
        return this.keep(seat);
      case "U":
        return this.back(seat, this.before.length - 1);
      case "D":
      case "C":
        return this.lose(seat, cards) && this.row.push(cards[0]) > 0 && this.end();
      case "T":
        return this.expire(seat, facts);
      case "X":
        if (cards[0] !== "pass" && cards[0] !== "spoil") this.offers.set(seat, cards[0]);
        return this.exchange(facts);
      case "R":
        this.out.add(seat);
        if (this.turn === seat) this.back(seat, 0), this.end();
        return this.exchange(facts);
      default:
        return kind === "E";
    }
  }

  keep(seat) {
    this.turn = seat;
    this.before.push([[...this.hands[seat]], [...this.row]]);
    return true;
  }

  end() {
    this.before = [];
    this.turn = null;
    return true;
  }

  back(seat, to) {
    if (this.turn !== seat || !this.before[to]) return false;
    [this.hands[seat], this.row] = this.before[to];
    this.before.length = to;
    return true;
  }

  draw(seat) {
    if (!this.stock.length) return false;
    this.hands[seat].push(this.stock.shift());
    return true;
  }

  take(seat, n) {
    if (n > this.row.length || !this.keep(seat)) return false;
    this.hands[seat].push(...this.row.splice(this.row.length - n));
    return true;
  }

  lose(seat, cards) {
    return cards.every((card) => {
      const place = this.hands[seat].indexOf(card);
      if (place >= 0) this.hands[seat].splice(place, 1);
      return place >= 0;
    });
  }

  expire(seat, facts) {
    if (facts.undone && this.turn === seat) this.back(seat, 0);
    if (facts.drew && !this.draw(seat)) return false;
    if (facts.cards && !(this.lose(seat, facts.cards) && this.row.push(facts.cards[0]))) return false;
    return this.end();
  }

  // Offers of one kind are swapped two by two, in order of play (§4.3).
  exchange(facts) {
    if (!facts.exchanged) return true;
    for (const kind of ["small", "big", "key"]) {
      const seats = this.order.filter(
        (seat) => !this.out.has(seat) && this.offers.has(seat) && kindOfDouble(this.offers.get(seat)) === kind,
      );
      for (let place = 0; place + 1 < seats.length; place += 2) {
        const [one, other] = [seats[place], seats[place + 1]];
        const [given, taken] = [this.offers.get(one), this.offers.get(other)];
        if (!this.lose(one, [given]) || !this.lose(other, [taken])) return false;
        this.hands[one].push(taken);
        this.hands[other].push(given);
      }
    }
    return true;
  }
}

// The deals of a record as they were dealt, those that a referee made void among them.
export const dealsOf = (record) =>
  record.voided ? [...record.deals, ...record.voided].sort((one, other) => one.number - other.number) : record.deals;

// Who was out of the match when a deal was dealt: who had resigned, and was not let in again by a referee.
function outBefore(record, place) {
  const out = new Set();
  dealsOf(record)
    .slice(0, place + 1)
    .forEach((deal, at) => {
      for (const ruled of record.rulings ?? [])
        if (ruled.before === deal.number) for (const seat of ruled.seats ?? []) out.delete(seat);
      if (at < place)
        for (const move of deal.moves) if (move.endsWith(" R")) out.add(Number(move.split(" ")[0]));
    });
  return out;
}

// How many moves of a deal take only cards that are where they say, up to the first that does not.
export function agreeing(record, place, deck, rows) {
  const cards = new Cards(record, deck, dealsOf(record)[place].dealer, outBefore(record, place));
  const fault = rows.findIndex((row) => !cards.follow(row));
  return fault < 0 ? rows.length : fault;
}

// --- everything --------------------------------------------------------------------------------

// The checks of a deal, the one at this place of the record: of each whether it holds, and what came out.
export async function check(record, place) {
  const deal = dealsOf(record)[place];
  const { algorithm, id, seed: told, contributions } = deal.shuffle;
  const log = readLog(record.log);
  const seed = unhex(told);
  const key = await keyOf(algorithm, seed, contributions);
  const seal = hex(await sha256(joined(seed, utf8.encode(id), utf8.encode(SEALED))));
  const print = hex(await sha256(joined(utf8.encode(SEALED + " key"), key)));
  const deck = await shuffled(packOf(record.variant, record.seats.length), key);
  const head = await headOf(record.log);
  const moves = log.movesOf(deal.number);
  const known = (algorithm === PLAIN || algorithm === SEALED) && seed.length === 32;
  const sealed = log.told("sealed", deal.number);
  const begun = log.told("dealt", deal.number);
  const early = sealed.length === 1 && begun.length === 1 && sealed[0].number < begun[0].number;
  const added = contributions.map((line, seat) => (line ? seat : -1)).filter((seat) => seat >= 0);
  const found = {
    deck: { holds: known && deck.join(" ") === deal.deck, out: "" },
    chain: { holds: head === record.log.head, out: head },
    moves: {
      holds:
        moves.map((move) => `${move.seat} ${move.text}`).join() === deal.moves.join() &&
        agreeing(record, place, deck, moves) === moves.length,
      out: "",
    },
  };
  if (algorithm !== PLAIN || sealed.length) {
    found.seal = { holds: early && id === `${record.log.code}#${deal.number}` && sealed[0].facts.seal === seal, out: seal };
    const same = begun.length === 1 && begun[0].facts.key === print && String(begun[0].facts.added) === String(added);
    found.key = { holds: known && same, out: print };
  }
  return found;
}

// --- the page ----------------------------------------------------------------------------------

const fours = (text) => text.replace(/(.{4})(?=.)/g, "$1 ");

function verdict(page, name) {
  for (const panel of page.querySelectorAll("[data-verdict]")) panel.hidden = panel.dataset.verdict !== name;
}

async function show(page) {
  verdict(page, "wait");
  let found;
  try {
    const answer = await fetch(page.dataset.record);
    found = await check(await answer.json(), Number(page.dataset.deal));
  } catch {
    verdict(page, "cannot");
    return;
  }
  for (const [name, { holds, out }] of Object.entries(found)) {
    const line = document.querySelector(`[data-check="${name}"]`);
    line.querySelector("[data-open]").hidden = true;
    line.querySelector(holds ? "[data-yes]" : "[data-no]").hidden = false;
    line.querySelector("[data-out]").textContent = fours(out);
  }
  verdict(page, Object.values(found).every(({ holds }) => holds) ? "yes" : "no");
}

const page = document.querySelector("[data-record][data-deal]");
if (page && globalThis.crypto?.subtle) show(page);

for (const button of document.querySelectorAll("[data-random]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = document.querySelector(button.dataset.random);
    field.value = hex(crypto.getRandomValues(new Uint8Array(16)));
  });
}
