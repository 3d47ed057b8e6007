// @ts-check
/* What surrounds the table: the tab's title and dot, filters. */

import { announce } from "../page.js";
import * as notes from "./notes.js";
import { asking, setAsking } from "./tray.js";

const DOT = "data:image/svg+xml," + encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#9b1b3b"/></svg>');
const MOST_TOLD = 12; /* A move may bring as many: a row that pays out whole, a duel. */

const icon = document.getElementById("favicon");
const usual = icon?.getAttribute("href");

/** A new frame is shown.
    @param {import("./frame.js").Change | null} detail */
export function update(detail) {
  const live = document.getElementById("live");
  const mine = live.dataset.mine === "1";
  document.title = live.dataset.title;
  icon?.setAttribute("href", mine ? DOT : usual);
  filter();
  hosting(live.dataset);
  invited(live.dataset);
  if (detail) tell(detail.from);
}

/** Tell screen readers the latest of what has happened since a version, oldest first, and what the match waits for or how
    it ended. Two frames of one version tell it once.
    @param {number} version */
function tell(version) {
  const isNew = (/** @type {Element} */ line) => Number(line.id.replace("line-", "")) > version;
  const result = document.getElementById("result");
  const news = [...document.querySelectorAll("#lines .line")].filter(isNew);
  if (!news.length) return;
  // The house's own lines of an end would tell it twice.
  const lines = news.filter((line) => !result || !line.classList.contains("house")).slice(0, MOST_TOLD).reverse();
  const sentences = [...lines.map((line) => line.querySelector("span")), result ?? document.querySelector("#turn-bar span")];
  announce(sentences.map((sentence) => sentence.textContent).join(" ").replace(/\s+/g, " ").trim());
}

/** What a host may do before the start.
    @param {DOMStringMap} live */
function hosting({ status, open }) {
  const panel = document.getElementById("host");
  if (!panel) return;
  panel.hidden = status !== "waiting";
  /** @type {HTMLButtonElement} */ (document.getElementById("start")).disabled = open !== "0";
  document.getElementById("why").hidden = open === "0";
}

/** Whether the player is still asked to accept.
    @param {DOMStringMap} told */
function invited(told) {
  const panel = document.getElementById("invited");
  if (panel) panel.hidden = told.invited !== "yes";
}

function filter() {
  const chosen = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=log-filter]:checked"));
  const wanted = chosen?.value ?? "all";
  document.getElementById("log").dataset.show = wanted;
}

export function listen() {
  notes.listen();
  for (const one of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=confirm]"))) {
    one.checked = one.value === asking();
    one.addEventListener("change", () => setAsking(one.value));
  }
  document.addEventListener("change", (/** @type {Event & { target: HTMLInputElement }} */ { target }) => {
    if (target.name === "log-filter") filter();
  });
  const keys = /** @type {HTMLDialogElement} */ (document.getElementById("keys"));
  document.getElementById("keys-open")?.addEventListener("click", () => keys.showModal());
}
