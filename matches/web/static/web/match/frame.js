// @ts-check
/* The part of the page that changes: taking a new frame without losing focus, typed text or what is open. */

import { ask } from "../page.js";
import { Idiomorph } from "../vendor/idiomorph.esm.js";
import { tellLost } from "./lost.js";

/** @typedef {{ version: number, content: string, resync?: { version: number } }} Frame What the page shows at a version. */
/** @typedef {{ before: string, from: number }} Change Whose turn it was before a frame, and the version shown then. */

/** @param {Node} node
    @param {string} what */
const keeps = (node, what) => node instanceof Element && node.getAttribute("data-keep") === what;

/** Whether two nodes are the same part of the page.
    @param {Node} old
    @param {Node} fresh */
const same = (old, fresh) => /** @type {Element} */ (old).id === /** @type {Element} */ (fresh).id;

const callbacks = {
  beforeNodeMorphed: (/** @type {Node} */ old, /** @type {Node} */ fresh) =>
    !((keeps(old, "all") && same(old, fresh)) || keeps(old, "text") || keeps(fresh, "old")),
  beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ node) => !(name === "open" && keeps(node, "open")),
};

/** Take the focus off what a new frame no longer has: Chromium's tab crashes where a part with the focus in it is removed
    among parts that `moveBefore` moves.
    @param {HTMLElement} place
    @param {DocumentFragment} content */
function letGo(place, content) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const part = focused?.closest("[id]");
  if (part && place.contains(part) && !content.getElementById(part.id)) focused.blur();
}

/** The part of a page with this id becomes the same part of `content`.
    @param {string} id
    @param {string} content */
export function morph(id, content) {
  const place = document.getElementById(id);
  const holder = document.createElement("template");
  holder.innerHTML = content;
  const fresh = holder.content.getElementById(id);
  if (place) letGo(place, holder.content);
  if (place && fresh) Idiomorph.morph(place, fresh, { morphStyle: "outerHTML", callbacks: /** @type {any} */ (callbacks) });
}

/** The version that the page shows. */
export const shown = () => Number(document.getElementById("live").dataset.version);

/** What the page shows, as a question to the house names it. */
export const known = () => `after=${shown()}&hash=${document.getElementById("live").dataset.hash}`;

/** Show a frame unless the page is further already; tells whether it did. What the page shows may be `void`: the house has
    lost it, and whatever comes is further.
    @param {Frame} frame */
export function take(frame, { isVoid = false } = {}) {
  if (frame.version < shown() && !isVoid) return false;
  const { mine, version } = document.getElementById("live").dataset;
  document.dispatchEvent(new Event("croupier:before"));
  morph("live", frame.content);
  const from = isVoid ? frame.version : Number(version);
  document.dispatchEvent(new CustomEvent("croupier:frame", { detail: { before: mine, from } }));
  return true;
}

/** Ask for the newest frame; true where the service answered.
    @returns {Promise<boolean>} */
export async function refresh({ force = false } = {}) {
  const address = document.getElementById("match").dataset.address;
  const after = force ? "" : `?${known()}`;
  try {
    const answer = await ask(`${address}frame${after}`, { headers: { Accept: "application/json" } });
    const frame = answer.status === 200 ? await answer.json() : null;
    if (frame?.resync) tellLost(frame.resync);
    if (frame) take(frame, { isVoid: Boolean(frame.resync) || force });
    return answer.ok;
  } catch {
    return false;
  }
}
