// @ts-check
/* The panel's rooms: dialogs that open and close, each asking for its preview then, clocks that run by the server's time, text to copy. */

import { tokenOfToday } from "../web/session.js";

/** @typedef {Event & { target: HTMLElement }} AtElement What happens at an element of the page. */
/** @typedef {Event & { target: HTMLFormElement }} AtForm */
/** @typedef {Event & { target: HTMLInputElement }} AtField */
/** @typedef {AtElement & CustomEvent<{ xhr: XMLHttpRequest, successful: boolean }>} Answered What htmx tells of an answer. */
/** @typedef {CustomEvent<{ parameters: Record<string, string> }>} Asking */

const ahead = Number(document.getElementById("clockwork")?.dataset.now ?? Date.now()) - Date.now();

/** @param {number} seconds */
function clockText(seconds) {
  const whole = Math.ceil(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** @param {HTMLElement} face */
function draw(face) {
  const { base, reserve, left, deadline, grace } = face.dataset;
  const seconds = deadline ? (Number(deadline) - Number(grace) - Date.now() - ahead) / 1000 : Number(left);
  const whole = Math.max(0, Math.min(seconds, Number(base) + Number(reserve)));
  const kept = Math.min(Number(reserve), whole);
  face.querySelector("[data-part=turn]").textContent = clockText(whole - kept);
  face.querySelector("[data-part=reserve]").textContent = clockText(kept);
  face.classList.toggle("low", Boolean(deadline) && whole < 15);
}

const drawAll = () => document.querySelectorAll(".face").forEach(draw);

/** @param {HTMLDialogElement} dialog */
function open(dialog) {
  dialog.showModal();
  dialog.dispatchEvent(new Event("opened"));
}

document.addEventListener("click", async (/** @type {AtElement} */ { target }) => {
  const pressed = /** @type {HTMLElement | null} */ (target.closest("[data-opens], [data-closes], [data-copies]"));
  if (!pressed) return;
  if (pressed.dataset.opens) open(/** @type {HTMLDialogElement} */ (document.getElementById(pressed.dataset.opens)));
  else if (pressed.dataset.copies) {
    const text = /** @type {HTMLTextAreaElement} */ (document.getElementById(pressed.dataset.copies));
    text.select();
    await navigator.clipboard?.writeText(text.value);
    pressed.textContent = "Copied";
  } else pressed.closest("dialog").close();
});

// A form may take along what stands in a field of another one.
document.addEventListener("submit", (/** @type {AtForm} */ { target }) => {
  for (const it of /** @type {NodeListOf<HTMLInputElement>} */ (target.querySelectorAll("[data-carries]"))) {
    it.value = /** @type {HTMLInputElement} */ (document.getElementById(it.dataset.carries)).value;
  }
});

document.addEventListener("submit", (/** @type {AtForm} */ { target }) => {
  if (target.dataset.once === undefined) return;
  if (target.dataset.sent) return;
  target.dataset.sent = "1";
  setTimeout(() => target.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
});

const NO_ANSWER = "The service didn't answer. Try again.";

/** The sentence of a refusal that htmx was answered with.
    @param {XMLHttpRequest} answer */
function sentenceOf({ responseText }) {
  try {
    return JSON.parse(responseText).detail || NO_ANSWER;
  } catch {
    return NO_ANSWER;
  }
}

/** A preview or the news say why there are none; what was typed stays.
    @param {Answered} event */
function sayWhy({ target, detail: { xhr } }) {
  if (!target.matches(".foretold, .news")) return;
  const line = document.createElement("p");
  line.className = target.matches(".news") ? "notice refusal" : "fault refusal";
  line.textContent = sentenceOf(xhr);
  if (target.textContent !== line.textContent) target.replaceChildren(line);
}

for (const event of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) document.addEventListener(event, sayWhy);
// No news are an answer too, which puts nothing in the place of a refusal.
document.addEventListener("htmx:afterRequest", (/** @type {Answered} */ { target, detail }) => {
  if (detail.successful) target.querySelector(":scope > .refusal")?.remove();
});

document.addEventListener("htmx:configRequest", (/** @type {Asking} */ { detail: { parameters } }) => {
  if (parameters.csrfmiddlewaretoken) parameters.csrfmiddlewaretoken = tokenOfToday() ?? parameters.csrfmiddlewaretoken;
});

/** Of every game's options only those of the chosen game show, and are sent.
    @param {HTMLFormElement} form */
function showOptions(form) {
  form.querySelectorAll("[data-options] > [data-of]").forEach((/** @type {HTMLFieldSetElement} */ part) => {
    part.hidden = part.disabled = part.dataset.of !== /** @type {HTMLSelectElement} */ (form.elements.namedItem("game")).value;
  });
}

document.addEventListener("change", (/** @type {AtField} */ { target }) => {
  if (target.name === "game" && target.form?.querySelector("[data-options]")) showOptions(target.form);
});
document.querySelectorAll("form:has([data-options])").forEach(showOptions);
// Enter in a search searches, and doesn't send the form around it.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && /** @type {HTMLElement} */ (event.target).matches("[data-searches]")) event.preventDefault();
});
// A dialog that comes open asks for its preview as well, which nobody hears before htmx is at work.
document.addEventListener("htmx:load", () => document.querySelectorAll("dialog[data-open]").forEach(open), { once: true });
document.addEventListener("htmx:afterSwap", drawAll);

/** The acts and their dialogs stand as they were: whoever fills one in keeps it. But what else may be done now is said. */
function sayWhatMoved() {
  const line = document.getElementById("acts-moved");
  const now = document.getElementById("room")?.dataset.acts;
  if (!line || now === undefined || line.hasChildNodes() === (now !== line.dataset.acts)) return;
  if (now === line.dataset.acts) return line.replaceChildren();
  const way = document.createElement("a");
  way.href = location.pathname.replace(/\/control\/.*/, "/control/") + location.search;
  way.className = "way";
  way.textContent = "Show it";
  line.append("What you can do here has changed. ", way);
}
document.addEventListener("htmx:afterSwap", sayWhatMoved);
drawAll();
setInterval(drawAll, 250);
