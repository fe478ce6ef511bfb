// Unpacks the HTML of a snapshot.
import { fromBase64, MAX_HTML } from "../shared/protocol.js";
import { t } from "../shared/text.js";

/**
 * The text in the html field of a snapshot, and its size in bytes before and after compression.
 * @param {string} html gzip as base64 @returns {Promise<{text: string, size: number, packed: number}>}
 * @throws if it is not gzip, or larger than a snapshot can be
 */
export async function unpackHTML(html) {
  const packed = fromBase64(html);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return { text: text + decoder.decode(), size, packed: packed.length };
    size += value.length;
    if (size > MAX_HTML) {
      await reader.cancel();
      throw new Error(t("sent_error_large"));
    }
    text += decoder.decode(value, { stream: true });
  }
}
