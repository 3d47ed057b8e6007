// @ts-check
/* The house may lose its last moves, with the server that held them: the page says so, and which of its own are gone. */

import { announce, ask } from "../page.js";

const MOST_KEPT = 20;

/** @typedef {{ key: string, text: string }} Command */

/** @type {Command[]} */
let accepted = [];
/** @type {Command[]} */
let gone = [];

/** A command that was accepted: its key and its text.
    @param {Command} command */
export function keep(command) {
  accepted = [...accepted, command].slice(-MOST_KEPT);
  gone = gone.filter(({ text }) => text !== command.text);
}

/** @param {Command} command */
async function isGone({ key }) {
  const { address } = document.getElementById("match").dataset;
  const request = { headers: { Accept: "application/json" } };
  const answer = await ask(`${address}sent?key=${encodeURIComponent(key)}`, request).catch(() => /** @type {null} */ (null));
  return answer?.ok ? !(await answer.json()).happened : false;
}

/** @param {number} version */
function sentence(version) {
  const lost = `The house has lost the last moves of this match, with the server that held them: it stands at event ${version} again.`;
  if (!gone.length) return `${lost} The board shows what is left; play goes on from here.`;
  const [what, again] = gone.length === 1 ? ["Your move", "it"] : ["Your moves", "them"];
  return `${lost} ${what} ${gone.map(({ text }) => `"${text}"`).join(", ")} never happened; play ${again} again if you still want to.`;
}

/** Say what was lost: the record ends at `version` now. Stays until the page is left.
    @param {{ version: number }} end */
export async function tellLost({ version }) {
  const held = accepted;
  accepted = [];
  const answers = await Promise.all(held.map(isGone));
  gone = [...gone, ...held.filter((_, place) => answers[place])];
  accepted = [...held.filter((_, place) => !answers[place]), ...accepted];
  const place = document.getElementById("lost");
  place.textContent = sentence(version);
  place.hidden = false;
  announce(place.textContent);
}
