// The page's texts in the reader's language: gettext catalogues in texts/, read as they are.

const KEY = "gangland.language";
export const SOURCE = "en";
const ORDER = ["zero", "one", "two", "few", "many", "other"];
let texts = new Map();
let plurals = null;
let chosen = SOURCE;

/** Languages that there are: code → name in the language itself; English is in the program. */
export async function languages() {
  const answer = await fetch("texts/languages.json").catch(() => null);
  const others = answer?.ok ? await answer.json() : {};
  return { [SOURCE]: "English", ...others };
}

/** Load the language that was chosen, or the browser's if there is a catalogue of it. */
export async function loadLanguage(known) {
  const wished = [localStorage.getItem(KEY), ...navigator.languages.map((name) => name.split("-")[0])];
  const language = wished.find((name) => name in known) ?? SOURCE;
  plurals = new Intl.PluralRules(language);
  chosen = language;
  document.documentElement.lang = language;
  if (language === SOURCE) return language;
  const answer = await fetch(`texts/${language}.po`).catch(() => null);
  if (answer?.ok) texts = readCatalogue(await answer.text());
  return language;
}

/** Code of the language that the page speaks. */
export function language() {
  return chosen;
}

/** Choose a language; the page is loaded again. */
export function chooseLanguage(language) {
  localStorage.setItem(KEY, language);
  location.reload();
}

/** A text in the reader's language; {name} stands for a value. */
export function t(text, values = {}) {
  return filled(texts.get(text)?.[0] || text, values);
}

/** Mark a text that is translated where it is shown. */
export const N_ = (text) => text;

/** A text for a number of things; {n} is the number. */
export function tn(one, many, n, values = {}) {
  const forms = texts.get(one);
  const kinds = ORDER.filter((kind) => plurals?.resolvedOptions().pluralCategories.includes(kind));
  const found = forms?.[Math.min(Math.max(kinds.indexOf(plurals?.select(n)), 0), forms.length - 1)];
  return filled(found || (n === 1 ? one : many), { n, ...values });
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

/** A catalogue: text → its translations, several if they depend on a number. */
export function readCatalogue(source) {
  const found = new Map();
  for (const entry of source.split(/\n\s*\n/)) {
    const parts = { msgid: "", forms: [] };
    let add = null;
    for (const line of entry.split("\n")) {
      const [, keyword, index, rest] = line.match(/^(msgid|msgid_plural|msgstr)(?:\[(\d+)\])? +(".*")$/) ?? [];
      const more = rest ?? (line.startsWith('"') ? line : null);
      if (more === null) continue;
      if (keyword === "msgid") add = (words) => { parts.msgid += words; };
      else if (keyword === "msgid_plural") add = () => {};
      else if (keyword === "msgstr") { const k = Number(index ?? 0); add = (words) => { parts.forms[k] = (parts.forms[k] ?? "") + words; }; }
      add?.(JSON.parse(more.trim()));
    }
    if (parts.msgid && parts.forms[0] && !/^#.*\bfuzzy\b/m.test(entry)) found.set(parts.msgid, parts.forms);
  }
  return found;
}
