// @ts-check
/* Cards, fruits, shapes and boards of Higher or Lower, as pieces of page. The fruits are stamps of the board's picture. */

import { made } from "./parts.js";

/** @type {Record<string, string>} */
export const SUITS = { A: "Apple", B: "Blueberry", C: "Clementine", D: "Durian", E: "Elderberry" };
/** @type {Record<string, string>} */
export const COLOURS = { c: "cyan", p: "pink", g: "grey" };
/** @type {Record<string, string>} */
const SHAPES = { C: "circle", S: "square", T: "triangle" };
/** @type {Record<string, string>} */
const OUTLINES = {
  circle: '<circle cx="50" cy="48" r="25"/>', square: '<rect x="27" y="25" width="46" height="46" rx="3"/>',
  triangle: '<path d="M50 21 78 69H22Z"/>',
};
/** @type {Record<string, string>} */
const BARS = { cyan: "M13 10v15", pink: "M13 10v15M21 10v15", grey: "" };
const TICK = '<g class="tick"><circle cx="82" cy="17" r="13"/><path d="m76 17 4.5 5 8-9"/></g>';
const SIDE = 5;

/** @param {string} card */
export const numberOf = (card) => Number(card.slice(1));
/** @param {string} card */
export const spoken = (card) => `${SUITS[card[0]]} ${numberOf(card)}`;

/** A picture from its text.
    @param {string} text
    @returns {SVGSVGElement} */
function picture(text) {
  const holder = document.createElement("template");
  holder.innerHTML = text;
  return /** @type {SVGSVGElement} */ (holder.content.firstChild);
}

/** @param {string} suit */
export const fruit = (suit) => picture(`<svg class="fruit" viewBox="0 0 32 32" aria-hidden="true"><use href="#fruit-${suit.toLowerCase()}"/></svg>`);

/** @param {string} shape
    @param {string} colour */
export const shape = (shape, colour) =>
  picture(`<svg class="figure ${colour}" viewBox="20 18 60 60" aria-hidden="true">${OUTLINES[shape]}</svg>`);

/** The face of a card, for whatever holds it.
    @param {string} card
    @returns {(Node | string)[]} */
export const face = (card) => [made("b", { text: String(numberOf(card)) }), fruit(card[0])];

/** A card by itself, which nothing can be done with.
    @param {string} card */
export const shown = (card) => made("span", { class: "fruit-card", role: "img", aria_label: spoken(card) }, ...face(card));

/** A card that is carried about. @param {string} card */
export function carried(card) {
  const drawn = picture(`<svg viewBox="0 0 60 84" width="60" height="84" aria-hidden="true"><rect class="card-edge" y="4" width="60" height="80" rx="6"/>
    <rect class="card-face" x=".5" y=".5" width="59" height="79" rx="6"/><text x="9" y="28" font-size="24" font-weight="700">${numberOf(card)}</text>
    <use href="#fruit-${card[0].toLowerCase()}" x="14" y="40"/></svg>`);
  drawn.classList.add("carried-card");
  return drawn;
}

/** A board's 25 spaces; those of a seat's groups answer to their group's name.
    @param {string} board
    @param {string} codes
    @param {{ colour: string, chosen?: string, whole?: string[], small?: boolean }} looks */
export function spaces(board, codes, { colour, chosen = "", whole = [], small = false }) {
  const drawn = codes.split(" ").map((code, at) => {
    const [paint, figure] = [COLOURS[code[0]], SHAPES[code[1]]];
    const group = `${board} ${figure}`;
    const own = paint === colour && !small;
    const marks = [paint, group === chosen && own ? "chosen-group" : "", own ? "own-space" : ""].join(" ");
    const move = `translate(${(at % SIDE) * 108} ${Math.floor(at / SIDE) * 108})`;
    const bars = small ? "" : `<path class="bars" d="${BARS[paint]}"/>`;
    const tick = own && whole.includes(group) ? TICK : "";
    return `<g class="space ${marks}" transform="${move}"${own ? ` data-cell="${group}"` : ""}><rect class="edge" y="5" width="100" height="95" rx="8"/>
      <rect class="back" width="100" height="95" rx="8"/>${bars}<g class="figure ${paint}">${OUTLINES[figure]}</g>${tick}</g>`;
  });
  return picture(`<svg class="spaces" viewBox="-3 -3 538 538" aria-hidden="true">${drawn.join("")}</svg>`);
}
