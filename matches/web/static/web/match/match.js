// @ts-check
/* The match page. */

import * as board from "./board.js";
import * as calling from "./calling.js";
import * as clocks from "./clocks.js";
import * as connection from "./connection.js";
import * as drag from "./drag.js";
import * as ending from "./ending.js";
import * as modules from "./modules.js";
import * as motion from "./motion.js";
import * as nonces from "./nonces.js";
import * as offers from "./offers.js";
import * as presence from "./presence.js";
import * as sounds from "./sounds.js";
import * as surroundings from "./surroundings.js";
import * as talk from "./talk.js";
import * as tray from "./tray.js";
import * as words from "./words.js";

/** @param {import("./frame.js").Change | null} detail */
function show(detail) {
  tray.update();
  board.update(detail);
  clocks.drawAll();
  surroundings.update(detail);
  calling.update(detail);
  words.update(detail);
  presence.update();
  nonces.update();
  offers.update();
  ending.update(detail);
  talk.update();
  if (detail) motion.show(detail.from);
}

await modules.load(document.getElementById("match").dataset.game);
show(null);
document.addEventListener("croupier:before", motion.look);
document.addEventListener("croupier:frame", (/** @type {CustomEvent<import("./frame.js").Change>} */ event) => show(event.detail));
for (const part of [tray, board, clocks, surroundings, calling, words, connection, drag, sounds, ending, offers, talk]) part.listen();
document.body.dataset.ready = "yes";
