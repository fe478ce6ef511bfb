// What must not leave a page: secrets in URLs, hosts that are never recorded. Runs as a classic content script and as a
// side-effect import in modules, so that both use the same code; it leaves one frozen object behind, nightjarPrivacy.
// daemon/protocol/private.go does the same a second time; daemon/protocol/testdata pins both.
(() => {
  /** Stands where a secret stood. */
  const REDACTED = "redacted";

  /** @param {string} words */
  const set = (words) => new Set(words.split(" "));

  // Query parameters whose values are secrets whatever they look like, in lower case without - _ . [ ].
  const SECRET_NAMES = set(
    "token accesstoken refreshtoken idtoken authtoken csrf csrftoken xsrf xsrftoken requesttoken " +
      "key apikey privatekey secret clientsecret sig signature hmac auth authorization oauth oauthtoken oauthverifier " +
      "code state session sessionid sessid sid phpsessid jsessionid aspsessionid cfid cftoken jwt assertion samlresponse samlrequest " +
      "password passwd pass pwd pin otp email mail username ticket credential credentials nonce invite invitation magic " +
      "resetkey resettoken confirmationtoken verify verification unsubscribe",
  );

  // What compound names of such parameters end with: password_reset_token, X-Api-Key.
  const SECRET_ENDING =
    /(token|secret|password|passwd|signature|apikey|accesskey|sessionid|sessid|authcode|email|otp|jwt|credential)$/;
  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

  // Words that come before a path segment that is a secret: /reset/TOKEN.
  const SECRET_WORDS = set(
    "reset resetpassword passwordreset password verify verification confirm confirmation activate activation " +
      "invite invitation magic unsubscribe token auth oauth login signin share session",
  );

  // What the person looked for, or the page's own name: never a secret.
  const KEEP_NAMES = set("q query search s p page id title v url");

  /** @param {string} name */
  const plain = (name) => name.toLowerCase().replace(/[-_.[\]]/g, "");

  /** Percent escapes and + decoded byte by byte; text with a broken escape as it is. @param {string} text */
  function unescape(text) {
    if (/%(?![0-9a-f]{2})/i.test(text)) return text;
    return text
      .replace(/\+/g, " ")
      .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  }

  /** Shannon entropy in bits a character. @param {string} s */
  function entropy(s) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const c of s) counts.set(c, (counts.get(c) ?? 0) + 1);
    let h = 0;
    for (const n of counts.values()) h -= (n / s.length) * Math.log2(n / s.length);
    return h;
  }

  /**
   * Whether text holds a run of at least min letters and digits, both of them, with an entropy above 3.5 bits: what
   * machines make and people do not write. Hyphens, underscores and dots end a run, so the words of an article's address
   * are none.
   * @param {string} text @param {number} min
   */
  function token(text, min) {
    return text
      .split(/[^A-Za-z0-9+/=]+/)
      .some((run) => run.length >= min && /[0-9]/.test(run) && /[A-Za-z]/.test(run) && entropy(run) > 3.5);
  }

  /** @param {string} name @param {string} value */
  function secretValue(name, value) {
    const n = plain(unescape(name));
    if (SECRET_NAMES.has(n) || n.startsWith("xamz") || n.startsWith("xgoog") || SECRET_ENDING.test(n)) return true;
    if (KEEP_NAMES.has(n)) return false;
    return token(unescape(value), 20) || UUID.test(unescape(value));
  }

  /** @param {string} pairs @param {string} separator */
  function redactPairs(pairs, separator) {
    return pairs
      .split(separator)
      .map((pair) => {
        const [name, value] = cut(pair, "=");
        if (token(unescape(name), 20)) return REDACTED; // a bare token: ?eyJhbGciOi…
        return value && secretValue(name, value) ? `${name}=${REDACTED}` : pair;
      })
      .join(separator);
  }

  /** @param {string} path */
  function redactPath(path) {
    const segments = path.split("/");
    for (const [i, segment] of segments.entries()) {
      // ;jsessionid=… sits behind the segment's own text.
      const [own, parameters] = cut(segment, ";");
      if (parameters !== null) segments[i] = `${own};${redactPairs(parameters, ";")}`;
      if (i > 0 && SECRET_WORDS.has(plain(segments[i - 1])) && token(own, 16)) segments[i] = REDACTED;
    }
    return segments.join("/");
  }

  /** Before and after the first separator; null when there is none. @param {string} s @param {string} separator @returns {[string, string|null]} */
  function cut(s, separator) {
    const i = s.indexOf(separator);
    return i < 0 ? [s, null] : [s.slice(0, i), s.slice(i + separator.length)];
  }

  /**
   * Takes the secrets out of an http or https URL: fragment, user and password, values of parameters that carry secrets
   * or look like one, path segments that look like one after a word such as "reset". The rest stays byte for byte.
   * @param {string} raw @returns {string}
   */
  function redact(raw) {
    const [scheme, rest] = cut(cut(raw, "#")[0], "://");
    if (rest === null) return raw;
    const end = rest.search(/[/?]/);
    const authority = end < 0 ? rest : rest.slice(0, end);
    const [path, query] = cut(end < 0 ? "" : rest.slice(end), "?");
    const out = `${scheme}://${authority.slice(authority.lastIndexOf("@") + 1)}${redactPath(path)}`;
    return query === null ? out : `${out}?${redactPairs(query, "&")}`;
  }

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
