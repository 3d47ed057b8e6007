// @ts-check
/* Contest: the form of a round, which works without this. It counts, steps, moves what is ranked, and keeps what was filled
   in across live updates and reloads, until it is sent. */

import { announce } from "../page.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Input */
/** @typedef {[string, string][]} Draft What was filled in: names and values of inputs. */

const PLAIN = ["csrfmiddlewaretoken", "key", "text", "expected", "choice"];
const STORED = "croupier.form.";

/** @type {{ round: number, is_final: boolean }} */
let data = { round: 0, is_final: false };

const form = () => /** @type {HTMLElement | null} */ (document.querySelector(".fill"));
const place = () => document.getElementById("match")?.dataset.match ?? location.pathname;
/** @param {HTMLElement} fill */
const nameOf = (fill) => `${STORED}${place()}.${fill.dataset.round}`;
/** @param {ParentNode} part
    @returns {Input[]} */
const inputsOf = (part) => [...part.querySelectorAll("[form=play][name]:not(button)")].map((one) => /** @type {Input} */ (one));
/** @param {Input} input */
const isBox = (input) => input.type === "checkbox" || input.type === "radio";
/** @param {Input} input */
const isChecked = (input) => isBox(input) && /** @type {HTMLInputElement} */ (input).checked;

/** @param {HTMLElement} fill */
function keep(fill) {
  const filled = inputsOf(fill).filter((input) => input.type !== "hidden" && (!isBox(input) || isChecked(input)));
  /** @type {Draft} */
  const draft = filled.map((input) => [input.name, input.value]);
  sessionStorage.setItem(nameOf(fill), JSON.stringify(draft));
}

/** Fill in again what was filled in before the page had these inputs.
    @param {HTMLElement} fill */
function restore(fill) {
  const stored = sessionStorage.getItem(nameOf(fill));
  if (!stored) return;
  /** @type {Draft} */
  const draft = JSON.parse(stored);
  for (const input of inputsOf(fill).filter((one) => one.type !== "hidden")) {
    const at = draft.findIndex(([name, value]) => name === input.name && (!isBox(input) || value === input.value));
    if (isBox(input)) /** @type {HTMLInputElement} */ (input).checked = at >= 0;
    else if (at >= 0) input.value = draft[at][1];
    if (at >= 0) draft.splice(at, 1);
  }
  const placed = (/** @type {Element} */ item) => Number(item.querySelector("input").value);
  for (const list of fill.querySelectorAll(".of-ranking .items")) {
    list.append(...[...list.children].sort((one, other) => placed(one) - placed(other)));
  }
  const gift = /** @type {HTMLInputElement | null} */ (fill.querySelector("[name=give-amount]"));
  if (gift?.value) gift.closest("details").open = true;
}

/** Put away what was filled in for earlier rounds.
    @param {HTMLElement} fill */
function forget(fill) {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(`${STORED}${place()}.`) && name !== nameOf(fill)) sessionStorage.removeItem(name);
  }
}

/** @param {Element} field */
const sum = (field) => inputsOf(field).reduce((total, input) => total + (Number(input.value) || 0), 0);

/** What a field's count says, and whether that is too much.
    @param {HTMLElement} field
    @returns {[string, boolean]} */
function counted(field) {
  const most = Number(field.dataset.most);
  const [kind, inputs] = [field.classList, inputsOf(field).filter((input) => input.type !== "hidden")];
  if (kind.contains("of-split")) {
    const left = most - sum(field);
    return [left < 0 ? `${-left} too many` : left ? `${left} left` : "All given", left < 0];
  }
  if (kind.contains("of-text")) {
    const length = [...inputs[0].value.trim()].length;
    return [`${length} of ${most}`, length > most];
  }
  const chosen = inputs.filter(isChecked).length;
  return most > 1 && inputs[0] && isBox(inputs[0]) ? [`${chosen} chosen`, chosen > most] : ["", false];
}

/** @param {HTMLElement} field */
function draw(field) {
  const count = /** @type {HTMLElement | null} */ (field.querySelector("[data-count]"));
  const [words, isTooMuch] = counted(field);
  if (count && count.textContent !== words) count.textContent = words;
  count?.classList.toggle("over", isTooMuch);
  const isSpent = field.matches(".of-split") && sum(field) >= Number(field.dataset.most);
  for (const step of /** @type {NodeListOf<HTMLElement>} */ (field.querySelectorAll("[data-step]"))) {
    const input = /** @type {HTMLInputElement} */ (step.parentElement.querySelector("input"));
    const isUp = step.dataset.step === "1";
    const isEnd = input.value !== "" && (isUp ? Number(input.value) >= Number(input.max) : Number(input.value) <= Number(input.min));
    step.setAttribute("aria-disabled", String(isEnd || (isUp && isSpent) || (!isUp && field.matches(".of-split") && !input.value)));
  }
  if (field.matches(".of-ranking")) {
    [...field.querySelectorAll("[data-item]")].forEach((item, at, all) => {
      item.querySelector("input").value = String(at + 1);
      item.querySelector("[data-move='-1']").setAttribute("aria-disabled", String(at === 0));
      item.querySelector("[data-move='1']").setAttribute("aria-disabled", String(at === all.length - 1));
    });
  }
}

/** @param {HTMLElement} fill */
const drawAll = (fill) => fill.querySelectorAll("fieldset").forEach((field) => draw(/** @type {HTMLElement} */ (field)));

/** A form that the page didn't have before: fill in what was filled in, and count.
    @param {HTMLElement} _place
    @param {{ round: number, is_final: boolean }} given */
export function update(_place, given) {
  data = given;
  const fill = form();
  if (!fill || fill.dataset.ready) return;
  fill.dataset.ready = "yes";
  forget(fill);
  restore(fill);
  drawAll(fill);
}

/** @param {Element} field
    @param {string} words */
function fault(field, words) {
  const line = field.querySelector(":scope > .fault");
  if (line) line.textContent = words;
  for (const input of inputsOf(field)) {
    if (words) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
}

/** @param {HTMLElement} field */
function changed(field) {
  fault(field, "");
  draw(field);
}

/** @param {HTMLElement} button */
function step(button) {
  const input = /** @type {HTMLInputElement} */ (button.parentElement.querySelector("input"));
  const by = Number(button.dataset.step);
  const from = input.value === "" ? Number(input.min) - (input.closest(".of-split") ? 0 : by) : Number(input.value);
  input.value = String(Math.min(Number(input.max), Math.max(Number(input.min), from + by)));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {HTMLElement} button */
function move(button) {
  const item = button.closest("[data-item]");
  const by = Number(button.dataset.move);
  const beside = by < 0 ? item.previousElementSibling : item.nextElementSibling;
  if (!beside) return;
  if (by < 0) beside.before(item);
  else beside.after(item);
  const field = /** @type {HTMLElement} */ (item.closest("fieldset"));
  draw(field);
  item.querySelector("input").dispatchEvent(new Event("input", { bubbles: true }));
  button.focus();
  const all = [...item.parentElement.children];
  announce(`${item.querySelector("bdi").textContent}: ${all.indexOf(item) + 1} of ${all.length}`);
}

/** Send the form, or a gift; false for a button that isn't of it.
    @param {HTMLElement | null} button
    @param {import("./tray.js").Offering} offer */
export function submit(button, offer) {
  const fill = form();
  const pressed = /** @type {HTMLButtonElement | null} */ (button);
  const isTyped = !pressed?.name && fill?.contains(document.activeElement);
  if (!fill || !(fill.contains(pressed) || isTyped)) return false;
  const act = isTyped ? (document.activeElement.closest("#gift") ? "give" : "fill") : pressed.value;
  const all = new FormData(/** @type {HTMLFormElement} */ (document.getElementById("play")));
  const inputs = [...all].filter(([name]) => !PLAIN.includes(name)).map(([name, value]) => [name, String(value)]);
  const words = inputs.filter(([name, value]) => value && name.includes(act === "give" ? "give-" : ".")).flat().join(" ");
  offer({
    text: `${act} ${words}`,
    label: (pressed?.value === act ? pressed : fill.querySelector(`[value=${act}]`)).textContent.trim(),
    hint: data.is_final ? "Everybody sees it at once, and you can't change it." : "",
    confirm: data.is_final,
    inputs: [...inputs, ["choice", act]],
    sent: () => sessionStorage.removeItem(nameOf(fill)),
  });
  return true;
}

document.addEventListener("input", (/** @type {Event & { target: Element }} */ { target }) => {
  const fill = form();
  if (!fill?.contains(target)) return;
  const field = /** @type {HTMLElement | null} */ (target.closest("fieldset"));
  if (field) changed(field);
  keep(fill);
});
document.addEventListener("click", (/** @type {Event & { target: Element }} */ { target }) => {
  const button = /** @type {HTMLElement | null} */ (target.closest(".fill :is([data-step], [data-move])"));
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  if (button.dataset.step) step(button);
  else move(button);
});
document.addEventListener("croupier:faults", (/** @type {CustomEvent<Record<string, string>>} */ event) => {
  const fill = form();
  const names = Object.keys(event.detail);
  if (!fill || !names.length) return;
  event.preventDefault();
  for (const field of fill.querySelectorAll("fieldset")) fault(field, event.detail[field.dataset.input] ?? "");
  const gift = document.getElementById("fault-gift");
  if (gift) gift.textContent = event.detail.gift ?? "";
  const first = names.map((name) => fill.querySelector(`[data-input="${CSS.escape(name)}"]`)).find(Boolean);
  const input = inputsOf(first ?? fill.querySelector("#gift") ?? fill).find((one) => one.type !== "hidden");
  input?.focus();
  announce(Object.values(event.detail).join(" "));
});
