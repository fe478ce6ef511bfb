// Takes a snapshot of a page: what the person can read, without what the person typed and without code. This is a classic
// script, since content scripts cannot be modules; it defines one frozen object, nightjarSnapshot.
(() => {
  "use strict";

  /** Longest snapshot in characters. One more is sent, so that the background, which cuts at 4 MiB of UTF-8, knows that it was longer. */
  const MAX = 4 << 20;
  /** Most names of what was redacted in links. */
  const NAMES = 20;

  /** A page with one of these fields is not recorded. @type {Record<"password"|"card"|"code", string>} */
  const SENSITIVE = {
    password: 'input[type="password" i],input[autocomplete~="current-password" i],input[autocomplete~="new-password" i]',
    card: 'input[autocomplete~="cc-number" i],input[autocomplete~="cc-csc" i]',
    code: 'input[autocomplete~="one-time-code" i]',
  };

  const DROP =
    "script,style,noscript,template,link:not([rel~=canonical i]),input,textarea,select,datalist,option,output,svg,canvas,audio,video,object,embed,#nightjar-bar";

  /** What the page asks for, a password, a card or a one-time code; "" for none. Reads nothing else. */
  function sensitive() {
    for (const [what, fields] of Object.entries(SENSITIVE)) {
      if (document.querySelector(fields)) return /** @type {keyof typeof SENSITIVE} */ (what);
    }
    return "";
  }

  /**
   * The document as HTML without scripts, styles, inputs, form values and secrets in links.
   * @param {Set<string>} [names] gets the names of what was redacted in links, as removed of privacy.js gives them
   */
  function take(names = new Set()) {
    const root = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
    for (const element of root.querySelectorAll(DROP)) element.remove();
    for (const element of root.querySelectorAll("[contenteditable]:not([contenteditable=false i])")) element.textContent = "";
    for (const element of [root, ...root.querySelectorAll("*")]) strip(element, names);
    const comments = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
    const all = [];
    while (comments.nextNode()) all.push(comments.currentNode);
    for (const comment of all) comment.parentNode?.removeChild(comment);
    const html = `<!DOCTYPE html>${root.outerHTML}`;
    return html.length > MAX ? html.slice(0, MAX + 1) : html;
  }

  /** @param {Element} element @param {Set<string>} names */
  function strip(element, names) {
    for (const { name, value } of [...element.attributes]) {
      const lower = name.toLowerCase();
      if (lower.startsWith("on") || lower === "style" || lower === "value" || lower === "srcdoc" || lower === "srcset" || lower === "nonce" || lower.startsWith("data-")) {
        element.removeAttribute(name);
      } else if (lower === "href" || lower === "src" || lower === "action" || lower === "cite") {
        const link = cleanLink(value, names);
        if (link === "") element.removeAttribute(name);
        else element.setAttribute(name, link);
      }
    }
  }

  /**
   * A link without secrets, and without a fragment that is no route; one without secrets stays as it is written. Returns ""
   * for links that lead to no page, such as mailto and tel, which identify a person.
   * @param {string} value @param {Set<string>} names
   */
  function cleanLink(value, names) {
    let url;
    try {
      url = new URL(value, document.baseURI).href;
    } catch {
      return "";
    }
    const clean = globalThis.nightjarPrivacy.redact(url);
    if (clean === url) return value;
    if (clean === url.split("#")[0]) return value.split("#")[0];
    for (const name of globalThis.nightjarPrivacy.removed(url)) if (names.size < NAMES) names.add(name);
    return clean;
  }

  /** Seconds until the page redirects by itself; -1 if it does not. */
  function refreshDelay() {
    const meta = document.querySelector('meta[http-equiv="refresh" i]');
    const match = /^\s*(\d+(?:\.\d+)?)\s*[;,]\s*(?:url\s*=)?\s*\S/i.exec(meta?.getAttribute("content") ?? "");
    return match ? Number(match[1]) : -1;
  }

  /**
   * What the document is when it is no page of HTML; undefined for one, and for XML that a style sheet made a page of.
   * @returns {import("../../types/state.d.ts").DocumentKind|undefined}
   */
  function kind() {
    const type = document.contentType.toLowerCase();
    if (type === "text/html" || type === "application/xhtml+xml") return undefined;
    const [, media] = /^(image|video|audio)\//.exec(type) ?? [];
    if (media) return /** @type {"image"|"video"|"audio"} */ (media);
    if (type === "application/pdf") return "pdf";
    if (/[/+]xml$/.test(type)) {
      // Chromium shows XML without a style sheet in a page of its own, which has this element.
      return document.body && !document.getElementById("webkit-xml-viewer-source-xml") ? undefined : "other";
    }
    return type.startsWith("text/") && !/javascript|ecmascript|css|json/.test(type) ? "text" : "other";
  }

  globalThis.nightjarSnapshot = Object.freeze({ sensitive, take, refreshDelay, kind });
})();
