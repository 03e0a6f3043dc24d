// A server: its games, bots and matches over HTTP.

import { GanglandError } from "./errors.js";
import { Seat } from "./seat.js";
import { SeatTokens } from "./tokens.js";

/** @import * as P from "../types/protocol.d.ts" */

const RETRY_MS = [300, 1000, 2000];

/**
 * @typedef {object} Settings
 * @property {typeof globalThis.fetch} [fetch] In place of the global one.
 * @property {typeof globalThis.WebSocket} [WebSocket] In place of the global one.
 * @property {SeatTokens} [tokens] Where tokens of one's own seats are kept.
 * @property {number} [retries] How often a reading request is repeated if the server cannot be
 *   reached or is busy; 3 by default.
 */

/**
 * @typedef {object} Call
 * @property {unknown} [body] Sent as JSON.
 * @property {string} [token] Names the seat that asks.
 * @property {object} [query] Parameters; those undefined are left out.
 * @property {AbortSignal} [signal] Ends the request.
 */

/** A Gangland server. */
export class Gangland {
  /**
   * @param {string | URL} server Address, such as `http://127.0.0.1:8000`.
   * @param {Settings} [settings]
   */
  constructor(server, settings = {}) {
    const address = String(server);
    /** Where the API begins. */
    this.base = new URL("api/v1/", address.endsWith("/") ? address : `${address}/`);
    this.tokens = settings.tokens ?? new SeatTokens();
    this.WebSocket = settings.WebSocket ?? globalThis.WebSocket;
    this.retries = settings.retries ?? RETRY_MS.length;
    // A page's fetch must not be called as a method of another object.
    this.fetch = settings.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /**
   * Ask for any path of the API.
   * @param {"GET" | "POST"} method
   * @param {string} path Below `/api/v1/`.
   * @param {Call} [call]
   * @returns {Promise<any>} The answer's JSON.
   * @throws {GanglandError} If the server refuses or cannot be reached.
   */
  async request(method, path, call = {}) {
    for (let tried = 0; ; tried += 1) {
      try {
        return await this.once(method, path, call);
      } catch (error) {
        const again =
          error instanceof GanglandError &&
          ["unavailable", "too_many"].includes(error.code) &&
          method === "GET" &&
          tried < this.retries &&
          !call.signal?.aborted;
        if (!again) throw error;
        const pause = RETRY_MS[Math.min(tried, RETRY_MS.length - 1)];
        const wait = error.retryAfter === undefined ? pause : error.retryAfter * 1000;
        await new Promise((done) => setTimeout(done, wait));
      }
    }
  }

  /**
   * @param {"GET" | "POST"} method
   * @param {string} path
   * @param {Call} call
   * @returns {Promise<any>}
   */
  async once(method, path, { body, token, query = {}, signal }) {
    const url = new URL(path, this.base);
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) url.searchParams.set(key, String(value));
    }
    /** @type {Record<string, string>} */
    const headers = {};
    if (method === "POST") headers["content-type"] = "application/json";
    if (token) headers.authorization = `Bearer ${token}`;
    let response;
    try {
      response = await this.fetch(url, {
        method,
        headers,
        body: method === "POST" ? JSON.stringify(body ?? {}) : undefined,
        signal,
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new GanglandError("unavailable", unreachable(url.origin), { cause });
    }
    let answer;
    try {
      answer = await response.json();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      if (response.ok) throw new GanglandError("unavailable", "the answer was cut off", { cause });
      answer = {};
    }
    if (response.ok) return answer;
    const after = response.headers.get("retry-after");
    throw new GanglandError(answer.code ?? "internal", answer.message ?? response.statusText, {
      status: response.status,
      retryAfter: after === null ? undefined : Number(after),
    });
  }

  // --- games and bots ------------------------------------------------------------------------

  /** All games with their options and bots. @returns {Promise<P.GameList>} */
  games() {
    return this.request("GET", "games");
  }

  /** One game. @param {string} game @returns {Promise<P.GameInfo>} */
  game(game) {
    return this.request("GET", `games/${encodeURIComponent(game)}`);
  }

  /**
   * A game's rules in words, by default in English.
   * @param {string} game
   * @param {string} [language] Code of a language.
   * @returns {Promise<P.Rulebook>}
   */
  rules(game, language) {
    return this.request("GET", `games/${encodeURIComponent(game)}/rules`, { query: { language } });
  }

  /**
   * What a game says, in one of its languages.
   * @param {string} game
   * @param {string} language Code of a language.
   * @returns {Promise<P.GameTexts>}
   */
  texts(game, language) {
    const path = `games/${encodeURIComponent(game)}/texts/${encodeURIComponent(language)}`;
    return this.request("GET", path);
  }

  /**
   * Seats and options of a table before it is created.
   * @param {string} game
   * @param {P.TableRequest["options"]} [options]
   * @returns {Promise<P.Table>}
   */
  table(game, options = {}) {
    const path = `games/${encodeURIComponent(game)}/table`;
    return this.request("POST", path, { body: { options } });
  }

  /**
   * A bot's decision for a position; the server stores nothing.
   * @param {string} game
   * @param {P.BotRequest} position
   * @returns {Promise<P.BotReply>}
   */
  ask(game, position) {
    return this.request("POST", `bots/${encodeURIComponent(game)}`, { body: position });
  }

  /**
   * A game's players by rating.
   * @param {string} game
   * @param {{limit?: number}} [query]
   * @returns {Promise<P.Leaderboard>}
   */
  leaderboard(game, query = {}) {
    return this.request("GET", "leaderboard", { query: { game, ...query } });
  }

  // --- matches -------------------------------------------------------------------------------

  /**
   * Listed matches, newest first.
   * @param {{game?: string, status?: P.MatchInfo["status"], limit?: number}} [query]
   * @returns {Promise<P.MatchList>}
   */
  matches(query = {}) {
    return this.request("GET", "matches", { query });
  }

  /** What everybody may know about a match. @param {string} match @returns {Promise<P.MatchInfo>} */
  match(match) {
    return this.request("GET", `matches/${encodeURIComponent(match)}`);
  }

  /**
   * Create a match; the tokens of its human seats are kept.
   * @param {P.NewMatch} setup
   * @returns {Promise<{match: string, seats: Seat[]}>} Its human seats; to seat somebody else,
   *   pass on the token of one.
   */
  async create(setup) {
    /** @type {P.MatchCreated} */
    const made = await this.request("POST", "matches", { body: setup });
    for (const token of made.tokens) this.tokens.keep(token);
    const seats = made.tokens.map(({ seat, token }) => new Seat(this, made.match, token, seat));
    return { match: made.match, seats };
  }

  /**
   * Take an open seat; its token is kept.
   * @param {string} match
   * @param {P.Join} [who]
   * @returns {Promise<Seat>}
   */
  async join(match, who = {}) {
    const path = `matches/${encodeURIComponent(match)}/join`;
    /** @type {P.SeatToken} */
    const taken = await this.request("POST", path, { body: who });
    this.tokens.keep(taken);
    return new Seat(this, match, taken.token, taken.seat);
  }

  /**
   * One's seat in a match by its kept token; a spectator's place without one.
   * @param {string} match
   * @param {number} [seat] By default one's first seat.
   * @returns {Seat}
   */
  seat(match, seat) {
    const kept = this.tokens.find(match, seat);
    return new Seat(this, match, kept?.token, kept?.seat);
  }

  /** A finished match for `gangland replay`. @param {string} match @returns {Promise<P.ReplayFile>} */
  replay(match) {
    return this.request("GET", `matches/${encodeURIComponent(match)}/replay`);
  }
}

/**
 * Why a request had no answer. A browser does not say whether the server is down or refuses the page.
 * @param {string} server
 */
function unreachable(server) {
  const page = globalThis.location?.origin;
  if (!page || page === server) return `${server} cannot be reached`;
  return `${server} cannot be reached: it is not running, or does not allow pages from ${page}. \
Start it with: gangland serve --cors ${page}`;
}
