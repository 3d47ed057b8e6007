// @ts-check
/* Who is connected, as the socket tells it: each seat in words, and how many watch. Without a socket nobody knows. */

/** @typedef {{ seats: number[], watchers: number }} Presence */

/** @type {Presence | null} */
let told = null;

function draw() {
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".presence"))) {
    const here = told?.seats.includes(Number(line.dataset.seat));
    const state = told ? (here ? "connected" : "away") : "";
    if (line.dataset.state === state) continue;
    line.dataset.state = state;
    line.textContent = state;
  }
  const crowd = document.getElementById("watchers");
  const many = told?.watchers ?? 0;
  crowd.hidden = !many;
  crowd.textContent = `${many} watching`;
}

/** A presence frame, or null where there is no way to know.
    @param {Presence | null} frame */
export function hear(frame) {
  told = frame;
  draw();
}

/** A new frame of the match is shown. */
export const update = draw;
