// A bot's thoughts: how likely it is to choose what, and how it sees everybody's chances.

import { botName } from "./bots.js";
import { announce, fill, h, percent, percents } from "./dom.js";
import { t } from "./i18n.js";

const SHOWN = 6;

export function showThoughts(room, hint, ask) {
  const { sheet, view, info } = room;
  const bots = h("select", { "aria-label": t("Bot to ask"), onchange: () => ask(bots.value) },
    info.bots.map((bot) => h("option", { value: bot.spec, selected: bot.spec === hint.bot }, botName(bot.spec))));
  const known = hint.thoughts.filter((thought) => thought.probability !== null);
  sheet.thoughts.hidden = false;
  const close = h("button", { type: "button", class: "quiet", "aria-label": t("Close the bot's thoughts"),
    onclick: () => { sheet.thoughts.hidden = true; } }, "✕");
  fill(sheet.thoughts,
    h("div", { class: "heading-row" }, h("h2", {}, t("A bot's thoughts")), bots, close),
    h("p", { class: "advice" }, t("It would play: "), h("strong", {}, hint.action.sentence)),
    known.length ? h("ul", { class: "bars" }, known.slice(0, SHOWN).map((thought) =>
      row(h("span", {}, thought.sentence), thought.probability, percent(thought.probability)))) : null,
    hint.chances ? h("h3", {}, t("How it sees everybody's chances of winning")) : null,
    hint.chances ? h("ul", { class: "chances" }, percents(hint.chances).map((words, seat) =>
      row(h("span", {}, view.seats[seat].name, seat === view.viewer ? ` (${t("you")})` : ""), hint.chances[seat], words))) : null,
    known.length || hint.chances ? null : h("p", { class: "note" }, t("This bot does not say how sure it is.")));
  sheet.thoughts.scrollIntoView({ block: "nearest" });
  announce(t("The bot would play: {words}", { words: hint.action.sentence }));
}

/** A line with a bar as long as a share from 0 to 1. */
function row(label, share, words) {
  const bar = h("span", { class: "bar-fill" });
  bar.style.width = `${100 * share}%`;
  return h("li", {}, h("span", { class: "bar-label" }, label, h("b", {}, words)), h("span", { class: "track" }, bar));
}
