// A game on one page: what one wants, a turn, what wins, and five things to know, with real positions.

import { call } from "../api.js";
import { h, picture } from "../dom.js";
import { t } from "../i18n.js";
import { crop, named, pointOut } from "./scene.js";

/** The summary as elements, and what to do once they are on the page; nothing for a game without one.
 * `openRule` shows a rule by its id. */
export async function summaryOf(game, openRule) {
  let found;
  try {
    found = await call(`games/${game}/summary`);
  } catch {
    return null;
  }
  const scenes = [found.goal, found.turn, found.win].map((scene) => [scene, picture(scene.svg, scene.title, game)]);
  const element = h("div", { class: "summary" },
    h("div", { class: "scenes" }, scenes.map(([scene, svg]) => h("section", { class: "panel scene" },
      h("div", { class: "scene-picture" }, svg),
      h("div", {}, h("h2", {}, scene.title), h("p", {}, scene.text), rulesOf(scene.rules, openRule))))),
    h("section", { class: "panel things" }, h("h2", {}, t("Five things to know")),
      h("ol", {}, found.things.map((thing) => h("li", {}, h("p", {}, thing.text), rulesOf(thing.rules, openRule))))),
    h("p", {}, h("a", { class: "button", href: `#/learn/${game}` }, t("Guided first game"))));
  const shown = () => {
    for (const [scene, svg] of scenes) {
      const marked = named(svg, scene.marks);
      crop(svg, named(svg, scene.show), marked);
      pointOut(svg, marked);
    }
  };
  return { element, shown };
}

function rulesOf(rules, openRule) {
  if (!rules.length) return null;
  return h("p", { class: "piece-rules" }, t("Rules: "), rules.map((rule, k) => [k ? ", " : "",
    h("button", { type: "button", class: "link", onclick: () => openRule(rule) }, rule)]).flat());
}
