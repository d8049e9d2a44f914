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

const proxyWord = (address: string) => {
  if (address === '') return 'DIRECT';
  const { protocol, host, hostname } = new URL(address);
  const port = protocol === 'https:' ? '443' : '80';
  return `${protocol === 'https:' ? 'HTTPS' : 'PROXY'} ${host === hostname ? `${host}:${port}` : host}`;
};

/**
 * The script by which the browser chooses the way to a host, in words of 1996, which such scripts are written in: the
 * proxy for the hosts that may be reached and are not asked directly. Any other host is left to the rules of names.
 */
function proxyScript(hosts: Hosts, { httpsProxy, httpProxy, noProxy }: Proxies): string {
  const direct = noProxy
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    .map((one) => one.replace(/^\*?\./, '').toLowerCase());
  return `var hosts = ${JSON.stringify(hosts)}, direct = ${JSON.stringify(direct)};
function FindProxyForURL(url, host) {
  host = host.toLowerCase();
  function below(name) { return host === name || host.slice(-name.length - 1) === '.' + name; }
  var allowed = hosts.some(function (one) { return one.charAt(0) === '.' ? below(one.slice(1)) : one === host; });
  var port = /^[a-z]+:\\/\\/[^\\/]*:(\\d+)/.exec(url);
  port = port ? port[1] : url.slice(0, 5) === 'https' ? '443' : '80';
  var near = direct.some(function (one) {
    var parts = /^(.*):(\\d+)$/.exec(one);
    return one === '*' || (parts ? below(parts[1]) && parts[2] === port : below(one));
  });
  if (!allowed || near) return 'DIRECT';
  return url.slice(0, 5) === 'https' || url.slice(0, 3) === 'wss' ? '${proxyWord(httpsProxy || httpProxy)}' : '${proxyWord(httpProxy)}';
}`;
}

/** Rules by which no other host than these has an address. */
function nameRules(hosts: Hosts): string {
  const names = hosts.flatMap((host) => (host.startsWith('.') ? [host.slice(1), `*${host}`] : [host]));
  return ['MAP * ~NOTFOUND', ...names.map((name) => `EXCLUDE ${name}`)].join(' , ');
}

/**
 * What the browser is started with, besides what playwright gives every one: no way to other hosts than those named,
 * the proxy and the authorities of the settings, and nothing that it asks by itself.
 */
export function launchArguments(hosts: Hosts, proxies: Proxies | null, pins: readonly string[]): string[] {
  const proxyHosts =
    proxies === null
      ? []
      : [proxies.httpsProxy, proxies.httpProxy].flatMap((one) => (one === '' ? [] : [new URL(one).hostname]));
  const script = proxies === null ? '' : Buffer.from(proxyScript(hosts, proxies)).toString('base64');
  return [
    `--host-resolver-rules=${nameRules([...hosts, ...proxyHosts])}`,
    ...(proxies === null
      ? ['--no-proxy-server']
      : [`--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${script}`]),
    ...(pins.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${pins.join(',')}`]),
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--no-pings',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  ];
}
