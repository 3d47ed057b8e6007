// @ts-check
/* Private notes that save themselves. What another window of the same account writes is taken over, never lost. */

import { ask, sentenceOf } from "../page.js";

const SAVE_MS = 900;
const KEPT_ALIVE = 60_000; /* What a page that is left still sends; browsers take no more than 64 KiB. */
const JSON_ONLY = { Accept: "application/json" };
const LEFT = "croupier:note-left"; /* Which page was left with a save on its way: it may come back before that has arrived. */

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("notes"));
const field = /** @type {HTMLTextAreaElement} */ (form?.elements.namedItem("text"));
const stored = /** @type {HTMLInputElement} */ (form?.elements.namedItem("known"));
const state = document.getElementById("note-state");
/** @type {ReturnType<typeof setTimeout> | null} */
let soon = null;
/** @type {string | null} */
let saving = null;
/** @type {string[]} */
let sent = []; /* The marks of what the house hasn't confirmed: any of it may stand there. */
let again = false;

/** What the house names a text by: its Adler-32.
    @param {string} text */
function mark(text) {
  let low = 1, high = 0;
  for (const byte of new TextEncoder().encode(text)) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return [high, low].map((half) => half.toString(16).padStart(4, "0")).join("");
}

/** Send what is written, and which texts it was written over. */
function send() {
  clearTimeout(soon);
  soon = null;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  body.set("known", [stored.value, ...sent].join(" "));
  sent.push(mark(field.value));
  return ask(form.action, { method: "POST", body, headers: JSON_ONLY, keepalive: String(body).length < KEPT_ALIVE });
}

/** One at a time: what is written meanwhile goes next. */
async function save() {
  if (saving !== null) {
    again = true;
    return;
  }
  state.textContent = "Saving";
  const going = send();
  saving = field.value;
  try {
    const answer = await going;
    const kept = await answer.json().catch(() => /** @type {null} */ (null));
    state.textContent = answer.ok ? keep(kept) : sentenceOf(kept);
  } catch {
    state.textContent = "Not saved; the connection is down.";
  } finally {
    saving = null;
  }
  if (again) {
    again = false;
    save();
  }
}

/** The house has stored what was sent, and below it what another window had written meanwhile.
    @param {{ text: string, mark: string }} kept */
function keep({ text, mark: known }) {
  stored.value = known;
  sent = [];
  const more = text.slice(saving.length);
  if (more) append(more);
  return more ? "Saved, above what another window had written" : "Saved";
}

/** The caret stays where it is.
    @param {string} more */
function append(more) {
  const { selectionStart, selectionEnd } = field;
  field.value += more;
  field.setSelectionRange(selectionStart, selectionEnd);
}

/** Show what was written elsewhere, where nothing waits here to be saved. */
async function look() {
  const before = field.value;
  const isAt = () => soon === null && saving === null && field.value === before;
  if (document.hidden || !isAt() || mark(before) !== stored.value) return;
  try {
    const answer = await ask(form.action, { headers: JSON_ONLY });
    const { text, mark: known } = answer.ok ? await answer.json() : { text: before };
    if (text === before || !isAt()) return;
    field.value = text;
    stored.value = known;
    state.textContent = "As written in another window";
  } catch { /* the next look shows it */ }
}

function leave() {
  if (soon === null && !again) return;
  send();
  sessionStorage.setItem(LEFT, location.pathname);
}

export function listen() {
  if (!form) return;
  field.addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(save, SAVE_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  window.addEventListener("online", () => { if (sent.length) save(); });
  window.addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
  window.addEventListener("pagehide", leave);
  if (sessionStorage.getItem(LEFT) === location.pathname) setTimeout(look, SAVE_MS);
  sessionStorage.removeItem(LEFT);
}
