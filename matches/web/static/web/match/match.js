/* The match page. */

import * as board from "./board.js";
import * as clocks from "./clocks.js";
import * as connection from "./connection.js";
import * as surroundings from "./surroundings.js";
import * as tray from "./tray.js";

function show(detail) {
  tray.update();
  board.update(detail);
  clocks.drawAll();
  surroundings.update(detail);
}

show(null);
document.addEventListener("croupier:frame", (event) => show(event.detail));
for (const part of [tray, board, clocks, surroundings, connection]) part.listen();
document.body.dataset.ready = "yes";
