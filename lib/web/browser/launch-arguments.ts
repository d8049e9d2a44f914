import { createHash, X509Certificate } from 'node:crypto';
import type { Proxies } from '../proxies.js';

/** Host names as sites list them: an exact name, or `.example.com` for that name and all its subdomains. */
export type Hosts = readonly string[];

/**
 * Returns the pins of the authorities in a PEM file. A server whose chain contains one of them is trusted; no other
 * check is relaxed.
 */
export function pinsOf(pem: string): string[] {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return certificates.map((text) => {
    const key = new X509Certificate(text).publicKey.export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(key).digest('base64');
  });
}

interface ProxyRoute {
  /** The value the PAC script returns. */
  readonly word: string;
  /** The rule that resolves the proxy's name; null for none. */
  readonly rule: string | null;
}

/**
 * Returns the route through a proxy. The script refers to a plain proxy by an alias, so that the proxy's real host
 * stays as unreachable as any other. A TLS proxy keeps its name, which its certificate covers, so all its ports are
 * reachable.
 */
function routeOf(address: string, alias: string): ProxyRoute {
  if (address === '') return { word: 'DIRECT', rule: null };
  const { protocol, hostname, port } = new URL(address);
  const isSecure = protocol === 'https:';
  const name = isSecure ? hostname : alias;
  const actualPort = port === '' ? (isSecure ? '443' : '80') : port;
  return {
    word: `${isSecure ? 'HTTPS' : 'PROXY'} ${name}:${actualPort}`,
    rule: `MAP ${name} ${hostname}:${actualPort}`,
  };
}

const routesOf = ({ httpsProxy, httpProxy }: Proxies) => ({
  secure: routeOf(httpsProxy || httpProxy, 'https-proxy.invalid'),
  plain: routeOf(httpProxy, 'http-proxy.invalid'),
});

/**
 * Returns the PAC script by which the browser picks a proxy; such scripts use the JavaScript of 1996. Reachable hosts
 * that are not direct get the proxy. All other hosts get a proxy that does not exist.
 */
function proxyScript(hosts: Hosts, proxies: Proxies): string {
  const { secure, plain } = routesOf(proxies);
  const direct = proxies.noProxy
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    .map((one) => one.replace(/^\*?\./, '').toLowerCase());
  return `var hosts = ${JSON.stringify(hosts)}, direct = ${JSON.stringify(direct)};
function FindProxyForURL(url, host) {
  host = host.toLowerCase();
  function below(name) { return host === name || host.slice(-name.length - 1) === '.' + name; }
  var allowed = hosts.some(function (one) { return one.charAt(0) === '.' ? below(one.slice(1)) : one === host; });
  if (!allowed) return 'PROXY nowhere.invalid:1';
  var port = /^[a-z]+:\\/\\/[^\\/]*:(\\d+)/.exec(url);
  port = port ? port[1] : url.slice(0, 5) === 'https' ? '443' : '80';
  var near = direct.some(function (one) {
    var parts = /^(.*):(\\d+)$/.exec(one);
    return one === '*' || (parts ? below(parts[1]) && parts[2] === port : below(one));
  });
  if (near) return 'DIRECT';
  return url.slice(0, 5) === 'https' || url.slice(0, 3) === 'wss' ? '${secure.word}' : '${plain.word}';
}`;
}

function nameRules(hosts: Hosts, proxies: Proxies | null): string {
  const names = hosts.flatMap((host) => (host.startsWith('.') ? [host.slice(1), `*${host}`] : [host]));
  const routes = proxies === null ? [] : Object.values(routesOf(proxies));
  const rules = routes.flatMap(({ rule }) => rule ?? []);
  return [...new Set(rules), 'MAP * ~NOTFOUND', ...names.map((name) => `EXCLUDE ${name}`)].join(' , ');
}

/**
 * The features the browser starts without. A list in our arguments replaces playwright's, so it begins with
 * playwright's names, which a test verifies. The last two are the address bar's suggestion pages: each window loads
 * them in a separate process, which takes half the processor time of a visit (Chromium 156, 2026-11).
 */
export const withoutFeatures = `--disable-features=${[
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin'],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  ...['msForceBrowserSignIn', 'msEdgeUpdateLaunchServicesPreferredVersion'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
].join(',')}`;

/**
 * Returns the browser's arguments, in addition to playwright's. The browser reaches only the listed hosts, uses the
 * configured proxy and authorities, and sends nothing unprompted.
 */
export function launchArguments(hosts: Hosts, proxies: Proxies | null, pins: readonly string[]): string[] {
  const script = proxies === null ? '' : Buffer.from(proxyScript(hosts, proxies)).toString('base64');
  return [
    `--host-resolver-rules=${nameRules(hosts, proxies)}`,
    ...(proxies === null
      ? ['--no-proxy-server']
      : [`--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${script}`]),
    ...(pins.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${pins.join(',')}`]),
    withoutFeatures,
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--no-pings',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  ];
}
