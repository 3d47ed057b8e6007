// @ts-check
/* What seats offer each other: sent by a script, so that nothing on the page moves; told where it wouldn't be seen. */

import { ask, sentenceOf, toast } from "../page.js";
import { refresh, take } from "./frame.js";

const UNHEARD = "No answer came back. Look at the log before you offer or answer again.";

/** @type {Set<string>} */
let told = new Set();
let sending = false;

/** Whether a line stands where it can be read: not behind the log, nor below the fold of what lies beside the board.
    @param {HTMLElement} line */
function isSeen(line) {
  const [one, around] = [line, document.getElementById("play-side")].map((part) => part.getBoundingClientRect());
  return one.height > 0 && one.top >= around.top - 1 && one.bottom <= Math.min(around.bottom, innerHeight) + 1;
}

/** A new frame is shown. Who wouldn't see what they are asked is told so. */
export function update() {
  const asked = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#live [data-asked]")]);
  for (const line of asked) {
    if (!told.has(line.id) && !isSeen(line)) toast(`${line.dataset.asked} Answer beside the board, below your moves.`);
  }
  told = new Set(asked.map((line) => line.id));
}

/** @param {HTMLFormElement} form
    @param {HTMLButtonElement | null} button */
async function send(form, button) {
  if (sending) return;
  sending = true;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  if (button) body.set(button.name, button.value);
  try {
    const answer = await ask(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    if (!answer.ok) return toast(sentenceOf(await answer.json().catch(() => /** @type {null} */ (null))), "bad");
    take(await answer.json());
    renew(form);
  } catch {
    toast(UNHEARD, "bad");
    refresh();
  } finally {
    sending = false;
  }
}

/** Names the next press of a button; one that no answer came back to keeps its name, and so counts once.
    @param {HTMLFormElement} form */
function renew(form) {
  /** @type {HTMLInputElement} */ (form.elements.namedItem("key")).value = crypto.getRandomValues(new Uint32Array(4)).join("-");
}

export function listen() {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("offer"));
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
  });
}
