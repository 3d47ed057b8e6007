// @ts-check
/* The seat's nonce: made and kept by this browser, promised before any is shown, shown once the page says so. */

import { ask } from "../page.js";
import { take } from "./frame.js";

const TAG = "croupier-nonce-commitment-v1\n";
const AGAIN_MS = 1500;

let busy = false;
let refused = "";

/** @param {ArrayBuffer | Uint8Array<ArrayBuffer>} bytes */
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

function place() {
  const { match, seat, account } = document.getElementById("match").dataset;
  return `croupier.nonce.${match}.${seat}.${account}`;
}

function made() {
  const kept = localStorage.getItem(place());
  if (kept) return kept;
  localStorage.setItem(place(), hex(crypto.getRandomValues(new Uint8Array(32))));
  return localStorage.getItem(place());
}

/** @param {string} nonce */
async function commitmentOf(nonce) {
  const { match, seat } = document.getElementById("match").dataset;
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, Number(seat));
  const parts = [new TextEncoder().encode(TAG), bytesOf(match.replaceAll("-", "")), number, bytesOf(nonce)];
  return hex(await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer()));
}

/** Do what the page asks for; true where the house took it, false where it may be tried again.
    @param {string} step */
async function give(step) {
  const nonce = step === "promise" ? made() : localStorage.getItem(place());
  if (!nonce) {
    refused = step;
    return true;
  }
  const told = step === "promise" ? { commitment: await commitmentOf(nonce) } : { nonce };
  const token = /** @type {HTMLInputElement} */ (document.querySelector("#play [name=csrfmiddlewaretoken]")).value;
  const body = new URLSearchParams({ ...told, csrfmiddlewaretoken: token });
  const address = `${document.getElementById("match").dataset.address}nonce`;
  const answer = await ask(address, { method: "POST", body, headers: { Accept: "application/json" } });
  if (answer.ok) take(await answer.json());
  else if (answer.status < 500 && answer.status !== 429) refused = step;
  else return false;
  return true;
}

/** A new frame is shown. Without `crypto.subtle`, outside https and this computer, no nonce is given. */
export async function update() {
  const { nonce: step, status } = document.getElementById("live").dataset;
  if (status !== "waiting") localStorage.removeItem(place());
  if (!step || step === refused || busy || !crypto.subtle) return;
  busy = true;
  let taken = false;
  try {
    // Two windows of one seat promise one nonce.
    taken = await navigator.locks.request(place(), () => give(step));
  } catch { /* no answer: it is tried again */ }
  busy = false;
  if (taken) update();
  else setTimeout(update, AGAIN_MS);
}
