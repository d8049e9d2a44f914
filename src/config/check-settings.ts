import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Config, readConfig } from '../../lib/config.js';
import { booleanOf } from '../../lib/config-kinds.js';
import { type Environment, readText } from '../../lib/config-values.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { defaultDocsBase, ExtractError } from '../../lib/errors/extract-error.js';
import { platforms } from '../../lib/platforms.js';
import { nearestWords, suggestion } from '../../lib/runtime/nearest-words.js';
import { firstSurface } from '../../lib/web/page-source.js';
import { readBucketConfig } from './bucket-config.js';
import { readDatabaseConfig } from './database-config.js';
import { readHostingConfig } from './hosting-config.js';
import { isLoopback } from './loopback.js';
import { canaryMinutesOf, readServerConfig, type ServerConfig } from './server-config.js';
import { everySetting } from './settings.js';

/** A problem with the settings. Programs refuse to run if `isWrong`. */
export interface SettingComplaint {
  readonly isWrong: boolean;
  readonly message: string;
  readonly next: string;
}

const complain = (holds: boolean, message: string, next: string): SettingComplaint[] =>
  holds ? [{ isWrong: false, message, next }] : [];

function unknownNames(env: Environment): SettingComplaint[] {
  const settingNames = everySetting.flatMap(({ names }) => names);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('EXTRACT_') && !settingNames.includes(name),
  );
  return unknown.flatMap((name) => {
    const next =
      suggestion(nearestWords(name, settingNames)) || 'Remove it: “extract config” lists the settings.';
    return complain(true, `${name} is not a setting.`, next);
  });
}

function refusals(readers: readonly (() => unknown)[]): SettingComplaint[] {
  return readers.flatMap((readSettings) => {
    try {
      readSettings();
      return [];
    } catch (cause) {
      if (!(cause instanceof ExtractError)) throw cause;
      return [
        {
          isWrong: true,
          message: cause.message,
          next: 'Correct it: “extract config” shows the settings in effect.',
        },
      ];
    }
  });
}

function ofLibrary(env: Environment, config: Config, endpoints: readonly Endpoint[]): SettingComplaint[] {
  const hasProxy = config.httpsProxy !== undefined || config.httpProxy !== undefined;
  const perPlatform = platforms.flatMap((platform) => {
    const site = endpoints.find((endpoint) => endpoint.platform === platform)?.site;
    const polite = site?.surfaces[firstSurface(site)]?.ms;
    const pace = config.paceMs[platform];
    return [
      ...complain(
        pace === 0,
        `No pace is set for ${platform}, which will soon refuse.`,
        `Remove the setting: the default is one request to ${platform} every ${polite ?? 1000} ms.`,
      ),
      ...complain(
        (pace ?? polite ?? 0) >= config.timeoutMs,
        `Calls to ${platform} time out before its pace lets them start.`,
        'Raise EXTRACT_TIMEOUT_MS.',
      ),
    ];
  });
  const files = everySetting.filter(({ kind }) => kind.isFile).flatMap(({ names }) => names);
  return [
    ...complain(
      !config.cache && readText(env, 'EXTRACT_CACHE_MEMORY_MB') !== undefined,
      'EXTRACT_CACHE_MEMORY_MB has no effect with EXTRACT_CACHE=false.',
      'Remove one of them.',
    ),
    ...complain(
      config.noProxy !== undefined && !hasProxy,
      'NO_PROXY has no effect without a proxy.',
      'Set HTTPS_PROXY, or remove it.',
    ),
    ...complain(
      config.httpProxy !== undefined && config.httpsProxy === undefined,
      'HTTP_PROXY is not used for the platforms, which are requested by https.',
      'Set HTTPS_PROXY as well.',
    ),
    ...perPlatform,
    ...files.flatMap((name) => {
      const file = readText(env, name);
      if (file === undefined || existsSync(file)) return [];
      return [{ isWrong: true, message: `${name}: no such file: ${file}`, next: 'Correct the path.' }];
    }),
  ];
}

function ofServer(env: Environment, config: Config, server: ServerConfig): SettingComplaint[] {
  const isPublic = !isLoopback(server.host) && (isIP(server.host) > 0 || server.host !== '');
  return [
    ...complain(
      isPublic && config.docsUrl === defaultDocsBase,
      `The server listens on ${server.host} and EXTRACT_DOCS_URL is not set.`,
      'Set it to the address that users know, such as https://extract.example.com.',
    ),
    ...complain(
      isPublic && server.metricsOpen && server.metricsToken === undefined,
      `/metrics is open on ${server.host}.`,
      'Set EXTRACT_METRICS_TOKEN.',
    ),
    ...complain(
      readText(env, 'EXTRACT_OPERATOR_EMAIL') !== undefined &&
        readText(env, 'EXTRACT_SMTP_URL') === undefined,
      'EXTRACT_OPERATOR_EMAIL gets no e-mail: without a mail server, e-mails are stored as files.',
      'Set EXTRACT_SMTP_URL and EXTRACT_MAIL_FROM.',
    ),
    ...complain(
      server.canaries !== undefined && canaryMinutesOf(server, readHostingConfig(env)) === undefined,
      'The server runs no canaries: EXTRACT_CANARIES only affects “extract doctor --live”.',
      'Set EXTRACT_CANARY_MINUTES.',
    ),
    ...complain(
      booleanOf(readText(env, 'EXTRACT_DEBUG') ?? 'false') === undefined,
      'EXTRACT_DEBUG is neither true nor false, and counts as not set.',
      'Correct it.',
    ),
  ];
}

/** Returns the problems with the settings: unknown names, invalid values, and contradictions. */
export function settingComplaints(
  endpoints: readonly Endpoint[],
  env: Environment = process.env,
): readonly SettingComplaint[] {
  const invalid = refusals([
    () => readConfig({}, env),
    () => readServerConfig({}, env),
    () => readBucketConfig(env),
    () => readHostingConfig(env),
    () => readDatabaseConfig(env),
  ]);
  const problems = [...unknownNames(env), ...invalid];
  if (invalid.length > 0) return problems;
  const config = readConfig({}, env);
  return [
    ...problems,
    ...ofLibrary(env, config, endpoints),
    ...ofServer(env, config, readServerConfig({}, env)),
  ];
}
