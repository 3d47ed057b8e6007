// @ts-check
/* A season's board, told live: each frame of its stream is word that something was said or changed. */

import { Idiomorph } from "./vendor/idiomorph.esm.js";
import { ask } from "./page.js";

const board = document.getElementById("board");
let isLooking = false;
let isStale = false;

/** Whether a menu is open, or an earlier page is read: nothing is put in their place. */
const isBusy = () => location.search !== "" || board.querySelector(".doing[open]") !== null;

/** What was said, anew. */
async function look() {
  isStale = true;
  if (isLooking || isBusy()) return;
  isLooking = true;
  isStale = false;
  try {
    const answer = await ask(location.pathname, { headers: { "X-Requested-With": "fetch" } });
    const told = await answer.text();
    if (isBusy()) isStale = true;
    else if (answer.ok) Idiomorph.morph(document.getElementById("board-remarks"), told);
  } catch { /* the next frame asks again */ }
  isLooking = false;
  if (isStale && !isBusy()) look();
}

new EventSource(board.dataset.stream).addEventListener("talk", look);
board.addEventListener("toggle", () => { if (isStale) look(); }, true);
