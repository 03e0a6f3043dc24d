// Client of a Gangland server; see README.md. Types of messages: "gangland-client/protocol".

export { Gangland } from "./gangland.js";
export { GanglandError } from "./errors.js";
export { Live } from "./live.js";
export { Seat } from "./seat.js";
export { SeatTokens } from "./tokens.js";
