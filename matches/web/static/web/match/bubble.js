// @ts-check
/* A sentence beside the thing that it is about, for a few seconds; screen readers are told it too. */

import { announce } from "../page.js";

const STAYS_MS = 4000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let going;

/** Say why, or what, at a place of the board.
    @param {string} words
    @param {Element} at */
export function say(words, at) {
  hush();
  const bubble = document.createElement("p");
  bubble.className = "bubble";
  bubble.id = "bubble";
  bubble.textContent = words;
  document.body.append(bubble);
  const [place, own] = [at.getBoundingClientRect(), bubble.getBoundingClientRect()];
  const left = Math.min(Math.max(8, place.left + place.width / 2 - own.width / 2), innerWidth - own.width - 8);
  const above = place.top - own.height - 10;
  Object.assign(bubble.style, { left: `${left}px`, top: `${above > 8 ? above : place.bottom + 10}px` });
  announce(words);
  going = setTimeout(hush, STAYS_MS);
}

/** Put it away. */
export function hush() {
  clearTimeout(going);
  document.getElementById("bubble")?.remove();
}
