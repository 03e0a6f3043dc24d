// The coach: what a trained bot thinks of one's last decision, on request.

import { call } from "../api.js";
import { botName } from "../bots.js";
import { announce, fill, h, percent, percents, toast } from "../dom.js";
import { t, tn } from "../i18n.js";
import { seatLabel } from "./seats.js";

const SLIP = 0.03;
const MISTAKE = 0.08;

/** A share of the chance to win, in points of a hundred. */
export function points(share) {
  return tn("{n} point of a hundred", "{n} points of a hundred", Math.max(1, Math.round(share * 100)));
}

/** What a decision was worth, in a sentence, and how to show it: good, fair or bad. */
export function verdict(one) {
  const cost = points(Math.abs(one.cost));
  if (one.played.action.id === one.best[0].action.id) return ["good", t("That is what it would do, too.")];
  if (one.cost < -one.margin) return ["good", t("It turns out better than its own choice.")];
  if (one.cost <= one.margin) return ["good", t("As good as its own choice.")];
  if (one.cost < SLIP) return ["fair", t("A little worse than its own choice: it costs about {cost}.", { cost })];
  if (one.cost < MISTAKE) return ["bad", t("Its own choice wins more often: yours costs about {cost}.", { cost })];
  return ["bad", t("That was expensive: it costs about {cost}.", { cost })];
}

/** A decision with chances before and after, and what the bot would have done. */
export function assessment(one, seats, viewer) {
  const [tone, words] = verdict(one);
  return [
    h("p", { class: "coach-played" }, t("You chose: "), h("strong", {}, one.played.action.sentence)),
    h("p", { class: `verdict ${tone}` }, words),
    chances(one, seats, viewer),
    h("h3", {}, t("What it would do")),
    h("ol", { class: "coach-best" }, one.best.map((best) => h("li", {},
      h("strong", {}, best.action.sentence),
      best.action.id === one.played.action.id ? h("span", { class: "tag" }, t("your choice")) : null,
      h("small", {}, t("It would do so {share} of the time; you win {chance} after it.",
        { share: percent(best.probability), chance: percent(best.chances[viewer]) })),
      best.reason ? h("p", {}, best.reason) : null))),
    one.played.reason && !one.best.some((best) => best.action.id === one.played.action.id)
      ? h("p", { class: "note" }, t("Your choice: {reason}", { reason: one.played.reason })) : null,
  ];
}

function chances(one, seats, viewer) {
  const [before, after] = [percents(one.before), percents(one.after)];
  return h("table", { class: "coach-chances" }, h("caption", {}, t("Chances of winning")),
    h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, t("Before")), h("th", { scope: "col" }, t("After")))),
    h("tbody", {}, seats.map((_, seat) => h("tr", { class: seat === viewer ? "own" : "" },
      h("th", { scope: "row" }, seatLabel(seats, seat, viewer, t("you"))),
      h("td", { class: "number" }, before[seat]), h("td", { class: "number" }, after[seat])))));
}

/** The button and the panel at a table. */
export class Coach {
  constructor(room) {
    this.room = room;
    this.asked = 0;
    this.button = h("button", { id: "coach", type: "button", class: "button small", title: t("What the coach thinks of your last decision (C)"), onclick: () => this.ask() }, t("Rate my move"));
    this.panel = h("section", { class: "panel coach", "aria-label": t("The coach"), hidden: true });
  }

  /** A new view has come: the panel stays until there is a new decision of one's own. */
  update() {
    const { view } = this.room;
    this.button.hidden = view.viewer === null || view.status === "finished";
    this.button.disabled = view.last_decision === null;
    if (this.shown !== undefined && this.shown !== view.last_decision) this.close();
  }

  close() {
    this.asked += 1;
    this.shown = undefined;
    this.panel.hidden = true;
  }

  async ask() {
    const { view, own, match } = this.room;
    if (view.last_decision === null) return;
    this.asked += 1;
    const { asked } = this;
    this.shown = view.last_decision;
    this.panel.hidden = false;
    fill(this.panel, this.heading(), h("p", { class: "note" }, t("The coach is trying it out …")));
    try {
      const found = await call(`matches/${match}/coach`, { method: "POST", body: { decision: view.last_decision }, token: own.token });
      if (asked !== this.asked) return;
      const one = found.assessment;
      fill(this.panel, this.heading(), assessment(one, view.seats, view.viewer), h("p", { class: "note" }, t("{bot}, from what you knew when you decided. What is hidden was drawn again many times.", { bot: botName(found.bot) })));
      this.panel.scrollIntoView({ block: "nearest" });
      announce(verdict(one)[1]);
    } catch (error) {
      if (asked !== this.asked) return;
      this.close();
      toast(error.message);
    }
  }

  heading() {
    return h("div", { class: "heading-row" }, h("h2", {}, t("The coach")),
      h("button", { type: "button", class: "quiet", "aria-label": t("Close the coach"), onclick: () => this.close() }, "✕"));
  }
}
