import { Seat } from "./seat.js";
import { SeatTokens } from "./tokens.js";
import type * as P from "../types/protocol.d.ts";
export type Settings = {
    /**
     * In place of the global one.
     */
    fetch?: typeof globalThis.fetch;
    /**
     * In place of the global one.
     */
    WebSocket?: typeof globalThis.WebSocket;
    /**
     * Where tokens of one's own seats are kept.
     */
    tokens?: SeatTokens;
    /**
     * How often a reading request is repeated if the server cannot be
     * reached or is busy; 3 by default.
     */
    retries?: number;
};
export type Call = {
    /**
     * Sent as JSON.
     */
    body?: unknown;
    /**
     * Names the seat that asks.
     */
    token?: string;
    /**
     * Parameters; those undefined are left out.
     */
    query?: object;
    /**
     * Ends the request.
     */
    signal?: AbortSignal;
};
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
export declare class Gangland {
    /** Where the API begins. */
    base: URL;
    tokens: SeatTokens;
    WebSocket: {
        new (url: string | URL, protocols?: string | string[]): WebSocket;
        prototype: WebSocket;
        readonly CONNECTING: 0;
        readonly OPEN: 1;
        readonly CLOSING: 2;
        readonly CLOSED: 3;
    };
    retries: number;
    fetch: typeof fetch;
    /**
     * @param {string | URL} server Address, such as `http://127.0.0.1:8000`.
     * @param {Settings} [settings]
     */
    constructor(server: string | URL, settings?: Settings);
    /**
     * Ask for any path of the API.
     * @param {"GET" | "POST"} method
     * @param {string} path Below `/api/v1/`.
     * @param {Call} [call]
     * @returns {Promise<any>} The answer's JSON.
     * @throws {GanglandError} If the server refuses or cannot be reached.
     */
    request(method: "GET" | "POST", path: string, call?: Call): Promise<any>;
    /**
     * @param {"GET" | "POST"} method
     * @param {string} path
     * @param {Call} call
     * @returns {Promise<any>}
     */
    once(method: "GET" | "POST", path: string, { body, token, query, signal }: Call): Promise<any>;
    /** All games with their options and bots. @returns {Promise<P.GameList>} */
    games(): Promise<P.GameList>;
    /** One game. @param {string} game @returns {Promise<P.GameInfo>} */
    game(game: string): Promise<P.GameInfo>;
    /**
     * A game's rules in words, by default in English.
     * @param {string} game
     * @param {string} [language] Code of a language.
     * @returns {Promise<P.Rulebook>}
     */
    rules(game: string, language?: string): Promise<P.Rulebook>;
    /**
     * What a game says, in one of its languages.
     * @param {string} game
     * @param {string} language Code of a language.
     * @returns {Promise<P.GameTexts>}
     */
    texts(game: string, language: string): Promise<P.GameTexts>;
    /**
     * Seats and options of a table before it is created.
     * @param {string} game
     * @param {P.TableRequest["options"]} [options]
     * @returns {Promise<P.Table>}
     */
    table(game: string, options?: P.TableRequest["options"]): Promise<P.Table>;
    /**
     * A bot's decision for a position; the server stores nothing.
     * @param {string} game
     * @param {P.BotRequest} position
     * @returns {Promise<P.BotReply>}
     */
    ask(game: string, position: P.BotRequest): Promise<P.BotReply>;
    /**
     * A game's players by rating.
     * @param {string} game
     * @param {{limit?: number}} [query]
     * @returns {Promise<P.Leaderboard>}
     */
    leaderboard(game: string, query?: {
        limit?: number;
    }): Promise<P.Leaderboard>;
    /**
     * Listed matches, newest first.
     * @param {{game?: string, status?: P.MatchInfo["status"], limit?: number}} [query]
     * @returns {Promise<P.MatchList>}
     */
    matches(query?: {
        game?: string;
        status?: P.MatchInfo["status"];
        limit?: number;
    }): Promise<P.MatchList>;
    /** What everybody may know about a match. @param {string} match @returns {Promise<P.MatchInfo>} */
    match(match: string): Promise<P.MatchInfo>;
    /**
     * Create a match; the tokens of its human seats are kept.
     * @param {P.NewMatch} setup
     * @returns {Promise<{match: string, seats: Seat[]}>} Its human seats; to seat somebody else,
     *   pass on the token of one.
     */
    create(setup: P.NewMatch): Promise<{
        match: string;
        seats: Seat[];
    }>;
    /**
     * Take an open seat; its token is kept.
     * @param {string} match
     * @param {P.Join} [who]
     * @returns {Promise<Seat>}
     */
    join(match: string, who?: P.Join): Promise<Seat>;
    /**
     * One's seat in a match by its kept token; a spectator's place without one.
     * @param {string} match
     * @param {number} [seat] By default one's first seat.
     * @returns {Seat}
     */
    seat(match: string, seat?: number): Seat;
    /** A finished match for `gangland replay`. @param {string} match @returns {Promise<P.ReplayFile>} */
    replay(match: string): Promise<P.ReplayFile>;
}
