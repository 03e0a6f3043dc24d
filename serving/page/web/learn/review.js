// The review of a finished game: the curve of chances, and the decisions that cost most.

import { call, ownSeats } from "../api.js";
import { botName } from "../bots.js";
import { announce, fill, h, picture } from "../dom.js";
import { t } from "../i18n.js";
import { chart } from "./chart.js";
import { assessment, points } from "./coach.js";

export async function review(main, match) {
  const own = ownSeats()[match];
  if (!own) throw new Error(t("Only somebody who played here can have the game reviewed."));
  const waiting = h("div", { class: "page review" }, h("h1", {}, t("Review")), h("p", { class: "note", role: "status" }, t("The coach goes over the game, decision by decision. This takes some seconds.")));
  fill(main, waiting);
  announce(t("The coach goes over the game, decision by decision. This takes some seconds."));
  const [info, found] = await Promise.all([call(`matches/${match}`), call(`matches/${match}/review`, { token: own.token })]);
  if (waiting.isConnected) show(main, match, info, found); // Else somebody has gone elsewhere meanwhile.
}

function where(ply, turn) {
  return turn ? t("Decision {n}, {turn}", { n: ply + 1, turn }) : t("Decision {n}", { n: ply + 1 });
}

function show(main, match, info, found) {
  const href = (one) => `#/m/${match}/replay/${one.ply}`;
  const turn = (one) => found.curve.filter((point) => point.ply <= one.ply).at(-1)?.turn ?? "";
  const cost = (one) => t("cost about {points}", { points: points(one.cost) });
  const notes = found.costly.map((one, k) => ({ ply: one.ply, label: String(k + 1), href: href(one), title: `${k + 1}: ${where(one.ply, turn(one))}, ${one.played.action.sentence} ${cost(one)}` }));
  fill(main, h("article", { class: "page review" },
    h("div", { class: "heading-row" }, h("h1", {}, info.title, h("small", {}, ` ${t("review")}`)),
      h("a", { class: "button small", href: `#/m/${match}` }, t("Back to the table")), h("a", { class: "button small", href: "#/" }, t("Lobby"))),
    h("p", {}, t("In {agreed} of your {n} decisions {bot} would most likely have done the same.",
      { agreed: found.agreed, n: found.decisions, bot: botName(found.bot) })),
    h("section", { "aria-label": t("Chances of winning over the game") }, h("h2", {}, t("Chances of winning over the game")), chart(found, info.seats, notes)),
    h("section", { "aria-label": t("What cost you most") }, h("h2", {}, t("What cost you most")),
      found.costly.length ? h("ol", { class: "costly" }, found.costly.map((one, k) => decision(match, info, found, one, k, href(one), where(one.ply, turn(one)), cost(one))))
        : h("p", {}, t("No decision of yours cost anything that chance would not explain. Well played.")),
      h("p", { class: "note" }, t("Each decision is judged by what you knew when you made it, not by what came of it.")))));
}

function decision(match, info, found, one, k, href, where, cost) {
  const thumb = h("a", { class: "thumb", href, "aria-label": `${t("See the position")}: ${where}` });
  call(`matches/${match}/frames/${one.ply}?viewer=${found.seat}`).then((frame) => fill(thumb, picture(frame.svg, where, info.game))).catch(() => thumb.remove());
  return h("li", { class: "panel" },
    h("h3", {}, h("span", { class: "badge", "aria-hidden": "true" }, k + 1), ` ${where}: ${cost}`),
    h("div", { class: "costly-row" }, thumb,
      h("div", { class: "coach" }, assessment(one, info.seats, found.seat),
        h("a", { class: "button small", href }, t("See the position")))));
}

