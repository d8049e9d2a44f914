import * as kind from '../../lib/config-kinds.js';
import {
  type Environment,
  type Kind,
  optional,
  readSettings,
  readText,
  setting,
} from '../../lib/config-values.js';
import { invalidParameter } from '../../lib/errors/extract-error.js';
import { checkDatabaseUrl, databasePassword, shownDatabaseUrl } from './database-url.js';

/** One connection charges, one writes, one listens for work, one reads. With fewer they would wait for each other. */
const [minConnections, maxConnections] = [4, 500];

const databaseUrl: Kind<string> = {
  show: shownDatabaseUrl,
  secrets: (url) => [databasePassword(url) ?? ''],
  parse(url) {
    checkDatabaseUrl(url);
    return url;
  },
};

const connections: Kind<number | undefined> = {
  parse(text, name, env) {
    const count = kind.wholeNumber(minConnections).parse(text, name, env);
    if (readText(env, 'EXTRACT_DATABASE_URL') === undefined) return undefined;
    if (count <= maxConnections) return count;
    throw invalidParameter(
      `The setting ${name} must be at most ${maxConnections}: each is a process of the database.`,
    );
  },
};

/** Settings of the database that holds the state of a server. */
export const databaseSettings = {
  url: optional(
    'EXTRACT_DATABASE_URL',
    databaseUrl,
    'PostgreSQL database (15 or newer, not shared with other programs) for the state of servers, instead of the data directory, such as postgres://user:password@db.example.com:5432/extract?sslmode=verify-full.',
  ),
  connections: setting('EXTRACT_DATABASE_CONNECTIONS', connections, '10', 'Maximum connections per process.'),
} as const;

export interface DatabaseSettings {
  /** Undefined for the data directory. The URL includes the password. */
  readonly database: { readonly url: string; readonly connections: number } | undefined;
}

/** Reads the settings of the database. Throws `invalid_parameter`. */
export function readDatabaseConfig(env: Environment = process.env): DatabaseSettings {
  const { url, connections: count } = readSettings(databaseSettings, env);
  return { database: url === undefined || count === undefined ? undefined : { url, connections: count } };
}
