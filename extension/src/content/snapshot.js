// Takes a snapshot of a page: what the person can read, without what the person typed and without code. This is a classic
// script, since content scripts cannot be modules; it defines one frozen object, nightjarSnapshot.
(() => {
  "use strict";

  /** Longest snapshot in characters. One more is sent, so that the background, which cuts at 4 MiB of UTF-8, knows that it was longer. */
  const MAX = 4 << 20;

  // A page with one of these fields is not recorded.
  const SENSITIVE = [
    'input[type="password" i]',
    'input[autocomplete~="cc-number" i]',
    'input[autocomplete~="cc-csc" i]',
    'input[autocomplete~="current-password" i]',
    'input[autocomplete~="new-password" i]',
    'input[autocomplete~="one-time-code" i]',
  ].join(",");

  const DROP =
    "script,style,noscript,template,link:not([rel~=canonical i]),input,textarea,select,datalist,option,output,svg,canvas,audio,video,object,embed,#nightjar-bar";

  /** Whether the page asks for a password, a one-time code or a card. Reads nothing else. */
  const sensitive = () => document.querySelector(SENSITIVE) !== null;

  /** The document as HTML without scripts, styles, inputs, form values and secrets in links. */
  function take() {
    const root = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
    for (const element of root.querySelectorAll(DROP)) element.remove();
    for (const element of root.querySelectorAll("[contenteditable]:not([contenteditable=false i])")) element.textContent = "";
    for (const element of [root, ...root.querySelectorAll("*")]) strip(element);
    const comments = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
    const all = [];
    while (comments.nextNode()) all.push(comments.currentNode);
    for (const comment of all) comment.parentNode?.removeChild(comment);
    const html = `<!DOCTYPE html>${root.outerHTML}`;
    return html.length > MAX ? html.slice(0, MAX + 1) : html;
  }

  /** @param {Element} element */
  function strip(element) {
    for (const { name, value } of [...element.attributes]) {
      const lower = name.toLowerCase();
      if (lower.startsWith("on") || lower === "style" || lower === "value" || lower === "srcdoc" || lower === "srcset" || lower === "nonce" || lower.startsWith("data-")) {
        element.removeAttribute(name);
      } else if (lower === "href" || lower === "src" || lower === "action" || lower === "cite") {
        const link = cleanLink(value);
        if (link === "") element.removeAttribute(name);
        else element.setAttribute(name, link);
      }
    }
  }

  /**
   * A link without secrets and fragment; one without secrets stays as it is written. Returns "" for links that lead to no
   * page, such as mailto and tel, which identify a person.
   * @param {string} value
   */
  function cleanLink(value) {
    let url;
    try {
      url = new URL(value, document.baseURI).href.split("#")[0];
    } catch {
      return "";
    }
    const clean = globalThis.nightjarPrivacy.redact(url);
    return clean === url ? value.split("#")[0] : clean;
  }

  /** Seconds until the page redirects by itself; -1 if it does not. */
  function refreshDelay() {
    const meta = document.querySelector('meta[http-equiv="refresh" i]');
    const match = /^\s*(\d+(?:\.\d+)?)\s*[;,]\s*(?:url\s*=)?\s*\S/i.exec(meta?.getAttribute("content") ?? "");
    return match ? Number(match[1]) : -1;
  }

  globalThis.nightjarSnapshot = Object.freeze({ sensitive, take, refreshDelay });
})();
