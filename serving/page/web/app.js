// Which page is shown: the part of the address after #.

import { call } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { N_, chooseLanguage, languages, loadLanguage, t } from "./i18n.js";
import { leaderboard } from "./leaderboard.js";
import { lobby } from "./lobby.js";
import { guide } from "./learn/guide.js";
import { review } from "./learn/review.js";
import { replay } from "./replay.js";
import { rules } from "./rules.js";
import { table } from "./table.js";

const THEMES = [N_("auto"), N_("light"), N_("dark")];
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const PAGES = [
  [/^#?\/?$/, lobby, "lobby", N_("Play")],
  [/^#\/leaderboard(?:\/(\w+))?$/, leaderboard, "leaderboard", N_("Leaderboard")],
  [/^#\/rules\/(\w+)$/, rules, "rules", N_("Rules")],
  [/^#\/learn\/(\w+)$/, guide, "guide", N_("First game")],
  [/^#\/m\/([\w-]+)$/, table, "table", N_("Table")],
  [/^#\/m\/([\w-]+)\/replay(?:\/(\d+))?$/, replay, "replay", N_("Replay")],
  [/^#\/m\/([\w-]+)\/review$/, review, "review", N_("Review")],
];

/** Pages about a game: what stands before its id in the address. */
const OF_A_GAME = new Map([["leaderboard", "leaderboard"], ["rules", "rules"], ["guide", "learn"]]);

const main = document.getElementById("main");
let leave = null;

/** Show the page of the address; the page before cleans up. */
async function show() {
  leave?.();
  leave = null;
  const found = PAGES.map(([form, ...page]) => [location.hash.match(form), ...page]);
  const [match, page, name, title] = found.find(([hit]) => hit) ?? [[], nowhere, "", N_("Not found")];
  document.title = `${t(title)} · Gangland`;
  document.body.dataset.page = name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.page === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  // A place of its own: a page that is left while it still waits for the server fills what nobody sees.
  const place = h("div", { style: "display: contents" });
  fill(main, place);
  window.scrollTo(0, 0);
  let gone = false;
  leave = () => {
    gone = true;
  };
  try {
    const clean = await page(place, ...match.slice(1));
    if (gone) clean?.();
    else leave = clean;
  } catch (error) {
    const games = error.code === "not_found" && OF_A_GAME.has(name) ? await gamesFor(name) : [];
    if (gone) return;
    if (games.length && !games.some((one) => one.game === match[1])) noSuchGame(place, name, match[1], games);
    else {
      fill(place, h("div", { class: "empty" }, h("h1", {}, t("That did not work")), h("p", {}, error.message), home()));
      announce(error.message);
    }
  }
}

/** The games that have a page of this name; none if the server cannot be asked. */
async function gamesFor(name) {
  const { games } = await call("games").catch(() => ({ games: [] }));
  return name === "guide" ? games.filter((one) => one.lesson) : games;
}

function noSuchGame(place, name, wanted, games) {
  const words = t("There is no game “{game}”.", { game: wanted });
  fill(place, h("div", { class: "empty" }, h("h1", {}, words), h("p", {}, t("These are the games:")),
    h("ul", { class: "other-games" }, games.map((one) => h("li", {}, h("a", { href: `#/${OF_A_GAME.get(name)}/${one.game}` }, one.title)))), home()));
  announce(words);
}

function home() {
  return h("p", {}, h("a", { class: "button", href: "#/" }, t("To the lobby")));
}

function nowhere(place) {
  fill(place, h("div", { class: "empty" }, h("h1", {}, t("Nothing here")), home()));
}

function paint() {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function labelTheme() {
  const button = document.getElementById("theme");
  button.textContent = SIGNS[theme];
  button.title = t("Colours: {theme}", { theme: t(theme) });
  button.setAttribute("aria-label", t("Colours: {theme}; change", { theme: t(theme) }));
}

function nextTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  localStorage.setItem("gangland.theme", theme);
  paint();
  labelTheme();
}

/** The frame of the page, and a list of languages if there are several. */
async function setLanguage() {
  const known = await languages();
  const language = await loadLanguage(known);
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.textContent);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.getAttribute("aria-label")));
  if (Object.keys(known).length < 2) return;
  const list = h("select", { id: "language", "aria-label": t("Language"), onchange: () => chooseLanguage(list.value) },
    Object.entries(known).map(([code, name]) => h("option", { value: code, lang: code, selected: code === language }, name)));
  document.getElementById("theme").before(list);
}

const kept = localStorage.getItem("gangland.theme");
let theme = THEMES.includes(kept) ? kept : "auto";
paint(); // Before anything is waited for, so that no other colours flash up and no click is lost.
document.getElementById("theme").onclick = nextTheme;
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // The part after # says which page is shown.
  main.focus();
});
await setLanguage();
labelTheme();
addEventListener("hashchange", show);
show();
