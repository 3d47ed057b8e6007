// @ts-check
/* Calls a player whose turn has come: by a sound, by a notification of the browser's, as they have set it here. */

import { toast } from "../page.js";
import { sound, waken } from "./sounds.js";

const SETTING = "croupier-call-by-";
const REFUSED = "Your browser doesn't let this page notify you; its settings for this site can.";

/** @param {string} way */
const isOn = (way) => localStorage.getItem(SETTING + way) === "yes";
/** @param {string} way
    @param {boolean} on */
const set = (way, on) => localStorage.setItem(SETTING + way, on ? "yes" : "no");

/** @param {HTMLElement} live */
function notify(live) {
  if (!document.hidden || window.Notification?.permission !== "granted") return;
  const body = document.querySelector("#turn-bar span").textContent.replace(/\s+/g, " ").trim();
  try {
    const note = new Notification(live.dataset.title, { body, tag: document.getElementById("match").dataset.match });
    note.addEventListener("click", () => {
      window.focus();
      note.close();
    });
  } catch { /* Some browsers on phones show notifications of installed pages only. */ }
}

/** @param {HTMLInputElement} box */
async function turn(box) {
  set(box.value, box.checked);
  if (!box.checked) return;
  if (box.value === "sound") {
    await waken();
    sound("call");
  } else if (await window.Notification?.requestPermission() !== "granted") {
    box.checked = false;
    set(box.value, false);
    toast(REFUSED, "bad");
  }
}

/** A new frame is shown; the player is called once for each turn.
    @param {import("./frame.js").Change | null} detail */
export function update(detail) {
  const live = document.getElementById("live");
  if (!detail || detail.before === "1" || live.dataset.mine !== "1") return;
  sound("call");
  if (isOn("notice")) notify(live);
}

export function listen() {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=call]"))) {
    box.checked = isOn(box.value);
    box.addEventListener("change", () => turn(box));
  }
}
