import { createHash, X509Certificate } from 'node:crypto';
import type { Proxies } from '../proxies.js';

/** Host names as sites give them: an exact name, or `.example.com` for it and all below it. */
export type Hosts = readonly string[];

/**
 * The pins of the authorities in a PEM file. A server that sends one of them in its chain is trusted, and nothing else
 * is ignored.
 */
export function pinsOf(pem: string): string[] {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return certificates.map((text) => {
    const key = new X509Certificate(text).publicKey.export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(key).digest('base64');
  });
}

/** A proxy as the browser's script and its rules of names have it. */
interface ProxyRoute {
  /** The answer of the script. */
  readonly word: string;
  /** The rule by which its name has an address; null where it needs none. */
  readonly rule: string | null;
}

/**
 * The route through a proxy. The script names a plain proxy by an alias, so that its own host stays as unreachable as any
 * other. A proxy over TLS keeps its name, which its certificate is for, and then each port of it is that of the proxy.
 */
function routeOf(address: string, alias: string): ProxyRoute {
  if (address === '') return { word: 'DIRECT', rule: null };
  const { protocol, hostname, port } = new URL(address);
  const isSecure = protocol === 'https:';
  const name = isSecure ? hostname : alias;
  const ownPort = port === '' ? (isSecure ? '443' : '80') : port;
  return {
    word: `${isSecure ? 'HTTPS' : 'PROXY'} ${name}:${ownPort}`,
    rule: `MAP ${name} ${hostname}:${ownPort}`,
  };
}

const routesOf = ({ httpsProxy, httpProxy }: Proxies) => ({
  secure: routeOf(httpsProxy || httpProxy, 'https-proxy.invalid'),
  plain: routeOf(httpProxy, 'http-proxy.invalid'),
});

/**
 * The script by which the browser chooses the way to a host. Such scripts are written in the JavaScript of 1996. It
 * gives the proxy for reachable hosts that are not reached directly. Any other host is given a proxy that does not exist.
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

/** Rules by which no other host than these has an address. */
function nameRules(hosts: Hosts, proxies: Proxies | null): string {
  const names = hosts.flatMap((host) => (host.startsWith('.') ? [host.slice(1), `*${host}`] : [host]));
  const routes = proxies === null ? [] : Object.values(routesOf(proxies));
  const rules = routes.flatMap(({ rule }) => rule ?? []);
  return [...new Set(rules), 'MAP * ~NOTFOUND', ...names.map((name) => `EXCLUDE ${name}`)].join(' , ');
}

/**
 * The argument for features that the browser is started without. A list in the arguments replaces the one that playwright
 * gives: its names come first, and a test holds them against it. Each window loads the last two, the pages of the address
 * bar's suggestions, in a process of their own, where nobody types: half the processor time of a visit (Chromium 156,
 * 2026-11).
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
 * The browser's arguments, besides playwright's own. It reaches only the hosts named, uses the settings' proxy and
 * authorities, and sends nothing by itself.
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
