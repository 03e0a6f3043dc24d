// A curve of everybody's chances over a game, as a picture and as a table.

import { h, percents } from "../dom.js";
import { t } from "../i18n.js";
import { markOf, part, shapeOf } from "./seats.js";

const NARROW = 700;
const HEIGHT = 300;
const EDGE = { left: 52, right: 20, top: 16, bottom: 30 };
const MARKS = 9;
const LINES = [0, 0.25, 0.5, 0.75, 1];
const ROWS = 40;

/** A figure of the curve; `notes` are decisions to point out: {ply, label, href, title}. */
export function chart(review, seats, notes = []) {
  const width = innerWidth <= NARROW ? 380 : 720; // So that its letters stay large enough.
  const last = review.curve.at(-1).ply || 1;
  const x = (ply) => EDGE.left + (ply / last) * (width - EDGE.left - EDGE.right);
  const y = (chance) => HEIGHT - EDGE.bottom - chance * (HEIGHT - EDGE.top - EDGE.bottom);
  const svg = part("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "group", "aria-label": `${t("Chances of winning over the game")}. ${t("A line for each seat, from 0 to 100 percent; the table below has the same numbers.")}` });
  for (const share of LINES) {
    svg.append(part("line", { x1: EDGE.left, x2: width - EDGE.right, y1: y(share), y2: y(share), class: "grid" }),
      part("text", { x: EDGE.left - 6, y: y(share) + 4, "text-anchor": "end" }, `${share * 100} %`));
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(part("text", { x: x(share * last), y: HEIGHT - 8, "text-anchor": share === 1 ? "end" : "middle" }, String(Math.round(share * last))));
  }
  const order = seats.map((_, seat) => seat).sort((a, b) => (a === review.seat) - (b === review.seat)); // One's own on top.
  for (const seat of order) svg.append(line(review, seat, x, y));
  for (const note of notes) svg.append(flag(review, note, x, y));
  return h("figure", { class: "curve" }, legend(review, seats), svg, table(review, seats));
}

function line(review, seat, x, y) {
  const points = review.curve.map((point) => [x(point.ply), y(point.chances[seat])]);
  const every = Math.max(1, Math.floor(points.length / MARKS));
  const marks = points.filter((_, k) => k % every === seat % every || k === points.length - 1);
  return part("g", { class: `line seat-${seat % 8}${seat === review.seat ? " own" : ""}`, "data-seat": seat },
    part("polyline", { points: points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ") }),
    ...marks.map(([left, top]) => part("path", { d: shapeOf(seat), class: "seat-fill", transform: `translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(0.75)` })));
}

/** A numbered flag on one's own curve, where a decision was made. */
function flag(review, note, x, y) {
  const before = review.curve.filter((point) => point.ply <= note.ply).at(-1) ?? review.curve[0];
  const [left, top] = [x(note.ply), y(before.chances[review.seat])];
  const up = top > 50 ? -24 : 24;
  return part("a", { href: note.href, class: "flag", "aria-label": note.title },
    part("line", { x1: left, x2: left, y1: top, y2: top + up }),
    part("circle", { cx: left, cy: top + up, r: 11 }),
    part("text", { x: left, y: top + up + 4.5, "text-anchor": "middle" }, note.label));
}

function legend(review, seats) {
  return h("ul", { class: "legend", "aria-hidden": "true" }, seats.map((seat, k) =>
    h("li", { class: k === review.seat ? "own" : "" }, markOf(k), ` ${seat.name}`)));
}

function table(review, seats) {
  const step = Math.max(1, Math.ceil(review.curve.length / ROWS));
  const points = review.curve.filter((_, k) => k % step === 0 || k === review.curve.length - 1);
  return h("details", { class: "curve-table" }, h("summary", {}, t("The curve as a table")),
    h("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": t("The curve as a table") },
      h("table", {}, h("caption", { class: "unseen" }, t("Chances of winning over the game")),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Decision")), h("th", { scope: "col" }, t("Turn")),
          seats.map((seat) => h("th", { scope: "col", class: "number" }, seat.name)))),
        h("tbody", {}, points.map((point, k) => {
          const words = percents(point.chances);
          return h("tr", {}, h("th", { scope: "row" }, k === points.length - 1 ? t("End") : String(point.ply + 1)), h("td", {}, point.turn),
            words.map((one) => h("td", { class: "number" }, one)));
        })))));
}
