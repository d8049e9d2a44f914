import { userInfo } from 'node:os';
import path from 'node:path';
import envPaths from 'env-paths';
import { browserPathsOf, browserSettings } from './config-browser.js';
import * as kind from './config-kinds.js';
import {
  type Environment,
  optional,
  readSettings,
  readText,
  type Setting,
  setting,
  type ValuesOf,
} from './config-values.js';
import { defaultDocsBase, invalidParameter } from './errors/extract-error.js';
import { type Platform, platforms, sites } from './platforms.js';
import { version } from './runtime/version.js';
import type { Gap } from './web/page-source.js';

type Numbers = Readonly<Partial<Record<Platform, number>>>;

/** “1000 to 5000” */
const range = (numbers: readonly number[]) => `${Math.min(...numbers)} to ${Math.max(...numbers)}`;

const nameFor = (name: string, platform: Platform) => `${name}_${platform.toUpperCase()}`;

/** Defines a number per platform, or for all; others keep their polite default. */
function perPlatform(name: string, min: number, polite: string, about: string): Setting<Numbers> {
  const { parse } = kind.wholeNumber(min);
  const numberOf = (env: Environment, one: string) => {
    const value = readText(env, one);
    return value === undefined ? undefined : parse(value, one, env);
  };
  return {
    names: [name, ...platforms.map((platform) => nameFor(name, platform))],
    rows: [
      { name, default: polite, text: about },
      {
        name: `${name}_${platforms.map((platform) => platform.toUpperCase()).join('|')}`,
        default: name,
        text: 'The same for one platform.',
      },
    ],
    kind: {},
    read(env) {
      const common = numberOf(env, name);
      const numbers: Partial<Record<Platform, number>> = {};
      for (const platform of platforms) {
        const value = numberOf(env, nameFor(name, platform)) ?? common;
        if (value !== undefined) numbers[platform] = value;
      }
      return numbers;
    },
    show: (numbers) =>
      Object.fromEntries(platforms.map((platform) => [nameFor(name, platform), numbers[platform] ?? null])),
  };
}

/**
 * Returns the usual folder for application data. With an empty `HOME` it would be relative to the working directory.
 */
function defaultDirectory(): string {
  const { data } = envPaths('extract', { suffix: '' });
  return path.isAbsolute(data) ? data : path.join(userInfo().homedir, data);
}

const directory = {
  parse: (folder: string) => folder || defaultDirectory(),
  defaultText: 'the usual place for application data',
};

/** An address on the web, or for mail. */
const isReachable = (text: string) =>
  /^(?:https?:\/\/|(?:mailto:)?[^@/]+@)?(?:[a-z\d-]+\.)+[a-z\d-]{2,}(?:[:/?#]|$)/i.test(text);

/** Text that is valid in the parentheses of a user agent header. */
const contact = {
  parse(text: string, name: string) {
    if (/^[!-'*-:<-~]{3,200}$/.test(text) && isReachable(text)) return text;
    throw invalidParameter(
      `The setting ${name} must be a URL or an e-mail address, such as https://example.com/bot.`,
    );
  },
};

/** Contains a password, so errors must not quote it. */
const redisUrl = {
  ...kind.address,
  parse(url: string, name: string) {
    if (/^rediss?:\/\//.test(url) && URL.canParse(url)) return url;
    throw invalidParameter(
      `The setting ${name} must be like redis://user:password@cache.example.com:6379/0.`,
    );
  },
};

const proxies = 'Proxy for all outgoing requests, and the hosts to reach without it.';

/** Base of `error.docs`, without a trailing slash. */
export const docsUrl = setting(
  'EXTRACT_DOCS_URL',
  { parse: (url: string) => url.replace(/(?<!\/)\/+$/, '') },
  defaultDocsBase,
  'Where the documentation is served: the base of `error.docs`.',
);

export const extraCaCerts = optional(
  'NODE_EXTRA_CA_CERTS',
  kind.file,
  'File with additional certificate authorities.',
);

/**
 * A user agent like those of well-behaved robots: the program and, if set, the operator's contact. Never the name of a
 * browser.
 */
const userAgentOf = (contact?: string) =>
  `Mozilla/5.0 (compatible; public-extract/${version}${contact === undefined ? '' : `; +${contact}`})`;

const gaps = sites.flatMap(({ surfaces }): Gap[] => Object.values(surfaces));

/** The library's settings, in the order of the documentation. */
export const librarySettings = {
  home: setting(
    'EXTRACT_HOME',
    directory,
    '',
    'Data directory: ledger with accounts, keys and receipts, cache, pace, cursor key, unsent e-mails.',
  ),
  localCredits: setting(
    'EXTRACT_LOCAL_CREDITS',
    kind.oneOf<'endless' | 'fixed'>(['endless', 'fixed'], 'endless or fixed'),
    'endless',
    'Credits of local use: `endless` counts calls and never runs out, `fixed` refuses calls once the balance is spent.',
  ),
  contact: optional(
    'EXTRACT_CONTACT',
    contact,
    'How platforms can reach you: a URL or an e-mail address, sent in the user agent.',
  ),
  userAgent: optional(
    'EXTRACT_USER_AGENT',
    { ...kind.text, defaultText: userAgentOf() },
    'User agent sent to platforms. Replaces the default and EXTRACT_CONTACT.',
  ),
  paceMs: perPlatform(
    'EXTRACT_PACE_MS',
    0,
    `per surface of a platform, ${range(gaps.map(({ ms }) => ms))}`,
    'Milliseconds between the starts of two requests to each surface of a platform, for all processes that share the data directory; 0 for none.',
  ),
  concurrency: perPlatform(
    'EXTRACT_CONCURRENCY',
    1,
    `per surface of a platform, ${range(gaps.map(({ concurrency }) => concurrency))}`,
    'Concurrent requests to a platform.',
  ),
  timeoutMs: setting(
    'EXTRACT_TIMEOUT_MS',
    kind.wholeNumber(1),
    '180000',
    'Milliseconds before a call times out.',
  ),
  cooldownMs: setting(
    'EXTRACT_COOLDOWN_MS',
    kind.wholeNumber(0),
    '60000',
    'Milliseconds without requests to a platform after it refused, for all processes that share the data directory; doubles up to 15 minutes; 0 for none.',
  ),
  ...browserSettings,
  cache: setting('EXTRACT_CACHE', kind.boolean, 'true', 'Cache answers for their lifetime.'),
  cacheMemoryMb: setting(
    'EXTRACT_CACHE_MEMORY_MB',
    kind.wholeNumber(1),
    '64',
    'Memory for cached answers, before the disk.',
  ),
  cacheDiskMb: setting(
    'EXTRACT_CACHE_DISK_MB',
    kind.wholeNumber(1),
    '1024',
    'Disk for cached answers; the oldest are deleted for new ones.',
  ),
  cacheUrl: optional(
    'EXTRACT_CACHE_URL',
    redisUrl,
    'Redis or Valkey for cached answers, instead of the disk, such as redis://user:password@cache.example.com:6379/0 (rediss:// with TLS). Its own maxmemory bounds them.',
  ),
  photosocialDocuments: optional(
    'EXTRACT_PHOTOSOCIAL_DOCUMENTS',
    kind.file,
    'JSON file with IDs, names, paths or variables that override those of the photosocial documents, in case the platform changes them before the next release: `{"post": {"id": "123"}}`.',
  ),
  docsUrl,
  httpsProxy: optional(['HTTPS_PROXY', 'https_proxy'], kind.address, proxies),
  httpProxy: optional(['HTTP_PROXY', 'http_proxy'], kind.address, proxies),
  noProxy: optional(['NO_PROXY', 'no_proxy'], kind.text, proxies),
  extraCaCerts,
  baseUrl: optional(
    'EXTRACT_BASE_URL',
    kind.address,
    'Server to call instead of the platforms, such as https://extract.example.com/v1.',
  ),
  apiKey: optional(
    'EXTRACT_API_KEY',
    kind.secret,
    'API key for that server. Without a server, `extract mcp` uses it as a key of this data directory.',
  ),
} as const;

/** The settings of an extractor. Missing values come from the environment, then from the defaults. */
export interface Config extends ValuesOf<typeof librarySettings> {
  readonly userAgent: string;
  /** Paths of the browser's executable to try if none is set, likeliest first. */
  readonly browserPaths: readonly string[];
  /** Folder in which every fetched page is saved. */
  readonly savePages: string | undefined;
  /** Folder of saved pages that replaces the network. */
  readonly fromPages: string | undefined;
}

/** Returns true if calls are refused once credits are spent: on a server, and locally with fixed credits. */
export function mayRunOut({ baseUrl, localCredits }: Pick<Config, 'baseUrl' | 'localCredits'>): boolean {
  return baseUrl !== undefined || localCredits === 'fixed';
}

/** Reads the library's settings. Throws `invalid_parameter`. */
export function readConfig(overrides: Partial<Config> = {}, env: Environment = process.env): Config {
  const values = readSettings(librarySettings, env, overrides);
  return {
    ...values,
    userAgent: values.userAgent ?? userAgentOf(values.contact),
    browserPaths: overrides.browserPaths ?? browserPathsOf(env),
    savePages: overrides.savePages,
    fromPages: overrides.fromPages,
  };
}
