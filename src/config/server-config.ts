import { isIP } from 'node:net';
import type { Setting } from '../../lib/config.js';
import {
  booleanOf,
  type Environment,
  readBoolean,
  readText,
  readWholeNumber,
  splitList,
} from '../../lib/config-values.js';
import { defaultDocsBase, ExtractError } from '../../lib/errors/extract-error.js';

/** Default port of the server: the one that `error.docs` leads to by default. */
const defaultPort = Number(new URL(defaultDocsBase).port);

/** Settings of `extract serve`. */
export const serverSettings: readonly Setting[] = [
  { name: 'EXTRACT_HOST', default: '127.0.0.1', text: 'Address that `extract serve` listens on.' },
  { name: 'EXTRACT_PORT', default: '8787', text: 'Port that `extract serve` listens on.' },
  {
    name: 'EXTRACT_TRUST_PROXY',
    default: 'false',
    text: 'Reverse proxies whose X-Forwarded-For is trusted: addresses and ranges separated by commas, or true for those in private networks.',
  },
  {
    name: 'EXTRACT_CORS_ORIGINS',
    default: '',
    text: 'Origins whose pages may call the server from a browser, separated by commas; * for all.',
  },
  {
    name: 'EXTRACT_ALLOWED_HOSTS',
    default: '',
    text: 'Host names under which the tool server (`/mcp`) is reached, besides IP addresses, localhost and the host of EXTRACT_DOCS_URL; * for all.',
  },
  { name: 'EXTRACT_RATE_LIMIT', default: '600', text: 'Requests per minute with one API key.' },
  {
    name: 'EXTRACT_DEMO_RATE_LIMIT',
    default: '60',
    text: 'Demo requests per minute from one address, without a key.',
  },
  {
    name: 'EXTRACT_TRIAL_CREDITS',
    default: '500',
    text: 'Credits granted once when the e-mail address of an account is confirmed; 0 for none.',
  },
  {
    name: 'EXTRACT_WEBHOOK_ALLOW',
    default: '',
    text: 'Host names, addresses and ranges (10.1.0.0/16) that webhooks may be sent to although they are not public, separated by commas; also names that only a proxy can resolve.',
  },
  {
    name: 'EXTRACT_LOG_LEVEL',
    default: 'info',
    text: 'Lowest level that the server logs: debug (every answer), info, warn, error or silent.',
  },
  {
    name: 'EXTRACT_METRICS_TOKEN',
    default: '',
    text: 'When set, `/metrics` answers only to “Authorization: Bearer <token>”.',
  },
  {
    name: 'EXTRACT_METRICS_OPEN',
    default: 'false',
    text: 'true: `/metrics` answers everybody. Without it and without a token, only a server that listens on this machine alone shows its metrics.',
  },
  {
    name: 'EXTRACT_CANARY_MINUTES',
    default: '',
    text: 'Minutes from one round of canaries to the next, 5 or more: `extract serve` asks each endpoint one question whose answer is known, charged to nobody. Without it, none are asked.',
  },
  {
    name: 'EXTRACT_CANARIES',
    default: '',
    text: 'JSON file of canaries to use instead of the default ones, for the server and `extract doctor --live`.',
  },
  {
    name: 'EXTRACT_ROLE',
    default: 'api,worker',
    text: 'What `extract serve` does of the work that servers of a database share: api answers requests; worker works on jobs, webhooks and schedules. A server that is only a worker answers `/healthz` and `/metrics`.',
  },
];

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** What a server does: answer requests, or work on jobs, webhooks and schedules. */
const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

/** Reads roles from a text such as `api,worker`. Throws `invalid_parameter`, naming where the text came from. */
export function serverRoles(text: string, source: string): readonly Role[] {
  const names = splitList(text.toLowerCase());
  const chosen = roles.filter((role) => names.includes(role));
  if (chosen.length > 0 && names.every((name) => chosen.some((role) => role === name))) return chosen;
  throw new ExtractError('invalid_parameter', `${source} must be api, worker, or both with a comma.`);
}

/** How the server is set up, beside the `Config` of what it serves. */
export interface ServerConfig {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` names the client. */
  readonly trustProxy: readonly string[];
  /** Origins that browsers may call from; `*` among them means all. */
  readonly corsOrigins: readonly string[];
  /** Names under which the tool server is reached; `*` among them means all. */
  readonly allowedHosts: readonly string[];
  /** Requests a minute with a key, and demo requests a minute from an address. */
  readonly rateLimit: number;
  readonly demoRateLimit: number;
  readonly trialCredits: number;
  /** Hosts, addresses and ranges that webhooks may be sent to beside public ones. */
  readonly webhookAllow: readonly string[];
  readonly logLevel: LogLevel;
  readonly metricsToken: string | undefined;
  /** Metrics are shown to everybody. */
  readonly metricsOpen: boolean;
  /** Minutes between rounds of canaries; undefined for none. */
  readonly canaryMinutes: number | undefined;
  /** File of the operator's canaries. */
  readonly canaries: string | undefined;
  /** Both, where the server shares its work with no other. */
  readonly roles: readonly Role[];
}

/** Fastify's names of the networks in which a proxy on the same machine or private network has its address. */
const privateNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/** The proxies that a setting or flag trusts: none, all of private networks, or those that it lists. */
export function trustedProxies(text: string | undefined): readonly string[] {
  const trustsAll = text === undefined ? false : booleanOf(text);
  if (trustsAll === undefined) return splitList(text);
  return trustsAll ? privateNetworks : [];
}

/** True for an address, a range such as 10.1.0.0/16 and the name of a private network. */
function isTrustable(text: string): boolean {
  const [, network = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(network);
  if (family === 0) return privateNetworks.includes(text);
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Throws `invalid_parameter` for proxies to be trusted among which is something else. */
export function checkTrustedProxies(proxies: readonly string[]): void {
  const wrong = proxies.find((one) => !isTrustable(one));
  if (wrong === undefined) return;
  throw new ExtractError(
    'invalid_parameter',
    `Trusted proxies must be addresses and ranges such as 10.1.0.0/16; ${JSON.stringify(wrong.slice(0, 80))} is none.`,
  );
}

/** Reads the settings of the server. Throws `invalid_parameter`. */
export function readServerConfig(
  given: Partial<ServerConfig> = {},
  env: Environment = process.env,
): ServerConfig {
  const level = readText(env, 'EXTRACT_LOG_LEVEL')?.toLowerCase() ?? 'info';
  const logLevel = logLevels.find((one) => one === level);
  if (logLevel === undefined) {
    throw new ExtractError(
      'invalid_parameter',
      `The setting EXTRACT_LOG_LEVEL must be one of ${logLevels.join(', ')}.`,
    );
  }
  const read: ServerConfig = {
    host: readText(env, 'EXTRACT_HOST') ?? '127.0.0.1',
    port: given.port ?? readWholeNumber(env, 'EXTRACT_PORT', 0) ?? defaultPort,
    trustProxy: trustedProxies(readText(env, 'EXTRACT_TRUST_PROXY')),
    corsOrigins: splitList(readText(env, 'EXTRACT_CORS_ORIGINS')),
    allowedHosts: splitList(readText(env, 'EXTRACT_ALLOWED_HOSTS')),
    rateLimit: readWholeNumber(env, 'EXTRACT_RATE_LIMIT', 1) ?? 600,
    demoRateLimit: readWholeNumber(env, 'EXTRACT_DEMO_RATE_LIMIT', 1) ?? 60,
    trialCredits: readWholeNumber(env, 'EXTRACT_TRIAL_CREDITS', 0) ?? 500,
    webhookAllow: splitList(readText(env, 'EXTRACT_WEBHOOK_ALLOW')),
    logLevel,
    metricsToken: readText(env, 'EXTRACT_METRICS_TOKEN'),
    metricsOpen: readBoolean(env, 'EXTRACT_METRICS_OPEN', false),
    canaryMinutes: readWholeNumber(env, 'EXTRACT_CANARY_MINUTES', 5),
    canaries: readText(env, 'EXTRACT_CANARIES'),
    roles: serverRoles(readText(env, 'EXTRACT_ROLE') ?? roles.join(), 'The setting EXTRACT_ROLE'),
  };
  if (read.port > 65_535) {
    throw new ExtractError('invalid_parameter', `There is no port ${read.port}: they go up to 65535.`);
  }
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...read, ...chosen };
}
