// @ts-check
/* What every page can do: say things, copy, and count down. Other modules import `toast` and `announce`. */

const STAYS_MS = 8000;
const PATIENCE_MS = 10_000; /* A line that went dead without a word is given up after so long; browsers wait for minutes. */
const SPREAD_MS = 1000;
const MOST_TOLD = 3; /* A page out of sight draws nothing, and tells the latest when it is back. */

/** @type {string[]} */
let untold = [];

/** Show a line at the foot of the page; `kind` is "ok" or "bad". Screen readers are told as well.
    @param {string} text
    @param {"ok" | "bad"} kind */
export function toast(text, kind = "ok") {
  const line = document.createElement("p");
  line.className = `toast ${kind}`;
  line.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet";
  close.textContent = "Close";
  close.addEventListener("click", () => line.remove());
  line.append(close);
  document.getElementById("toasts").append(line);
  setTimeout(() => line.remove(), STAYS_MS);
}

/** Tell screen readers alone. The same words twice are told twice; what comes before the next drawing is told together.
    @param {string} text */
export function announce(text) {
  const place = document.getElementById("announcer");
  place.textContent = "";
  if (!untold.length) requestAnimationFrame(() => { place.textContent = untold.splice(0).join(" "); });
  untold = [...untold, text].slice(-MOST_TOLD);
}

/** The sentence of a problem document, whatever came instead of one.
    @param {{ detail?: string, title?: string } | null} problem */
export function sentenceOf(problem) {
  return problem?.detail || problem?.title || "The service didn't answer. Try again.";
}

/** Ask the house, and fail where no answer comes in time.
    @param {string} address
    @param {RequestInit} request */
export function ask(address, request) {
  const end = new AbortController();
  setTimeout(() => end.abort(), PATIENCE_MS);
  return fetch(address, { ...request, signal: end.signal });
}

/** Seconds as people read them on a clock.
    @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const [days, hours, minutes] = [Math.floor(whole / 86400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours}:${two(minutes)}:${two(whole % 60)}`;
  return `${minutes}:${two(whole % 60)}`;
}

/* How far the server's time is ahead of this computer's, by the newest instant that a clock was told at. */
const ahead = { told: "", ms: 0 };

function countDown() {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-falls-at]"))) {
    const { fallsAt, toldAt } = clock.dataset;
    if (toldAt > ahead.told) Object.assign(ahead, { told: toldAt, ms: Date.parse(toldAt) - Date.now() });
    clock.textContent = clockText((Date.parse(fallsAt) - Date.now() - ahead.ms) / 1000);
  }
}

/** @param {HTMLElement} button */
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    toast("Copied.");
  } catch {
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById(button.dataset.copyField));
    field?.select();
    toast("Your browser doesn't let pages copy; press Ctrl+C.", "bad");
  }
}

/** @param {CustomEvent<{ ctx?: { text?: string } }>} event */
function refused(event) {
  const raw = event.detail?.ctx?.text ?? "";
  try {
    toast(sentenceOf(JSON.parse(raw)), "bad");
  } catch {
    toast(sentenceOf(null), "bad");
  }
}

document.addEventListener("click", (/** @type {Event & { target: Element }} */ event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(/** @type {HTMLElement} */ (button));
});
document.addEventListener("htmx:response:error", refused);
document.addEventListener("htmx:after:swap", countDown);
document.addEventListener("htmx:error", () => toast(sentenceOf(null), "bad"));
// A form goes out once, however often its button is pressed.
document.addEventListener("submit", (/** @type {SubmitEvent & { target: HTMLFormElement }} */ event) => {
  if (event.defaultPrevented || event.target.dataset.sent) {
    if (event.target.dataset.sent) event.preventDefault();
    return;
  }
  if (event.target.method === "post" && event.target.hasAttribute("data-once")) event.target.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-sent]"))) delete form.dataset.sent;
});

/** Whether somebody fills in a form of this part: one lies unfolded, or a field of it has the focus.
    @param {Element} part */
function isFilledIn(part) {
  const field = /** @type {HTMLInputElement | null} */ (document.activeElement?.closest("input, select, textarea"));
  return Boolean(part.querySelector("details[open] form") || (field?.form && part.contains(field)));
}

/** A part of the page that keeps itself fresh, while somebody looks, and changes nothing under their hands. It asks all
   the same: the answer may be that the page is to go elsewhere.
    @param {HTMLElement} part */
function keepFresh(part) {
  part.addEventListener("htmx:before:swap", (event) => {
    if (event.target === part && isFilledIn(part)) event.preventDefault();
  });
  const refresh = () => {
    if (!document.hidden) part.dispatchEvent(new Event("refresh"));
  };
  setInterval(refresh, Number(part.dataset.refreshSeconds) * 1000);
  if (part.dataset.changes) onChanges(part.dataset.changes, refresh);
}

/** Hears as soon as something changes, while somebody looks: a page that nobody sees holds no connection. Where it can't
    be heard, parts of the page ask now and then all the same. @type {Map<string, Set<() => void>>} */
const hearers = new Map();

/** @param {string} address @param {() => void} refresh */
function onChanges(address, refresh) {
  const known = hearers.get(address);
  if (known) {
    known.add(refresh);
    return;
  }
  const told = new Set([refresh]);
  hearers.set(address, told);
  /** @type {EventSource | null} */
  let source = null;
  const attend = () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (!source || source.readyState === EventSource.CLOSED) {
      source = new EventSource(address);
      // Not all who look ask in the same moment.
      source.addEventListener("changed", () => setTimeout(() => told.forEach((one) => one()), Math.random() * SPREAD_MS));
    }
  };
  document.addEventListener("visibilitychange", () => {
    attend();
    told.forEach((one) => one());
  });
  attend();
}

/* Fields that matter only with one answer of another field. Without scripts all of them show. */
function showWhatMatters() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-with]"))) {
    const name = part.dataset.with;
    const field = document.querySelector(
      `select[name="${name}"], input[name="${name}"]:is(:checked, :not([type=radio], [type=checkbox], [type=hidden]))`,
    );
    const asked = /** @type {HTMLInputElement | HTMLSelectElement | null} */ (field);
    part.hidden = !part.dataset.when?.split(" ").includes(asked?.value ?? "");
  }
}

for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-own-zone]"))) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-refresh-seconds]"))) keepFresh(part);
/* A file that is too large is told so before it is sent. */
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-most-bytes]"))) {
  field.addEventListener("change", () => {
    const size = field.files?.[0]?.size ?? 0;
    field.setCustomValidity(size > Number(field.dataset.mostBytes) ? field.dataset.tooLarge ?? "" : "");
    field.reportValidity();
  });
}
document.addEventListener("change", showWhatMatters);
showWhatMatters();
countDown();
setInterval(countDown, 1000);
