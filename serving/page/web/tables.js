// Lists of tables: one's own, with whose turn it is, and those of others.

import { call, dropSeat, ownSeats } from "./api.js";
import { fill, h } from "./dom.js";
import { waitsForMe } from "./ending.js";
import { t, tn } from "./i18n.js";

const OWN = 6;
const OTHERS = 6;
const NO_EVENTS = 2 ** 31;

/** Write both lists. */
export async function showTables(place) {
  let matches;
  try {
    const [waiting, playing] = await Promise.all(
      ["waiting", "playing"].map((status) => call(`matches?status=${status}&limit=12`)));
    matches = [...waiting.matches, ...playing.matches];
  } catch {
    return; // The lists come back when the server does.
  }
  const mine = ownSeats();
  const begun = Object.entries(mine).slice(0, OWN);
  const states = await Promise.all(begun.map(([match, seat]) => stateOf(match, seat)));
  const others = matches.filter((match) => !(match.match in mine)).slice(0, OTHERS);
  fill(place,
    begun.length ? h("section", {}, h("h2", {}, t("Your games")), h("ul", { class: "rows own-games" }, begun.map(([match, seat], k) =>
      h("li", {},
        h("a", { href: `#/m/${match}` }, seat.title),
        h("span", { class: states[k].yours ? "tag yours" : "note" }, states[k].words),
        h("button", { class: "quiet", type: "button", "aria-label": t("Forget the game {title}", { title: seat.title }),
          onclick: () => { dropSeat(match); showTables(place); } }, "✕"))))) : null,
    others.length ? h("section", {}, h("h2", {}, t("Other tables")), h("ul", { class: "rows" }, others.map((match) => {
      const open = match.seats.filter((seat) => seat.kind === "open" && !seat.player).length;
      const people = match.seats.filter((seat) => seat.kind === "human").map((seat) => seat.player);
      return h("li", {},
        h("a", { href: `#/m/${match.match}` }, match.title),
        h("span", { class: "note" }, people.join(", ")),
        h("span", { class: "tag" }, open ? tn("{n} open", "{n} open", open) : t("watch")));
    }))) : null);
}

/** How a game of one's own stands, in a few words. */
async function stateOf(match, seat) {
  try {
    const view = await call(`matches/${match}/view?svg=false&since=${NO_EVENTS}`, { token: seat.token });
    if (view.status === "waiting") return { words: t("waiting for players") };
    if (view.status === "finished") {
      if (await waitsForMe(view)) return { words: t("Rematch?"), yours: true };
      if (view.result.ending === "agreed") return { words: t("ended by agreement") };
      if (view.seats[view.viewer].conceded) return { words: t("you conceded") };
      const { place, score_text: score } = view.result.standings.find((one) => one.seat === view.viewer);
      const won = view.result.standings.filter((one) => one.place === 1).length > 1 ? t("shared the win") : t("won");
      return { words: `${place === 1 ? won : t("place {n} of {all}", { n: place, all: view.seats.length })} · ${score}` };
    }
    if (view.status !== "playing") return { words: t("closed") };
    if (view.decision !== null) return { words: t("Your turn"), yours: true };
    if (view.seats[view.viewer].conceded) return { words: t("you conceded") };
    if (view.away) return { words: t("a bot plays for you") };
    return { words: view.to_act === null ? t("under way") : t("waiting for {name}", { name: view.seats[view.to_act].name }) };
  } catch {
    return { words: ago(seat.at) };
  }
}

function ago(at) {
  const minutes = Math.round((Date.now() - at) / 60_000);
  if (minutes < 60) return t("{n} min ago", { n: Math.max(minutes, 1) });
  return minutes < 48 * 60 ? t("{n} h ago", { n: Math.round(minutes / 60) }) : t("{n} days ago", { n: Math.round(minutes / 1440) });
}
