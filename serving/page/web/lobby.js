// The lobby: choose a game, who sits where, and the options; go on with games begun; watch.

import { wishFast } from "./amounts.js";
import { call, keepSeat } from "./api.js";
import { botName, botWords } from "./bots.js";
import { fill, h, ornament, toast } from "./dom.js";
import { N_, t } from "./i18n.js";
import { recordOf } from "./record.js";
import { say } from "./speech.js";
import { showTables } from "./tables.js";

const WEIGHTS = { light: N_("light rules"), medium: N_("medium rules"), heavy: N_("heavy rules") };
const YOU = "you";
const OPEN = "open";
const HARD = "bot:hard"; // The game's default bot under the name that people know.
const CLOCKS = [
  ["none", () => t("No clock"), null],
  ["30", () => t("30 seconds a decision"), { per_decision: 30 }],
  ["90", () => t("90 seconds a decision"), { per_decision: 90 }],
  ["day", () => t("A day a decision"), { per_decision: 86400, expired: "bot" }],
];

export async function lobby(main) {
  const { games } = await call("games");
  const asked = localStorage.getItem("gangland.game");
  const room = { games, game: games.find((game) => game.game === asked) ?? games[0] };
  room.cards = h("div", { class: "cards", role: "radiogroup", "aria-label": t("Game") });
  room.setup = h("section", { class: "panel setup", "aria-label": t("Your table") });
  room.lists = h("div", { class: "lists" });
  room.chosen = h("strong", {});
  fill(
    main,
    h("section", { class: "hero" },
      h("div", {},
        h("p", { class: "overline" }, t("Five seats. No friends.")),
        h("h1", {}, t("Run the town.")),
        h("p", { class: "lead" },
          t("Gangster board games against bots that learned them by playing themselves, and against anybody you send a link to. No account.")),
      ),
    ),
    h("div", { class: "columns" }, h("div", { class: "games" }, h("h2", {}, t("The games")), room.cards), room.setup, room.lists),
    h("div", { class: "start" }, h("div", {}, room.chosen, h("button", { class: "button", type: "submit", form: "table-to-be", id: "start" }, t("Start the game")))),
  );
  for (const game of games) room.cards.append(card(room, game));
  choose(room, room.game);
  await showTables(room.lists);
  const timer = setInterval(() => showTables(room.lists), 10_000);
  return () => clearInterval(timer);
}

function card(room, game) {
  const seats = game.min_players === game.max_players
    ? t("{n} seats", { n: game.min_players }) : t("{low} to {high} seats", { low: game.min_players, high: game.max_players });
  const { played, won } = recordOf(game.game);
  const { about } = game;
  const facts = about ? [seats, t("{low} to {high} min", { low: about.minutes[0], high: about.minutes[1] }), t(WEIGHTS[about.weight] ?? about.weight)] : [seats];
  return h("label", { class: "card", "data-game": game.game },
    h("input", { type: "radio", name: "game", value: game.game, class: "unseen",
      checked: game === room.game, onchange: () => choose(room, game) }),
    about ? h("span", { class: "emblem" }, ornament(about.emblem))
      : h("span", { class: "monogram", "aria-hidden": "true" }, game.title.replace(/^(the|dominate the) /i, "")[0]),
    h("span", { class: "card-words" },
      h("strong", {}, game.title),
      h("small", {}, facts.join(" · ")),
      about ? h("span", { class: "pitch" }, about.pitch) : null,
      played ? h("small", { class: "record" }, t("You won {won} of {played}", { won, played })) : null));
}

// --- the table to be ---------------------------------------------------------------------------

function choose(room, game) {
  room.game = game;
  localStorage.setItem("gangland.game", game.game);
  room.preset = game.about?.presets[0];
  setOptions(room);
  room.own = 0;
  room.others = new Map();
  room.roles = [];
  showSetup(room);
}

/** The defaults, and what the kind of game asks for. */
function setOptions(room) {
  const defaults = room.game.options.map((option) => [option.name, option.default]);
  room.options = { ...Object.fromEntries(defaults), ...room.preset?.options };
}

/** What differs from the defaults. */
function changed(room) {
  const options = room.game.options.filter((option) => room.options[option.name] !== option.default);
  return Object.fromEntries(options.map((option) => [option.name, room.options[option.name]]));
}

/** Ask for the seats that a table with these options has. */
function askSeats(room) {
  const asked = fetchSeats(room, () => room.asked === asked);
  room.asked = asked;
  return asked;
}

/** Answers may come in another order than the questions: only the last one's is shown. */
async function fetchSeats(room, isLast) {
  try {
    const body = { options: changed(room) };
    const { roles } = await call(`games/${room.game.game}/table`, { method: "POST", body });
    if (!isLast()) return;
    room.roles = roles;
    showSeats(room);
  } catch (error) {
    toast(error.message);
  }
}

function showSetup(room) {
  const { game } = room;
  const [first, ...others] = game.options;
  const name = h("input", { id: "name", maxlength: 40, autocomplete: "nickname",
    value: localStorage.getItem("gangland.name") ?? "", placeholder: t("Player") });
  name.addEventListener("change", () => localStorage.setItem("gangland.name", name.value.trim()));
  room.name = name;
  room.clock = h("select", { id: "clock" }, CLOCKS.map(([value, label]) => h("option", { value }, label())));
  room.seats = h("ol", { class: "seats", start: 0 });
  room.bots = h("dl", { class: "note who" });
  fill(room.setup,
    h("div", { class: "heading-row" }, h("h2", {}, t("Your table")), h("a", { href: `#/rules/${game.game}` }, t("How to play")),
      game.lesson ? h("a", { href: `#/learn/${game.game}`, id: "learn" }, t("Guided first game")) : null),
    h("p", { class: "subtitle" }, game.title),
    presets(room),
    h("form", { id: "table-to-be", onsubmit: (event) => { event.preventDefault(); start(room); } },
      field("name", t("Your name"), name),
      first.low === first.high ? null : optionField(room, first),
      h("fieldset", {}, h("legend", {}, t("Who sits where")), room.seats, room.bots,
        h("p", { class: "note" }, t("An open seat is for a friend: you get a link to send."))),
      fastDeal(room),
      h("details", {}, h("summary", {}, t("Options and clock")),
        others.map((option) => optionField(room, option)),
        field("clock", t("Clock"), room.clock))));
  room.chosen.textContent = game.title;
  askSeats(room);
}

/** Kinds of game, each a set of options. */
function presets(room) {
  const kinds = room.game.about?.presets ?? [];
  if (kinds.length < 2) return null;
  return h("fieldset", { class: "presets" }, h("legend", { class: "unseen" }, t("Kind of game")),
    kinds.map((preset) => h("label", { class: "preset", title: preset.doc },
      h("input", { type: "radio", name: "preset", class: "unseen", checked: preset === room.preset,
        onchange: () => { room.preset = preset; setOptions(room); showSetup(room); room.setup.querySelector(".preset input:checked")?.focus(); } }),
      preset.name)),
    h("p", { class: "note" }, room.preset.doc));
}

/** Whether a bot does one's bidding in the auctions with which a game begins. */
function fastDeal(room) {
  if (!room.game.about?.dealt) return null;
  const box = h("input", { id: "fast", type: "checkbox", checked: localStorage.getItem("gangland.fast") === "1", "aria-describedby": "fast-note",
    onchange: () => localStorage.setItem("gangland.fast", box.checked ? "1" : "0") });
  return h("div", { class: "field check" }, box, h("label", { for: "fast" }, t("Fast deal")),
    h("small", { id: "fast-note" }, t("A bot does your bidding in the opening auctions. You can stop it at the table.")));
}

function field(id, label, control, note) {
  return h("div", { class: "field" }, h("label", { for: id }, label), control,
    note ? h("small", { id: `${id}-note` }, note) : null);
}

function optionField(room, option) {
  const id = `option-${option.name}`;
  const words = (name) => say(room.game.game, String(name).replaceAll("_", " "));
  const label = words(option.name);
  const set = (value) => { room.options[option.name] = value; askSeats(room); };
  const described = { id, "aria-describedby": `${id}-note` };
  if (option.flag) {
    const box = h("input", { ...described, type: "checkbox", checked: room.options[option.name] === true,
      onchange: () => set(box.checked) });
    return h("div", { class: "field check" }, box, h("label", { for: id }, label),
      h("small", { id: `${id}-note` }, option.doc));
  }
  if (option.low === null || (option.words.length === 0 && option.high - option.low <= 12)) {
    const numbers = option.low === null ? [] : range(option.low, option.high);
    const values = [...option.words, ...numbers];
    const control = h("select", { ...described, onchange: () => set(values[control.selectedIndex]) },
      values.map((value) => h("option", { selected: value === room.options[option.name] }, words(value))));
    return field(id, label, control, option.doc);
  }
  const others = option.words.map((word) => `, ${words(word)}`).join("");
  const read = (typed) => (/^-?\d+$/.test(typed) ? Number(typed) : option.words.find((word) => words(word) === typed) ?? typed);
  const control = h("input", { ...described, value: words(room.options[option.name]), inputmode: option.words.length ? "text" : "numeric",
    onchange: () => set(read(control.value.trim())) });
  return field(id, label, control, `${option.doc} (${t("{low} to {high}", { low: option.low, high: option.high })}${others})`);
}

function range(low, high) {
  return Array.from({ length: high - low + 1 }, (_, k) => low + k);
}

function showSeats(room) {
  room.own = Math.min(room.own, room.roles.length - 1);
  const parts = new Set(room.roles).size > 1;
  fill(room.seats, room.roles.map((role, seat) => {
    const chosen = seat === room.own ? YOU : sitter(room, seat);
    const control = h("select", { "aria-label": t("Seat {n}", { n: seat + 1 }), "data-seat": seat, title: room.game.bots.some((bot) => bot.spec === chosen) ? botWords(chosen) : null, onchange: () => sit(room, seat, control.value) },
      h("option", { value: YOU, selected: chosen === YOU }, t("You")),
      h("option", { value: OPEN, selected: chosen === OPEN }, t("Open seat")),
      h("optgroup", { label: t("Bots") }, room.game.bots.map((bot) =>
        h("option", { value: bot.spec, title: botWords(bot.spec), selected: chosen === bot.spec }, botName(bot.spec)))));
    return h("li", { class: seat === room.own ? "own" : "" }, control, parts ? h("small", {}, say(room.game.game, role)) : null);
  }));
  const seated = room.game.bots.filter((bot) => room.roles.some((_, seat) => seat !== room.own && sitter(room, seat) === bot.spec));
  fill(room.bots, seated.map((bot) => h("div", {}, h("dt", {}, botName(bot.spec)), h("dd", {}, botWords(bot.spec)))));
}

/** Who sits on a seat that is not one's own: a bot's spec, or nobody yet. */
function sitter(room, seat) {
  const { bots, default_bot } = room.game;
  return room.others.get(seat) ?? bots.find((bot) => bot.spec === HARD)?.spec ?? default_bot;
}

function sit(room, seat, value) {
  if (value === YOU) {
    room.others.set(room.own, sitter(room, seat));
    room.own = seat;
  } else if (seat === room.own) {
    toast(t("Take another seat first: choose “You” there."));
  } else {
    room.others.set(seat, value);
  }
  showSeats(room);
}

async function start(room) {
  await room.asked; // Options may have been changed a moment ago.
  if (!room.roles.length) await askSeats(room);
  const name = room.name.value.trim() || t("Player");
  const seats = room.roles.map((_, seat) => {
    if (seat === room.own) return { kind: "human", name };
    const value = sitter(room, seat);
    return value === OPEN ? { kind: OPEN } : { kind: "bot", bot: value };
  });
  const clock = CLOCKS.find(([value]) => value === room.clock.value)[2];
  const listed = seats.some((seat) => seat.kind === "open"); // A game against bots is one's own affair.
  const wanted = { game: room.game.game, seats, options: changed(room), clock, listed };
  const fast = Boolean(room.game.about?.dealt) && localStorage.getItem("gangland.fast") === "1";
  try {
    await create(wanted, room.game.title, fast);
  } catch (error) {
    toast(error.message);
  }
}

/** Create a match, keep one's seat and go there. */
async function create(wanted, title, fast = false) {
  const made = await call("matches", { method: "POST", body: wanted });
  const [{ seat, token }] = made.tokens;
  keepSeat(made.match, { seat, token, game: wanted.game, title, fast });
  if (fast) wishFast(made.match);
  location.hash = `#/m/${made.match}`;
}
