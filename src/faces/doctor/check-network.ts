import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Site } from '../../../lib/web/page-source.js';
import { type HostProbe, type ProbeOptions, probeHost } from '../../../lib/web/probe-host.js';
import { proxiesOf } from '../../../lib/web/proxies.js';
import { type Finding, failed, ok } from './finding.js';

type Proxies = Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>;

const timeoutMs = 3_000;

/** Certificate errors that a wrong clock may cause. */
const outOfTime = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);

/** Returns the host that receives most requests of a site. */
export function mainHost({ hosts }: Site): string {
  const [first = ''] = hosts;
  return hosts.find((host) => host.startsWith('www.')) ?? (first.startsWith('.') ? `www${first}` : first);
}

function nextOf({ step, code }: Extract<HostProbe, { ok: false }>): string {
  switch (step) {
    case 'name':
      return 'Check your connection or DNS; behind a proxy, set HTTPS_PROXY.';
    case 'connection':
      return 'Check the network and its firewall: allow connections to port 443, or set HTTPS_PROXY.';
    case 'proxy':
      return code === '407'
        ? 'The proxy requires a user name and password: HTTPS_PROXY=http://name:password@host:port.'
        : 'Check HTTPS_PROXY: the proxy must be reachable and allow CONNECT to port 443.';
    case 'tls':
      return outOfTime.has(code)
        ? 'Set the clock of this machine.'
        : 'Something on the network intercepts the connection: set NODE_EXTRA_CA_CERTS to its certificate authority.';
  }
}

function unreachable(host: string, { step }: Extract<HostProbe, { ok: false }>): string {
  switch (step) {
    case 'name':
      return `Cannot resolve ${host}`;
    case 'connection':
      return `Cannot connect to ${host}`;
    case 'proxy':
      return `The proxy does not reach ${host}`;
    case 'tls':
      return `The connection to ${host} is not trusted`;
  }
}

export interface NetworkCheck {
  readonly findings: readonly Finding[];
  /** True if at least one host was reached. */
  readonly isThere: boolean;
  readonly isCertificateOutOfTime: boolean;
}

function checkProxy(proxies: Proxies): Finding | null {
  try {
    const { httpsProxy = '' } = proxiesOf(proxies) ?? {};
    if (httpsProxy === '') return ok('proxy', 'none is set');
    return ok('proxy', new URL(httpsProxy).host);
  } catch (cause) {
    if (!(cause instanceof ExtractError)) throw cause;
    return failed('proxy', cause.message, 'Correct it: HTTPS_PROXY=http://host:port.');
  }
}

/** Checks the proxy, and DNS and TLS for each platform's host, concurrently and without sending a request. */
export async function checkNetwork(
  endpoints: readonly Endpoint[],
  proxies: Proxies,
  probe: (host: string, options: ProbeOptions) => Promise<HostProbe> = probeHost,
): Promise<NetworkCheck> {
  const proxy = checkProxy(proxies);
  if (proxy?.status === 'failed') {
    return { findings: [proxy], isThere: false, isCertificateOutOfTime: false };
  }
  const sites = new Map(endpoints.map(({ platform, site }) => [platform, site]));
  const probes = await Promise.all(
    [...sites].map(async ([platform, site]) => {
      const host = mainHost(site);
      return { platform, host, outcome: await probe(host, { proxy: proxies, timeoutMs }) };
    }),
  );
  const findings = probes.map(({ platform, host, outcome }) =>
    outcome.ok
      ? ok(
          platform,
          `${host} reached in ${outcome.milliseconds} ms${outcome.proxied ? ' through the proxy' : ''}`,
        )
      : failed(platform, `${unreachable(host, outcome)} (${outcome.code}).`, nextOf(outcome)),
  );
  return {
    findings: proxy === null ? findings : [proxy, ...findings],
    isThere: probes.some(({ outcome }) => outcome.ok),
    isCertificateOutOfTime: probes.some(({ outcome }) => !outcome.ok && outOfTime.has(outcome.code)),
  };
}
