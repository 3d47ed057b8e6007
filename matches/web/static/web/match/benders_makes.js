// @ts-check
/* What is being made on the graph: arrows that are not locked in yet, drawn over the board's own. */

import { cell } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const AIR = 6;
const HEAD = 20;

/** @typedef {{ x: number, y: number, r: number }} Node */

/** @returns {SVGSVGElement | null} */
const picture = () => document.querySelector("#board > svg");

/** @param {string} name
    @param {Record<string, string | number>} attributes
    @param {...Node | SVGElement} children */
function drawn(name, attributes, ...children) {
  const it = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, String(value));
  it.append(.../** @type {any[]} */ (children));
  return it;
}

/** @param {string} letter
    @returns {Node | null} */
function node(letter) {
  const circle = /** @type {SVGCircleElement | null} */ (cell(letter)?.querySelector("circle"));
  return circle && { x: circle.cx.baseVal.value, y: circle.cy.baseVal.value, r: circle.r.baseVal.value };
}

/** The spell whose node is at a point of the window, or near it.
    @param {number} x
    @param {number} y */
export function nodeAt(x, y) {
  for (const element of document.querySelectorAll("#board .cell")) {
    const { left, top, width, height } = element.getBoundingClientRect();
    if (Math.hypot(x - left - width / 2, y - top - height / 2) < width / 2 + 6) return /** @type {SVGElement} */ (element).dataset.cell;
  }
  return "";
}

/** @param {{ x: number, y: number }} at */
function inside({ x, y }) {
  const board = picture();
  const point = new DOMPoint(x, y).matrixTransform(board.getScreenCTM().inverse());
  return { x: point.x, y: point.y, r: 0 };
}

/** Begin anew with what is made. */
export function makes() {
  for (const old of document.querySelectorAll("#board .makes")) old.remove();
}

/** @param {string} kind */
export function clearMakes(kind) {
  for (const old of document.querySelectorAll(`#board .makes.${kind}`)) old.remove();
}

/** Where an arrow's shaft and its head lie, from a spell to another one or to a point of the window; null where there is none.
    @param {string} start
    @param {string | { x: number, y: number }} goal */
function arrow(start, goal) {
  const [from, to] = [node(start), typeof goal === "string" ? node(goal) : inside(goal)];
  if (!from || !to) return null;
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / far, (to.y - from.y) / far];
  // Beside the middle, as an arrow may run against it.
  const [sx, sy] = [from.x - dy * 6 + dx * (from.r + AIR), from.y + dx * 6 + dy * (from.r + AIR)];
  const [ex, ey] = [to.x - dy * 6 - dx * (to.r + AIR), to.y + dx * 6 - dy * (to.r + AIR)];
  const [bx, by] = [ex - dx * HEAD, ey - dy * HEAD];
  const points = `${ex},${ey} ${bx - dy * 10},${by + dx * 10} ${bx + dy * 10},${by - dx * 10}`;
  return { shaft: { x1: sx, y1: sy, x2: bx, y2: by }, head: { points }, rule: typeof goal === "string" ? `${start}>${goal}` : "" };
}

/** An arrow from a spell to another one.
    @param {string} start
    @param {string | { x: number, y: number }} goal
    @param {string} kind */
export function make(start, goal, kind = "") {
  const made = arrow(start, goal);
  if (!made) return;
  picture().append(drawn("g", { class: `makes ${kind}`.trim(), "aria-hidden": "true", "data-rule": made.rule },
    drawn("g", kind === "loose" ? { class: "loose" } : {}, drawn("line", made.shaft), drawn("polygon", made.head))));
}

/** The arrow that is drawn by hand, to a spell or to a point of the window. The same one moves: to take it away and make it
    anew would have the page look for what depends on it, at each step of the pointer.
    @param {string} start
    @param {string | { x: number, y: number }} goal */
export function follow(start, goal) {
  const [old, moved] = [document.querySelector("#board .makes.drawn"), arrow(start, goal)];
  if (!old || !moved) {
    clearMakes("drawn");
    return make(start, goal, "drawn");
  }
  old.setAttribute("data-rule", moved.rule);
  for (const [name, place] of Object.entries({ line: moved.shaft, polygon: moved.head })) {
    for (const [key, value] of Object.entries(place)) old.querySelector(name).setAttribute(key, String(value));
  }
}

/** A rule that goes: a cross on its arrow.
    @param {string} start
    @param {string} goal */
export function away(start, goal) {
  const [from, to] = [node(start), node(goal)];
  if (!from || !to) return;
  const [x, y] = [from.x * 0.56 + to.x * 0.44, from.y * 0.56 + to.y * 0.44];
  picture().append(drawn("g", { class: "makes", "aria-hidden": "true" }, drawn("g", { class: "away" },
    drawn("line", { x1: x - 9, y1: y - 9, x2: x + 9, y2: y + 9 }), drawn("line", { x1: x - 9, y1: y + 9, x2: x + 9, y2: y - 9 }))));
}

/** What is under the pointer while something is dragged: a spell's letter on its card, or a mere dot at an arrow's end.
    @param {string} letter */
export function point(letter = "") {
  const size = letter ? 52 : 12;
  const it = /** @type {SVGSVGElement} */ (drawn("svg", { width: size, height: letter ? 68 : size, class: letter ? "" : "point" }));
  if (!letter) it.append(drawn("circle", { cx: 6, cy: 6, r: 5, fill: "var(--accent)" }));
  else {
    it.append(drawn("rect", { width: 52, height: 68, rx: 7, fill: "#a8987a" }), drawn("rect", { width: 52, height: 64, rx: 7, fill: "#f1e8d8" }));
    const words = drawn("text", { x: 26, y: 42, "text-anchor": "middle", "font-size": 28, "font-weight": 700, fill: "#2a2118" });
    words.textContent = letter;
    it.append(words);
  }
  return it;
}
