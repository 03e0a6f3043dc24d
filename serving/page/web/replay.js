// The replay viewer: a slider over the positions of a match.

import { call, ownSeats } from "./api.js";
import { NARROW } from "./camera.js";
import { announce, board, fill, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { legible } from "./legible.js";
import { words as dice } from "./log.js";

const SPEED_MS = 900;

/** The replay of a match; at a step, as one's own seat saw it. */
export async function replay(main, match, step) {
  const own = ownSeats()[match];
  const token = own?.token;
  const info = await call(`matches/${match}`);
  const room = { match, token, info, n: 0, frames: 1, cache: new Map(), viewer: "", playing: 0, wanted: 0 };
  if (step !== undefined && own && info.status === "finished") room.viewer = String(own.seat);
  room.board = h("div", { class: "board" });
  room.caption = h("div", { class: "caption", "aria-live": "polite" });
  room.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": t("Position"), oninput: () => go(room, Number(room.slider.value)) });
  room.count = h("output", { class: "count" });
  const press = (label, name, move) => h("button", { class: "button small", type: "button", "aria-label": name, title: name, onclick: move }, label);
  room.button = press("▶", t("Play"), () => toggle(room));
  const eyes = h("select", { "aria-label": t("Through whose eyes"), onchange: () => {
    room.viewer = eyes.value;
    room.cache.clear();
    go(room, room.n);
  } }, h("option", { value: "" }, t("Open table")), info.seats.map((seat) => h("option", { value: seat.seat, selected: room.viewer === String(seat.seat) }, t("As {name} saw it", { name: seat.name }))));
  fill(main, h("div", { class: "replay" },
    h("div", { class: "heading-row" }, h("h1", {}, info.title, h("small", {}, ` ${t("replay")}`)),
      info.status === "finished" ? eyes : h("span", { class: "note" }, t("Still running: shown as you saw it.")),
      h("a", { class: "button small", href: `#/m/${match}` }, t("Back to the table")),
      info.status === "finished" ? h("button", { class: "button small", type: "button", onclick: () => download(room) }, t("Download")) : null),
    h("div", { class: "board-scroller" }, room.board),
    room.caption,
    h("div", { class: "player" },
      press("«", t("To the start"), () => go(room, 0)),
      press("‹", t("One step back"), () => go(room, room.n - 1)),
      room.button,
      press("›", t("One step on"), () => go(room, room.n + 1)),
      press("»", t("To the end"), () => go(room, room.frames - 1)),
      room.slider, room.count)));
  const keys = (event) => key(room, event);
  document.addEventListener("keydown", keys);
  room.frames = Math.max(room.frames, Number(step ?? 0) + 1);
  await go(room, Number(step ?? 0));
  return () => {
    document.removeEventListener("keydown", keys);
    clearInterval(room.playing);
  };
}

function frameAt(room, n) {
  if (!room.cache.has(n)) {
    const query = room.viewer === "" ? "" : `?viewer=${room.viewer}`;
    const asked = call(`matches/${room.match}/frames/${n}${query}`, { token: room.info.status === "finished" ? undefined : room.token });
    asked.catch(() => room.cache.delete(n));
    room.cache.set(n, asked);
  }
  return room.cache.get(n);
}

async function go(room, n) {
  room.wanted = Math.min(Math.max(n, 0), room.frames - 1);
  const { wanted } = room;
  try {
    const frame = await frameAt(room, wanted);
    if (room.wanted !== wanted) return; // The slider has moved on.
    show(room, frame);
    if (wanted + 1 < room.frames) frameAt(room, wanted + 1).catch(() => {});
  } catch (error) {
    stop(room);
    toast(error.message);
  }
}

function show(room, frame) {
  room.n = frame.n;
  room.frames = frame.frames;
  room.slider.max = frame.frames - 1;
  room.slider.value = frame.n;
  const actor = frame.actor === null ? "" : room.info.seats[frame.actor].name;
  room.slider.setAttribute("aria-valuetext", t("Step {n} of {all}", { n: frame.n, all: frame.frames - 1 }));
  room.count.textContent = `${frame.n} / ${frame.frames - 1}`;
  const svg = board(frame.svg, t("{title}: step {n}", { title: room.info.title, n: frame.n }), room.info.game);
  fill(room.board, svg);
  legible(svg, innerWidth > NARROW);
  room.board.dataset.frame = frame.n;
  const words = frame.events.length ? frame.events : [frame.n ? t("Nothing that could be seen.") : t("The beginning.")];
  fill(room.caption,
    frame.action ? h("p", { class: "note" }, `${actor}: ${frame.action.sentence}`) : null,
    h("ul", {}, words.map((word) => h("li", {}, dice(word)))));
  if (frame.n === frame.frames - 1) stop(room);
}

function toggle(room) {
  if (room.playing) {
    stop(room);
    return;
  }
  if (room.n === room.frames - 1) go(room, 0);
  room.button.textContent = "❚❚";
  room.button.setAttribute("aria-label", t("Pause"));
  announce(t("Playing"));
  room.playing = setInterval(() => go(room, room.n + 1), SPEED_MS);
}

function stop(room) {
  clearInterval(room.playing);
  room.playing = 0;
  room.button.textContent = "▶";
  room.button.setAttribute("aria-label", t("Play"));
}

function key(room, event) {
  if (["INPUT", "SELECT", "BUTTON"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  const moves = { ArrowLeft: room.n - 1, ArrowRight: room.n + 1, Home: 0, End: room.frames - 1 };
  if (event.key in moves) go(room, moves[event.key]);
  else if (event.key === " ") toggle(room);
  else return;
  event.preventDefault();
}

async function download(room) {
  try {
    const { replay: line } = await call(`matches/${room.match}/replay`);
    const blob = new Blob([`${JSON.stringify(line)}\n`], { type: "application/x-ndjson" });
    const link = h("a", { href: URL.createObjectURL(blob), download: `${room.info.game}-${room.match}.jsonl` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch (error) {
    toast(error.message);
  }
}
