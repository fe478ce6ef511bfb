// What must not leave a page: secrets in URLs, and pages of hosts that are never recorded. Content scripts and modules share
// this file: it is a classic script, and modules import it for its side effect, the frozen object nightjarPrivacy. The
// daemon has the same rules in Go; the vectors in daemon/protocol/testdata test both.
(() => {
  "use strict";

  /** Replaces a secret. */
  const REDACTED = "redacted";

  /** @param {string} words */
  const set = (words) => new Set(words.split(" "));

  // Parameters whose value gives access or identifies a person, whatever it looks like; spelled as plain returns them.
  const SECRET_NAMES = set(
    "token accesstoken refreshtoken idtoken authtoken requesttoken csrf csrftoken xsrf xsrftoken " +
      "key apikey privatekey secretkey accesskey awsaccesskeyid googleaccessid secret clientsecret sig signature hmac " +
      "auth authkey authorization bearer cookie oauth oauthtoken oauthverifier code state session sess sessionid sessid sid " +
      "phpsessid jsessionid aspsessionid cfid cftoken jwt assertion samlresponse samlrequest password passwd passwort " +
      "passphrase pass pwd pw pin otp totp email mail username ticket credential credentials nonce invite invitation magic " +
      "resetkey resettoken confirmationtoken verify verification unsubscribe",
  );

  // Endings of compound names of such parameters: password_reset_token, X-Api-Key.
  const SECRET_ENDING =
    /(token|secret|password|passwd|signature|apikey|accesskey|sessionid|sessid|authcode|email|otp|jwt|credential)$/;

  // Path segments that often come before a one-time secret: /reset/TOKEN.
  const SECRET_PATHS = set(
    "reset resetpassword passwordreset password verify verification confirm confirmation activate " +
      "activation invite invitation magic unsubscribe token auth oauth login signin session share shared s",
  );

  // Parameters with search words or the name of the page. Such values are kept even if they look random.
  const KEPT_NAMES = set(
    "q query search searchterm term terms keyword keywords kw text title name wd words subject topic s p page id v url",
  );

  // Shortest random-looking run that counts as a secret, in characters; it may be shorter in a path, after a word such as "reset".
  const MIN_SECRET = 20;
  const MIN_SEGMENT = 16;
  // Entropy in bits per character. Random strings have about 4, hexadecimal ones a little less.
  const MIN_ENTROPY = 3.0;
  // A random word has at least MIN_WORD characters and MIN_CHANGES changes between kinds of characters. h264 and mp3 are names.
  const MIN_WORD = 6;
  const MIN_CHANGES = 4;
  // How many levels of URLs inside the parameters of URLs are searched.
  const NESTING = 3;
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

  /** Counts the changes between letters and digits, and between small and capital letters; Word and camelCase do not count. @param {string} word */
  function changes(word) {
    let n = 0;
    for (let i = 1; i < word.length; i++) {
      const a = kind(word[i - 1]);
      const b = kind(word[i]);
      const camel = a === "a" && b === "A" && i + 1 < word.length && kind(word[i + 1]) === "a";
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

  /** Whether a decoded text is a URL, or a relative URL with a query, that contains a secret. @param {string} text @param {number} depth @returns {boolean} */
  function inside(text, depth) {
    if (depth === 0) return false;
    if (split(text)) return scrub(text, depth - 1).hit;
    const [, query] = cut(text, "?");
    return query !== null && scrubPairs(query, depth - 1).hit;
  }

  /** Whether the decoded value of a parameter, which is not empty, is a secret. @param {string} name @param {string} value @param {number} depth */
  function secretValue(name, value, depth) {
    if (SECRET_NAMES.has(name) || name.startsWith("xamz") || name.startsWith("xgoog") || SECRET_ENDING.test(name)) return true;
    if (inside(value, depth)) return true;
    if (KEPT_NAMES.has(name) || (depth > 0 && split(value))) return false;
    return value === REDACTED || random(value, MIN_SECRET);
  }

  /** @typedef {{clean: string, hit: boolean}} Scrubbed */

  /** @param {string} pair @param {number} depth @returns {Scrubbed} */
  function scrubPair(pair, depth) {
    const [name, value] = cut(pair, "=");
    const text = unescape(name);
    if (pair === REDACTED) return { clean: pair, hit: true };
    if (random(text, MIN_SECRET) || inside(text, depth)) return { clean: REDACTED, hit: true }; // a bare token: ?eyJhbGciOi…
    if (value && secretValue(plain(text), unescape(value), depth)) return { clean: `${name}=${REDACTED}`, hit: true };
    return { clean: pair, hit: false };
  }

  /** Cleans the parameters of a query, separated by & or ;. @param {string} pairs @param {number} depth @returns {Scrubbed} */
  function scrubPairs(pairs, depth) {
    let hit = false;
    const parts = pairs.split(/([&;])/).map((part) => {
      if (part === "&" || part === ";") return part;
      const pair = scrubPair(part, depth);
      hit ||= pair.hit;
      return pair.clean;
    });
    return { clean: parts.join(""), hit };
  }

  /**
   * told, expected: whether there was a word such as "reset" before the path, or by its end.
   * @param {string} path @param {number} depth @param {boolean} [told] @returns {Scrubbed & {expected: boolean}}
   */
  function scrubPath(path, depth, told = false) {
    let hit = false;
    let expected = told;
    const segments = path.split("/").map((segment) => {
      const [own, parameters] = cut(segment, ";"); // such as ;jsessionid=… after the text of the segment
      const word = unescape(own);
      if (expected && (own === REDACTED || random(word, MIN_SEGMENT))) {
        hit = true;
        return REDACTED;
      }
      expected ||= SECRET_PATHS.has(plain(word));
      if (parameters === null) return segment;
      const pairs = scrubPairs(parameters, depth);
      hit ||= pairs.hit;
      return `${own};${pairs.clean}`;
    });
    return { clean: segments.join("/"), hit, expected };
  }

  /** Cleans the segments of a route that may be parameters: a single one, and those with "=". @param {string} path @param {number} depth @returns {Scrubbed} */
  function scrubSegments(path, depth) {
    let hit = false;
    const alone = !path.replace(/^\/+|\/+$/g, "").includes("/");
    const segments = path.split("/").map((segment) => {
      if (segment === "" || (!alone && !segment.includes("="))) return segment;
      const pairs = scrubPairs(segment, depth);
      hit ||= pairs.hit;
      return pairs.clean;
    });
    return { clean: segments.join("/"), hit };
  }

  /**
   * Cleans a fragment, given without its "#". Only a route is kept: one that begins with "/" or "!", with which a script names
   * what it shows. Its path and query are cleaned as those of a URL. An empty route names the page itself.
   * @param {string} fragment @param {number} depth @param {boolean} told as in scrubPath @returns {Scrubbed}
   */
  function scrubRoute(fragment, depth, told) {
    if (!/^[/!]/.test(fragment)) return { clean: "", hit: scrubPairs(fragment, depth).hit };
    const [shown, place] = cut(fragment, "#");
    const [whole, query] = cut(shown, "?");
    const [mark] = /** @type {RegExpExecArray} */ (/^!*/.exec(whole));
    const path = scrubPath(whole.slice(mark.length), depth, told);
    const segments = scrubSegments(path.clean, depth);
    const pairs = scrubPairs(query ?? "", depth);
    const hit = path.hit || segments.hit || pairs.hit || scrubPairs(place ?? "", depth).hit;
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
    const path = scrubPath(a.path, depth);
    const query = scrubPairs(a.query ?? "", depth);
    const route = scrubRoute(a.fragment ?? "", depth, path.expected);
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

  /** The host of a URL in lower case, or "". @param {string} url */
  function hostOf(url) {
    const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
    if (!authority) return "";
    try {
      return new URL(`http://${authority}/`).hostname.replace(/\.$/, "");
    } catch {
      return "";
    }
  }

  /**
   * Whether the host of a URL is on the list or is a subdomain of a host on the list. True for a URL without a host.
   * @param {readonly string[]} hosts @param {string} url
   */
  function never(hosts, url) {
    const host = hostOf(url);
    if (host === "") return true;
    return hosts.some((entry) => {
      const h = entry.trim().toLowerCase().replace(/^\.+|\.+$/g, "");
      return h !== "" && (host === h || host.endsWith(`.${h}`));
    });
  }

  /**
   * Whether a URL is on this computer or its local network: loopback, private and link-local addresses, names without a
   * dot, and names that exist only in a home or company network.
   * @param {string} url
   */
  function privateNetwork(url) {
    const host = hostOf(url);
    if (host === "" || /(^|\.)(localhost|local|internal|lan|home\.arpa)$/.test(host)) return true;
    if (host.startsWith("[")) return !/^\[[23]/.test(host);
    const v4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
    if (!v4) return !host.includes(".");
    const [a, b] = [Number(v4[1]), Number(v4[2])];
    return (
      a === 0 || a === 10 || a === 127 || (a === 100 && b >= 64 && b < 128) || (a === 169 && b === 254) ||
      (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)
    );
  }

  globalThis.nightjarPrivacy = Object.freeze({ redact, removed, never, hostOf, privateNetwork });
})();
