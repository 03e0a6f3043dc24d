// The smallest print of a picture, as large as one can read it.

import { around, cut, touches, within } from "./boxes.js";
import { fitLabels } from "./fit.js";

const LEAST_PX = 11;
export const MOST = 2.2;
export const RAISE = 1.35; // By so much print may grow where one sees a part of a picture; a closer view does the rest.
const CLOSER = 1.08;
const ASIDE = 40; // Steps in which a part is moved by its own width.
const LOST = 3; // Texts that may be cut rather than that something marked is not seen.
const SMALLER = Array.from({ length: 13 }, (_, k) => 1 - 0.02 * k);
const scales = new Map();

/**
 * Raise texts that would be smaller than 11 pixels, and fit labels into their boxes.
 * @param {SVGSVGElement} svg A board that is on the page, all of it shown.
 * @param {boolean} [grow] Whether texts are raised: not where one sees parts of the board by turns.
 */
export function legible(svg, grow = true) {
  if (grow) raise(svg);
  fitLabels(svg);
}

function raise(svg) {
  const whole = scaleOf(svg);
  if (!whole) return;
  for (const text of svg.querySelectorAll("text")) {
    const size = parseFloat(text.getAttribute("font-size")) || 0;
    if (!size) continue;
    const grown = LEAST_PX / (size * whole * inner(text, svg));
    if (grown > 1 && grown <= MOST) text.setAttribute("font-size", (size * grown + 0.005).toFixed(2));
  }
}

/** Pixels for a unit of the picture. Measured once for each size: that lays out the whole picture. */
function scaleOf(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const key = [width, height, innerWidth, innerHeight].join();
  if (!scales.has(key)) scales.set(key, svg.getScreenCTM()?.a ?? 0);
  return scales.get(key);
}

/** How much the groups around a text enlarge it. */
function inner(text, svg) {
  let scale = 1;
  for (let place = text.parentNode; place !== svg; place = place.parentNode) {
    const found = /scale\(([\d.]+)/.exec(place.getAttribute("transform") ?? "");
    if (found) scale *= Number(found[1]);
  }
  return scale;
}

// --- parts of a picture ----------------------------------------------------------------------

/** The box of a text after it has grown. */
function raised(one, by) {
  const [width, height] = [by * one.width, by * one.height];
  return { ...one, x: one.x - (width - one.width) / 2, y: one.y - (height - one.height) / 2, width, height };
}

/** Size of a text as it was drawn. */
function drawn(text) {
  return parseFloat(text.dataset.drawn ?? text.getAttribute("font-size")) || 0;
}

/** Texts and the scales from which on they can be read, raised. */
function print(svg, most) {
  const now = svg.getScreenCTM().a;
  return [...svg.querySelectorAll("text")].filter((text) => drawn(text) && text.textContent.trim()).map((text) => {
    const { a, b } = text.getScreenCTM(); // Some stand upright.
    return [text, (now * LEAST_PX) / (most * drawn(text) * Math.hypot(a, b))];
  });
}

/**
 * As much of a box as can be read.
 * @param {number} wide Pixels across which the part is shown.
 * @param {object} about What stays in the middle.
 * @param {number} least The narrowest part.
 * @param {Array} targets What has to be hit by a finger, and the scale that it takes.
 * @param {number} most By so much print may grow.
 */
export function closer(svg, box, wide, about, least, targets = [], most = RAISE) {
  const small = (all) => all.filter(([, scale]) => scale * box.width > wide).map(([one, scale]) => ({ scale, ...around(svg, [one]) }));
  const [letters, tapped] = [small(print(svg, most)).map((one) => raised(one, most)), small(targets)];
  let part = box;
  const bad = (one, seen) => one.scale * part.width > wide && seen(one, part);
  while (part.width > least && (letters.some((one) => bad(one, touches)) || tapped.some((one) => bad(one, within)))) {
    const width = Math.max(part.width / CLOSER, least);
    part = cut(box, width, (box.height * width) / box.width, about);
  }
  return part;
}

/**
 * A part moved aside, or made smaller, so that its edges run through as few texts and cards as can be.
 * @param {number} wide Pixels across which the part is shown.
 * @param {object} keep What stays in it.
 * @param {Array} marked Boxes that are to be seen besides.
 * @param {number} most By so much print may grow.
 */
export function settled(svg, part, wide, whole, keep, marked, most) {
  const scales = new Map(print(svg, most));
  const all = [...svg.querySelectorAll("text, [data-piece]")].filter((one) => one.matches("[data-piece]") || scales.has(one));
  const boxes = all.map((one) => ({ scale: scales.get(one) ?? 0, ...around(svg, [one]) })).filter((one) => one.width < part.width && one.height < part.height);
  const bad = (one, box) => touches(one, box) && (!within(one, box) || one.scale * box.width > wide);
  const cost = (box) => LOST * marked.filter((one) => !within(one, box)).length + boxes.filter((one) => bad(one, box)).length;
  let [best, least] = [part, within(keep, part) ? cost(part) : Infinity];
  for (const size of SMALLER) {
    const [width, height] = [part.width * size, part.height * size];
    const columns = places(part.x, part.width, [whole.x, whole.width], [keep.x, keep.width], width);
    const rows = places(part.y, part.height, [whole.y, whole.height], [keep.y, keep.height], height);
    for (const [x, across] of columns) {
      for (const [y, down] of rows) {
        const away = Math.hypot(across, down) + (1 - size);
        const box = { x, y, width, height };
        const found = away < least ? cost(box) + away : Infinity;
        if (found < least) [best, least] = [box, found];
      }
    }
  }
  return best;
}

/** Where a span may begin that holds one thing and lies in another, and how far that is from where it was. */
function places(from, long, [first, room], [kept, size], wanted) {
  const middle = from + (long - wanted) / 2;
  const found = new Map();
  for (let k = -ASIDE; k <= ASIDE; k++) {
    const at = Math.min(Math.max(middle + (k / ASIDE) * long, first), first + room - wanted);
    const far = Math.abs(at - middle) / long;
    if (at <= kept && kept + size <= at + wanted) found.set(at, far);
  }
  return [...found].sort((a, b) => a[1] - b[1]);
}

/** Raise the small print of the part that is shown, at most so much; `whole` is all of the picture. */
export function enlarge(svg, whole, most = RAISE) {
  const frame = svg.getBoundingClientRect();
  const seen = (text) => touches(text.getBoundingClientRect(), frame);
  const sizes = [...svg.querySelectorAll("text")].filter((text) => drawn(text) && text.textContent.trim() && seen(text)).map((text) => {
    const { a, b } = text.getScreenCTM();
    const now = parseFloat(text.getAttribute("font-size"));
    return [text, now, LEAST_PX / Math.hypot(a, b)];
  });
  for (const [text, now, wanted] of sizes) {
    if (wanted <= now) continue;
    text.dataset.drawn ??= now;
    text.setAttribute("font-size", (Math.min(wanted, most * drawn(text)) + 0.005).toFixed(2));
  }
  fitLabels(svg, whole);
}
