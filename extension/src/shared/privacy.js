// What must not leave a page: secrets in URLs. Content scripts and modules share this file: it is a classic script that runs after
// random.js and secret_words.js, and modules import all by secrets.js for their side effect, the frozen object nightjarPrivacy. The daemon has
// the same rules in Go; the vectors in daemon/browse/protocol/testdata test both.
(() => {
  "use strict";

  /** Replaces a secret. */
  const REDACTED = "redacted";

  const {
    SECRET_NAMES, SECRET_ENDING, HINT_NAMES, HINT_ENDING, KEPT_NAMES, SHORT_NAMES, RANGE_NAMES, REVISION_WORDS,
    SECRET_PATHS, HINT_PATHS, OPEN_PATHS, PUBLIC_PATHS, ARCHIVE_HOSTS, ARCHIVE_PATHS, KEYED_FILES, OPEN_HOSTS,
  } = globalThis.nightjarSecretWords;
  const { random, excess, UNTOLD, OPEN, HINTED, ANNOUNCED } = globalThis.nightjarRandom;

  // Shortest segment of a path that may be a secret, and most words of one that announces a secret: those with more are titles.
  const MIN_SEGMENT = 6;
  const MAX_TELLING_WORDS = 3;
  // How many levels of URLs inside the parameters of URLs are searched.
  const NESTING = 3;
  // The forms of keys and tokens of well-known services.
  const TOKEN = new RegExp(
    "eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|" +
      "glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|[sprc][ks]_(?:live|test)_[A-Za-z0-9]{10,}|" +
      "whsec_[A-Za-z0-9]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\\.[A-Za-z0-9_-]{20,}|" +
      "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|bot[0-9]{6,}:[A-Za-z0-9_-]{30,}|" +
      "^s--[A-Za-z0-9_-]{8}--$|^4/0A[A-Za-z0-9_-]+|^shr[A-Za-z0-9]{14}$|^uXjV[A-Za-z0-9_-]{6,}=?$|^\\([ASFXasfx]\\([^()]{10,}\\)",
  );
  /** Whether a decoded text contains one. One without a digit is too rare to look for. @param {string} text */
  const token = (text) => /[0-9(]/.test(text) && TOKEN.test(text);
  const EMAIL = /[A-Za-z0-9._%-]@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/;
  // The name of a revision; a code of capitals and digits that names a course, a product or a station, or a vehicle (ISO 3779); a
  // page of an archive that MHonArc makes; the name of a file.
  const DIGEST = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/;
  const SHORT_CODE = /^[0-9A-Z .:/-]{1,12}$|^[0-9A-HJ-NPR-Z]{13}[0-9]{4}$/;
  const MAIL_PAGE = /\/msg[0-9]+\.html$/;
  const FILE_NAME = /[^.]\.([A-Za-z0-9]{1,5})$/;

  /** Lowers ASCII letters only: no other letter may become one. @param {string} s */
  const lower = (s) => s.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

  /** @param {string} name */
  const plain = (name) => lower(name.replace(/[-_.[\]]/g, ""));

  /** Decodes percent escapes and + byte by byte; invalid escapes stay. @param {string} text */
  const unescape = (text) =>
    text.replace(/\+/g, " ").replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));

  /** Whether a segment looks random wherever it stands: of capital and small letters, and long. @param {string} word */
  const wild = (word) => /[A-Z]/.test(word) && /[a-z]/.test(word) && random(word, OPEN);

  /**
   * Whether the local part of an address of mail is made by a program: 20240105152802.6724-1-orla@tides.example. People have no number
   * of nine digits in theirs, nor random text. @param {string} address
   */
  function messageID(address) {
    const [local] = cut(address, "@");
    return /[0-9]{9}|^[0-9.]+$/.test(local) || (/^[!-~]*[0-9][!-~]*$/.test(local) && excess(local) > 0);
  }

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
    if (secretName(name) || token(value) || program(value) || inside(value, depth)) return true;
    if (KEPT_NAMES.has(name) && (told === UNTOLD || !SHORT_NAMES.has(name))) return false;
    if ((depth > 0 && split(value)) || (RANGE_NAMES.has(name) && DIGEST.test(value))) return false;
    if (value === REDACTED || (EMAIL.test(value) && !messageID(value))) return true;
    if (hintName(name)) return hintedSecret(value, told);
    if (/^[0-9]+$/.test(value)) return told === ANNOUNCED && typed(value);
    return random(value, told === OPEN ? UNTOLD : told);
  }

  /** Whether the value of a parameter is secret, whatever it looks like. @param {string} name */
  const secretName = (name) => SECRET_NAMES.has(name) || name.startsWith("xamz") || name.startsWith("xgoog") || SECRET_ENDING.test(name);

  /** Whether the value of a parameter is secret if it looks like that. @param {string} name */
  const hintName = (name) => HINT_NAMES.has(name) || HINT_ENDING.test(name);

  /**
   * Whether the decoded value of a parameter, whose name may be that of a secret, looks like one: random text that is no short code, or a
   * number that is longer than those of products and times. If more hints at a secret, less is enough.
   * @param {string} value @param {number} told
   */
  function hintedSecret(value, told) {
    const digits = /^[0-9]+$/.test(value);
    if (told === ANNOUNCED) return (digits && value.length >= 4) || random(value, ANNOUNCED);
    if (digits) return value.length >= 16 || (told === HINTED && typed(value));
    return random(value, HINTED) && !SHORT_CODE.test(value);
  }

  /** Whether a number has as many digits as those that people type to be let in. @param {string} number */
  const typed = (number) => number.length >= 6 && number.length <= 8;

  /** @typedef {{clean: string, hit: boolean}} Scrubbed */

  /**
   * Whether the parameters of a query show a revision of sources, which a digest names: ?p=tide.git;a=blob;h=HASH. @param {string} pairs
   */
  function showsRevision(pairs) {
    const values = pairs.split(/[&;]/).map((pair) => cut(pair, "=")[1] ?? "");
    return values.some((value) => REVISION_WORDS.has(plain(value)) || value.endsWith(".git"));
  }

  /**
   * Cleans one parameter; revision: those beside it show a revision.
   * @param {string} pair @param {number} told @param {boolean} revision @param {number} depth @returns {Scrubbed}
   */
  function scrubPair(pair, told, revision, depth) {
    const [name, value] = cut(pair, "=");
    const text = unescape(name);
    if (pair === REDACTED) return { clean: pair, hit: true };
    if (random(text, UNTOLD) || token(text) || inside(text, depth)) return { clean: REDACTED, hit: true }; // a bare token: ?eyJhbGciOi…
    if (revision && value && DIGEST.test(value) && !secretName(plain(text)) && !hintName(plain(text))) return { clean: pair, hit: false };
    if (value && secretValue(plain(text), unescape(value), told, depth)) return { clean: `${name}=${REDACTED}`, hit: true };
    return { clean: pair, hit: false };
  }

  /**
   * Cleans the parameters of a query, separated by & or ;.
   * @param {string} pairs @param {number} told what the path before it says @param {number} depth @returns {Scrubbed}
   */
  function scrubPairs(pairs, told, depth) {
    let hit = false;
    const revision = told < HINTED && showsRevision(pairs);
    const parts = pairs.split(/([&;])/).map((part) => {
      if (part === "&" || part === ";") return part;
      const pair = scrubPair(part, told, revision, depth);
      hit ||= pair.hit;
      return pair.clean;
    });
    return { clean: parts.join(""), hit };
  }

  /** What a word of a segment says about those that follow. @param {string} word */
  const wordTells = (word) => (SECRET_PATHS.has(word) ? ANNOUNCED : HINT_PATHS.has(word) ? HINTED : UNTOLD);

  /** What a decoded segment says about those that follow it. @param {string} word */
  function tellingOf(word) {
    const name = plain(word);
    const told = wordTells(name);
    if (told !== UNTOLD) return told;
    if (name === "s") return HINTED; // of a share: /s/TOKEN
    if (OPEN_PATHS.has(name) || /^[a-z]$/.test(name)) return OPEN;
    if (word.length > 40 || !/[-_. ]/.test(word)) return UNTOLD;
    const parts = lower(word).split(/[-_. ]+/).filter((part) => part !== "");
    if (parts.length > MAX_TELLING_WORDS) return UNTOLD;
    return Math.max(UNTOLD, ...parts.map((part) => Math.max(wordTells(part), OPEN_PATHS.has(part) ? OPEN : UNTOLD)));
  }

  /** The place of open segments on a host, null for none. @param {string} authority */
  const openPlace = (authority) => OPEN_HOSTS.get(cut(lower(authority), ":")[0].replace(/^www\./, "")) ?? null;

  /** What the first label of a host says about the path: hooks.example.com. @param {string} authority */
  const hostTells = (authority) => wordTells(cut(lower(authority), ".")[0]);

  /** What the values of a query say about the others: ?mode=activate. @param {string} pairs */
  const queryTells = (pairs) => Math.max(...pairs.split(/[&;]/).map((pair) => wordTells(plain(cut(pair, "=")[1] ?? ""))));

  /**
   * Whether a host or a folder keeps the mails of a list, whose addresses contain those of the list and the ids of mails:
   * lists.example.com, example.com/pipermail. @param {string} authority @param {string} path
   */
  const archives = (authority, path) =>
    lower(authority).split(".").some((label) => ARCHIVE_HOSTS.has(plain(label))) || path.split("/").some((segment) => ARCHIVE_PATHS.has(plain(segment))) ||
    MAIL_PAGE.test(path);

  /** Whether a segment of one of OPEN_HOSTS lets everybody in. @param {string} place @param {string} before @param {string} own */
  function atPlace(place, before, own) {
    if (place === "+") return own.startsWith("+");
    return (place === "" || (place === "#" && /^[0-9]+$/.test(before)) || place === before) && /^[A-Za-z0-9_!-]+$/.test(own);
  }

  /**
   * Whether a decoded segment of a path is a secret; isPublic: it is the public name of something, however it looks.
   * @param {string} word @param {number} told @param {boolean} isPublic
   */
  function secretSegment(word, told, isPublic) {
    if (token(word)) return true;
    if (EMAIL.test(word) && !word.startsWith("@") && !isPublic && (told >= OPEN || !messageID(word))) return true; // @joe@ice.test is a name that people publish
    if (told >= HINTED) return random(word, fileTells(word, told));
    return !isPublic && ((told === OPEN && random(word, OPEN)) || wild(word));
  }

  /** What was told before the name of a file: people name files, but feeds and calendars are named by keys. @param {string} word @param {number} told */
  function fileTells(word, told) {
    const ending = FILE_NAME.exec(word)?.[1];
    return ending !== undefined && !KEYED_FILES.has(lower(ending)) ? OPEN : told;
  }

  /**
   * told: what was said before the path, and on return by its end.
   * @param {string} authority @param {string} path @param {number} depth @param {number} [told] @returns {Scrubbed & {told: number}}
   */
  function scrubPath(authority, path, depth, told = UNTOLD) {
    const [place, archive] = [openPlace(authority), archives(authority, path)];
    let hit = false;
    let said = told;
    let before = "";
    const segments = path.split("/").map((segment) => {
      const [own, parameters] = cut(segment, ";"); // such as ;jsessionid=… after the text of the segment
      const word = unescape(own);
      const isPublic = PUBLIC_PATHS.has(before) || (archive && said < HINTED);
      const secret = own.length >= MIN_SEGMENT && ((place !== null && atPlace(place, before, own)) || secretSegment(word, said, isPublic));
      if (own === REDACTED || secret) {
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
    const path = scrubPath("", whole.slice(mark.length), depth, told);
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
    const path = scrubPath(host, a.path, depth, hostTells(host));
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
