import type { Setting } from '../../lib/config.js';
import { type Environment, readText, readWholeNumber } from '../../lib/config-values.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { checkDatabaseUrl } from './database-url.js';

const defaultConnections = 10;
/** One charges, one writes, one listens for work, one reads: fewer would wait for each other. */
const [minConnections, maxConnections] = [4, 500];

/** Settings of the database that the state of a server is kept in. */
export const databaseSettings: readonly Setting[] = [
  {
    name: 'EXTRACT_DATABASE_URL',
    default: '',
    text: 'PostgreSQL database (15 or newer, of its own) that keeps the state of servers in place of the data directory, such as postgres://user:password@db.example.com:5432/extract?sslmode=verify-full.',
  },
  {
    name: 'EXTRACT_DATABASE_CONNECTIONS',
    default: String(defaultConnections),
    text: 'Connections to it at most, a process.',
  },
];

/** Where the state of servers is kept. */
export interface DatabaseSettings {
  /** None where it is kept in the data directory. */
  readonly database:
    | {
        /** With its password. */
        readonly url: string;
        /** At most, a process. */
        readonly connections: number;
      }
    | undefined;
}

/** Reads the settings of the database. Throws `invalid_parameter`. */
export function readDatabaseConfig(env: Environment = process.env): DatabaseSettings {
  const url = readText(env, 'EXTRACT_DATABASE_URL');
  const connections =
    readWholeNumber(env, 'EXTRACT_DATABASE_CONNECTIONS', minConnections) ?? defaultConnections;
  if (url === undefined) return { database: undefined };
  checkDatabaseUrl(url);
  if (connections > maxConnections) {
    throw new ExtractError(
      'invalid_parameter',
      `The setting EXTRACT_DATABASE_CONNECTIONS must be at most ${maxConnections}: each is a process of the database.`,
    );
  }
  return { database: { url, connections } };
}
