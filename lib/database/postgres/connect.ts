import type { Client, ClientBase, ClientConfig, CustomTypesConfig, Pool } from 'pg';
import type { Clock } from '../../runtime/clock.js';
import { requirePackage } from '../../runtime/require-package.js';

/** The packages for a database, in compatible versions: npm ignores peer ranges in global installs. */
export const databasePackages = 'pg@8 pg-boss@12.38';

export interface DatabaseConfig {
  /** The value of EXTRACT_DATABASE_URL, validated and with its password. */
  readonly url: string;
  readonly connections: number;
}

/** Timeouts in milliseconds for everything that could hang. No call waits longer for the database. */
export interface DatabaseTimeouts {
  /** For a connection, new or from the pool. */
  readonly connect: number;
  /** For one statement, measured by the server. */
  readonly statement: number;
  /** For a lock held by another transaction. */
  readonly lock: number;
  /** For the response to a statement, measured here, in case the network drops packets. */
  readonly answer: number;
}

export const defaultTimeouts: DatabaseTimeouts = {
  connect: 5_000,
  statement: 15_000,
  lock: 5_000,
  answer: 20_000,
};

/**
 * Statements that change tables and copy rows take time in proportion to the rows, while others wait this long for
 * them.
 */
export const migrationTimeouts: DatabaseTimeouts = {
  connect: 10_000,
  statement: 0,
  lock: 2_000,
  answer: 0,
};

const farewellMs = 2_000;

/** TLS modes as libpq reads `sslmode`, which database hosts put into their URLs. */
function withLibpqModes(url: string): string {
  if (!/[?&]sslmode=/.test(url) || url.includes('uselibpqcompat=')) return url;
  return url.includes('sslmode=no-verify') ? url : `${url}&uselibpqcompat=true`;
}

/** PostgreSQL types without an upper bound, which arrive as text: `int8`, and `numeric` for sums. */
const wholeNumbers: ReadonlySet<number> = new Set([20, 1700]);

/** Throws for numbers that JavaScript cannot represent exactly: a wrong amount is worse than none. */
function safeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not counted exactly.`);
  return number;
}

/** Parses whole numbers exactly, everything else as the driver does. */
function exactNumbers(types: CustomTypesConfig): CustomTypesConfig {
  return {
    getTypeParser(id: number, format?: 'text' | 'binary') {
      // The driver's types distinguish the two formats; both are passed on.
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

/** Settings of a connection, such as `{ enable_seqscan: 'off' }`. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Configures a new connection. Poolers reject unknown settings in the startup message. */
async function setUp(
  client: ClientBase,
  { statement, lock, answer }: DatabaseTimeouts,
  session: SessionSettings = {},
): Promise<void> {
  const settings = {
    statement_timeout: String(statement),
    lock_timeout: String(lock),
    // A process that stalls inside a transaction would hold locks that others need.
    idle_in_transaction_session_timeout: String(answer),
    ...session,
  };
  const text = 'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s (name, value)';
  await client.query(text, [Object.keys(settings), Object.values(settings)]);
}

/** Creates the pool that calls share. Opens no connection before it is needed. */
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
    // After a failover, old connections would lead to the old server forever.
    maxLifetimeSeconds: 30 * 60,
    allowExitOnIdle: true,
    onConnect: (client) => setUp(client, timeouts, session),
  });
  // The next request replaces an idle connection that ends.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return pool;
}

/** Opens a dedicated connection, which the server lists under its purpose. Close it with `endAlone`. */
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

/** Closes a dedicated connection. Does not wait for a dead network. */
export async function endAlone(client: Client, clock: Clock): Promise<void> {
  const waiting = new AbortController();
  const deadline = clock.sleep(farewellMs, waiting.signal).then(
    // The method exists in the driver but not in its types.
    () => (client as Client & { unref(): void }).unref(),
    () => undefined,
  );
  const end = client.end().then(
    () => waiting.abort(),
    () => waiting.abort(),
  );
  await Promise.race([end, deadline]);
}
