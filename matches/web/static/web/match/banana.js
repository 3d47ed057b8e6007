// @ts-check
/* Peeling the Banana: a card of the reach, and the ghost of its piece over the sheet. */

import { announce } from "../page.js";
import { button, fill, lead, made, markCells } from "./parts.js";

/** @typedef {[number, number]} Space Its row and its column, from 1; of a step, how far down and how far right. */
/** @typedef {{ card: string, how: "plain" | "piece" | "space" | "card", key: string, tells: string, discards: number,
      lies: Record<string, Space[]>, targets: string[] }} Card */
/** @typedef {{ board: string[], width: number, height: number, cards: Card[] }} Given What the server's tray tells. */
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

/** @param {Space} space */
const nameOf = ([row, col]) => `${String.fromCharCode(96 + col)}${row}`;
/** @param {Space} space */
const markOf = ([row, col]) => data.board[row - 1]?.[col - 1] ?? ".";
const lieKey = () => (chosen.lies[`${rotation}${flip ? " f" : ""}`] ? `${rotation}${flip ? " f" : ""}` : "0");
/** @param {Space} anchor
    @returns {Space[]} */
const cellsAt = ([row, col]) => chosen.lies[lieKey()].map(([down, right]) => [row + down, col + right]);
const placed = () => chosen && (chosen.how === "piece" || chosen.how === "space");

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
function fits(tally) {
  return !tally.out && !(chosen.how === "space" && tally.over);
}

/** @returns {Space} */
function best() {
  /** @type {{ anchor: Space, gain: number } | null} */
  let found = null;
  for (let row = 1; row <= data.height; row += 1) {
    for (let col = 1; col <= data.width; col += 1) {
      const tally = count(cellsAt([row, col]));
      if (fits(tally) && (!found || tally.new > found.gain)) found = { anchor: [row, col], gain: tally.new };
    }
  }
  return found?.anchor ?? [1, 1];
}

function verdict() {
  const tally = count(cellsAt(at));
  const where = `${chosen.card} at ${nameOf(at)}`;
  if (tally.out) return `${where}: sticks out of the banana`;
  if (!fits(tally)) return `${where}: that space is filled already`;
  return `${where}: fills ${tally.new}${tally.over ? `, overlaps ${tally.over}` : ""}`;
}

function text() {
  const turned = rotation ? ` r${rotation}` : "";
  return `play ${chosen.card} @${nameOf(at)}${chosen.how === "piece" ? turned + (flip ? " f" : "") : ""}`;
}

/** Show on the board where the piece would lie. */
export function mark() {
  const cells = placed() && at ? cellsAt(at) : [];
  const out = cells.some((one) => markOf(one) === ".");
  markCells(out ? [] : cells.filter((one) => markOf(one) === "#").map(nameOf), "ghost-new");
  markCells(out ? [] : cells.filter((one) => markOf(one) === "o").map(nameOf), "ghost-over");
  markCells(out ? cells.map(nameOf) : [], "ghost-out");
}

/** @param {Card} card
    @param {string} lie */
function piece(card, lie) {
  const cells = card.lies[lie];
  const [high, wide] = [0, 1].map((axis) => 1 + Math.max(...cells.map((one) => one[axis])));
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawn.setAttribute("viewBox", `0 0 ${wide * 12} ${high * 12}`);
  drawn.setAttribute("width", String(wide * 12));
  drawn.setAttribute("height", String(high * 12));
  drawn.setAttribute("aria-hidden", "true");
  for (const [row, col] of cells) {
    const square = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const shape = { x: col * 12 + 0.5, y: row * 12 + 0.5, width: 11, height: 11, rx: 2 };
    for (const [key, value] of Object.entries(shape)) square.setAttribute(key, String(value));
    drawn.append(square);
  }
  return drawn;
}

/** @param {Card} card */
function choose(card) {
  if (card.how === "plain") {
    chosen = null;
    offer({ text: `play ${card.card}`, label: `Play ${card.card}`, hint: said(card), confirm: true });
    return draw();
  }
  chosen = card;
  rotation = 0;
  flip = false;
  pinned = false;
  at = placed() ? best() : null;
  draw();
  if (placed()) lead(place, "place");
  announce(placed() ? verdict() : `Choose a card for ${card.card}.`);
}

/** @param {Card} card */
const said = (card) => `${card.tells}${card.discards ? `; discards ${card.discards} more` : ""}`;

/** @param {Card} card */
function cardButton(card) {
  const held = chosen?.card === card.card;
  const one = button(card.card, () => choose(card), { letter: card.key, hint: said(card), pressed: held, name: card.card });
  if (card.how === "piece") one.prepend(piece(card, held ? lieKey() : "0"));
  return one;
}

function takeBack() {
  const { card } = chosen;
  chosen = null;
  draw();
  lead(place, card);
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
  announce(verdict());
}

/** @param {Space} step */
function nudge([down, right]) {
  at = [Math.min(data.height, Math.max(1, at[0] + down)), Math.min(data.width, Math.max(1, at[1] + right))];
  pinned = true;
  moved();
}

/** What the arrow keys do, for a finger: on a phone a space is smaller than its tip. */
function nudges() {
  return made("div", { class: "nudges" }, ...Object.entries(STEPS).map(([key, step]) =>
    button(key.replace("Arrow", ""), () => nudge(step), { name: key })));
}

function lay() {
  if (placed() && fits(count(cellsAt(at)))) offer({ text: text(), label: `Place ${chosen.card}`, hint: verdict(), confirm: false });
  else if (placed()) announce(verdict());
}

function controls() {
  if (!chosen) return [];
  if (chosen.how === "card") {
    return chosen.targets.map((target) =>
      button(target, () => offer({ text: `play ${chosen.card} ${target}`, label: `Play ${chosen.card} on ${target}`, hint: chosen.tells, confirm: false })));
  }
  const whole = fits(count(cellsAt(at)));
  return [
    ...(chosen.how === "piece" ? [button("Rotate", turn, { letter: "R", name: "rotate" }), button("Flip", mirror, { letter: "F", name: "flip" })] : []),
    nudges(),
    button("Place", lay, { letter: "Enter", idle: !whole, kind: "choice primary", name: "place" }),
    made("p", { class: "verdict", text: verdict() }),
  ];
}

function draw() {
  fill(place,
    made("div", { class: "choices" }, ...data.cards.map(cardButton)),
    made("div", { class: "choices" }, ...controls()));
  mark();
}

/** @param {HTMLElement} where
    @param {Given} given
    @param {import("./tray.js").Offering} offering */
export function update(where, given, offering) {
  [place, offer] = [where, offering];
  const same = data && JSON.stringify(data) === JSON.stringify(given);
  data = given;
  if (!same) [chosen, at, pinned] = [null, null, false];
  draw();
}

/** A card, or a space of the board.
    @param {string} name */
export function cell(name) {
  const card = data.cards.find((one) => one.card === name);
  if (card) {
    choose(card);
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
  const [down, right] = chosen.lies[lieKey()][0];
  return [row - down, Math.max(1, col - right)];
}

/** @param {string} name */
export function hover(name) {
  const found = placed() && !pinned && /^([a-z])(\d+)$/.exec(name);
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
