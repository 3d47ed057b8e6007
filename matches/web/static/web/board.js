// @ts-check
/* A season's board, told live: each frame of its stream is word that something was said or changed. */

import { Idiomorph } from "./vendor/idiomorph.esm.js";
import { ask } from "./page.js";

const board = document.getElementById("board");
let isLooking = false;
let isStale = false;

/** What was said, anew; not while a menu is open or an earlier page is read. */
async function look() {
  isStale = true;
  if (isLooking || location.search || board.querySelector(".doing[open]")) return;
  isLooking = true;
  isStale = false;
  try {
    const answer = await ask(location.pathname, { headers: { "X-Requested-With": "fetch" } });
    if (answer.ok) Idiomorph.morph(document.getElementById("board-remarks"), await answer.text());
  } catch { /* the next frame asks again */ }
  isLooking = false;
  if (isStale) look();
}

new EventSource(board.dataset.stream).addEventListener("talk", look);
board.addEventListener("toggle", () => { if (isStale) look(); }, true);
