// What the browser shows in a tab when it is no page of HTML, and what the person should know about it.

import { t } from "./text.js";

/** @typedef {import("../../types/state.d.ts").DocumentKind} DocumentKind */

/** @type {readonly DocumentKind[]} */
export const KINDS = ["pdf", "text", "image", "video", "audio", "other"];

/** Whether a document of this kind is a page that is recorded. @param {DocumentKind|""|undefined} kind */
export const isPage = (kind) => !kind || kind === "pdf" || kind === "text";

/** The value of a visit's media. @param {DocumentKind|""|undefined} kind @returns {import("../../types/protocol.d.ts").Media|""} */
export const mediaOf = (kind) => (kind === "pdf" || kind === "text" ? kind : "");

/**
 * What the person should know about a page that is none of HTML; "" if there is nothing to say.
 * @param {import("../../types/state.d.ts").PageState} page
 */
export function documentText({ document, recorded, useful, read }) {
  switch (document) {
    case undefined:
      return "";
    case "image":
      return t("shared_document_image");
    case "video":
      return t("shared_document_video");
    case "audio":
      return t("shared_document_audio");
    case "other":
      return t("shared_document_other");
  }
  if (recorded !== "yes") return "";
  if (document === "text") return useful ? "" : t("shared_document_text");
  if (useful) return t("shared_document_pdf_useful");
  return read ? t("shared_document_pdf_read") : t("shared_document_pdf");
}

/**
 * The name of the file at a URL, "" if its path names none.
 * @param {string} url
 */
export function fileName(url) {
  const name = /^https?:\/\/[^/?#]*\/(?:[^?#]*\/)?([^/?#]*)/i.exec(url)?.[1] ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * The title of a PDF, from the title of its tab. Firefox writes “title - file name”; both browsers show the address until
 * the document is open, and the name of the file if the document has no title.
 * @param {string|undefined} title of the tab @param {string} url
 */
export function pdfTitle(title, url) {
  const file = fileName(url);
  const text = (title ?? "").trim();
  if (!text || text === "PDF.js viewer" || url.replace(/^https?:\/\//i, "").startsWith(text.replace(/^https?:\/\//i, ""))) return file;
  const at = text.lastIndexOf(" - ");
  const tail = text.slice(at + 3);
  return at > 0 && (tail === file || /^[^/]+\.pdf$/i.test(tail)) ? text.slice(0, at).trim() : text;
}
