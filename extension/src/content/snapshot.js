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

  // Elements that are left out with all that is in them, beside links that are not canonical and Nightjar's own elements.
  const DROPPED = new Set(
    "script style noscript template input textarea select datalist option output svg canvas audio video object embed".split(" "),
  );
  // A link relative to the page, without a query, whose parts are too short for a secret, or are short words: most links are, and
  // need no closer look if the page's own address needs none.
  const PLAIN = /^\/?(?:(?:[\w.~-]{1,7}|[a-z.~_-]{1,15})\/)*(?:[\w.~-]{1,7}|[a-z.~_-]{1,15})$/;
  const OWN = /^nightjar-(bar|marks)$/;
  // HTML standard §13.3: elements without an end tag, and elements whose text is not escaped.
  const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  const RAW = new Set("iframe noembed noframes plaintext xmp".split(" "));

  /** What the page asks for, a password, a card or a one-time code; "" for none. Reads nothing else. */
  function sensitive() {
    for (const [what, fields] of Object.entries(SENSITIVE)) {
      if (document.querySelector(fields)) return /** @type {keyof typeof SENSITIVE} */ (what);
    }
    return "";
  }

  /**
   * The document as HTML without scripts, styles, comments, inputs, form values and secrets in links. It writes the text
   * directly, since a clone of the document takes twice the time; and in a loop, since a page can nest elements deeper than
   * the stack.
   * @param {Set<string>} [names] gets the names of what was redacted in links, as removed of privacy.js gives them
   */
  function take(names = new Set()) {
    const root = document.documentElement;
    const parts = ["<!DOCTYPE html>"];
    let size = 0;
    /** @type {Node|null} */
    let node = root;
    while (node && size <= MAX) {
      const { text, inside, end } = write(node, names);
      parts.push(text);
      size += text.length;
      if (inside && node.firstChild) {
        node = node.firstChild;
        continue;
      }
      parts.push(end);
      while (node && node !== root && !node.nextSibling) {
        node = node.parentNode;
        if (node) parts.push(endOf(/** @type {Element} */ (node)));
      }
      node = node && node !== root ? node.nextSibling : null;
    }
    const html = parts.join("");
    return html.length > MAX ? html.slice(0, MAX + 1) : html;
  }

  const NOTHING = { text: "", inside: false, end: "" };

  /** A node without what it contains; inside: whether its children are written, too. @param {Node} node @param {Set<string>} names */
  function write(node, names) {
    if (node.nodeType === Node.TEXT_NODE) return { text: textOf(/** @type {Text} */ (node)), inside: false, end: "" };
    if (node.nodeType !== Node.ELEMENT_NODE) return NOTHING;
    const element = /** @type {Element} */ (node);
    if (dropped(element)) return NOTHING;
    const inside = !VOID.has(element.localName) && !editable(element);
    return { text: `<${element.localName}${attributes(element, names)}>`, inside, end: endOf(element) };
  }

  /** @param {Element} element */
  const endOf = ({ localName }) => (VOID.has(localName) ? "" : `</${localName}>`);

  /** @param {Text} node */
  const textOf = ({ data, parentNode }) => (RAW.has(/** @type {Element} */ (parentNode).localName) ? data : escape(data));

  /** @param {Element} element */
  function dropped(element) {
    const name = element.localName;
    if (DROPPED.has(name) || OWN.test(element.id)) return true;
    return name === "link" && !/(^|\s)canonical(\s|$)/i.test(element.getAttribute("rel") ?? "");
  }

  /** Whether the person may type into the element. @param {Element} element */
  function editable(element) {
    const value = element.getAttribute("contenteditable");
    return value !== null && value.toLowerCase() !== "false";
  }

  /** @type {Record<string, string>} */
  const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

  /** @param {string} text */
  const escape = (text) => (/[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (c) => ESCAPES[c]) : text);

  /** The attributes that are kept, as they stand in the tag. @param {Element} element @param {Set<string>} names */
  function attributes(element, names) {
    let text = "";
    for (const { name, value } of element.attributes) {
      const kept = keep(name.toLowerCase(), value, names);
      if (kept !== null) text += ` ${name}="${escape(kept)}"`;
    }
    return text;
  }

  /** The value of an attribute, null to leave it out. @param {string} name @param {string} value @param {Set<string>} names */
  function keep(name, value, names) {
    switch (name) {
      case "href":
      case "src":
      case "action":
      case "cite":
        return cleanLink(value, names) || null;
      case "style":
      case "value":
      case "srcdoc":
      case "srcset":
      case "nonce":
        return null;
    }
    return name.startsWith("on") || name.startsWith("data-") ? null : value;
  }

  /**
   * A link without secrets, and without a fragment that is no route; one without secrets stays as it is written. Returns ""
   * for links that lead to no page, such as mailto and tel, which identify a person.
   * @param {string} value @param {Set<string>} names
   */
  function cleanLink(value, names) {
    if (PLAIN.test(value) && plainBase()) return value;
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

  /** The folder that links are relative to, and whether it has no secret. */
  let base = { url: "", plain: false };

  function plainBase() {
    const url = document.baseURI;
    if (base.url !== url) {
      const folder = new URL(".", url).href;
      base = { url, plain: globalThis.nightjarPrivacy.redact(folder) === folder && globalThis.nightjarPrivacy.ordinary(folder) };
    }
    return base.plain;
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
