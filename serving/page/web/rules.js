// The rules of a game: a page of its own, and a sheet over the table. Chapters of passages for
// people, with the exact wording behind each; games without chapters show the exact wording.

import { call } from "./api.js";
import { fill, h } from "./dom.js";
import { language, t } from "./i18n.js";
import { summaryOf } from "./learn/summary.js";

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/;
const books = new Map();

export async function rules(main, game) {
  const [book, summary] = await Promise.all([bookOf(game), summaryOf(game, (rule) => rulesSheet(game, rule))]);
  fill(main, h("article", { class: `page rules${summary ? " with-summary" : ""}` },
    h("div", { class: "heading-row" }, h("h1", {}, book.title), h("a", { class: "button small", href: "#/" }, t("To the lobby"))),
    summary?.element, summary ? h("h2", {}, t("All the rules")) : null,
    ...written(book, summary ? "h3" : "h2")));
  summary?.shown();
}

/** Show the rules over whatever is on the page; `rule` is the one to open at. */
export async function rulesSheet(game, rule = "") {
  const [book, summary] = await Promise.all([bookOf(game), rule ? null : summaryOf(game, (other) => rulesSheet(game, other))]);
  const sheet = h("dialog", { class: "sheet", "aria-label": t("Rules of {title}", { title: book.title }) },
    h("div", { class: "heading-row" }, h("h1", {}, book.title),
      h("button", { type: "button", class: "quiet", "aria-label": t("Close the rules"), onclick: () => sheet.close() }, "✕")),
    h("div", { class: "rules" }, ...[summary?.element, summary ? h("h2", {}, t("All the rules")) : null, ...written(book, summary ? "h3" : "h2")].filter(Boolean)));
  sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
  sheet.addEventListener("close", () => sheet.remove());
  document.body.append(sheet);
  sheet.showModal();
  summary?.shown();
  if (rule) goTo(sheet, rule);
}

/** Show where a rule is explained, or its exact wording in a game without chapters, and mark it. */
function goTo(sheet, rule) {
  const id = CSS.escape(rule);
  const place = sheet.querySelector(`.passage[data-rules~="${id}"], li[data-rule="${id}"]`);
  if (!place) return;
  const fold = place.closest("details");
  if (fold) fold.open = true;
  place.classList.add("marked");
  show(place);
}

function show(place) {
  place.tabIndex = -1;
  place.scrollIntoView({ block: "center" });
  place.focus({ preventScroll: true });
}

async function bookOf(game) {
  if (!books.has(game)) books.set(game, await call(`games/${game}/rules?language=${language()}`));
  return books.get(game);
}

/** A field to search in, and what is searched; chapters have headings of this level. */
function written(book, heading) {
  return book.chapters.length ? chapters(book, heading) : sections(book);
}

function finder(narrow) {
  const words = t("Find in the rules");
  const find = h("input", { type: "search", placeholder: words, "aria-label": words,
    oninput: () => narrow(find.value.trim().toLowerCase()) });
  return find;
}

// --- for people ------------------------------------------------------------------------------

function chapters(book, heading) {
  const exact = new Map(book.sections.flatMap((section) => section.rules.map((rule) => [rule.id, rule.text])));
  const parts = book.chapters.map((chapter) => h("section", { class: "chapter" },
    h(heading, {}, chapter.title), chapter.passages.map((one) => passage(one, exact))));
  const contents = h("nav", { class: "contents", "aria-label": t("Chapters") }, h("ol", {}, book.chapters.map((chapter, k) =>
    h("li", {}, h("button", { type: "button", class: "link", onclick: () => show(parts[k].firstChild) }, chapter.title)))));
  const nothing = h("p", { class: "note", role: "status", hidden: true }, t("Nothing found."));
  const find = finder((wanted) => {
    contents.hidden = wanted !== "";
    for (const part of parts) {
      const whole = part.firstChild.textContent.toLowerCase().includes(wanted);
      for (const one of part.querySelectorAll(".passage")) one.hidden = !whole && !one.searched.includes(wanted);
      part.hidden = !part.querySelector(".passage:not([hidden])");
    }
    nothing.hidden = parts.some((part) => !part.hidden);
  });
  return [find, contents, nothing, h("div", { class: "book", lang: book.language }, parts)];
}

function passage({ html, rules: ids }, exact) {
  const words = h("div", {});
  words.innerHTML = html; // Made by the server from our Markdown, in which HTML is off.
  for (const table of words.querySelectorAll("table")) {
    const scroller = h("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": t("Table") });
    table.replaceWith(scroller);
    scroller.append(table);
  }
  const element = h("div", { class: "passage", "data-rules": ids.join(" ") }, words);
  element.searched = `${words.textContent} ${ids.join(" ")}`.toLowerCase();
  if (!ids.length) return element;
  const fold = h("details", { class: "exact" }, h("summary", { "aria-label": t("Exact wording of {rules}", { rules: ids.join(", ") }) }, t("Exact wording")));
  fold.addEventListener("toggle", () => fold.append(h("ul", { lang: "en" }, ids.map((id) => line(id, exact.get(id) ?? "")))), { once: true });
  element.append(fold);
  return element;
}

// --- the exact wording -----------------------------------------------------------------------

function sections(book) {
  const list = h("div", {}, book.sections.map((section, k) => h("details", { open: k === 0 },
    h("summary", {}, section.title.replace(/^\d+ /, "")),
    h("ul", {}, section.rules.map((rule) => line(rule.id, rule.text))))));
  return [finder((wanted) => narrow(list, wanted)), list];
}

function line(id, text) {
  return h("li", { "data-rule": id }, h("code", {}, id), h("p", {}, prose(text)));
}

/** Emphasis and code, as Markdown marks them. */
function prose(text) {
  return text.split(INLINE).map((part) => {
    if (/^`.+`$/.test(part)) return h("code", {}, part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return h("strong", {}, part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return h("em", {}, part.slice(1, -1));
    return part;
  });
}

function narrow(list, wanted) {
  for (const [k, chapter] of [...list.children].entries()) {
    let hits = 0;
    for (const rule of chapter.querySelectorAll("li")) {
      rule.hidden = !rule.textContent.toLowerCase().includes(wanted);
      if (!rule.hidden) hits += 1;
    }
    chapter.hidden = hits === 0;
    chapter.open = wanted ? hits > 0 : k === 0;
  }
}
