// The leaderboard: one table a game.

import { ApiError, call } from "./api.js";
import { botName } from "./bots.js";
import { fill, h, percent } from "./dom.js";
import { t } from "./i18n.js";

export async function leaderboard(main, wanted) {
  const { games } = await call("games");
  const game = wanted ? games.find((one) => one.game === wanted) : games[0];
  if (!game) throw new ApiError("not_found", t("There is no game “{game}”.", { game: wanted }));
  const { rows } = await call(`leaderboard?game=${game.game}&limit=100`);
  const tabs = h("nav", { class: "tabs", "aria-label": t("Games") }, games.map((one) =>
    h("a", { href: `#/leaderboard/${one.game}`, "aria-current": one === game ? "page" : null }, one.title)));
  fill(main, h("section", { class: "page" },
    h("h1", {}, t("Leaderboard")),
    games.length > 1 ? tabs : null,
    rows.length ? standings(game, rows) : h("div", { class: "empty" },
      h("p", {}, t("Nobody has finished a game of {title} yet.", { title: game.title })),
      h("p", {}, h("a", { class: "button", href: "#/" }, t("Be the first")))),
    h("p", { class: "note" }, t("Finished games count, unless somebody took a decision back or chose the seed. Rating: Plackett-Luce over whole rankings, mean minus three deviations, so that few games count little. The mark on the bar is what equals would win."))));
}

function standings(game, rows) {
  return h("div", { class: "scroller", role: "region", "aria-label": t("Standings"), tabindex: "0" }, h("table", { class: "board" },
    h("caption", { class: "unseen" }, t("Leaderboard of {title}", { title: game.title })),
    h("thead", {}, h("tr", {}, ["", t("Player"), t("Rating"), t("Games"), t("Wins")].map((title) =>
      h("th", { scope: "col" }, title || h("span", { class: "unseen" }, t("Rank")))))),
    h("tbody", {}, rows.map((row) => {
      const bar = h("span", { class: "bar-fill" });
      const equals = t("Equals would win {share}", { share: percent(row.par) });
      const par = h("span", { class: "bar-mark", title: equals });
      bar.style.width = `${100 * row.win_share}%`; // All of the track is all games.
      par.style.left = `${100 * row.par}%`;
      return h("tr", {},
        h("td", { class: "rank" }, row.rank),
        h("th", { scope: "row" }, row.bot ? [h("span", { class: "tag" }, t("bot")), " ", botName(row.player)] : row.player),
        h("td", { class: "number" }, row.rating.toFixed(1).replace("-", "−")),
        h("td", { class: "number" }, row.matches),
        h("td", {}, h("span", { class: "share" }, h("span", { class: "track", title: equals }, bar, par), percent(row.win_share), h("span", { class: "unseen" }, equals))));
    }))));
}
