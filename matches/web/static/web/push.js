// @ts-check
/* Has this browser told of calls: it subscribes at its push service, and the house gets the address and the keys. */
import { tokenOfToday } from "./session.js";

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("subscribe"));
const told = document.getElementById("push-told");

/** @param {string} text */
const say = (text) => { if (told) told.textContent = text; };

/** What its owner calls this browser in a list. */
function label() {
  const [, name] = navigator.userAgent.match(/(Firefox|Edg|OPR|Chrome|Safari)\//) ?? [];
  const called = /** @type {Record<string, string>} */ ({ Edg: "Edge", OPR: "Opera" });
  return `${called[name] ?? name ?? "A browser"} on ${navigator.platform || "this device"}`;
}

/** @param {string} key */
async function subscribe(key) {
  if (await Notification.requestPermission() !== "granted") return say("This browser may not show calls: its settings forbid it.");
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  await navigator.serviceWorker.ready;
  const bytes = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const { endpoint, keys } = (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes })).toJSON();
  const answer = await fetch("/api/v1/me/pushes", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": tokenOfToday() ?? "" },
    body: JSON.stringify({ endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth }, label: label() }),
  });
  if (answer.ok) return location.reload();
  say((await answer.json()).detail);
}

if (button && "serviceWorker" in navigator && "PushManager" in window) {
  button.hidden = false;
  say("");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await subscribe(button.dataset.key ?? "");
    } catch {
      say("This browser's push service can't be reached. Try again later.");
    }
    button.disabled = false;
  });
}
