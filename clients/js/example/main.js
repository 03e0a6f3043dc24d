// A front end: ?server=ADDRESS; a match is begun, or the one of the address's #hash continued.
import { Gangland } from "gangland-client";

const server = new URLSearchParams(location.search).get("server") ?? "http://127.0.0.1:8000";
const gangland = new Gangland(server);
const place = (id) => document.getElementById(id);

async function ownSeat() {
  if (location.hash) return gangland.seat(location.hash.slice(1));
  const bot = { kind: "bot", bot: "heuristic" };
  const seats = [{ kind: "human", name: "Ann" }, bot, bot];
  const made = await gangland.create({ game: "chicago", options: { players: 3 }, seats });
  location.hash = made.match;
  return made.seats[0];
}

function show(view) {
  place("table").innerHTML = view.svg;
  place("log").append(
    ...view.events.map(({ text }) => Object.assign(document.createElement("li"), { textContent: text })),
  );
  place("actions").replaceChildren(
    ...view.legal.map(({ id, sentence }) =>
      Object.assign(document.createElement("button"), { textContent: sentence, onclick: () => act(view, id) }),
    ),
  );
  const best = view.result?.standings[0];
  if (best) say(`${view.seats[best.seat].name} wins with ${best.score_text}.`);
  else say(view.decision === null ? "The others decide." : "It is your decision.");
}

/** Decide once: the buttons are gone until the answer is there. */
function act(view, id) {
  place("actions").replaceChildren();
  live.act(view.decision, id).catch((error) => {
    show({ ...view, events: [] });
    say(error.message);
  });
}

const say = (text) => (place("status").textContent = text);

const seat = await ownSeat().catch((error) => {
  say(error.message);
  throw error;
});
const live = seat.live({
  onview: show,
  onstate: (connected) => connected || say("The connection was lost; trying again ..."),
  onerror: (error) => say(error.message),
});
