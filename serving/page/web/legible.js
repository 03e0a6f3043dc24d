// The smallest print of a picture, as large as one can read it.

import { fitLabels } from "./fit.js";

const LEAST_PX = 11;
const MOST = 2.2;
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
