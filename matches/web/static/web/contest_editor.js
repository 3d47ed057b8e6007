// @ts-check
/* The contest editor without loading the page: what is typed is checked, and the buttons of blocks rebuild the form. The
   server renders everything; without scripts each button loads the page. */

import { ask, sentenceOf, toast } from "./page.js";

const PAUSE_MS = 500;
const LEAVING = ["save", "over", "publish"];

const editor = () => /** @type {HTMLFormElement} */ (document.getElementById("maker"));
let sends = 0; /* Only the answer to the latest request is shown. */
let isLeaving = false;
/** @type {number | undefined} */
let pause;

/** Send the form, and return the editor that answers; null if there is none, or a later request went out.
    @param {string} act */
async function send(act) {
  const mine = ++sends;
  clearTimeout(pause);
  const body = new URLSearchParams(/** @type {any} */ (new FormData(editor())));
  body.set("do", act);
  try {
    const answer = await ask(editor().action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const made = page.getElementById("maker");
    if (mine !== sends) return null;
    if (!made) toast(page.querySelector("main p")?.textContent?.trim() || sentenceOf(null), "bad");
    return /** @type {HTMLFormElement | null} */ (made);
  } catch {
    if (mine === sends) toast(sentenceOf(null), "bad");
    return null;
  }
}

function markUnsaved() {
  editor().dataset.unsaved = "yes";
  document.getElementById("unsaved").hidden = false;
}

/** Show faults and forms as they are now, and leave all fields alone. */
async function check() {
  if (editor().inert) return;
  const made = await send("check");
  if (!made) return;
  for (const part of made.querySelectorAll("[data-live]")) {
    const shown = document.getElementById(part.id);
    if (shown && shown.innerHTML !== part.innerHTML) shown.innerHTML = part.innerHTML;
  }
  for (const field of made.querySelectorAll("[aria-describedby]")) {
    if (field.hasAttribute("aria-invalid")) document.getElementById(field.id)?.setAttribute("aria-invalid", "true");
    else document.getElementById(field.id)?.removeAttribute("aria-invalid");
  }
}

/** Replace the form by the server's after an act, and go on where the reader was.
    @param {string} act */
async function rebuild(act) {
  const before = document.activeElement?.id;
  const sent = send(act);
  // What is typed from here on would be lost.
  editor().inert = true;
  const made = await sent;
  editor().inert = false;
  if (!made) return;
  const open = [...editor().querySelectorAll("details[open][id]")].map(({ id }) => id);
  editor().replaceWith(made);
  for (const id of open) {
    const fold = /** @type {HTMLDetailsElement | null} */ (document.getElementById(id));
    if (fold && "open" in fold) fold.open = true;
  }
  /** @type {any} */ (window).htmx?.process(made);
  attend(made);
  document.dispatchEvent(new Event("change")); /* Fields that matter only with others show or hide. */
  const shown = made.dataset.shown ? document.getElementById(made.dataset.shown) : null;
  const first = act.startsWith("add") ? "input:not([type=hidden]), select, textarea" : "summary, .tools button";
  const next = shown ? shown.querySelector(first) : before && document.getElementById(before);
  if (next instanceof HTMLElement) next.focus();
}

/** @param {HTMLFormElement} form */
function attend(form) {
  form.classList.add("scripted");
  form.addEventListener("input", (/** @type {Event & { target: HTMLElement }} */ { target }) => {
    if (target.closest("[data-preview], .adding, .trying")) return;
    markUnsaved();
    clearTimeout(pause);
    pause = setTimeout(check, PAUSE_MS);
  });
  form.addEventListener("change", (/** @type {Event & { target: HTMLElement }} */ { target }) => {
    if (target.matches("[data-rebuilds], [data-renames]")) rebuild("check");
  });
  form.addEventListener("submit", (/** @type {SubmitEvent & { submitter: HTMLButtonElement }} */ event) => {
    const act = event.submitter?.value ?? "check";
    isLeaving = LEAVING.includes(act);
    if (isLeaving) return;
    event.preventDefault();
    rebuild(act);
  });
}

window.addEventListener("beforeunload", (event) => {
  if (!isLeaving && editor().dataset.unsaved) event.preventDefault();
});
window.addEventListener("pageshow", () => { isLeaving = false; });
attend(editor());
