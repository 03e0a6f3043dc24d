// How much of the picture one sees: drag, pinch, wheel, buttons, and the part that matters on phones.

import { around, cut, grown, overlap } from "./boxes.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { MOST, RAISE, closer, enlarge, legible, settled } from "./legible.js";

export const NARROW = 700;
const CLOSEST = 12;
const STEP = 1.5;
const DRAG = 7;
const MARGIN = 16;
const FRAME = 4; // What a frame takes around a thing.
const LEAST = 420;
const FLATTEST = 0.72;
const TALLEST = 0.62; // Of the window, as the style sheet has it.
const TARGET_PX = 40.5; // The longer side of what one taps; the shorter one may have the other figure.
const THIN_PX = 24;

/** The part of a picture that is shown; kept from one picture to the next. */
export class Camera {
  constructor(board, strip) {
    this.board = board;
    this.strip = strip;
    this.box = null; // The part shown; null for all of it.
    this.whole = { x: 0, y: 0, width: 1, height: 1 };
    this.byHand = false;
    this.pointers = new Map();
    this.moved = false;
    this.enlarged = () => {}; // After print has grown.
    const on = (name, doing, options) => board.addEventListener(name, doing, options);
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) on(name, (event) => this.up(event));
    on("wheel", (event) => this.wheel(event), { passive: false });
    on("click", (event) => { if (this.moved) { event.stopPropagation(); event.preventDefault(); this.moved = false; } }, true);
  }

  /** Pixels across which the picture is shown. */
  get wide() {
    return this.board.clientWidth || innerWidth;
  }

  get narrow() {
    return innerWidth <= NARROW;
  }

  /** A new picture has come: show the same part of it, or what matters in it. */
  use(svg, { fresh, viewer, actor, marked = [] }) {
    this.svg = svg;
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.whole = { x, y, width, height };
    this.regions = new Map([...svg.querySelectorAll("[data-region]")].map((part) => [part.dataset.region, part]));
    this.viewer = viewer;
    legible(svg, !this.narrow);
    if (fresh && this.narrow && !this.byHand) this.frame(actor, marked);
    else {
      this.apply();
      this.enlarge();
    }
    this.buttons();
  }

  /** Show what is marked, or the part in which something can be done, or the one whose turn it is. */
  frame(actor, marked) {
    const inside = (element) => element.closest("[data-region]");
    const targets = [...this.svg.querySelectorAll(".target")].filter(inside);
    const places = [...new Set(targets.map(inside))];
    const own = this.regions.get(`seat-${this.viewer}`);
    const map = this.regions.get("map");
    const focus = this.svg.querySelector(`[data-piece="${CSS.escape(this.svg.dataset.focus ?? "")}"]`);
    let parts = [];
    if (marked.length) parts = marked;
    else if (map && places.includes(map)) parts = targets.filter((target) => map.contains(target));
    else if (own && places.includes(own)) parts = [own];
    else if (places.length) parts = [places[0]];
    else if (focus && inside(focus)) parts = [inside(focus)];
    else if (map) parts = [map];
    else parts = [this.regions.get(`seat-${actor ?? this.viewer}`) ?? own].filter(Boolean);
    const cards = marked.filter((one) => !one.matches("[data-region]"));
    const chief = (marked.length ? cards[0] ?? marked[0] : targets[0]) ?? (focus && inside(focus) ? focus : null);
    this.see(parts, chief);
  }

  /** Show some parts as large as one can read them; all of the picture without any. */
  see(parts, chief) {
    this.most = parts.some((one) => one.closest("[data-region=map]")) ? RAISE : MOST;
    this.box = parts.length ? this.close(this.grown(this.around(parts)), chief) : null;
    this.apply();
    this.enlarge();
    if (this.box) this.settle(chief ? [chief, ...parts] : parts);
  }

  /** Move what is shown a little, so that its edges run through as few texts as can be. */
  settle(parts) {
    const boxed = (some) => overlap(grown(this.around(some), FRAME), this.whole);
    const fits = ({ width, height }) => width <= this.box.width && height <= this.box.height;
    const panels = parts.filter((part, k) => k === 0 || part.matches("[data-region]"));
    const kept = panels.reduce((some, one) => (fits(boxed([...some, one])) ? [...some, one] : some), []);
    const marked = parts.filter((part) => !kept.includes(part)).map((part) => boxed([part]));
    if (kept.length) this.box = settled(this.svg, this.box, this.wide, this.whole, boxed(kept), marked, this.most);
    this.apply();
    this.enlarge();
  }

  /** Print in the part that is shown grows where one sees the board by parts. */
  enlarge() {
    if (this.narrow && this.box) enlarge(this.svg, this.whole, this.most);
    this.enlarged();
  }

  /** As much of a box as can be read and hit by a finger, around the chief thing in it. */
  close(box, chief) {
    const now = this.svg.getScreenCTM().a;
    const targets = [...this.svg.querySelectorAll(".target")].map((target) => {
      const { width, height } = target.getBoundingClientRect();
      return [target, now * Math.max(TARGET_PX / Math.max(width, height), THIN_PX / Math.min(width, height))];
    });
    const about = chief ? this.around([chief]) : box;
    const whole = chief && !chief.matches("[data-region]") ? about.width + MARGIN : 0;
    const least = Math.max(box.width / CLOSEST, Math.min(whole, box.width));
    return closer(this.svg, box, this.wide, about, least, targets, this.most);
  }

  around(elements) {
    return around(this.svg, elements);
  }

  /** A box with some room around it: not closer than one can make sense of, neither too flat nor too tall. */
  grown(box) {
    const tallest = (TALLEST * innerHeight) / this.wide;
    const tall = box.height + 2 * MARGIN;
    const width = Math.min(Math.max(box.width + 2 * MARGIN, LEAST, tall / tallest), this.whole.width);
    const height = Math.min(Math.max(tall, FLATTEST * width), this.whole.height);
    return cut(this.whole, width, height, box);
  }

  apply() {
    const { x, y, width, height } = this.box ?? this.whole;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.board.classList.toggle("zoomed", this.box !== null);
  }

  /** Zoom by a factor around a point of the screen; all of the picture is the farthest. */
  zoom(factor, clientX, clientY) {
    const into = this.svg.getScreenCTM().inverse();
    const at = new DOMPoint(clientX, clientY).matrixTransform(into);
    const { x, y, width, height } = this.box ?? this.whole;
    const least = this.whole.width / CLOSEST;
    const wide = Math.min(Math.max(width / factor, least), this.whole.width);
    const scale = wide / width;
    this.byHand = true;
    this.box = wide >= this.whole.width * 0.999 ? null
      : this.held({ x: at.x - (at.x - x) * scale, y: at.y - (at.y - y) * scale, width: wide, height: height * scale });
    this.apply();
  }

  /** Zoom around the middle of what is shown. */
  step(factor) {
    const box = this.svg.getBoundingClientRect();
    this.zoom(factor, box.left + box.width / 2, box.top + box.height / 2);
  }

  /** All of the picture, or one of its parts by name. */
  show(name) {
    const part = this.regions.get(name);
    this.byHand = false;
    this.see(part ? [part] : [], part);
    this.buttons();
  }

  held(box) {
    const { x, y, width, height } = this.whole;
    const keep = (at, size, from, room) => Math.min(Math.max(at, from - size / 2), from + room - size / 2);
    return { ...box, x: keep(box.x, box.width, x, width), y: keep(box.y, box.height, y, height) };
  }

  // --- by hand --------------------------------------------------------------------------------

  down(event) {
    this.moved = false;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.from = [event.clientX, event.clientY];
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (others.length) {
      const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
      this.moved = true;
      this.zoom(far(now, others[0]) / Math.max(far(before, others[0]), 1), (now[0] + others[0][0]) / 2, (now[1] + others[0][1]) / 2);
    } else if (this.box) {
      if (!this.moved && Math.hypot(now[0] - this.from[0], now[1] - this.from[1]) < DRAG) return;
      this.moved = this.byHand = true;
      const scale = this.svg.getScreenCTM().a;
      this.box = this.held({ ...this.box, x: this.box.x - (now[0] - before[0]) / scale, y: this.box.y - (now[1] - before[1]) / scale });
      this.apply();
    }
    this.pointers.set(event.pointerId, now);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
  }

  wheel(event) {
    if (!event.ctrlKey && !this.box) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  }

  /** A strip of buttons that lead to the parts of the picture, on narrow screens. */
  buttons() {
    const named = [...this.regions].filter(([, part]) => part.dataset.name);
    this.strip.hidden = named.length < 2;
    const one = (name, words) => h("button", { type: "button", class: "button small", onclick: () => this.show(name) }, words);
    fill(this.strip, one("", t("All")), named.map(([name, part]) => one(name, name === `seat-${this.viewer}` ? t("You") : part.dataset.name)));
  }
}

/** Buttons for the camera, for mouse and keyboard. */
export function zoomButtons(camera) {
  const one = (id, label, title, doing) => h("button", { id, type: "button", class: "button small square", title, "aria-label": title, onclick: doing }, label);
  return [one("zoom-in", "+", t("Zoom in (+)"), () => camera.step(STEP)), one("zoom-out", "−", t("Zoom out (−)"), () => camera.step(1 / STEP)),
    one("zoom-all", "⤢", t("Show the whole board (0)"), () => camera.show(""))];
}
