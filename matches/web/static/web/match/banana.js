// @ts-check
/* Peeling the Banana: a card of the reach, and the ghost of its piece over the sheet. */

import { announce } from "../page.js";
import { hush, say } from "./bubble.js";
import * as ghost from "./ghost.js";
import { button, cell as cellOf, fill, lead, made, markCells } from "./parts.js";

/** @typedef {[number, number]} Space Its row and its column, from 1; of a step, how far down and how far right. */
/** @typedef {{ card: string, name: string, how: "plain" | "piece" | "space" | "card", key: string, tells: string,
      passed: string[], passes: string, lies: Record<string, Space[]>, targets: Record<string, string> }} Card */
/** @typedef {{ board: string[], width: number, height: number, cards: Card[], counts: boolean }} Given What the server's tray tells;
      without `counts` the player counts. */
/** @typedef {{ new: number, over: number, out: number }} Tally */

/** @type {Record<string, Space>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** @type {HTMLElement | null} */
let place = null;
/** @type {Given | null} */
let data = null;
/** @type {import("./tray.js").Offering | null} */
let offer = null;
/** @type {Card | null} */
let chosen = null;
let rotation = 0;
let flip = false;
/** @type {Space | null} */
let at = null;
let pinned = false;
let carried = false; /* The piece hangs at a pointer. */

/** @param {Space} space */
const nameOf = ([row, col]) => `${String.fromCharCode(96 + col)}${row}`;
/** @param {Space} space */
const markOf = ([row, col]) => data.board[row - 1]?.[col - 1] ?? ".";
const lieKey = () => (chosen.lies[`${rotation}${flip ? " f" : ""}`] ? `${rotation}${flip ? " f" : ""}` : "0");
const lie = () => chosen.lies[lieKey()];
/** @param {Space} anchor
    @returns {Space[]} */
const cellsAt = ([row, col]) => lie().map(([down, right]) => [row + down, col + right]);
const placed = () => Boolean(chosen && (chosen.how === "piece" || chosen.how === "space"));
/** @param {string} name */
const cardOf = (name) => data.cards.find((one) => one.card === name);

/** @param {Space[]} cells */
function count(cells) {
  /** @type {Tally} */
  const tally = { new: 0, over: 0, out: 0 };
  for (const one of cells) {
    const found = markOf(one);
    tally[found === "#" ? "new" : found === "o" ? "over" : "out"] += 1;
  }
  return tally;
}

/** @param {Tally} tally */
const fits = (tally) => !tally.out && !(chosen.how === "space" && tally.over);
/** Whether the piece may lie where it is held. */
const lies = () => placed() && Boolean(at) && fits(count(cellsAt(at)));

/** Where the piece lies at first: where it fills most, or anywhere that it fits.
    @returns {Space} */
function best() {
  /** @type {{ anchor: Space, gain: number } | null} */
  let found = null;
  for (let row = 1; row <= data.height; row += 1) {
    for (let col = 1; col <= data.width; col += 1) {
      const tally = count(cellsAt([row, col]));
      if (fits(tally) && (!found || (data.counts && tally.new > found.gain))) found = { anchor: [row, col], gain: tally.new };
    }
  }
  return found?.anchor ?? [1, 1];
}

function verdict() {
  if (!at) return `${chosen.name} is off the banana`;
  const tally = count(cellsAt(at));
  const where = `${chosen.name} on ${nameOf(at)}`;
  if (tally.out) return `${where} sticks out of the banana`;
  if (!fits(tally)) return `${where}: that space is filled already`;
  if (!data.counts) return `${where} fits`;
  return `${where} fills ${tally.new}${tally.over ? `, covers ${tally.over} again` : ""}`;
}

/** What the points would be. */
function sum() {
  const marks = data.board.join("");
  const gain = count(cellsAt(at)).new;
  const filled = marks.split("o").length - 1 + gain;
  const empty = marks.split("#").length - 1 - gain;
  const points = filled - empty;
  return `${filled} − ${empty} = ${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points)}`;
}

function text() {
  const turned = rotation ? ` r${rotation}` : "";
  return `play ${chosen.card} @${nameOf(at)}${chosen.how === "piece" ? turned + (flip ? " f" : "") : ""}`;
}

/** The sentence of the strip, while a piece is held; what is read aloud is announced. */
function sentence() {
  const words = placed() && at ? verdict() : "";
  const asked = document.querySelector("#turn-bar .asked");
  const own = asked?.querySelector(".held");
  if (!words) own?.remove();
  else if (own) own.textContent = carried && lies() ? `Let go: ${words}` : words;
  else {
    asked?.append(made("span", { class: "held", aria_hidden: "true" }));
    sentence();
  }
}

/** Show on the board where the piece would lie, and which cards go to the discard with it. */
export function mark() {
  const cells = placed() && at ? cellsAt(at) : [];
  const whole = !cells.length || fits(count(cells));
  markCells(whole ? cells.filter((one) => markOf(one) === "#").map(nameOf) : [], "ghost-new");
  markCells(whole ? cells.filter((one) => markOf(one) === "o").map(nameOf) : [], "ghost-over");
  markCells(whole ? [] : cells.map(nameOf), "ghost-out");
  ghost.show(cells, markOf, whole);
  markCells(chosen ? [chosen.card] : [], "chosen");
  markCells(chosen ? chosen.passed : [], "passed");
  markCells(chosen ? Object.keys(chosen.targets) : [], "aim");
  sentence();
}

/** @param {Card} card */
function hold(card) {
  chosen = card;
  rotation = 0;
  flip = false;
  pinned = false;
  at = placed() ? best() : null;
}

/** @param {Card} card */
function choose(card) {
  hush();
  if (chosen?.card === card.card) return takeBack();
  if (card.how === "plain") return play(card);
  hold(card);
  draw();
  if (placed()) lead(place, "place");
  announce(`${placed() ? verdict() : `Choose a card for ${card.name}`}. ${card.passes}`);
}

/** Play a card that needs no place.
    @param {Card} card */
function play(card) {
  hold(card);
  draw();
  offer({ text: `play ${card.card}`, label: `Play ${card.name}`, hint: `${card.tells}. ${card.passes}`, confirm: true });
}

/** Play the chosen card on another one.
    @param {string} target */
function aim(target) {
  const label = `Play ${chosen.name} on ${chosen.targets[target]}`;
  offer({ text: `play ${chosen.card} ${target}`, label, hint: chosen.tells, confirm: false });
}

function takeBack() {
  const { card } = chosen;
  chosen = null;
  draw();
  cellOf(card)?.focus();
}

function turn() {
  rotation = (rotation + 90) % 360;
  moved();
}

function mirror() {
  flip = !flip;
  moved();
}

function moved() {
  draw();
  if (carried) ghost.turn(lie());
  announce(verdict());
}

/** @param {Space} step */
function nudge([down, right]) {
  at = [Math.min(data.height, Math.max(1, at[0] + down)), Math.min(data.width, Math.max(1, at[1] + right))];
  pinned = true;
  moved();
}

function lay() {
  if (!placed()) return;
  if (lies()) offer({ text: text(), label: `Place ${chosen.name}`, hint: verdict(), confirm: false });
  else say(`${verdict()}.`, cellOf(nameOf(cellsAt(at)[0])) ?? document.getElementById("board"));
}

function controls() {
  if (chosen?.how === "card") {
    const back = button("Put it back", takeBack, { letter: "Esc", kind: "choice quiet", name: "back" });
    return [back, ...Object.entries(chosen.targets).map(([target, where]) => button(where, () => aim(target), { name: target }))];
  }
  const piece = chosen?.how === "piece";
  return [
    button("Rotate", () => piece && turn(), { letter: "R", idle: !piece, name: "rotate" }),
    button("Flip", () => piece && mirror(), { letter: "F", idle: !piece, name: "flip" }),
    button("Place", lay, { letter: "Enter", idle: !lies(), kind: "choice primary", name: "place" }),
  ];
}

function words() {
  if (!chosen) return "Drag a card onto your banana, or press its number.";
  if (chosen.how === "card") return `${chosen.name}: ${chosen.tells}. Choose which one.`;
  return lies() && data.counts ? `${verdict()}: then ${sum()}` : placed() ? verdict() : chosen.tells;
}

function draw() {
  fill(place,
    made("p", { class: "verdict", text: words() }),
    ...(chosen?.passes ? [made("p", { class: "passes", text: chosen.passes })] : []),
    made("div", { class: `choices ${chosen?.how === "card" ? "aims" : "turning"}` }, ...controls()));
  mark();
}

/** @param {HTMLElement} where
    @param {Given} given
    @param {import("./tray.js").Offering} offering */
export function update(where, given, offering) {
  [place, offer] = [where, offering];
  const same = data && JSON.stringify(data) === JSON.stringify(given);
  data = given;
  if (!same) [chosen, at, pinned, carried] = [null, null, false, false];
  draw();
}

/** A card, or a space of the board.
    @param {string} name */
export function cell(name) {
  if (chosen && name in chosen.targets) {
    aim(name);
    return true;
  }
  const card = cardOf(name);
  if (card) {
    choose(card);
    return true;
  }
  if (name.includes("#")) {
    say(`${cellOf(name)?.querySelector("title")?.textContent}. Not in your reach.`, cellOf(name));
    return true;
  }
  const found = placed() && /^([a-z])(\d+)$/.exec(name);
  if (!found) return false;
  at = anchoredOn([Number(found[2]), found[1].charCodeAt(0) - 96]);
  pinned = true;
  moved();
  return true;
}

/** The anchor that lays the piece's first square on a space.
    @param {Space} space
    @returns {Space} */
function anchoredOn([row, col]) {
  const [down, right] = lie()[0];
  return [row - down, Math.max(1, col - right)];
}

/** @param {string} name */
export function hover(name) {
  const found = placed() && !pinned && !carried && /^([a-z])(\d+)$/.exec(name);
  if (!found) return;
  at = anchoredOn([Number(found[2]), found[1].charCodeAt(0) - 96]);
  draw();
}

/** @param {KeyboardEvent} event */
export function key(event) {
  const card = data.cards.find((one) => one.key === event.key);
  if (card) choose(card);
  else if (event.key === "Escape" && chosen) takeBack();
  else if (!placed()) return false;
  else if (event.key in STEPS) nudge(STEPS[event.key]);
  else if (event.key.toLowerCase() === "r" && chosen.how === "piece") turn();
  else if (event.key.toLowerCase() === "f" && chosen.how === "piece") mirror();
  else if (event.key === "Enter") lay();
  else return false;
  return true;
}

/** A card of the reach may be dragged, and so may the piece where it would lie.
    @param {string} name */
export function lift(name) {
  return Boolean(cardOf(name)) || (placed() && Boolean(at) && cellsAt(at).map(nameOf).includes(name));
}

/** @param {string} name */
export function lifted(name) {
  const card = cardOf(name);
  if (card && card.card !== chosen?.card) hold(card);
  if (!placed()) {
    draw();
    return null;
  }
  [carried, pinned, at] = [true, true, null];
  draw();
  return ghost.lifted(lie());
}

/** @param {string} name
    @param {number} x
    @param {number} y */
export function over(name, x, y) {
  if (!carried) return;
  const before = JSON.stringify(at);
  at = ghost.anchorAt(lie(), x, y);
  if (JSON.stringify(at) === before) return;
  // The buttons stay: to make them anew at each space would lay out half the page under the pointer.
  place.querySelector(".verdict").textContent = words();
  const sure = place.querySelector('[data-name="place"]');
  if (lies()) sure?.removeAttribute("aria-disabled");
  else sure?.setAttribute("aria-disabled", "true");
  mark();
  if (at) announce(verdict());
}

/** @param {string} name
    @param {number} x
    @param {number} y */
export function drop(name, x, y) {
  const under = document.elementsFromPoint(x, y);
  if (chosen && !placed()) {
    const cell = under.map((one) => /** @type {SVGElement | null} */ (one.closest("[data-cell]"))?.dataset.cell).find(Boolean);
    if (chosen.how === "card" && cell && cell in chosen.targets) aim(cell);
    else if (chosen.how === "plain" && under.some((one) => one.closest("#board"))) play(chosen);
    else if (chosen.how === "plain") putBack();
    return true;
  }
  carried = false;
  if (!at) {
    putBack();
    return true;
  }
  draw();
  lay();
  return true;
}

function putBack() {
  [chosen, at] = [null, null];
  draw();
}
