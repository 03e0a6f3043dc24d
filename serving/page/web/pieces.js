// What lies on the table: the large card of a piece, on hover, focus and long press, and its menu.

import { call } from "./api.js";
import { fill, h, picture } from "./dom.js";
import { t } from "./i18n.js";
import { rulesSheet } from "./rules.js";

const LONG_PRESS_MS = 450;
const HOVER_MS = 140;
const GAP = 12;
const BAR = 60;
const GRID = 24;
const FAR = 1e4; // What a covered pixel weighs against a pixel of distance.
const ASKABLE = "[data-piece], [data-tip]";
const books = new Map();

/** What is on a game's table, by the names in data-piece. */
export function piecesOf(game) {
  if (!books.has(game)) {
    const asked = call(`games/${game}/pieces`).then((book) => book.pieces);
    asked.catch(() => books.delete(game));
    books.set(game, asked);
  }
  return books.get(game);
}

/** Native tooltips of the picture become ours, which also open by focus and touch. */
export function adoptTitles(svg) {
  for (const title of [...svg.querySelectorAll("title")]) {
    const owner = title.parentElement;
    title.remove();
    if (owner === svg || !title.textContent) continue;
    if (!owner.dataset.piece && !owner.dataset.action) owner.dataset.tip = title.textContent;
  }
}

/** What a click at a point of the page chooses, also through pieces that lie on it: the smallest of several. */
export function choiceAt({ clientX, clientY }) {
  const area = (one) => { const { width, height } = one.getBoundingClientRect(); return width * height; };
  const found = document.elementsFromPoint(clientX, clientY).map((one) => one.closest(".target")).filter(Boolean);
  return found.length ? found.reduce((best, one) => (area(one) < area(best) ? one : best)) : undefined;
}

/** Name a piece for those who listen. */
export function labelOf(pieces, element) {
  const asked = element.matches(ASKABLE) ? element : element.querySelector(ASKABLE);
  if (!asked) return "";
  const known = pieces[asked.dataset.piece];
  const now = (asked.dataset.now ?? "").split("\n").join(" ");
  return [known?.name ?? asked.dataset.tip, now].filter(Boolean).join(". ");
}

/** The words of a piece: its picture, numbers, text and rules. */
export function describe(pieces, game, key, { now = "", tip = "", links = true } = {}) {
  const piece = pieces[key];
  if (!piece) return tip ? [h("p", { class: "piece-name" }, tip)] : [];
  const rules = links && piece.rules.length ? h("p", { class: "piece-rules" }, t("Rules: "),
    piece.rules.map((rule, k) => [k ? ", " : "", h("button", { type: "button", class: "link",
      onclick: () => rulesSheet(game, rule) }, rule)]).flat()) : null;
  return [
    piece.picture ? picture(piece.picture, piece.name, game) : null,
    h("p", { class: "piece-name" }, piece.name, piece.kind ? h("small", {}, piece.kind) : null),
    now ? h("p", { class: "piece-now" }, now.split("\n").map((line) => h("span", {}, line))) : null,
    tip ? h("p", { class: "piece-now" }, tip) : null,
    piece.facts.length ? h("dl", { class: "piece-facts" }, piece.facts.map(([label, value]) =>
      h("div", {}, h("dt", {}, label), h("dd", {}, value)))) : null,
    ...piece.text.map((line) => h("p", {}, line)),
    rules,
  ].filter(Boolean);
}

/** Length that two stretches have in common. */
function shared(from, to, start, end) {
  return Math.max(0, Math.min(to, end) - Math.max(from, start));
}

/** The large card over the board: shown while one points, or pinned until it is closed. */
export class Inspector {
  constructor(board, game) {
    this.board = board;
    this.game = game;
    this.pieces = {};
    this.pinned = null;
    this.timer = 0;
    this.press = 0;
    this.pressed = false;
    this.card = h("div", { class: "large-card", hidden: true, role: "tooltip", id: "large-card" });
    document.getElementById("main").append(this.card);
    const on = (name, doing) => board.addEventListener(name, doing);
    on("pointerover", (event) => event.pointerType === "mouse" && this.soon(event));
    on("pointerout", (event) => event.pointerType === "mouse" && this.leave(event.relatedTarget));
    on("focusin", (event) => event.target.matches(":focus-visible") && this.show(event.target));
    on("focusout", () => this.hide());
    on("pointerdown", (event) => this.hold(event));
    for (const name of ["pointerup", "pointercancel", "pointermove"]) on(name, (event) => this.release(event));
    on("contextmenu", (event) => { if (this.pressed) event.preventDefault(); });
    this.outside = (event) => {
      if (this.pinned && !this.card.contains(event.target) && !this.pinned.contains(event.target)
        && !event.target.closest?.("dialog")) this.close();
    };
    this.escape = (event) => { if (event.key === "Escape" && !this.card.hidden) { this.close(true); event.stopPropagation(); } };
    document.addEventListener("pointerdown", this.outside);
    document.addEventListener("keydown", this.escape, true);
  }

  /** The element around a point that can be asked about, and its words. */
  find(target) {
    const choice = target?.closest?.(".target");
    const around = target?.closest?.(ASKABLE) ?? choice?.querySelector(ASKABLE) ?? (choice && this.beneath(choice));
    return around && this.board.contains(around) ? around : null;
  }

  /** The smallest piece that lies under the middle of a choice drawn over it. */
  beneath(choice) {
    const box = choice.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let best = null;
    for (const element of this.board.querySelectorAll(ASKABLE)) {
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
      if (x < left || x > right || y < top || y > bottom) continue;
      if (!best || width * height < best.area) best = { element, area: width * height };
    }
    return best?.element;
  }

  soon(event) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(event.target, choiceAt(event)), HOVER_MS);
  }

  leave(next) {
    clearTimeout(this.timer);
    if (!this.find(next)) this.hide();
  }

  hold(event) {
    this.pressed = false;
    if (event.pointerType === "mouse") return;
    const found = this.find(event.target);
    if (!found) return;
    this.start = [event.clientX, event.clientY];
    this.press = setTimeout(() => { this.pressed = true; this.pin(found); }, LONG_PRESS_MS);
  }

  release(event) {
    if (event.type === "pointermove" && this.start
      && Math.hypot(event.clientX - this.start[0], event.clientY - this.start[1]) < 8) return;
    clearTimeout(this.press);
  }

  /** Show what is under the pointer or focused, until it moves on. */
  show(target, choice = target.closest(".target")) {
    if (this.pinned) return;
    const found = this.find(target);
    if (!found) { this.hide(); return; }
    choice ??= found.closest(".target");
    const action = choice?.dataset.action && choice.getAttribute("aria-label");
    const menu = choice?.dataset.actions;
    const hint = action ? t("Click: {action}", { action }) : menu ? t("Click to choose what to do.") : "";
    this.write(found, hint ? [h("p", { class: "piece-hint" }, hint)] : [], false);
  }

  /** Keep a piece's card open, with the actions to choose from. */
  pin(found, actions = [], act = null) {
    this.pinned = found;
    const choices = actions.map((action) => h("button", { type: "button", class: "button", "data-choice": action.id,
      onclick: () => { this.close(); act(action.id); } }, action.sentence));
    const closing = h("button", { type: "button", class: "quiet close", "aria-label": t("Close the card"), onclick: () => this.close(true) }, "✕");
    this.write(found, [choices.length ? h("div", { class: "piece-choices" }, choices) : null, closing], true);
    this.card.querySelector(".piece-choices button")?.focus({ preventScroll: true });
  }

  write(found, more, pinned) {
    const { piece, now, tip } = found.dataset;
    const words = describe(this.pieces, this.game, piece, { now, tip, links: pinned });
    if (!words.length && !pinned) { this.hide(); return; }
    fill(this.card, words, more);
    this.card.hidden = false;
    this.card.classList.toggle("pinned", pinned);
    this.card.setAttribute("role", pinned ? "dialog" : "tooltip");
    this.card.setAttribute("aria-label", this.pieces[piece]?.name ?? tip ?? t("Card"));
    this.place(found);
  }

  /** Beside the piece, but not over what can be clicked on the board: then at the nearest place that is free. */
  place(found) {
    const { card } = this;
    card.style.left = card.style.top = "";
    const from = found.getBoundingClientRect();
    const { width, height } = card.getBoundingClientRect();
    const [right, bottom] = [document.documentElement.clientWidth - width - GAP, innerHeight - height - GAP];
    if (document.documentElement.clientWidth < 600) return; // A sheet at the bottom: see the style sheet.
    const kept = [from, ...[...this.board.querySelectorAll(".target")].map((one) => one.getBoundingClientRect())];
    const middle = Math.max(BAR, Math.min(from.top + from.height / 2 - height / 2, bottom));
    const spots = [from.right + GAP, from.left - GAP - width].map((left) => [left, middle]);
    for (let left = GAP; left <= right; left += GRID) for (let top = BAR; top <= bottom; top += GRID) spots.push([left, top]);
    let best = { cost: Infinity, left: GAP, top: BAR };
    for (const [left, top] of spots) {
      if (left < GAP || left > right) continue;
      const covered = kept.reduce((sum, box) => sum + shared(left, left + width, box.left, box.right) * shared(top, top + height, box.top, box.bottom), 0);
      const away = Math.hypot(left + width / 2 - from.left - from.width / 2, top + height / 2 - from.top - from.height / 2);
      const cost = covered * FAR + away;
      if (cost < best.cost) best = { cost, left, top };
    }
    card.style.left = `${best.left}px`;
    card.style.top = `${best.top}px`;
  }

  hide() {
    if (!this.pinned) this.card.hidden = true;
  }

  close(focusBack = false) {
    const back = this.pinned?.closest(".target") ?? this.pinned;
    this.pinned = null;
    this.card.hidden = true;
    if (focusBack) back?.focus?.({ preventScroll: true });
  }

  dispose() {
    clearTimeout(this.timer);
    clearTimeout(this.press);
    document.removeEventListener("pointerdown", this.outside);
    document.removeEventListener("keydown", this.escape, true);
    this.card.remove();
  }
}
