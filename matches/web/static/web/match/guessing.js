// @ts-check
/* A call in Higher or Lower: which way from the card last turned, and whether the next is higher or lower. */

import { shape, shown } from "./fruits.js";
import { button, fill, made, markCells } from "./parts.js";

/** @typedef {{ way: string, cell: string, shape: string, colour: string, whose: string, cards?: string[], lower?: string[], same?: string[],
      higher?: string[], calls: { higher: string, lower: string } }} Way */
/** @typedef {{ number: number, ways: Way[], stop: { text: string, label: string, hint: string } | null, points: number, limit: boolean }} Given `cards` are
      those that the player gave to the group; the others those of them that can still lie there, compared. */

/** @type {Record<string, string>} */
const SIGNS = { north: "↑", south: "↓", east: "→", west: "←" };
/** @type {Record<string, string>} */
const KEYS = { ArrowUp: "north", ArrowDown: "south", ArrowRight: "east", ArrowLeft: "west" };

/** @type {HTMLElement | null} */
let place = null;
/** @type {Given | null} */
let data = null;
/** @type {import("./tray.js").Offering | null} */
let offer = null;
let chosen = "";

const now = () => data.ways.find((way) => way.way === chosen) ?? data.ways[0];
/** @param {string} word */
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** @param {Way} way */
const isKnown = ({ cards = [], lower = [], same = [], higher = [] }) => cards.length + lower.length + same.length + higher.length > 0;

/** The player's own cards there, those that are compared on either side of the number.
    @param {Way} way */
function ownOf({ cards, lower, same, higher }) {
  if (cards) return cards.map(shown);
  return [...lower.map(shown), made("span", { class: "pivot", text: String(data.number) }), ...[...same, ...higher].map(shown)];
}

/** @param {string} way */
function choose(way) {
  chosen = way;
  draw();
}

/** @param {"higher" | "lower"} call */
function guess(call) {
  offer({ text: now().calls[call], label: `${capital(now().way)}: ${call} than ${data.number}`, confirm: false });
}

/** @param {Way} way */
function wayButton(way) {
  const one = button("", () => choose(way.way), { kind: "way", pressed: way === now(), name: way.way });
  one.append(made("span", { class: "sign", aria_hidden: "true", text: SIGNS[way.way] }),
    made("span", { class: "where" }, made("b", { text: capital(way.way) }), made("span", { class: "whose" }, shape(way.shape, way.colour), way.whose)),
    ...(isKnown(way) ? [made("span", { class: "may-lie" }, ...ownOf(way))] : []));
  return one;
}

/** @param {"higher" | "lower"} call */
function callButton(call) {
  const one = button(capital(call), () => guess(call), { kind: `button call ${call}`, letter: call[0].toUpperCase(), name: call });
  one.prepend(made("span", { class: "sign", aria_hidden: "true", text: call === "higher" ? "↑" : "↓" }));
  one.append(made("span", { class: "hint", text: `than the ${data.number}` }));
  return one;
}

function outlook() {
  const goes = data.limit ? "Your turn ends with the eighth card." : "You may go on from that card.";
  return made("div", { class: "outlook" },
    made("p", { class: "right" }, made("b", { text: "Right:" }), ` a point. ${goes}`),
    made("p", { class: "wrong" }, made("b", { text: "Wrong, or equal:" }), ` no point, and your turn ends.${data.points ? ` Your ${data.points} stay.` : ""}`));
}

function draw() {
  const own = data.ways.filter(isKnown);
  const told = own.some((way) => way.cards) ? "Your cards of that group" : "Your cards that can lie there";
  const { stop } = data;
  fill(place,
    made("div", { class: "ways", role: "group", aria_label: "Where to?" },
      made("p", { class: "ways-head" }, made("b", { text: "Where to? " }), own.length ? made("span", { class: "hint", text: told }) : ""),
      ...data.ways.map(wayButton)),
    made("div", { class: "calls" }, callButton("higher"), callButton("lower")),
    ...(stop ? [button(stop.label, () => offer({ ...stop, confirm: true }), { kind: "button second stop", letter: "S", name: "stop" })] : []),
    outlook());
  mark();
}

export function mark() {
  markCells([now().cell], "way-chosen");
}

/** @param {HTMLElement} where
    @param {Given} given
    @param {import("./tray.js").Offering} offering */
export function update(where, given, offering) {
  [place, data, offer] = [where, given, offering];
  if (!data.ways.some((way) => way.way === chosen)) chosen = data.ways[0].way;
  draw();
}

/** A card beside the one last turned is pressed.
    @param {string} name */
export function cell(name) {
  const way = data.ways.find((one) => one.cell === name);
  if (way) choose(way.way);
  return Boolean(way);
}

/** Arrows choose the way, letters call.
    @param {KeyboardEvent} event */
export function key(event) {
  const way = KEYS[event.key];
  if (way && data.ways.some((one) => one.way === way)) choose(way);
  else if (event.key.toLowerCase() === "h") guess("higher");
  else if (event.key.toLowerCase() === "l") guess("lower");
  else if (event.key.toLowerCase() === "s" && data.stop) offer({ ...data.stop, confirm: true });
  else return false;
  return true;
}
