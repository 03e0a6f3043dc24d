// A match: the board, what may be done, what has happened, and what a bot thinks of it.

import { call, dropSeat, keepSeat, Live, ownSeats } from "./api.js";
import { showActions, wireBoard } from "./actions.js";
import { announce, botName, copy, fill, h, picture, toast } from "./dom.js";
import { create } from "./lobby.js";
import { note } from "./record.js";
import { rulesSheet } from "./rules.js";
import { showThoughts } from "./thoughts.js";

const PACES = { instant: 0, brisk: 450, slow: 1100 };
const LONGEST_MS = 4000;
const FRESH = 14;
const ZOOMS = [1, 1.5, 2.2];

export async function table(main, match) {
  const own = ownSeats()[match];
  const room = {
    match, own, view: null, events: [], mark: 0, queue: [], timer: 0, busy: false, zoom: 0,
    pace: localStorage.getItem("gangland.pace") ?? "brisk", sheet: frame(main),
  };
  room.act = (action) => act(room, action);
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
    document.body.classList.remove("offline");
    room.live.close();
  };
}

/** The parts of the page. */
function frame(main) {
  const sheet = {
    prompt: h("div", { class: "prompt", id: "prompt" }),
    clock: h("span", { class: "clock" }),
    board: h("div", { class: "board", tabindex: "-1" }),
    view: h("div", { class: "tools", role: "toolbar", "aria-label": "View" }),
    tools: h("div", { class: "tools", role: "toolbar", "aria-label": "Game" }),
    seats: h("ol", { class: "players", "aria-label": "Players" }),
    actions: h("section", { class: "panel actions", "aria-label": "Your choices" }),
    thoughts: h("section", { class: "panel thoughts", "aria-label": "A bot's thoughts", hidden: true }),
    news: h("section", { class: "panel news", "aria-label": "What happened" }),
  };
  fill(main, h("div", { class: "table" },
    h("div", { class: "stage" },
      h("div", { class: "prompt-row" }, sheet.prompt, sheet.clock, sheet.view),
      h("div", { class: "board-scroller" }, sheet.board),
      sheet.seats),
    h("div", { class: "side" }, sheet.tools, sheet.thoughts, sheet.actions, sheet.news)));
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
  const before = room.view;
  if (before && view.version < before.version) return;
  const first = view.events.length ? view.events[0].n : view.next_event;
  room.events.length = Math.min(room.events.length, first);
  room.events.push(...view.events);
  if (!before) room.mark = Math.max(0, room.events.length - 8);
  room.view = view;
  document.title = `${view.decision !== null ? "● " : ""}${view.title} · Gangland`;
  const { board } = room.sheet;
  if (view.svg) fill(board, picture(view.svg, `${view.title}: the table`));
  wireBoard(room);
  prompt(room);
  players(room);
  updateTools(room);
  showActions(room);
  if (!before || before.decision !== view.decision) fill(room.sheet.thoughts).hidden = true;
  news(room);
  if (view.status === "finished") finished(room);
  if (view.status === "waiting") waiting(room);
  room.sheet.board.dataset.version = view.version;
}

function prompt(room) {
  const { view, sheet } = room;
  const actor = view.to_act === null ? null : view.seats[view.to_act];
  let words = "";
  if (view.status === "waiting") words = "Waiting for players";
  else if (view.status === "finished") words = outcome(view);
  else if (view.status === "expired") words = "Closed: nobody came for too long";
  else if (view.away) words = "A bot plays your seat";
  else if (view.decision !== null) words = "Your turn";
  else if (actor) words = `${actor.name} decides …`;
  else if (view.status === "playing") words = "A secret decision …";
  if (sheet.prompt.textContent === words) return;
  sheet.prompt.textContent = words;
  sheet.prompt.classList.toggle("yours", view.decision !== null);
  const said = room.events.slice(room.mark).map((event) => event.text).slice(-6).join(" ");
  if (view.decision !== null || view.status === "finished") announce(`${said} ${words}.`);
}

function outcome(view) {
  const winners = view.result.standings.filter((one) => one.place === 1).map((one) => one.seat);
  if (winners.length === view.seats.length) return "Everybody shares the town";
  if (winners.includes(view.viewer)) return winners.length > 1 ? "You share the win" : "The town is yours";
  return `${winners.map((seat) => view.seats[seat].name).join(" and ")} won`;
}

function players(room) {
  const { view, sheet } = room;
  const places = new Map(view.result?.standings.map((one) => [one.seat, one.place]) ?? []);
  fill(sheet.seats, view.seats.map((seat) => {
    const you = seat.seat === view.viewer;
    const who = you ? "you" : seat.kind === "open" ? "open" : seat.kind === "bot" ? botName(seat.bot) : seat.player;
    return h("li", { class: seat.seat === view.to_act ? "acting" : "", "aria-current": seat.seat === view.to_act ? "true" : null },
      h("strong", {}, seat.name), h("small", {}, who),
      places.has(seat.seat) ? h("span", { class: "tag" }, `#${places.get(seat.seat)}`) : null);
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
}

/** Do it; what goes wrong is said. */
async function attempt(doing) {
  try {
    return await doing();
  } catch (error) {
    toast(error.message);
    return null;
  }
}

function tools(room) {
  const { sheet } = room;
  const button = (id, label, title, onclick) => h("button", { id, type: "button", class: "button small", title, onclick }, label);
  room.buttons = {
    undo: button("undo", "Undo", "Take your last decision back (U)", () => attempt(() => room.live.ask({ type: "undo" }))),
    hint: button("hint", "Ask a bot", "What would a bot do? (H)", () => think(room)),
    away: button("leave", "Leave", "A bot takes your seat over", () => leaveOrReturn(room)),
  };
  const share = button("share", "Share", "Copy the link of this table", () => copy(location.href));
  const zoom = button("zoom", "Zoom", "Enlarge the board", () => {
    room.zoom = (room.zoom + 1) % ZOOMS.length;
    sheet.board.style.width = room.zoom ? `${100 * ZOOMS[room.zoom]}%` : "";
    zoom.textContent = room.zoom ? `Zoom ${ZOOMS[room.zoom]}×` : "Zoom";
  });
  const rules = button("rules", "Rules", "How to play", () => attempt(() => rulesSheet(room.view.game)));
  const pace = h("select", { id: "pace", "aria-label": "Pace of the bots", title: "Pace of the bots", onchange: () => {
    room.pace = pace.value;
    localStorage.setItem("gangland.pace", pace.value);
    hurry(room);
  } }, Object.keys(PACES).map((name) => h("option", { value: name, selected: name === room.pace }, name)));
  fill(sheet.tools, Object.values(room.buttons));
  fill(sheet.view, rules, share, zoom, pace);
  sheet.board.addEventListener("click", () => hurry(room));
}

function updateTools(room) {
  const { view, buttons } = room;
  const playing = view.status === "playing" && view.viewer !== null;
  buttons.undo.disabled = !view.can_undo;
  buttons.hint.disabled = view.decision === null;
  buttons.away.disabled = !playing;
  buttons.away.textContent = view.away ? "Come back" : "Leave";
  for (const name of ["undo", "hint", "away"]) buttons[name].hidden = view.viewer === null || view.status === "finished";
}

async function leaveOrReturn(room) {
  if (room.view.away) {
    await attempt(() => room.live.ask({ type: "return" }));
  } else if (confirm("A bot will play your seat until you come back.")) {
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
    room.sheet.actions.querySelectorAll("li:not([hidden]) button[data-id]")[Number(event.key) - 1]?.click();
  } else if (event.key.toLowerCase() === "u" && !room.buttons.undo.disabled) room.buttons.undo.click();
  else if (event.key.toLowerCase() === "h" && !room.buttons.hint.disabled) room.buttons.hint.click();
  else if (event.key === "Escape") hurry(room);
}

// --- beside the board ----------------------------------------------------------------------------

function news(room) {
  const from = Math.max(room.mark, room.events.length - FRESH);
  const fresh = room.events.slice(from);
  const old = room.events.slice(0, from);
  const line = (event) => h("li", { class: `event ${event.kind}` }, event.text);
  const log = room.sheet.news.querySelector("details")?.open;
  fill(room.sheet.news,
    h("h2", {}, room.view.viewer === null ? "What happened" : "Since your last decision"),
    fresh.length ? h("ol", { class: "fresh" }, fresh.map(line)) : h("p", { class: "note" }, "All quiet."),
    old.length ? h("details", { open: log }, h("summary", {}, `Before that (${old.length})`),
      h("ol", { class: "old", tabindex: "0" }, old.toReversed().map(line))) : null);
}

function waiting(room) {
  const { view, sheet } = room;
  const open = view.seats.filter((seat) => seat.kind === "open");
  if (view.viewer !== null) {
    fill(sheet.actions, h("h2", {}, "Almost there"),
      h("p", {}, `${open.length} open seat${open.length === 1 ? "" : "s"}. The game begins when everybody is here.`),
      h("button", { class: "button", type: "button", onclick: () => copy(location.href) }, "Copy the link for friends"));
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
  fill(sheet.actions, h("h2", {}, "Take a seat"), h("form", { onsubmit: submit },
    h("div", { class: "field" }, h("label", { for: "name" }, "Your name"), name),
    h("button", { class: "button", type: "submit" }, "Sit down")));
}

function finished(room) {
  const { view, sheet, own } = room;
  if (view.viewer !== null) note(room.match, view.game, view.result.standings.some((one) => one.seat === view.viewer && one.place === 1));
  const rows = view.result.standings.map((one) => h("tr", { class: one.seat === view.viewer ? "own" : "" },
    h("td", { class: "rank" }, one.place),
    h("th", { scope: "row" }, view.seats[one.seat].name, h("small", {}, one.seat === view.viewer ? " you" : "")),
    h("td", { class: "number" }, one.score_text)));
  fill(sheet.actions,
    h("h2", {}, outcome(view)),
    view.result.capped ? h("p", { class: "note" }, "The rules' limit on length ended it.") : null,
    h("table", { class: "board standings" }, h("caption", { class: "unseen" }, "Final standings"), h("tbody", {}, rows)),
    h("div", { class: "buttons" },
      own?.wanted ? h("button", { class: "button", type: "button", id: "again",
        onclick: () => attempt(() => create(own.wanted, view.title)) }, "Play again") : null,
      h("a", { class: "button small", href: `#/m/${room.match}/replay` }, "Watch the replay"),
      h("a", { class: "button small", href: "#/" }, "Lobby")));
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
  fill(main, h("div", { class: "empty" }, h("h1", {}, "No such table"), h("p", {}, error.message),
    h("p", {}, h("a", { class: "button", href: "#/" }, "To the lobby"))));
}
