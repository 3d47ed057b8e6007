// boardgame.io with a game of hidden cards, in memory or on Postgres: node server.js PORT [DATABASE_URL]
const net = require("node:net");
const { Server, Origins } = require("boardgame.io/server");
const { PlayerView } = require("boardgame.io/core");
const { PostgresStore } = require("bgio-postgres");

const [port, database] = process.argv.slice(2);

// It has no setting for the address that it listens at, and would be reachable from elsewhere.
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (where, ...rest) {
  return listen.call(this, { port: where, host: "127.0.0.1" }, ...rest.filter((each) => typeof each === "function"));
};

// Two seats lay cards in turn, drawn from a deck that nobody sees, into hands that each sees alone. As with Croupier's
// Pyramid Poker a match takes some ninety moves, and each seat is told another state.
const pyramid = {
  name: "pyramid",
  minPlayers: 2,
  maxPlayers: 2,
  // It would keep every state of the past in memory.
  disableUndo: true,
  setup: () => ({
    secret: { deck: Array.from({ length: 100 }, (_, card) => (card * 37) % 100) },
    players: { 0: { hand: [] }, 1: { hand: [] } },
    cells: Array(100).fill(null),
  }),
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: {
      move: ({ G, playerID }, cell) => {
        if (G.cells[cell] !== null) return "INVALID_MOVE";
        const card = G.secret.deck.pop();
        G.players[playerID].hand.push(card);
        G.cells[cell] = playerID;
      },
      // What the deck holds only the server knows.
      client: false,
    },
  },
};

const db = database ? new PostgresStore(database, { logging: false, pool: { max: 20 } }) : undefined;
Server({ games: [pyramid], origins: [Origins.LOCALHOST], db }).run(Number(port), () => console.log("ready"));
