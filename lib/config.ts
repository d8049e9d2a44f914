import envPaths from 'env-paths';
import { type BrowserConfig, readBrowserConfig } from './config-browser.js';
import { type Environment, readBoolean, readText, readWholeNumber } from './config-values.js';
import { defaultDocsBase, ExtractError } from './errors/extract-error.js';
import { type Platform, platforms } from './platforms.js';
import { version } from './runtime/version.js';

/** One setting as the README's table lists it. */
export interface Setting {
  readonly name: string;
  readonly default: string;
  readonly text: string;
}

const each = (name: string) => `${name}_${platforms.map((platform) => platform.toUpperCase()).join('|')}`;

/** Settings of the library. */
export const librarySettings: readonly Setting[] = [
  {
    name: 'EXTRACT_HOME',
    default: 'the usual place for application data',
    text: 'Data directory: ledger with accounts, keys and receipts, cache, pace, cursor key, unsent mails.',
  },
  {
    name: 'EXTRACT_USER_AGENT',
    default: `public-extract/${version}`,
    text: 'User agent sent to platforms. Put a contact into it.',
  },
  {
    name: 'EXTRACT_PACE_MS',
    default: 'per platform, 1000 to 3000',
    text: 'Milliseconds between the starts of two requests to a platform, for all processes that share the data directory; 0 for none.',
  },
  { name: each('EXTRACT_PACE_MS'), default: 'EXTRACT_PACE_MS', text: 'The same for one platform.' },
  {
    name: 'EXTRACT_CONCURRENCY',
    default: 'per platform, 1 to 2',
    text: 'Simultaneous requests to a platform.',
  },
  { name: each('EXTRACT_CONCURRENCY'), default: 'EXTRACT_CONCURRENCY', text: 'The same for one platform.' },
  { name: 'EXTRACT_TIMEOUT_MS', default: '180000', text: 'Milliseconds before a call times out.' },
  {
    name: 'EXTRACT_COOLDOWN_MS',
    default: '60000',
    text: 'Milliseconds without requests to a platform after it refused, for all processes that share the data directory; doubles up to 15 minutes; 0 for none.',
  },
  {
    name: 'EXTRACT_BROWSER',
    default: 'auto',
    text: 'When a browser opens the pages: `auto` if plain requests are refused or end early, `always`, or `never`.',
  },
  {
    name: 'EXTRACT_BROWSER_PATH',
    default: '',
    text: 'Path of the browser. Without it, the system’s Chrome, Chromium or Edge.',
  },
  { name: 'EXTRACT_BROWSER_HEADED', default: 'false', text: 'Show the browser’s windows.' },
  { name: 'EXTRACT_BROWSER_CONTEXTS', default: '2', text: 'Pages open in the browser at once.' },
  { name: 'EXTRACT_CACHE', default: 'true', text: 'Cache answers for their lifetime.' },
  { name: 'EXTRACT_CACHE_MEMORY_MB', default: '64', text: 'Memory for cached answers, before the disk.' },
  {
    name: 'EXTRACT_CACHE_DISK_MB',
    default: '1024',
    text: 'Disk for cached answers; the oldest make room for new ones.',
  },
  {
    name: 'EXTRACT_CACHE_URL',
    default: '',
    text: 'Redis or Valkey that keeps cached answers in place of the disk, such as redis://user:password@cache.example.com:6379/0 (rediss:// with TLS). Its own maxmemory bounds them.',
  },
  {
    name: 'EXTRACT_PHOTOSOCIAL_DOCUMENTS',
    default: '',
    text: 'JSON file whose ids, names, paths or variables replace those of the photosocial documents, in case the platform changes them before a release does: `{"post": {"id": "123"}}`.',
  },
  {
    name: 'EXTRACT_DOCS_URL',
    default: defaultDocsBase,
    text: 'Where the documentation is served: the base of `error.docs`.',
  },
  {
    name: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    default: '',
    text: 'Proxy for all outgoing requests, and the hosts to reach without it.',
  },
  { name: 'NODE_EXTRA_CA_CERTS', default: '', text: 'File with additional certificate authorities.' },
  {
    name: 'EXTRACT_BASE_URL',
    default: '',
    text: 'Server to call instead of the platforms, such as https://extract.example.com/v1.',
  },
  {
    name: 'EXTRACT_API_KEY',
    default: '',
    text: 'API key for that server. Without a server, `extract mcp` uses it as a key of this data directory.',
  },
];

type Numbers = Readonly<Partial<Record<Platform, number>>>;

/** How an extractor is set up. A value that is left out comes from the environment, then from the defaults. */
export interface Config extends BrowserConfig {
  /** Data directory. */
  readonly home: string;
  /** User agent that is sent to platforms. */
  readonly userAgent: string;
  /** Milliseconds between requests; a platform that is not named keeps its polite default. */
  readonly paceMs: Numbers;
  /** Requests at once; a platform that is not named keeps its polite default. */
  readonly concurrency: Numbers;
  /** Milliseconds before a call times out. */
  readonly timeoutMs: number;
  /** Milliseconds a platform is left alone after it refused, doubling to 15 minutes; 0 for none. */
  readonly cooldownMs: number;
  /** File with further certificate authorities; Node.js reads it by itself, a browser is told. */
  readonly extraCaCerts: string | undefined;
  /** Cache answers for their lifetime. */
  readonly cache: boolean;
  /** Memory for cached answers, before the disk. */
  readonly cacheMemoryMb: number;
  /** Disk for kept answers; the oldest make room. */
  readonly cacheDiskMb: number;
  /** Redis that keeps answers in place of the disk, with its password. */
  readonly cacheUrl: string | undefined;
  /** File that replaces dated data of photosocial. */
  readonly photosocialDocuments: string | undefined;
  /** Where the documentation is served: the base of `error.docs`. */
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

function perPlatform(env: Environment, name: string, min: number): Numbers {
  const common = readWholeNumber(env, name, min);
  const numbers: Partial<Record<Platform, number>> = {};
  for (const platform of platforms) {
    const value = readWholeNumber(env, `${name}_${platform.toUpperCase()}`, min) ?? common;
    if (value !== undefined) numbers[platform] = value;
  }
  return numbers;
}

/** Address that `error.docs` begins with, without a trailing slash. */
export const docsUrl = (env: Environment) =>
  (readText(env, 'EXTRACT_DOCS_URL') ?? defaultDocsBase).replace(/\/+$/, '');

/** Address of a Redis. Throws `invalid_parameter` for another; the text holds a password, and no error repeats it. */
function readCacheUrl(env: Environment): string | undefined {
  const url = readText(env, 'EXTRACT_CACHE_URL');
  if (url === undefined || (/^rediss?:\/\//.test(url) && URL.canParse(url))) return url;
  throw new ExtractError(
    'invalid_parameter',
    'The setting EXTRACT_CACHE_URL must be like redis://user:password@cache.example.com:6379/0.',
  );
}

/** Reads the settings of the library, once for an extractor. Throws `invalid_parameter`. */
export function readConfig(given: Partial<Config> = {}, env: Environment = process.env): Config {
  const read: Config = {
    home: readText(env, 'EXTRACT_HOME') ?? envPaths('extract', { suffix: '' }).data,
    userAgent: readText(env, 'EXTRACT_USER_AGENT') ?? `public-extract/${version}`,
    paceMs: perPlatform(env, 'EXTRACT_PACE_MS', 0),
    concurrency: perPlatform(env, 'EXTRACT_CONCURRENCY', 1),
    timeoutMs: readWholeNumber(env, 'EXTRACT_TIMEOUT_MS', 1) ?? 180_000,
    cooldownMs: readWholeNumber(env, 'EXTRACT_COOLDOWN_MS', 0) ?? 60_000,
    ...readBrowserConfig(env),
    extraCaCerts: readText(env, 'NODE_EXTRA_CA_CERTS'),
    cache: readBoolean(env, 'EXTRACT_CACHE', true),
    cacheMemoryMb: readWholeNumber(env, 'EXTRACT_CACHE_MEMORY_MB', 1) ?? 64,
    cacheDiskMb: readWholeNumber(env, 'EXTRACT_CACHE_DISK_MB', 1) ?? 1024,
    cacheUrl: readCacheUrl(env),
    photosocialDocuments: readText(env, 'EXTRACT_PHOTOSOCIAL_DOCUMENTS'),
    docsUrl: docsUrl(env),
    httpsProxy: readText(env, 'HTTPS_PROXY') ?? readText(env, 'https_proxy'),
    httpProxy: readText(env, 'HTTP_PROXY') ?? readText(env, 'http_proxy'),
    noProxy: readText(env, 'NO_PROXY') ?? readText(env, 'no_proxy'),
    baseUrl: readText(env, 'EXTRACT_BASE_URL'),
    apiKey: readText(env, 'EXTRACT_API_KEY'),
    savePages: undefined,
    fromPages: undefined,
  };
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...read, ...chosen };
}
