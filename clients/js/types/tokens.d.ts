export type SeatToken = {
    match: string;
    seat: number;
    token: string;
};
/** Tokens by match; in the browser's local storage, or in memory where there is none. */
export declare class SeatTokens {
    storage: Pick<Storage, "getItem" | "setItem">;
    /** @param {Pick<Storage, "getItem" | "setItem">} [storage] */
    constructor(storage?: Pick<Storage, "getItem" | "setItem">);
    /**
     * All tokens that are kept, the latest first.
     * @returns {SeatToken[]}
     */
    all(): SeatToken[];
    /**
     * The token of one's seat in a match, by default of the first seat.
     * @param {string} match
     * @param {number} [seat]
     * @returns {SeatToken | undefined}
     */
    find(match: string, seat?: number): SeatToken | undefined;
    /**
     * Keep a token; the oldest of more than fifty are forgotten.
     * @param {SeatToken} token
     */
    keep({ match, seat, token }: SeatToken): void;
    /**
     * Forget the tokens of a match.
     * @param {string} match
     */
    forget(match: string): void;
    /** @param {SeatToken[]} tokens */
    write(tokens: SeatToken[]): void;
}
