import envPaths from 'env-paths';
import { type Environment, list, set, truth, whole } from './config-values.js';
import { defaultDocsBase, ExtractError } from './errors/extract-error.js';
import { type Platform, platforms } from './platforms.js';
import { version } from './runtime/version.js';

/** Port of a server that is told no other: the one that `error.docs` leads to. */
const defaultPort = Number(new URL(defaultDocsBase).port);

/** One setting as the README's table lists it. */
export interface Setting {
  readonly name: string;
  readonly default: string;
  readonly text: string;
}

const each = (name: string) => `${name}_${platforms.map((platform) => platform.toUpperCase()).join('|')}`;

/** Every setting that is read from the environment. */
export const settings: readonly Setting[] = [
  {
    name: 'EXTRACT_HOME',
    default: 'the usual place for application data',
    text: 'Data directory: ledger with accounts, keys and receipts, cache, cursor key, mails that were not sent.',
  },
  {
    name: 'EXTRACT_USER_AGENT',
    default: `public-extract/${version}`,
    text: 'User agent sent to platforms. Put a contact into it.',
  },
  {
    name: 'EXTRACT_PACE_MS',
    default: 'per platform, 1000 to 3000',
    text: 'Milliseconds between the starts of two requests to a platform; 0 for none.',
  },
  { name: each('EXTRACT_PACE_MS'), default: 'EXTRACT_PACE_MS', text: 'The same for one platform.' },
  { name: 'EXTRACT_CONCURRENCY', default: 'per platform, 1 to 2', text: 'Requests to a platform at once.' },
  { name: each('EXTRACT_CONCURRENCY'), default: 'EXTRACT_CONCURRENCY', text: 'The same for one platform.' },
  { name: 'EXTRACT_TIMEOUT_MS', default: '180000', text: 'Milliseconds after which a call is given up.' },
  {
    name: 'EXTRACT_COOLDOWN_MS',
    default: '60000',
    text: 'Milliseconds a platform is left alone after it refused, doubling to 15 minutes; 0 for none.',
  },
  { name: 'EXTRACT_CACHE', default: 'true', text: 'Keep answers for their lifetime.' },
  { name: 'EXTRACT_CACHE_MEMORY_MB', default: '64', text: 'Memory for kept answers, before the disk.' },
  {
    name: 'EXTRACT_PHOTOSOCIAL_DOCUMENTS',
    default: '',
    text: 'JSON file whose ids, names, paths or variables replace those of the photosocial documents, when the platform has changed them before a release follows: `{"post": {"id": "123"}}`.',
  },
  {
    name: 'EXTRACT_DOCS_URL',
    default: defaultDocsBase,
    text: 'Where the documentation is served: the beginning of `error.docs`.',
  },
  {
    name: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    default: '',
    text: 'Proxy for everything that leaves the machine, and the hosts to reach without it.',
  },
  { name: 'NODE_EXTRA_CA_CERTS', default: '', text: 'File with further certificate authorities.' },
  {
    name: 'EXTRACT_BASE_URL',
    default: '',
    text: 'Server to ask in place of the platforms, such as https://extract.example.com/v1.',
  },
  {
    name: 'EXTRACT_API_KEY',
    default: '',
    text: 'API key for that server; without one, `extract mcp` takes it for a key of this data directory.',
  },
  {
    name: 'EXTRACT_WEBHOOK_SECRET',
    default: '',
    text: 'Signing secret (whsec_…) that `extract webhooks listen` verifies deliveries with.',
  },
  { name: 'EXTRACT_HOST', default: '127.0.0.1', text: 'Address that `extract serve` listens on.' },
  { name: 'EXTRACT_PORT', default: '8787', text: 'Port that `extract serve` listens on.' },
  {
    name: 'EXTRACT_TRUST_PROXY',
    default: 'false',
    text: 'Reverse proxies whose X-Forwarded-For is believed: addresses and ranges separated by commas, or true for those of private networks.',
  },
  {
    name: 'EXTRACT_CORS_ORIGINS',
    default: '',
    text: 'Origins whose pages may call the server from a browser, separated by commas; * for all.',
  },
  {
    name: 'EXTRACT_ALLOWED_HOSTS',
    default: '',
    text: 'Host names under which the tool server (`/mcp`) is reached, beside addresses, localhost and that of EXTRACT_DOCS_URL; * for all.',
  },
  { name: 'EXTRACT_RATE_LIMIT', default: '600', text: 'Requests a minute with one API key.' },
  {
    name: 'EXTRACT_DEMO_RATE_LIMIT',
    default: '60',
    text: 'Demo requests a minute from one address, without a key.',
  },
  {
    name: 'EXTRACT_TRIAL_CREDITS',
    default: '500',
    text: 'Credits granted once when the e-mail address of an account is confirmed; 0 for none.',
  },
  {
    name: 'EXTRACT_SMTP_URL',
    default: '',
    text: 'Mail server, such as smtps://user:password@mail.example.com:465 or smtp://…:587; without one mails are kept as files in the data directory, and sign-in links are written to the log.',
  },
  {
    name: 'EXTRACT_MAIL_FROM',
    default: '',
    text: 'Sender of mails, such as “Extract <no-reply@example.com>”; needed with EXTRACT_SMTP_URL.',
  },
  {
    name: 'EXTRACT_EMAIL_ALLOW',
    default: '',
    text: 'Mail domains that people may sign in from although they are listed as disposable, separated by commas.',
  },
  {
    name: 'EXTRACT_PACK_PRICES',
    default: '',
    text: 'Prices of the packs of credits, such as 50000=49.00,250000=199.00,1000000=599.00,5000000=1999.00.',
  },
  { name: 'EXTRACT_CURRENCY', default: 'EUR', text: 'Currency of those prices.' },
  {
    name: 'EXTRACT_PAYMENT_TEXT',
    default: '',
    text: 'How to pay for a pack where Stripe is not set, as buyers are told; `extract accounts credit` confirms the payment.',
  },
  { name: 'EXTRACT_STRIPE_KEY', default: '', text: 'Secret key of Stripe, which then takes the payments.' },
  {
    name: 'EXTRACT_STRIPE_WEBHOOK_SECRET',
    default: '',
    text: 'Signing secret (whsec_…) of the Stripe webhook that sends the checkout.session events.',
  },
  {
    name: 'EXTRACT_WEBHOOK_ALLOW',
    default: '',
    text: 'Host names, addresses and ranges (10.1.0.0/16) that webhooks may be sent to although they are not public, separated by commas; names too that only a proxy can find.',
  },
  {
    name: 'EXTRACT_LOG_LEVEL',
    default: 'info',
    text: 'Least level the server logs: debug (every answer), info, warn, error or silent.',
  },
  {
    name: 'EXTRACT_METRICS_TOKEN',
    default: '',
    text: 'When set, `/metrics` answers only to “Authorization: Bearer <token>”.',
  },
  { name: 'NO_COLOR', default: '', text: 'Any value switches colours off.' },
  { name: 'EXTRACT_DEBUG', default: 'false', text: 'Show the stack of a fault.' },
];

type Numbers = Readonly<Partial<Record<Platform, number>>>;

/** How an extractor is set up. Whatever is left out comes from the environment, then from the defaults. */
export interface Config {
  /** Data directory. */
  readonly home: string;
  /** User agent that is sent to platforms. */
  readonly userAgent: string;
  /** Milliseconds between requests; a platform that is not named keeps its polite default. */
  readonly paceMs: Numbers;
  /** Requests at once; a platform that is not named keeps its polite default. */
  readonly concurrency: Numbers;
  /** Milliseconds after which a call is given up. */
  readonly timeoutMs: number;
  /** Milliseconds a platform is left alone after it refused, doubling to 15 minutes; 0 for none. */
  readonly cooldownMs: number;
  /** Keep answers for their lifetime. */
  readonly cache: boolean;
  /** Memory for kept answers, before the disk. */
  readonly cacheMemoryMb: number;
  /** File that replaces dated data of photosocial. */
  readonly photosocialDocuments: string | undefined;
  /** Where the documentation is served: the beginning of `error.docs`. */
  readonly docsUrl: string;
  /** Proxy for https addresses. */
  readonly httpsProxy: string | undefined;
  /** Proxy for http addresses. */
  readonly httpProxy: string | undefined;
  /** Hosts to reach without a proxy, separated by commas. */
  readonly noProxy: string | undefined;
  /** Server that is asked in place of the platforms; none for reading here. */
  readonly baseUrl: string | undefined;
  /** Key for that server. */
  readonly apiKey: string | undefined;
  /** Folder that keeps every page that is fetched. */
  readonly savePages: string | undefined;
  /** Folder of saved pages that answers in place of the network. */
  readonly fromPages: string | undefined;
}

function perPlatform(env: Environment, name: string, least: number): Numbers {
  const common = whole(env, name, least);
  const numbers: Partial<Record<Platform, number>> = {};
  for (const platform of platforms) {
    const value = whole(env, `${name}_${platform.toUpperCase()}`, least) ?? common;
    if (value !== undefined) numbers[platform] = value;
  }
  return numbers;
}

/** What a program around the library takes from the environment for its own part. */
export interface ProgramSettings {
  readonly color: boolean;
  /** Show the stack of a fault. */
  readonly debug: boolean;
  readonly docsUrl: string;
  /** File with further certificate authorities, which Node.js itself reads. */
  readonly extraCaCerts: string | undefined;
}

const docsUrl = (env: Environment) => (set(env, 'EXTRACT_DOCS_URL') ?? defaultDocsBase).replace(/\/+$/, '');

/** Reads a program's own settings. Never throws: what cannot be understood is taken as not set. */
export function readProgramSettings(env: Environment = process.env): ProgramSettings {
  const debug = set(env, 'EXTRACT_DEBUG')?.toLowerCase();
  return {
    color: set(env, 'NO_COLOR') === undefined,
    debug: debug !== undefined && ['true', '1', 'yes', 'on'].includes(debug),
    docsUrl: docsUrl(env),
    extraCaCerts: set(env, 'NODE_EXTRA_CA_CERTS'),
  };
}

/** The secret that a receiver of webhooks on this machine verifies with. */
export function readWebhookSecret(env: Environment = process.env): string | undefined {
  return set(env, 'EXTRACT_WEBHOOK_SECRET');
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** How the server is set up, beside the `Config` of what it serves. */
export interface ServerConfig {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Addresses and ranges of proxies whose word is taken for the client's address. */
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
}

/** What a proxy on the same machine or in the same private network has for an address. */
const privateNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/** Which proxies a setting or flag trusts: none, those of private networks, or those it lists. */
export function trustedProxies(text: string | undefined): readonly string[] {
  if (text === undefined || ['false', '0', 'no', 'off'].includes(text.toLowerCase())) return [];
  return ['true', '1', 'yes', 'on'].includes(text.toLowerCase()) ? privateNetworks : list(text);
}

/** Reads the settings of the server. Throws `invalid_parameter`. */
export function readServerConfig(
  given: Partial<ServerConfig> = {},
  env: Environment = process.env,
): ServerConfig {
  const level = set(env, 'EXTRACT_LOG_LEVEL')?.toLowerCase() ?? 'info';
  const logLevel = logLevels.find((one) => one === level);
  if (logLevel === undefined) {
    throw new ExtractError(
      'invalid_parameter',
      `The setting EXTRACT_LOG_LEVEL must be one of ${logLevels.join(', ')}.`,
    );
  }
  const read: ServerConfig = {
    host: set(env, 'EXTRACT_HOST') ?? '127.0.0.1',
    port: given.port ?? whole(env, 'EXTRACT_PORT', 0) ?? defaultPort,
    trustProxy: trustedProxies(set(env, 'EXTRACT_TRUST_PROXY')),
    corsOrigins: list(set(env, 'EXTRACT_CORS_ORIGINS')),
    allowedHosts: list(set(env, 'EXTRACT_ALLOWED_HOSTS')),
    rateLimit: whole(env, 'EXTRACT_RATE_LIMIT', 1) ?? 600,
    demoRateLimit: whole(env, 'EXTRACT_DEMO_RATE_LIMIT', 1) ?? 60,
    trialCredits: whole(env, 'EXTRACT_TRIAL_CREDITS', 0) ?? 500,
    webhookAllow: list(set(env, 'EXTRACT_WEBHOOK_ALLOW')),
    logLevel,
    metricsToken: set(env, 'EXTRACT_METRICS_TOKEN'),
  };
  if (read.port > 65_535) {
    throw new ExtractError('invalid_parameter', `There is no port ${read.port}: they go up to 65535.`);
  }
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...read, ...chosen };
}

/** Reads the environment, once for an extractor. The only place that does. Throws `invalid_parameter`. */
export function readConfig(given: Partial<Config> = {}, env: Environment = process.env): Config {
  const read: Config = {
    home: set(env, 'EXTRACT_HOME') ?? envPaths('extract', { suffix: '' }).data,
    userAgent: set(env, 'EXTRACT_USER_AGENT') ?? `public-extract/${version}`,
    paceMs: perPlatform(env, 'EXTRACT_PACE_MS', 0),
    concurrency: perPlatform(env, 'EXTRACT_CONCURRENCY', 1),
    timeoutMs: whole(env, 'EXTRACT_TIMEOUT_MS', 1) ?? 180_000,
    cooldownMs: whole(env, 'EXTRACT_COOLDOWN_MS', 0) ?? 60_000,
    cache: truth(env, 'EXTRACT_CACHE', true),
    cacheMemoryMb: whole(env, 'EXTRACT_CACHE_MEMORY_MB', 1) ?? 64,
    photosocialDocuments: set(env, 'EXTRACT_PHOTOSOCIAL_DOCUMENTS'),
    docsUrl: docsUrl(env),
    httpsProxy: set(env, 'HTTPS_PROXY') ?? set(env, 'https_proxy'),
    httpProxy: set(env, 'HTTP_PROXY') ?? set(env, 'http_proxy'),
    noProxy: set(env, 'NO_PROXY') ?? set(env, 'no_proxy'),
    baseUrl: set(env, 'EXTRACT_BASE_URL'),
    apiKey: set(env, 'EXTRACT_API_KEY'),
    savePages: undefined,
    fromPages: undefined,
  };
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...read, ...chosen };
}
