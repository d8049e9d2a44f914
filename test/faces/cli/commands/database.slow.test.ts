import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { schemaVersion } from '../../../../lib/database/schema-sql.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { allSchemas } from '../../../../src/compose/database-tables.js';
import { openDirectory } from '../../../../src/compose/open-store.js';
import { checkDatabase } from '../../../../src/faces/doctor/check-database.js';
import { argv, extract, testHome } from '../../../support/cli.js';
import { makeTestDatabase, skipWithoutPostgres, type TestDatabase } from '../../../support/postgres.js';

const password = 'not-to-be-shown';

async function runCommand(args: readonly string[]) {
  const ran = await extract([...args, '--json']);
  const { data, error } = JSON.parse(ran.out === '' ? ran.err : ran.out);
  assert.ok(!`${ran.out}${ran.err}`.includes(password));
  return { status: ran.status, data, error };
}

// Made here, so that it lasts for the whole file.
const home = testHome();
afterEach(() => {
  delete process.env.EXTRACT_DATABASE_URL;
});

describe('extract server database, without one', () => {
  const away = `postgres://extract:${password}@127.0.0.1:1/extract`;
  const mysql = `mysql://extract:${password}@db/extract`;
  const file = path.join(home, 'backup.tar.gz');
  const cases: readonly (readonly [string, string, number, RegExp])[] = [
    ['', 'database migrate', 2, /No database is set\. Set EXTRACT_DATABASE_URL/],
    ['', 'database check', 2, /No database is set\. Set EXTRACT_DATABASE_URL/],
    [mysql, 'database check', 2, /EXTRACT_DATABASE_URL must be like postgres:/],
    [away, 'database check', 1, /cannot be reached/],
    [away, 'accounts create --email ann@example.com', 1, /cannot be reached/],
    [away, `backup ${file}`, 2, /pg_dump --format=custom/],
    [away, `restore ${file} --check`, 2, /pg_restore/],
  ];
  for (const [url, command, status, words] of cases)
    test(`${command.replace(home, '')} with “${url}” is refused, and writes nothing elsewhere`, async () => {
      if (url !== '') process.env.EXTRACT_DATABASE_URL = url;
      const ran = await runCommand(command.split(' '));
      assert.equal(ran.status, status);
      assert.match(ran.error.message, words);
      assert.deepEqual(readdirSync(home), []);
    });

  test('shows the setting without user and password', async () => {
    process.env.EXTRACT_DATABASE_URL = `postgres://extract:${password}@db.example.com/extract?sslmode=require`;
    const { data } = await runCommand(['config']);
    const { value } = data.find(({ setting }: { setting: string }) => setting === 'EXTRACT_DATABASE_URL');
    assert.equal(value, 'postgres://***@db.example.com/extract?sslmode=require');
  });

  test('the doctor reports its problem, and continues', async () => {
    process.env.EXTRACT_DATABASE_URL = away;
    const findings = await checkDatabase(systemClock);
    const rows = findings.map(({ check, status }) => [check, status]);
    assert.deepEqual(rows, [['database', 'failed']]);
    assert.match(findings[0]?.message ?? '', /cannot be reached/);
  });
});

describe('extract server database', { skip: skipWithoutPostgres }, () => {
  let database: TestDatabase;
  before(async () => {
    database = await makeTestDatabase();
  });
  after(() => database.drop());

  test('checks, migrates once, and refuses newer tables', async () => {
    process.env.EXTRACT_DATABASE_URL = database.config.url;
    const expected = (versionOf: (steps: number) => number, state: string) =>
      allSchemas().map((schema) => {
        const wanted = 'tables' in schema ? schemaVersion(schema) : schema.expected;
        return { tables: schema.name, version: versionOf(wanted), wanted, state };
      });
    const first = await runCommand(argv`database check`);
    assert.deepEqual([first.status, first.data], [1, expected(() => 0, 'to be migrated')]);
    const migrated = await runCommand(argv`database migrate`);
    assert.deepEqual([migrated.status, migrated.data], [0, expected((version) => version, 'migrated')]);
    for (const command of ['migrate', 'check']) {
      const again = await runCommand(argv`database ${command}`);
      assert.deepEqual([again.status, again.data], [0, expected((version) => version, 'current')]);
    }
    const postgres = await Postgres.open(database.config, systemClock);
    const change = (text: string) => postgres.write((queries) => queries.run(text));
    const tables = async () => {
      const finding = (await checkDatabase(systemClock)).find(({ check }) => check === 'tables');
      return `${finding?.status}: ${finding?.message}`;
    };
    assert.match(await tables(), /^ok: [^,]*, all of this version/);
    await change("UPDATE schema_versions SET version = version - 1 WHERE name = 'pace'");
    assert.equal(await tables(), 'warning: Older than this version: pace.');
    await change("UPDATE schema_versions SET version = version + 1 WHERE name = 'pace'");
    await change('UPDATE schema_versions SET version = version + 1');
    const [refused] = await checkDatabase(systemClock);
    assert.deepEqual([refused?.check, refused?.status], ['database', 'failed']);
    assert.match(refused?.message ?? '', /later version of this program/);
    await postgres.close();
    for (const command of ['migrate', 'check']) {
      const newer = await runCommand(argv`database ${command}`);
      assert.notEqual(newer.status, 0);
      assert.match(newer.error.message, /later version of this program/);
    }
  });

  test('stores the accounts, keys and credits that commands create', async () => {
    const used = await makeTestDatabase();
    process.env.EXTRACT_DATABASE_URL = used.config.url;
    try {
      const email = 'ann@example.com';
      const create = argv`accounts create --email ${email} --verified --credits 1000`;
      const account = await runCommand(create);
      assert.deepEqual([account.status, account.data.email, account.data.credits], [0, email, 1500]);
      const key = await runCommand(argv`keys create --email ${email} --name first`);
      const revoked = await runCommand(argv`keys revoke ${key.data.id}`);
      const { id, revoked_at } = revoked.data;
      assert.deepEqual([revoked.status, id, revoked_at !== null], [0, key.data.id, true]);
      const credited = await runCommand(argv`accounts credit --email ${email} --credits 50`);
      assert.equal(credited.data.credits, 1550);
      const emails = (await runCommand(argv`accounts list`)).data.map((one: { email: string }) => one.email);
      assert.deepEqual(emails, [email]);
      assert.match((await runCommand(argv`admin link`)).data.url, /token=[\w-]{43}$/);
      const archived = await runCommand(argv`usage archive --before 2020-01-01`);
      assert.deepEqual(archived.data, { file: null, calls: 0, bytes: 0 });
      const others = readdirSync(testHome()).filter((name) => /ledger|cursor/.test(name));
      assert.deepEqual(others, []);

      const findings = await checkDatabase(systemClock, true);
      const checks = findings.map(({ check, status }) => `${check} ${status}`).join(', ');
      const expected = 'database ok, database clock ok, tables ok, nodes ok, books ok, connections ok';
      assert.equal(checks, expected);
      const postgres = await Postgres.open(used.config, systemClock);
      await postgres.write((queries) => queries.run('UPDATE balances SET balance = balance + 1'));
      await postgres.close();
      const again = await checkDatabase(systemClock, true);
      const wrong = again.find(({ check }) => check === 'books');
      assert.equal(wrong?.status, 'failed');
      assert.match(wrong?.message ?? '', /1551 instead of 1550/);
    } finally {
      await used.drop();
    }
  });

  test('moves a data directory over, once', async (t) => {
    const empty = await makeTestDatabase();
    t.after(() => empty.drop());
    const home = path.join(testHome(), 'server');
    const { accounts, ledger } = await openDirectory(home, systemClock, 0);
    await accounts.create({ email: 'ann@example.com', verified: true, credits: 5_000 });
    await ledger.close();
    process.env.EXTRACT_DATABASE_URL = empty.config.url;
    const moved = await runCommand(argv`database import --home ${home}`);
    assert.equal(moved.status, 0);
    const counts = moved.data.map(({ table, rows }: { table: string; rows: number }) => [table, rows]);
    const rows = Object.fromEntries(counts);
    assert.deepEqual([rows.users, rows.balances, rows.usage], [1, 2, 0]);
    const again = await runCommand(argv`database import --home ${home}`);
    assert.equal(again.status, 2);
    assert.match(again.error.message, /an earlier import is complete\. Start the server with/);
  });
});
