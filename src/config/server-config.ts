import { isIP } from 'node:net';
import * as kind from '../../lib/config-kinds.js';
import {
  type Environment,
  type Kind,
  optional,
  readSettings,
  setting,
  type ValuesOf,
} from '../../lib/config-values.js';
import { defaultDocsBase, invalidParameter } from '../../lib/errors/extract-error.js';
import { retentionSettings } from './retention-config.js';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The roles of a server: answering requests, or working on jobs, webhooks and schedules. */
const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

/** Parses roles from a text such as `api,worker`. Throws `invalid_parameter`, which names the source of the text. */
export function serverRoles(text: string, source: string): readonly Role[] {
  const names = kind.splitList(text.toLowerCase());
  const selected = roles.filter((role) => names.includes(role));
  if (selected.length > 0 && names.every((name) => selected.some((role) => role === name))) return selected;
  throw invalidParameter(`${source} must be api, worker, or both with a comma.`);
}

const privateNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/** Returns the proxies that a setting or flag trusts: none, all in private networks, or a list. */
export function trustedProxies(text: string): readonly string[] {
  const trustsAll = kind.booleanOf(text);
  if (trustsAll === undefined) return kind.splitList(text);
  return trustsAll ? privateNetworks : [];
}

function isTrustable(text: string): boolean {
  const [, network = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(network);
  if (family === 0) return privateNetworks.includes(text);
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Throws `invalid_parameter` for a proxy that is not an address, range or network. */
export function checkTrustedProxies(proxies: readonly string[]): void {
  const wrong = proxies.find((one) => !isTrustable(one));
  if (wrong === undefined) return;
  throw invalidParameter(
    `Trusted proxies must be addresses and ranges such as 10.1.0.0/16; ${JSON.stringify(wrong.slice(0, 80))} is neither.`,
  );
}

function checkPort(port: number): number {
  if (port <= 65_535) return port;
  throw invalidParameter(`Invalid port ${port}: the maximum is 65535.`);
}

const portNumber: Kind<number> = {
  parse: (value, name, env) => checkPort(kind.wholeNumber(0).parse(value, name, env)),
};

const defaultCanaryMinutes = 60;

const canaryMinutes: Kind<number> = {
  parse: (value, name, env) => (value === '0' ? 0 : kind.wholeNumber(5).parse(value, name, env)),
};

/** Settings of `extract serve`. */
export const serverSettings = {
  host: setting('EXTRACT_HOST', kind.text, '127.0.0.1', 'Address that `extract serve` listens on.'),
  port: setting(
    'EXTRACT_PORT',
    portNumber,
    new URL(defaultDocsBase).port,
    'Port that `extract serve` listens on.',
  ),
  trustProxy: setting(
    'EXTRACT_TRUST_PROXY',
    { ...kind.list, parse: trustedProxies },
    'false',
    'Reverse proxies whose X-Forwarded-For is trusted: addresses and ranges separated by commas, or true for private networks.',
  ),
  corsOrigins: setting(
    'EXTRACT_CORS_ORIGINS',
    kind.list,
    '',
    'Origins whose pages may call the server from a browser, separated by commas; * for all.',
  ),
  allowedHosts: setting(
    'EXTRACT_ALLOWED_HOSTS',
    kind.list,
    '',
    'Host names of the tool server (`/mcp`), besides IP addresses, localhost and the host of EXTRACT_DOCS_URL; * for all.',
  ),
  rateLimit: setting(
    'EXTRACT_RATE_LIMIT',
    kind.wholeNumber(1),
    '600',
    'Requests per minute with one API key.',
  ),
  demoRateLimit: setting(
    'EXTRACT_DEMO_RATE_LIMIT',
    kind.wholeNumber(1),
    '60',
    'Demo requests, and reads of shared links, per minute from one address, without a key.',
  ),
  trialCredits: setting(
    'EXTRACT_TRIAL_CREDITS',
    kind.wholeNumber(0),
    '500',
    'Credits granted once when the e-mail address of an account is confirmed; 0 for none.',
  ),
  accountMb: setting(
    'EXTRACT_ACCOUNT_MB',
    kind.wholeNumber(1),
    '1024',
    'Megabytes that an account may have stored: results of jobs until they are deleted, and the inputs of unfinished jobs and of schedules. More is rejected with `storage_full`.',
  ),
  ...retentionSettings,
  webhookAllow: setting(
    'EXTRACT_WEBHOOK_ALLOW',
    kind.list,
    '',
    'Non-public host names, addresses and ranges (10.1.0.0/16) that webhooks may be sent to, separated by commas; also names that only a proxy can resolve.',
  ),
  logLevel: setting(
    'EXTRACT_LOG_LEVEL',
    kind.oneOf(logLevels, `one of ${logLevels.join(', ')}`),
    'info',
    'Lowest level that the server logs: debug (every answer), info, warn, error or silent.',
  ),
  metricsToken: optional(
    'EXTRACT_METRICS_TOKEN',
    kind.secret,
    'If set, `/metrics` requires “Authorization: Bearer <token>”.',
  ),
  metricsOpen: setting(
    'EXTRACT_METRICS_OPEN',
    kind.boolean,
    'false',
    'true: `/metrics` is public. Without it and without a token, only a server that listens on this machine serves its metrics.',
  ),
  canaryMinutes: optional(
    'EXTRACT_CANARY_MINUTES',
    canaryMinutes,
    'Minutes from one round of canaries to the next, 5 or more: `extract serve` tests each endpoint with a request whose answer is known, free of charge. 0 for none. Default: 60 with EXTRACT_OPERATOR_EMAIL, otherwise none.',
  ),
  canaries: optional(
    'EXTRACT_CANARIES',
    kind.file,
    'JSON file of canaries to use instead of the default ones, for the server and `extract doctor --live`.',
  ),
  roles: setting<readonly Role[]>(
    'EXTRACT_ROLE',
    { show: (chosen) => chosen.join(), parse: (names, name) => serverRoles(names, `The setting ${name}`) },
    'api,worker',
    'Role of this server among those sharing a database: api answers requests; worker runs jobs, webhooks and schedules. A server that is only a worker serves `/healthz` and `/metrics`.',
  ),
} as const;

export type ServerConfig = ValuesOf<typeof serverSettings>;

/** Returns the minutes between rounds of canaries; undefined if there are none. */
export function canaryMinutesOf(
  server: Pick<ServerConfig, 'canaryMinutes'>,
  { operatorEmail }: { readonly operatorEmail: string | undefined },
): number | undefined {
  const minutes = server.canaryMinutes ?? (operatorEmail === undefined ? 0 : defaultCanaryMinutes);
  return minutes === 0 ? undefined : minutes;
}

/** Reads the settings of the server. Throws `invalid_parameter`. */
export function readServerConfig(
  overrides: Partial<ServerConfig> = {},
  env: Environment = process.env,
): ServerConfig {
  const config = readSettings(serverSettings, env, overrides);
  checkPort(config.port);
  return config;
}
