// @ts-check
/* What a page does when its reader's session ended, or began anew in another tab: its forms still go out, and what was
   sent too late stands in its form again after the sign-in. It waits in this tab alone, for the same account, and
   passwords never do. What was typed into a page that loads again without its reader waits in the same way. */

const PLACE = "sent too late";
const SIGN_IN = "/sign-in";
const UNTYPED = ["hidden", "password", "file", "submit", "button", "reset"];

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
/** @typedef {{ name: string, value: string, on: boolean }} Typed What a field says, and whether it is marked. */
/** @typedef {{ account: string, form: string, fields: Typed[], unsent?: boolean }} Sent What a form said when it was sent, or
    when its page had to be left with it `unsent`. */

const account = () => /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=account]"))?.content;
/** @param {HTMLFormElement} form */
const addressOf = (form) => new URL(form.getAttribute("action") || location.href, location.href).pathname;
/** @param {HTMLFormElement} form */
const typedIn = (form) => /** @type {Field[]} */ ([...form.elements]).filter(({ name, type }) => name && !UNTYPED.includes(type));
/** @param {Field} field
    @returns {field is HTMLInputElement} */
const marked = (field) => ["checkbox", "radio"].includes(field.type);

/** The token against other sites' forms; signing in makes a new one, in every tab. */
export function tokenOfToday() {
  const name = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=csrf-cookie]"))?.content;
  return document.cookie.split("; ").find((it) => it.startsWith(`${name}=`))?.slice(`${name}=`.length);
}

function renewTokens() {
  const token = tokenOfToday();
  if (token) document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((/** @type {HTMLInputElement} */ field) => { field.value = token; });
}

/** Keep what a form says until the next page shows whether it was taken.
    @param {HTMLFormElement} form
    @param {{ unsent?: boolean }} how */
function keep(form, { unsent = false } = {}) {
  const fields = typedIn(form).map((field) => ({ name: field.name, value: field.value, on: !marked(field) || field.checked }));
  const sent = { account: account(), form: addressOf(form), fields, unsent };
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(sent));
  } catch {
    /* A tab that keeps nothing sends all the same. */
  }
}

/** @type {HTMLFormElement | null} The form that was filled in last. */
let filledIn = null;
document.addEventListener("input", ({ target }) => { filledIn = /** @type {Partial<Field>} */ (target).form ?? filledIn; });

/** Keep the form that was filled in last on the page, for when its account is back. */
export function keepUnsent() {
  if (filledIn?.isConnected && filledIn.method === "post" && !filledIn.hasAttribute("data-saves-itself") && account()) {
    keep(filledIn, { unsent: true });
  }
}

/** What was sent before the sign-in that led to this page; it is asked for once. It waits while nobody is signed in.
    @returns {Sent | null} */
function sentTooLate() {
  if (location.pathname === SIGN_IN || !account()) return null;
  const sent = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  sessionStorage.removeItem(PLACE);
  const cameBySigningIn = document.referrer && new URL(document.referrer).pathname === SIGN_IN;
  return (cameBySigningIn || sent?.unsent) && sent?.account === account() ? sent : null;
}

/** @param {Field} field
    @param {Typed} told */
function fill(field, { value, on }) {
  if (marked(field)) field.checked = on;
  else field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @param {HTMLFormElement} form */
function open(form) {
  const dialog = form.closest("dialog");
  if (dialog && !dialog.open) {
    dialog.showModal();
    dialog.dispatchEvent(new Event("opened"));
  }
  const tab = /** @type {HTMLElement | null} */ (form.closest("[data-tab]"))?.dataset.tab;
  const choice = /** @type {HTMLInputElement | null} */ (tab ? document.querySelector(`#tabs [value="${tab}"]`) : null);
  if (choice) choice.checked = true;
  for (let fold = form.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

/** @param {HTMLFormElement} form */
function sayThatItIsBack(form) {
  const line = document.createElement("p");
  line.className = "notice";
  line.setAttribute("role", "status");
  form.prepend(line);
  line.textContent = "You had been signed out. What you filled in stands here again; look it over and send it.";
  typedIn(form).find((field) => field.value && !marked(field))?.focus();
}

/** @param {Sent} sent */
function fillAgain({ form: address, fields }) {
  const form = [...document.forms].find((one) => one.method === "post" && addressOf(one) === address);
  if (!form) return;
  open(form);
  const empty = typedIn(form);
  for (const told of fields) {
    const place = empty.findIndex(({ name }) => name === told.name);
    if (place >= 0) fill(empty.splice(place, 1)[0], told);
  }
  sayThatItIsBack(form);
}

document.addEventListener("submit", (/** @type {SubmitEvent & { target: HTMLFormElement }} */ { target, defaultPrevented }) => {
  renewTokens();
  if (!defaultPrevented && target.method === "post" && account() && typedIn(target).length) keep(target);
});
// Scripts send forms too, and read their token from the page.
document.addEventListener("visibilitychange", renewTokens);
window.addEventListener("focus", renewTokens);

const late = sentTooLate();
// The panel's previews are asked for by what is ready only then.
if (late) window.addEventListener("load", () => fillAgain(late));
