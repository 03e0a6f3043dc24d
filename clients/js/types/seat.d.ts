import { Live } from "./live.js";
import type { Gangland } from "./gangland.js";
import type { Handlers, Wanted } from "./live.js";
import type * as P from "../types/protocol.d.ts";
export type Query = Wanted & {
    since?: number;
};
/** @import { Gangland } from "./gangland.js" */
/** @import { Handlers, Wanted } from "./live.js" */
/** @import * as P from "../types/protocol.d.ts" */
/** @typedef {Wanted & {since?: number}} Query Contents of a view; events from `since` on. */
/** One's place at a match. */
export declare class Seat {
    gangland: Gangland;
    match: string;
    token: string | undefined;
    seat: number | undefined;
    /**
     * @param {Gangland} gangland The server.
     * @param {string} match
     * @param {string} [token] The seat's; without one it is a spectator's place.
     * @param {number} [seat] The seat's number.
     */
    constructor(gangland: Gangland, match: string, token?: string, seat?: number);
    /**
     * @param {"GET" | "POST"} method
     * @param {string} path
     * @param {unknown} [body]
     * @param {object} [query]
     * @param {AbortSignal} [signal]
     */
    request(method: "GET" | "POST", path: string, body?: unknown, query?: object, signal?: AbortSignal): Promise<any>;
    /**
     * What this seat sees.
     * @param {Query & {wait?: number, after?: number, signal?: AbortSignal}} [query] `wait` is the
     *   longest time in seconds to wait for this seat's decision, or, with `after`, for a view
     *   later than this version.
     * @returns {Promise<P.View>}
     */
    view({ signal, ...query }?: Query & {
        wait?: number;
        after?: number;
        signal?: AbortSignal;
    }): Promise<P.View>;
    /**
     * Decide.
     * @param {number} decision The view's `decision`.
     * @param {number | string} action Number or notation of a legal action.
     * @param {Query & {wait?: number}} [query]
     * @returns {Promise<P.View>}
     */
    act(decision: number, action: number | string, query?: Query & {
        wait?: number;
    }): Promise<P.View>;
    /** Go back to the previous decision. @param {Query} [query] @returns {Promise<P.View>} */
    undo(query?: Query): Promise<P.View>;
    /** A bot's advice. @param {string} [bot] @returns {Promise<P.Hint>} */
    hint(bot?: string): Promise<P.Hint>;
    /**
     * What a bot thinks of a decision that this seat has made.
     * @param {P.CoachRequest} [wanted] The decision, by default the last one, and the bot.
     * @returns {Promise<P.Coaching>}
     */
    coach(wanted?: P.CoachRequest): Promise<P.Coaching>;
    /**
     * The finished match as a bot sees it: a curve of chances, and the costly decisions.
     * @param {{bot?: string}} [query] By default the strongest bot that can rate decisions.
     * @returns {Promise<P.Review>}
     */
    review(query?: {
        bot?: string;
    }): Promise<P.Review>;
    /**
     * Hand the seat to a bot.
     * @param {string} [bot] By default the match's substitute.
     * @param {Query} [query]
     * @returns {Promise<P.View>}
     */
    leave(bot?: string, query?: Query): Promise<P.View>;
    /** Take the seat back from a bot. @param {Query} [query] @returns {Promise<P.View>} */
    return(query?: Query): Promise<P.View>;
    /**
     * Give the match up: it is lost, and a bot plays on.
     * @param {Query} [query]
     * @returns {Promise<P.View>}
     */
    concede(query?: Query): Promise<P.View>;
    /**
     * Agree to end the match without a winner, or no longer do.
     * @param {boolean} [agree]
     * @param {Query} [query]
     * @returns {Promise<P.View>}
     */
    end(agree?: boolean, query?: Query): Promise<P.View>;
    /**
     * Say something to the others at the table.
     * @param {P.Say["phrase"]} phrase
     * @param {Query} [query]
     * @returns {Promise<P.View>}
     */
    say(phrase: P.Say["phrase"], query?: Query): Promise<P.View>;
    /**
     * Ask for a rematch of the finished match, or sit down at the one that was asked for; the token
     * is kept. Leaving the rematch before declines it.
     * @returns {Promise<Seat>} The same seat there.
     */
    rematch(): Promise<Seat>;
    /** Begin a rematch without who has not come. @param {Query} [query] @returns {Promise<P.View>} */
    begin(query?: Query): Promise<P.View>;
    /**
     * One position of the match, from 0.
     * @param {number} n
     * @param {{viewer?: number}} [query] Whose view of it, once the match is finished.
     * @returns {Promise<P.Frame>}
     */
    frame(n: number, query?: {
        viewer?: number;
    }): Promise<P.Frame>;
    /**
     * Get every change, over a WebSocket that connects again whenever it breaks.
     * @param {Handlers} handlers
     * @param {Wanted} [wanted] Contents of the views.
     * @returns {Live}
     */
    live(handlers: Handlers, wanted?: Wanted): Live;
    /**
     * The views as they come, up to that of the finished match::
     *
     *     for await (const view of seat.views()) { ... }
     *
     * Views that come while the last one is looked at are joined to one, with all their events.
     * @param {Wanted} [wanted] Contents of the views.
     * @returns {AsyncGenerator<P.View, void, void>}
     * @throws {GanglandError} If the server refuses: no such match, or a wrong token.
     */
    views(wanted?: Wanted): AsyncGenerator<P.View, void, void>;
}
