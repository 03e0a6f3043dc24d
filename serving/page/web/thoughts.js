// A bot's thoughts: how likely it is to choose what, and how it sees everybody's chances.

import { announce, botName, fill, h, percent } from "./dom.js";

const SHOWN = 6;

export function showThoughts(room, hint, ask) {
  const { sheet, view, info } = room;
  const bots = h("select", { "aria-label": "Bot to ask", onchange: () => ask(bots.value) },
    info.bots.map((bot) => h("option", { value: bot.spec, selected: bot.spec === hint.bot }, botName(bot.spec))));
  const known = hint.thoughts.filter((thought) => thought.probability !== null);
  sheet.thoughts.hidden = false;
  const close = h("button", { type: "button", class: "quiet", "aria-label": "Close the bot's thoughts",
    onclick: () => { sheet.thoughts.hidden = true; } }, "✕");
  fill(sheet.thoughts,
    h("div", { class: "heading-row" }, h("h2", {}, "A bot's thoughts"), bots, close),
    h("p", { class: "advice" }, "It would play: ", h("strong", {}, hint.action.sentence)),
    known.length ? h("ul", { class: "bars" }, known.slice(0, SHOWN).map((thought) => bar(room, thought))) : null,
    hint.values ? h("h3", {}, "How it sees everybody's chances") : null,
    hint.values ? h("ul", { class: "values" }, hint.values.map((value, seat) => chance(view.seats[seat], seat === view.viewer, value))) : null,
    known.length || hint.values ? null : h("p", { class: "note" }, "This bot does not say how sure it is."));
  sheet.thoughts.scrollIntoView({ block: "nearest" });
  announce(`The bot would play: ${hint.action.sentence}`);
}

function bar(room, thought) {
  const track = h("span", { class: "bar-fill" });
  track.style.width = `${100 * thought.probability}%`;
  return h("li", {}, h("span", { class: "bar-label" }, h("span", {}, thought.sentence), h("b", {}, percent(thought.probability))),
    h("span", { class: "track" }, track));
}

function chance(seat, own, value) {
  const half = h("span", { class: value < 0 ? "bar-fill loss" : "bar-fill" });
  const size = 50 * Math.min(1, Math.abs(value));
  half.style.width = `${size}%`;
  half.style.left = `${value < 0 ? 50 - size : 50}%`;
  const words = `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
  return h("li", {}, h("span", { class: "bar-label" }, h("span", {}, seat.name, own ? " (you)" : ""), h("b", {}, words)),
    h("span", { class: "track middle" }, half));
}
