// What must not leave a page: secrets in URLs. Content scripts and modules share this file: it is a classic script that runs after
// secret_words.js, and modules import both by secrets.js for their side effect, the frozen object nightjarPrivacy. The daemon has
// the same rules in Go; the vectors in daemon/protocol/testdata test both.
(() => {
  "use strict";

  /** Replaces a secret. */
  const REDACTED = "redacted";

  const { SECRET_NAMES, SECRET_ENDING, SECRET_PATHS, OPEN_PATHS, PUBLIC_PATHS, OPEN_HOSTS, KEPT_NAMES, SHORT_NAMES } =
    globalThis.nightjarSecretWords;

  // What the segments of a path so far say about those that follow: OPEN, that a long random one is a secret; ANNOUNCED, that a
  // short one is, too.
  const [UNTOLD, OPEN, ANNOUNCED] = [0, 1, 2];

  // Shortest random-looking run that counts as a secret, in characters; it may be shorter in a path, after a word such as "reset".
  const MIN_SECRET = 20;
  const MIN_SEGMENT = 16;
  // Shortest token that is announced, and most words of a segment that announces one: those with more are titles.
  const MIN_SHORT = 8;
  const MAX_TELLING_WORDS = 3;
  // Entropy in bits per character. Random strings have about 4, hexadecimal ones a little less.
  const MIN_ENTROPY = 3.0;
  // A random word has at least MIN_WORD characters and MIN_CHANGES changes between kinds of characters. h264 and mp3 are names.
  const MIN_WORD = 6;
  const MIN_CHANGES = 4;
  // How many levels of URLs inside the parameters of URLs are searched.
  const NESTING = 3;
  // The forms of keys and tokens of well-known services.
  const TOKEN = new RegExp(
    "eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|" +
      "glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|[sprc][ks]_(?:live|test)_[A-Za-z0-9]{10,}|" +
      "whsec_[A-Za-z0-9]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\\.[A-Za-z0-9_-]{20,}|" +
      "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|bot[0-9]{6,}:[A-Za-z0-9_-]{30,}|" +
      "^s--[A-Za-z0-9_-]{8}--$|^shr[A-Za-z0-9]{14}$|^uXjV[A-Za-z0-9_-]{6,}=?$|^\\([ASFXasfx]\\([^()]{10,}\\)",
  );
  /** Whether a decoded text contains one. One without a digit is too rare to look for. @param {string} text */
  const token = (text) => /[0-9(]/.test(text) && TOKEN.test(text);
  const EMAIL = /[A-Za-z0-9._%-]@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/;
  const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

  /** Lowers ASCII letters only: no other letter may become one. @param {string} s */
  const lower = (s) => s.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

  /** @param {string} name */
  const plain = (name) => lower(name.replace(/[-_.[\]]/g, ""));

  /** Decodes percent escapes and + byte by byte; invalid escapes stay. @param {string} text */
  const unescape = (text) =>
    text.replace(/\+/g, " ").replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));

  /** Shannon entropy in bits per character. @param {string} s */
  function entropy(s) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const c of s) counts.set(c, (counts.get(c) ?? 0) + 1);
    let h = 0;
    for (const n of counts.values()) h -= (n / s.length) * Math.log2(n / s.length);
    return h;
  }

  /** @param {string} c */
  const kind = (c) => (c >= "0" && c <= "9" ? "0" : c >= "a" && c <= "z" ? "a" : "A");

  /**
   * Counts the changes between letters and digits, and between small and capital letters. Word and camelCase do not count, if
   * two or more small letters come before the capital one. @param {string} word
   */
  function changes(word) {
    let n = 0;
    let small = 0;
    for (let i = 0; i + 1 < word.length; i++) {
      const a = kind(word[i]);
      const b = kind(word[i + 1]);
      small = a === "a" ? small + 1 : 0;
      const camel = small > 1 && b === "A" && i + 2 < word.length && kind(word[i + 2]) === "a";
      if (a !== b && !(a === "A" && b === "a") && !camel) n++;
    }
    return n;
  }

  /** @param {string} run */
  const mixed = (run) =>
    run.split(/[-_+/=]+/).reduce((sum, word) => sum + (word.length >= MIN_WORD ? changes(word) : 0), 0) >= MIN_CHANGES;

  /**
   * Whether text has a run of at least min base64 characters that looks random: long, varied, and with mixed kinds of
   * characters inside its words. A UUID always counts as random.
   * @param {string} text @param {number} min
   */
  function random(text, min) {
    if (text.length < min) return false;
    if (UUID.test(text)) return true;
    return text.split(/[^A-Za-z0-9_+/=-]+/).some((run) => run.length >= min && entropy(run) >= MIN_ENTROPY && mixed(run));
  }

  /**
   * Whether an announced segment looks like a token although it is short: one run of letters and digits whose kind changes
   * twice or more, or once when it has capital and small letters. @param {string} text
   */
  function short(text) {
    const [word] = cut(text, ".");
    if (word.length < MIN_SHORT || word.length > 64 || !/^[A-Za-z0-9]+$/.test(word)) return false;
    return changes(word) >= (/[A-Z]/.test(word) && /[a-z]/.test(word) ? 1 : 2);
  }

  /** Whether an announced value looks like a short token or a code that a person types. @param {string} name @param {string} value */
  const code = (name, value) => short(value) || (/^[0-9]{6,8}$/.test(value) && !KEPT_NAMES.has(name));

  /** Whether a segment looks random wherever it stands: of capital and small letters, and long. @param {string} word */
  const wild = (word) => word.length >= MIN_SEGMENT && /[A-Z]/.test(word) && /[a-z]/.test(word) && random(word, MIN_SEGMENT);

  /** Whether a value is an address that runs a script or holds a document. @param {string} value */
  // eslint-disable-next-line no-control-regex -- the URL standard strips C0 controls and spaces
  const program = (value) => /^[\x00- ]*(javascript|data|vbscript|blob):/i.test(value);

  /** Whether a decoded text is a URL, or a relative URL with a query, that contains a secret. @param {string} text @param {number} depth @returns {boolean} */
  function inside(text, depth) {
    if (depth === 0) return false;
    if (split(text)) return scrub(text, depth - 1).hit;
    const [, query] = cut(text, "?");
    return query !== null && scrubPairs(query, UNTOLD, depth - 1).hit;
  }

  /**
   * Whether the decoded value of a parameter, which is not empty, is a secret; told: what the path before it says.
   * @param {string} name @param {string} value @param {number} told @param {number} depth
   */
  function secretValue(name, value, told, depth) {
    if (SECRET_NAMES.has(name) || name.startsWith("xamz") || name.startsWith("xgoog") || SECRET_ENDING.test(name)) return true;
    if (token(value) || program(value) || inside(value, depth)) return true;
    if (KEPT_NAMES.has(name) && (told === UNTOLD || !SHORT_NAMES.has(name))) return false;
    if (depth > 0 && split(value)) return false;
    return value === REDACTED || random(value, MIN_SECRET) || EMAIL.test(value);
  }

  /** @typedef {{clean: string, hit: boolean}} Scrubbed */

  /** @param {string} pair @param {number} told @param {number} depth @returns {Scrubbed} */
  function scrubPair(pair, told, depth) {
    const [name, value] = cut(pair, "=");
    const text = unescape(name);
    if (pair === REDACTED) return { clean: pair, hit: true };
    if (random(text, MIN_SECRET) || token(text) || inside(text, depth)) return { clean: REDACTED, hit: true }; // a bare token: ?eyJhbGciOi…
    const decoded = unescape(value ?? "");
    if (value && (secretValue(plain(text), decoded, told, depth) || (told === ANNOUNCED && code(plain(text), decoded)))) return { clean: `${name}=${REDACTED}`, hit: true };
    return { clean: pair, hit: false };
  }

  /**
   * Cleans the parameters of a query, separated by & or ;.
   * @param {string} pairs @param {number} told what the path before it says @param {number} depth @returns {Scrubbed}
   */
  function scrubPairs(pairs, told, depth) {
    let hit = false;
    const parts = pairs.split(/([&;])/).map((part) => {
      if (part === "&" || part === ";") return part;
      const pair = scrubPair(part, told, depth);
      hit ||= pair.hit;
      return pair.clean;
    });
    return { clean: parts.join(""), hit };
  }

  /** What a decoded segment says about those that follow it. @param {string} word */
  function tellingOf(word) {
    const name = plain(word);
    if (SECRET_PATHS.has(name)) return ANNOUNCED;
    if (OPEN_PATHS.has(name) || /^[a-z]$/.test(name)) return OPEN;
    if (word.length > 40 || !/[-_. ]/.test(word)) return UNTOLD;
    const parts = lower(word).split(/[-_. ]+/).filter((part) => part !== "");
    if (parts.length > MAX_TELLING_WORDS) return UNTOLD;
    if (parts.some((part) => part.length > 1 && SECRET_PATHS.has(part))) return ANNOUNCED;
    return parts.some((part) => OPEN_PATHS.has(part)) ? OPEN : UNTOLD;
  }

  /** The place of open segments on a host, null for none. @param {string} authority */
  const openPlace = (authority) => OPEN_HOSTS.get(cut(lower(authority), ":")[0].replace(/^www\./, "")) ?? null;

  /** What the first label of a host says about the path: hooks.example.com. @param {string} authority */
  function hostTells(authority) {
    const [label] = cut(lower(authority), ".");
    return label.length > 1 && SECRET_PATHS.has(label) ? ANNOUNCED : UNTOLD;
  }

  /** What the values of a query say about the others: ?mode=activate. @param {string} pairs */
  function queryTells(pairs) {
    const values = pairs.split(/[&;]/).map((pair) => cut(pair, "=")[1] ?? "");
    return values.some((value) => value.length > 1 && SECRET_PATHS.has(plain(value))) ? ANNOUNCED : UNTOLD;
  }

  /** Whether a segment of one of OPEN_HOSTS lets everybody in. @param {string} place @param {string} before @param {string} own */
  function atPlace(place, before, own) {
    if (place === "+") return own.startsWith("+");
    return (place === "" || (place === "#" && /^[0-9]+$/.test(before)) || place === before) && /^[A-Za-z0-9_!-]+$/.test(own);
  }

  /**
   * Whether a segment of a path, before and after decoding, is a secret; before: the one that it follows.
   * @param {string|null} place @param {string} before @param {string} own @param {string} word @param {number} told
   */
  function secretSegment(place, before, own, word, told) {
    if (own.length < 6) return false;
    if (place !== null && atPlace(place, before, own)) return true;
    if (token(word) || (EMAIL.test(word) && !word.startsWith("@") && !PUBLIC_PATHS.has(before))) return true; // @joe@ice.test is a name that people publish
    if (told === ANNOUNCED && (random(word, MIN_SEGMENT) || short(word))) return true;
    return !PUBLIC_PATHS.has(before) && (told === OPEN && random(word, MIN_SEGMENT) ? true : wild(word));
  }

  /**
   * told: what was said before the path, and on return by its end.
   * @param {string|null} place of open segments @param {string} path @param {number} depth @param {number} [told] @returns {Scrubbed & {told: number}}
   */
  function scrubPath(place, path, depth, told = UNTOLD) {
    let hit = false;
    let said = told;
    let before = "";
    const segments = path.split("/").map((segment) => {
      const [own, parameters] = cut(segment, ";"); // such as ;jsessionid=… after the text of the segment
      const word = unescape(own);
      if (own === REDACTED || secretSegment(place, before, own, word, said)) {
        hit = true;
        return REDACTED;
      }
      said = Math.max(said, tellingOf(word));
      if (word !== "") before = plain(word);
      if (parameters === null) return segment;
      const pairs = scrubPairs(parameters, said, depth);
      hit ||= pairs.hit;
      return `${own};${pairs.clean}`;
    });
    return { clean: segments.join("/"), hit, told: said };
  }

  /** Cleans the segments of a route that may be parameters: a single one, and those with "=". @param {string} path @param {number} depth @returns {Scrubbed} */
  function scrubSegments(path, depth) {
    let hit = false;
    const alone = !path.replace(/^\/+|\/+$/g, "").includes("/");
    const segments = path.split("/").map((segment) => {
      if (segment === "" || (!alone && !segment.includes("="))) return segment;
      const pairs = scrubPairs(segment, UNTOLD, depth);
      hit ||= pairs.hit;
      return pairs.clean;
    });
    return { clean: segments.join("/"), hit };
  }

  /**
   * Cleans a fragment, given without its "#". Only a route is kept: one that begins with "/" or "!", with which a script names
   * what it shows. Its path and query are cleaned as those of a URL. An empty route names the page itself.
   * @param {string} fragment @param {number} depth @param {number} told as in scrubPath @returns {Scrubbed}
   */
  function scrubRoute(fragment, depth, told) {
    if (!/^[/!]/.test(fragment)) return { clean: "", hit: scrubPairs(fragment, UNTOLD, depth).hit };
    const [shown, place] = cut(fragment, "#");
    const [whole, query] = cut(shown, "?");
    const [mark] = /** @type {RegExpExecArray} */ (/^!*/.exec(whole));
    const path = scrubPath(null, whole.slice(mark.length), depth, told);
    const segments = scrubSegments(path.clean, depth);
    const pairs = scrubPairs(query ?? "", path.told, depth);
    const hit = path.hit || segments.hit || pairs.hit || scrubPairs(place ?? "", UNTOLD, depth).hit;
    const clean = `#${mark}${segments.clean}${pairs.clean && "?"}${pairs.clean}`;
    return { clean: /^#[/!]*$/.test(clean) ? "" : clean, hit };
  }

  /** The parts before and after the first separator; the second is null without one. @param {string} s @param {string} separator @returns {[string, string|null]} */
  function cut(s, separator) {
    const i = s.indexOf(separator);
    return i < 0 ? [s, null] : [s.slice(0, i), s.slice(i + separator.length)];
  }

  /** The parts of an http or https URL, split as in the URL standard but not decoded; null for other text. @param {string} raw */
  function split(raw) {
    const [whole, fragment] = cut(raw.replace(/[\t\n\r]/g, ""), "#");
    // eslint-disable-next-line no-control-regex -- the URL standard strips C0 controls and spaces from both ends
    const [head, query] = cut(whole.replace(/^[\x00- ]+|[\x00- ]+$/g, ""), "?");
    const [scheme, rest] = cut(head.replaceAll("\\", "/"), ":");
    if (rest === null || !/^https?$/i.test(scheme)) return null;
    const [, authority, path] = /** @type {RegExpExecArray} */ (/^\/*([^/]*)([^]*)$/.exec(rest));
    // eslint-disable-next-line no-control-regex -- the same characters
    return { scheme: lower(scheme), authority, path, query, fragment: fragment?.replace(/[\x00- ]+$/, "") ?? null };
  }

  /** Removes the secrets from a URL and reports whether there were any. @param {string} raw @param {number} depth @returns {Scrubbed} */
  function scrub(raw, depth) {
    const a = split(raw);
    if (!a) return { clean: "", hit: false };
    const host = a.authority.slice(a.authority.lastIndexOf("@") + 1);
    const path = scrubPath(openPlace(host), a.path, depth, hostTells(host));
    const query = scrubPairs(a.query ?? "", Math.max(path.told, queryTells(a.query ?? "")), depth);
    const route = scrubRoute(a.fragment ?? "", depth, path.told);
    const hit = host !== a.authority || path.hit || query.hit || route.hit;
    if (host === "") return { clean: "", hit };
    return { clean: `${a.scheme}://${host}${path.clean}${a.query === null ? "" : `?${query.clean}`}${route.clean}`, hit };
  }

  /**
   * Removes the secrets from an http or https URL: user and password, values of parameters that are or look secret, path
   * segments that look secret after a word such as "reset", and the fragment, of which a route stays without its secrets. It also corrects spellings that browsers
   * tolerate (backslashes, tabs, extra slashes); everything else stays byte for byte. Returns "" for any other text.
   * @param {string} raw @returns {string}
   */
  const redact = (raw) => scrub(raw, NESTING).clean;

  /** Longest name that removed gives, in characters. */
  const NAME = 60;

  /**
   * The names of what redact takes out of a URL: "login" for user and password, "path" for a part of the path, "fragment",
   * "?" for a text without a name, and "?token" for the value of the parameter token. They are read from the clean URL, so
   * they contain nothing that was taken out.
   * @param {string} raw @returns {string[]}
   */
  function removed(raw) {
    const [was, is] = [split(raw), split(redact(raw))];
    if (!was || !is) return [];
    const names = new Set(was.authority === is.authority ? [] : ["login"]);
    const old = was.path.split("/");
    for (const [i, segment] of is.path.split("/").entries()) {
      const [own, parameters] = cut(segment, ";");
      if (parameters !== null) for (const name of removedPairs(cut(old[i] ?? "", ";")[1] ?? "", parameters)) names.add(name);
      if (own === REDACTED) names.add("path");
    }
    for (const name of removedPairs(was.query ?? "", is.query ?? "")) names.add(name);
    if (was.fragment && is.fragment === null) names.add("fragment");
    else if (is.fragment) for (const name of removedPairs(was.fragment ?? "", is.fragment)) names.add(name);
    return [...names];
  }

  /** @param {string} was @param {string} is its clean form; both have the same number of parts */
  function removedPairs(was, is) {
    const old = was.split(/[&;?/]/);
    return is.split(/[&;?/]/).flatMap((pair, i) => {
      const [name, value] = cut(pair, "=");
      if (pair === REDACTED) return ["?"];
      return value === REDACTED || old[i] !== pair ? [`?${name.slice(0, NAME)}`] : [];
    });
  }

  /** Whether the path segments of a URL's host are no secrets by themselves. @param {string} url */
  const ordinary = (url) => openPlace(split(url)?.authority ?? "") === null;

  globalThis.nightjarPrivacy = Object.freeze({ redact, removed, ordinary });
})();
