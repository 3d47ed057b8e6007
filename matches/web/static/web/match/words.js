// @ts-check
/* The board as text: asked for where it stands open, for few read it and it would weigh on every frame. */

import { morph, shown } from "./frame.js";

const place = () => /** @type {HTMLDetailsElement} */ (document.getElementById("spoken"));
let told = shown();

async function ask() {
  const wanted = shown();
  if (!place().open || told === wanted) return;
  try {
    const answer = await fetch(`${document.getElementById("match").dataset.address}words`, { headers: { "X-Requested-With": "fetch" } });
    if (!answer.ok) return;
    morph("words", await answer.text());
    told = wanted;
  } catch { /* the next frame asks again */ }
}

/** A new frame is shown.
    @param {import("./frame.js").Change | null} detail */
export function update(detail) {
  if (detail) ask();
}

export function listen() {
  place().addEventListener("toggle", ask);
}
