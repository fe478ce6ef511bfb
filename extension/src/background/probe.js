// Looks what answers at the daemon's address before a WebSocket is opened. Browsers make WebSockets wait longer and longer
// after each failure (Firefox up to a minute), and do not tell why one failed; a request for a page has neither fault.

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

/** What to tell the person, and what to do about it. @param {Found|"stranger"|"not-paired"} found @param {string} address */
export function trouble(found, address) {
  const at = address.replace("ws://", "");
  const port = Number(at.split(":")[1]);
  const free = `127.0.0.1:${port < 65535 ? port + 1 : port - 1}`;
  const move = `start Nightjar with “nightjar serve --listen ${free}” and enter ${free} in the options`;
  switch (found) {
    case "nothing":
      return `Nightjar is not running at ${at}. Start it. If it says that the port is taken, ${move}.`;
    case "silent":
      return `A program takes connections at ${at} but does not answer. If it is Nightjar, start it again; if not, ${move}.`;
    case "other":
      return `Another program answers at ${at}, and nothing was sent to it. Stop it, or ${move}.`;
    case "stranger":
      return `A program at ${at} claims to be Nightjar but cannot prove it, and nothing was sent to it. Stop it, or ${move}.`;
    case "not-paired":
      return `The Nightjar at ${at} does not know this browser. Connect it again on the options page. If yours is another one, ${move}.`;
    default:
      return `Nightjar at ${at} is busy. The next attempt follows in a moment.`;
  }
}
