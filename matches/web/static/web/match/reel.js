// @ts-check
/* Going to another version: its page is put in place of this one, and what happens in one step is seen to move. */

import { announce } from "../page.js";
import { morph } from "./frame.js";
import { look, show } from "./motion.js";
import { unpeek } from "./peek.js";
import { address, coming, forget, here, load, prefetch } from "./versions.js";

let wanted = 0;

/** The scrubber reaches to the newest event, and each of its steps is as wide as a tick. */
export function mark() {
  const scrub = /** @type {HTMLInputElement} */ (document.getElementById("scrub"));
  /* A page that was fetched before may know of fewer events. */
  Object.assign(scrub, { max: Math.max(Number(scrub.max), Number(here().newest)), value: here().version });
  scrub.style.setProperty("--events", scrub.max);
}

/** Show a version; tells whether it is shown, as another may be wanted by then. What moves goes by `hurry` times as fast.
    @param {string} version
    @param {{ as?: string, hurry?: number }} how
    @returns {Promise<boolean>} */
export async function go(version, { as = here().as, hurry = 1 } = {}) {
  if (!version) return false;
  const path = address(version, as);
  const number = (wanted += 1);
  let page = "";
  try {
    page = await load(path);
  } catch {
    location.assign(path);
    return false;
  }
  if (number !== wanted) return false;
  unpeek();
  const isStep = as === here().as && [here().on, coming()[0]].includes(version);
  if (isStep) look();
  morph("replay", page);
  mark();
  document.title = document.title.replace(/\d+$/, here().version);
  history.replaceState(null, "", path);
  if (here().told) announce(document.getElementById("event-line").textContent);
  prefetch(coming().slice(0, 1));
  if (isStep) await show(Number(version) - 1, hurry);
  return number === wanted;
}

/** At the newest event of a match that goes on: there may be newer ones by now. */
export async function lookForNewer() {
  forget();
  await go(here().version);
}
