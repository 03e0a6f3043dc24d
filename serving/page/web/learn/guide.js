// A guided first game: steps through a real match, in which one plays the decisions that matter.

import { wireBoard } from "../actions.js";
import { call } from "../api.js";
import { Camera } from "../camera.js";
import { announce, board, fill, h, toast } from "../dom.js";
import { t } from "../i18n.js";
import { words as dice } from "../log.js";
import { Inspector, piecesOf } from "../pieces.js";
import { rulesSheet } from "../rules.js";
import { named, pointOut } from "./scene.js";

const FEW = 6;

export async function guide(main, game) {
  const lesson = call(`games/${game}/lesson/0`);
  // The picture names its pieces when it is drawn; without their names it still teaches.
  const [first, pieces] = await Promise.all([lesson, piecesOf(game).catch(() => ({}))]);
  const room = { game, n: 0, sheet: frame(main), pieces, view: { legal: [] } };
  const { board, strip } = room.sheet;
  room.camera = new Camera(board, strip);
  room.inspector = new Inspector(board, game);
  room.act = () => go(room, room.n + 1);
  room.inspector.pieces = pieces;
  show(room, first);
  return () => room.inspector.dispose();
}

function frame(main) {
  const sheet = {
    board: h("div", { class: "board", tabindex: "0", role: "application", "aria-label": t("The board of the guided game") }),
    strip: h("div", { class: "strip", role: "toolbar", "aria-label": t("The board of the guided game"), hidden: true }),
    title: h("h1", {}, t("Your first game")),
    count: h("span", { class: "note guide-count" }),
    bar: h("progress", { class: "guide-bar", "aria-hidden": "true" }),
    actions: h("section", { class: "panel guide-step", "aria-label": t("Your first game") }),
  };
  fill(main, h("div", { class: "table guide" },
    h("div", { class: "stage" },
      h("div", { class: "heading-row" }, sheet.title, sheet.count,
        h("a", { class: "button small", href: "#/", id: "leave-guide" }, t("Leave"))),
      sheet.bar,
      h("div", { class: "board-scroller" }, sheet.board), sheet.strip),
    h("div", { class: "side" }, sheet.actions)));
  return sheet;
}

async function go(room, n) {
  if (room.busy) return;
  room.busy = true;
  try {
    const step = await call(`games/${room.game}/lesson/${n}`);
    if (room.sheet.board.isConnected) show(room, step);
  } catch (error) {
    toast(error.message);
  }
  room.busy = false;
}

function show(room, step) {
  const { sheet } = room;
  room.n = step.n;
  room.view = { legal: step.play ? [step.play] : [], viewer: step.seat };
  room.inspector.close();
  sheet.title.textContent = step.title;
  const count = t("Step {n} of {all}", { n: step.n + 1, all: step.steps });
  sheet.count.textContent = count;
  sheet.bar.max = step.steps;
  sheet.bar.value = step.n + 1;
  write(room, step);
  const svg = board(step.scene.svg, step.scene.title, room.game);
  fill(sheet.board, svg);
  sheet.board.dataset.step = step.n;
  wireBoard(room);
  const marked = named(svg, step.scene.marks);
  for (const target of svg.querySelectorAll(".target")) {
    if (!marked.some((one) => one.contains(target) || target.contains(one))) marked.push(target);
  }
  room.camera.enlarged = () => pointOut(svg, marked);
  room.camera.use(svg, { fresh: true, viewer: step.seat, actor: step.seat, marked });
  sheet.board.parentElement.scrollIntoView({ block: "nearest" });
  announce([`${count}.`, step.scene.title.replace(/[^.?!]$/, "$&."), step.scene.text].join(" "));
}

function write(room, step) {
  const { scene } = step;
  const last = step.n === step.steps - 1;
  const on = h("button", { type: "button", class: "button", id: "go-on", onclick: () => room.act() }, step.play ? step.play.sentence[0].toUpperCase() + step.play.sentence.slice(1) : t("Go on"));
  fill(room.sheet.actions,
    h("h2", { tabindex: "-1" }, scene.title),
    step.events.length ? h("details", { class: "meanwhile", open: step.events.length <= FEW }, h("summary", {}, t("Meanwhile")),
      h("ul", {}, step.events.map((event) => h("li", {}, dice(event))))) : null,
    h("p", {}, scene.text),
    step.why ? h("div", { class: "bot-says" }, h("strong", {}, t("A bot explains")), h("p", {}, step.why),
      step.reason ? h("details", {}, h("summary", {}, t("Why?")), h("p", {}, step.reason)) : null) : null,
    scene.rules.length ? h("p", { class: "piece-rules" }, t("Rules: "), scene.rules.map((rule, k) => [k ? ", " : "",
      h("button", { type: "button", class: "link", onclick: () => rulesSheet(room.game, rule) }, rule)]).flat()) : null,
    step.play ? h("p", { class: "note" }, t("Your turn: do it on the board, or here")) : null,
    h("div", { class: "buttons" },
      last ? h("a", { class: "button", href: "#/", id: "go-on", onclick: () => localStorage.setItem("gangland.game", room.game) }, t("Play a real game")) : on,
      last ? h("a", { class: "button small", href: `#/rules/${room.game}` }, t("The game on one page")) : null,
      step.n ? h("button", { type: "button", class: "button small", id: "go-back", onclick: () => go(room, step.n - 1) }, t("Back")) : null));
  if (step.n) room.sheet.actions.querySelector("h2").focus({ preventScroll: true });
}
