// @ts-check
/* Pentagram: what a placement would bring, step by step, in the sheet and on the board. Nothing of it is sent. */

import { announce } from "../page.js";
import { hush, say } from "./bubble.js";
import { copied } from "./copies.js";
import { cell as cellOf, made } from "./parts.js";

/** @typedef {import("./tray.js").Choice} Choice */
/** @typedef {{ cell: string, space: string, does: string, colour: string, coins: Record<string, [string, string]> }} Step */
/** @typedef {{ steps: Step[], home?: string, gains?: Record<string, string>, note?: string }} Brings */
/** @typedef {{ seat: number, names: string[], rows: Record<string, string>, card: string, placements: Record<string, Brings> }} Given */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Given | null} */
let data = null;
/** @typedef {{ cell: string, text: string, tried: boolean }} Shown A placement; where it is only `tried`, the card is in the hand. */
/** What the board shows.
    @type {Shown | null} */
let shown = null;
/** What the sheet asks about.
    @type {Shown | null} */
let standing = null;
/** @type {SVGSVGElement | null} */
let ghost = null;

/** @param {string} seat */
const who = (seat) => (Number(seat) === data.seat ? "You" : data.names[Number(seat)]);
/** @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A space by its row's colour: `yellow 0`.
    @param {string} name */
const spaceOf = (name) => `${data.rows[name.charAt(0)]} ${name.slice(1)}`;

/** @param {HTMLElement} place
    @param {Given} given */
export function update(place, given) {
  if (JSON.stringify(given) !== JSON.stringify(data)) ghost = null;
  data = given;
  if (document.getElementById("picked")?.hidden !== false) standing = null;
  shown = standing;
  mark();
}

/** Show on the board the card where it would lie, and in which order spaces would pay. */
export function mark() {
  const board = document.querySelector("#board > svg");
  document.querySelector("#board .preview")?.remove();
  if (!board || !shown || !data.placements[shown.text]) return;
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "preview");
  layer.setAttribute("aria-hidden", "true");
  if (!shown.tried && ghost) layer.append(lying(shown.cell));
  const { steps } = data.placements[shown.text];
  for (const step of steps) if (Object.keys(step.coins).length) layer.append(walk(step.cell));
  steps.forEach((step, place) => layer.append(...numbered(step.cell, place + 1)));
  board.append(layer);
}

/** @param {string} name */
const boxOf = (name) => /** @type {SVGGraphicsElement} */ (cellOf(name).firstElementChild).getBBox();

/** @param {string} name */
function lying(name) {
  const { x, y, width } = boxOf(name);
  const card = /** @type {SVGSVGElement} */ (ghost.cloneNode(true));
  const { width: wide, height: high } = card.viewBox.baseVal;
  for (const [key, value] of Object.entries({ x, y: y - 5, width, height: (high * width) / wide })) card.setAttribute(key, String(value));
  return card;
}

/** The way of the workers from a space that pays: to the foot of the next one, from the last one home.
    @param {string} name */
function walk(name) {
  const { x, y, width, height } = boxOf(name);
  const way = document.createElementNS(SVG, "path");
  const [right, low] = [x + width, y + height + 5];
  const next = Number(name.slice(1)) && boxOf(`${name.charAt(0)}${Number(name.slice(1)) - 1}`);
  const end = next ? next.x + next.width - 30 : 0;
  way.setAttribute("class", "walk");
  way.setAttribute("d", next ? `M${right - 10} ${low - 12}V${low}H${end}V${low - 10}m-6 6l6-8 6 8`
    : `M${right - 56} ${low - 12}V${low}H${right}m-8-6l8 6-8 6`);
  return way;
}

/** @param {string} name
    @param {number} order */
function numbered(name, order) {
  const { x, y } = boxOf(name);
  const [disc, number] = [document.createElementNS(SVG, "circle"), document.createElementNS(SVG, "text")];
  for (const [key, value] of Object.entries({ cx: x + 8, cy: y + 4, r: 14 })) disc.setAttribute(key, String(value));
  for (const [key, value] of Object.entries({ x: x + 8, y: y + 10.5 })) number.setAttribute(key, String(value));
  number.textContent = String(order);
  return [disc, number];
}

/** @param {[string, [string, string]]} coins
    @param {string} colour */
function change([seat, [before, after]], colour) {
  return made("span", { class: `change s${seat}` }, made("i", { text: who(seat) }), ` ${colour} `,
    ...(before === after ? [made("b", { text: `stays ${after}` })]
      : [made("s", { text: before }), made("span", { class: "unseen", text: " becomes " }), made("b", { text: after })]));
}

/** @param {Step} step
    @param {number} place */
function stepLine(step, place) {
  const coins = Object.entries(step.coins);
  return made("li", {},
    made("span", { class: "order", text: String(place + 1) }),
    made("p", {}, made("b", { text: capital(step.space) }), made("span", { class: "does", text: ` ${step.does}` }),
      coins.length ? "" : made("span", { class: "hint", text: " · nobody" })),
    made("p", { class: "changes" }, ...coins.map((one) => change(one, step.colour))));
}

/** @param {string} text
    @param {string} cell */
function told(text, cell) {
  const { steps, home = "" } = data.placements[text];
  const { note = "" } = data.placements[`${cell} w`] ?? data.placements[cell];
  const count = steps.length === 1 ? "One space pays." : `${steps.length} spaces pay, in this order.`;
  return [
    made("p", { class: "hint count", text: steps.length ? count : "No space pays yet." }),
    made("ol", { class: "pays" }, ...steps.map(stepLine)),
    ...[home, note].filter(Boolean).map((text) => made("p", { class: "hint", text })),
  ];
}

/** Who gains what, for each way to place the card; one that is pressed is told step by step.
    @param {Choice[]} choices
    @param {(choice: Choice) => void} show */
function sums(choices, show) {
  return choices.filter((choice) => data.placements[choice.text].gains).map((choice) => {
    const all = Object.entries(data.placements[choice.text].gains);
    const gains = data.names.length > 2 ? all.filter(([, gain]) => gain !== "0") : all;
    const row = made("button", { type: "button", class: "sum", data_text: choice.text, click: () => show(choice) },
      made("span", { text: choice.key === "w" ? "With a worker" : "Alone" }),
      ...gains.map(([seat, gain]) => made("span", { class: `gain s${seat}` }, made("i", { text: who(seat) }), " ", made("b", { text: gain }))),
      gains.length ? "" : made("span", { class: "hint", text: "nobody gains" }));
    return row;
  });
}

/** The sheet asks about these: what they would bring. Without choices it asks no more.
    @param {Choice[]} choices
    @param {string} cell */
export function asked(choices, cell) {
  shown = standing = null;
  if (!choices.length || choices.some((choice) => !data?.placements[choice.text])) {
    mark();
    return null;
  }
  const card = cellOf("card");
  if (!ghost && card?.getBoundingClientRect().width) ghost = copied(card);
  const list = made("div", { class: "list" });
  const rows = sums(choices, show);
  /** @param {Choice} choice */
  function show(choice) {
    shown = standing = { cell, text: choice.text, tried: false };
    list.replaceChildren(...told(choice.text, cell));
    for (const row of rows) row.setAttribute("aria-pressed", String(row.dataset.text === choice.text));
    if (choice.hint) announce(choice.hint);
    mark();
  }
  hush();
  show(choices[0]);
  return { told: made("div", { class: "brings" }, made("h3", { text: `‘${data.card}’ on ${spaceOf(cell)}?` }), list, ...rows,
    made("p", { class: "hint", text: "Nothing is played until you place it." })), show };
}

/** The drawn card tells what it is.
    @param {string} name */
export function cell(name) {
  if (name !== "card") return false;
  say(`${capital(data.card)}. Drag it to a space, or choose the space.`, cellOf("card"));
  return true;
}

/** The card is over a space: its price, and what it would close. */
export function over() {
  const under = /** @type {SVGElement | null} */ (document.querySelector("#board .goal.over"));
  const name = under?.dataset.cell ?? "";
  if (name === (shown?.tried ? shown.cell : "")) return;
  if (!name) {
    drop();
    return;
  }
  shown = { cell: name, text: name, tried: true };
  const { steps } = data.placements[name];
  const pays = steps.length > 1 ? `${steps.length} spaces pay` : steps.length ? "one space pays" : "nothing pays yet";
  const price = name.endsWith("0") ? "a worker is free" : `a worker costs ${name.slice(1)}`;
  const note = data.placements[`${name} w`] ? price : data.placements[name].note;
  say(`${capital(spaceOf(name))}: ${pays}; ${note}`, under);
  mark();
}

/** Let go where it can't lie. */
export function drop() {
  shown = standing;
  hush();
  mark();
  return false;
}

/** @param {KeyboardEvent} event */
export function key(event) {
  if (event.key === "Escape") drop();
  return false;
}
