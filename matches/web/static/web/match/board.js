// @ts-check
/* The board under the pointer and the arrow keys: one cell is in the tab order, arrows lead to the next. */

import { hush, say } from "./bubble.js";
import { key, module, pick, why } from "./tray.js";

/** @typedef {KeyboardEvent & { target: Element }} Pressed */
/** @typedef {SVGElement} Cell */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const FIELDS = "input, textarea, select, summary, dialog, [contenteditable]";
const PRESSED = "button, a, :is(#board, .part) .cell.target";

let byKeys = false;

/** @returns {Cell[]} */
const targets = () => [...document.querySelectorAll(":is(#board, .part) .cell.target")].map((one) => /** @type {Cell} */ (one));

/** @param {Cell} cell */
function middle(cell) {
  const { left, top, width, height } = cell.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/** The target that lies nearest in a direction; what lies aslant counts as further away.
    @param {Cell} from
    @param {[number, number]} direction */
function beside(from, [east, south]) {
  const [x, y] = middle(from);
  /** @type {{ cell: Cell, far: number } | null} */
  let best = null;
  for (const cell of targets()) {
    if (cell === from) continue;
    const [dx, dy] = [middle(cell)[0] - x, middle(cell)[1] - y];
    const along = dx * east + dy * south;
    const aslant = Math.abs(dx * south) + Math.abs(dy * east);
    if (along > 1 && (!best || along + 2 * aslant < best.far)) best = { cell, far: along + 2 * aslant };
  }
  return best?.cell ?? null;
}

/** @param {Cell | undefined} chosen */
function settle(chosen) {
  for (const cell of targets()) cell.setAttribute("tabindex", cell === chosen ? "0" : "-1");
}

/** @param {Cell} cell */
function go(cell) {
  settle(cell);
  cell.focus();
}

/** @param {Pressed} event */
function arrow(event) {
  const at = /** @type {Cell | null} */ (document.activeElement?.closest?.(":is(#board, .part) .cell.target"));
  const next = at ? beside(at, ARROWS[event.key]) : targets().find((cell) => cell.getAttribute("tabindex") === "0");
  if (next) go(next);
  return Boolean(at || next);
}

/** @param {Pressed} event */
const presses = (event) => event.target.closest(PRESSED) && (event.key === "Enter" || event.key === " ");

/** @param {Pressed} event */
function down(event) {
  byKeys = true;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest(FIELDS)) return;
  if (!event.repeat || event.key in ARROWS) pressed(event);
  // A key that is held down presses once: what that opened has the focus by now, and asks for a press of its own.
  else if (presses(event)) event.preventDefault();
}

/** @param {Pressed} event */
function pressed(event) {
  const cell = /** @type {Cell | null} */ (event.target.closest(":is(#board, .part) .cell.target"));
  if (cell && presses(event)) {
    event.preventDefault();
    pick(cell.dataset.cell);
  } else if (presses(event)) {
    return;
  } else if (event.target.closest("[tabindex][role=region]") && event.key in ARROWS) {
    return;
  } else if (key(event) || (event.key in ARROWS && arrow(event)) || general(event)) {
    event.preventDefault();
  }
}

/** @param {Pressed} event */
function general(event) {
  if (event.key === "?") /** @type {HTMLDialogElement} */ (document.getElementById("keys")).showModal();
  else if (event.key === "/") document.getElementById("command-box")?.focus();
  else return false;
  return true;
}

/** A new frame is shown: one target is in the tab order; whoever plays by keys is led to it when their turn begins.
    @param {import("./frame.js").Change | null} detail */
export function update(detail) {
  const cells = targets();
  const at = /** @type {Cell | null} */ (document.activeElement?.closest?.(":is(#board, .part) .cell.target"));
  const before = cells.find((cell) => cell.getAttribute("tabindex") === "0");
  settle(at ?? before ?? cells[0]);
  const turned = detail && detail.before !== "1" && document.getElementById("live").dataset.mine === "1";
  if (turned && byKeys && cells.length && (document.activeElement === document.body || !document.activeElement)) cells[0].focus();
}

export function listen() {
  document.addEventListener("click", (/** @type {MouseEvent & { target: Element }} */ event) => {
    const cell = /** @type {Cell | null} */ (event.target.closest(":is(#board, .part) [data-cell]"));
    if (cell) hush();
    if (cell && pick(cell.dataset.cell)) {
      if (cell.matches(".target")) settle(cell);
    } else if (cell && why(cell.dataset.cell)) {
      say(why(cell.dataset.cell), cell);
    }
  });
  document.addEventListener("pointerdown", () => { byKeys = false; });
  document.addEventListener("pointermove", (/** @type {PointerEvent & { target: Element }} */ event) => {
    const cell = /** @type {Cell | null} */ (event.target.closest?.(":is(#board, .part) [data-cell]"));
    if (cell) module()?.hover?.(cell.dataset.cell);
  });
  document.addEventListener("keydown", down);
}
