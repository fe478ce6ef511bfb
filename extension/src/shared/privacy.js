// What must not leave a page: secrets in URLs, hosts that are never recorded. Runs as a classic content script and as a
// side-effect import in modules, so that both use the same code; it leaves one frozen object behind, nightjarPrivacy.
// crawler/page/secret.go and daemon/protocol/never.go are the same rules in Go; daemon/protocol/testdata pins both.
(() => {
  "use strict";

  /** Stands where a secret stood. */
  const REDACTED = "redacted";

  /** @param {string} words */
  const set = (words) => new Set(words.split(" "));

  // Parameters whose value lets its holder in, or says who somebody is, whatever it looks like; as plain makes them.
  const SECRET_NAMES = set(
    "token accesstoken refreshtoken idtoken authtoken requesttoken csrf csrftoken xsrf xsrftoken " +
      "key apikey privatekey secretkey accesskey awsaccesskeyid googleaccessid secret clientsecret sig signature hmac " +
      "auth authkey authorization bearer cookie oauth oauthtoken oauthverifier code state session sess sessionid sessid sid " +
      "phpsessid jsessionid aspsessionid cfid cftoken jwt assertion samlresponse samlrequest password passwd passwort " +
      "passphrase pass pwd pw pin otp totp email mail username ticket credential credentials nonce invite invitation magic " +
      "resetkey resettoken confirmationtoken verify verification unsubscribe",
  );

  // What compound names of such parameters end with: password_reset_token, X-Api-Key.
  const SECRET_ENDING =
    /(token|secret|password|passwd|signature|apikey|accesskey|sessionid|sessid|authcode|email|otp|jwt|credential)$/;

  // Path segments that often have a one-time secret behind them: /reset/TOKEN.
  const SECRET_PATHS = set(
    "reset resetpassword passwordreset password verify verification confirm confirmation activate " +
      "activation invite invitation magic unsubscribe token auth oauth login signin session share shared s",
  );

  // What a person looked for, or the page's own name: its length and variety say nothing.
  const KEPT_NAMES = set(
    "q query search searchterm term terms keyword keywords kw text title name wd words subject topic s p page id v url",
  );

  // From how many characters on a random-looking run is taken for a secret; in a path a word has told what follows.
  const MIN_SECRET = 20;
  const MIN_SEGMENT = 16;
  // Bits a character: random strings have about 4, hexadecimal ones somewhat less.
  const MIN_ENTROPY = 3.0;
  // In words of so many characters the kind of character changes at least so often; h264 and mp3 are names.
  const MIN_WORD = 6;
  const MIN_CHANGES = 4;
  // How deep addresses in the parameters of addresses are looked into.
  const NESTING = 3;
  const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

  /** ASCII letters only: no other letter may turn into one. @param {string} s */
  const lower = (s) => s.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

  /** @param {string} name */
  const plain = (name) => lower(name.replace(/[-_.[\]]/g, ""));

  /** Percent escapes and + decoded byte by byte, what is none left alone. @param {string} text */
  const unescape = (text) =>
    text.replace(/\+/g, " ").replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));

  /** Shannon entropy in bits a character. @param {string} s */
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

  /** How often letters and digits, or small and capital letters, alternate in a word; Word and camelCase do not count. @param {string} word */
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
   * Whether text holds a run of at least min characters of base64 that looks drawn at random, and not written by a
   * person: long, varied, and of mixed kinds of characters inside its words. A UUID is always one.
   * @param {string} text @param {number} min
   */
  function random(text, min) {
    if (text.length < min) return false;
    if (UUID.test(text)) return true;
    return text.split(/[^A-Za-z0-9_+/=-]+/).some((run) => run.length >= min && entropy(run) >= MIN_ENTROPY && mixed(run));
  }

  /** Whether a decoded text is an address, or a relative one with a query, that carries a secret. @param {string} text @param {number} depth @returns {boolean} */
  function inside(text, depth) {
    if (depth === 0) return false;
    if (split(text)) return scrub(text, depth - 1).hit;
    const [, query] = cut(text, "?");
    return query !== null && scrubPairs(query, depth - 1).hit;
  }

  /** Whether a parameter's decoded value, which is not empty, must not be kept. @param {string} name @param {string} value @param {number} depth */
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

  /** The parameters of a query, which & or ; separates. @param {string} pairs @param {number} depth @returns {Scrubbed} */
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

  /** @param {string} path @param {number} depth @returns {Scrubbed} */
  function scrubPath(path, depth) {
    let hit = false;
    let told = false;
    const segments = path.split("/").map((segment) => {
      const [own, parameters] = cut(segment, ";"); // ;jsessionid=… sits behind the segment's own text
      const word = unescape(own);
      if (told && (own === REDACTED || random(word, MIN_SEGMENT))) {
        hit = true;
        return REDACTED;
      }
      told ||= SECRET_PATHS.has(plain(word));
      if (parameters === null) return segment;
      const pairs = scrubPairs(parameters, depth);
      hit ||= pairs.hit;
      return `${own};${pairs.clean}`;
    });
    return { clean: segments.join("/"), hit };
  }

  /** Before and after the first separator; null when there is none. @param {string} s @param {string} separator @returns {[string, string|null]} */
  function cut(s, separator) {
    const i = s.indexOf(separator);
    return i < 0 ? [s, null] : [s.slice(0, i), s.slice(i + separator.length)];
  }

  /** An http or https URL in its parts, read as the URL standard does but not decoded; null for another. @param {string} raw */
  function split(raw) {
    const [whole, fragment] = cut(raw.replace(/[\t\n\r]/g, ""), "#");
    // eslint-disable-next-line no-control-regex -- the URL standard strips C0 controls and spaces from both ends
    const [head, query] = cut(whole.replace(/^[\x00- ]+|[\x00- ]+$/g, ""), "?");
    const [scheme, rest] = cut(head.replaceAll("\\", "/"), ":");
    if (rest === null || !/^https?$/i.test(scheme)) return null;
    const [, authority, path] = /** @type {RegExpExecArray} */ (/^\/*([^/]*)([^]*)$/.exec(rest));
    return { scheme: lower(scheme), authority, path, query, fragment };
  }

  /** Takes out the secrets of an address and says whether there were any. @param {string} raw @param {number} depth @returns {Scrubbed} */
  function scrub(raw, depth) {
    const a = split(raw);
    if (!a) return { clean: "", hit: false };
    const host = a.authority.slice(a.authority.lastIndexOf("@") + 1);
    const path = scrubPath(a.path, depth);
    const query = scrubPairs(a.query ?? "", depth);
    const hit = host !== a.authority || path.hit || query.hit || scrubPairs(a.fragment ?? "", depth).hit;
    if (host === "") return { clean: "", hit };
    return { clean: `${a.scheme}://${host}${path.clean}${a.query === null ? "" : `?${query.clean}`}`, hit };
  }

  /**
   * Takes the secrets out of an http or https address: fragment, user and password, values of parameters that carry
   * secrets or look like one, path segments that look like one behind a word such as "reset". Spellings that browsers
   * read over (backslashes, tabs, too many slashes) are put right; the rest stays byte for byte. "" for no such address.
   * @param {string} raw @returns {string}
   */
  const redact = (raw) => scrub(raw, NESTING).clean;

  /** The host of a URL in lower case, "" without one. @param {string} url */
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
   * Whether a URL is of a host on the list or of a subdomain of one. What has no host is never recorded.
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
   * Whether a URL is of this computer or its network: loopback, private and link-local addresses, names without a dot,
   * names that only a home or company network knows.
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

  globalThis.nightjarPrivacy = Object.freeze({ redact, never, hostOf, privateNetwork });
})();
