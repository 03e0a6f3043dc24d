// The smallest print of a picture, as large as one can read it.

import { fitLabels } from "./fit.js";

const LEAST_PX = 11;
export const MOST = 2.2;
const RAISE = 1.35; // By so much print may grow where one sees a part of a picture; a closer view does the rest.
const CLOSER = 1.08;
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

/** The part of a box that has this size, as near around something as the box allows. */
export function cut(box, width, height, about) {
  const held = (middle, size, from, room) => Math.min(Math.max(middle - size / 2, from), from + room - size);
  return {
    x: held(about.x + about.width / 2, width, box.x, box.width),
    y: held(about.y + about.height / 2, height, box.y, box.height), width, height,
  };
}

/** The box around elements of a picture that is on the page, in the picture's own units. */
export function around(svg, elements) {
  const into = svg.getScreenCTM().inverse();
  const corners = elements.flatMap((element) => {
    const box = element.getBoundingClientRect();
    return [[box.left, box.top], [box.right, box.bottom]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(into));
  });
  const [left, right] = [Math.min(...corners.map((p) => p.x)), Math.max(...corners.map((p) => p.x))];
  const [top, bottom] = [Math.min(...corners.map((p) => p.y)), Math.max(...corners.map((p) => p.y))];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function within(one, box) {
  return one.x >= box.x && one.y >= box.y && one.x + one.width <= box.x + box.width && one.y + one.height <= box.y + box.height;
}

function touches(one, box) {
  return one.x < box.x + box.width && one.y < box.y + box.height && one.x + one.width > box.x && one.y + one.height > box.y;
}

/** The box of a text after it has grown. */
function raised(one) {
  const [width, height] = [RAISE * one.width, RAISE * one.height];
  return { ...one, x: one.x - (width - one.width) / 2, y: one.y - (height - one.height) / 2, width, height };
}

/** Size of a text as it was drawn. */
function drawn(text) {
  return parseFloat(text.dataset.drawn ?? text.getAttribute("font-size")) || 0;
}

/** Texts and the scales from which on they can be read, raised. */
function print(svg) {
  const now = svg.getScreenCTM().a;
  return [...svg.querySelectorAll("text")].filter((text) => drawn(text) && text.textContent.trim()).map((text) => {
    const { a, b } = text.getScreenCTM(); // Some stand upright.
    return [text, (now * LEAST_PX) / (RAISE * drawn(text) * Math.hypot(a, b))];
  });
}

/**
 * As much of a box as can be read.
 * @param {number} wide Pixels across which the part is shown.
 * @param {object} about What stays in the middle.
 * @param {number} least The narrowest part.
 * @param {Array} targets What has to be hit by a finger, and the scale that it takes.
 */
export function closer(svg, box, wide, about, least, targets = []) {
  const small = (all) => all.filter(([, scale]) => scale * box.width > wide).map(([one, scale]) => ({ scale, ...around(svg, [one]) }));
  const [letters, tapped] = [small(print(svg)).map(raised), small(targets)];
  let part = box;
  const bad = (one, seen) => one.scale * part.width > wide && seen(one, part);
  while (part.width > least && (letters.some((one) => bad(one, touches)) || tapped.some((one) => bad(one, within)))) {
    const width = Math.max(part.width / CLOSER, least);
    part = cut(box, width, (box.height * width) / box.width, about);
  }
  return part;
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
