// How a match ends before its game does, and what comes after it: conceding, agreeing to end it, the rematch.

import { wishFast } from "./amounts.js";
import { call, keepSeat, ownSeats } from "./api.js";
import { announce, attempt, fill, h } from "./dom.js";
import { t } from "./i18n.js";

/** Buttons for who does not want to play on. */
export function endingButtons(room) {
  const button = (id, label, title, onclick) => h("button", { id, type: "button", class: "button small", title, onclick }, label);
  return {
    end: button("end", t("End the game"), t("The game ends without a winner when everybody at the table agrees"), () => agree(room)),
    concede: button("concede", t("Concede"), t("You lose, and a bot plays on for you"), () => concede(room)),
  };
}

/** Who sits here may end it or concede; who has left may concede. */
export function updateEnding(room) {
  const { view, buttons } = room;
  const own = view.seats[view.viewer];
  const playing = view.status === "playing" && own && !own.conceded;
  buttons.end.hidden = !playing || view.away;
  buttons.concede.hidden = !playing;
  buttons.end.textContent = own?.agrees ? t("Play on after all") : t("End the game");
}

function agree(room) {
  const { view } = room;
  const { agrees } = view.seats[view.viewer];
  const others = view.seats.some((seat) => seat.seat !== view.viewer && seat.kind === "human" && !seat.agrees);
  const words = others ? t("The game ends without a winner when everybody at the table agrees") : t("The game ends now, without a winner.");
  if (agrees || confirm(words)) attempt(() => room.live.ask({ type: "end", agree: !agrees }));
}

function concede(room) {
  if (confirm(t("You lose, a bot plays on for you, and you cannot come back."))) attempt(() => room.live.ask({ type: "concede" }));
}

/** What a seat's person wants, beside its name. */
export function intention(view, seat) {
  if (seat.conceded) return h("span", { class: "tag" }, t("conceded"));
  return seat.agrees && view.status === "playing" ? h("span", { class: "tag" }, t("would end the game")) : null;
}

// --- the rematch ---------------------------------------------------------------------------------

/** What can be done about a rematch of a finished match. */
export function rematchButtons(room) {
  const { view, own } = room;
  const { rematch } = view;
  const link = (words) => h("a", { class: "button", id: "rematch", href: `#/m/${rematch.match}` }, words);
  if (!own || view.viewer === null) return rematch ? link(t("Watch the rematch")) : null;
  if (!rematch) return h("button", { class: "button", type: "button", id: "again", onclick: () => attempt(() => sitDown(room)) }, t("Rematch"));
  if (ownSeats()[rematch.match]) return link(t("To the rematch"));
  if (room.declined) return link(t("Watch the rematch"));
  return [
    h("button", { class: "button", type: "button", id: "again", onclick: () => attempt(() => sitDown(room)) }, t("Sit down")),
    h("button", { class: "button small", type: "button", id: "decline", onclick: () => attempt(() => decline(room)) }, t("No, thanks")),
  ];
}

/** Who asks for a rematch; said once to people who listen. */
export function rematchOffer(room) {
  const { view } = room;
  if (!view.rematch || view.rematch.seat === view.viewer) return null;
  const words = t("{who} asks for a rematch.", { who: view.seats[view.rematch.seat].player });
  if (room.offered !== view.rematch.match) announce(words);
  room.offered = view.rematch.match;
  return h("p", { class: "offer" }, words);
}

/** Ask for a rematch, or sit down at the one that was asked for, and go there. */
async function sitDown({ match, own, view }) {
  const taken = await call(`matches/${match}/rematch`, { method: "POST", token: own.token });
  keepSeat(taken.match, { seat: taken.seat, token: taken.token, game: view.game, title: view.title, fast: own.fast });
  if (own.fast) wishFast(taken.match);
  location.hash = `#/m/${taken.match}`;
}

async function decline(room) {
  await call(`matches/${room.view.rematch.match}/leave`, { method: "POST", body: {}, token: room.own.token });
  room.declined = true;
  room.redrawEnd();
}

/** Whether a rematch of one's own finished match waits for oneself. */
export async function waitsForMe(view) {
  if (!view.rematch || ownSeats()[view.rematch.match]) return false;
  const { status, seats } = await call(`matches/${view.rematch.match}`);
  return status === "waiting" && seats[view.viewer].kind === "open";
}

/** The wait for the people for whom seats of a rematch are kept. */
export function showKept(room, place) {
  const names = room.view.seats.filter((seat) => seat.kind === "open").map((seat) => seat.player).join(", ");
  const seated = room.view.viewer !== null;
  fill(place, h("h2", {}, t("Rematch")), h("p", {}, t("Waiting for {name} …", { name: names })),
    seated ? h("button", { class: "button", type: "button", id: "begin", title: t("Bots take the seats of those who have not come"),
      onclick: () => attempt(() => room.live.ask({ type: "begin" })) }, t("Begin without them")) : null);
}
