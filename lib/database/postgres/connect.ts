import type { Client, ClientBase, ClientConfig, CustomTypesConfig, Pool } from 'pg';
import type { Clock } from '../../runtime/clock.js';
import { requirePackage } from '../../runtime/require-package.js';

/** The packages that a database needs, in the versions that fit: npm asks nobody's peers about what it installs for all users. */
export const databasePackages = 'pg@8 pg-boss@12.38';

/** How a process uses a database. */
export interface DatabaseConfig {
  /** As EXTRACT_DATABASE_URL has it: checked, with its password. */
  readonly url: string;
  /** Connections at most. */
  readonly connections: number;
}

/** Milliseconds of everything that could hang: no call waits longer for the database than for these. */
export interface DatabaseTimeouts {
  /** For a connection, a new one as well as a free one. */
  readonly connect: number;
  /** For one statement, by the server's clock. */
  readonly statement: number;
  /** For a lock that another transaction holds. */
  readonly lock: number;
  /** For the answer to a statement, by our clock: for a network that swallows what is sent. */
  readonly answer: number;
}

export const defaultTimeouts: DatabaseTimeouts = {
  connect: 5_000,
  statement: 15_000,
  lock: 5_000,
  answer: 20_000,
};

/** Statements that change tables and copy rows take as long as there are rows. Others wait for them only so long. */
export const migrationTimeouts: DatabaseTimeouts = {
  connect: 10_000,
  statement: 0,
  lock: 2_000,
  answer: 0,
};

const farewellMs = 2_000;

/** TLS as libpq reads `sslmode`: what hosts of databases write into the addresses that they give. */
function withLibpqModes(url: string): string {
  if (!/[?&]sslmode=/.test(url) || url.includes('uselibpqcompat=')) return url;
  return url.includes('sslmode=no-verify') ? url : `${url}&uselibpqcompat=true`;
}

/** Types of PostgreSQL that count without end, and so come as text: `int8`, and `numeric` of sums. */
const wholeNumbers: ReadonlySet<number> = new Set([20, 1700]);

/** Throws for what JavaScript does not count exactly: a wrong amount is worse than none. */
function safeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not counted exactly.`);
  return number;
}

/** How a connection reads what the database sends: whole numbers as numbers, all else as the driver does. */
function exactNumbers(types: CustomTypesConfig): CustomTypesConfig {
  return {
    getTypeParser(id: number, format?: 'text' | 'binary') {
      // The driver's own type knows the two formats apart; whichever it is, this hands it on.
      return wholeNumbers.has(id) && format !== 'binary'
        ? safeInteger
        : types.getTypeParser(id, format as 'text');
    },
  } as CustomTypesConfig;
}

async function loadDriver() {
  requirePackage('pg', 'EXTRACT_DATABASE_URL', databasePackages);
  const { default: pg } = await import('pg');
  return pg;
}

type Driver = Awaited<ReturnType<typeof loadDriver>>;

function clientConfig(pg: Driver, url: string, purpose: string, timeouts: DatabaseTimeouts): ClientConfig {
  return {
    connectionString: withLibpqModes(url),
    application_name: purpose === '' ? 'extract' : `extract ${purpose}`,
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.answer,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: exactNumbers(pg.types),
  };
}

/** Settings of PostgreSQL that hold for connections, such as `{ enable_seqscan: 'off' }`. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Sets up a new connection. Sent with its beginning, poolers would refuse what they do not know. */
async function setUp(
  client: ClientBase,
  { statement, lock, answer }: DatabaseTimeouts,
  session: SessionSettings = {},
): Promise<void> {
  const settings = {
    statement_timeout: String(statement),
    lock_timeout: String(lock),
    // A process that stands still inside a transaction holds the locks of others.
    idle_in_transaction_session_timeout: String(answer),
    ...session,
  };
  const text = 'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s (name, value)';
  await client.query(text, [Object.keys(settings), Object.values(settings)]);
}

/** Makes the connections that calls share. None is opened before the first is asked for. */
export async function makePool(
  config: DatabaseConfig,
  timeouts: DatabaseTimeouts,
  session: SessionSettings,
): Promise<Pool> {
  const pg = await loadDriver();
  const pool = new pg.Pool({
    ...clientConfig(pg, config.url, '', timeouts),
    max: config.connections,
    idleTimeoutMillis: 60_000,
    // After a failover old connections would lead to the old server for ever.
    maxLifetimeSeconds: 30 * 60,
    allowExitOnIdle: true,
    onConnect: (client) => setUp(client, timeouts, session),
  });
  // A connection that ends while nobody uses it is replaced by the next one that is wanted.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return pool;
}

/** Opens one connection for a purpose of its own, shown as such by the server; `endAlone` ends it. */
export async function connectAlone(
  url: string,
  purpose: string,
  timeouts: DatabaseTimeouts,
): Promise<Client> {
  const pg = await loadDriver();
  const client = new pg.Client(clientConfig(pg, url, purpose, timeouts));
  client.on('error', () => undefined);
  await client.connect();
  await setUp(client, timeouts);
  return client;
}

/** Ends such a connection; one that cannot say farewell on a dead network holds no program up. */
export async function endAlone(client: Client, clock: Clock): Promise<void> {
  const ended = new AbortController();
  const deadline = clock.sleep(farewellMs, ended.signal).then(
    // The driver has it, its types do not.
    () => (client as Client & { unref(): void }).unref(),
    () => undefined,
  );
  const end = client.end().then(
    () => ended.abort(),
    () => ended.abort(),
  );
  await Promise.race([end, deadline]);
}
