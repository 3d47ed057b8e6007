// @ts-check
/* The games' own scripts: a page loads those of the game that is played there. */

import { bring } from "./tray.js";

/** @type {Record<string, () => Promise<Record<string, any>>>} */
const OF_GAME = {
  contest: async () => ({ contest: await import("./contest.js") }),
  higher_or_lower: async () => ({ assigning: await import("./assigning.js"), guessing: await import("./guessing.js") }),
  peeling_the_banana: async () => ({ banana: await import("./banana.js") }),
  pentagram: async () => ({ pentagram: await import("./pentagram.js") }),
  reality_benders: async () => ({ benders: await import("./benders.js") }),
};

/** Load what the game of this name fills its tray with; most games need nothing.
    @param {string | undefined} game */
export async function load(game) {
  const modules = await (OF_GAME[game ?? ""] ?? (async () => ({})))();
  for (const [name, module] of Object.entries(modules)) bring(name, module);
}
