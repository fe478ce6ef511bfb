// Why there is no connection, in words for the person.
import { t } from "../shared/text.js";
import { identify, trouble } from "./probe.js";
import { Refused, WireClosed } from "./wire.js";

/** Why no connection came about, as far as that can be told. */
export class Trouble extends Error {
  /** @param {Parameters<typeof trouble>[0]} found @param {string} address */
  constructor(found, address) {
    super(trouble(found, address));
    this.found = found;
  }
}

/** Finds out more about an error before there was a connection. @param {unknown} error @param {string} address @returns {Promise<unknown>} */
export async function explained(error, address) {
  if (error instanceof WireClosed) return new Trouble(await identify(address), address);
  if (!(error instanceof Refused)) return error;
  if (error.code === "damaged") return new Refused(error.code, t("back_damaged"));
  if (error.code === "unexpected") return new Trouble("other", address);
  if (error.code === "stranger" || error.code === "not-paired") return new Trouble(error.code, address);
  return error;
}

/** What the person reads when pairing failed. @param {unknown} error */
export function pairingProblem(error) {
  if (error instanceof Refused) {
    /** @type {Record<string, string>} */
    const messages = {
      "pairing-closed": t("back_pairing_closed"),
      "pair-refused": t("back_pair_refused"),
      "pair-timeout": t("back_pair_timeout"),
    };
    return messages[error.code] ?? error.message;
  }
  if (error instanceof Trouble) return error.message;
  return t("back_pair_failed", error instanceof Error ? error.message : String(error));
}
