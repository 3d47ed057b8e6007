// @ts-check
/* The replay by keys and scrubber: each step is a page of its own, fetched and put in place. */

import { announce } from "../page.js";
import { morph } from "./frame.js";

const FIELDS = "input:not([type=range]), textarea, select, dialog, [contenteditable]";
const PAUSE_MS = 120;
/** @typedef {{ version: string, by: string, soon: ReturnType<typeof setTimeout> | null, pinned: ChildNode[] | null }} Peeked */
/** @typedef {Event & { target: Element, pointerType?: string }} Pointed */
/** @typedef {KeyboardEvent & { target: Element }} Pressed */

/** @type {Peeked} */
const NOTHING = { version: "", by: "", soon: null, pinned: null };

/** @type {Map<string, Promise<string>>} */
const fetched = new Map();
let wanted = 0;
let peeked = NOTHING;

const here = () => document.getElementById("replay").dataset;
/** @param {string} version
    @param {string} as */
const address = (version, as) => `${here().address}${version}/?as=${encodeURIComponent(as)}`;

/** @param {string} path
    @returns {Promise<string>} */
function load(path) {
  if (!fetched.has(path)) {
    const page = fetch(path).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)));
    page.catch(() => fetched.delete(path));
    fetched.set(path, page);
    if (fetched.size > 60) fetched.delete(fetched.keys().next().value);
  }
  return fetched.get(path);
}

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
  const page = await load(address(version, here().as)).catch(() => "");
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
function unpeek() {
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

/** @param {string} version
    @param {string} as */
async function go(version, as = here().as) {
  if (!version) return;
  const path = address(version, as);
  const number = (wanted += 1);
  let page = "";
  try {
    page = await load(path);
  } catch {
    location.assign(path);
    return;
  }
  if (number !== wanted) return;
  unpeek();
  morph("replay", page);
  const scrub = /** @type {HTMLInputElement} */ (document.getElementById("scrub"));
  /* A page that was fetched before may know of fewer events. */
  Object.assign(scrub, { max: Math.max(Number(scrub.max), Number(here().newest)), value: here().version });
  document.title = document.title.replace(/\d+$/, here().version);
  history.replaceState(null, "", path);
  announce(document.getElementById("event-line")?.textContent ?? `Event ${here().version}`);
  const recorded = document.querySelector("#eyes [aria-current] .hint");
  if (here().on && !recorded) load(address(here().on, here().as)).catch(() => {});
}

/** At the newest event of a match that goes on: fetch it again, as there may be newer ones by now. */
async function lookForNewer() {
  fetched.delete(address(here().version, here().as));
  await go(here().version);
}

function otherEyes() {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#eyes a"));
  const ways = [...all].filter((way) => !way.querySelector(".hint"));
  const at = ways.findIndex((way) => way.hasAttribute("aria-current"));
  return ways[(at + 1) % ways.length]?.dataset.as;
}

/** @param {KeyboardEvent} event */
function stepOf(event) {
  const stops = here();
  switch (event.key) {
    case "ArrowLeft": case "j": return stops.back;
    case "ArrowRight": case "k": return stops.on;
    case "J": return stops.previous_turn;
    case "K": return stops.next_turn;
    case "Home": case "0": return stops.first;
    case "End": case "$": return stops.last;
    case "r": return stops.ruling;
    default: return null;
  }
}

/** @param {KeyboardEvent} event */
async function step(event) {
  if (!stepOf(event) && here().goesOn && !here().on) await lookForNewer();
  go(stepOf(event));
}

/** @param {Pressed} event */
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(FIELDS)) return;
  if (event.target.closest("[tabindex][role=region]") && event.key.startsWith("Arrow")) return;
  if (event.shiftKey && event.key === "ArrowLeft") go(here().previous_turn);
  else if (event.shiftKey && event.key === "ArrowRight") go(here().next_turn);
  else if (event.key === "f") go(here().version, otherEyes() ?? here().as);
  else if (event.key === "Escape") location.assign(here().matchAddress);
  else if (event.key === "?") document.getElementById("replay-keys").scrollIntoView({ block: "center" });
  else if (stepOf(event) === null) return;
  else step(event);
  event.preventDefault();
}

document.addEventListener("keydown", pressed);
// Not "pointerover", which browsers also tell of what the page scrolls under a resting mouse.
document.addEventListener("pointermove", (/** @type {PointerEvent & Pointed} */ event) => { if (event.pointerType === "mouse") pointedAt(event); });
document.documentElement.addEventListener("pointerleave", unpeek);
document.addEventListener("focusin", pointedAt);
document.addEventListener("input", (/** @type {Event & { target: HTMLInputElement }} */ { target }) => {
  if (target.id === "scrub") go(target.value);
});
document.addEventListener("click", (/** @type {MouseEvent & { target: Element }} */ event) => {
  const step = /** @type {HTMLElement | null} */ (event.target.closest("#scrubber a[data-to], #lines a[data-to]"));
  const eyes = /** @type {HTMLElement | null} */ (event.target.closest("#eyes a"));
  if ((!step && !eyes) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (eyes?.querySelector(".hint")) return;
  event.preventDefault();
  if (step) go(step.dataset.to);
  else go(here().version, eyes.dataset.as);
});
document.body.dataset.ready = "yes";
