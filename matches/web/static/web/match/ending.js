// @ts-check
/* The end of a match: it sounds, whoever looks is told what is offered afterwards, and the match can be shared. */

import { announce, ask } from "../page.js";
import { sound } from "./sounds.js";

const ASK_MS = 4000;
const MOST_MS = 30 * 60_000; /* So long somebody's offer is waited for; whoever comes back later asks once. */
const FADE_MS = 400;

const place = document.getElementById("match");
let endedAt = 0;

const scene = () => /** @type {HTMLElement | null} */ (document.querySelector(".scene"));
const offered = () => document.getElementById("rematch");
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What a rematch stands at, in a word that changes with it.
    @param {HTMLElement | null} part */
const state = (part) => part && `${part.dataset.rematch} ${part.querySelector(".told")?.textContent ?? ""}`;

/** @param {HTMLElement} fresh */
function told(fresh) {
  const { rematch, go, mine } = fresh.dataset;
  if (rematch === "begun" && mine) return location.assign(go);
  announce(fresh.querySelector(".told, a")?.textContent.trim() ?? "");
}

/** Ask what is offered now; what stands there stays until it is something else. */
async function look() {
  try {
    const answer = await ask(`${place.dataset.address}afterwards`, { headers: { "X-Requested-With": "fetch" } });
    if (!answer.ok) return;
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text();
    const fresh = /** @type {HTMLElement | null} */ (holder.content.getElementById("rematch"));
    const before = offered();
    const room = document.getElementById("afterwards");
    if (!room || (before && state(before) === state(fresh))) return;
    room.replaceChildren(holder.content);
    if (before && fresh) told(fresh);
  } catch { /* the next look asks again */ }
}

const isOpen = () => ["open", "offered"].includes(offered()?.dataset.rematch ?? "");

function shareable() {
  const [away, copy] = ["share-away", "share-copy"].map((id) => document.getElementById(id));
  const link = new URL(place.dataset.address, location.href).href;
  copy.dataset.copy = link;
  copy.hidden = false;
  away.hidden = !navigator.share;
  away.onclick = () => navigator.share({ title: document.getElementById("share").dataset.title, url: link }).catch(() => {});
}

/** A frame is shown, or the page as it came.
    @param {import("./frame.js").Change | null} detail */
export function update(detail) {
  const shown = scene();
  if (!shown) return;
  shareable();
  if (endedAt) return;
  endedAt = Date.now();
  document.getElementById("tab-play").textContent = "End";
  if (!detail) return;
  sound("end");
  if (!calm()) shown.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE_MS });
  look();
}

export function listen() {
  setInterval(() => { if (isOpen() && !document.hidden && Date.now() - endedAt < MOST_MS) look(); }, ASK_MS);
  document.addEventListener("visibilitychange", () => { if (isOpen() && !document.hidden) look(); });
}
