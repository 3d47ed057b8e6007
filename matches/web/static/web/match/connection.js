/* New frames as they come: over a socket, else by asking every few seconds. A gap is a newer version, no more. */

import { refresh, shown, take } from "./frame.js";

const FINAL = { 4401: "Signed out", 4403: "Not yours", 4410: "Over" };
const POLL_MS = 3000;
const OFFLINE_MS = 5000;

const place = document.getElementById("match");
let socket = null;
let tries = 0;
let lost = null;
let ended = false;

function show(state, text) {
  const badge = document.getElementById("connection");
  badge.dataset.state = state;
  document.getElementById("connection-text").textContent = text;
}

function answered(ok) {
  if (ok) {
    clearTimeout(lost);
    lost = null;
    document.getElementById("offline").hidden = true;
    if (socket?.readyState !== WebSocket.OPEN) show("polling", "Live, slower");
  } else if (!lost) {
    show("off", "Reconnecting");
    lost = setTimeout(() => { document.getElementById("offline").hidden = false; }, OFFLINE_MS);
  }
}

function heard(event) {
  const frame = JSON.parse(event.data);
  if (frame.content) take(frame);
  else if (frame.kind === "ping") socket.send(JSON.stringify({ kind: "pong" }));
}

function connect() {
  if (ended) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/ws/matches/${place.dataset.match}?form=page&after=${shown()}`);
  socket.addEventListener("open", () => {
    tries = 0;
    answered(true);
    show("live", "Live");
  });
  socket.addEventListener("message", heard);
  socket.addEventListener("close", (event) => {
    if (event.code in FINAL) {
      ended = event.code === 4410;
      show(ended ? "over" : "off", FINAL[event.code]);
      if (ended) refresh();
      if (event.code !== 4403) return;
    }
    tries += 1;
    const wait = Math.min(30000, 500 * 2 ** Math.min(tries, 6)) * (0.5 + Math.random() / 2);
    setTimeout(connect, wait);
  });
}

async function poll() {
  const over = ["finished", "void"].includes(document.getElementById("live").dataset.status);
  if (socket?.readyState !== WebSocket.OPEN && !ended && !over) answered(await refresh());
  setTimeout(poll, POLL_MS);
}

export function listen() {
  connect();
  setTimeout(poll, 1000);
  window.addEventListener("online", () => refresh());
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !ended) refresh(); });
}
