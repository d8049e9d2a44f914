import { type Config, readConfig } from '../../lib/config.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { platforms } from '../../lib/platforms.js';
import { findBrowser } from '../../lib/web/browser/find.js';
import { type DatabaseSettings, readDatabaseConfig } from './database-config.js';
import { shownDatabaseUrl } from './database-url.js';
import { type HostingConfig, readHostingConfig } from './hosting-config.js';
import { type ProgramSettings, readWebhookSecret } from './program-config.js';
import { readServerConfig, type ServerConfig } from './server-config.js';
import { settings } from './settings.js';

type Value = string | number | boolean | null;

/** A proxy's address without the name and password it may carry. */
export function withoutCredentials(address: string | undefined): string | null {
  if (address === undefined) return null;
  const at = address.lastIndexOf('@');
  if (at < 0) return address;
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(address)?.[0] ?? '';
  return `${scheme}***@${address.slice(at + 1)}`;
}

/** What a configuration says, setting by setting: a list of what may be shown, so that nothing else is. */
function valuesOf(config: Config, endpoints: readonly Endpoint[]): Readonly<Record<string, Value>> {
  const values: Record<string, Value> = {
    EXTRACT_HOME: config.home,
    EXTRACT_USER_AGENT: config.userAgent,
    EXTRACT_TIMEOUT_MS: config.timeoutMs,
    EXTRACT_COOLDOWN_MS: config.cooldownMs,
    EXTRACT_BROWSER: config.browser,
    EXTRACT_BROWSER_PATH: findBrowser(config).path,
    EXTRACT_BROWSER_HEADED: config.browserHeaded,
    EXTRACT_BROWSER_CONTEXTS: config.browserContexts,
    EXTRACT_CACHE: config.cache,
    EXTRACT_CACHE_MEMORY_MB: config.cacheMemoryMb,
    EXTRACT_CACHE_DISK_MB: config.cacheDiskMb,
    EXTRACT_CACHE_URL: withoutCredentials(config.cacheUrl),
    EXTRACT_PHOTOSOCIAL_DOCUMENTS: config.photosocialDocuments ?? null,
    EXTRACT_DOCS_URL: config.docsUrl,
    EXTRACT_BASE_URL: withoutCredentials(config.baseUrl),
    EXTRACT_API_KEY: config.apiKey === undefined ? null : '***',
    HTTPS_PROXY: withoutCredentials(config.httpsProxy),
    HTTP_PROXY: withoutCredentials(config.httpProxy),
    NO_PROXY: config.noProxy ?? null,
  };
  for (const platform of platforms) {
    const site = endpoints.find((endpoint) => endpoint.platform === platform)?.site;
    const name = platform.toUpperCase();
    values[`EXTRACT_PACE_MS_${name}`] = config.paceMs[platform] ?? site?.pace.ms ?? null;
    values[`EXTRACT_CONCURRENCY_${name}`] = config.concurrency[platform] ?? site?.pace.concurrency ?? null;
  }
  return values;
}

/** The settings of `extract serve`. */
function valuesOfServer(config: ServerConfig): Readonly<Record<string, Value>> {
  return {
    EXTRACT_HOST: config.host,
    EXTRACT_PORT: config.port,
    EXTRACT_TRUST_PROXY: config.trustProxy.join(',') || null,
    EXTRACT_CORS_ORIGINS: config.corsOrigins.join(',') || null,
    EXTRACT_ALLOWED_HOSTS: config.allowedHosts.join(',') || null,
    EXTRACT_RATE_LIMIT: config.rateLimit,
    EXTRACT_DEMO_RATE_LIMIT: config.demoRateLimit,
    EXTRACT_TRIAL_CREDITS: config.trialCredits,
    EXTRACT_WEBHOOK_ALLOW: config.webhookAllow.join(',') || null,
    EXTRACT_LOG_LEVEL: config.logLevel,
    EXTRACT_METRICS_TOKEN: config.metricsToken === undefined ? null : '***',
    EXTRACT_METRICS_OPEN: config.metricsOpen,
    EXTRACT_CANARY_MINUTES: config.canaryMinutes ?? null,
    EXTRACT_CANARIES: config.canaries ?? null,
    EXTRACT_ROLE: config.roles.join(','),
  };
}

/** The settings of the database that a server's state is kept in. */
function valuesOfDatabase({ database }: DatabaseSettings): Readonly<Record<string, Value>> {
  return {
    EXTRACT_DATABASE_URL: database === undefined ? null : shownDatabaseUrl(database.url),
    EXTRACT_DATABASE_CONNECTIONS: database?.connections ?? null,
  };
}

/** The settings of what a hosted server does for people. */
function valuesOfHosting(config: HostingConfig): Readonly<Record<string, Value>> {
  const { mail, packPrices, stripe } = config;
  const { host, port, secure, login } = mail?.server ?? {};
  const prices = packPrices.map(({ credits, price }) => `${credits}=${price}`);
  return {
    EXTRACT_SMTP_URL:
      mail === undefined
        ? null
        : `${secure ? 'smtps' : 'smtp'}://${login === undefined ? '' : '***@'}${host}:${port}`,
    EXTRACT_MAIL_FROM: mail === undefined ? null : `${mail.from.name} <${mail.from.address}>`.trim(),
    EXTRACT_OPERATOR_EMAIL: config.operatorEmail ?? null,
    EXTRACT_EMAIL_ALLOW: config.emailAllow.join(',') || null,
    EXTRACT_PACK_PRICES: prices.join(',') || null,
    EXTRACT_CURRENCY: config.currency,
    EXTRACT_PAYMENT_TEXT: config.paymentText ?? null,
    EXTRACT_SELLER: config.seller?.replaceAll('\n', '; ') ?? null,
    EXTRACT_STRIPE_KEY: stripe === undefined ? null : '***',
    EXTRACT_STRIPE_WEBHOOK_SECRET: stripe === undefined ? null : '***',
  };
}

/** Names of the settings table, those of several settings taken apart; a common one shows in its platforms. */
export function settingNames(): string[] {
  return settings.flatMap(({ name }) => {
    const [, stem, words] = /^(\w+?)_([A-Z]+(?:\|[A-Z]+)+)$/.exec(name) ?? [];
    if (stem !== undefined && words !== undefined) return words.split('|').map((word) => `${stem}_${word}`);
    return name.split(', ');
  });
}

/** A setting in force, beside its default. */
export interface ShownSetting {
  readonly setting: string;
  readonly value: Value;
  readonly default: Value;
}

/** The settings in force, in the order of the table; never a secret. Throws `invalid_parameter` for a wrong one. */
export function shownSettings(
  config: Config,
  display: ProgramSettings,
  endpoints: readonly Endpoint[],
): ShownSetting[] {
  const own: Readonly<Record<string, Value>> = {
    NO_COLOR: !display.color,
    EXTRACT_DEBUG: display.debug,
    NODE_EXTRA_CA_CERTS: display.extraCaCerts ?? null,
    EXTRACT_WEBHOOK_SECRET: readWebhookSecret() === undefined ? null : '***',
  };
  const ownDefaults = {
    NO_COLOR: false,
    EXTRACT_DEBUG: false,
    NODE_EXTRA_CA_CERTS: null,
    EXTRACT_WEBHOOK_SECRET: null,
  };
  const values = {
    ...valuesOf(config, endpoints),
    ...valuesOfServer(readServerConfig()),
    ...valuesOfDatabase(readDatabaseConfig()),
    ...valuesOfHosting(readHostingConfig()),
    ...own,
  };
  const defaults: Readonly<Record<string, Value>> = {
    ...valuesOf(readConfig({}, {}), endpoints),
    ...valuesOfServer(readServerConfig({}, {})),
    ...valuesOfDatabase(readDatabaseConfig({})),
    ...valuesOfHosting(readHostingConfig({})),
    ...ownDefaults,
  };
  return settingNames()
    .filter((name) => Object.hasOwn(values, name))
    .map((setting) => ({
      setting,
      value: (values as Readonly<Record<string, Value>>)[setting] ?? null,
      default: defaults[setting] ?? null,
    }));
}
