// @ts-check
/* Pointing at a line of the story shows the board as it stood then. */

import { address, load } from "./versions.js";

const PAUSE_MS = 120;
/** @typedef {{ version: string, by: string, soon: ReturnType<typeof setTimeout> | null, pinned: ChildNode[] | null }} Peeked */
/** @typedef {Event & { target: Element, pointerType?: string }} Pointed */

/** @type {Peeked} */
const NOTHING = { version: "", by: "", soon: null, pinned: null };
let peeked = NOTHING;

/** Show the board as it stood at an event, for as long as somebody points at its line.
    @param {string} version
    @param {string} by */
function peek(version, by) {
  if (version === peeked.version) return;
  clearTimeout(peeked.soon);
  peeked = { ...peeked, version, by, soon: setTimeout(() => showThen(version), PAUSE_MS) };
}

/** @param {string} version */
async function showThen(version) {
  const page = await load(address(version)).catch(() => "");
  const holder = document.createElement("template");
  holder.innerHTML = page;
  const then = holder.content.getElementById("board");
  if (!then || version !== peeked.version) return;
  const board = document.getElementById("board");
  peeked.pinned ??= [...board.childNodes];
  board.replaceChildren(...then.childNodes);
  document.getElementById("stage").dataset.then = `Event ${version}`;
}

/** Show the page's own event again. */
export function unpeek() {
  if (!peeked.version) return;
  clearTimeout(peeked.soon);
  if (peeked.pinned) document.getElementById("board").replaceChildren(...peeked.pinned);
  delete document.getElementById("stage").dataset.then;
  peeked = NOTHING;
}

/** @param {Pointed} event */
function pointedAt(event) {
  const line = event.target.closest?.("#lines .line");
  if (line) peek(/** @type {HTMLElement} */ (line.querySelector("a")).dataset.to, event.type);
  /* A mouse that is pushed aside takes nothing from who goes by keys. */
  else if (event.type === "focusin" || peeked.by !== "focusin") unpeek();
}

export function listen() {
  // Not "pointerover", which browsers also tell of what the page scrolls under a resting mouse.
  document.addEventListener("pointermove", (/** @type {PointerEvent & Pointed} */ event) => { if (event.pointerType === "mouse") pointedAt(event); });
  document.documentElement.addEventListener("pointerleave", unpeek);
  document.addEventListener("focusin", pointedAt);
}
