// What the server says, in the reader's language: what a game says by the game's own catalogue, what
// the server says of players by the page's.

import { language, N_, SOURCE, t } from "./i18n.js";
import { Translator } from "./spoken.js";

const TEXT = "text";
const ACTION = { sentence: TEXT };
const TRIED = { reason: TEXT, action: ACTION };
const ASSESSED = { played: TRIED, best: [TRIED] };
const SCENE = { title: TEXT, text: TEXT };
const GAME = { title: TEXT, about: { pitch: TEXT, presets: [{ name: TEXT, doc: TEXT }] }, options: [{ doc: TEXT }] };
const MATCH = { title: TEXT, seats: [{ name: TEXT }], result: { standings: [{ score_text: TEXT }] } };
/** What people read in a message, by its type; a list stands for everything in an array or an object. */
const READ = {
  game: GAME,
  games: GAME,
  match: MATCH,
  matches: MATCH,
  pieces: { pieces: [{ name: TEXT, kind: TEXT, facts: [[TEXT]], text: [TEXT] }] },
  summary: { title: TEXT, goal: SCENE, turn: SCENE, win: SCENE, things: [{ text: TEXT }] },
  lesson: { title: TEXT, scene: SCENE, events: [TEXT], question: TEXT, play: ACTION, why: TEXT, reason: TEXT },
  view: { ...MATCH, legal: [ACTION], question: TEXT, turn: TEXT, events: [{ text: TEXT, turn: TEXT }] },
  hint: { action: ACTION, thoughts: [ACTION] },
  coach: { assessment: ASSESSED },
  review: { curve: [{ turn: TEXT }], costly: [ASSESSED] },
  frame: { action: ACTION, events: [TEXT] },
};
/** What people can say to each other. */
export const PHRASES = {
  hello: N_("Hello!"),
  good_luck: N_("Good luck!"),
  well_played: N_("Well played!"),
  thanks: N_("Thank you!"),
  sorry: N_("Sorry!"),
  one_moment: N_("One moment, please."),
  ouch: N_("Ouch!"),
  revenge: N_("You will pay for that!"),
  good_game: N_("Good game!"),
};
/** What the server says of players: seats have names of the game, which may be translated, people have not. */
const OF_PLAYERS = [
  N_("Time is up: the server has decided."),
  N_("{who} takes a decision back."),
  N_("A bot sits down as {seat}."),
  N_("{who} sits down as {seat}."),
  N_("{who} declines the rematch."),
  N_("{who} asks for a rematch."),
  N_("{who} concedes; a bot plays on for {seat}."),
  N_("{who} agrees to end the match."),
  N_("{who} wants to play on after all."),
  N_("{who} says: {phrase}"),
  N_("{who} leaves; a bot plays on for {seat}."),
  N_("The bot is late; another bot plays on for {seat}."),
  N_("The bot fails; another bot plays on for {seat}."),
  N_("The bot is back as {seat}."),
  N_("{who} is back as {seat}."),
  N_("The match is over: everybody agreed to end it."),
  N_("The match is over: {seats} win."),
  N_("The match is over: {seat} wins."),
].map((words) => [new RegExp(`^${words.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`), words]);
const MARK = 2; // So many letters are the mark on a piece, which has its own width.
const NAMES = ["data-now", "data-name", "aria-label"];

const translators = new Map();
const loading = new Map();
const languages = new Map();
const gameOf = new Map();

/** A text of a game in the reader's language; the game's catalogue comes with the first message about it. */
export function say(game, text) {
  return translators.get(game)?.translate(text) ?? text;
}

/** What the server sent, in English, for those who look for words in it. */
export function original(message, field) {
  return message.english?.[field] ?? message[field];
}

/**
 * Translate a message in place, and keep in `english` what stood there.
 * @param {Function} ask Asks the server for something more.
 * @param {string} [match] The match of a message that does not name it.
 */
export async function translated(message, ask, match = "") {
  const shape = READ[message.type];
  if (language() === SOURCE || !shape) return message;
  const parts = (message.games ?? message.matches ?? [message]).map((part) => [part, gameFor(part, match)]);
  await Promise.all(parts.map(([, game]) => game && load(game, ask)));
  for (const [part, game] of parts) if (translators.has(game)) walk(part, shape, (text, name, owner) => spoken(game, text, name, owner));
  return message;
}

function gameFor(part, match) {
  if (part.languages) languages.set(part.game, part.languages);
  if (part.match && part.game) gameOf.set(part.match, part.game);
  return part.game ?? gameOf.get(part.match ?? match);
}

/** Fetch a game's catalogue once; without it, the game speaks English. */
function load(game, ask) {
  if (!loading.has(game)) loading.set(game, fetchTexts(game, ask).catch(() => loading.delete(game)));
  return loading.get(game);
}

async function fetchTexts(game, ask) {
  const known = languages.get(game) ?? (await ask(`games/${game}`)).languages;
  if (!known.includes(language())) return;
  const { texts } = await ask(`games/${game}/texts/${language()}`);
  translators.set(game, new Translator(texts));
}

function walk(place, shape, change) {
  if (!place) return;
  const inside = Array.isArray(shape) ? Object.keys(place).map((name) => [name, shape[0]]) : Object.entries(shape);
  for (const [name, inner] of inside) {
    const value = place[name];
    if (inner !== TEXT) walk(value, inner, change);
    else if (value) put(place, name, change(value, name, place));
  }
}

function put(place, name, said) {
  if (!Array.isArray(place)) place.english = { ...place.english, [name]: place[name] };
  place[name] = said;
}

function spoken(game, text, name, owner) {
  const ofPlayers = name === "text" && ["seat", "say", "clock", "undo", "end"].includes(owner.kind);
  if (!ofPlayers) return say(game, text);
  for (const [form, words] of OF_PLAYERS) {
    const hit = form.exec(text)?.groups;
    if (form.test(text)) return t(words, { ...hit, ...said(game, hit) });
  }
  return text;
}

function said(game, { seat, seats, phrase } = {}) {
  const translator = translators.get(game);
  return { seat: seat && translator.value(seat), seats: seats && translator.value(seats), phrase: phrase && t(phrase) };
}

/** Translate the labels of a picture that is about to be shown. */
export function translateLabels(svg, game) {
  const translator = translators.get(game);
  if (!translator) return;
  for (const group of svg.querySelectorAll("[data-words]")) {
    const said = translator.translate(group.dataset.words);
    if (said !== group.dataset.words) breakAnew(group, said);
  }
  const texts = document.createTreeWalker(svg, NodeFilter.SHOW_TEXT, ({ parentElement: around }) =>
    (around.matches("text, tspan, title") && !around.closest("[data-words]") ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT));
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const words = node.data.trim();
    const other = translator.translate(words);
    if (other === words) continue;
    node.data = node.data.replace(words, () => other);
    if (Math.max(words.length, other.length) > MARK) unfit(node.parentElement);
  }
  for (const name of NAMES) {
    for (const element of svg.querySelectorAll(`[${name}]`)) {
      const lines = element.getAttribute(name).split("\n");
      element.setAttribute(name, lines.map((line) => translator.translate(line)).join("\n"));
    }
  }
}

/** A sentence of several lines, in as many of them as before, the longest as short as can be. */
function breakAnew(group, said) {
  const lines = [...group.querySelectorAll("text")];
  const whole = !lines.at(-1).textContent.endsWith("…"); // Otherwise what is too much is left out again.
  let room = whole ? Math.ceil(said.length / lines.length) : Math.max(...lines.map((line) => line.textContent.length));
  let parts = wrapped(said, room);
  while (whole && parts.length > lines.length) parts = wrapped(said, (room += 1));
  if (parts.length > lines.length) parts[lines.length - 1] = `${parts.slice(lines.length - 1).join(" ").slice(0, room - 1)}…`;
  lines.forEach((line, k) => { line.textContent = parts[k] ?? ""; unfit(line); });
}

/** Leave the width of a label to fit.js: the picture knows that of the English words. */
function unfit(label) {
  label.removeAttribute("textLength");
}

/** Words in lines of at most so many letters; a longer word stands alone. */
function wrapped(said, room) {
  const lines = [""];
  for (const word of said.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= room || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
