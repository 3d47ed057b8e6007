/* The panel's rooms: dialogs that open and close, each asking for its preview then, clocks that run by the server's time, text to copy. */

import { tokenOfToday } from "../web/session.js";

const ahead = Number(document.getElementById("clockwork")?.dataset.now ?? Date.now()) - Date.now();

function clockText(seconds) {
  const whole = Math.ceil(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

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

function open(dialog) {
  dialog.showModal();
  dialog.dispatchEvent(new Event("opened"));
}

document.addEventListener("click", async ({ target }) => {
  const pressed = target.closest("[data-opens], [data-closes], [data-copies]");
  if (!pressed) return;
  if (pressed.dataset.opens) open(document.getElementById(pressed.dataset.opens));
  else if (pressed.dataset.copies) {
    const text = document.getElementById(pressed.dataset.copies);
    text.select();
    await navigator.clipboard?.writeText(text.value);
    pressed.textContent = "Copied";
  } else pressed.closest("dialog").close();
});

// A form may take along what stands in a field of another one.
document.addEventListener("submit", ({ target }) => {
  for (const it of target.querySelectorAll("[data-carries]")) it.value = document.getElementById(it.dataset.carries).value;
});

document.addEventListener("submit", ({ target }) => {
  if (target.dataset.once === undefined) return;
  if (target.dataset.sent) return;
  target.dataset.sent = "1";
  setTimeout(() => target.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
});

const SIGNED_OUT = "You are signed out; sign in in another tab, then press again.";
const NO_ANSWER = "The service didn't answer. Try again.";

/** The sentence of a refusal that htmx was answered with. */
function sentenceOf({ status, responseText }) {
  if (status === 401) return SIGNED_OUT;
  try {
    return JSON.parse(responseText).detail || NO_ANSWER;
  } catch {
    return NO_ANSWER;
  }
}

/** A preview or the news say why there are none; what was typed stays. */
function sayWhy({ target, detail: { xhr } }) {
  if (!target.matches(".foretold, .news")) return;
  const line = document.createElement("p");
  line.className = target.matches(".news") ? "notice refusal" : "fault refusal";
  line.textContent = sentenceOf(xhr);
  if (target.textContent !== line.textContent) target.replaceChildren(line);
}

for (const event of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) document.addEventListener(event, sayWhy);
// No news are an answer too, which puts nothing in the place of a refusal.
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (detail.successful) target.querySelector(":scope > .refusal")?.remove();
});

document.addEventListener("htmx:configRequest", ({ detail: { parameters } }) => {
  if (parameters.csrfmiddlewaretoken) parameters.csrfmiddlewaretoken = tokenOfToday() ?? parameters.csrfmiddlewaretoken;
});

/** Of every game's options only those of the chosen game show, and are sent. */
function showOptions(form) {
  form.querySelectorAll("[data-options] > [data-of]").forEach((part) => {
    part.hidden = part.disabled = part.dataset.of !== form.elements.game.value;
  });
}

document.addEventListener("change", ({ target }) => {
  if (target.name === "game" && target.form?.querySelector("[data-options]")) showOptions(target.form);
});
document.querySelectorAll("form:has([data-options])").forEach(showOptions);
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
