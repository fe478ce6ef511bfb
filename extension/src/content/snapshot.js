// Takes a snapshot of a page: what the person can read, without what the person typed and without code. This is a classic
// script, since content scripts cannot be modules; it defines one frozen object, nightjarSnapshot.
(() => {
  "use strict";

  /** Longest snapshot in characters. One more is sent, so that the background, which cuts at 4 MiB of UTF-8, knows that it was longer. */
  const MAX = 4 << 20;
  /** Longest title that is taken from a heading, in characters. */
  const LONGEST = 300;
  /** Most names of what was redacted in links. */
  const NAMES = 20;

  /** A page that shows one of these fields is not recorded. @type {Record<"password"|"card"|"code", string>} */
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
  // DOM standard §4.9, attachShadow: what may have a shadow root, beside custom elements.
  const HOSTS = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));
  // HTML standard §13.3: elements without an end tag, and elements whose text is not escaped.
  const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  const RAW = new Set("iframe noembed noframes plaintext xmp".split(" "));

  /** Whether an element may have a shadow root that is the page's own. @param {Element} element */
  function mayHost(element) {
    const name = element.localName;
    return (HOSTS.has(name) || name.includes("-")) && element instanceof HTMLElement && !OWN.test(element.id);
  }

  /**
   * The elements that have shadow roots, open or closed, each with its root. Looking for them takes about as long as reading
   * the page, so that one reading does it once. @returns {Map<Element, ShadowRoot>}
   */
  function shadows() {
    // Chromium has a function for extensions, Firefox a property.
    /** @type {(element: any) => ShadowRoot|null} */
    const shadowOf = globalThis.chrome?.dom?.openOrClosedShadowRoot ?? ((element) => element.openOrClosedShadowRoot ?? element.shadowRoot);
    const found = new Map();
    /** @type {(Document|ShadowRoot)[]} */
    const roots = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll("*")) {
        const shadow = mayHost(element) ? shadowOf(element) : null;
        if (!shadow) continue;
        found.set(element, shadow);
        roots.push(shadow);
      }
    }
    return found;
  }

  /** Characters of text in the page, scripts and styles left out: what reading it anew would about bring. @param {Map<Element, ShadowRoot>} found */
  function length(found) {
    let sum = 0;
    for (const root of [document, ...found.values()]) {
      sum += (root instanceof Document ? root.documentElement : root).textContent.length;
      for (const { textContent } of root.querySelectorAll("script,style")) sum -= textContent.length;
    }
    return sum;
  }

  /** Whether an element has a place on the page: forms that open at a click wait in many pages of a site. @param {Element} element */
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });

  /** What the page asks for, a password, a card or a one-time code; "" for none. Reads nothing else. */
  function sensitive(found = shadows()) {
    for (const root of [document, ...found.values()]) {
      for (const [what, fields] of Object.entries(SENSITIVE)) {
        if ([...root.querySelectorAll(fields)].some(shown)) return /** @type {keyof typeof SENSITIVE} */ (what);
      }
    }
    return "";
  }

  /**
   * The document as HTML without scripts, styles, comments, inputs, form values and secrets in links. What is in a shadow root
   * stands where it is shown: in its host, with the host's own children in the slots that show them. It writes the text
   * directly, since a clone of the document takes twice the time; and in a loop, since a page can nest elements deeper than
   * the stack.
   * @param {Set<string>} [names] gets the names of what was redacted in links, as removed of privacy.js gives them
   */
  function take(names = new Set(), found = shadows()) {
    const parts = ["<!DOCTYPE html>"];
    let size = 0;
    /** The open elements, from the outside: what follows in each, and its end tag. @type {{next: Node|null, slotted: Node[], end: string}[]} */
    const open = [{ next: null, slotted: [document.documentElement], end: "" }];
    while (open.length > 0 && size <= MAX) {
      const at = open[open.length - 1];
      const node = at.next ?? at.slotted.shift();
      if (!node) {
        parts.push(at.end);
        open.pop();
        continue;
      }
      if (at.next) at.next = node.nextSibling;
      const { text, inside, end } = write(node, names);
      parts.push(text);
      size += text.length;
      if (inside) open.push({ ...childrenOf(/** @type {Element} */ (node), found), end });
      else parts.push(end);
    }
    for (const { end } of open.reverse()) parts.push(end);
    const html = parts.join("");
    return html.length > MAX ? html.slice(0, MAX + 1) : html;
  }

  /**
   * What an element shows inside: the first of siblings, or what a slot shows.
   * @param {Element} element @param {Map<Element, ShadowRoot>} found @returns {{next: Node|null, slotted: Node[]}}
   */
  function childrenOf(element, found) {
    if (element instanceof HTMLSlotElement) {
      const slotted = element.assignedNodes();
      if (slotted.length > 0) return { next: null, slotted };
    }
    return { next: (found.get(element) ?? element).firstChild, slotted: [] };
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
  const textOf = ({ data, parentElement }) => (parentElement && RAW.has(parentElement.localName) ? data : escape(data)); // a root has no parent

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

  /** The page's title; without one, that for previews elsewhere, or its first heading. */
  function title() {
    const heading = [...document.querySelectorAll("h1")].find((h) => !h.closest("[contenteditable]") && h.textContent?.trim());
    return document.title || document.querySelector('meta[property="og:title" i]')?.getAttribute("content")?.trim() || heading?.textContent?.trim().slice(0, LONGEST) || "";
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

  globalThis.nightjarSnapshot = Object.freeze({ shadows, length, sensitive, take, title, refreshDelay, kind });
})();
