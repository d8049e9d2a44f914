import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Config, readConfig } from '../../lib/config.js';
import { booleanOf, type Environment, readText } from '../../lib/config-values.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { defaultDocsBase, ExtractError } from '../../lib/errors/extract-error.js';
import { platforms } from '../../lib/platforms.js';
import { nearestWords, suggestion } from '../../lib/runtime/nearest-words.js';
import { readDatabaseConfig } from './database-config.js';
import { readHostingConfig } from './hosting-config.js';
import { readServerConfig, type ServerConfig } from './server-config.js';
import { settingNames } from './shown-settings.js';

/** Something wrong with the settings: `isWrong` where programs refuse to run with it. */
export interface SettingComplaint {
  readonly isWrong: boolean;
  readonly message: string;
  readonly next: string;
}

const complaint = (message: string, next: string): SettingComplaint => ({ isWrong: false, message, next });

/** Names of settings that there are not, of ours by their beginning. */
function unknownNames(env: Environment): SettingComplaint[] {
  const known = [...settingNames(), 'EXTRACT_PACE_MS', 'EXTRACT_CONCURRENCY'];
  const unknown = Object.keys(env).filter((name) => name.startsWith('EXTRACT_') && !known.includes(name));
  return unknown.map((name) => {
    const next = suggestion(nearestWords(name, known)) || 'Remove it: “extract config” lists the settings.';
    return complaint(`${name} is no setting.`, next);
  });
}

/** What a reader of settings throws. */
function refusals(readers: readonly (() => unknown)[]): SettingComplaint[] {
  return readers.flatMap((read) => {
    try {
      read();
      return [];
    } catch (cause) {
      if (!(cause instanceof ExtractError)) throw cause;
      return [
        { isWrong: true, message: cause.message, next: 'Correct it: “extract config” shows those in force.' },
      ];
    }
  });
}

function ofLibrary(env: Environment, config: Config, endpoints: readonly Endpoint[]): SettingComplaint[] {
  const found: SettingComplaint[] = [];
  if (!config.cache && readText(env, 'EXTRACT_CACHE_MEMORY_MB') !== undefined) {
    found.push(
      complaint('EXTRACT_CACHE_MEMORY_MB has no effect with EXTRACT_CACHE=false.', 'Remove one of them.'),
    );
  }
  const hasProxy = config.httpsProxy !== undefined || config.httpProxy !== undefined;
  if (config.noProxy !== undefined && !hasProxy) {
    found.push(complaint('NO_PROXY has no effect without a proxy.', 'Set HTTPS_PROXY, or remove it.'));
  }
  if (config.httpProxy !== undefined && config.httpsProxy === undefined) {
    found.push(
      complaint(
        'HTTP_PROXY is not used for the platforms, which are requested by https.',
        'Set HTTPS_PROXY as well.',
      ),
    );
  }
  for (const platform of platforms) {
    const site = endpoints.find((endpoint) => endpoint.platform === platform)?.site;
    const pace = config.paceMs[platform];
    if (pace === 0) {
      const next = `Remove the setting: ${platform} then gets a request every ${site?.pace.ms ?? 1000} ms.`;
      found.push(complaint(`There is no pace for ${platform}: it will refuse soon.`, next));
    }
    if ((pace ?? site?.pace.ms ?? 0) >= config.timeoutMs) {
      found.push(
        complaint(
          `Calls to ${platform} time out before its pace lets them start.`,
          'Raise EXTRACT_TIMEOUT_MS.',
        ),
      );
    }
  }
  for (const name of ['NODE_EXTRA_CA_CERTS', 'EXTRACT_PHOTOSOCIAL_DOCUMENTS', 'EXTRACT_CANARIES']) {
    const file = readText(env, name);
    if (file !== undefined && !existsSync(file)) {
      found.push({ isWrong: true, message: `${name}: there is no file ${file}.`, next: 'Correct the path.' });
    }
  }
  return found;
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host);

function ofServer(env: Environment, config: Config, server: ServerConfig): SettingComplaint[] {
  const found: SettingComplaint[] = [];
  const isPublic = !isLoopback(server.host) && (isIP(server.host) > 0 || server.host !== '');
  if (isPublic && config.docsUrl === defaultDocsBase) {
    const next = 'Set it to the address that users know, such as https://extract.example.com.';
    found.push(complaint(`The server listens on ${server.host} and EXTRACT_DOCS_URL is not set.`, next));
  }
  if (isPublic && server.metricsToken === undefined) {
    found.push(complaint(`/metrics is open on ${server.host}.`, 'Set EXTRACT_METRICS_TOKEN.'));
  }
  if (
    readText(env, 'EXTRACT_OPERATOR_EMAIL') !== undefined &&
    readText(env, 'EXTRACT_SMTP_URL') === undefined
  ) {
    const next = 'Set EXTRACT_SMTP_URL and EXTRACT_MAIL_FROM.';
    found.push(
      complaint('EXTRACT_OPERATOR_EMAIL gets no mail: without a mail server mails are kept as files.', next),
    );
  }
  if (server.canaries !== undefined && server.canaryMinutes === undefined) {
    found.push(
      complaint(
        'The server asks no canaries: EXTRACT_CANARIES is for “extract doctor --live” alone.',
        'Set EXTRACT_CANARY_MINUTES.',
      ),
    );
  }
  if (readText(env, 'EXTRACT_DEBUG') !== undefined && booleanOf(env.EXTRACT_DEBUG ?? '') === undefined) {
    found.push(complaint('EXTRACT_DEBUG is neither true nor false, and counts as not set.', 'Correct it.'));
  }
  return found;
}

/** What is wrong with the settings: unknown names, values that cannot be, and those that contradict each other. */
export function settingComplaints(
  endpoints: readonly Endpoint[],
  env: Environment = process.env,
): readonly SettingComplaint[] {
  const wrong = refusals([
    () => readConfig({}, env),
    () => readServerConfig({}, env),
    () => readHostingConfig(env),
    () => readDatabaseConfig(env),
  ]);
  const found = [...unknownNames(env), ...wrong];
  if (wrong.length > 0) return found;
  const config = readConfig({}, env);
  return [
    ...found,
    ...ofLibrary(env, config, endpoints),
    ...ofServer(env, config, readServerConfig({}, env)),
  ];
}
