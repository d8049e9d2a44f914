// Tests that need their own PostgreSQL server: TLS, connection limits, a standby that takes over.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { StorageError, type StorageFault } from '../../lib/errors/storage-error.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { authority } from '../support/authority.js';
import { awakeTime } from '../support/awake-time.js';
import { freePort } from '../support/free-port.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { type ClusterOptions, makeCluster } from '../support/postgres-cluster.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const storage = (fault: StorageFault, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StorageError, String(error));
  assert.equal(error.fault, fault, error.message);
  assert.match(error.message, message);
  return true;
};

async function cluster(options: ClusterOptions) {
  const cluster = await makeCluster(options);
  after(() => cluster.remove());
  return cluster;
}

async function open(url: string, connections = 2): Promise<Postgres> {
  const postgres = await Postgres.open({ url, connections }, systemClock);
  after(() => postgres.close());
  return postgres;
}

const one = (postgres: Postgres) =>
  postgres.read((queries) =>
    queries.first('SELECT ssl AS "isEncrypted" FROM pg_stat_ssl WHERE pid = pg_backend_pid()'),
  );

describe('servers of PostgreSQL', { skip: skipWithoutPostgres }, () => {
  test('with TLS: certificates are checked as sslmode says, and a wrong one is named', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const trusted = authority(folder);
    const { key, cert } = trusted.issue('localhost');
    const [keyFile, certFile] = [path.join(folder, 'server.key'), path.join(folder, 'server.pem')];
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certFile, cert);
    if (process.getuid?.() === 0) chownSync(keyFile, 65_534, 65_534);
    const port = await freePort();
    await cluster({ port, settings: { ssl: 'on', ssl_cert_file: certFile, ssl_key_file: keyFile } });
    const at = (host: string, query: string) => open(`postgres://postgres@${host}:${port}/postgres?${query}`);
    const root = `sslrootcert=${encodeURIComponent(trusted.file)}`;
    const encrypted = { isEncrypted: true };
    assert.deepEqual(await one(await at('localhost', `sslmode=verify-full&${root}`)), encrypted);
    // As libpq has it: encrypted, by whomever.
    assert.deepEqual(await one(await at('127.0.0.1', 'sslmode=require')), encrypted);
    const refused = storage('unreachable', /cannot be encrypted as configured.*NODE_EXTRA_CA_CERTS/);
    await assert.rejects(one(await at('localhost', 'sslmode=verify-full')), refused);
    await assert.rejects(one(await at('127.0.0.1', `sslmode=verify-full&${root}`)), refused);
  });

  test('that take no further connections are named, and used again when they do', async () => {
    const settings = { max_connections: '4', superuser_reserved_connections: '0', max_wal_senders: '0' };
    const { url } = await cluster({ settings });
    const others = Array.from({ length: 4 }, () => new pg.Client({ connectionString: url }));
    for (const client of others) await client.connect();
    const postgres = await open(url);
    await assert.rejects(one(postgres), storage('exhausted', /no more connections.*max_connections/));
    await others[0]?.end();
    for (const until = awakeTime() + 5_000; ; ) {
      // The server counts it for a moment longer.
      const answered = await one(postgres).catch(() => undefined);
      if (answered !== undefined) break;
      assert.ok(awakeTime() < until, 'it is used again');
    }
    await Promise.all(others.slice(1).map((client) => client.end()));
  });

  test('whose standby takes over behind the same address: nothing is lost, and nothing hangs', async () => {
    const [port, standbyPort] = [await freePort(), await freePort()];
    const primary = await cluster({ port, isDurable: true });
    const admin = await open(primary.url);
    await admin.write((queries) => queries.run('CREATE TABLE things (id integer PRIMARY KEY)'));
    const standby = await cluster({ port: standbyPort, isDurable: true, standbyOf: primary });
    // From here on a commit is on both disks before it is acknowledged.
    await admin.write((queries) => queries.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`));
    await admin.write((queries) => queries.run('SELECT pg_reload_conf()'));
    let target = port;
    const address = net.createServer((client) => {
      const onward = net.connect(target, '127.0.0.1');
      for (const socket of [client, onward]) socket.on('error', () => undefined);
      client.on('close', () => onward.destroy());
      onward.on('close', () => client.destroy());
      client.pipe(onward).pipe(client);
    });
    await new Promise<void>((resolve) => address.listen(0, '127.0.0.1', resolve));
    after(() => address.close());
    const { port: relayPort } = address.address() as AddressInfo;
    const postgres = await open(`postgres://postgres@127.0.0.1:${relayPort}/postgres`);
    let next = 0;
    const [acknowledged, faults]: [number[], unknown[]] = [[], []];
    const write = async () => {
      next += 1;
      const id = next;
      await postgres
        .write((queries) => queries.run('INSERT INTO things VALUES ($1)', [id]))
        .then(
          () => acknowledged.push(id),
          (fault: unknown) => faults.push(fault),
        );
    };
    for (let count = 0; count < 50; count += 1) await write();
    assert.equal(faults.length, 0, String(faults[0]));
    await primary.crash();
    await write();
    // The address leads to the standby before it may be written to.
    target = standbyPort;
    await write();
    const promoted = await open(standby.url);
    await promoted.read((queries) => queries.first('SELECT pg_promote()'));
    const before = acknowledged.length;
    const back = awakeTime();
    while (acknowledged.length < before + 10) {
      assert.ok(awakeTime() - back < 10_000, 'it is written to again');
      await write();
    }
    assert.ok(faults.length >= 2);
    for (const fault of faults) assert.ok(fault instanceof StorageError, String(fault));
    const messages = faults.map((fault) => (fault as Error).message).join('\n');
    assert.match(messages, /read-only standby.*primary/);
    const rows = await promoted.read((queries) =>
      queries.rows<{ readonly id: number }>('SELECT id FROM things'),
    );
    const ids = new Set(rows.map(({ id }) => id));
    const lost = acknowledged.filter((id) => !ids.has(id));
    assert.deepEqual(lost, []);
  });
});
