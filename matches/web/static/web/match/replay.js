// @ts-check
/* The replay: its film, keys and scrubber; each step is a page of its own, fetched and put in place. */

import * as film from "./film.js";
import * as peek from "./peek.js";
import { go, lookForNewer, mark } from "./reel.js";
import * as sounds from "./sounds.js";
import { here } from "./versions.js";

const FIELDS = "input:not([type=range], [type=radio]), textarea, select, dialog, [contenteditable]";
const PRESSED = "button, a, summary, input[type=radio]";
/** @typedef {KeyboardEvent & { target: Element }} Pressed */

function otherEyes() {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#eyes a"));
  const ways = [...all].filter((way) => !way.querySelector(".hint"));
  const at = ways.findIndex((way) => way.hasAttribute("aria-current"));
  return ways[(at + 1) % ways.length]?.dataset.as;
}

/** Where a key leads; undefined for a key that leads nowhere.
    @param {KeyboardEvent} event */
function stepOf({ key, shiftKey }) {
  const stops = here();
  switch (key) {
    case "ArrowLeft": return shiftKey ? stops.previous_turn : stops.back;
    case "ArrowRight": return shiftKey ? stops.next_turn : stops.on;
    case "j": return stops.back;
    case "k": return stops.on;
    case "J": return stops.previous_turn;
    case "K": return stops.next_turn;
    case "[": return stops.previous_chapter;
    case "]": return stops.next_chapter;
    case "Home": case "0": return stops.first;
    case "End": case "$": return stops.last;
    case "r": return stops.ruling;
    default: return undefined;
  }
}

/** @param {KeyboardEvent} event */
async function step(event) {
  if (!event.key.startsWith("[") && !event.key.startsWith("]")) film.pause();
  if (!stepOf(event) && here().goesOn && !here().on) await lookForNewer();
  go(stepOf(event));
}

function showKeys() {
  const tab = /** @type {HTMLInputElement} */ (document.querySelector("#tabs [value=audit]"));
  tab.checked = true;
  document.getElementById("replay-keys").scrollIntoView({ block: "center" });
}

/** @param {Pressed} event */
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(FIELDS)) return;
  if (event.key.startsWith("Arrow") && event.target.closest("[tabindex][role=region], input[type=radio]")) return;
  if (event.key === " ") {
    if (event.target.closest(PRESSED)) return;
    film.toggle();
  } else if (event.key === "f") go(here().version, { as: otherEyes() ?? here().as });
  else if (event.key === "Escape") location.assign(here().matchAddress);
  else if (event.key === "?") showKeys();
  else if (stepOf(event) === undefined) return;
  else step(event);
  event.preventDefault();
}

/** @param {MouseEvent & { target: Element }} event */
function clicked(event) {
  const step = /** @type {HTMLElement | null} */ (event.target.closest("#replay a[data-to]"));
  const eyes = /** @type {HTMLElement | null} */ (event.target.closest("#eyes a"));
  if ((!step && !eyes) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (eyes?.querySelector(".hint")) return;
  event.preventDefault();
  if (eyes) return go(here().version, { as: eyes.dataset.as });
  if (step.closest(".reel-buttons")) film.pause();
  go(step.dataset.to);
}

document.addEventListener("keydown", pressed);
document.addEventListener("click", clicked);
document.addEventListener("input", (/** @type {Event & { target: HTMLInputElement }} */ { target }) => {
  if (target.id === "scrub") go(target.value);
});
mark();
document.body.dataset.ready = "yes";
for (const part of [peek, sounds, film]) part.listen();
