// @ts-check
/* Whose page this is. When the login that it was made for has ended, or another account is signed in, the page hides at
   once and loads again: it shows what whoever is signed in by then may see, and says what has happened. Without a
   connection it stays as it is. */

import { keepUnsent } from "./session.js";

const HEADER = "Croupier-Owner";
const NEWEST = "croupier:owner"; /* Whose page this browser has loaded last, in whichever tab. */
const LEFT = "croupier:owner-left"; /* Whose page this tab showed before it loaded again. */
const PATIENCE_MS = 800;
const GRACE_MS = 300; /* A new password ends the session a moment before this browser gets its next one. */
const MOST_TRIES = 8;
const UNDER_WAY_MS = 1500; /* A page that goes elsewhere already, as after signing out, is left to do so. */
const LONGEST_WAIT_MS = 30_000;

const meta = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=owner]"));
export const owner = meta.content;
const root = document.documentElement;
const plainFetch = window.fetch.bind(window);

let isLeaving = false;
let goesElsewhere = false;
/** @type {EventSource | null} */
let login = null;
let isAttending = false;
let failures = 0;

/** @param {Storage} storage
    @param {string} name */
function take(storage, name) {
  try {
    const value = storage.getItem(name);
    storage.removeItem(name);
    return value;
  } catch {
    return null;
  }
}

/** A browser may forbid storage; then a page learns from the server alone.
    @param {Storage} storage
    @param {string} name
    @param {string} value */
function put(storage, name, value) {
  try {
    storage.setItem(name, value);
  } catch { /* see above */ }
}

function newest() {
  try {
    return localStorage.getItem(NEWEST);
  } catch {
    return null;
  }
}

function leave() {
  if (isLeaving) return;
  isLeaving = true;
  root.style.display = "none";
  document.title = "Croupier";
  login?.close();
  keepUnsent();
  if (owner) put(sessionStorage, LEFT, owner);
  setTimeout(() => location.replace(location.pathname + location.search), goesElsewhere ? UNDER_WAY_MS : 0);
}

/** @param {string | null} other */
function isMine(other) {
  if (other !== null && other !== owner) leave();
  return !isLeaving;
}

/** Compare the owner that an answer names, if it does, with the page's; true where the page stays. Where the answer is
    for nobody the server is asked again, as the browser's next session may be on its way.
    @param {string | null} other
    @returns {Promise<boolean>} */
export async function isStillMine(other) {
  return other === "" && owner ? check({ isTold: true }) : isMine(other);
}

/** @returns {Promise<string | null>} */
async function ownerNow() {
  try {
    const answer = await plainFetch("/session", { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.headers.get(HEADER);
  } catch {
    return null;
  }
}

/** Ask the server whose pages this browser has now, and show nothing while that seems to be nobody. Where it doesn't
    answer the page stays, unless it `isTold` already that the login has ended.
    @param {{ isTold?: boolean, tries?: number }} how */
export async function check({ isTold = false, tries = MOST_TRIES } = {}) {
  let now = await ownerNow();
  const isGone = () => now === "" || (now === null && isTold);
  if (!owner || !isGone()) return isMine(now);
  root.style.display = "none";
  for (let left = tries; left && isGone(); left--) {
    await new Promise((later) => setTimeout(later, GRACE_MS));
    now = await ownerNow();
  }
  if (!isMine(isGone() ? "" : now)) return false;
  root.style.display = "";
  return true;
}

/** Show nothing until the server has answered.
    @param {{ isTold: boolean, tries?: number }} how */
async function hideAndCheck(how) {
  root.style.display = "none";
  const isStill = await check(how);
  if (isStill) root.style.display = "";
  return isStill;
}

/* Only pages that somebody sees hold a connection; others ask when they are seen again. */
function attend() {
  if (document.hidden || isLeaving) {
    login?.close();
    login = null;
  } else if (!login) {
    const source = login = new EventSource("/session");
    source.addEventListener("open", () => { failures = 0; });
    source.addEventListener("error", async () => {
      source.close();
      if (login !== source || !(await check())) return;
      failures += 1;
      setTimeout(() => {
        if (login === source) login = null;
        attend();
      }, Math.min(LONGEST_WAIT_MS, 250 * 2 ** failures) * (0.5 + Math.random() / 2));
    });
  }
}

/** Learn from the server when the login ends; a page with a socket of its own is told by that. */
export function attendLogin() {
  if (isAttending || !owner) return;
  isAttending = true;
  document.addEventListener("visibilitychange", attend);
  attend();
}

function sayWhatHappened() {
  const main = document.querySelector("main, .house");
  if (!main) return;
  const line = document.createElement("p");
  line.className = "notice warning";
  line.id = "owner-left";
  line.setAttribute("role", "status");
  line.textContent = `${owner ? meta.dataset.other : meta.dataset.nobody} `;
  const link = document.createElement("a");
  const back = location.pathname + location.search;
  link.href = location.pathname === "/sign-in" ? back : `/sign-in?next=${encodeURIComponent(back)}`;
  link.textContent = meta.dataset.signIn;
  if (!owner) line.append(link);
  // The match page's main is a grid, which has a place for notices.
  (main.querySelector(":scope > .bars") ?? main).prepend(line);
}

window.fetch = async (...given) => {
  const answer = await plainFetch(...given);
  const other = answer.headers.get(HEADER);
  // What is for somebody else reaches no script of this page.
  if (!(await isStillMine(other))) return new Promise(() => {});
  const isRead = (given[1]?.method ?? "GET") === "GET";
  return other === "" && owner && isRead ? window.fetch(...given) : answer;
};
// The panel's htmx asks without fetch.
document.addEventListener("htmx:beforeOnLoad", (/** @type {CustomEvent<{ xhr: XMLHttpRequest }>} */ event) => {
  const other = event.detail.xhr.getResponseHeader(HEADER);
  if (other === null || other === owner) return;
  event.preventDefault();
  isStillMine(other);
});
window.addEventListener("beforeunload", () => { goesElsewhere = true; });
document.addEventListener("visibilitychange", () => { if (owner && !document.hidden) check(); });
window.addEventListener("online", () => { if (owner) check(); });
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted || !owner) return;
  goesElsewhere = false;
  hideAndCheck({ isTold: newest() !== owner });
});

const left = take(sessionStorage, LEFT);
if (left !== null && left !== owner) sayWhatHappened();
window.addEventListener("storage", async ({ key, newValue }) => {
  if (key !== NEWEST || newValue === owner || !(owner || newValue === left)) return;
  // The other tab may have asked for its page before this one did.
  if (await hideAndCheck({ isTold: Boolean(owner), tries: 1 })) put(localStorage, NEWEST, owner);
});
if (newest() !== owner) put(localStorage, NEWEST, owner);
if (!document.getElementById("connection")) attendLogin();
