// The one kind of error that this library throws.

/** @typedef {import("../types/protocol.d.ts").Problem["code"]} Code */

/** What the server refused, or why it could not be reached. */
export class GanglandError extends Error {
  /**
   * @param {Code} code The protocol's code; `unavailable` also if the server cannot be reached.
   * @param {string} message For people.
   * @param {{status?: number, retryAfter?: number, cause?: unknown}} [details]
   */
  constructor(code, message, { status = 0, retryAfter, cause } = {}) {
    super(message, { cause });
    this.name = "GanglandError";
    /** The protocol's code. */
    this.code = code;
    /** HTTP status; 0 if there was no answer. */
    this.status = status;
    /** Seconds after which another try may succeed, if the server said so. */
    this.retryAfter = retryAfter;
  }
}
