// Labels no wider than the room that a picture leaves them: those that would be are condensed.

const LEAST = 0.5; // More condensed than that, letters cannot be read.
const GAP = 2;
const EDGE = 0.02; // Of a box's width: what a label keeps away from the edges of a wide one.
const MOST_EDGE = 10;
const APART = 0.45; // Of the larger letters beside each other.
const MARK = 2; // What has no more letters is the mark on a piece, which may lie on anything.
const brush = document.createElement("canvas").getContext("2d");
const widths = new Map();

/**
 * Condense labels that run out of their box, or into the next thing on their line.
 * @param {SVGSVGElement} svg A picture.
 * @param {object} [whole] The box of all of it, if only a part is shown.
 */
export function fitLabels(svg, whole = svg.viewBox.baseVal) {
  for (const { boxes, labels } of frames(svg, whole)) {
    for (const label of labels) fit(label, boxes, labels);
  }
}

/** Rectangles and labels, in the order in which they are drawn, by the coordinates that they share. */
function frames(svg, { x, width }) {
  const found = new Map();
  const family = svg.getAttribute("font-family") ?? "sans-serif";
  for (const [order, element] of [...svg.querySelectorAll("rect, text")].entries()) {
    if (element.hasAttribute("transform")) continue;
    const frame = element.parentNode.closest("[transform]") ?? svg;
    if (!found.has(frame)) found.set(frame, { boxes: frame === svg ? [{ order: -1, left: x, top: -Infinity, right: x + width, bottom: Infinity }] : [], labels: [] });
    const { boxes, labels } = found.get(frame);
    if (element.tagName === "rect") boxes.push(boxOf(element, order));
    else if (element.textContent.trim().length > MARK) labels.push(labelOf(element, order, family));
  }
  return found.values();
}

function number(element, name) {
  return parseFloat(element.getAttribute(name)) || 0;
}

function boxOf(rect, order) {
  const [left, top] = [number(rect, "x"), number(rect, "y")];
  return { rect, order, left, top, right: left + number(rect, "width"), bottom: top + number(rect, "height") };
}

function labelOf(text, order, family) {
  const size = number(text, "font-size");
  const label = { order, text, size, x: number(text, "x"), line: number(text, "y") - 0.35 * size };
  label.anchor = text.getAttribute("text-anchor") ?? "start";
  label.natural = size * measured(text, family);
  return span(label, label.natural);
}

/** Where a label of this width begins and ends. */
function span(label, width) {
  const before = { start: 0, middle: width / 2, end: width }[label.anchor];
  return Object.assign(label, { left: label.x - before, right: label.x - before + width });
}

/** Width of a text at size 1. Measured once each, and without laying out the picture. */
function measured(text, family) {
  const style = `${text.getAttribute("font-style") ?? "normal"} ${text.getAttribute("font-weight") ?? "normal"}`;
  const key = `${style} ${text.textContent}`;
  if (!widths.has(key)) {
    brush.font = `${style} 100px ${family}`;
    widths.set(key, brush.measureText(text.textContent).width / 100);
  }
  return widths.get(key);
}

function fit(label, boxes, labels) {
  const { text, x, anchor, natural } = label;
  if (text.children.length || (text.hasAttribute("textLength") && !("fitted" in text.dataset))) return;
  const [left, right] = limits(label, boxes, labels);
  const room = { start: right - x, middle: 2 * Math.min(x - left, right - x), end: x - left }[anchor] - GAP;
  const width = Math.min(natural, Math.max(room, LEAST * natural));
  span(label, width);
  if (width < natural) {
    text.setAttribute("textLength", width.toFixed(1));
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    text.dataset.fitted = "";
  } else if ("fitted" in text.dataset) {
    for (const name of ["textLength", "lengthAdjust", "data-fitted"]) text.removeAttribute(name);
  }
}

/** Space between two labels, or a label and a box. */
function apart(label, other) {
  return APART * Math.max(label.size, other.size ?? 0);
}

/** What a label may not run into: the edges of the smallest box around it, and what is drawn beside it. */
function limits(label, boxes, labels) {
  const { x, line, order, size } = label;
  const level = boxes.filter((box) => box.top <= line && line <= box.bottom);
  const around = level.filter((box) => box.order < order && box.left <= x && x <= box.right)
    .reduce((best, box) => (best && best.right - best.left <= box.right - box.left ? best : box), null);
  const beside = [...level.filter((box) => box.rect?.parentNode === label.text.parentNode),
    ...labels.filter((other) => other !== label && Math.abs(other.line - line) < 0.6 * Math.max(size, other.size))];
  const edge = around ? Math.min(EDGE * (around.right - around.left), MOST_EDGE) : 0;
  let [left, right] = around ? [around.left + edge, around.right - edge] : [-Infinity, Infinity];
  for (const other of beside) {
    if (other.left > x) right = Math.min(right, other.left - apart(label, other));
    else if (other.right < x) left = Math.max(left, other.right + apart(label, other));
  }
  return [left, right];
}
