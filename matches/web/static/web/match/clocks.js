// @ts-check
/* Clocks are deadlines: the browser only draws how far away they are, by the server's time. */

import { clockText } from "../page.js";

const place = document.getElementById("match");
const ahead = Number(place.dataset.now) - Date.now();

/** @param {HTMLElement} face
    @param {"turn" | "reserve"} part
    @param {string} text */
function write(face, part, text) {
  const line = face.querySelector(`[data-part=${part}]`);
  if (line && line.textContent !== text) line.textContent = text;
}

/** @param {HTMLElement} face */
function draw(face) {
  const { base, reserve, increment, deadline, grace } = face.dataset;
  const now = Date.now() + ahead;
  const seconds = deadline ? (Number(deadline) - Number(grace) - now) / 1000 : Number(face.dataset.left);
  const whole = Math.max(0, Math.min(seconds, Number(base) + Number(reserve)));
  const kept = Math.min(Number(reserve), whole);
  write(face, "turn", clockText(whole - kept));
  write(face, "reserve", clockText(kept));
  face.classList.toggle("low", Boolean(deadline) && whole < 15);
  face.classList.toggle("on-reserve", Boolean(deadline) && whole < Number(reserve));
  const full = Math.ceil(kept / Number(increment));
  face.querySelectorAll(".blocks i").forEach((block, number) => block.classList.toggle("gone", number >= full));
}

/** @type {Intl.DateTimeFormatOptions} */
const LOCAL = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };

/** An instant that came in UTC, in the reader's own zone.
    @param {HTMLTimeElement} time */
function localise(time) {
  const words = new Date(time.dateTime).toLocaleString("en-GB", LOCAL);
  if (time.textContent !== words) time.textContent = words;
}

/** Draw every clock of the page. */
export function drawAll() {
  document.querySelectorAll(".face").forEach(draw);
  document.querySelectorAll("time[data-local]").forEach(localise);
}

export function listen() {
  drawAll();
  setInterval(drawAll, 250);
}
