// What happened, oldest first: a heading for each turn, under it a paragraph for each decision with all that
// came of it, and a mark where one's last turn ended. What the heading says is left out, nothing else.

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { moves } from "./motion.js";
import { original } from "./speech.js";

const DICE = /([⚀-⚅]+)/u;
const PIPS = {
  "⚀": [[6, 6]], "⚁": [[3, 3], [9, 9]], "⚂": [[3, 3], [6, 6], [9, 9]], "⚃": [[3, 3], [9, 3], [3, 9], [9, 9]],
  "⚄": [[3, 3], [9, 3], [6, 6], [3, 9], [9, 9]], "⚅": [[3, 3], [9, 3], [3, 6], [9, 6], [3, 9], [9, 9]],
};
const FACES = "⚀⚁⚂⚃⚄⚅";
const SHOWN = 80;
const LOOK = 8;
const AWAY = 40;

/** Events without those that were taken back. */
export function standing(events) {
  const kept = [];
  for (const event of events) {
    if (event.undone_from !== null && event.undone_from !== undefined) {
      while (kept.length && kept.at(-1).n >= event.undone_from) kept.pop();
    }
    kept.push(event);
  }
  return kept;
}

/** Where the viewer's last turn ended: the index of the first event after it. */
export function lastTurnEnd(events, viewer) {
  if (viewer === null) return 0;
  let k = events.length;
  const own = (event) => event.turn_seat === viewer;
  while (k > 0 && own(events[k - 1])) k -= 1;
  while (k > 0 && !own(events[k - 1])) k -= 1;
  return k;
}

/** Write the log, and keep its end in sight if it was. */
export function showLog(room) {
  const { view, sheet } = room;
  const events = standing(room.events);
  const state = `${events.length} ${events.at(-1)?.n} ${view.turn} ${view.status} ${room.wholeLog}`;
  if (room.logState === state) return;
  room.logState = state;
  const all = room.wholeLog || events.length <= SHOWN;
  const first = all ? 0 : events.length - SHOWN;
  const mark = lastTurnEnd(events, view.viewer);
  const log = h("ol", { class: "log", tabindex: "0", "aria-label": t("What happened, oldest first") },
    all ? null : h("li", {}, h("button", { type: "button", class: "button small", onclick: () => { room.wholeLog = true; showLog(room); } },
      t("Show all {n} events", { n: events.length }))),
    turns(events.slice(first), mark - first, room));
  log.addEventListener("scroll", () => { room.logAway = log.scrollHeight - log.scrollTop - log.clientHeight > AWAY ? log.scrollTop : 0; }, { passive: true });
  sheet.news.classList.toggle("still", !moves(room.pace));
  fill(sheet.news, h("h2", {}, t("What happened")), events.length ? log : h("p", { class: "note" }, t("All quiet.")));
  requestAnimationFrame(() => { log.scrollTop = room.logAway || log.scrollHeight; });
}

function turns(events, mark, room) {
  const parts = [];
  let heading = null;
  let step = null;
  let list = null;
  for (const [k, event] of events.entries()) {
    if (k === mark && k > 0) {
      parts.push(h("li", { class: "since" }, t("Since your last turn")));
      step = null;
    }
    if (event.turn !== heading && event.kind !== "end") {
      heading = event.turn;
      step = null;
      if (heading) parts.push(h("li", { class: `turn${event.turn_seat === room.view.viewer ? " own" : ""}`, title: heading }, heading));
    }
    if (event.step !== step || event.kind !== "game") {
      step = event.kind === "game" ? event.step : null;
      list = h("ul", {});
      parts.push(h("li", { class: `step${event.kind === "game" ? "" : " apart"}` }, list));
    }
    const next = original(events.slice(k + 1, k + LOOK).find((one) => one.turn !== event.turn) ?? room.view, "turn");
    if (next !== original(event, "turn") && original(event, "text") === `${next}.`) continue; // The heading says so.
    list.append(" ", h("li", { class: `event ${event.kind}${k >= events.length - room.fresh ? " new" : ""}` }, words(event.text)));
  }
  if (room.view.turn && room.view.turn !== heading && room.view.status === "playing") parts.push(h("li", { class: "turn", title: room.view.turn }, room.view.turn));
  const shown = parts.filter((part) => !part.matches(".step") || part.querySelector(".event"));
  const heads = (k) => shown[k]?.matches(".turn");
  return shown.filter((_, k) => !heads(k) || !heads(k + 1)); // A turn without events.
}

/** A sentence with its dice drawn as dice. */
export function words(text) {
  return text.split(DICE).map((part) => (DICE.test(part) ? [...part].map(die) : part)).flat();
}

function die(face) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 12 12");
  svg.setAttribute("class", "die");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", String(FACES.indexOf(face) + 1));
  const dot = (x, y) => `<circle cx="${x}" cy="${y}" r="1.2"/>`;
  svg.innerHTML = `<rect x=".5" y=".5" width="11" height="11" rx="2.5"/>${PIPS[face].map(([x, y]) => dot(x, y)).join("")}`;
  return svg;
}
