// Looks what answers at the daemon's address before a WebSocket is opened. Browsers make WebSockets wait longer and longer
// after each failure (Firefox up to a minute), and do not tell why one failed; a request for a page has neither fault.
import { t } from "../shared/text.js";

/** Time limit for an answer, ms. */
const LIMIT = 2_000;

/**
 * nothing: no program takes connections there, or it ends them without an answer; browsers do not tell these apart.
 * silent: a program takes connections and does not answer. other: a program answers that is not Nightjar.
 * @typedef {"nothing"|"silent"|"other"|"nightjar"} Found
 */

/** @param {string} address ws://127.0.0.1:PORT @param {RequestInit} how */
const ask = (address, how) =>
  fetch(`${address.replace(/^ws/, "http")}/ws`, { cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(LIMIT), ...how });

/** Whether any program answers a request. @param {string} address @returns {Promise<"nothing"|"silent"|"something">} */
export async function look(address) {
  try {
    await ask(address, { mode: "no-cors" }); // of an answer to such a request only its arrival can be seen
    return "something";
  } catch (error) {
    return error instanceof DOMException && error.name === "TimeoutError" ? "silent" : "nothing";
  }
}

/** What is at an address where no connection came about. @param {string} address @returns {Promise<Found>} */
export async function identify(address) {
  const found = await look(address);
  if (found !== "something") return found;
  try {
    const answer = await ask(address, { mode: "cors" }); // only Nightjar lets extensions read the answer
    return (await answer.text()).startsWith("Nightjar") ? "nightjar" : "other";
  } catch {
    return "other";
  }
}

/**
 * What to tell the person, and what to do about it: the way to another port, here and there.
 * @param {Found|"stranger"|"not-paired"} found @param {string} address
 */
export function trouble(found, address) {
  const at = address.replace("ws://", "");
  const port = Number(at.split(":")[1]);
  return t(`back_found_${found.replace("-", "_")}`, at, `127.0.0.1:${port < 65535 ? port + 1 : port - 1}`);
}
