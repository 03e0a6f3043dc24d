import { GanglandError } from "./errors.js";
import type { Gangland } from "./gangland.js";
import type * as P from "../types/protocol.d.ts";
export type Wanted = {
    /**
     * The picture; true by default.
     */
    svg?: boolean;
    /**
     * The table as text.
     */
    text?: boolean;
    /**
     * The seat's observation.
     */
    observation?: boolean;
    /**
     * The seat's redacted record.
     */
    state?: boolean;
};
export type Handlers = {
    /**
     * Whenever something changes. The events are those since
     * the last view, also after a lost connection.
     */
    onview: (view: P.View) => void;
    /**
     * The server refuses for good.
     */
    onerror?: (error: GanglandError) => void;
    /**
     * The connection was made, or lost; a lost one is
     * made again by itself.
     */
    onstate?: (connected: boolean) => void;
};
export type WithoutRef<T> = T extends unknown ? Omit<T, "ref"> : never;
export type Message = WithoutRef<Exclude<P.ClientMessage, P.Hello>>;
/**
 * @typedef {object} Wanted
 * @property {boolean} [svg] The picture; true by default.
 * @property {boolean} [text] The table as text.
 * @property {boolean} [observation] The seat's observation.
 * @property {boolean} [state] The seat's redacted record.
 */
/**
 * @typedef {object} Handlers
 * @property {(view: P.View) => void} onview Whenever something changes. The events are those since
 *   the last view, also after a lost connection.
 * @property {(error: GanglandError) => void} [onerror] The server refuses for good.
 * @property {(connected: boolean) => void} [onstate] The connection was made, or lost; a lost one is
 *   made again by itself.
 */
/**
 * @template T
 * @typedef {T extends unknown ? Omit<T, "ref"> : never} WithoutRef
 */
/** @typedef {WithoutRef<Exclude<P.ClientMessage, P.Hello>>} Message */
/**
 * The pause before a connection is tried again: doubled each time, with a random part, so that a
 * server that starts again does not get all its clients at once.
 * @param {number} failures Tries that failed before.
 * @param {number} [random] From 0 to 1.
 * @returns {number} Milliseconds.
 */
export declare function pause(failures: number, random?: number): number;
/** A match, live. */
export declare class Live {
    url: URL;
    WebSocket: {
        new (url: string | URL, protocols?: string | string[]): WebSocket;
        prototype: WebSocket;
        readonly CONNECTING: 0;
        readonly OPEN: 1;
        readonly CLOSING: 2;
        readonly CLOSED: 3;
    };
    token: string | undefined;
    handlers: Handlers;
    wanted: Wanted;
    closed: boolean;
    since: number;
    failures: number;
    ref: number;
    heard: boolean;
    /** @type {Map<number, {done: (answer: any) => void, fail: (error: Error) => void}>} */
    waiting: Map<number, {
        done: (answer: any) => void;
        fail: (error: Error) => void;
    }>;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    timer: ReturnType<typeof setTimeout> | undefined;
    /** @type {WebSocket | undefined} */
    socket: WebSocket | undefined;
    /**
     * @param {Gangland} gangland The server.
     * @param {string} match
     * @param {string | undefined} token Without one it is a spectator's view.
     * @param {Handlers} handlers
     * @param {Wanted} [wanted]
     */
    constructor(gangland: Gangland, match: string, token: string | undefined, handlers: Handlers, wanted?: Wanted);
    /** Whether messages can be sent now. */
    get connected(): boolean;
    open(): void;
    /** Find out about a connection that broke without a word. */
    beat(): void;
    /** @param {P.ServerMessage} message */
    read(message: P.ServerMessage): void;
    /** @param {WebSocket} socket */
    lost(socket: WebSocket): void;
    /**
     * Send a message; the promise brings the answer to it. An action whose answer was lost can be
     * sent again: the server refuses a decision that was made already (`stale_decision`).
     * @param {Message} message
     * @returns {Promise<P.View | P.Hint | P.Pong>}
     */
    ask(message: Message): Promise<P.View | P.Hint | P.Pong>;
    /**
     * Decide.
     * @param {number} decision The view's `decision`.
     * @param {number | string} action Number or notation of a legal action.
     */
    act(decision: number, action: number | string): Promise<P.View>;
    /** Go back to the previous decision. */
    undo(): Promise<P.View>;
    /** A bot's advice. @param {string} [bot] */
    hint(bot?: string): Promise<P.Hint>;
    /** Hand the seat to a bot. @param {string} [bot] */
    leave(bot?: string): Promise<P.View>;
    /** Take the seat back from a bot. */
    return(): Promise<P.View>;
    /** Give the match up: it is lost, and a bot plays on. */
    concede(): Promise<P.View>;
    /** Agree to end the match without a winner, or no longer do. @param {boolean} [agree] */
    end(agree?: boolean): Promise<P.View>;
    /** Say something to the others at the table. @param {P.Say["phrase"]} phrase */
    say(phrase: P.Say["phrase"]): Promise<P.View>;
    /** Begin a rematch without who has not come. */
    begin(): Promise<P.View>;
    /** End the connection for good. */
    close(): void;
}
