// One's own record in this browser: games finished and won, by game.

const RECORD = "gangland.record";
const KEPT = 500;

/** All finished matches: {match: [game, won]}. */
function all() {
  try {
    return JSON.parse(localStorage.getItem(RECORD)) ?? {};
  } catch {
    return {};
  }
}

/** Note a finished match, once. */
export function note(match, game, won) {
  const entries = Object.entries({ ...all(), [match]: [game, won] });
  localStorage.setItem(RECORD, JSON.stringify(Object.fromEntries(entries.slice(-KEPT))));
}

/** Games finished and won, of one game. */
export function recordOf(game) {
  const mine = Object.values(all()).filter(([name]) => name === game);
  return { played: mine.length, won: mine.filter(([, won]) => won).length };
}
