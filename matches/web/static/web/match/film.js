// @ts-check
/* The replay plays by itself: from one thing to see or to read to the next, until the end or until somebody stops it. */

import { go, lookForNewer } from "./reel.js";
import { coming, here, prefetch } from "./versions.js";

const BEAT_MS = 450; /* What is told stays for a beat, and as long as its sentence takes to read. */
const LETTER_MS = 16;
const MOST_MS = 2600;
const NEWS_MS = 5000;

let run = 0; /* The number of this run; a run that isn't the latest ends by itself. */
let isOn = false;

const button = () => document.getElementById("run");
const speed = () => Number(/** @type {HTMLInputElement} */ (document.querySelector("#speed :checked")).value);
/** @param {number} ms */
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** @param {boolean} on */
function tell(on) {
  isOn = on;
  button().setAttribute("aria-label", on ? "Pause" : "Play");
  button().toggleAttribute("data-playing", on);
}

/** How long the version that is shown is looked at. */
function beat() {
  const letters = here().told ? document.getElementById("event-line").textContent.trim().length : 0;
  return Math.min(MOST_MS, BEAT_MS + LETTER_MS * letters) / speed();
}

/** The next version to show; of a match that goes on it may be yet to come. */
async function next() {
  if (!coming().length && here().goesOn) {
    await wait(NEWS_MS);
    if (isOn) await lookForNewer();
  }
  return coming()[0];
}

export function pause() {
  run += 1;
  if (isOn) tell(false);
}

/** Play on from here; from the end, all of it again. */
export async function play() {
  const mine = (run += 1);
  tell(true);
  if (!coming().length && !here().goesOn) await go(here().opening);
  while (mine === run) {
    prefetch(coming().slice(0, 3));
    await wait(beat());
    const version = mine === run && (await next());
    if (mine !== run) return;
    if (version) await go(version, { hurry: speed() });
    else if (!here().goesOn) return tell(false);
  }
}

export const toggle = () => (isOn ? pause() : play());

export function listen() {
  button().addEventListener("click", toggle);
  if (new URLSearchParams(location.search).has("play")) play();
}
