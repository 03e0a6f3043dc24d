// A match: the board, what may be done, what has happened, and what a bot thinks of it.

import { showActions, shownChoices, walk, wireBoard } from "./actions.js";
import { automatic, automaticNotice, isFast } from "./amounts.js";
import { call, dropSeat, keepSeat, Live, ownSeats } from "./api.js";
import { botName } from "./bots.js";
import { Camera, zoomButtons } from "./camera.js";
import { announce, attempt, board, fill, h, share as handOn, toast } from "./dom.js";
import { endingButtons, intention, rematchButtons, rematchOffer, showKept, updateEnding } from "./ending.js";
import { t, tn } from "./i18n.js";
import { Coach } from "./learn/coach.js";
import { showLog, standing } from "./log.js";
import { describe, Inspector, piecesOf } from "./pieces.js";
import { moves, places, slide } from "./motion.js";
import { notify, notifyButton } from "./notify.js";
import { note } from "./record.js";
import { rulesSheet } from "./rules.js";
import { hear, soundButton, soundsOf } from "./sounds.js";
import { hearPhrases, phraseList, updatePhrases } from "./talk.js";
import { showThoughts } from "./thoughts.js";

const PACE_NAMES = { instant: () => t("instant"), brisk: () => t("brisk"), slow: () => t("slow") };
const PACES = { instant: 0, brisk: 450, slow: 1100 };
const LONGEST_MS = 4000;
const SVG = "http://www.w3.org/2000/svg";
const WIDE = 0.6; // Width of a letter, as a share of its size.

export async function table(main, match) {
  const own = ownSeats()[match];
  const room = {
    match, own, view: null, events: [], mark: 0, fresh: 0, queue: [], timer: 0, busy: false,
    pieces: {}, focus: "", limit: null, fast: isFast(match),
    pace: localStorage.getItem("gangland.pace") ?? "brisk", sheet: frame(main),
  };
  room.act = (action) => act(room, action);
  room.redraw = () => { showActions(room); automaticNotice(room, room.sheet.automatic); };
  room.redrawEnd = () => finished(room);
  room.camera = new Camera(room.sheet.board, room.sheet.strip);
  room.coach = new Coach(room);
  room.sheet.thoughts.after(room.coach.panel);
  tools(room);
  room.live = new Live(match, own?.token, {
    onview: (view) => { room.queue.push(view); drain(room); },
    onproblem: (error) => lost(main, room, error),
    onstate: (up) => document.body.classList.toggle("offline", !up),
  });
  const keys = (event) => key(room, event);
  document.addEventListener("keydown", keys);
  const ticking = setInterval(() => tick(room), 500);
  return () => {
    document.querySelector("dialog[open]")?.close();
    document.removeEventListener("keydown", keys);
    clearInterval(ticking);
    clearTimeout(room.timer);
    room.inspector?.dispose();
    document.body.classList.remove("offline");
    room.live.close();
  };
}

/** The parts of the page. */
function frame(main) {
  const sheet = {
    prompt: h("div", { class: "prompt", id: "prompt" }),
    clock: h("span", { class: "clock" }),
    board: h("div", { class: "board", tabindex: "0", role: "application", "aria-label": t("The board: arrow keys go from card to card") }),
    strip: h("div", { class: "strip", role: "toolbar", "aria-label": t("Parts of the board"), hidden: true }),
    focus: h("section", { class: "panel focus-card", "aria-label": t("The card in question"), hidden: true }),
    automatic: h("div", { class: "automatic", role: "status", hidden: true }),
    view: h("div", { class: "tools", role: "toolbar", "aria-label": t("View") }),
    tools: h("div", { class: "tools", role: "toolbar", "aria-label": t("Game") }),
    title: h("h1", { class: "unseen" }, t("Table")),
    seats: h("ol", { class: "players", "aria-label": t("Players"), tabindex: "0" }),
    actions: h("section", { class: "panel actions", "aria-label": t("Your choices") }),
    thoughts: h("section", { class: "panel thoughts", "aria-label": t("A bot's thoughts"), hidden: true }),
    news: h("section", { class: "panel news", "aria-label": t("What happened") }),
  };
  fill(main, sheet.title, h("div", { class: "table" },
    h("div", { class: "stage" },
      h("div", { class: "prompt-row" }, sheet.prompt, sheet.clock, sheet.view),
      h("div", { class: "board-scroller" }, sheet.board),
      sheet.strip,
      sheet.seats),
    h("div", { class: "side" }, sheet.tools, sheet.focus, sheet.automatic, sheet.actions, sheet.thoughts, sheet.news)));
  return sheet;
}

// --- views come in -------------------------------------------------------------------------------

/** Show the next view, unhurriedly: several may come at once while bots play. */
function drain(room) {
  if (room.timer || !room.queue.length) return;
  show(room, room.queue.shift());
  if (!room.queue.length && !PACES[room.pace]) return;
  const wait = Math.min(PACES[room.pace] ?? 0, LONGEST_MS / (room.queue.length + 1));
  room.timer = setTimeout(() => { room.timer = 0; drain(room); }, wait);
}

/** Show what has come so far at once. */
function hurry(room) {
  clearTimeout(room.timer);
  room.timer = 0;
  while (room.queue.length) show(room, room.queue.shift());
}

function show(room, view) {
  const began = performance.now();
  const before = room.view;
  if (before && view.version < before.version) return;
  const first = view.events.length ? view.events[0].n : view.next_event;
  room.events.length = Math.min(room.events.length, first);
  room.events.push(...view.events);
  room.fresh = before ? view.events.length : 0;
  room.view = view;
  document.title = `${view.decision !== null ? "● " : ""}${view.title} · Gangland`;
  room.inspector ??= newInspector(room);
  const asked = !before || before.decision !== view.decision || before.to_act !== view.to_act;
  if (asked) room.inspector.close();
  if (asked) notify(view);
  if (before) hear(soundsOf(view.events, view, asked));
  if (before) hearPhrases(view.events);
  if (view.svg) showBoard(room, asked);
  prompt(room);
  players(room);
  updateTools(room);
  room.coach.update();
  showFocus(room);
  showActions(room);
  automaticNotice(room, room.sheet.automatic);
  if (!before || before.decision !== view.decision) fill(room.sheet.thoughts).hidden = true;
  showLog(room);
  if (view.status === "finished") finished(room);
  if (view.status === "waiting") waiting(room);
  room.sheet.title.textContent = view.title;
  room.sheet.board.dataset.version = view.version;
  performance.measure("gangland.view", { start: began });
  automatic(room);
}

/** The large cards need the names of all pieces; until they come, the picture does without. */
function newInspector(room) {
  const inspector = new Inspector(room.sheet.board, room.view.game);
  piecesOf(room.view.game).then((pieces) => {
    room.pieces = inspector.pieces = pieces;
    if (room.view?.svg) showBoard(room, false);
    showFocus(room);
  }).catch(() => {});
  call(`games/${room.view.game}`).then((info) => {
    room.info = info;
    if (room.view.legal.some((action) => action.group === info.about?.dealt)) showActions(room);
  }).catch(() => {});
  return inspector;
}

function showBoard(room, fresh) {
  const { view, sheet } = room;
  const svg = board(view.svg, t("{title}: the table", { title: view.title }), view.game);
  const focused = sheet.board.contains(document.activeElement) ? sameAs(document.activeElement, fresh) : null;
  const old = sheet.board.querySelector("svg");
  const before = old && moves(room.pace) ? places(old) : null;
  fill(sheet.board, svg);
  room.focus = svg.dataset.focus ?? "";
  for (const label of svg.querySelectorAll("[data-seat-name]")) namePlayer(view, label);
  wireBoard(room);
  room.camera.use(svg, { fresh, viewer: view.viewer, actor: view.to_act });
  if (before && !(fresh && room.camera.narrow)) slide(before, svg); // There the frame has moved instead.
  if (focused) svg.querySelector(focused)?.focus({ preventScroll: true });
}

/** Finds an element again in the next picture: the piece, or what the same decision may be made on. */
function sameAs(element, fresh) {
  const name = ["piece", ...(fresh ? [] : ["action", "actions"])].find((one) => element.dataset[one]);
  return name ? `[data-${name}="${CSS.escape(element.dataset[name])}"]` : null;
}

/** Who plays a seat, after its name in the picture, as far as there is room. */
function namePlayer(view, label) {
  const seat = view.seats[Number(label.dataset.seatName)];
  if (!seat?.player) return;
  const you = seat.seat === view.viewer;
  const marked = label.textContent === ""; // A text of its own: the picture says "you" itself.
  const name = seat.kind === "bot" ? "" : seat.player;
  // Measured by counting: asking the browser would lay out the whole picture.
  const room = Number(label.dataset.room) / (WIDE * Number(label.getAttribute("font-size"))) - label.textContent.length;
  const whole = [name, you && !marked ? t("you") : ""].filter(Boolean).join(", ");
  const words = (you && !marked ? [whole, name, t("you")] : [whole]).find((one) => one.length <= room) ?? whole;
  if (!words) return;
  const span = document.createElementNS(SVG, "tspan");
  span.setAttribute("font-weight", "normal");
  span.textContent = `  ${words}`;
  if (room < words.length) span.textContent = room > 3 ? `  ${words.slice(0, room - 1)}…` : "";
  label.append(span);
}

/** The card that everything is about, large, beside the choices. */
function showFocus(room) {
  const { sheet, view, focus } = room;
  const words = focus && view.status === "playing" ? describe(room.pieces, view.game, focus) : [];
  if (sheet.focus.dataset.piece === focus && !sheet.focus.hidden === words.length > 0) return;
  sheet.focus.hidden = !words.length;
  sheet.focus.dataset.piece = focus;
  fill(sheet.focus, words);
}

function prompt(room) {
  const { view, sheet } = room;
  const actor = view.to_act === null ? null : view.seats[view.to_act];
  let words = "";
  if (view.status === "waiting") words = t("Waiting for players");
  else if (view.status === "finished") words = outcome(view);
  else if (view.status === "expired") words = t("Closed: nobody came for too long");
  else if (view.seats[view.viewer]?.conceded) words = t("You have conceded");
  else if (view.away) words = t("A bot plays your seat");
  else if (view.decision !== null) words = view.question || t("Your turn");
  else if (actor) words = t("Waiting for {name} …", { name: actor.name });
  else if (view.status === "playing") words = t("A secret decision …");
  if (sheet.prompt.textContent === words) return;
  sheet.prompt.textContent = words;
  sheet.prompt.classList.toggle("yours", view.decision !== null);
  const said = standing(room.events).slice(room.mark).map((event) => event.text).slice(-6).join(" ");
  if (view.decision !== null || view.status === "finished") announce(`${said} ${words}`);
}

function outcome(view) {
  if (view.result.ending === "agreed") return t("Ended by agreement, nobody won");
  const winners = view.result.standings.filter((one) => one.place === 1).map((one) => one.seat);
  if (view.seats[view.viewer]?.conceded) return t("You have conceded");
  if (winners.length === view.seats.length) return t("Everybody shares the town");
  if (winners.includes(view.viewer)) return winners.length > 1 ? t("You share the win") : t("The town is yours");
  return t("{names} won", { names: winners.map((seat) => view.seats[seat].name).join(", ") });
}

function players(room) {
  const { view, sheet } = room;
  const places = new Map(view.result?.standings.map((one) => [one.seat, one.place]) ?? []);
  fill(sheet.seats, view.seats.map((seat) => {
    const you = seat.seat === view.viewer;
    const who = you ? t("you") : seat.kind === "open" ? seat.player ?? t("open") : seat.kind === "bot" ? botName(seat.bot) : seat.player;
    return h("li", { class: seat.seat === view.to_act ? "acting" : "", "aria-current": seat.seat === view.to_act ? "true" : null },
      h("strong", {}, seat.name), h("small", {}, who),
      places.has(seat.seat) ? h("span", { class: "tag" }, `#${places.get(seat.seat)}`) : null,
      intention(view, seat));
  }));
}

// --- doing things --------------------------------------------------------------------------------

async function act(room, action) {
  const { view } = room;
  if (room.busy || view.decision === null || room.queue.length) return;
  room.busy = true;
  room.focusBack = room.sheet.actions.contains(document.activeElement) || room.sheet.board.contains(document.activeElement);
  room.mark = room.events.length;
  document.body.classList.add("thinking");
  await attempt(() => room.live.ask({ type: "act", decision: view.decision, action }));
  room.busy = false;
  document.body.classList.remove("thinking");
  automatic(room); // The answer may be the next question, which came while this one was busy.
}

function tools(room) {
  const { sheet } = room;
  const button = (id, label, title, onclick) => h("button", { id, type: "button", class: "button small", title, onclick }, label);
  room.buttons = {
    undo: button("undo", t("Undo"), t("Take your last decision back (U)"), () => attempt(() => room.live.ask({ type: "undo" }))),
    hint: button("hint", t("Ask a bot"), t("What would a bot do? (H)"), () => think(room)),
    away: button("leave", t("Leave"), t("A bot takes your seat over"), () => leaveOrReturn(room)),
    ...endingButtons(room),
  };
  const share = button("share", t("Share"), t("Send the link of this table to somebody"), () => invite(room));
  const rules = button("rules", t("Rules"), t("How to play"), () => attempt(() => rulesSheet(room.view.game)));
  const pace = h("select", { id: "pace", "aria-label": t("Pace of the bots"), title: t("Pace of the bots"), onchange: () => {
    room.pace = pace.value;
    localStorage.setItem("gangland.pace", pace.value);
    hurry(room);
  } }, Object.keys(PACES).map((name) => h("option", { value: name, selected: name === room.pace }, PACE_NAMES[name]())));
  room.phrases = phraseList(room);
  fill(sheet.tools, Object.values(room.buttons), room.phrases, room.coach.button, soundButton(), notifyButton());
  fill(sheet.view, rules, share, zoomButtons(room.camera), pace);
  sheet.board.addEventListener("click", () => hurry(room));
}

function updateTools(room) {
  const { view, buttons } = room;
  const playing = view.status === "playing" && view.viewer !== null;
  buttons.undo.disabled = !view.can_undo;
  buttons.hint.disabled = view.decision === null;
  buttons.away.disabled = !playing || Boolean(view.seats[view.viewer]?.conceded);
  buttons.away.textContent = view.away ? t("Come back") : t("Leave");
  for (const name of ["undo", "hint", "away"]) buttons[name].hidden = view.viewer === null || view.status === "finished";
  updateEnding(room);
  updatePhrases(room);
}

function invite(room) {
  return handOn(location.href, room.view?.title ?? "Gangland");
}

async function leaveOrReturn(room) {
  if (room.view.away) {
    await attempt(() => room.live.ask({ type: "return" }));
  } else if (confirm(t("A bot will play your seat until you come back."))) {
    await attempt(() => room.live.ask({ type: "leave" }));
  }
}

async function think(room, bot) {
  if (room.view.decision === null) return;
  room.buttons.hint.disabled = true;
  const hint = await attempt(() => room.live.ask(bot ? { type: "hint", bot } : { type: "hint" }));
  room.buttons.hint.disabled = room.view.decision === null;
  if (!hint || hint.decision !== room.view.decision) return;
  room.info ??= await call(`games/${room.view.game}`);
  showThoughts(room, hint, (other) => think(room, other));
}

function key(room, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) || document.querySelector("dialog[open]")) return;
  if (/^[1-9]$/.test(event.key)) {
    const list = room.sheet.actions.querySelector(".choices");
    if (list) shownChoices(list)[Number(event.key) - 1]?.click();
  } else if (event.key.toLowerCase() === "u" && !room.buttons.undo.disabled) room.buttons.undo.click();
  else if (event.key.toLowerCase() === "h" && !room.buttons.hint.disabled) room.buttons.hint.click();
  else if (event.key.toLowerCase() === "c" && !room.coach.button.disabled) room.coach.ask();
  else if (event.key === "+") room.camera.step(1.5);
  else if (event.key === "-") room.camera.step(1 / 1.5);
  else if (event.key === "0") room.camera.show("");
  else if (event.key === "Escape") hurry(room);
  else walk(room.sheet.board, event);
}

// --- beside the board ----------------------------------------------------------------------------

function waiting(room) {
  const { view, sheet } = room;
  const open = view.seats.filter((seat) => seat.kind === "open");
  if (open.every((seat) => seat.player)) {
    showKept(room, sheet.actions);
    return;
  }
  if (view.viewer !== null) {
    fill(sheet.actions, h("h2", {}, t("Almost there")),
      h("p", {}, tn("{n} open seat. The game begins when everybody is here.", "{n} open seats. The game begins when everybody is here.", open.length)),
      h("button", { class: "button", type: "button", onclick: () => invite(room) }, t("Send the link to friends")));
    return;
  }
  if (sheet.actions.querySelector("form")) return;
  const name = h("input", { id: "name", maxlength: 40, required: true, value: localStorage.getItem("gangland.name") ?? "" });
  const submit = async (event) => {
    event.preventDefault();
    localStorage.setItem("gangland.name", name.value.trim());
    const body = { name: name.value.trim() };
    const seat = await attempt(() => call(`matches/${room.match}/join`, { method: "POST", body }));
    if (!seat) return;
    keepSeat(room.match, { seat: seat.seat, token: seat.token, game: view.game, title: view.title });
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  fill(sheet.actions, h("h2", {}, t("Take a seat")), h("form", { onsubmit: submit },
    h("div", { class: "field" }, h("label", { for: "name" }, t("Your name")), name),
    h("button", { class: "button", type: "submit" }, t("Sit down"))));
}

function finished(room) {
  const { view, sheet, own } = room;
  const agreed = view.result.ending === "agreed";
  const conceded = Boolean(view.seats[view.viewer]?.conceded);
  if (view.viewer !== null && !agreed) note(room.match, view.game, !conceded && view.result.standings.some((one) => one.seat === view.viewer && one.place === 1));
  const rows = view.result.standings.map((one) => h("tr", { class: one.seat === view.viewer ? "own" : "" },
    h("td", { class: "rank" }, one.place),
    h("th", { scope: "row" }, view.seats[one.seat].name, h("small", {}, one.seat === view.viewer ? ` ${t("you")}` : "")),
    h("td", { class: "number" }, one.score_text)));
  fill(sheet.actions,
    h("h2", {}, outcome(view)),
    rematchOffer(room),
    view.result.capped ? h("p", { class: "note" }, t("The game reached the limit on its length.")) : null,
    agreed ? h("p", { class: "note" }, t("Everybody at the table agreed to end the game."))
      : h("table", { class: "board standings" }, h("caption", { class: "unseen" }, t("Final standings")), h("tbody", {}, rows)),
    h("div", { class: "buttons" },
      rematchButtons(room),
      own ? h("a", { class: "button small", href: `#/m/${room.match}/review`, id: "review" }, t("Review the game")) : null,
      h("a", { class: "button small", href: `#/m/${room.match}/replay` }, t("Watch the replay")),
      h("a", { class: "button small", href: "#/" }, t("Lobby"))));
}

function tick(room) {
  const clock = room.view?.clock;
  if (!clock) {
    room.sheet.clock.textContent = "";
    room.clockOf = null;
    return;
  }
  if (room.clockOf !== clock) {
    room.clockOf = clock;
    room.clockEnds = Date.now() + clock.left * 1000;
  }
  const left = Math.max(0, Math.ceil((room.clockEnds - Date.now()) / 1000));
  room.sheet.clock.textContent = left >= 3600 ? `${Math.floor(left / 3600)} h` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  room.sheet.clock.classList.toggle("urgent", left <= 10);
}

function lost(main, room, error) {
  if (error.code === "not_found") dropSeat(room.match);
  if (error.code !== "not_found" && error.code !== "unauthorized") {
    toast(error.message);
    return;
  }
  fill(main, h("div", { class: "empty" }, h("h1", {}, t("No such table")), h("p", {}, error.message),
    h("p", {}, h("a", { class: "button", href: "#/" }, t("To the lobby")))));
}
