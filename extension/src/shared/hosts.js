// Which hosts are never recorded. The daemon has the same rules in daemon/browse/protocol/never.go; the vectors never.json and
// hosts.json in daemon/browse/protocol/testdata test both.

/** Host and port of a URL as the URL standard reads them; the port is "" when it is that of the scheme. @param {string} url */
function parts(url) {
  const [, scheme, authority] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(url) ?? [];
  if (!authority) return { host: "", port: "" };
  try {
    const { hostname, port } = new URL(`${/^https$/i.test(scheme) ? "https" : "http"}://${authority}/`);
    return { host: hostname.replace(/\.$/, ""), port };
  } catch {
    return { host: "", port: "" };
  }
}

/** The host of a URL in lower case and ASCII, without a dot at its end, or "". @param {string} url */
export const hostOf = (url) => parts(url).host;

/**
 * Whether the host of a URL is on the list or is a subdomain of a host on the list. True for a URL without a host.
 * @param {readonly string[]} hosts @param {string} url
 */
export function never(hosts, url) {
  const host = hostOf(url);
  if (host === "") return true;
  return hosts.some((entry) => {
    const trimmed = entry.trim().toLowerCase().replace(/^\.+|\.+$/g, "");
    const h = /^[a-z0-9.-]*$/.test(trimmed) ? trimmed : hostOf(`http://${trimmed}/`);
    return h !== "" && (host === h || host.endsWith(`.${h}`));
  });
}

/**
 * Whether a URL is of a dashboard of Nightjar: by its unguessable name, or by the port on this computer at which the daemon
 * listens. @param {string} address of the daemon, ws://127.0.0.1:PORT @param {string} url
 */
export function dashboard(address, url) {
  const { host, port } = parts(url);
  if (/(^|\.)nightjar-[0-9a-f]{32}\.localhost$/.test(host)) return true;
  const own = parts(address);
  return own.host !== "" && port === own.port && /^(localhost|\[::1\]|127\.[\d.]+|0\.0\.0\.0)$/.test(host);
}

/**
 * Whether a URL is on this computer or its local network: loopback, private and link-local addresses, names without a
 * dot, and names that exist only in a home or company network.
 * @param {string} url
 */
export function privateNetwork(url) {
  const host = hostOf(url);
  if (host === "" || /(^|\.)(localhost|local|internal|lan|home\.arpa)$/.test(host)) return true;
  if (host.startsWith("[")) return !/^\[[23]/.test(host) || host.startsWith("[2002:"); // 2002: holds an IPv4 address
  const v4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (!v4) return !host.includes(".");
  const [a, b] = [Number(v4[1]), Number(v4[2])];
  return (
    a === 0 || a === 10 || a === 127 || (a === 100 && b >= 64 && b < 128) || (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 198 && (b === 18 || b === 19)) || a >= 224
  );
}
