// @ts-check
/* Sending a command: one at a time, with a key of its own, so that a retry never moves twice. */

import { ask, sentenceOf, toast } from "../page.js";
import { refresh, take } from "./frame.js";
import { keep } from "./lost.js";

const NOTHING_BACK = "No answer came back. The board shows whether your move has arrived; look before you send it again.";

/** @type {{ text: string, answer: Promise<boolean> } | null} */
let sending = null;

function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} text */
function formOf(text) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById("play"));
  const token = /** @type {HTMLInputElement} */ (form.querySelector("[name=csrfmiddlewaretoken]")).value;
  return { action: form.action, fields: { text, csrfmiddlewaretoken: token } };
}

/** @param {string} address
    @param {Record<string, string> | string[][]} fields */
async function post(address, fields) {
  const request = { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" } };
  try {
    return await ask(address, request);
  } catch {
    await new Promise((later) => setTimeout(later, 600));
    return ask(address, request);
  }
}

/** @param {string} sentence
    @param {Record<string, string>} faults Why inputs of a form were refused, by the names of the inputs. */
function refuse(sentence, faults = {}) {
  const line = document.getElementById("refusal");
  if (line) line.textContent = Object.keys(faults).length ? "" : sentence;
  // A page may have a better place to say it.
  const untold = document.dispatchEvent(new CustomEvent("croupier:faults", { detail: faults, cancelable: true }))
    && document.dispatchEvent(new CustomEvent("croupier:refused", { detail: sentence, cancelable: true }));
  if (untold) toast(sentence, "bad");
}

/** Send a command in notation, or the inputs of a form that `text` describes; true once it is accepted. What is being sent
    already isn't sent twice.
    @param {string} text
    @param {string[][] | null} inputs
    @returns {Promise<boolean>} */
export async function send(text, inputs = null) {
  if (sending?.text === text) return sending.answer;
  while (sending) await sending.answer;
  document.body.dataset.sending = "yes";
  const mine = { text, answer: deliver(text, inputs) };
  sending = mine;
  try {
    return await mine.answer;
  } finally {
    sending = null;
    delete document.body.dataset.sending;
  }
}

/** A refusal is told, and the page catches up; so it does where no answer came back, for the move may have arrived.
    @param {string} text
    @param {string[][] | null} inputs */
async function deliver(text, inputs) {
  const { action, fields } = formOf(inputs ? "" : text);
  const expected = /** @type {HTMLInputElement | null} */ (document.getElementById("expected"))?.value;
  const key = freshKey();
  const sent = [...Object.entries({ ...fields, key, ...(expected ? { expected } : {}) }), ...(inputs ?? [])];
  const answer = await post(action, sent).catch(() => /** @type {null} */ (null));
  const told = await answer?.json().catch(() => /** @type {null} */ (null));
  if (!answer?.ok || !told) {
    refuse(told ? sentenceOf(told) : NOTHING_BACK, told?.faults);
    refresh();
    return false;
  }
  const line = document.getElementById("refusal");
  if (line) line.textContent = "";
  take(told);
  keep({ key, text });
  return true;
}

/** Why a command would be refused now, or "" if it would be accepted. Nothing happens.
    @param {string} text
    @returns {Promise<string>} */
export async function refusalOf(text) {
  const { fields } = formOf(text);
  try {
    const answer = await post(`${document.getElementById("match").dataset.address}trial`, fields);
    return answer.ok ? "" : sentenceOf(await answer.json().catch(() => /** @type {null} */ (null)));
  } catch {
    return "The connection is down.";
  }
}
