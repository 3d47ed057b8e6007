// @ts-check
/* New frames as they come: over a socket, else by asking every few seconds. A gap is a newer version, no more. */

import { attendLogin, check, isStillMine, owner } from "../owner.js";
import { known, refresh, shown, take } from "./frame.js";
import { tellLost } from "./lost.js";
import * as presence from "./presence.js";
import * as talk from "./talk.js";

/** @type {Record<number, string>} */
const FINAL = { 4401: "Signed out", 4403: "Not yours", 4410: "Over" };
const SIGNED_OUT = 4401;
const POLL_MS = 3000;
const OFFLINE_MS = 5000;
const SILENT_MS = 25000; /* The house says something every 15 seconds; a longer silence is a dead line. */

const place = document.getElementById("match");
/** @type {WebSocket | null} */
let socket = null;
let tries = 0;
/** @type {ReturnType<typeof setTimeout> | null} */
let lost = null;
let ended = false;
let heardAt = Date.now();
let isVoid = false; /* The house has lost what the page shows; the next frame is right, whatever its version. */

const alive = () => socket?.readyState === WebSocket.OPEN && navigator.onLine && Date.now() - heardAt < SILENT_MS;

/** @param {"live" | "polling" | "over" | "off"} state
    @param {string} text */
function show(state, text) {
  const badge = document.getElementById("connection");
  badge.dataset.state = state;
  document.getElementById("connection-text").textContent = text;
}

/** @param {boolean} ok */
function answered(ok) {
  if (ok) {
    clearTimeout(lost);
    lost = null;
    document.getElementById("offline").hidden = true;
    if (alive()) show("live", "Live");
    else show("polling", "Live, slower");
  } else if (!lost) {
    show("off", "Reconnecting");
    lost = setTimeout(() => { document.getElementById("offline").hidden = false; }, OFFLINE_MS);
  }
}

/** @param {MessageEvent<string>} event */
function heard(event) {
  const frame = JSON.parse(event.data);
  /* A socket that is closed before its first frame found no place, and comes again later each time. */
  tries = 0;
  heardAt = Date.now();
  if (frame.kind === "owner" && frame.owner !== owner) {
    isStillMine(frame.owner);
    return socket.close();
  }
  if (lost && navigator.onLine) answered(true);
  if (frame.kind === "resync") tellLost(frame);
  if (frame.kind === "resync") isVoid = true;
  else if (frame.content) isVoid = !take(frame, { isVoid }) && isVoid;
  else if (frame.content === null && (isVoid || frame.version > shown())) {
    refresh({ force: isVoid });
    isVoid = false;
  }
  if (frame.kind === "talk") talk.hear(frame);
  else if (frame.kind === "presence") presence.hear(frame);
  else if (frame.kind === "ping") socket.send(JSON.stringify({ kind: "pong" }));
}

function connect() {
  if (ended) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/ws/matches/${place.dataset.match}?form=page&talk=1&${known()}`);
  socket.addEventListener("open", () => {
    heardAt = Date.now();
    answered(true);
  });
  socket.addEventListener("message", heard);
  socket.addEventListener("close", (event) => {
    presence.hear(null);
    talk.miss();
    if (event.code in FINAL) {
      ended = event.code === 4410;
      show(ended ? "over" : "off", FINAL[event.code]);
      if (ended) refresh();
      if (ended) return attendLogin();
      if (event.code === SIGNED_OUT) check({ isTold: true });
    }
    tries += 1;
    const wait = Math.min(30000, 500 * 2 ** Math.min(tries, 6)) * (0.5 + Math.random() / 2);
    setTimeout(connect, wait);
  });
}

async function poll() {
  const over = ["finished", "void"].includes(document.getElementById("live").dataset.status);
  /* What was lost stays lost until an answer comes, also where the socket seems to have lived through it. */
  if (!ended && (lost || (!alive() && !over))) {
    answered(await refresh());
    if (!alive() && navigator.onLine && socket?.readyState === WebSocket.OPEN) socket.close();
  }
  setTimeout(poll, POLL_MS);
}

export function listen() {
  connect();
  setTimeout(poll, 1000);
  window.addEventListener("online", async () => answered(await refresh()));
  window.addEventListener("offline", () => answered(false));
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !ended) refresh(); });
}
