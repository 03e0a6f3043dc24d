export type Code = import("../types/protocol.d.ts").Problem["code"];
/** @typedef {import("../types/protocol.d.ts").Problem["code"]} Code */
/** What the server refused, or why it could not be reached. */
export declare class GanglandError extends Error {
    /** The protocol's code. */
    code: "bad_request" | "conflict" | "illegal_action" | "internal" | "not_found" | "not_your_turn" | "stale_decision" | "too_large" | "too_many" | "unauthorized" | "unavailable";
    /** HTTP status; 0 if there was no answer. */
    status: number;
    /** Seconds after which another try may succeed, if the server said so. */
    retryAfter: number | undefined;
    /**
     * @param {Code} code The protocol's code; `unavailable` also if the server cannot be reached.
     * @param {string} message For people.
     * @param {{status?: number, retryAfter?: number, cause?: unknown}} [details]
     */
    constructor(code: Code, message: string, { status, retryAfter, cause }?: {
        status?: number;
        retryAfter?: number;
        cause?: unknown;
    });
}
