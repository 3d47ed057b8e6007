// @ts-check
/* A season's board, or a room of it, told live: each frame of its stream is word that something was said or changed. A
   room is marked as read up to what its reader sees. */

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
    markRead();
  } catch { /* the next frame asks again */ }
  isLooking = false;
  if (isStale && !isBusy()) look();
}

new EventSource(board.dataset.stream).addEventListener("talk", look);
board.addEventListener("toggle", () => { if (isStale) look(); }, true);

const mark = /** @type {HTMLFormElement | null} */ (document.getElementById("mark-read"));
let marked = Number(mark?.dataset.read);
if (mark) mark.hidden = true;

/** Mark the room as read up to its last remark, once somebody can see it. */
function markRead() {
  const last = Number([.../** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll("[data-number]"))].at(-1)?.dataset.number);
  if (!mark || document.hidden || location.search !== "" || !(last > marked)) return;
  marked = last;
  const form = new FormData(mark);
  form.set("number", String(last));
  ask(mark.action, { method: "POST", body: form, headers: { "X-Requested-With": "fetch" } })
    .catch(() => { /* the next remark marks this one too */ });
}

document.addEventListener("visibilitychange", markRead);
markRead();
