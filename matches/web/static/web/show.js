// @ts-check
/* The match on the front page: it goes on under the reader's eyes, until they pause it or look away. */

import { look, show } from "./match/motion.js";
import { ask } from "./page.js";

const ASKS_MS = 2000;
const PARTS = ["show-seats", "board", "show-headline", "show-lines", "motion-data"];

const place = () => document.getElementById("show");
const pause = () => document.getElementById("show-pause");
const isPaused = () => pause()?.getAttribute("aria-pressed") === "true";

/** The parts that change are exchanged, so that a focused link stays where it is.
    @param {HTMLElement} fresh */
function take(fresh) {
  const shown = place();
  const goesOn = shown.dataset.match === fresh.dataset.match;
  if (!shown.dataset.match) {
    shown.replaceWith(fresh);
    return listen();
  }
  const from = Number(shown.dataset.version);
  look();
  for (const id of PARTS) document.getElementById(id).replaceWith(fresh.querySelector(`#${id}`));
  document.getElementById("show-way").setAttribute("href", fresh.querySelector("#show-way").getAttribute("href"));
  Object.assign(shown.dataset, fresh.dataset);
  if (goesOn) show(from);
}

async function refresh() {
  const { match, version } = place().dataset;
  try {
    const answer = await ask(`/show?match=${match}&after=${version}`, {});
    const holder = document.createElement("template");
    if (answer.status === 200) holder.innerHTML = await answer.text();
    const fresh = holder.content.getElementById("show");
    if (fresh && !isPaused()) take(fresh);
  } catch {
    /* The next look tries again. */
  }
}

function listen() {
  const button = pause();
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(!isPaused()));
  });
}

async function follow() {
  if (!document.hidden && !isPaused()) await refresh();
  setTimeout(follow, ASKS_MS);
}

listen();
setTimeout(follow, ASKS_MS);
