// @ts-check
/* Dragging: a thing of the board follows the pointer to one of the places that it may go to. A press without a way is a
   click, which chooses; keys and typing do the same elsewhere. */

import { say } from "./bubble.js";
import { copied } from "./copies.js";
import { cellAt, dropped, goals, module, why } from "./tray.js";

const FAR_ENOUGH = 6; /* Pixels; a finger that only presses trembles less. */
const NEAR = 28; /* Pixels round a place in which a drop still counts. */
const ABOVE_FINGER = 44;

/** @typedef {{ name: string, box: DOMRect, x: number, y: number, finger: boolean, picture: SVGSVGElement | null,
      wide: number, high: number, pointer: number, goals: string[], boxes: Map<string, DOMRect> | null, over: string }} Drag `wide` and
      `high` are the lifted picture's; `boxes` is where the goals are, measured once and again when the page has changed. */

/** @type {Drag | null} */
let drag = null;

/** @param {PointerEvent & { target: Element }} event */
function down(event) {
  if (event.button || !event.isPrimary) return;
  const cell = /** @type {SVGGraphicsElement | null} */ (event.target.closest?.(":is(#board, .part) [data-cell]"));
  const name = cell?.dataset.cell;
  if (!name) return;
  const places = goals(name);
  if (!places.length && !module()?.lift?.(name)) return;
  drag = { name, box: cell.getBoundingClientRect(), x: event.clientX, y: event.clientY, finger: event.pointerType === "touch",
    picture: null, wide: 0, high: 0, pointer: event.pointerId, goals: places, boxes: null, over: "" };
}

/** The drag has gone far enough to be one: the thing is lifted. */
function lift() {
  const element = /** @type {SVGGraphicsElement | null} */ (cellAt(drag.name));
  if (!element) return;
  const own = module()?.lifted?.(drag.name) ?? null;
  drag.picture = own ?? copied(element);
  drag.picture.classList.add("lifted");
  drag.wide = own ? own.width.baseVal.value : drag.box.width;
  drag.high = own ? own.height.baseVal.value : drag.box.height;
  Object.assign(drag.picture.style, { width: `${drag.wide}px`, height: `${drag.high}px` });
  document.body.append(drag.picture);
  document.body.dataset.dragging = "yes";
  element.classList.add("taken");
  for (const name of drag.goals) if (name !== drag.name) cellAt(name)?.classList.add("goal");
}

/** Where the goals are on the page. */
function measured() {
  /** @type {Map<string, DOMRect>} */
  const boxes = new Map();
  for (const name of drag.goals) {
    const box = name === drag.name ? null : cellAt(name)?.getBoundingClientRect();
    if (box) boxes.set(name, box);
  }
  return boxes;
}

/** The goal under a point, or the nearest within reach.
    @param {number} x
    @param {number} y */
function goalAt(x, y) {
  let best = { name: "", far: NEAR };
  for (const [name, box] of (drag.boxes ??= measured())) {
    const [dx, dy] = [Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)];
    const far = Math.hypot(dx, dy);
    if (far < best.far) best = { name, far };
  }
  return best.name;
}

/** @param {PointerEvent} event */
function move(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.picture && Math.hypot(dx, dy) < FAR_ENOUGH) return;
  if (!drag.picture) lift();
  if (!drag.picture) return;
  event.preventDefault();
  const raised = drag.finger ? ABOVE_FINGER : 0;
  const over = goalAt(event.clientX, event.clientY - raised);
  drag.picture.style.transform = `translate(${event.clientX - drag.wide / 2}px, ${event.clientY - drag.high / 2 - raised}px)`;
  if (over !== drag.over) {
    if (drag.over) cellAt(drag.over)?.classList.remove("over");
    if (over) cellAt(over)?.classList.add("over");
    drag.over = over;
  }
  module()?.over?.(drag.name, event.clientX, event.clientY - raised);
}

/** @param {PointerEvent} event */
function up(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { name, picture, finger, x, y } = drag;
  const raised = finger ? ABOVE_FINGER : 0;
  const over = picture ? goalAt(event.clientX, event.clientY - raised) : "";
  const off = picture && drag.goals.includes(name) && Math.hypot(event.clientX - x, event.clientY - y) > 60;
  end();
  if (!picture) return;
  // The press that ends a drag is no click on what lies there; a finger's ends without one.
  const stop = (/** @type {Event} */ click) => click.stopPropagation();
  document.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", stop, { capture: true }), 0);
  if (over) dropped(name, over);
  else if (off) dropped(name, name);
  else if (!module()?.drop?.(name, event.clientX, event.clientY - raised)) refuse(event.clientX, event.clientY - raised);
}

/** Let go where it can't lie: the place says why.
    @param {number} x
    @param {number} y */
function refuse(x, y) {
  const under = document.elementsFromPoint(x, y).map((one) => one.closest(":is(#board, .part) [data-cell]")).find(Boolean);
  const name = /** @type {SVGElement | null | undefined} */ (under)?.dataset.cell;
  if (name && why(name)) say(why(name), under);
}

function end() {
  drag?.picture?.remove();
  drag = null;
  delete document.body.dataset.dragging;
  for (const mark of ["taken", "goal", "over"]) {
    for (const old of document.querySelectorAll(`:is(#board, .part) .${mark}`)) old.classList.remove(mark);
  }
}

/** What was measured may lie elsewhere now. */
function forget() {
  if (drag) drag.boxes = null;
}

export function listen() {
  document.addEventListener("pointerdown", (event) => down(/** @type {any} */ (event)));
  document.addEventListener("pointermove", move, { passive: false });
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") end(); });
  document.addEventListener("croupier:frame", forget);
  for (const change of ["scroll", "resize"]) addEventListener(change, forget, { capture: true, passive: true });
  // What may be dragged is dragged, and doesn't scroll what it lies on.
  document.addEventListener("touchmove", (event) => { if (drag?.picture) event.preventDefault(); }, { passive: false });
}
